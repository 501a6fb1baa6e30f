"""Histories from columns and rows, and as such."""

import copy
import pickle

import numpy
import pytest

import porpentine
from porpentine import History, InputError

ROWS = [
    {"process": 0, "f": "write", "input": "a", "call": 0, "return": 10},
    {"process": "p", "f": "cas", "key": "k", "input": ["a", 2], "output": True, "call": 5, "return": 7},
    {"process": 0, "f": "read", "call": 20, "type": "info"},
    {"process": 2, "f": "write", "input": {"x": [1.5, None]}, "call": 21},
    {"process": 2, "f": "write", "input": 2**64 - 1, "call": 30, "return": 31, "type": "fail", "node": "n1"},
]


def columns(size=1000):
    call = numpy.arange(size, dtype=numpy.int64) * 10
    return {
        "process": numpy.arange(size) % 4,
        "f": numpy.where(numpy.arange(size) % 2, "write", "read"),
        "input": numpy.arange(size),
        "call": call,
        "return": call + 9,
    }


def test_rows_become_operations():
    history = History(ROWS, model="register")
    assert len(history) == 5 and history.model == "register"
    assert [operation.outcome for operation in history] == ["ok", "ok", "info", "open", "fail"]
    assert [operation.ret for operation in history] == [10, 7, None, None, 31]
    assert history[1].process == "p" and history[1].key == "k"
    assert history[1].input == ["a", 2] and history[1].output is True
    assert history[3].input == {"x": [1.5, None]} and history[3].indeterminate
    assert history[-1].input == 2**64 - 1 and history[-1].metadata == {"node": "n1"}
    assert history[1:3] == [history[1], history[2]]
    with pytest.raises(IndexError):
        history[5]


def test_operations_become_the_same_history():
    history = History(ROWS)
    assert [*History(history)] == [*history]
    assert len(History([])) == 0


def test_a_file_is_read_as_it_was_written(tmp_path):
    history = History(ROWS, model="register")
    for name in ("h.jsonl", "h.jsonl.gz", "h.jsonl.zst"):
        history.write(tmp_path / name)
        again = porpentine.read(tmp_path / name)
        assert again.model == "register"
        assert [(o.f, o.input, o.output, o.call, o.ret, o.outcome, o.metadata) for o in again] == [
            (o.f, o.input, o.output, o.call, o.ret, o.outcome, o.metadata) for o in history
        ]


def test_times_are_borrowed_and_can_not_be_written():
    given = columns()
    history = History(given)
    assert numpy.shares_memory(history.call, given["call"])
    assert numpy.shares_memory(history.ret, given["return"])
    with pytest.raises(ValueError):
        history.call[0] = 1
    call = history.call
    del history, given
    assert call[999] == 9990


def test_times_that_have_to_change_are_copied():
    given = columns()
    given["type"] = ["info"] * 500 + ["ok"] * 500
    history = History(given)
    assert (history.ret[:500] == history.call[:500]).all() and (given["return"] == given["call"] + 9).all()
    assert numpy.shares_memory(history.call, given["call"])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64", "float32", ">i8"])
def test_numbers_of_every_type_are_values(dtype):
    given = {**columns(100), "input": numpy.arange(100).astype(dtype)}
    assert [operation.input for operation in History(given)] == list(range(100))


def test_texts_booleans_and_objects_are_values():
    for array in (
        numpy.array(["", "ä", "日本", "𝄞", "long enough to be no short text"]),
        numpy.array([True, False, True, True, False]),
        numpy.array([None, 1, "x", [1, {"a": None}], 2.5], dtype=object),
    ):
        history = History({**{name: column[:5] for name, column in columns().items()}, "input": array})
        assert [operation.input for operation in history] == array.tolist()


def test_strided_columns_are_columns():
    wide = numpy.arange(2000, dtype=numpy.int64)
    history = History({**columns(), "call": wide[::2], "return": wide[1::2]})
    assert (history.call == wide[::2]).all() and (history.ret == wide[1::2]).all()


def test_nan_is_null_and_infinity_an_error():
    given = columns(3)
    assert [o.input for o in History({**given, "input": numpy.array([1.5, numpy.nan, 2])})] == [1.5, None, 2]
    with pytest.raises(InputError, match="infinite"):
        History({**given, "input": numpy.array([1, 2, numpy.inf])})


