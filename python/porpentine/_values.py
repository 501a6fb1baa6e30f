"""JSON values: None, bool, int, float, str, and lists and dicts of these."""

from __future__ import annotations

from typing import Any

Json = Any  # mypy can't say it without a recursion that every user would have to unfold


def same(a: Json, b: Json) -> bool:
    """Whether two values are equal as JSON: 1 is 1.0, True is not 1, a tuple is a list."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    return bool(a == b)
