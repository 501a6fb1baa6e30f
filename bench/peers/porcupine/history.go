package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strings"
)

// recordedOperation is one operation of a file. Values are compact JSON text, nil for none.
type recordedOperation struct {
	process       string
	f             string
	key           string
	input         string
	output        string
	call          int64
	ret           int64
	indeterminate bool
}

const null = "null"

// readHistory gives the operations that may have taken effect: failed ones are left out. Indeterminate ones
// return when the history is over, which is how Porcupine is told of them.
func readHistory(path, format string) ([]recordedOperation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := bufio.NewReaderSize(file, 1<<20)
	if magic, _ := reader.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(reader)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		reader = bufio.NewReaderSize(unzipped, 1<<20)
	}
	if format == "auto" {
		format = formatOf(reader)
	}
	var operations []recordedOperation
	switch format {
	case "jsonl":
		operations, err = readJSONLines(reader)
	case "jepsen-log":
		operations, err = readEvents(reader, parseJepsenLine)
	case "kv-log":
		operations, err = readEvents(reader, parseKvLine)
	default:
		err = fmt.Errorf("no format %q", format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	extendIndeterminate(operations)
	return operations, nil
}

func formatOf(reader *bufio.Reader) string {
	start, _ := reader.Peek(2)
	switch string(start) {
	case `{"`:
		return "jsonl"
	case `{:`:
		return "kv-log"
	}
	return "jepsen-log"
}

func extendIndeterminate(operations []recordedOperation) {
	last := int64(math.MinInt64)
	for _, operation := range operations {
		last = max(last, operation.call)
		if !operation.indeterminate {
			last = max(last, operation.ret)
		}
	}
	for i := range operations {
		if operations[i].indeterminate {
			operations[i].ret = last + 1
		}
	}
}

func forEachLine(reader *bufio.Reader, visit func(line []byte) error) error {
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			if err := visit(trimmed); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readJSONLines(reader *bufio.Reader) ([]recordedOperation, error) {
	var operations []recordedOperation
	err := forEachLine(reader, func(line []byte) error {
		var fields struct {
			Header  json.RawMessage `json:"porpentine"`
			Process json.RawMessage `json:"process"`
			Type    string          `json:"type"`
			F       string          `json:"f"`
			Key     json.RawMessage `json:"key"`
			Input   json.RawMessage `json:"input"`
			Output  json.RawMessage `json:"output"`
			Call    *int64          `json:"call"`
			Return  *int64          `json:"return"`
		}
		if err := json.Unmarshal(line, &fields); err != nil {
			return err
		}
		if fields.Header != nil || fields.Type == "note" || fields.Type == "fail" {
			return nil
		}
		if fields.Call == nil {
			return errors.New("no call: only the operation form is read")
		}
		operation := recordedOperation{
			process: string(fields.Process), f: fields.F, key: compact(fields.Key), input: compact(fields.Input),
			output: compact(fields.Output), call: *fields.Call, indeterminate: fields.Type == "info" || fields.Return == nil,
		}
		if fields.Return != nil {
			operation.ret = *fields.Return
		}
		operations = append(operations, operation)
		return nil
	})
	return operations, err
}

func compact(value json.RawMessage) string {
	if value == nil {
		return null
	}
	var text bytes.Buffer
	if json.Compact(&text, value) != nil {
		return string(value)
	}
	return text.String()
}

// event is one line of a log whose line order is the time.
type event struct {
	process string
	kind    string // invoke, ok, fail or info
	f       string
	key     string
	value   string
}

// readEvents pairs calls with returns. A completion that says "nobody knows" leaves its operation open.
func readEvents(reader *bufio.Reader, parse func(line string) (event, bool)) ([]recordedOperation, error) {
	var operations []recordedOperation
	running := map[string]int{}
	time := int64(0)
	err := forEachLine(reader, func(line []byte) error {
		e, ok := parse(string(line))
		if !ok {
			return nil
		}
		time++
		if e.kind == "invoke" {
			running[e.process] = len(operations)
			operations = append(operations, recordedOperation{process: e.process, f: e.f, key: e.key, input: e.value,
				output: null, call: time, indeterminate: true})
			return nil
		}
		index, isRunning := running[e.process]
		if !isRunning {
			return fmt.Errorf("a completion without an invocation")
		}
		delete(running, e.process)
		if output, known := observed(e); known {
			operation := &operations[index]
			operation.output, operation.ret, operation.indeterminate = output, time, false
		}
		return nil
	})
	return operations, err
}

// observed is the output that a completion shows. In the etcd logs a cas that failed was seen to mismatch, while a
// read that failed timed out.
func observed(e event) (string, bool) {
	switch {
	case e.kind == "fail" && e.f == "cas":
		return "false", true
	case e.kind != "ok":
		return "", false
	case e.f == "cas":
		return "true", true
	case e.f == "write":
		return null, true
	}
	return e.value, true
}

var (
	jepsenLine = regexp.MustCompile(`^INFO\s+jepsen\.util\s+-\s+(\d+)\s+:(invoke|ok|fail|info)\s+:(read|write|cas)\s+(.*)$`)
	kvLine     = regexp.MustCompile(`^{:process (\d+), :type :(invoke|ok), :f :(get|put|append), :key "(.*)", :value (nil|".*")}$`)
)

func parseJepsenLine(line string) (event, bool) {
	fields := jepsenLine.FindStringSubmatch(line)
	if fields == nil {
		return event{}, false
	}
	value := strings.ReplaceAll(fields[4], "nil", null)
	if fields[3] == "cas" {
		value = strings.ReplaceAll(value, " ", ",")
	}
	return event{process: fields[1], kind: fields[2], f: fields[3], key: null, value: value}, true
}

func parseKvLine(line string) (event, bool) {
	fields := kvLine.FindStringSubmatch(line)
	if fields == nil {
		return event{}, false
	}
	value := strings.ReplaceAll(fields[5], "nil", null)
	return event{process: fields[1], kind: fields[2], f: fields[3], key: fields[4], value: value}, true
}
