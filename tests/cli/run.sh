#!/usr/bin/env bash
# Tests of the command: run.sh PATH_OF_THE_COMMAND. One line a claim, and exit status 1 where one does not hold.
#
# Each claim runs in a directory of its own that holds the histories made by make_histories.

set -u
unset CDPATH
[ $# -eq 1 ] || { echo "usage: $0 PATH_OF_THE_COMMAND" >&2; exit 2; }
porpentine=$(realpath -- "$1")
data=$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../data")
histories=$(realpath -- "$data/../../histories")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
failed=0

# ---- histories -------------------------------------------------------------------------------------------------------

make_histories() {
  cat >valid.jsonl <<'END'
{"porpentine": 1, "model": "register"}
{"process": 0, "f": "write", "input": 1, "call": 0, "return": 10}
{"process": 1, "f": "read", "output": 1, "call": 5, "return": 15}
END
  cat >invalid.jsonl <<'END'
{"porpentine": 1, "model": "register"}
{"process": 0, "f": "write", "input": 1, "call": 0, "return": 10}
{"process": 1, "f": "write", "input": 2, "call": 20, "type": "info"}
{"process": 2, "f": "read", "output": 7, "call": 30, "return": 40}
END
  cat >keyed.jsonl <<'END'
{"porpentine": 1, "model": "kv"}
{"process": 0, "f": "put", "key": "a", "input": 1, "call": 0, "return": 10}
{"process": 1, "f": "get", "key": "a", "output": 1, "call": 5, "return": 15}
{"process": 0, "f": "put", "key": "b\"\n", "input": 1, "call": 20, "return": 30}
{"process": 1, "f": "get", "key": "b\"\n", "output": 2, "call": 35, "return": 45}
{"process": 2, "f": "put", "key": "a", "input": 3, "call": 50, "type": "fail", "return": 60}
{"process": 3, "f": "put", "key": "a", "input": 4, "call": 50}
END
  cat >broken.jsonl <<'END'
{"porpentine": 1, "model": "register"}
{"process": 0, "f": "write", "input": 1, "call": 0, "return": 10}
{"process": 0, "f": "read", "output": 1, "call": 9, "return": 5}
END
  cat >sequential.jsonl <<'END'
{"porpentine": 1, "model": "register"}
{"process": 0, "f": "write", "input": 1, "call": 0, "return": 10}
{"process": 0, "f": "read", "output": 1, "call": 20, "return": 30}
END
  tail -n +2 valid.jsonl >headless.jsonl
  printf '{"porpentine": 1, "model": "register"}\n' >empty.jsonl
  cat >history.edn <<'END'
{:process 0, :type :invoke, :f :write, :value 1, :time 0, :index 0}
{:process 1, :type :invoke, :f :read, :value nil, :time 1, :index 1}
{:process 0, :type :ok, :f :write, :value 1, :time 2, :index 2}
{:process 1, :type :ok, :f :read, :value 1, :time 3, :index 3}
END
  cat >keyed.edn <<'END'
{:process 0, :type :invoke, :f :write, :value [5 1], :time 0}
{:process 0, :type :ok, :f :write, :value [5 1], :time 1}
{:process 0, :type :invoke, :f :read, :value [6 nil], :time 2}
{:process 0, :type :ok, :f :read, :value [6 nil], :time 3}
END
}

# transaction PROCESS INPUT OUTPUT: one that overlaps all others.
transaction() {
  echo "{\"process\": $1, \"f\": \"txn\", \"input\": $2, \"output\": $3, \"call\": $1, \"return\": $((1000 + $1))}"
}

# A history that no search decides soon: thirty round trips of x in any order, and a moment with x = -1 and y = -1, each
# of which was written while the other register held 0.
make_hard_history() {
  local i
  echo '{"porpentine": 1, "model": "multi-register:initial=0"}'
  for ((i = 1; i <= 30; ++i)); do
    transaction $((2 * i)) '[["r", "x", null], ["w", "x", '$i']]' '[["r", "x", 0], ["w", "x", '$i']]'
    transaction $((2 * i + 1)) '[["r", "x", null], ["w", "x", 0]]' '[["r", "x", '$i'], ["w", "x", 0]]'
  done
  transaction 100 '[["r", "y", null], ["w", "x", -1]]' '[["r", "y", 0], ["w", "x", -1]]'
  transaction 101 '[["r", "x", null], ["w", "y", -1]]' '[["r", "x", 0], ["w", "y", -1]]'
  transaction 102 '[["r", "x", null], ["r", "y", null]]' '[["r", "x", -1], ["r", "y", -1]]'
}

# ---- what claims are made of -----------------------------------------------------------------------------------------

# run ARGUMENT...: the command's output, errors and exit status go to the files out and err, and into $status.
run() {
  status=0
  "$porpentine" "$@" >out 2>err || status=$?
}

complain() {
  echo "    $*"
  echo "    status: $status; out:"
  sed 's/^/      /' out
  echo "    err:"
  sed 's/^/      /' err
  return 1
}

expect_status() { [ "$status" -eq "$1" ] || complain "the exit status should be $1"; }
expect_out() { grep -qF -- "$1" out || complain "the output should contain: $1"; }
expect_no() { ! grep -qF -- "$2" "$1" || complain "$1 should not contain: $2"; }
expect_err() { grep -qF -- "$1" err || complain "the errors should contain: $1"; }
expect_no_escapes() { ! grep -q $'\x1b' "$1" || complain "$1 should not steer a terminal"; }
expect_silent_out() { [ ! -s out ] || complain "there should be no output"; }
expect_silent_err() { [ ! -s err ] || complain "there should be no errors"; }
# expect_one_error TEXT: one line that starts with it.
expect_one_error() {
  [ "$(wc -l <err)" -eq 1 ] || complain "there should be one line of errors"
  case "$(cat err)" in "$1"*) ;; *) complain "the error should start with: $1" ;; esac
}
# expect_json EXPRESSION: it is true in Python, where `it` is the output. Without Python nothing is tested.
expect_json() {
  command -v python3 >/dev/null || return 0
  python3 -c 'import json, sys; it = json.load(open("out", encoding="utf-8")); sys.exit(not eval(sys.argv[1]))' "$1" ||
    complain "this should hold for the JSON: $1"
}

# claim TEXT <<'CASE': commands that all succeed.
claim() {
  local directory result=0
  directory=$(mktemp -d -p "$work")
  (
    cd -- "$directory" || exit 1
    make_histories
    set -e
    eval "$(cat)"
  ) >"$work/log" 2>&1
  result=$?
  if [ $result -eq 0 ]; then
    echo "ok - $1"
  else
    failed=1
    echo "not ok - $1"
    cat "$work/log"
  fi
}

# ---- verdicts and exit codes -----------------------------------------------------------------------------------------

claim 'a valid history is one line, and the exit status is 0' <<'CASE'
run check valid.jsonl
expect_status 0
grep -qE '^valid\.jsonl: valid \(2 operations, [0-9.]+ s\)$' out
[ "$(wc -l <out)" -eq 1 ]
expect_silent_err
CASE

