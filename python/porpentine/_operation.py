"""One operation of a history, as one reads it and as a model sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional

from ._values import Json, same


@dataclass(frozen=True)
class Operation:
    """One operation of a history.

    Attributes:
        index: Its place in the history; the index that every report uses.
        process: The client, an int or a str.
        f: The name of the function.
        key: What it concerns, where a history has keys; else None.
        input: A JSON value.
        output: A JSON value; None unless the outcome is "ok", and where an ok said nothing.
        call: When it was called, in the history's time unit.
        ret: When it returned; None where nobody knows.
        outcome: "ok", "fail" (known not to have taken effect), "info" (nobody knows) or "open" (never returned).
        line: The line of the file that it stood on, from 1; 0 where there is none.
        metadata: The fields that mean nothing to a check.
    """

    index: int
    process: Any
    f: str
    key: Json = None
    input: Json = None
    output: Json = None
    call: int = 0
    ret: Optional[int] = None
    outcome: str = "ok"
    line: int = 0
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @property
    def indeterminate(self) -> bool:
        """Whether nobody knows if it took effect."""
        return self.outcome in ("info", "open")


class ModelOperation:
    """An operation as a model sees it: what was asked and answered, but not when.

    Attributes:
        f: The name of the function.
        key: As in the history.
        input: A JSON value.
        output: A JSON value; None where the operation is indeterminate.
        indeterminate: Whether the output is unknown.
        process: The client; only for models with `tells_processes = True`.
    """

    __slots__ = ("f", "key", "input", "output", "indeterminate", "process")
    process: Any

    def __init__(self, f: str, key: Json, input: Json, output: Json, indeterminate: bool) -> None:
        self.f = f
        self.key = key
        self.input = input
        self.output = output
        self.indeterminate = indeterminate

    def returns(self, value: Any) -> bool:
        """Whether it may have returned this: its output is the same JSON value, or unknown.

        Equality is JSON's: 1 and 1.0 are one value, True is not 1, and a tuple is a list.
        """
        return self.indeterminate or same(self.output, value)

    def __getattr__(self, name: str) -> Any:
        if name == "process":
            raise AttributeError("a model sees `process` only where it says `tells_processes = True`")
        raise AttributeError(f"an operation has no {name!r}")

    def __repr__(self) -> str:
        asked = "" if self.input is None else repr(self.input)
        answered = "?" if self.indeterminate else repr(self.output)
        key = "" if self.key is None else f"{self.key!r}: "
        return f"<{key}{self.f}({asked}) -> {answered}>"
