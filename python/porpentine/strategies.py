"""Strategies for Hypothesis: histories of simulated clients, valid or with a fault that is certain.

    @hypothesis.given(porpentine.strategies.histories("log", fault="any"))
    def test_my_own_checker_finds_it(history):
        assert not my_own_checker(history)

Takes hypothesis.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Union

from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from ._generate import generate
from ._history import History

FAULTS: Dict[str, Tuple[str, ...]] = {
    "register": ("stale-read",),
    "kv": ("stale-read",),
    "log": ("stale-read", "wrong-record", "lost"),
    "multi-register": ("stale-read",),
    "queue": ("stale-read", "duplicate", "reordered"),
    "stack": ("stale-read", "duplicate", "reordered"),
    "bag": ("stale-read", "duplicate"),
    "priority-queue": ("stale-read", "duplicate", "reordered"),
    "set": ("stale-read",),
    "counter": ("stale-read",),
    "bank": ("wrong-sum",),
    "s2": ("stale-read", "wrong-record"),
}
"""The models whose histories can be drawn, and the faults that each can have."""

# Of a short history few seeds have an operation that can be made wrong. Trying several lets it shrink, whatever the seed.
SEEDS = 50

Range = Union[int, Tuple[int, int]]


def histories(
    model: str,
    *,
    operations: Range = (1, 100),
    clients: Range = (1, 8),
    keys: Range = 1,
    fault: Optional[str] = None,
    **options: Any,
) -> "st.SearchStrategy[History]":
    """Histories that `porpentine.generate` gives. They shrink towards few operations of few clients on few keys.

    Args:
        model: A name from `FAULTS`.
        operations: How many, or the fewest and the most.
        clients: Likewise; each has one operation at a time.
        keys: Likewise; with one, the operations name none.
        fault: None: the histories are linearizable. A name from `FAULTS`: each has this one fault and is not
            linearizable. "any": each has one of the faults that the model can have. A fault needs room: where so few
            operations are allowed that hardly any history has it, Hypothesis says that it is `Unsatisfiable`.
        options: Others of `generate`: read_share, cas_share, indeterminate, values, rounds, fault_at.

    Raises:
        ValueError: Where the model does not exist or has no such fault, or where a range is empty.
    """
    if model not in FAULTS:
        raise ValueError(f"no histories of {model!r} can be drawn, but of {', '.join(FAULTS)}")
    if fault not in (None, "any", *FAULTS[model]):
        raise ValueError(f"the model {model} has no fault {fault!r}, but {', '.join(FAULTS[model])}")
    if model == "set":
        options = {"values": 3, **options}  # of a hundred elements hardly one comes twice in a short history
    if fault is None:
        faults = st.just("none")
    else:
        faults = st.sampled_from(FAULTS[model] if fault == "any" else (fault,))
        options = {"fault_at": 0.0, **options}  # early, so that there is room for it and it can shrink
    return st.builds(
        _generated,
        st.just(model),
        _integers("operations", operations),
        _integers("clients", clients),
        _integers("keys", keys),
        faults,
        st.integers(0, 2**32 - 1),
        st.just(options),
    )


def _integers(name: str, range: Range) -> "st.SearchStrategy[int]":
    least, most = (range, range) if isinstance(range, int) else range
    if not 1 <= least <= most:
        raise ValueError(f"{name}: {range!r} is neither a number above zero nor the least and the most")
    return st.integers(least, most)


def _generated(
    model: str, operations: int, clients: int, keys: int, fault: str, seed: int, options: Dict[str, Any]
) -> History:
    for attempt in range(SEEDS):
        try:
            return generate(
                model,
                operations=operations,
                clients=clients,
                keys=keys,
                fault=fault,
                seed=seed + attempt,
                progress=False,
                **options,
            )
        except ValueError as error:
            if "could be made certain to be wrong" not in str(error):
                raise
    raise UnsatisfiedAssumption
