"""The built-in models: each is a function that gives its name with options, as `porpentine.check` takes it.

    porpentine.check(history, model=porpentine.models.register(initial=0))

is the same as ``model="register:initial=0"``. `porpentine.models.all` tells about all of them.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional

from . import _core
from ._values import Json

__all__ = [
    "all",
    "bag",
    "bank",
    "cas_register",
    "causal_delivery",
    "counter",
    "kv",
    "log",
    "multi_register",
    "mutex",
    "priority_queue",
    "queue",
    "register",
    "s2",
    "semaphore",
    "set",
    "stack",
]


def all() -> List[Dict[str, Any]]:
    """Name, summary, vocabulary, options (name, value, description) and an example of each, as `porpentine models`."""
    return _core.models()


def _named(name: str, *switches: str, **options: Optional[Json]) -> str:
    """The name with the options that are given."""
    said = [f"{option.replace('_', '-')}={_text(value)}" for option, value in options.items() if value is not None]
    return ":".join([name, *switches, *said])


def _text(value: Json) -> str:
    return value if value == "any" else json.dumps(value)


def register(initial: Json = None, nil_read: Optional[str] = None) -> str:
    """read -> v or null; write (v); cas ([old, new]) -> true, false, or absent = true.

    Args:
        initial: The value at first.
        nil_read: "any": a read that returned null says nothing.
    """
    return _named("register", initial=initial, nil_read=nil_read)


def cas_register(initial: Json = None, nil_read: Optional[str] = "any") -> str:
    """Knossos's: a register of which a read that returned null says nothing.

    Args:
        initial: The value at first.
        nil_read: "any", as ever.
    """
    return _named("cas-register", initial=initial, nil_read=nil_read)


def causal_delivery() -> str:
    """Of traces, and of events that are known as intervals: records are delivered after what causally precedes them."""
    return "causal-delivery"


def kv(*, split: bool = True) -> str:
    """By key: get -> v or null; put (v); append (text); delete; cas ([old, new]) -> bool.

    Args:
        split: Judge each key alone: faster, with the same verdict.
    """
    return "kv" if split else "kv:split=false"


def multi_register(initial: Json = None, nil_read: Optional[str] = None) -> str:
    """txn ([["r", k, null], ["w", k, v], ...]) -> the same with the reads filled in, all at once.

    Args:
        initial: The value of every register at first.
        nil_read: "any": a read that returned null says nothing.
    """
    return _named("multi-register", initial=initial, nil_read=nil_read)


def log() -> str:
    """A FIFO log by key: append (v) -> offset; append-batch; read (offset) -> v or null; tail; scan (offset)."""
    return "log"


def queue() -> str:
    """enqueue (v); dequeue -> v, or null = empty."""
    return "queue"


def bag() -> str:
    """A queue without an order: enqueue (v); dequeue -> v, or null = empty."""
    return "bag"


def stack() -> str:
    """push (v); pop -> v, or null = empty."""
    return "stack"


def priority_queue() -> str:
    """insert (v: a number); pop-min -> v, or null = empty."""
    return "priority-queue"


def set() -> str:
    """add (v) -> true = was new, false, or absent; remove (v); contains (v) -> bool; read -> [v, ...]."""
    return "set"


def counter() -> str:
    """add (n); read -> n."""
    return "counter"


def mutex(*, owned: bool = False, reentrant: bool = False, fenced: bool = False) -> str:
    """acquire; release.

    Args:
        owned: Only the holder may release it.
        reentrant: The holder may acquire it again, and releases it as often; implies owned.
        fenced: acquire returns a token, and tokens rise strictly.
    """
    switches = {"owned": owned, "reentrant": reentrant, "fenced": fenced}
    return _named("mutex", *(name for name, wanted in switches.items() if wanted))


def semaphore(permits: int = 1) -> str:
    """acquire (n); release (n).

    Args:
        permits: How many there are.
    """
    return _named("semaphore", permits=permits)


def bank(accounts: Mapping[str, int]) -> str:
    """transfer ({"from", "to", "amount"}) -> true or false; read -> {account: balance}.

    Args:
        accounts: The balances at first.
    """
    return _named("bank", accounts=dict(accounts))


def s2() -> str:
    """A stream of s2's: append, read, check-tail, as its verification records them."""
    return "s2"
