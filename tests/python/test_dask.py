"""Verdicts by key from Dask's workers, some of which are killed."""

import os
import signal

import pytest

import porpentine
from porpentine import InputError

distributed = pytest.importorskip("distributed", reason="dask.distributed is missing")
pytest.importorskip("dask.dataframe", reason="dask.dataframe is missing")
pyarrow = pytest.importorskip("pyarrow")
import pyarrow.parquet  # noqa: E402

import porpentine.dask  # noqa: E402

KEYS = 60
BAD = {7, 31}

pytestmark = pytest.mark.slow


class Register:
    """A register. The worker that is asked about the value "deadly" first is killed, and leaves a file."""

    initial = None

    def __init__(self, file):
        self.file = file

    def step(self, state, operation):
        if operation.f == "write":
            return operation.input
        if operation.output == "deadly":
            try:
                os.close(os.open(self.file, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return state if operation.returns(state) else porpentine.refuse("it is not so")


class Deadly(Register):
    """Kills each worker that is asked about the value "deadly"."""

    def __init__(self):
        super().__init__("")

    def step(self, state, operation):
        if operation.output == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().step(state, operation)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as connected:
            yield connected


@pytest.fixture(autouse=True)
def this_module_for_workers(client):
    """Workers can't import this module by its name."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(__import__(__name__))
    yield
    cloudpickle.unregister_pickle_by_value(__import__(__name__))


def table(keys=range(KEYS), column="key"):
    """Each key with three operations, sorted by key; key 20 has the value "deadly"."""
    rows = []
    for key in keys:
        value = "deadly" if key == 20 else f"v{key}"
        read = "nothing" if key in BAD else value
        operations = [("write", "first", None), ("write", value, None), ("read", None, read)]
        for moment, (f, given, output) in enumerate(operations):
            rows.append(
                {"process": key, "f": f, column: key, "input": given, "output": output}
                | {"call": 2**60 + 10 * moment, "return": 2**60 + 10 * moment + 1}
            )
    return pyarrow.Table.from_pylist(rows)


def assert_right(verdicts, keys=range(KEYS)):
    assert sorted(row.key for row in verdicts) == list(keys)
    assert {row.key for row in verdicts.failures} == BAD
    assert verdicts.verdict == "invalid" and all(row.operations == 3 for row in verdicts)


def write(folder, data, files=1, row_group_size=10):
    """Files that follow one another, with row groups that go across keys."""
    size = -(-len(data) // files)
    for n in range(files):
        pyarrow.parquet.write_table(data.slice(n * size, size), folder / f"{n}.parquet", row_group_size=row_group_size)


def spread(data):
    """The same rows in such an order that each key is all over the files."""
    return pyarrow.concat_tables([data.take(list(range(first, len(data), 10))) for first in range(10)])


@pytest.fixture
def shuffles(monkeypatch):
    """How often rows were shuffled."""
    calls = []
    shuffled = porpentine.dask._shuffled
    monkeypatch.setattr("porpentine.dask._shuffled", lambda *arguments: calls.append(1) or shuffled(*arguments))
    return calls


@pytest.mark.parametrize("files", [1, 3])
@pytest.mark.parametrize("rows", [1, 20, 10_000])
def test_sorted_files_are_judged_as_they_lie(client, tmp_path, files, rows, shuffles):
    write(tmp_path, table(), files)
    assert_right(porpentine.dask.check_parquet(str(tmp_path), model="register", client=client, rows=rows))
    assert not shuffles or rows == 1


def test_one_key_in_many_row_groups_is_judged_once(client, tmp_path, shuffles):
    write(tmp_path, table([5]), row_group_size=1)
    [verdict] = porpentine.dask.check_parquet(tmp_path / "0.parquet", model="register", client=client, rows=1)
    assert verdict.verdict == "valid" and verdict.operations == 3 and not shuffles


def test_keys_that_are_spread_over_files_are_brought_together(client, tmp_path, shuffles):
    write(tmp_path, spread(table()), files=6)
    assert_right(porpentine.dask.check_parquet(str(tmp_path), model="register", client=client, rows=30))
    assert shuffles


def test_text_columns_that_are_dictionaries_are_shuffled_too(client, tmp_path, shuffles):
    data = table()
    f = data["f"].combine_chunks().dictionary_encode()
    data = data.set_column(1, "f", f)
    write(tmp_path, spread(data), files=4)
    assert_right(porpentine.dask.check_parquet(str(tmp_path), model="register", client=client, rows=30))
    assert shuffles


def test_values_of_several_kinds_are_shuffled_too(client, tmp_path, shuffles):
    history = porpentine.generate("kv", operations=400, keys=20, cas_share=0.5, fault="stale-read", clients=4)
    write(tmp_path, history.to_arrow(), files=3, row_group_size=20)
    verdicts = porpentine.dask.check_parquet(str(tmp_path), model="kv", client=client, rows=100)
    assert len(verdicts) == 20 and len(verdicts.failures) == 1
    assert verdicts.failures[0].message.startswith(porpentine.check(history).failures[0].message.partition(" by")[0])
    assert shuffles


def test_files_without_statistics_are_shuffled(client, tmp_path, shuffles):
    pyarrow.parquet.write_table(table(), tmp_path / "0.parquet", row_group_size=10, write_statistics=False)
    assert_right(porpentine.dask.check_parquet(str(tmp_path), model="register", client=client, rows=30))
    assert shuffles


def test_another_column_has_the_keys(client, tmp_path):
    write(tmp_path, table(column="topic"))
    assert_right(porpentine.dask.check_parquet(str(tmp_path), by="topic", model="register", client=client, rows=30))


@pytest.mark.parametrize("is_spread", [False, True])
def test_a_worker_that_is_killed_costs_no_key(client, tmp_path, is_spread, shuffles):
    data = table()
    (tmp_path / "history").mkdir()
    write(tmp_path / "history", spread(data) if is_spread else data, files=3)
    model = Register(str(tmp_path / "killed"))
    before = set(client.scheduler_info()["workers"])
    verdicts = porpentine.dask.check_parquet(str(tmp_path / "history"), model=model, client=client, rows=20)
    assert (tmp_path / "killed").exists()
    client.wait_for_workers(2)
    assert set(client.scheduler_info()["workers"]) != before
    assert_right(verdicts)
    assert bool(shuffles) == is_spread


def test_keys_that_kill_every_worker_are_unknown_and_the_others_judged(client, tmp_path):
    write(tmp_path, table(), row_group_size=3)
    verdicts = porpentine.dask.check_parquet(str(tmp_path), model=Deadly(), client=client, rows=1)
    assert sorted(row.key for row in verdicts) == list(range(KEYS))
    assert {row.key for row in verdicts.failures} == BAD
    [unknown] = [row for row in verdicts if row.verdict == "unknown"]
    assert (unknown.key, unknown.reason, unknown.operations) == (20, "worker-died", 3)


def test_a_dataframe_is_judged_where_it_is(client):
    dataframe = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    frame = table().to_pandas(types_mapper=pandas.ArrowDtype)
    parts = dataframe.from_pandas(frame, chunksize=30, sort=False)
    assert_right(porpentine.dask.check(parts, model="register", client=client))
    uneven = dataframe.from_pandas(frame, chunksize=31, sort=False)
    with pytest.raises(ValueError, match="the key 10 is in several pieces"):
        porpentine.dask.check(uneven, model="register")
    assert_right(porpentine.dask.check(uneven, model="register", shuffle=True))


def test_the_executor_of_a_client_judges(client):
    executor = client.get_executor()
    assert_right(porpentine.check_partitions(table(), model="register", executor=executor))


def test_misuse_is_an_error(client, tmp_path):
    write(tmp_path, table())
    with pytest.raises(InputError, match='no column "topic", but process, f, key'):
        porpentine.dask.check_parquet(str(tmp_path), by="topic", model="register", client=client)
    with pytest.raises(InputError, match='key 0: .*has no "write"'):
        porpentine.dask.check_parquet(str(tmp_path), model="queue", client=client)
    with pytest.raises(TypeError, match="no option 'speed'"):
        porpentine.dask.check_parquet(str(tmp_path), model="register", client=client, speed=3)
    with pytest.raises(FileNotFoundError):
        porpentine.dask.check_parquet(str(tmp_path / "none"), model="register", client=client)
