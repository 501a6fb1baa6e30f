"""Ctrl-C ends all long work, with KeyboardInterrupt."""

import os
import signal
import threading
import time

import pytest

import porpentine
from sequential import Queue


@pytest.fixture(scope="module")
def hard():
    """A history whose check would take for ever."""
    return porpentine.generate("queue", operations=600, clients=24, values=2, rounds=True)


class Slow(Queue):
    """A model that takes its time."""

    def step(self, state, operation):
        time.sleep(0.001)
        return super().step(state, operation)


def interrupted(work):
    """How long `work` went on after Ctrl-C, in seconds."""
    sent = []

    def press():
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    ended = time.monotonic()
    thread.join()
    return ended - sent[0]


@pytest.mark.parametrize("model", ["queue", Queue, Slow])
def test_checks_end(hard, model):
    assert interrupted(lambda: porpentine.check(hard, model, engine="search")) < 10  # the claim is a tenth of a second


def test_generating_ends():
    assert interrupted(lambda: porpentine.generate("register", operations=10**9)) < 10


def test_reading_ends(tmp_path):
    line = b'{"process": 0, "f": "write", "input": 1, "call": %d, "return": %d}\n'
    text = b"".join(line % (k, k) for k in range(10_000))
    file = tmp_path / "long.jsonl"
    with open(file, "wb") as out:
        for _ in range(400):
            out.write(text)  # the order of the times is looked at when all is read
    assert interrupted(lambda: porpentine.read(file)) < 10


def test_others_run_while_a_check_does(hard):
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    assert porpentine.check(hard, engine="search", time_limit=0.2).reason == "time-limit"
    stop.set()
    thread.join()
    assert counted[0] > 10


def test_a_bar_that_raises_ends_the_check(hard, monkeypatch):
    class Annoyed:
        def __init__(self, **_):
            raise OverflowError("no room for a bar")

    tqdm = pytest.importorskip("tqdm.auto")
    monkeypatch.setattr(tqdm, "tqdm", Annoyed)
    with pytest.raises(OverflowError, match="no room"):
        porpentine.check(hard, engine="search", progress=True)