def test_moments_of_numpy_are_times():
    given = columns(3)
    moments = given["return"].view("datetime64[ns]").copy()
    moments[1] = "NaT"
    history = History({**given, "return": moments})
    assert [operation.ret for operation in history] == [9, None, 29]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"return": numpy.array([9, 5, 29])}, "row 1: return before its call"),
        ({"process": [1, 1.5, 2]}, 'row 1: "process" is neither'),
        ({"f": [1, 2, 3]}, '"f" is no text'),
        ({"call": [1, "x", 2]}, '"call" is not a 64-bit integer: "x"'),
        ({"call": numpy.array([1.0, numpy.nan, 2.0])}, 'row 1: no "call"'),
        ({"return": numpy.array([9.0, 2.0**60, 29.0])}, "not exact"),
        ({"type": ["ok", "done", "ok"]}, '"type" is not ok'),
        ({"return": [9, None, 29], "type": ["ok", "ok", "ok"]}, "row 1: ok, but no"),
        ({"input": [1, 2]}, "has 2 rows"),
        ({"process": [7, 7, 7], "return": [100, 101, 102]}, "second call of process 7 while"),
    ],
)
def test_columns_that_are_no_history_are_errors(change, message):
    with pytest.raises(InputError, match=message):
        History({**columns(3), **change})


@pytest.mark.parametrize("missing", ["process", "f", "call"])
def test_a_missing_column_is_an_error(missing):
    given = columns(3)
    del given[missing]
    with pytest.raises(InputError, match=f'missing column "{missing}"'):
        History(given)


@pytest.mark.parametrize(
    "value, error", [(object(), TypeError), ({1: 2}, TypeError), (2**64, ValueError), (-(2**63) - 1, ValueError)]
)
def test_what_is_no_json_value_is_an_error(value, error):
    with pytest.raises(error):
        History([{"process": 0, "f": "write", "input": value, "call": 0, "return": 1}])


def test_endless_values_are_an_error():
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        History([{"process": 0, "f": "write", "input": endless, "call": 0, "return": 1}])


def test_columns_are_told_by_ids():
    history = History(ROWS)
    assert [history.value(id) for id in history.input] == [row.get("input") for row in ROWS]
    assert [history.processes[p] for p in history.process] == [0, "p", 0, 2, 2]
    assert [history.functions[f] for f in history.function] == ["write", "cas", "read", "write", "write"]
    with pytest.raises(IndexError):
        history.value(10_000)


def test_statistics_are_those_of_the_command(histories):
    statistics = porpentine.read(histories / "stale-read.jsonl").statistics()
    assert (statistics["operations"], statistics["ok"], statistics["info"], statistics["fail"]) == (5, 4, 1, 0)
    assert statistics["max_concurrency"] == 2


def test_pandas_there_and_back():
    pandas = pytest.importorskip("pandas")
    history = History(ROWS)
    frame = history.to_pandas()
    assert frame["return"].isna().tolist() == [False, False, True, True, False]
    again = History(frame)
    assert [(o.process, o.f, o.key, o.input, o.output, o.call, o.ret, o.outcome) for o in again] == [
        (o.process, o.f, o.key, o.input, o.output, o.call, o.ret, o.outcome) for o in history
    ]
    frame = pandas.DataFrame(columns())
    frame["f"] = frame["f"].astype("category")
    assert [*History(frame)] == [*History(columns())]


def test_arrow_there_and_back():
    pyarrow = pytest.importorskip("pyarrow")
    history = History(ROWS)
    again = History(history.to_arrow())
    assert [(o.process, o.f, o.key, o.input, o.output, o.call, o.ret, o.outcome) for o in again] == [
        (o.process, o.f, o.key, o.input, o.output, o.call, o.ret, o.outcome) for o in history
    ]
    assert numpy.shares_memory(history.call, history.to_arrow()["call"].to_numpy())
    assert len(History(History([]).to_arrow())) == 0


