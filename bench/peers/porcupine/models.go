package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// The models are written as Porcupine's own tests write theirs, with a Hash wherever the state is no single word.
// An operation whose outcome nobody knows is accepted in every state and applied where it can be, and one
// that only reads is left out, since it says nothing.

type input struct {
	f        string
	key      string
	value    string
	expected string // of a cas
	id       int32  // of value, among the distinct values of the history
	old      int32  // of expected
	offset   int    // of a log's read
}

type output struct {
	unknown bool
	success bool // of a cas
	value   string
	id      int32
	offset  int // of a log's append, or its length
}

// nilID is the id of null: a register that was never written, a log's read or a take that found nothing.
const nilID = 0

type values map[string]int32

func (v values) id(text string) int32 {
	id, known := v[text]
	if !known {
		id = int32(len(v))
		v[text] = id
	}
	return id
}

// build gives the model and the operations that Porcupine checks.
func build(name string, recorded []recordedOperation) (porcupine.Model, []porcupine.Operation, error) {
	type kind struct {
		model     func(history []porcupine.Operation) porcupine.Model
		functions string
	}
	kinds := map[string]kind{
		"register":       {fixed(registerModel), "read write cas"},
		"kv":             {fixed(kvModel), "get put append delete cas"},
		"kv:split=false": {fixed(kvUnsplitModel), "get put append delete cas"},
		"log":            {fixed(logModel), "append read tail"},
		"log:constant":   {constantLogModel, "append read tail"},
		"queue":          {fixed(queueModel), "enqueue dequeue"},
		"stack":          {fixed(stackModel), "push pop"},
	}
	chosen, known := kinds[name]
	if !known {
		return porcupine.Model{}, nil, fmt.Errorf("no model %q", name)
	}
	functions := strings.Fields(chosen.functions)
	ids := values{null: nilID}
	clients := values{}
	history := make([]porcupine.Operation, 0, len(recorded))
	for _, operation := range recorded {
		if !slices.Contains(functions, operation.f) {
			return porcupine.Model{}, nil, fmt.Errorf("model %s has no %s", name, operation.f)
		}
		if operation.indeterminate && slices.Contains([]string{"read", "get", "tail"}, operation.f) {
			continue
		}
		in, out, err := convert(ids, operation)
		if err != nil {
			return porcupine.Model{}, nil, err
		}
		history = append(history, porcupine.Operation{ClientId: int(clients.id(operation.process)), Input: in,
			Call: operation.call, Output: out, Return: operation.ret})
	}
	return chosen.model(history), history, nil
}

// fixed is a model that needs no look at the history.
func fixed(model porcupine.Model) func([]porcupine.Operation) porcupine.Model {
	return func([]porcupine.Operation) porcupine.Model { return model }
}

func convert(ids values, operation recordedOperation) (input, output, error) {
	in := input{f: operation.f, key: operation.key}
	out := output{unknown: operation.indeterminate}
	var err error
	switch operation.f {
	case "cas":
		var pair [2]json.RawMessage
		if err = json.Unmarshal([]byte(operation.input), &pair); err != nil {
			return in, out, fmt.Errorf("cas %s: %w", operation.input, err)
		}
		in.expected, in.value = text(compact(pair[0])), text(compact(pair[1]))
		in.old, in.id = ids.id(compact(pair[0])), ids.id(compact(pair[1]))
		out.success = operation.output != "false"
	case "write", "put", "enqueue", "push":
		in.value, in.id = text(operation.input), ids.id(operation.input)
	case "append":
		in.value, in.id = text(operation.input), ids.id(operation.input)
		if !operation.indeterminate {
			_ = json.Unmarshal([]byte(operation.output), &out.offset) // a kv's append answers nothing
		}
	case "tail":
		err = json.Unmarshal([]byte(operation.output), &out.offset)
	case "dequeue", "pop":
		out.id = ids.id(operation.output)
	case "read", "get":
		out.value, out.id = text(operation.output), ids.id(operation.output)
		if operation.input != null {
			err = json.Unmarshal([]byte(operation.input), &in.offset)
		}
	}
	return in, out, err
}

// text is what a kv holds: the absent value is the empty text, as in Porcupine's own model.
func text(value string) string {
	if value == null {
		return ""
	}
	var unquoted string
	if json.Unmarshal([]byte(value), &unquoted) == nil {
		return unquoted
	}
	return value
}

func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	for _, operation := range history {
		key := operation.Input.(input).key
		parts[key] = append(parts[key], operation)
	}
	split := make([][]porcupine.Operation, 0, len(parts))
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		split = append(split, parts[key])
	}
	return split
}

var registerModel = porcupine.Model{
	Partition: byKey,
	Init:      func() interface{} { return int32(nilID) },
	Step: func(state, in, out interface{}) (bool, interface{}) {
		held, operation, observed := state.(int32), in.(input), out.(output)
		switch operation.f {
		case "read":
			return held == observed.id, state
		case "write":
			return true, operation.id
		}
		if held != operation.old {
			return observed.unknown || !observed.success, state
		}
		return observed.unknown || observed.success, operation.id
	},
	Hash: func(state interface{}) uint64 { return uint64(state.(int32)) * 0x9e3779b97f4a7c15 },
}

// kvStep is one key's operation: whether it is accepted, and what the key holds then.
func kvStep(held string, operation input, observed output) (bool, string) {
	switch operation.f {
	case "get":
		return held == observed.value, held
	case "put":
		return true, operation.value
	case "append":
		return true, held + operation.value
	case "delete":
		return true, ""
	}
	if held != operation.expected {
		return observed.unknown || !observed.success, held
	}
	return observed.unknown || observed.success, operation.value
}

