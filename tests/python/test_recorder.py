"""Recording."""

import threading

import pytest

import porpentine
from porpentine import Recorder


def test_threads_record_a_history():
    recorder = Recorder()
    held = {"value": None}
    lock = threading.Lock()

    def client(process):
        for k in range(50):
            with recorder.invoke(process, "write", input=[process, k]) as operation:
                with lock:
                    held["value"] = [process, k]
                operation.ok()
            with recorder.invoke(process, "read") as operation:
                with lock:
                    seen = held["value"]
                operation.ok(seen)

    threads = [threading.Thread(target=client, args=(process,)) for process in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = recorder.history("register")
    assert len(history) == 400 and porpentine.check(history)


def test_outcomes_are_told_once():
    recorder = Recorder()
    operation = recorder.invoke(0, "write", 1)
    operation.ok()
    for tell in (operation.ok, operation.fail, operation.info):
        with pytest.raises(RuntimeError, match="told already"):
            tell()


def test_a_busy_process_is_an_error_at_once():
    recorder = Recorder()
    recorder.invoke("a", "write", 1)
    with pytest.raises(RuntimeError, match="process 'a' is busy"):
        recorder.invoke("a", "read")
    assert len(recorder.history()) == 1


def test_what_nobody_told_is_indeterminate():
    recorder = Recorder()
    with pytest.raises(ZeroDivisionError):
        with recorder.invoke(0, "write", 1, key="k"):
            1 / 0
    recorder.invoke(0, "write", 2).fail()
    recorder.invoke(0, "write", 3)
    recorder.note("the node n1 was killed")
    history = recorder.history()
    assert [operation.outcome for operation in history] == ["info", "fail", "open"]
    assert history[0].key == "k" and history[1].ret is not None
    assert recorder.notes[0]["text"] == "the node n1 was killed"
