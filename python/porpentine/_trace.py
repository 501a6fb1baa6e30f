"""Causal traces: what actors sent and delivered, in the order in which it happened."""

from __future__ import annotations

import os
from typing import List, Optional

from . import _core
from ._page import Path, kept


class Trace:
    """A causal trace, as `porpentine.read_trace` gives it; `porpentine.check` judges causal delivery."""

    def __init__(self, core: _core.Trace) -> None:
        self._core = core

    def __len__(self) -> int:
        """How many events there are."""
        return len(self._core)

    def __repr__(self) -> str:
        return f"<porpentine.Trace of {len(self)} events, {len(self.actors)} actors, {len(self.channels)} channels>"

    @property
    def file(self) -> str:
        """As the caller named it."""
        return self._core.file

    @property
    def actors(self) -> List[str]:
        """Their names, in order of first appearance."""
        return self._core.actors

    @property
    def channels(self) -> List[str]:
        """Their names, in order of first appearance."""
        return self._core.channels

    def write(self, path: Path) -> None:
        """Writes it as JSON Lines, compressed where the name ends in .gz or .zst. Raises OSError."""
        self._core.write(os.fspath(path))

    def to_html(self, path: Optional[Path] = None) -> str:
        """A page with a space-time diagram, nothing judged; also written to `path`."""
        return kept(self._core.to_html(), path)