claim 'an invalid history is told with the operation and the reason, and the exit status is 1' <<'CASE'
run check invalid.jsonl
expect_status 1
[ "$(head -n 1 out)" = 'invalid.jsonl: invalid' ]
[ "$(wc -l <out)" -eq 2 ]
grep -qE '^  .*read.*7' out
expect_silent_err
CASE

claim 'a violation names its key' <<'CASE'
for engine in auto search; do
  run check --engine $engine keyed.jsonl
  expect_status 1
  grep -qE '^  b"\\n: get\(\) -> 2 ' out || complain "the violation should begin with the key"
done
CASE

claim 'a malformed history is an error with file and line, not a verdict, and the exit status is 2' <<'CASE'
run check broken.jsonl
expect_status 2
expect_one_error 'porpentine: broken.jsonl:3: '
expect_silent_out
CASE

claim 'a history with an f that the model does not know is an error with file and line' <<'CASE'
run check --model mutex valid.jsonl
expect_status 2
expect_one_error 'porpentine: valid.jsonl:2: '
expect_silent_out
CASE

claim 'an error in an output names the line of the completion, one in an input that of the call' <<'CASE'
cat >events.jsonl <<'END'
{"porpentine": 1, "model": "log"}
{"process": 0, "type": "invoke", "f": "append", "value": "a"}
{"process": 1, "type": "invoke", "f": "tail"}
{"process": 0, "type": "ok", "f": "append", "value": "x"}
{"process": 1, "type": "ok", "f": "tail", "value": 1}
END
run check events.jsonl
expect_status 2
expect_one_error 'porpentine: events.jsonl:4: append returns an offset'
run check --json events.jsonl
expect_json 'it["error"]["line"] == 4'
sed -i 's/, "value": "a"//' events.jsonl
run check events.jsonl
expect_status 2
expect_one_error 'porpentine: events.jsonl:2: append takes a value other than null, but its input is missing or null'
CASE

claim 'a name that stands twice in a line is an error with file and line' <<'CASE'
sed -i '2s/}$/, "f": "read"}/' valid.jsonl
run check valid.jsonl
expect_status 2
expect_one_error 'porpentine: valid.jsonl:2: "f" stands twice in one object: '
CASE

claim 'a limit gives unknown with its name, and the exit status is 3' <<'CASE'
run check --engine search --step-limit 0 valid.jsonl
expect_status 3
[ "$(head -n 1 out)" = 'valid.jsonl: unknown (step-limit)' ]
expect_out '0 of 1 partition is decided'
expect_out 'of 2 operations'
expect_out '--step-limit'
CASE

claim 'a time limit is kept' <<'CASE'
make_hard_history >hard.jsonl
status=0
timeout 60 "$porpentine" check --time-limit 200ms hard.jsonl >out 2>err || status=$?
expect_status 3
[ "$(head -n 1 out)" = 'hard.jsonl: unknown (time-limit)' ]
expect_out '--time-limit'
CASE

claim 'a memory limit is kept, and gives unknown' <<'CASE'
make_hard_history >hard.jsonl
status=0
timeout 60 "$porpentine" check --memory-limit 40MiB hard.jsonl >out 2>err || status=$?
expect_status 3
[ "$(head -n 1 out)" = 'hard.jsonl: unknown (memory-limit)' ]
expect_out '--memory-limit'
CASE

claim 'a memory limit that is reached while reading gives unknown' <<'CASE'
run check --memory-limit 1B valid.jsonl
expect_status 3
[ "$(head -n 1 out)" = 'valid.jsonl: unknown (memory-limit)' ]
run check --memory-limit 1B --json valid.jsonl
expect_status 3
expect_json 'it["valid"] == "unknown" and it["reason"] == "memory-limit" and it["operations"] is None'
CASE

# Without --foreground timeout signals twice, and a second Ctrl-C ends the command at once.
claim 'Ctrl-C gives unknown (cancelled) with what was found so far' <<'CASE'
make_hard_history >hard.jsonl
status=0
timeout --foreground --preserve-status -s INT 4 "$porpentine" check invalid.jsonl hard.jsonl valid.jsonl >out 2>err || status=$?
expect_status 1
expect_out 'invalid.jsonl: invalid'
expect_out 'hard.jsonl: unknown (cancelled)'
expect_out 'valid.jsonl: unknown (cancelled)'
CASE

claim 'a file that is missing is an error after Ctrl-C, too' <<'CASE'
make_hard_history >hard.jsonl
status=0
timeout --foreground --preserve-status -s INT 4 "$porpentine" check hard.jsonl missing.jsonl valid.jsonl >out 2>err || status=$?
expect_status 2
expect_out 'hard.jsonl: unknown (cancelled)'
expect_out 'valid.jsonl: unknown (cancelled)'
expect_one_error 'porpentine: missing.jsonl: '
CASE

claim 'Ctrl-C ends the wait for a pipe that nobody writes to' <<'CASE'
mkfifo nobody
status=0
timeout --foreground --preserve-status -s INT 4 "$porpentine" check nobody >out 2>err || status=$?
expect_status 3
expect_out 'nobody: unknown (cancelled)'
expect_silent_err
CASE

claim 'Ctrl-C ends the wait for standard input' <<'CASE'
status=0
mkfifo quiet
sleep 20 >quiet &
timeout --foreground --preserve-status -s INT 4 "$porpentine" check --model register - <quiet >out 2>err || status=$?
kill $!
expect_status 3
expect_out '-: unknown (cancelled)'
expect_silent_err
CASE

claim 'an error beats a violation, a violation beats an unknown, an unknown beats a pass' <<'CASE'
run check invalid.jsonl broken.jsonl valid.jsonl
expect_status 2
run check --engine search --step-limit 4 valid.jsonl invalid.jsonl
expect_no out 'unknown'
expect_status 1
make_hard_history >hard.jsonl
run check --time-limit 100ms hard.jsonl valid.jsonl
expect_status 3
run check --time-limit 100ms hard.jsonl invalid.jsonl valid.jsonl
expect_status 1
run check --time-limit 100ms hard.jsonl invalid.jsonl missing.jsonl
expect_status 2
CASE

claim 'an error in one history leaves the others judged' <<'CASE'
run check broken.jsonl missing.jsonl valid.jsonl invalid.jsonl
expect_status 2
expect_out 'valid.jsonl: valid'
expect_out 'invalid.jsonl: invalid'
expect_err 'porpentine: broken.jsonl:3: '
expect_err 'porpentine: missing.jsonl: '
[ "$(wc -l <err)" -eq 2 ]
CASE

# ---- standard input that goes on ---------------------------------------------------------------------------------------

