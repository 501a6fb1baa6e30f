"""Models in Python, for tests."""

from typing import Any

import porpentine
from porpentine import ModelOperation


class Register:
    """A register with compare-and-set, which is null at first."""

    initial = None

    def __init__(self, nil_reads_say_nothing: bool = False) -> None:
        self.nil_reads_say_nothing = nil_reads_say_nothing
        self.calls = 0
        self.seen = set()

    def read_only(self, operation: ModelOperation) -> bool:
        return operation.f == "read"

    def step(self, state: Any, operation: ModelOperation) -> Any:
        self.calls += 1
        question = (state, repr(operation))
        assert question not in self.seen, f"asked twice: {question}"
        self.seen.add(question)
        if operation.f == "write":
            return operation.input
        if operation.f == "read":
            if operation.output is None and self.nil_reads_say_nothing:
                return state
            return state if operation.returns(state) else porpentine.refuse(f"the register holds {state!r}")
        old, new = operation.input
        if operation.indeterminate:
            return new if state == old else state
        if operation.output is False:
            return porpentine.refuse(f"the register holds {state!r}") if state == old else state
        return new if state == old else porpentine.refuse(f"the register holds {state!r}")


class Log:
    """A FIFO log by key: append, read and tail."""

    initial = ()

    def read_only(self, operation: ModelOperation) -> bool:
        return operation.f != "append"

    def step(self, state: Any, operation: ModelOperation) -> Any:
        if operation.f == "append":
            if operation.returns(len(state)):
                return (*state, operation.input)
        elif operation.f == "read":
            if operation.returns(state[operation.input] if operation.input < len(state) else None):
                return state
        elif operation.returns(len(state)):
            return state
        return porpentine.refuse(f"the log has {len(state)} records")


class Queue:
    """A queue."""

    initial = ()

    def step(self, state: Any, operation: ModelOperation) -> Any:
        if operation.f == "enqueue":
            return (*state, operation.input)
        if operation.returns(state[0] if state else None):
            return state[1:]
        return porpentine.refuse(f"the queue holds {list(state)}")
