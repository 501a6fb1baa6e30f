"""Checking histories of many keys: in pieces, by an executor's workers, with one verdict a key."""

from __future__ import annotations

import inspect
import json
import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Tuple, Union

import numpy

from ._columns import is_arrow, is_pandas
from ._errors import InputError
from ._history import History
from ._model import Model
from ._result import UnknownVerdict, check
from ._values import Json

ROWS = 50_000
ATTEMPTS_ALONE = 2
WORKER_DIED = "worker-died"

Pool = Union[Executor, Callable[[], Executor]]


@dataclass(frozen=True)
class Verdict:
    """What was found of one key.

    Attributes:
        key: A JSON value.
        verdict: "valid", "invalid" or "unknown".
        operations: How many the key has.
        message: What is wrong, in one line; None of what is valid.
        core: Of what is invalid, few operations that can't be ordered, in words.
        reason: Of an unknown: what `Result.reason` says, or "worker-died"; else None.
        elapsed_s: Seconds that the check took; of keys that were checked together, their mean.
    """

    key: Json
    verdict: str
    operations: int
    message: Optional[str] = None
    core: Tuple[str, ...] = ()
    reason: Optional[str] = None
    elapsed_s: float = 0.0


class Verdicts:
    """A table of verdicts, one row a key. ``len``, indexing by the row's number and iteration give `Verdict`s.

    ``bool(verdicts)`` is True where all keys are valid, False where one is invalid, and else raises `UnknownVerdict`.
    """

    def __init__(self, rows: Iterable[Verdict]) -> None:
        """Raises ValueError where a key comes twice: then neither verdict is about all of its operations."""
        self._rows = list(rows)
        seen: Set[str] = set()
        for row in self._rows:
            name = identity(row.key)
            if name in seen:
                raise ValueError(f"the key {row.key!r} is in several pieces, and can't be judged in any of them")
            seen.add(name)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._rows)

    def __getitem__(self, row: int) -> Verdict:
        return self._rows[row]

    @property
    def verdict(self) -> str:
        """ "invalid" where one is; else "unknown" where one is; else "valid"."""
        found = {row.verdict for row in self._rows}
        return next((verdict for verdict in ("invalid", "unknown") if verdict in found), "valid")

    @property
    def failures(self) -> List[Verdict]:
        """Those that are invalid."""
        return [row for row in self._rows if row.verdict == "invalid"]

    def __bool__(self) -> bool:
        if self.verdict == "unknown":
            keys = [row.key for row in self._rows if row.verdict == "unknown"]
            raise UnknownVerdict(f"the verdict on {len(keys)} of {len(self)} keys is unknown, such as {keys[0]!r}")
        return self.verdict == "valid"

    def __repr__(self) -> str:
        counts = {verdict: sum(row.verdict == verdict for row in self) for verdict in ("valid", "invalid", "unknown")}
        said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        return f"<porpentine.Verdicts on {len(self)} keys{': ' if said else ''}{said}>"

    def _columns(self) -> Dict[str, List[Any]]:
        return {name: [getattr(row, name) for row in self._rows] for name in Verdict.__dataclass_fields__}

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with the columns of `Verdict`. Takes pandas."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` with the columns of `Verdict`; keys that are of several kinds as JSON. Takes pyarrow."""
        import pyarrow

        columns = self._columns()
        kinds = {type(key) for key in columns["key"]}
        if kinds not in ({int}, {str}):
            columns["key"] = [json.dumps(key) for key in columns["key"]]
        types = {"message": pyarrow.string(), "core": pyarrow.list_(pyarrow.string()), "reason": pyarrow.string()}
        return pyarrow.table({name: pyarrow.array(column, types.get(name)) for name, column in columns.items()})


def identity(key: Json) -> str:
    """A text that two keys share where they are one."""
    return '"' + key if isinstance(key, str) else json.dumps(key, sort_keys=True)