claim 'a violation in a pipe that stays open is told at once, and the exit status is 1' <<'CASE'
event() { echo '{"process": '$1', "type": "'$2'", "f": "'$3'", "value": '$4$5'}'; }
for timed in no yes; do
  at() { [ $timed = no ] || echo ', "time": '$1; }
  {
    echo '{"porpentine": 1, "model": "register"}'
    event 5 invoke write 3 "$(at 0)"
    event 0 invoke write 1 "$(at 1)"
    event 0 ok write 1 "$(at 2)"
    event 1 invoke read null "$(at 3)"
    event 1 ok read 7 "$(at 4)"
  } >events.jsonl
  rm -f open
  mkfifo open
  { cat events.jsonl; exec sleep 120; } >open &
  writer=$!
  status=0
  timeout 60 "$porpentine" check - <open >out 2>err || status=$?
  kill -0 $writer || complain "the pipe should still be open"
  kill $writer
  expect_status 1
  sed 's/^-:/events.jsonl:/' out >told
  run check events.jsonl
  cmp told out || complain "it should be told as of a file"
done
CASE

claim 'events on standard input that end are judged as those of a file' <<'CASE'
printf '%s\n' '{"porpentine": 1, "model": "register"}' '{"process": "nemesis", "type": "info", "f": "kill"}' '' \
  '{"process": 0, "type": "invoke", "f": "write", "value": 1}' '{"process": 1, "type": "invoke", "f": "read"}' \
  '{"process": 0, "type": "ok", "f": "write", "value": 1}' '{"process": 1, "type": "ok", "f": "read", "value": 1}' \
  '{"process": 2, "type": "invoke", "f": "write", "value": 2}' >good.jsonl
sed 's/"read", "value": 1/"read", "value": 2/; $d' good.jsonl >bad.jsonl
sed 's/"read", "value": 1/"reed", "value": 2/' good.jsonl >other.jsonl
sed 's/"f": "read"/"f": "raed"/' good.jsonl >unknown.jsonl
sed '$a{"process": 7, "type": "ok", "f": "read", "value": 1}' good.jsonl >unpaired.jsonl
sed '$a{"process": 7, "f": "read", "output": 1, "call": 7, "return": 8}' good.jsonl >mixed.jsonl
sed '$a{"process": 7, "type": ' good.jsonl >torn.jsonl
tail -n +2 good.jsonl >headless.jsonl
sed '1s/register/regster/' good.jsonl >strange.jsonl
# The lines of two processes, not in order of time.
printf '%s\n' '{"porpentine": 1, "model": "register"}' \
  '{"process": 0, "type": "invoke", "f": "write", "value": 1, "time": 5}' \
  '{"process": 1, "type": "invoke", "f": "read", "time": 3}' \
  '{"process": 0, "type": "ok", "f": "write", "time": 6}' \
  '{"process": 1, "type": "ok", "f": "read", "value": 1, "time": 5}' >unordered.jsonl
# The other form, and another format.
cp valid.jsonl operations.jsonl
sed 's/^/ /' history.edn >again.edn
for history in good bad other unknown unpaired mixed torn headless strange unordered operations; do
  run check --json $history.jsonl
  sed -E "s/$history\.jsonl/-/g; s/\"(explain_s|elapsed_s)\": [0-9.e-]+/\"\1\": 0/g" out err >expected
  expected=$status
  status=0
  cat $history.jsonl | "$porpentine" check --json - >out 2>err || status=$?
  expect_status $expected
  sed -E 's/"(explain_s|elapsed_s)": [0-9.e-]+/"\1": 0/g' out err | cmp - expected ||
    complain "$history.jsonl should be judged alike: $(cat expected)"
done
status=0
cat again.edn | "$porpentine" check --model register - >out 2>err || status=$?
expect_status 0
gzip -c bad.jsonl | "$porpentine" check - >out 2>err || status=$?
expect_status 1
CASE

claim 'a history that is too long to be kept is judged while it comes' <<'CASE'
# A quarter of the memory may hold text, and this is more.
events() {
  awk -v count=$1 'BEGIN {
    print "{\"porpentine\": 1, \"model\": \"log\"}"
    for (i = 0; i < count; ++i) {
      print "{\"process\": 0, \"type\": \"invoke\", \"f\": \"append\", \"key\": \"k\", \"value\": " i "}"
      print "{\"process\": 1, \"type\": \"invoke\", \"f\": \"read\", \"key\": \"k\", \"value\": " i "}"
      print "{\"process\": 0, \"type\": \"ok\", \"f\": \"append\", \"key\": \"k\", \"value\": " i "}"
      print "{\"process\": 1, \"type\": \"ok\", \"f\": \"read\", \"key\": \"k\", \"value\": " i "}"
    }
  }'
}
check() {
  status=0
  timeout 100 "$porpentine" check --memory-limit 50MiB "$@" - >out 2>err || status=$?
}
check --json < <(events 80000)
expect_status 0
expect_json '(it["valid"], it["engine"], it["operations"], it["ok"]) == (True, "monitor", 160000, 160000)'
expect_json 'it["partitions"] == {"total": 1, "valid": 1, "invalid": 0, "unknown": 0}'
expect_json 'it["stats"]["max_concurrency"] is None and it["stats"]["overlapping_pairs"] == 80000'
check < <(events 80000)
expect_out '-: valid (160000 operations, 1 key, '
wrong='{"process": 0, "type": "invoke", "f": "read", "key": "k", "value": 3}
{"process": 0, "type": "ok", "f": "read", "key": "k", "value": 4}'
check --json < <(events 80000; echo "$wrong")
expect_status 1
expect_json 'it["valid"] is False and it["failures"][0]["operation"] == 160000 and it["failures"][0]["line"] == 320002'
check < <(events 80000; echo "$wrong")
expect_out 'read(3) -> 4 by process 0 (line 320002) can'"'"'t be placed: offset 3 holds 3'
check < <(events 80000; echo "$wrong" | tail -n 1)
expect_status 2
expect_one_error 'porpentine: -:320002: return without a call by process 0'
check < <(events 80000; echo "$wrong" | sed s/read/reed/)
expect_status 2
expect_one_error 'porpentine: -:320002: the model log has no "reed"'
CASE

# ---- the model -------------------------------------------------------------------------------------------------------

claim 'without a model the error says what to do and which models fit' <<'CASE'
run check headless.jsonl
expect_status 2
expect_one_error 'porpentine: headless.jsonl: '
expect_err '--model'
expect_err 'register'
expect_no err 'mutex'
CASE

claim '--model counts more than the header' <<'CASE'
sed 's/"register"/"mutex"/' valid.jsonl >mutex.jsonl
run check mutex.jsonl
expect_status 2
run check --model register mutex.jsonl
expect_status 0
CASE

claim 'options of a model follow its name' <<'CASE'
cat >initial.jsonl <<'END'
{"process": 0, "f": "read", "output": 5, "call": 0, "return": 1}
END
run check --model register initial.jsonl
expect_status 1
run check --model register:initial=5 --json initial.jsonl
expect_status 0
expect_json 'it["model"] == "register:initial=5"'
CASE

claim 'a model that does not exist is a usage error, and nothing is read' <<'CASE'
run check --model frobnicate missing.jsonl
expect_status 2
expect_one_error 'porpentine: --model: '
expect_no err 'missing.jsonl'
CASE