var kvModel = porcupine.Model{
	Partition: byKey,
	Init:      func() interface{} { return "" },
	Step: func(state, in, out interface{}) (bool, interface{}) {
		held := state.(string)
		accepted, next := kvStep(held, in.(input), out.(output))
		if next == held {
			return accepted, state
		}
		return accepted, next
	},
	Hash: func(state interface{}) uint64 {
		hash := fnv.New64a()
		hash.Write([]byte(state.(string)))
		return hash.Sum64()
	},
}

// kvUnsplitModel takes the whole map as one state.
var kvUnsplitModel = porcupine.Model{
	Init: func() interface{} { return map[string]string{} },
	Step: func(state, in, out interface{}) (bool, interface{}) {
		all, operation := state.(map[string]string), in.(input)
		held := all[operation.key]
		accepted, next := kvStep(held, operation, out.(output))
		if !accepted || next == held {
			return accepted, state
		}
		changed := maps.Clone(all)
		changed[operation.key] = next
		return true, changed
	},
	Equal: func(a, b interface{}) bool { return maps.Equal(a.(map[string]string), b.(map[string]string)) },
	Hash: func(state interface{}) uint64 {
		combined := uint64(0)
		for key, value := range state.(map[string]string) {
			hash := fnv.New64a()
			hash.Write([]byte(key))
			hash.Write([]byte(value))
			combined ^= hash.Sum64()
		}
		return combined
	},
}

// logModel takes the list of values as the state; the list's length and last value are its hash.
var logModel = porcupine.Model{
	Partition: byKey,
	Init:      func() interface{} { return []int32{} },
	Step: func(state, in, out interface{}) (bool, interface{}) {
		log, operation, observed := state.([]int32), in.(input), out.(output)
		switch operation.f {
		case "append":
			if !observed.unknown && observed.offset != len(log) {
				return false, state
			}
			longer := make([]int32, len(log)+1)
			copy(longer, log)
			longer[len(log)] = operation.id
			return true, longer
		case "tail":
			return observed.offset == len(log), state
		}
		found := int32(nilID)
		if operation.offset < len(log) {
			found = log[operation.offset]
		}
		return found == observed.id, state
	},
	Equal: func(a, b interface{}) bool { return slices.Equal(a.([]int32), b.([]int32)) },
	Hash: func(state interface{}) uint64 {
		log := state.([]int32)
		if len(log) == 0 {
			return 0
		}
		return (uint64(len(log))<<32 ^ uint64(log[len(log)-1])) * 0x9e3779b97f4a7c15
	},
}

// constantLogModel takes the length alone as the state. A log only grows, so what an offset holds is told by the
// operations that are known, whatever the order: that is gathered before the search.
func constantLogModel(history []porcupine.Operation) porcupine.Model {
	seen := recordsSeen(history)
	return porcupine.Model{
		Partition: byKey,
		Init:      func() interface{} { return 0 },
		Step: func(state, in, out interface{}) (bool, interface{}) {
			length, operation, observed := state.(int), in.(input), out.(output)
			switch operation.f {
			case "append":
				if !observed.unknown && observed.offset != length {
					return false, state
				}
				record, known := seen[position{operation.key, length}]
				return !known || record == operation.id, length + 1
			case "tail":
				return observed.offset == length, state
			}
			if observed.id == nilID {
				return operation.offset >= length, state
			}
			return operation.offset < length && seen[position{operation.key, operation.offset}] == observed.id, state
		},
		Hash: func(state interface{}) uint64 { return uint64(state.(int)) * 0x9e3779b97f4a7c15 },
	}
}

type position struct {
	key    string
	offset int
}

// recordsSeen is what the first append or read that tells of an offset says of it.
func recordsSeen(history []porcupine.Operation) map[position]int32 {
	seen := map[position]int32{}
	see := func(at position, record int32) {
		if _, known := seen[at]; !known {
			seen[at] = record
		}
	}
	for _, operation := range history {
		in, out := operation.Input.(input), operation.Output.(output)
		switch {
		case in.f == "append" && !out.unknown:
			see(position{in.key, out.offset}, in.id)
		case in.f == "read" && out.id != nilID:
			see(position{in.key, in.offset}, out.id)
		}
	}
	return seen
}

// queueModel and stackModel take the list of values as the state. A take whose result nobody knows takes what there
// is, if anything.
var queueModel = listModel("enqueue", func(list []int32) (int32, []int32) { return list[0], list[1:] })

var stackModel = listModel("push", func(list []int32) (int32, []int32) {
	return list[len(list)-1], list[:len(list)-1]
})

func listModel(put string, take func(list []int32) (int32, []int32)) porcupine.Model {
	return porcupine.Model{
		Partition: byKey,
		Init:      func() interface{} { return []int32{} },
		Step: func(state, in, out interface{}) (bool, interface{}) {
			list, operation, observed := state.([]int32), in.(input), out.(output)
			if operation.f == put {
				longer := make([]int32, len(list)+1)
				copy(longer, list)
				longer[len(list)] = operation.id
				return true, longer
			}
			if len(list) == 0 {
				return observed.unknown || observed.id == nilID, state
			}
			taken, rest := take(list)
			return observed.unknown || observed.id == taken, rest
		},
		Equal: func(a, b interface{}) bool { return slices.Equal(a.([]int32), b.([]int32)) },
		Hash: func(state interface{}) uint64 {
			hash := uint64(0)
			for _, value := range state.([]int32) {
				hash = (hash ^ uint64(value)) * 0x9e3779b97f4a7c15
			}
			return hash
		},
	}
}
