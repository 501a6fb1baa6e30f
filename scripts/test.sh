#!/usr/bin/env bash
# All tests: the optimized build, everything as it is developed and under the address and undefined behaviour
# sanitizers, the fuzzers, and what starts threads under the thread sanitizer. Ends with a line that counts them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/setup.sh tests

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0

# Counts each test of a workflow, and a workflow that breaks off before its tests as one that failed.
run_workflow() {
  local status=0
  echo "== $1"
  cmake --workflow --preset "$1" 2>&1 | tee "$log" || status=$?
  local summary='tests passed, ([0-9]+) tests? failed out of ([0-9]+)'
  if [[ $(grep -E "$summary" "$log") =~ $summary ]]; then
    failed=$((failed + BASH_REMATCH[1]))
    passed=$((passed + BASH_REMATCH[2] - BASH_REMATCH[1]))
  elif ((status != 0)); then
    echo "The workflow $1 broke off"
    failed=$((failed + 1))
  fi
}

run_workflow release
run_workflow dev
run_workflow asan
run_workflow fuzz
run_workflow tsan

echo "$passed passed, $failed failed"
((failed == 0))
