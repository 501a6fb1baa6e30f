"""Histories: what the clients of a system saw, as columns."""

from __future__ import annotations

import json
import os
import stat
import sys
from typing import Any, Dict, IO, Iterable, Iterator, List, Mapping, Optional, Union, overload

import numpy
from numpy.typing import NDArray

from . import _core
from ._columns import Row, columns_of_rows, is_arrow, is_pandas, normalized
from ._errors import InputError
from ._operation import Operation
from ._page import Path, kept
from ._progress import showing
from ._trace import Trace
from ._values import Json

Source = Union[Path, IO[bytes], IO[str]]

OUTCOMES = ("ok", "fail", "info", "open")


class History:
    """A history, as columns. It never changes.

    ``len``, indexing (which gives an `Operation`) and iteration work as one expects. An operation's index is its place
    in the order of the calls' lines, or of the rows.

    Args:
        data: One of

            * operations, or dicts with the fields of JSON Lines' operation form: ``process``, ``f``, ``call`` and, where
              there is one, ``return``; ``key``, ``input``, ``output``, ``type``;
            * a mapping of columns of these names: NumPy arrays, Arrow arrays, sequences;
            * a DataFrame, or any object with Arrow's ``__arrow_c_stream__`` or ``__arrow_c_array__``.

            Other columns are metadata. Columns of times that are int64 and have no gaps are borrowed and not copied:
            leave them as they are.
        model: The name of the model that `check` takes by default.

    Raises:
        InputError: Where this is not a history.
        TypeError, ValueError: Where a value is no JSON value.
    """

    def __init__(self, data: Union[Iterable[Row], Mapping[str, Any], Any], *, model: str = "") -> None:
        if isinstance(data, _core.History):
            self._core = data
            return
        frame: Any = data
        if is_pandas(frame):
            self._core = _core.from_columns({str(name): normalized(frame[name]) for name in frame.columns})
        elif isinstance(data, Mapping):
            self._core = _core.from_columns({name: normalized(column) for name, column in data.items()})
        elif is_arrow(data) and not isinstance(data, History):  # metadata get lost that way
            self._core = _core.from_arrow(data)
        else:
            self._core = _core.from_columns(dict(columns_of_rows(data)))
        self._core.model = model

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> Operation: ...
    @overload
    def __getitem__(self, index: slice) -> List[Operation]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Operation, List[Operation]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no operation {index}")
        return Operation(*self._core.operation(place))

    def __iter__(self) -> Iterator[Operation]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        model = f", model {self.model}" if self.model else ""
        file = f", from {self.file}" if self.file else ""
        return f"<porpentine.History of {len(self)} operations{model}{file}>"

    @property
    def file(self) -> str:
        """The file that it was read from, as the caller named it; empty where none."""
        return self._core.file

    @property
    def model(self) -> str:
        """The name of the model that `check` takes by default; empty where none."""
        return self._core.model

    @property
    def time_unit(self) -> str:
        """Of `call` and `ret`: "ns" by default; "event" where the order of the lines is the time."""
        return self._core.time_unit

    @property
    def call(self) -> NDArray[numpy.int64]:
        """When each operation was called. Like all columns a read-only view, without a copy."""
        return self._core.call

    @property
    def ret(self) -> NDArray[numpy.int64]:
        """When each returned; the same as `call` where nobody knows."""
        return self._core.ret

    @property
    def outcome(self) -> NDArray[numpy.uint8]:
        """How each ended: an index into ``("ok", "fail", "info", "open")``."""
        return self._core.outcome

    @property
    def process(self) -> NDArray[numpy.uint32]:
        """Whose each is: an index into `processes`."""
        return self._core.process

    @property
    def processes(self) -> List[Any]:
        """The clients, each an int or a str."""
        return self._core.processes

    @property
    def function(self) -> NDArray[numpy.uint16]:
        """What each does: an index into `functions`."""
        return self._core.function

    @property
    def functions(self) -> List[str]:
        """The names of the functions."""
        return self._core.functions

    @property
    def key(self) -> NDArray[numpy.uint32]:
        """The keys, as ids: equal values have one id, None has 0, and `value` tells what an id stands for."""
        return self._core.key

    @property
    def input(self) -> NDArray[numpy.uint32]:
        """The inputs, as ids."""
        return self._core.input

    @property
    def output(self) -> NDArray[numpy.uint32]:
        """The outputs, as ids; 0 unless an operation is ok."""
        return self._core.output

    @property
    def line(self) -> NDArray[numpy.uint64]:
        """The lines of the calls in the file, from 1; 0 where there is none."""
        return self._core.line

    def value(self, id: int) -> Json:
        """What an id in `key`, `input` or `output` stands for. Raises IndexError where it stands for nothing."""
        return self._core.value(int(id))

    @property
    def annotations(self) -> List[Dict[str, Json]]:
        """What was noted besides the operations: dicts of time, process, f, value, metadata and line."""
        return self._core.annotations

    def describe(self, index: int) -> str:
        """An operation in words, as messages have it."""
        return self._core.describe(range(len(self))[index])

    def statistics(self) -> Dict[str, Json]:
        """How much concurrency and doubt it holds: what ``porpentine stats --json`` says."""
        said: Dict[str, Json] = json.loads(self._core.statistics_json())
        return said

    def write(self, path: Path) -> None:
        """Writes it as JSON Lines, compressed where the name ends in .gz or .zst. Raises OSError."""
        self._core.write(os.fspath(path))

    def to_html(self, path: Optional[Path] = None) -> str:
        """A page with a timeline, nothing checked; also written to `path`."""
        return kept(self._core.to_html(), path)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The operations as a table of Arrow's: process, f, key, input, output, type, call, return.

        Values that are neither all integers nor all text are of Arrow's type arrow.json. Metadata and annotations are
        left out.
        """
        return self._core.arrow_stream()

    def to_arrow(self) -> Any:
        """The same as a `pyarrow.Table`. Takes pyarrow."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def to_pandas(self) -> Any:
        """The same columns as a `pandas.DataFrame`, values as Python's objects. Takes pandas."""
        import pandas

        known = self.outcome < OUTCOMES.index("info")
        return pandas.DataFrame(
            {
                "process": pandas.Series(self.processes).to_numpy()[self.process],
                "f": pandas.Categorical.from_codes(self.function, self.functions),
                "key": self._objects(self.key),
                "input": self._objects(self.input),
                "output": self._objects(self.output),
                "type": pandas.Categorical.from_codes(self.outcome, OUTCOMES),
                "call": self.call,
                "return": pandas.arrays.IntegerArray(self.ret.copy(), ~known),
            }
        )

    def _objects(self, ids: NDArray[numpy.uint32]) -> NDArray[numpy.object_]:
        """What the ids stand for; equal ids give one object."""
        distinct, places = numpy.unique(ids, return_inverse=True)
        objects = numpy.empty(len(distinct), dtype=object)
        for place, id in enumerate(distinct):
            objects[place] = self.value(id)
        return objects[places]