claim 'a model in the header that does not exist is an error of that history' <<'CASE'
printf '{"porpentine": 1, "model": "frobnicate"}\n' >strange.jsonl
run check strange.jsonl valid.jsonl
expect_status 2
expect_one_error 'porpentine: strange.jsonl:1: '
expect_out 'valid.jsonl: valid'
CASE

# ---- text ------------------------------------------------------------------------------------------------------------

claim 'a pass that proves nothing is noted' <<'CASE'
run check sequential.jsonl empty.jsonl
expect_status 0
expect_out 'note: no two operations overlap'
expect_out 'note: no operation is known to have succeeded'
run check valid.jsonl
expect_no out 'note:'
CASE

claim '--verify replays what was found and says so' <<'CASE'
run check --verify valid.jsonl invalid.jsonl
expect_status 1
grep -qE '^valid\.jsonl: valid .*\(verified\)$' out
[ "$(grep -c verified out)" -eq 1 ]
CASE

claim '--quiet leaves out what is valid and nothing else' <<'CASE'
run check --quiet sequential.jsonl valid.jsonl
expect_status 0
expect_silent_out
run check --quiet valid.jsonl invalid.jsonl broken.jsonl
expect_status 2
[ "$(head -n 1 out)" = 'invalid.jsonl: invalid' ]
expect_one_error 'porpentine: broken.jsonl:3: '
CASE

claim 'after ten violations the rest are counted' <<'CASE'
{
  echo '{"porpentine": 1, "model": "kv"}'
  for key in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo '{"process": 0, "f": "get", "key": '$key', "output": 1, "call": '$key'0, "return": '$key'1}'
  done
} >twelve.jsonl
run check twelve.jsonl
expect_status 1
[ "$(wc -l <out)" -eq 12 ]
expect_out '... and 2 more violations'
run check --json twelve.jsonl
expect_json 'len(it["failures"]) == 12'
CASE

claim 'characters of names that steer a terminal or turn text do not reach it' <<'CASE'
printf '%s\n' '{"process": "a\u009b2J\u202e\u061c\u2066b\u00e9", "f": "read", "output": 5, "call": 1, "return": 2}' >names.jsonl
run check --model register names.jsonl
expect_status 1
expect_out 'by process a\u009b2J\u202e\u061c\u2066b'
grep -q "$(printf 'b\303\251')" out || complain "other characters should stay"
CASE

claim 'control characters of a history do not reach the terminal' <<'CASE'
printf '{"process": 0, "f": "read\\u001b[31m", "call": 0, "return": 1}\n' >escape.jsonl
cp escape.jsonl $'new\nline\x1b[31m.jsonl'
run check escape.jsonl
expect_no_escapes err
run check --model register $'new\nline\x1b[31m.jsonl'
expect_status 2
[ "$(wc -l <err)" -eq 1 ]
expect_no_escapes err
run stats escape.jsonl
expect_status 0
expect_no_escapes out
CASE

# ---- JSON ------------------------------------------------------------------------------------------------------------

claim 'one history gives one JSON object with every field' <<'CASE'
run check --engine search --json keyed.jsonl
expect_status 1
expect_json 'list(it) == "file valid model engine operations ok info fail partitions failures stats elapsed_s".split()'
expect_json 'it["file"] == "keyed.jsonl" and it["valid"] is False and it["model"] == "kv" and it["engine"] == "search"'
expect_json '(it["operations"], it["ok"], it["info"], it["fail"]) == (6, 4, 1, 1)'
expect_json 'it["partitions"] == {"total": 2, "valid": 1, "invalid": 1, "unknown": 0}'
expect_json 'list(it["stats"]) == ["max_concurrency", "overlapping_pairs", "states", "steps", "explain_s"]'
expect_json '(it["stats"]["max_concurrency"], it["stats"]["overlapping_pairs"]) == (2, 1)'
expect_json 'type(it["elapsed_s"]) is float and it["elapsed_s"] >= 0'
CASE

claim 'a failure in JSON has the key as a value, the operation from 0 and its line from 1' <<'CASE'
run check --json keyed.jsonl
expect_json 'len(it["failures"]) == 1'
expect_json 'list(it["failures"][0]) == ["key", "operation", "line", "message", "longest_prefix", "core"]'
expect_json 'it["failures"][0]["key"] == "b\"\n"'
expect_json '(it["failures"][0]["operation"], it["failures"][0]["line"]) == (3, 5)'
expect_json 'it["failures"][0]["longest_prefix"] == 1'
run check --json invalid.jsonl
expect_json 'it["failures"][0]["key"] is None'
CASE

claim 'a valid history has no failures and no reason in JSON' <<'CASE'
run check --json valid.jsonl
expect_status 0
expect_json 'it["valid"] is True and it["failures"] == [] and "reason" not in it'
CASE

claim 'a pass that proves nothing is noted in JSON, in the words of the text' <<'CASE'
printf '{"porpentine": 1, "model": "register"}\n{"process": 0, "f": "read", "call": 0, "type": "fail"}\n' >failed.jsonl
for history in sequential.jsonl empty.jsonl failed.jsonl; do
  run check $history
  expect_status 0
  note=$(sed -n 's/^  note: //p' out)
  [ -n "$note" ]
  run check --json $history
  expect_json "it['note'] == '$note'"
  run stats --json $history
  expect_json "it['note'] == '$note'"
done
run check --json valid.jsonl
expect_json '"note" not in it'
run check --json --engine search --step-limit 0 sequential.jsonl
expect_status 3
expect_json '"note" not in it'
CASE

claim 'an unknown in JSON has its reason' <<'CASE'
run check --json --engine search --step-limit 0 valid.jsonl
expect_status 3
expect_json 'it["valid"] == "unknown" and it["reason"] == "step-limit" and it["partitions"]["unknown"] == 1'
CASE

claim 'several histories give an array, errors among them' <<'CASE'
run check --json valid.jsonl broken.jsonl missing.jsonl invalid.jsonl
expect_status 2
expect_json '[one["file"] for one in it] == ["valid.jsonl", "broken.jsonl", "missing.jsonl", "invalid.jsonl"]'
expect_json 'list(it[1]) == ["file", "error"] and it[1]["error"]["line"] == 3 and it[1]["error"]["message"]'
expect_json 'it[2]["error"]["line"] is None'
expect_err 'porpentine: broken.jsonl:3: '
CASE

claim 'a file name that is not UTF-8 still gives JSON' <<'CASE'
cp valid.jsonl $'\xff"\\.jsonl'
run check --json $'\xff"\\.jsonl'
expect_status 0
expect_json 'it["file"] == "\ufffd\"\\.jsonl"'
CASE

# ---- reading ---------------------------------------------------------------------------------------------------------

claim 'a dash is standard input' <<'CASE'
status=0
"$porpentine" check - <valid.jsonl >out 2>err || status=$?
expect_status 0
expect_out '-: valid'
status=0
cat broken.jsonl | "$porpentine" check - >out 2>err || status=$?
expect_status 2
expect_one_error 'porpentine: -:3: '
run check - - 
expect_status 2
CASE