def arrow_inputs():
    pyarrow = pytest.importorskip("pyarrow")
    texts = ["a", None, "ä" * 20, "", "a"]
    yield texts, pyarrow.array(texts)
    yield texts, pyarrow.array(texts, type=pyarrow.large_string())
    yield texts, pyarrow.array(texts).dictionary_encode()
    if hasattr(pyarrow, "string_view"):
        yield texts, pyarrow.array(texts).cast(pyarrow.string_view())
    for type in (pyarrow.int8(), pyarrow.uint16(), pyarrow.int64(), pyarrow.float32(), pyarrow.float64()):
        yield [1, None, 3, 4, 5], pyarrow.array([1, None, 3, 4, 5], type=type)
    yield [1.5, None], pyarrow.array(numpy.array([1.5, numpy.nan], dtype=numpy.float16))
    yield [True, None, False], pyarrow.array([True, None, False])
    yield [None, None], pyarrow.nulls(2)
    lists = [[1, 2], [], None, [3, None]]
    yield lists, pyarrow.array(lists)
    yield lists, pyarrow.array(lists, type=pyarrow.large_list(pyarrow.int64()))
    structs = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}, None]
    yield structs, pyarrow.array(structs)


def test_values_of_arrow_are_values():
    pyarrow = pytest.importorskip("pyarrow")
    for values, array in arrow_inputs():
        for offset in (0, 1):
            size = len(values)
            base = {name: column[:size] for name, column in columns().items()}
            table = pyarrow.table({**base, "input": array}).slice(offset)
            assert [operation.input for operation in History(table)] == values[offset:], array.type
            assert [operation.input for operation in History({**base, "input": array})] == values


def test_tables_of_arrow_lend_their_times():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns())
    history = History(table)
    assert numpy.shares_memory(history.call, table["call"].to_numpy())
    del table
    assert history.call[999] == 9990
    chunks = pyarrow.concat_tables([pyarrow.table(columns(10)), pyarrow.table(columns(10)).slice(0, 0)])
    assert [*History(chunks)] == [*History(columns(10))]


def test_missing_returns_of_arrow_are_open_operations():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({**columns(3), "return": pyarrow.array([9, None, 29])})
    assert [operation.outcome for operation in History(table)] == ["ok", "open", "ok"]


def test_what_arrow_has_and_a_history_has_not_is_an_error():
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match='column "input": columns of Arrow\'s type "z"'):
        History(pyarrow.table({**columns(1), "input": pyarrow.array([b"x"])}))
    with pytest.raises(InputError, match="not a table"):
        History(pyarrow.array([1, 2]))


def test_polars_there_and_back():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(columns())
    assert [*History(frame)] == [*History(columns())]
    assert polars.DataFrame(History(columns()))["call"].to_list() == columns()["call"].tolist()


def test_a_history_is_pickled_with_all_that_it_holds(tmp_path):
    text = (
        '{"porpentine": 1, "model": "register", "time-unit": "us"}\n'
        '{"process": 1, "type": "invoke", "f": "write", "value": {"x": [1, 2.5, null]}, "time": 1, "node": ["n", 1]}\n'
        '{"process": "nemesis", "type": "info", "f": "kill", "value": "n1", "time": 2, "by": "hand"}\n'
        '{"process": 1, "type": "ok", "f": "write", "value": {"x": [1, 2.5, null]}, "time": 3}\n'
        '{"process": 2, "type": "invoke", "f": "read", "time": 4}\n'
        '{"process": 2, "type": "ok", "f": "read", "value": 18446744073709551615, "time": 5}\n'
    )
    (tmp_path / "history.jsonl").write_text(text)
    history = porpentine.read(tmp_path / "history.jsonl")
    again = pickle.loads(pickle.dumps(history))
    assert [*again] == [*history] and history[0].metadata == {"node": ["n", 1]}
    for name in ("file", "model", "time_unit", "annotations", "processes", "functions"):
        assert getattr(again, name) == getattr(history, name), name
    assert again.time_unit == "us" and again.annotations
    assert porpentine.check(again).failures == porpentine.check(history).failures != []
    history.write(tmp_path / "a.jsonl")
    again.write(tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_history_over_borrowed_columns_is_pickled(tmp_path):
    history = History(columns())
    again = copy.deepcopy(history)
    assert [*again] == [*history] and not numpy.shares_memory(again.call, history.call)
    assert len(pickle.loads(pickle.dumps(History([])))) == 0
