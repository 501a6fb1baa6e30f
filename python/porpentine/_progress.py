"""A bar for long work, on a terminal alone."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

Progress = Callable[[int, int], None]
DELAY_S = 0.5


class Bar:
    """Shows `done` of `total`, from half a second after the start on."""

    def __init__(self, title: str, unit: str, make_bar: Any) -> None:
        self._title = title
        self._unit = unit
        self._make_bar = make_bar
        self._start = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._start < DELAY_S:
                return
            self._bar = self._make_bar(desc=self._title, unit=self._unit, unit_scale=True, leave=False, file=sys.stderr)
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()


@contextmanager
def showing(progress: Optional[bool], title: str, unit: str) -> Iterator[Optional[Progress]]:
    """A bar: where `progress` is None, if standard error is a terminal. None where tqdm is missing."""
    wanted = sys.stderr is not None and sys.stderr.isatty() if progress is None else progress
    if not wanted:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar = Bar(title, unit, tqdm)
    try:
        yield bar
    finally:
        bar.close()