claim 'compressed histories are read as they are' <<'CASE'
gzip -k valid.jsonl
run check valid.jsonl.gz
expect_status 0
mv valid.jsonl.gz no-such-name
run check no-such-name
expect_status 0
status=0
gzip -c valid.jsonl | "$porpentine" check - >out 2>err || status=$?
expect_status 0
CASE

claim 'the format is seen from the content, or as --format says' <<'CASE'
mv history.edn history.jsonl
run check --model register history.jsonl
expect_status 0
run check --model register --format edn history.jsonl
expect_status 0
run check --model register --format jsonl history.jsonl
expect_status 2
expect_one_error 'porpentine: history.jsonl:1: '
run check --format frobnicate history.jsonl
expect_status 2
expect_one_error 'porpentine: --format: '
CASE

claim '--independent takes pairs for key and value' <<'CASE'
run check --model register --independent --json keyed.edn
expect_status 0
expect_json 'it["partitions"]["total"] == 2'
run check --model register keyed.edn
expect_status 1
CASE

claim 'directories, missing and binary files are errors of one line' <<'CASE'
mkdir directory
head -c 4096 /dev/urandom >binary
printf '\x1f\x8b\x08' >truncated.gz
for file in directory missing binary truncated.gz; do
  run check --model register "$file"
  expect_status 2
  expect_one_error "porpentine: $file"
  expect_silent_out
done
CASE

claim 'damage to a compressed file is told as such, without a line' <<'CASE'
for ((i = 0; i < 20000; ++i)); do
  echo '{"process": 0, "f": "write", "input": '$RANDOM', "call": '$i', "return": '$i'}'
done | gzip -c >long.gz
run check --model register long.gz
expect_status 0
printf '\xff\xff\xff' | dd of=long.gz bs=1 seek=30000 conv=notrunc status=none
run check --model register long.gz
expect_status 2
expect_one_error 'porpentine: long.gz: damaged gzip data'
CASE

claim 'an empty file is a history without operations' <<'CASE'
: >nothing
run check --model register nothing
expect_status 0
expect_out 'nothing: valid (0 operations'
expect_out 'note:'
CASE

# ---- usage -----------------------------------------------------------------------------------------------------------

claim 'wrong usage is one line on standard error that says where help is' <<'CASE'
for arguments in '' frobnicate check --frobnicate 'check --frobnicate valid.jsonl' 'convert valid.jsonl' \
  'models a b'; do
  run $arguments
  expect_status 2
  expect_one_error 'porpentine: '
  expect_err '--help'
  expect_silent_out
done
CASE

claim 'an empty name of a file is called that' <<'CASE'
for subcommand in check stats convert; do
  run $subcommand ''
  expect_status 2
  expect_one_error 'porpentine: '
  expect_err 'the name of a file is empty'
done
run check valid.jsonl ''
expect_status 2
expect_err 'the name of a file is empty'
expect_silent_out
run convert valid.jsonl -o ''
expect_status 2
expect_err 'the name of a file is empty'
CASE

claim 'times have units, and fractions are allowed' <<'CASE'
for time in 1h 60s 1.5m .5h 60000ms 60000000us 60000000000ns; do
  run check --time-limit $time valid.jsonl
  expect_status 0
done
for time in 30 s -1s 1x inf nan 1e3s 0x1s '1 s' 99999999999999h ''; do
  run check --time-limit "$time" valid.jsonl
  expect_status 2
  expect_one_error 'porpentine: --time-limit: '
done
CASE

claim 'sizes have units, and fractions are allowed' <<'CASE'
for size in 4GiB 4GB 1.5GiB 500MB 500MiB 500000KB 500000KiB 1000000000B; do
  run check --memory-limit $size valid.jsonl
  expect_status 0
done
for size in 4 4G GiB -1GiB 4gib 99999999999GiB; do
  run check --memory-limit $size valid.jsonl
  expect_status 2
  expect_one_error 'porpentine: --memory-limit: '
done
CASE

claim 'counts are whole numbers' <<'CASE'
for count in -1 1.5 x 99999999999999999999 ''; do
  run check --step-limit "$count" valid.jsonl
  expect_status 2
  expect_one_error 'porpentine: --step-limit: '
  run check --jobs "$count" valid.jsonl
  expect_status 2
  expect_one_error 'porpentine: --jobs: '
done
CASE

claim 'every engine and every number of threads gives the same verdicts, and is told in JSON' <<'CASE'
for history in valid.jsonl keyed.jsonl invalid.jsonl; do
  run check --engine search --json $history
  before=$status
  expect_json 'it["engine"] == "search"'
  for jobs in 1 3; do
    run check --jobs $jobs --json $history
    expect_status $before
    expect_json 'it["engine"] in ("search", "monitor")'
  done
done
run check --json keyed.jsonl
expect_json 'it["engine"] == "monitor"'
run check --engine frobnicate valid.jsonl
expect_status 2
expect_one_error 'porpentine: --engine: '
CASE

claim 'every order and every number of threads gives the same verdicts' <<'CASE'
for order in portfolio breadth-first depth-first; do
  for jobs in 1 2 7; do
    run check --order $order --jobs $jobs valid.jsonl
    expect_status 0
    run check --order $order --jobs $jobs keyed.jsonl
    expect_status 1
  done
done
run check --order sideways valid.jsonl
expect_status 2
CASE

claim 'a file whose name starts with a dash can be named after --' <<'CASE'
cp valid.jsonl ./--json
run check -- --json
expect_status 0
expect_out '--json: valid'
CASE

claim 'help is on standard output, teaches by example and tells the exit codes' <<'CASE'
run --help
expect_status 0
expect_silent_err
expect_out 'Exit codes'
for subcommand in check explain render stats convert models; do
  expect_out "  $subcommand "
  run $subcommand --help
  expect_status 0
  expect_silent_err
  expect_out "  porpentine $subcommand"
  expect_out 'Exit codes'
  run --help
done
CASE

claim '--version tells the version' <<'CASE'
run --version
expect_status 0
grep -qE '^porpentine [0-9]+\.[0-9]+\.[0-9]+$' out
CASE

# ---- explain and pages -----------------------------------------------------------------------------------------------

claim 'explain shows the core in time, and what orders lead to' <<'CASE'
run explain --model register "$data/../../histories/stale-read.jsonl"
expect_status 1
expect_out "The core, operations that can't be ordered whatever the others did:"
grep -qE '^ +60 +\[\* read\(\) -> "blue"$' out
expect_out '  the state "red"'
expect_out '    read() -> "blue" is refused: the register holds "red"'
CASE

