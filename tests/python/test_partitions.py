"""Verdicts by key: one thread, threads, processes, and processes that die."""

import concurrent.futures
import functools
import multiprocessing
import os
import signal

import pytest

import porpentine
from porpentine import History, InputError, check_partitions

pyarrow = pytest.importorskip("pyarrow")

KEYS = 40
BAD = {"k3", "k17"}

# Not by fork: there are threads in this process.
processes = functools.partial(
    concurrent.futures.ProcessPoolExecutor, 2, mp_context=multiprocessing.get_context("spawn")
)


def rows(key, bad=False):
    """Of one key: two writes one after the other, and a read, of the first value where it is bad."""
    writer, reader = f"writer of {key!r}", f"reader of {key!r}"
    read = "a" if bad else "b"
    return [
        {"process": writer, "f": "write", "key": key, "input": "a", "output": None, "call": 0, "return": 1},
        {"process": writer, "f": "write", "key": key, "input": "b", "call": 2, "return": 3},
        {"process": reader, "f": "read", "key": key, "output": read, "call": 4, "return": 5},
    ]


@pytest.fixture(scope="module")
def interleaved():
    """Of many keys, whose operations alternate."""
    of_keys = [rows(f"k{n}", f"k{n}" in BAD) for n in range(KEYS)]
    return [operations[place] for place in range(3) for operations in of_keys]


@pytest.fixture
def small_tasks(monkeypatch):
    """Tasks of four keys."""
    monkeypatch.setattr("porpentine._partitions.ROWS", 12)


def assert_right(verdicts, keys=KEYS):
    assert [row.key for row in verdicts] == [f"k{n}" for n in range(keys)]
    assert {row.key for row in verdicts.failures} == BAD
    assert all(row.operations == 3 for row in verdicts)
    for row in verdicts:
        assert (row.message is not None) == bool(row.core) == (row.verdict == "invalid")
    assert 'read() -> "a"' in verdicts[3].message and len(verdicts[3].core) == 3


def forms(interleaved):
    pandas = pytest.importorskip("pandas")
    history = History(interleaved)
    table = history.to_arrow()
    return {
        "history": history,
        "arrow": table,
        "chunks": pyarrow.concat_tables([table.slice(0, 50), table.slice(50)]),
        "pandas": history.to_pandas(),
        "pandas of Arrow": table.to_pandas(types_mapper=pandas.ArrowDtype),
        "columns": {name: table[name].to_pylist() for name in table.column_names},
        "pieces": (rows(f"k{n}", f"k{n}" in BAD) for n in range(KEYS)),
    }


@pytest.mark.parametrize("form", ["history", "arrow", "chunks", "pandas", "pandas of Arrow", "columns", "pieces"])
def test_every_form_of_a_history_is_judged_by_key(interleaved, form, small_tasks):
    assert_right(check_partitions(forms(interleaved)[form], model="register"))


def test_one_key_says_what_check_says(interleaved):
    history = History(interleaved[3::KEYS])
    [verdict] = check_partitions(history, model="register")
    [failure] = porpentine.check(history, "register").failures
    assert verdict.message == failure.message and len(verdict.core) == len(failure.core)


@pytest.mark.parametrize("at_once", [None, 1])
def test_threads_judge(interleaved, small_tasks, at_once):
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert_right(
            check_partitions(History(interleaved), model="register", executor=threads, at_once=at_once, time_limit=60)
        )


@pytest.mark.slow
def test_processes_judge(interleaved, small_tasks):
    with processes() as pool:
        assert_right(check_partitions(History(interleaved, model="register"), executor=pool))


