"""Columns of others, in the forms that the extension module reads."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Union

import numpy

from ._operation import Operation
from ._values import Json

Row = Union[Operation, Mapping[str, Json]]


def is_pandas(value: Any) -> bool:
    """Whether it is a Series or a DataFrame; pandas need not be there."""
    return type(value).__module__.partition(".")[0] == "pandas"


def is_arrow(value: Any) -> bool:
    """Whether it offers Arrow's C stream or array interface."""
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")


def _times(array: Any) -> Any:
    """Moments and spans of NumPy's as integers; what is no time is None."""
    if numpy.isnat(array).any():
        integers = array.astype("int64").astype(object)
        integers[numpy.isnat(array)] = None
        return integers
    return array.view("int64")


def normalized(column: Any) -> Any:
    """A column as an Arrow array, a NumPy array, a pair of codes and categories, or a list."""
    if is_pandas(column):
        if str(column.dtype) == "category":
            return column.cat.codes.to_numpy(), list(column.cat.categories)
        column = column.to_numpy()
    elif is_arrow(column):
        return column
    if isinstance(column, numpy.ndarray):
        return _times(column) if column.dtype.kind in "mM" else column
    return list(column)


def columns_of_rows(rows: Iterable[Row]) -> Dict[str, List[Json]]:
    """Columns of operations, or of dicts with the fields of the operation form."""
    columns: Dict[str, List[Json]] = {name: [] for name in ("process", "f", "call")}
    count = 0
    for count, row in enumerate(rows, 1):
        fields = _fields(row)
        for name in fields.keys() - columns.keys():
            columns[name] = [None] * (count - 1)
        for name, column in columns.items():
            column.append(fields.get(name))
    return columns


def _fields(row: Row) -> Mapping[str, Json]:
    if not isinstance(row, Operation):
        return row
    fields = {
        "process": row.process,
        "f": row.f,
        "key": row.key,
        "input": row.input,
        "output": row.output,
        "call": row.call,
        "return": row.ret,
        "type": row.outcome,
    }
    return {**row.metadata, **fields}