def read(
    source: Source,
    *,
    format: str = "auto",
    independent: bool = False,
    memory_limit: Optional[int] = None,
    progress: Optional[bool] = None,
) -> History:
    """Reads a history.

    Args:
        source: A file's name, "-" for standard input, or an open file. What is compressed by gzip or zstd is read as it
            is.
        format: "jsonl", "edn", "jepsen-log", "kv-log", "s2", or "auto": by the content.
        independent: Values are [key, value] pairs (Jepsen's keyed histories).
        memory_limit: Bytes that reading may take; None: no limit.
        progress: Whether to show a bar; None: on a terminal, where tqdm is there.

    Raises:
        InputError: Where it is not a history, with file and line.
        OSError: Where it can't be read.
        MemoryError: At the memory limit.
    """
    recorded = read_any(source, format, independent, memory_limit, progress)
    if isinstance(recorded, Trace):
        raise InputError("a causal trace: porpentine.read_trace reads it", recorded.file)
    return recorded


def read_trace(source: Source, *, memory_limit: Optional[int] = None, progress: Optional[bool] = None) -> Trace:
    """Reads a causal trace; arguments and errors are those of `read`."""
    recorded = read_any(source, "jsonl", False, memory_limit, progress)
    if isinstance(recorded, History):
        raise InputError("a history and no causal trace: porpentine.read reads it", recorded.file)
    return recorded


def read_any(
    source: Source, format: str, independent: bool, memory_limit: Optional[int], progress: Optional[bool]
) -> Union[History, Trace]:
    """Whichever of the two it is."""
    name, text = _opened(source)
    with showing(progress, f"reading {name}", "B") as bar:
        recorded = _core.read(name, text, format, independent, memory_limit or 0, bar)
    return Trace(recorded) if isinstance(recorded, _core.Trace) else History(recorded)


def _opened(source: Source) -> "tuple[str, Optional[bytes]]":
    """The name, and the content where the extension module shall not read the file itself."""
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        if name == "-":
            return name, sys.stdin.buffer.read()
        if stat.S_ISREG(os.stat(name).st_mode):
            return name, None
        with open(name, "rb") as file:  # a pipe: Ctrl-C must end the wait
            return name, file.read()
    content = source.read()
    name = getattr(source, "name", "<memory>")
    return name if isinstance(name, str) else "<memory>", content.encode() if isinstance(content, str) else content
