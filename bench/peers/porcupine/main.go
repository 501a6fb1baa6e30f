// The peer of the benchmarks: Porcupine (https://github.com/anishathalye/porcupine) on the files that
// porpentine reads.
//
// It prints one JSON object a file, in the order of the arguments:
//
//	{"file": "h.jsonl", "verdict": "valid", "read_s": 0.01, "check_s": 0.2, "operations": 1000}
//
// check_s is the time of porcupine.CheckOperationsTimeout alone, on operations that are already built, after a
// garbage collection, so that what was left behind before is not charged to the check. With -repeat it is repeated
// until a tenth of a second is spent on it or it was done a hundred times, and check_s is the least.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/anishathalye/porcupine"
)

type report struct {
	File       string  `json:"file"`
	Verdict    string  `json:"verdict"`
	ReadS      float64 `json:"read_s"`
	CheckS     float64 `json:"check_s"`
	Operations int     `json:"operations"`
}

var verdicts = map[porcupine.CheckResult]string{
	porcupine.Ok:      "valid",
	porcupine.Illegal: "invalid",
	porcupine.Unknown: "unknown",
}

const (
	enough   = 100 * time.Millisecond
	mostRuns = 100
)

func timeCheck(model porcupine.Model, history []porcupine.Operation, timeout time.Duration, repeat bool) (
	result porcupine.CheckResult, least time.Duration) {
	for runs, spent := 0, time.Duration(0); runs == 0 || repeat && runs < mostRuns && spent < enough; runs++ {
		runtime.GC()
		start := time.Now()
		result = porcupine.CheckOperationsTimeout(model, history, timeout)
		took := time.Since(start)
		spent += took
		if runs == 0 || took < least {
			least = took
		}
	}
	return result, least
}

func run(file, format, modelName string, timeout time.Duration, repeat bool) (report, error) {
	start := time.Now()
	recorded, err := readHistory(file, format)
	if err != nil {
		return report{}, err
	}
	model, history, err := build(modelName, recorded)
	if err != nil {
		return report{}, fmt.Errorf("%s: %w", file, err)
	}
	read := time.Since(start)

	result, check := timeCheck(model, history, timeout, repeat)
	return report{file, verdicts[result], read.Seconds(), check.Seconds(), len(recorded)}, nil
}

func main() {
	format := flag.String("format", "auto", "auto, jsonl, jepsen-log or kv-log")
	model := flag.String("model", "register", "register, kv, kv:split=false, log, log:constant, queue or stack")
	timeout := flag.Duration("timeout", 30*time.Second, "time limit of each check")
	threads := flag.Int("threads", 0, "threads that run at once (GOMAXPROCS); 0: one a processor")
	repeat := flag.Bool("repeat", false, "repeat short checks, for their least time")
	flag.Parse()
	runtime.GOMAXPROCS(*threads)

	output := json.NewEncoder(os.Stdout)
	for _, file := range flag.Args() {
		result, err := run(file, *format, *model, *timeout, *repeat)
		if err == nil {
			err = output.Encode(result)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "porcupine-peer:", err)
			os.Exit(2)
		}
	}
}