def check_partitions(
    source: Any,
    *,
    by: str = "key",
    model: Union[str, Model, type, None] = None,
    executor: Optional[Pool] = None,
    at_once: Optional[int] = None,
    time_limit: Union[float, timedelta, None] = None,
    **options: Any,
) -> Verdicts:
    """Judges each key of a history alone. Takes pyarrow.

    Args:
        source: A `History`; a table with the columns that `History` takes, of Arrow's or pandas'; or an iterable of
            these, of which each holds all operations of its keys. Of an iterable no more is held than the workers need.
        by: The column that the keys are in.
        model: As in `check`; what an executor in other processes gets must be picklable. Default: the one that the
            history names.
        executor: Who judges: any executor of `concurrent.futures`, such as threads, processes or Dask's
            ``client.get_executor()``; or what makes one, such as the class ``ProcessPoolExecutor``: then a pool that a
            dying worker broke is replaced. None: this thread.
        at_once: How many pieces, of about 50,000 operations, the executor is given before the first of them is done.
            Default: twice the number of processors.
        time_limit: For each key alone: seconds, or a timedelta.
        options: Others of `check`, which hold for each key alone: memory_limit, step_limit, engine, order, verify,
            test_promises.

    Returns:
        The verdicts, in the order in which the keys first appear. Where a worker died over a key, and judging it once
        more did not help or was not possible, its verdict is "unknown" and the reason "worker-died".

    Raises:
        InputError: Where this is not a history, or the model does not know an operation, with the key.
        ValueError: Where no model is named, or a key is in two pieces.
        TypeError: Where an option does not exist.
    """
    options = checked_options({**options, "time_limit": time_limit})
    if isinstance(source, History) or is_table(source):
        source = [source]
    tasks = ((data, keys, (by, chosen, options)) for data, keys, chosen in _tasks(source, by, model))
    if executor is None:
        return Verdicts(row for data, _, arguments in tasks for row in judge_bytes(data, *arguments))
    window = at_once or 2 * (os.cpu_count() or 1)
    if isinstance(executor, Executor):
        return Verdicts(_Distribution(executor, None).run(tasks, window))
    distribution = _Distribution(executor(), executor)
    try:
        return Verdicts(distribution.run(tasks, window))
    finally:
        distribution.pool.shutdown(cancel_futures=True)


