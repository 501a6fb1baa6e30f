"""Judging histories of many keys with Dask, from storage, piece by piece. Takes dask, distributed and pyarrow.

    verdicts = porpentine.dask.check_parquet("s3://bucket/history/", by="key", model="log", client=client)
    print(verdicts.to_pandas())

Each worker reads what it judges; what comes back is one verdict a key. Where a worker dies, Dask gives its pieces to
others.
"""

from __future__ import annotations

import functools
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ContextManager, Dict, Iterable, List, Mapping, Optional, Tuple, Union

import dask
import dask.dataframe
import distributed
import pyarrow
import pyarrow.compute
import pyarrow.dataset

from ._errors import InputError
from ._model import Model
from ._partitions import WORKER_DIED, Verdict, Verdicts, as_arrow, checked_options, grouped, judge_table, worker_died
from ._values import Json

ROWS = 500_000
MOST_READ = 2.0

ModelOrName = Union[str, Model, type]


def check_parquet(
    path: Any,
    by: str = "key",
    *,
    model: ModelOrName,
    client: Optional[distributed.Client] = None,
    rows: int = ROWS,
    time_limit: Union[float, timedelta, None] = None,
    **options: Any,
) -> Verdicts:
    """Judges each key of a history in Parquet files alone.

    The files are read as they are where their statistics tell that keys are near to one another, as in files that are
    sorted by key: each worker reads the row groups that it judges. Else the rows are shuffled by key first, on the
    workers' disks.

    Args:
        path: A file, a folder, or a list of files; what `pyarrow.dataset.dataset` takes. The columns are those that
            `porpentine.History` takes.
        by: The column that the keys are in.
        model: As in `porpentine.check`; a model of your own must be picklable.
        client: Of a cluster. Default: the current one; where there is none, a cluster in this machine, for this call.
        rows: How many operations a worker judges at once, about; it holds these, and one row group more.
        time_limit: For each key alone: seconds, or a timedelta.
        options: As in `porpentine.check_partitions`.

    Returns:
        The verdicts; of keys over which workers died again and again "unknown", with the reason "worker-died".

    Raises:
        InputError: Where this is not a history, or the model does not know an operation.
        OSError: Where the files can't be read.
        TypeError: Where an option does not exist.
    """
    arguments = (by, model, checked_options({**options, "time_limit": time_limit}))
    data = pyarrow.dataset.dataset(path, format="parquet")
    if by not in data.schema.names:
        raise InputError(f'no column "{by}", but {", ".join(data.schema.names)}')
    pieces = _pieces(_row_groups(data), data.schema, by, rows)
    with _connected(client) as connected:
        if pieces is not None:
            return Verdicts(_judged(connected, pieces, arguments))
        frame = dask.dataframe.from_map(_Rows(data.schema), _row_groups(data))
        shuffled = _shuffled(frame, by, data.count_rows() // rows + 1)
        return Verdicts(_judged(connected, shuffled, arguments, data.schema))


def check(
    dataframe: Any,
    by: str = "key",
    *,
    model: ModelOrName,
    client: Optional[distributed.Client] = None,
    shuffle: bool = False,
    time_limit: Union[float, timedelta, None] = None,
    **options: Any,
) -> Verdicts:
    """Judges each key of a Dask DataFrame alone, each partition where it is.

    Args:
        dataframe: With the columns that `porpentine.History` takes. Beware of pandas' habit to make numbers with gaps,
            such as the times of returns, floating-point, which can't tell nanoseconds apart: read them with
            ``dtype_backend="pyarrow"``.
        by, model, client, time_limit, options: As in `check_parquet`.
        shuffle: Whether to bring the keys together first: needed unless all rows of a key are in one partition.

    Raises:
        InputError: Where this is not a history, or the model does not know an operation.
        ValueError: Where a key is in several partitions.
        TypeError: Where an option does not exist.
    """
    arguments = (by, model, checked_options({**options, "time_limit": time_limit}))
    with _connected(client) as connected:
        pieces = _shuffled(dataframe, by, dataframe.npartitions) if shuffle else dataframe.to_delayed()
        return Verdicts(_judged(connected, pieces, arguments))


@dataclass(frozen=True)
class _Piece:
    """Rows of some row groups, and of which keys they are: from `least` on, and less than `end` where there is one."""

    fragments: Tuple[Any, ...]
    schema: Any
    by: str
    least: Json
    end: Json

    def read(self, columns: Optional[List[str]] = None) -> Any:
        field = pyarrow.compute.field(self.by)
        wanted = field >= self.least
        if self.end is not None:
            wanted &= field < self.end
        return pyarrow.concat_tables(
            fragment.to_table(schema=self.schema, columns=columns, filter=wanted) for fragment in self.fragments
        )


@dataclass(frozen=True)
class _Rows:
    """Reads a row group for a frame that is shuffled, which takes plain columns."""

    schema: Any

    def __call__(self, fragment: Any) -> Any:
        import pandas

        table = fragment.to_table(schema=self.schema)
        plain = pyarrow.schema([(field.name, _plain(field.type)) for field in self.schema])
        return table.cast(plain).to_pandas(types_mapper=pandas.ArrowDtype)


def _plain(type: Any) -> Any:
    """The type of the values of dictionaries, and what extension types are stored as."""
    if isinstance(type, pyarrow.BaseExtensionType):
        return type.storage_type
    return type.value_type if pyarrow.types.is_dictionary(type) else type


def _row_groups(data: Any) -> List[Any]:
    return [group for fragment in data.get_fragments() for group in fragment.split_by_row_group()]


def _range(group: Any, by: str) -> Optional[Tuple[Json, Json]]:
    """The least and the greatest key of a row group; None where its statistics don't tell, or a row has no key."""
    metadata = group.metadata
    [number] = [info.id for info in group.row_groups]
    row_group = metadata.row_group(number)
    for index in range(row_group.num_columns):
        column = row_group.column(index)
        if column.path_in_schema == by:
            said = column.statistics
            if said is None or not said.has_min_max or not said.has_null_count or said.null_count > 0:
                return None
            return said.min, said.max
    return None


def _pieces(groups: List[Any], schema: Any, by: str, rows: int) -> Optional[List[_Piece]]:
    """Pieces of about so many rows with all operations of their keys; None where keys are too far from one another.

    The row groups are sorted by their least key, and cut where enough rows have come together. A key whose rows go
    across a cut belongs to one side alone: the piece there reads the row group of the other side, too.
    """
    ranges = [_range(group, by) for group in groups]
    if any(each is None for each in ranges):
        return None
    known = sorted(((r[0], r[1], n) for n, r in enumerate(ranges) if r is not None), key=lambda each: each[:2])
    cuts: List[Json] = []
    held = 0
    for least, _, number in known:
        if not cuts or (held >= rows and least > cuts[-1]):
            cuts.append(least)
            held = 0
        held += groups[number].row_groups[0].num_rows
    pieces = []
    read = 0
    for least, end in zip(cuts, [*cuts[1:], None]):
        members = [n for low, high, n in known if high >= least and (end is None or low < end)]
        read += sum(groups[n].row_groups[0].num_rows for n in members)
        pieces.append(_Piece(tuple(groups[n] for n in members), schema, by, least, end))
    total = sum(group.row_groups[0].num_rows for group in groups)
    return pieces if read <= MOST_READ * total else None


def _shuffled(frame: Any, by: str, partitions: int) -> List[Any]:
    pieces: List[Any] = frame.shuffle(on=by, npartitions=partitions).to_delayed()
    return pieces


def _judge(
    piece: Any, by: str, model: ModelOrName, options: Mapping[str, Any], schema: Optional[Any]
) -> List[Verdict]:
    """The verdicts on a piece or a frame; a schema tells which columns of the frame are not plain text, but JSON."""
    return judge_table(_table(piece, None, schema), by, model, options)


def _keys(piece: Any, by: str, model: ModelOrName, options: Mapping[str, Any], schema: Optional[Any]) -> List[Verdict]:
    """What is told of the keys of a piece or a frame over which workers die."""
    _, keys, bounds = grouped(_table(piece, [by], schema), by)
    message = "workers died while they were to judge this key"
    return [
        Verdict(key, "unknown", bounds[number + 1] - bounds[number], message, reason=WORKER_DIED)
        for number, key in enumerate(keys)
    ]


def _table(piece: Any, columns: Optional[List[str]], schema: Optional[Any]) -> Any:
    if isinstance(piece, _Piece):
        return piece.read(columns)
    table = as_arrow(piece if columns is None else piece[columns])
    return table if schema is None else table.cast(pyarrow.schema([schema.field(name) for name in table.column_names]))


def _connected(client: Optional[distributed.Client]) -> ContextManager[distributed.Client]:
    if client is not None:
        return nullcontext(client)
    try:
        return nullcontext(distributed.get_client())
    except ValueError:
        started: ContextManager[distributed.Client] = distributed.Client()
        return started


def _judged(
    client: distributed.Client, pieces: Iterable[Any], arguments: Tuple[Any, ...], schema: Optional[Any] = None
) -> List[Verdict]:
    """The verdicts on all pieces, in their order.

    Where workers die, Dask blames all tasks that these had, and gives up those that it blamed several times. They are
    tried once more, each alone: then it is known which of them it is.
    """

    def start(function: Any, piece: Any) -> Any:
        task = functools.partial(function, by=arguments[0], model=arguments[1], options=arguments[2], schema=schema)
        if isinstance(piece, _Piece):
            return client.submit(task, piece, pure=False)
        return client.compute(dask.delayed(task, pure=False)(piece))

    rows: Dict[int, List[Verdict]] = {}
    suspects = {}
    running = {start(_judge, piece): (number, piece) for number, piece in enumerate(pieces)}
    try:
        for future in distributed.as_completed(list(running)):
            number, piece = running.pop(future)
            error = future.exception()
            if error is None:
                rows[number] = future.result()
            elif worker_died(error):
                suspects[number] = piece
            else:
                raise error
            future.release()  # else it is computed again where the worker that has it dies later
    finally:
        client.cancel(list(running))
    for number, piece in suspects.items():
        try:
            rows[number] = start(_judge, piece).result()
        except distributed.KilledWorker:
            rows[number] = start(_keys, piece).result()
    return [row for number in sorted(rows) for row in rows[number]]