class Deadly:
    """A register; the worker that is asked about a read of "a" first dies, where the file that it leaves is not there.

    Without a file it dies each time."""

    initial = None

    def __init__(self, file=None):
        self.file = file

    def step(self, state, operation):
        if operation.f == "write":
            return operation.input
        if operation.output == "a" and (self.file is None or not os.path.exists(self.file)):
            if self.file is not None:
                open(self.file, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return state if operation.returns(state) else porpentine.refuse("it is not so")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_what_a_dying_worker_had_is_judged_by_another(interleaved, small_tasks, tmp_path):
    verdicts = check_partitions(History(interleaved), model=Deadly(str(tmp_path / "died")), executor=processes)
    assert (tmp_path / "died").exists()
    assert [row.key for row in verdicts] == [f"k{n}" for n in range(KEYS)]
    assert {row.key for row in verdicts.failures} == BAD and verdicts.verdict == "invalid"
    assert "unknown" not in {row.verdict for row in verdicts}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_keys_that_kill_every_worker_are_unknown_and_no_others(interleaved, small_tasks):
    verdicts = check_partitions(History(interleaved), model=Deadly(), executor=processes)
    assert [row.key for row in verdicts] == [f"k{n}" for n in range(KEYS)]
    unknown = [row.key for row in verdicts if row.reason == "worker-died"]
    assert unknown == [f"k{n}" for n in (0, 1, 2, 3, 16, 17, 18, 19)]  # those of two tasks
    assert all(row.verdict == "valid" for row in verdicts if row.key not in unknown)
    with pytest.raises(porpentine.UnknownVerdict, match="8 of 40 keys is unknown, such as 'k0'"):
        bool(verdicts)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_a_pool_that_breaks_and_is_not_replaced_loses_no_key(interleaved, small_tasks):
    with processes() as pool:
        verdicts = check_partitions(History(interleaved), model=Deadly(), executor=pool)
    assert [row.key for row in verdicts] == [f"k{n}" for n in range(KEYS)]
    assert verdicts[3].reason == "worker-died" and verdicts[3].operations == 3


def test_limits_are_each_keys_own():
    easy = porpentine.generate("queue", operations=50, clients=2).to_arrow()
    hard = porpentine.generate("queue", operations=600, clients=24, values=2, rounds=True).to_arrow()
    names = ["process", "f", "input", "output", "type", "call", "return"]
    tables = [
        table.select(names).append_column("topic", pyarrow.array([topic] * len(table)))
        for topic, table in (("easy", easy), ("hard", hard))
    ]
    table = pyarrow.concat_tables(tables, promote_options="permissive")
    verdicts = check_partitions(table, by="topic", model="queue", engine="search", time_limit=0.2)
    assert [row.verdict for row in verdicts] == ["valid", "unknown"]
    assert verdicts[1].reason == "time-limit" and verdicts[1].elapsed_s >= 0.2
    assert verdicts[0].message is None


def test_another_column_than_the_key_may_part_the_history():
    parts = [
        {**operation, "process": f"{tenant} {operation['process']}", "tenant": tenant}
        for tenant in (1, 2)
        for operation in [*rows("x", tenant == 2), *rows("y")]
    ]
    verdicts = check_partitions(pyarrow.Table.from_pylist(parts), by="tenant", model="register")
    assert [(row.key, row.verdict, row.operations) for row in verdicts] == [(1, "valid", 6), (2, "invalid", 6)]


def test_a_model_that_does_not_part_by_key_gets_each_key_alone():
    class Whole(Deadly):
        def partition_key(self, operation):
            return None

    empty = {"process": 0, "f": "read", "key": "y", "call": 4, "return": 5}
    history = History([*rows("x"), empty])
    assert not porpentine.check(history, Whole("/"))
    assert check_partitions(history, model=Whole("/"))


@pytest.mark.parametrize("keys", [[1, 2], ["a", None], [["x", 1], {"y": [2]}], [1, "1"], [True, 1]])
def test_keys_are_json_values(keys):
    verdicts = check_partitions(History([operation for key in keys for operation in rows(key)]), model="register")
    assert [row.key for row in verdicts] == keys and verdicts
    assert len(verdicts.to_arrow()) == len(keys)


def test_verdicts_are_a_table(interleaved):
    pytest.importorskip("pandas")
    verdicts = check_partitions(History(interleaved), model="register")
    names = ["key", "verdict", "operations", "message", "core", "reason", "elapsed_s"]
    frame = verdicts.to_pandas()
    assert list(frame.columns) == names and len(frame) == len(verdicts) == KEYS
    table = verdicts.to_arrow()
    assert table.column_names == names and table["core"][3].as_py() == list(verdicts[3].core)
    assert repr(verdicts) == "<porpentine.Verdicts on 40 keys: 38 valid, 2 invalid>"
    assert verdicts.verdict == "invalid" and not verdicts
    empty = check_partitions([], model="register")
    assert len(empty) == 0 and empty and len(empty.to_arrow()) == len(empty.to_pandas()) == 0


def test_a_key_in_two_pieces_is_an_error():
    with pytest.raises(ValueError, match="the key 'x' is in several pieces"):
        check_partitions([rows("x"), rows("y"), rows("x")], model="register")


@pytest.mark.parametrize("executor", [None, concurrent.futures.ThreadPoolExecutor])
def test_errors_say_whose_they_are(executor):
    with pytest.raises(InputError, match='key "y": .*has no "write"'):
        good = {"process": 0, "f": "enqueue", "key": "x", "input": 1, "call": 0, "return": 1}
        check_partitions([[good], rows("y")], model="queue", executor=executor)


def test_misuse_is_an_error(interleaved):
    history = History(interleaved)
    with pytest.raises(ValueError, match="which model"):
        check_partitions(history)
    with pytest.raises(InputError, match='no column "topic", but process, f'):
        check_partitions(history, by="topic", model="register")
    with pytest.raises(TypeError, match="no option 'speed', but engine"):
        check_partitions(history, model="register", speed=3)