claim 'a core that explain writes is a history that is invalid by itself' <<'CASE'
for history in "$data"/models/*-invalid.jsonl; do
  run explain "$history" -o core.jsonl
  expect_status 1
  run check core.jsonl
  expect_status 1
done
CASE

claim 'explain lists a core that has too many processes for columns' <<'CASE'
for process in 1 2 3 4 5 6 7 8 9; do
  echo "{\"process\": $process, \"f\": \"write\", \"input\": 7, \"call\": $process, \"return\": 20}"
done >wide.jsonl
echo '{"process": 10, "f": "write", "input": 8, "call": 30, "return": 31}' >>wide.jsonl
echo '{"process": 11, "f": "read", "output": 7, "call": 40, "return": 41}' >>wide.jsonl
run explain --model register wide.jsonl
expect_status 1
expect_out '  [9, 20] write(7) by process 9 (line 9)'
expect_out '* [40, 41] read() -> 7 by process 11 (line 11)'
CASE

claim 'explain shows what stands in the file of a core beside it' <<'CASE'
cat >context.jsonl <<'END'
{"process": 0, "f": "write", "input": 1, "call": 0, "return": 1}
{"process": 1, "f": "write", "input": 2, "call": 2, "return": 3}
{"process": 2, "f": "read", "output": 2, "call": 4, "return": 5}
{"process": 2, "f": "read", "output": 1, "call": 6, "return": 7}
END
run explain --model register context.jsonl -o core.jsonl
expect_status 1
expect_out 'also if these had any outcome'
[ "$(grep -c -- '-> ?' out)" = "$(grep -c '"info"' core.jsonl)" ]
CASE

claim 'a file that can not be written is told before the work' <<'CASE'
run explain --model register missing.jsonl -o nowhere/core.jsonl
expect_status 2
expect_one_error 'porpentine: nowhere/core.jsonl: No such file or directory'
run check --html . missing.jsonl
expect_status 2
expect_one_error 'porpentine: .: Is a directory'
CASE

claim 'explain of a valid history says so, and writes nothing' <<'CASE'
run explain valid.jsonl -o core.jsonl
expect_status 0
expect_out 'valid.jsonl: valid'
expect_one_error 'porpentine: core.jsonl: not written, since there is no core'
[ ! -e core.jsonl ]
run explain valid.jsonl -o valid.jsonl
expect_status 2
CASE

claim 'check --html writes a page, and changes neither the report nor the exit status' <<'CASE'
for history in valid.jsonl invalid.jsonl keyed.jsonl; do
  run check $history
  before=$status
  sed 's/[0-9.]* s)$//' out >without
  run check $history --html page.html
  expect_status $before
  sed 's/[0-9.]* s)$//' out | cmp - without
  grep -q '<!doctype html>' page.html
  grep -q 'class="badge' page.html
done
run check valid.jsonl invalid.jsonl --html several.html
expect_status 2
expect_one_error 'porpentine: --html: a page shows one history, and there are 2'
[ ! -e several.html ]
CASE

claim 'a page that cannot be written is an error' <<'CASE'
run check valid.jsonl --html nowhere/page.html
expect_status 2
expect_one_error 'porpentine: nowhere/page.html: '
run check broken.jsonl --html broken.html
expect_status 2
[ ! -e broken.html ]
CASE

claim 'what reports overwrites neither its input nor its report' <<'CASE'
cp valid.jsonl own.jsonl
ln -s own.jsonl link.jsonl
for command in 'check --html' 'explain -o'; do
  for file in own.jsonl link.jsonl ./own.jsonl; do
    run $command $file own.jsonl
    expect_status 2
    expect_one_error "porpentine: $file: is the input, and would be overwritten"
    cmp valid.jsonl own.jsonl
  done
  run $command - own.jsonl
  expect_status 2
  expect_one_error 'porpentine: -: the report goes to standard output'
  expect_silent_out
done
CASE

claim 'render writes a page without a verdict' <<'CASE'
run render valid.jsonl -o page.html
expect_status 0
expect_silent_out
! grep -q 'class="badge' page.html
run render valid.jsonl -o -
grep -q '<!doctype html>' out
run render valid.jsonl -o valid.jsonl
expect_status 2
CASE

# ---- stats -----------------------------------------------------------------------------------------------------------

claim 'stats counts operations, concurrency and doubt' <<'CASE'
run stats keyed.jsonl
expect_status 0
expect_out '6 (4 ok, 1 failed, 1 indeterminate)'
grep -qE '^  put +2 +1 +1$' out
grep -qE '^  get +2 +0 +0$' out
run stats --json keyed.jsonl
expect_json '(it["operations"], it["ok"], it["fail"], it["info"], it["keys"]) == (6, 4, 1, 1, 2)'
expect_json '(it["max_concurrency"], it["overlapping_pairs"]) == (2, 1)'
expect_json 'it["functions"][0] == {"f": "put", "ok": 2, "fail": 1, "info": 1}'
CASE

claim 'stats says when a pass would prove nothing' <<'CASE'
run stats sequential.jsonl
expect_out 'note: no two operations overlap'
run stats --json sequential.jsonl
expect_json '"no two operations overlap" in it["note"]'
run stats valid.jsonl
expect_no out 'note'
CASE

claim 'stats of several histories goes on after an error' <<'CASE'
run stats --json broken.jsonl valid.jsonl
expect_status 2
expect_one_error 'porpentine: broken.jsonl:3: '
expect_json 'it[0]["error"]["line"] == 3 and it[1]["operations"] == 2'
CASE

# ---- convert ---------------------------------------------------------------------------------------------------------

claim 'a converted history has the same verdict and converts to itself' <<'CASE'
for history in valid.jsonl invalid.jsonl keyed.jsonl; do
  run check $history
  before=$status
  run convert $history -o converted.jsonl
  expect_status 0
  expect_silent_out
  expect_silent_err
  run check converted.jsonl
  expect_status $before
  run convert converted.jsonl -o again.jsonl
  cmp converted.jsonl again.jsonl
done
CASE

claim 'convert reads other formats and writes to standard output' <<'CASE'
run convert --format edn --independent keyed.edn -o -
expect_status 0
mv out converted.jsonl
run check --model register --json converted.jsonl
expect_json 'it["operations"] == 2 and it["partitions"]["total"] == 2'
CASE

claim 'convert compresses what it writes to a name that ends in .gz or .zst' <<'CASE'
for ((i = 0; i < 10000; ++i)); do
  echo '{"process": 0, "f": "write", "input": '$RANDOM', "call": '$i', "return": '$i'}'
done >long.jsonl
for history in valid.jsonl empty.jsonl long.jsonl; do
  run convert $history -o plain
  for name in it.gz it.zst; do
    run convert $history -o $name
    expect_status 0
    expect_silent_out
    run convert $name -o again
    cmp plain again
  done
  gzip -dc it.gz | cmp - plain
  [ "$(head -c 4 it.zst | od -An -tx1)" = ' 28 b5 2f fd' ]
  ! command -v zstd >/dev/null || zstd -dc it.zst | cmp - plain
done
[ "$(stat -c %s it.gz)" -lt "$(($(stat -c %s plain) / 3))" ]
[ "$(stat -c %s it.zst)" -lt "$(($(stat -c %s plain) / 3))" ]
status=0
(ulimit -f 2 && exec "$porpentine" convert long.jsonl -o small.gz 2>err) || status=$?
: >out
expect_status 2
expect_one_error 'porpentine: small.gz: '
[ "$(echo small*)" = 'small*' ]
CASE

claim 'convert refuses to overwrite its input, under any name' <<'CASE'
cp valid.jsonl before
ln valid.jsonl hard-link
ln -s valid.jsonl symbolic-link
for name in valid.jsonl ./valid.jsonl hard-link symbolic-link; do
  run convert valid.jsonl -o $name
  expect_status 2
  expect_one_error "porpentine: $name: "
done
status=0
"$porpentine" convert - -o valid.jsonl <valid.jsonl >out 2>err || status=$?
expect_status 2
cmp before valid.jsonl
CASE

claim 'convert that fails leaves what was there and nothing else' <<'CASE'
echo precious >target
ls >../before
run convert broken.jsonl -o target
expect_status 2
expect_one_error 'porpentine: broken.jsonl:3: '
run convert missing.jsonl -o target
expect_status 2
rm out err
[ "$(cat target)" = precious ]
ls >../after
cmp ../before ../after
CASE

claim 'convert replaces what a symbolic link points to and keeps its permissions' <<'CASE'
echo old >target
chmod 640 target
ln -s target link
run convert valid.jsonl -o link
expect_status 0
[ -L link ]
[ "$(stat -c %a target)" = 640 ]
run check target
expect_status 0
CASE

claim 'convert to a directory, or into one that is missing, is an error' <<'CASE'
mkdir directory
run convert valid.jsonl -o directory
expect_status 2
expect_one_error 'porpentine: directory: '
run convert valid.jsonl -o nowhere/file
expect_status 2
expect_one_error 'porpentine: nowhere/file: '
CASE

# ---- models ----------------------------------------------------------------------------------------------------------

claim 'models names every model with its words, options and an example' <<'CASE'
run models
expect_status 0
for model in register cas-register kv multi-register log mutex; do
  grep -qxF "$model" out || complain "$model should be a model"
done
expect_out 'acquire'
expect_out 'nil-read=any'
CASE

claim 'models can tell about one' <<'CASE'
run models log
expect_status 0
[ "$(head -n 1 out)" = log ]
expect_out 'append-batch'
expect_no out 'acquire'
run models frobnicate
expect_status 2
expect_one_error "porpentine: 'frobnicate' is not a model"
CASE

claim 'every example of a model is a history that the model takes' <<'CASE'
"$porpentine" models | grep -E '^[a-z0-9-]+$' >names
[ -s names ]
while read -r name; do
  "$porpentine" models "$name" | sed -n 's/^  example: //p' >example
  [ -s example ]
  head -n 1 "$data/models/$name-valid.jsonl" | cat - example >example.jsonl
  run check example.jsonl
  [ "$status" -le 1 ] || complain "the example of $name should be checked"
done <names
CASE

claim 'models shows one of them as events, too, which is the same history' <<'CASE'
"$porpentine" models | grep -E '^[a-z0-9-]+$' >names
[ -s names ]
while read -r name; do
  "$porpentine" models "$name" >described
  sed -n 's/^  example: //p' described >example.jsonl
  sed -n '/^  as events: /,$ { s/^  as events: //; s/^             //; p }' described >events.jsonl
  [ "$(wc -l <events.jsonl)" -eq 2 ]
  "$porpentine" convert example.jsonl -o as-operation
  "$porpentine" convert events.jsonl -o as-events
  cmp as-operation as-events || complain "the two examples of $name should be one history"
done <names
CASE

claim 'every model tells a history that is valid from one that is wrong in one place' <<'CASE'
[ -d "$data/models" ]
for history in "$data"/models/*-valid.jsonl; do
  run check --verify "$history"
  expect_status 0
  expect_out '(verified)'
  expect_no out 'note:'
done
for history in "$data"/models/*-invalid.jsonl; do
  run check --verify "$history"
  expect_status 1
done
"$porpentine" models | grep -E '^[a-z0-9-]+$' >names
[ -s names ]
while read -r name; do
  for history in "$data/models/$name-valid.jsonl" "$data/models/$name-invalid.jsonl"; do
    [ -s "$history" ] || complain "there should be $history"
    run check --json "$history"
    expect_json "it['model'].split(':')[0] == '$name'"
  done
done <names
CASE

# ---- causal traces ---------------------------------------------------------------------------------------------------

claim 'a causal trace is judged by its lines, whatever its header says' <<'CASE'
run check "$histories/early-delivery.jsonl"
expect_status 1
expect_out 'line 8: shipping delivered payments-0@0 (sent at line 7) before what causally precedes it: orders-0@0 (lines 5, 6, 7)'
tail -n +2 "$histories/early-delivery.jsonl" >trace.jsonl
run check --json trace.jsonl
expect_status 1
expect_json "it['valid'] is False and it['model'] == 'causal-delivery' and it['events'] == 10 and it['deliveries'] == 3"
expect_json "[(f['kind'], f['line'], f['actor'], f['ch'], f['offset']) for f in it['failures']] == [('causal', 7, 'shipping', 'payments-0', 0)]"
expect_json "it['failures'][0]['first'] is True"
expect_json "it['failures'][0]['missing'] == [{'ch': 'orders-0', 'offset': 0, 'because': [4, 5, 6]}]"
run check --model causal-delivery - <trace.jsonl
expect_status 1
gzip -k trace.jsonl
run check trace.jsonl.gz
expect_status 1
CASE

claim 'the core of a trace is a trace with the same violation, and nothing in it can be left out' <<'CASE'
run explain "$histories/early-delivery.jsonl" -o core.jsonl
expect_status 1
[ "$(wc -l <core.jsonl)" = 6 ]
run check core.jsonl
expect_status 1
expect_out 'shipping delivered payments-0@0'
for line in 2 3 4 5 6; do
  sed "${line}d" core.jsonl >fewer.jsonl
  run check fewer.jsonl
  ! grep -q 'causally precedes' out
done
CASE

claim 'stats counts the events of a trace' <<'CASE'
run stats "$histories/early-delivery.jsonl"
expect_status 0
grep -qE '^  events +10 of a causal trace$' out
grep -qE '^    deliver +3$' out
run stats --json "$histories/early-delivery.jsonl"
expect_json 'it["events"] == 10 and it["actors"] == 3 and it["channels"] == 2 and it["types"]["send"] == 2'
CASE

claim 'a trace is not judged for another model' <<'CASE'
run check --model register "$histories/early-delivery.jsonl"
expect_status 2
expect_one_error "porpentine: $histories/early-delivery.jsonl: these are the events of a causal trace"
sed 's/causal-delivery/kv/' "$histories/early-delivery.jsonl" >kv.jsonl
run check kv.jsonl
expect_status 2
expect_one_error 'porpentine: kv.jsonl:1: these are the events of a causal trace'
CASE

claim 'a trace without an event is a trace' <<'CASE'
echo '{"porpentine": 1, "model": "causal-delivery"}' >empty.jsonl
run check --json empty.jsonl
expect_status 0
expect_json 'it["events"] == 0 and "note" in it and "operations" not in it'
CASE

claim 'a trace that is wrong from its beginning on keeps its memory limit' <<'CASE'
awk 'BEGIN {
  for (c = 1; c <= 2; ++c) printf "{\"type\":\"subscribe\",\"actor\":\"v\",\"ch\":\"%s\",\"position\":0}\n", c
  for (i = 0; i < 1000; ++i) printf "{\"type\":\"send\",\"actor\":\"s\",\"ch\":\"1\",\"offset\":%d}\n", i
  for (i = 0; i < 4000; ++i) {
    printf "{\"type\":\"send\",\"actor\":\"s\",\"ch\":\"2\",\"offset\":%d}\n", i
    printf "{\"type\":\"deliver\",\"actor\":\"v\",\"ch\":\"2\",\"offset\":%d}\n", i
  }
}' >wrong.jsonl
run check wrong.jsonl
expect_status 1
expect_out 'and 997 more'
expect_out '  ... and 3990 more violations'
run check --json --memory-limit 100MiB wrong.jsonl
expect_status 1
expect_json 'it["reason"] == "memory-limit" and it["failures"][0]["missing"][999]["offset"] == 999'
CASE

claim 'explain shows the chain of events that makes one record the cause of another' <<'CASE'
run explain "$histories/early-delivery.jsonl"
expect_status 1
expect_out 'orders-0@0 precedes payments-0@0, and shipping had not delivered it:'
expect_out '    line 5  shop sends orders-0@0'
expect_out '    line 6  billing delivers orders-0@0'
expect_out '    line 7  billing sends payments-0@0'
expect_out '    line 8  shipping delivers payments-0@0'
CASE

claim 'every violation of a trace is told, the first one marked, and a long list is cut' <<'CASE'
for offset in 1 2 3 4 5 6 7 8 9 10 11 12; do
  printf '{"type": "deliver", "actor": "a", "ch": "c", "offset": %s}\n' "$offset"
done >phantoms.jsonl
run check phantoms.jsonl
expect_status 1
expect_out '  line 1 (the first): a delivered c@1, where nothing had been sent'
expect_out '  line 10: a delivered c@10, where nothing had been sent'
expect_out '  ... and 2 more violations'
run check --json phantoms.jsonl
expect_json "len(it['failures']) == 12 and [f.get('first') for f in it['failures']] == [True] + 11 * [None]"
CASE

claim 'a causal trace that proves little says so' <<'CASE'
printf '%s\n' '{"type": "subscribe", "actor": "a", "ch": "c", "position": 0}' >quiet.jsonl
run check quiet.jsonl
expect_status 0
expect_out 'note: nothing was delivered'
printf '%s\n' '{"type": "send", "actor": "a", "ch": "c", "offset": 0}' '{"type": "deliver", "actor": "b", "ch": "c", "offset": 0}' >undrained.jsonl
run check undrained.jsonl
expect_status 0
expect_out 'note: the trace has no drain'
CASE

claim 'what is no event, or can not have happened, is an error with the line of the trace' <<'CASE'
refused() {
  printf '%s\n' '{"type": "begin", "actor": "a"}' '{"type": "send", "actor": "a", "ch": "c", "offset": 0}' "$1" >bad.jsonl
  run check bad.jsonl
  expect_status 2
  expect_one_error "porpentine: bad.jsonl:3: $2"
}
refused '{"type": "send", "actor": "a", "ch": "c", "off' 'not a JSON object'
refused '{"type": "send", "actor": "b", "ch": "c", "offset": 0}' 'send: c@0 holds a record already (line 2)'
refused '{"type": "commit", "actor": "b"}' 'commit: b has not begun a step'
refused '{"type": "deliver", "actor": "b", "ch": "c"}' 'missing field "offset"'
printf '%s\n' '{"type": "crash", "actor": "a", "lose": "all"}' '{"type": "deliver", "actor": "a", "ch": "c", "offset": 0}' >down.jsonl
run check down.jsonl
expect_status 2
expect_one_error 'porpentine: down.jsonl:2: deliver: a is down since it crashed (line 1)'
CASE

claim 'limits end the judging of a trace in unknown' <<'CASE'
python3 - >long.jsonl <<'PYTHON'
for k in range(300000):
    print('{"type": "send", "actor": "a", "ch": "c", "offset": %d}' % k)
PYTHON
run check --time-limit 1ms long.jsonl
expect_status 3
expect_out 'unknown (time-limit)'
run check --memory-limit 16MiB long.jsonl
expect_status 3
expect_out 'unknown (memory-limit)'
CASE

# ---- output that can't be written ------------------------------------------------------------------------------------

claim 'a full disk is an error' <<'CASE'
for arguments in 'check valid.jsonl' 'check --json invalid.jsonl' 'stats valid.jsonl' models --help --version \
  'convert valid.jsonl -o -'; do
  status=0
  "$porpentine" $arguments >/dev/full 2>err || status=$?
  : >out
  expect_status 2
  expect_one_error 'porpentine: standard output: '
done
run convert valid.jsonl -o /dev/full
expect_status 2
expect_one_error 'porpentine: /dev/full: '
CASE

claim 'a file that may not grow any more is an error, and nothing of it is left' <<'CASE'
for ((i = 0; i < 1000; ++i)); do
  echo '{"process": 0, "f": "write", "input": 1, "call": '$i', "return": '$i'}'
done >long.jsonl
status=0
(ulimit -f 2 && exec "$porpentine" convert long.jsonl -o target 2>err) || status=$?
: >out
expect_status 2
expect_one_error 'porpentine: target: '
[ "$(echo target*)" = 'target*' ]
CASE

claim 'a pipe that was closed is an error' <<'CASE'
{
  sleep 0.2
  result=0
  "$porpentine" models 2>err || result=$?
  echo $result >result
} | true
: >out
status=$(cat result)
expect_status 2
expect_one_error 'porpentine: standard output: '
CASE

claim 'standard output that is closed is an error, and nothing else is written to in its place' <<'CASE'
: >out
status=0
"$porpentine" check valid.jsonl >&- 2>err || status=$?
expect_status 2
cp valid.jsonl before
status=0
"$porpentine" check missing.jsonl valid.jsonl >out 2>&- || status=$?
: >err
expect_status 2
expect_out 'valid.jsonl: valid'
cmp before valid.jsonl
CASE

claim 'there is no progress line where standard error is no terminal' <<'CASE'
make_hard_history >hard.jsonl
run check --time-limit 1s hard.jsonl
expect_status 3
expect_silent_err
CASE

claim 'a progress line shows on a terminal, is erased, and --quiet leaves it out' <<'CASE'
if command -v script >/dev/null; then
  make_hard_history >hard.jsonl
  : >out
  : >err
  status=0
  on_terminal() { TERM=xterm script -qec "'$porpentine' check $* hard.jsonl >verdict" terminal >/dev/null </dev/null; }
  on_terminal --time-limit 1200ms || status=$?
  expect_status 3
  grep -qF 'hard.jsonl: checking, ' terminal || complain "there should be a progress line"
  grep -qF $'\r\x1b[K' terminal || complain "it should be erased"
  on_terminal --quiet --time-limit 1200ms || true
  ! grep -qF 'checking' terminal || complain "there should be no progress line"
fi
CASE

exit $failed
