"""Recording a history in a test that runs."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Any, Dict, List, Optional, Type

from ._history import History
from ._values import Json


class Invocation:
    """An operation that was called. Tell its outcome once, as soon as it is known; without one it is indeterminate.

    As a context manager it is indeterminate, too, where the block ends by an exception.
    """

    def __init__(self, recorder: "Recorder", row: Dict[str, Json]) -> None:
        self._recorder = recorder
        self._row = row

    def ok(self, output: Json = None) -> None:
        """It returned, with this output. Raises RuntimeError where its outcome was told already."""
        self._recorder._complete(self._row, "ok", output)

    def fail(self) -> None:
        """It is known not to have taken effect. Raises RuntimeError where its outcome was told already."""
        self._recorder._complete(self._row, "fail", None)

    def info(self) -> None:
        """Nobody will know; the process may go on. Raises RuntimeError where its outcome was told already."""
        self._recorder._complete(self._row, "info", None)

    def __enter__(self) -> "Invocation":
        return self

    def __exit__(
        self, type: Optional[Type[BaseException]], value: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        if self._row["type"] is None:
            self.info()


class Recorder:
    """Records what clients do. Threads may use one at the same time.

    Times are nanoseconds of the monotonic clock, read after `invoke` was entered and before `ok` and its like return: so
    an interval is never shorter than the operation's own.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: List[Dict[str, Json]] = []
        self._running: Dict[Any, Dict[str, Json]] = {}
        self._notes: List[Dict[str, Json]] = []

    def invoke(self, process: Any, f: str, input: Json = None, key: Json = None) -> Invocation:
        """An operation begins. `process`, an int or a str, is the client.

        Raises:
            RuntimeError: Where the process has an operation whose outcome was not told.
        """
        row = {"process": process, "f": f, "key": key, "input": input, "output": None, "return": None, "type": None}
        with self._lock:
            if process in self._running:
                busy = self._running[process]
                raise RuntimeError(f"process {process!r} is busy: the outcome of its {busy['f']} was not told")
            self._running[process] = row
            self._rows.append(row)
            row["call"] = time.monotonic_ns()
        return Invocation(self, row)

    def note(self, text: str) -> None:
        """Something that happened besides, such as the kill of a node; see `notes`."""
        with self._lock:
            self._notes.append({"time": time.monotonic_ns(), "text": text})

    @property
    def notes(self) -> List[Dict[str, Json]]:
        """The notes so far: dicts of time and text."""
        with self._lock:
            return list(self._notes)

    def history(self, model: str = "") -> History:
        """What was recorded so far. Operations that still run are indeterminate."""
        with self._lock:
            rows = [{**row, "type": row["type"] or "open"} for row in self._rows]
        return History(rows, model=model)

    def _complete(self, row: Dict[str, Json], outcome: str, output: Json) -> None:
        now = time.monotonic_ns()
        with self._lock:
            if row["type"] is not None:
                raise RuntimeError(f"the outcome of this {row['f']} was told already: {row['type']}")
            row.update({"type": outcome, "output": output, "return": None if outcome == "info" else now})
            del self._running[row["process"]]
