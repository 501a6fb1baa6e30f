"""A small picture of a few operations, which needs no script."""

from __future__ import annotations

from html import escape
from typing import Dict, List, Sequence

from ._history import History

WIDTH = 720
MARGIN = 90
ROW = 30
MOST = 40


def svg(history: History, operations: Sequence[int], marked: int) -> str:
    """The operations as bars, a row a process, the one at index `marked` in red. At most forty are shown."""
    shown = sorted(operations, key=lambda i: history[i].call)[:MOST]
    if not shown:
        return ""
    rows: Dict[object, int] = {}
    first = min(history[i].call for i in shown)
    last = max(history[i].ret or history[i].call for i in shown)
    scale = (WIDTH - MARGIN - 10) / max(last - first, 1)
    parts: List[str] = []
    for i in shown:
        operation = history[i]
        row = rows.setdefault(operation.process, len(rows))
        left = MARGIN + (operation.call - first) * scale
        right = WIDTH - 10 if operation.ret is None else MARGIN + (operation.ret - first) * scale
        colour = "#c0392b" if i == marked else "#2c6fbb"
        dashes = ' stroke-dasharray="4 3"' if operation.indeterminate else ""
        top = 6 + row * ROW
        text = escape(history._core.describe_call(i))
        parts.append(
            f'<g><title>{escape(history.describe(i))}</title><rect x="{left:.1f}" y="{top}" '
            f'width="{max(right - left, 3):.1f}" height="20" rx="3" fill="{colour}" fill-opacity="0.25" '
            f'stroke="{colour}"{dashes}/><text x="{left + 3:.1f}" y="{top + 14}" font-size="11">{text}</text></g>'
        )
    for process, row in rows.items():
        parts.append(f'<text x="2" y="{20 + row * ROW}" font-size="11">process {escape(str(process))}</text>')
    height = 10 + len(rows) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" fill="currentColor" role="img">{"".join(parts)}</svg>'
    )
