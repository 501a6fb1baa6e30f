#!/usr/bin/env bash
# From a bare machine to a verdict: installs what is missing, builds the command, and judges two histories.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target porpentine

judge() {
  echo
  echo "\$ porpentine $*"
  status=0
  build/release/bin/porpentine "$@" || status=$?
}

judge check histories/late-write.jsonl
((status == 0))
judge check histories/stale-read.jsonl
((status == 1))
echo
echo "The command is build/release/bin/porpentine"
