"""Measures how fast a history of many keys in Parquet is judged: by one process, and by Dask's workers.

    python bench/partitions.py --operations 2000000 --keys 10000 --workers 2 --kill

A register's history, sorted by key. One process reads the files piece by piece and judges them in one thread. Prints one
line a way: seconds, operations a second, verdicts, and the greatest resident memory of a process, without Dask's own
start. With --kill a worker is killed by SIGKILL when a third of the time that it took before has gone.
"""

import argparse
import os
import resource
import signal
import tempfile
import threading
import time
from collections import Counter

import distributed
import numpy
import pyarrow
import pyarrow.parquet

import porpentine
import porpentine.dask

PATTERNS = 50
MODEL = "register"


def write(folder: str, operations: int, keys: int, files: int) -> None:
    """Few generated histories again and again: each key has one, a thousandth of the keys one that is not valid."""
    each = operations // keys
    good = [generated(each, seed) for seed in range(1, PATTERNS + 1)]
    bad = generated(each, 1, fault="stale-read")
    for file in range(files):
        path = os.path.join(folder, f"{file:03}.parquet")
        numbers = range(keys * file // files, keys * (file + 1) // files)
        with pyarrow.parquet.ParquetWriter(path, good[0].append_column("key", pyarrow.array([0] * each)).schema) as out:
            for first in range(numbers.start, numbers.stop, 500):
                tables = []
                for key in range(first, min(first + 500, numbers.stop)):
                    table = bad if key % 1000 == 7 else good[key % PATTERNS]
                    process = pyarrow.array(numpy.asarray(table["process"]) + 100 * key)
                    column = pyarrow.array(numpy.full(each, key))
                    tables.append(table.set_column(0, "process", process).append_column("key", column))
                out.write_table(pyarrow.concat_tables(tables))


def generated(operations: int, seed: int, fault: str = "none") -> pyarrow.Table:
    history = porpentine.generate(MODEL, operations=operations, clients=8, fault=fault, fault_at=0.5, seed=seed)
    table = pyarrow.RecordBatchReader.from_stream(history).read_all()
    table = table.select(["process", "f", "input", "output", "call", "return"])
    return table.set_column(1, "f", table["f"].cast(pyarrow.large_string()))


def peak_mib(*_: object) -> float:
    """Of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def tell(how: str, seconds: float, operations: int, verdicts: porpentine.Verdicts, peaks: "list[float]") -> None:
    counts = Counter(row.verdict for row in verdicts)
    judged = sum(row.operations for row in verdicts)
    assert judged == operations, (judged, operations)
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    memory = ", ".join(f"{peak:.0f} MiB" for peak in peaks)
    print(f"{how}: {seconds:.1f} s, {operations / seconds / 1e6:.2f} M operations/s; {len(verdicts)} keys: {said}; {memory}")


def one_process(folder: str) -> porpentine.Verdicts:
    files = sorted(os.listdir(folder))
    readers = (pyarrow.parquet.ParquetFile(os.path.join(folder, file)) for file in files)
    groups = (reader.read_row_group(n, use_threads=False) for reader in readers for n in range(reader.num_row_groups))
    return porpentine.check_partitions(groups, model=MODEL)


def workers(folder: str, count: int, kill_after: "float | None", operations: int) -> float:
    """The seconds."""
    with distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            client.run(__import__, "porpentine.dask")
            victim = next(iter(client.run(os.getpid).values()))
            if kill_after is not None:
                threading.Timer(kill_after, os.kill, (victim, signal.SIGKILL)).start()
            start = time.monotonic()
            verdicts = porpentine.dask.check_parquet(folder, model=MODEL, client=client)
            seconds = time.monotonic() - start
            if kill_after is not None:
                client.wait_for_workers(count)
                assert victim not in client.run(os.getpid).values()
            how = f"{count} workers" + ("" if kill_after is None else ", one killed")
            tell(how, seconds, operations, verdicts, list(client.run(peak_mib).values()))
            return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=2_000_000)
    parser.add_argument("--keys", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", action="store_true", help="once more, with a worker that is killed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write(folder, arguments.operations, arguments.keys, arguments.files)
        size = sum(os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder))
        print(f"{arguments.operations} operations, {arguments.keys} keys, {size / 2**20:.0f} MiB of Parquet")
        seconds = workers(folder, arguments.workers, None, arguments.operations)
        if arguments.kill:
            workers(folder, arguments.workers, seconds / 3, arguments.operations)
        start = time.monotonic()
        verdicts = one_process(folder)
        tell("one process", time.monotonic() - start, arguments.operations, verdicts, [peak_mib()])


if __name__ == "__main__":
    main()
