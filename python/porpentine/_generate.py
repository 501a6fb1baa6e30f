"""Histories of simulated clients."""

from __future__ import annotations

from typing import Optional

from . import _core
from ._history import History
from ._progress import showing


def generate(
    model: str,
    *,
    operations: int = 1000,
    clients: int = 16,
    keys: int = 1,
    read_share: float = 0.5,
    cas_share: float = 0.0,
    indeterminate: float = 0.0,
    values: int = 0,
    rounds: bool = False,
    fault: str = "none",
    fault_at: float = 0.99,
    seed: int = 1,
    progress: Optional[bool] = None,
) -> History:
    """A history that is linearizable by construction, or has one certain fault. Equal arguments give equal histories.

    Args:
        model: "register", "kv", "log", "multi-register", "queue", "stack", "bag", "priority-queue", "set", "counter",
            "bank" or "s2".
        operations: How many.
        clients: Each has one operation at a time.
        keys: With one, the operations name none.
        read_share: Of the operations, those that read, or take.
        cas_share: Of the writes, those that are a compare-and-set (register and kv).
        indeterminate: Of the writes, and of the takes, those whose outcome nobody knows.
        values: How many different ones are written; 0: each is written once.
        rounds: All clients call, then all return, and again.
        fault: "none", "stale-read", "wrong-record", "lost", "duplicate", "reordered" or "wrong-sum".
        fault_at: The first suitable operation after this share of all has it.
        seed: Of the random numbers.
        progress: Whether to show a bar; None: on a terminal, where tqdm is there.

    Raises:
        ValueError: Where the model does not exist or has no such fault.
    """
    with showing(progress, "generating", "op") as bar:
        return History(
            _core.generate(
                model,
                operations=operations,
                clients=clients,
                keys=keys,
                read_share=read_share,
                cas_share=cas_share,
                indeterminate=indeterminate,
                values=values,
                rounds=rounds,
                fault=fault,
                fault_at=fault_at,
                seed=seed,
                progress=bar,
            )
        )