def checked_options(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Options of `check` for a check in a worker. Raises TypeError where one does not exist."""
    possible = inspect.signature(check).parameters.keys() - {"history", "model", "jobs", "progress"}
    for name in options.keys() - possible:
        raise TypeError(f"there is no option {name!r}, but {', '.join(sorted(possible))}")
    return dict(options)


def is_table(source: Any) -> bool:
    """Whether it has columns, as a whole."""
    return is_pandas(source) or is_arrow(source) or isinstance(source, Mapping)


def _tasks(
    pieces: Iterable[Any], by: str, model: Union[str, Model, type, None]
) -> Iterator[Tuple[bytes, List[Tuple[Json, int]], Union[str, Model, type]]]:
    """Of each task: its table, its keys with the number of their operations, and the model."""
    for piece in pieces:
        chosen = piece.model if model is None and isinstance(piece, History) else model
        if chosen is None or chosen == "":
            raise ValueError("which model? Name one, such as model='register'; porpentine.models lists them")
        table, keys, bounds = grouped(as_arrow(piece), by)
        first = 0
        for last in range(1, len(keys) + 1):
            if last == len(keys) or bounds[last + 1] - bounds[first] > ROWS:
                counts = numpy.diff(bounds[first : last + 1]).tolist()
                part = table.slice(bounds[first], bounds[last] - bounds[first])
                yield _to_bytes(part), list(zip(keys[first:last], counts)), chosen
                first = last


def as_arrow(piece: Any) -> Any:
    """A table of Arrow's. Raises ImportError where pyarrow is missing."""
    import pyarrow

    if isinstance(piece, pyarrow.Table):
        return piece
    if is_pandas(piece):
        try:
            return pyarrow.Table.from_pandas(piece, preserve_index=False)
        except pyarrow.ArrowException:
            piece = History(piece)  # columns whose values are of several kinds
    if not is_arrow(piece):
        piece = History(piece)
    return pyarrow.RecordBatchReader.from_stream(piece).read_all()


def _to_bytes(table: Any) -> bytes:
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def grouped(table: Any, by: str) -> Tuple[Any, List[Json], List[int]]:
    """The table with the rows of a key side by side, in their order; the keys; and where each begins, and the end.

    Raises:
        InputError: Where the table has no such column.
    """
    import pyarrow

    if by not in table.column_names:
        raise InputError(f'no column "{by}", but {", ".join(table.column_names)}')
    column = table.column(by).combine_chunks()
    is_json = False
    if isinstance(column, pyarrow.ExtensionArray):
        is_json = column.type.extension_name == "arrow.json"
        column = column.storage
    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
        table = table.set_column(table.column_names.index(by), by, column)
    encoded = column.dictionary_encode(null_encoding="encode")
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    if (numpy.diff(codes) < 0).any():
        table = table.take(numpy.argsort(codes, kind="stable"))
    keys = encoded.dictionary.to_pylist()
    if is_json:
        keys = [None if key is None else json.loads(key) for key in keys]
    return table, keys, [0, *numpy.cumsum(numpy.bincount(codes, minlength=len(keys))).tolist()]


def judge_bytes(data: bytes, by: str, model: Union[str, Model, type], options: Mapping[str, Any]) -> List[Verdict]:
    """The same of a table as bytes."""
    import pyarrow

    return judge_table(pyarrow.ipc.open_stream(data).read_all(), by, model, options)


def judge_table(table: Any, by: str, model: Union[str, Model, type], options: Mapping[str, Any]) -> List[Verdict]:
    """The verdicts on a table that holds all operations of its keys, in this thread.

    All keys are checked in one go where the model judges keys apart. Those that are not found valid that way are checked
    once more alone, each with limits of its own.
    """
    table, keys, bounds = grouped(table, by)
    has_key = "key" in table.column_names
    if by != "key":
        names = table.column_names
        table = table.drop_columns([by]) if has_key else table.rename_columns(["key" if n == by else n for n in names])
    found: Dict[str, str] = {}
    elapsed_s = 0.0
    if len(keys) > 1 and (by == "key" or not has_key):
        found, elapsed_s = _judge_together(table, model, options)
        if found.keys() != {identity(key) for key in keys}:
            found = {}
    rows = []
    for number, key in enumerate(keys):
        count = bounds[number + 1] - bounds[number]
        if found.get(identity(key)) == "valid":
            rows.append(Verdict(key, "valid", count, elapsed_s=elapsed_s / len(keys)))
        else:
            rows.append(_judge_key(key, table.slice(bounds[number], count), model, options))
    return rows


def _judge_together(
    table: Any, model: Union[str, Model, type], options: Mapping[str, Any]
) -> Tuple[Dict[str, str], float]:
    """The verdicts on what the model judges apart, by its keys, and the seconds; nothing of what is no history."""
    try:
        result = check(History(table), model, jobs=1, progress=False, **options)
    except InputError:
        return {}, 0.0  # whose key it is tells the check of that key alone
    return {identity(key): verdict for key, verdict, _ in result._core.partitions}, result.elapsed_s


def _judge_key(key: Json, table: Any, model: Union[str, Model, type], options: Mapping[str, Any]) -> Verdict:
    try:
        result = check(History(table), model, jobs=1, progress=False, **options)
    except InputError as error:
        raise InputError(f"key {json.dumps(key)}: {error.message}", error.file, error.line) from None
    if result.valid:
        return Verdict(key, "valid", len(table), elapsed_s=result.elapsed_s)
    if not result.invalid:
        message = f"a limit was reached: {result.reason}"
        return Verdict(key, "unknown", len(table), message, reason=result.reason, elapsed_s=result.elapsed_s)
    failure = result.failures[0]
    core = tuple(result.history.describe(index) for index in failure.core)
    return Verdict(key, "invalid", len(table), failure.message, core, elapsed_s=result.elapsed_s)


@dataclass
class _Task:
    number: int
    data: bytes
    keys: List[Tuple[Json, int]]
    arguments: Tuple[Any, ...]
    attempts_alone: int = 0

    def lost(self) -> List[Verdict]:
        """What is told where workers died."""
        message = "a worker died while it was to judge this key"
        return [Verdict(key, "unknown", count, message, reason=WORKER_DIED) for key, count in self.keys]


class _Distribution:
    """Hands tasks to a pool, and what a dying worker lost to the pool that replaces it.

    A pool that breaks fails all of its tasks, and does not tell over which of them the worker died. So each of these
    has the next pool to itself: it is blamed for what happens then.
    """

    def __init__(self, pool: Executor, make: Optional[Callable[[], Executor]]) -> None:
        self.pool = pool
        self._make = make
        self._running: Dict["Future[List[Verdict]]", _Task] = {}
        self._rows: Dict[int, List[Verdict]] = {}
        self._suspects: Deque[_Task] = deque()
        self._is_broken = False

    def run(
        self, tasks: Iterable[Tuple[bytes, List[Tuple[Json, int]], Tuple[Any, ...]]], window: int
    ) -> Iterator[Verdict]:
        try:
            for number, task in enumerate(tasks):
                while len(self._running) >= window:
                    self._collect()
                self._test_suspects()
                self._submit(_Task(number, *task))
            while self._running:
                self._collect()
            self._test_suspects()
        finally:
            for future in self._running:
                future.cancel()
        for number in sorted(self._rows):
            yield from self._rows[number]

    def _submit(self, task: _Task) -> None:
        if self._is_broken and self._make is not None:
            self.pool.shutdown()
            self.pool = self._make()
            self._is_broken = False
        try:
            self._running[self.pool.submit(judge_bytes, task.data, *task.arguments)] = task
        except BrokenExecutor:
            self._after_death(task)

    def _collect(self) -> None:
        """Waits for one task at least."""
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            task = self._running.pop(future)
            error = future.exception()
            if error is None:
                self._rows[task.number] = future.result()
            elif worker_died(error):
                self._after_death(task)
            else:
                raise error

    def _after_death(self, task: _Task) -> None:
        self._is_broken = True
        if self._make is None:
            self._rows[task.number] = task.lost()
        else:
            self._suspects.append(task)

    def _test_suspects(self) -> None:
        if not self._suspects:
            return
        while self._running:
            self._collect()
        while self._suspects:
            task = self._suspects.popleft()
            if task.attempts_alone == ATTEMPTS_ALONE:
                self._rows[task.number] = task.lost()
                continue
            task.attempts_alone += 1
            self._submit(task)
            while self._running:
                self._collect()


def worker_died(error: BaseException) -> bool:
    """Whether it says that a worker died: a broken pool, or Dask's KilledWorker, which need not be there."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"
