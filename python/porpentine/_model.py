"""Models of your own: what `check` takes besides the name of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Hashable, Protocol, Tuple

from ._operation import ModelOperation


@dataclass(frozen=True)
class Refusal:
    """What `refuse` gives: the operation can't happen in this state."""

    reason: str = ""


@dataclass(frozen=True)
class AnyOf:
    """What `any_of` gives: several next states are possible."""

    states: Tuple[Hashable, ...]


def refuse(reason: str = "") -> Refusal:
    """Refuses an operation, with a reason in words that follow "where": `the register holds 3`."""
    return Refusal(reason)


def any_of(*states: Hashable) -> AnyOf:
    """Accepts an operation that leads to any one of these states; to none of none."""
    return AnyOf(states)


class Model(Protocol):
    """What a model has to have; no need to inherit from it.

    `step` says what an operation may answer if operations happened one after the other: it returns the next state,
    `refuse(reason)`, or `any_of(state, ...)` where the model is nondeterministic. States are hashable, and two states are
    one where Python calls them equal. `step` must depend on its arguments alone: it is called once for each distinct
    state and operation of a check.

    A model may also have

    * ``read_only(operation) -> bool``: it never changes the state. A promise; it makes checks fast.
    * ``partition_key(operation)``: a JSON value; operations with different ones are independent of one another.
      Without it that is the operation's `key`.
    * ``describe(state) -> str``: a state in messages, instead of its repr.
    * ``tells_processes = True``: operations have `process`, and those of different processes are told apart.
    * ``name``: for reports, instead of the class's name.
    """

    @property
    def initial(self) -> Hashable:
        """The state at first; it may be a method, too."""

    def step(self, state: Any, operation: ModelOperation) -> Any:
        """The next state, a refusal, or several states."""
