#!/usr/bin/env bash
# Installs what porpentine is built with, on Debian 12, Ubuntu 24.04 and later ones. Does nothing where all is there.
#
#   scripts/setup.sh          what the command and the benchmarks need
#   scripts/setup.sh tests    and what the tests need
#   scripts/setup.sh tidy     and clang-tidy
set -euo pipefail

packages=(g++ cmake ninja-build libabsl-dev libbenchmark-dev libcli11-dev libsimdjson-dev libxxhash-dev libzstd-dev
  zlib1g-dev)
tests=(catch2 ccache clang libclang-rt-dev llvm nodejs pybind11-dev python3 python3-dev python3-numpy python3-pandas
  python3-pytest python3-tqdm python3-venv)
command -v npm >/dev/null || tests+=(npm)  # Node's own packages bring it along
# Ubuntu has Chromium as a snap alone; there playwright brings one.
[[ $(. /etc/os-release && echo "$ID") == ubuntu ]] || tests+=(chromium)
tidy=(clang-14 clang-tidy-14)
case "${1:-build}" in
  build) ;;
  tests) packages+=("${tests[@]}") ;;
  tidy) packages+=("${tests[@]}" "${tidy[@]}") ;;
  *)
    echo "usage: scripts/setup.sh [build|tests|tidy]" >&2
    exit 2
    ;;
esac

if ! command -v apt-get >/dev/null; then
  echo "scripts/setup.sh knows Debian and Ubuntu only; elsewhere install what these packages hold: ${packages[*]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} > 0)); then
  as_root=()
  ((EUID == 0)) || as_root=(sudo)
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    </dev/null >/dev/null
fi

# What Debian has not, over its own Python, whatever python3 on the PATH is. Later pyarrows want a later NumPy.
venv=$(dirname "${BASH_SOURCE[0]}")/../build/venv
if [[ " ${packages[*]} " == *" python3-venv "* && ! -e $venv/complete ]]; then
  /usr/bin/python3 -m venv --system-site-packages "$venv"
  if "$venv/bin/pip" install --quiet --disable-pip-version-check mypy 'pyarrow<20'; then
    touch "$venv/complete"
  else
    echo "scripts/setup.sh: without mypy and pyarrow their tests are skipped" >&2
  fi
fi

if [[ " ${packages[*]} " == *" nodejs "* && " ${packages[*]} " != *" chromium "* ]]; then
  cd "$(dirname "${BASH_SOURCE[0]}")/../tests/web"
  npm ci --silent --prefer-offline --no-audit --no-fund
  npx playwright-core install --with-deps chromium-headless-shell
fi
