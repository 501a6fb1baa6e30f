"""Checking, and what a result tells."""

import gzip
import io
import json
import subprocess
import threading
from datetime import timedelta

import pytest

import porpentine


def test_a_stale_read_is_invalid_and_says_why(histories):
    result = porpentine.check(histories / "stale-read.jsonl")
    assert result.verdict == "invalid" and result.invalid and not result.valid
    assert bool(result) is False
    [failure] = result.failures
    assert failure.operation == result.history[4]
    assert failure.core == (0, 3, 4)
    assert "can't be placed where the register holds" in failure.message
    assert failure.stuck[0][2] == [(4, 'the register holds "red"')]
    assert result.reason is None


def test_a_late_write_is_valid_and_has_an_order(histories):
    result = porpentine.check(histories / "late-write.jsonl")
    assert result and result.failures == []
    order = result.order
    assert order is not None and sorted(order) == [0, 1, 2, 3, 4]


def test_orders_are_told_by_key():
    result = porpentine.check(porpentine.generate("kv", operations=100, keys=3))
    assert set(result.orders) == {"k0", "k1", "k2"}
    with pytest.raises(ValueError, match="several partitions"):
        result.order


def test_an_unknown_verdict_is_neither_true_nor_false():
    result = porpentine.check(porpentine.generate("register"), engine="search", step_limit=1)
    assert result.verdict == "unknown" and result.reason == "step-limit"
    assert not result.valid and not result.invalid
    with pytest.raises(porpentine.UnknownVerdict):
        bool(result)
    assert "unknown" in repr(result) and result.to_dict()["valid"] == "unknown"


def test_a_time_limit_may_be_a_timedelta():
    history = porpentine.generate("queue", operations=600, clients=24, values=2, rounds=True)
    assert porpentine.check(history, engine="search", time_limit=timedelta(milliseconds=20)).reason == "time-limit"


@pytest.mark.parametrize("arguments", [{"engine": "fast"}, {"order": "random"}, {"time_limit": -1.0}])
def test_options_that_do_not_exist_are_errors(arguments):
    with pytest.raises(ValueError):
        porpentine.check(porpentine.generate("register", operations=10), **arguments)


def test_the_command_says_the_same(histories, command):
    for name in ("stale-read.jsonl", "late-write.jsonl", "early-delivery.jsonl"):
        file = str(histories / name)
        result = porpentine.check(file)
        said = subprocess.run([command, "explain", file], capture_output=True, text=True).stdout
        explained = result.explain()
        if result.valid:  # it tells how long it took
            said, explained = said.partition(",")[0], explained.partition(",")[0]
        assert explained == said
        document = json.loads(subprocess.run([command, "check", "--json", file], capture_output=True).stdout)
        mine = result.to_dict()
        for times in (document, mine):
            times.pop("elapsed_s")
            times["stats"].pop("explain_s", None)
            times["stats"].pop("peak_memory", None)
        assert mine == document


def test_the_command_tells_its_version(command):
    said = subprocess.run([command, "--version"], capture_output=True, text=True).stdout
    assert porpentine.__version__ in said


def test_a_page_is_one_file(histories, tmp_path):
    result = porpentine.check(histories / "stale-read.jsonl")
    page = result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert page.startswith("<!") and "stale-read" in page


def test_a_notebook_shows_a_picture_without_a_script(histories):
    html = porpentine.check(histories / "stale-read.jsonl")._repr_html_()
    assert html.count("<rect") == 3 and "<script" not in html and "<b>invalid</b>" in html
    assert "valid" in porpentine.check(histories / "late-write.jsonl")._repr_html_()


def test_what_is_shown_opens_in_the_browser(histories, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    porpentine.check(histories / "stale-read.jsonl").show()
    assert opened[0].startswith("file:///")


def test_causal_traces_are_judged(histories, tmp_path):
    trace = porpentine.read_trace(histories / "early-delivery.jsonl")
    assert "orders-0" in trace.channels
    with pytest.raises(porpentine.InputError, match="read_trace reads it"):
        porpentine.read(histories / "early-delivery.jsonl")
    with pytest.raises(porpentine.InputError, match="no causal trace"):
        porpentine.read_trace(histories / "stale-read.jsonl")
    result = porpentine.check(trace)
    with pytest.raises(ValueError):
        result.history
    assert result.invalid and "orders-0@0" in result.failures[0].message
    assert "precedes" in result.explain() and result.to_html().startswith("<!")
    trace.write(tmp_path / "again.jsonl.zst")
    assert porpentine.check(tmp_path / "again.jsonl.zst").invalid


@pytest.mark.parametrize(
    "text, line, message",
    [
        ('{"process": 1', 1, "not JSON"),
        ('{"process": 1, "f": "read", "call": 5, "return": 4}', 1, "return before its call"),
        ('{"process": 1, "f": "read", "call": "x"}', 1, "not a 64-bit integer"),
    ],
)
def test_what_is_no_history_is_an_error_with_its_place(text, line, message):
    with pytest.raises(porpentine.InputError, match=message) as caught:
        porpentine.read(io.StringIO(text))
    assert caught.value.line == line and caught.value.file == "<memory>"
    assert str(caught.value).startswith("<memory>:1: ")


def test_an_operation_that_the_model_does_not_know_is_an_error():
    history = porpentine.History([{"process": 0, "f": "fly", "call": 0, "return": 1}])
    with pytest.raises(porpentine.InputError, match='has no "fly"'):
        porpentine.check(history, "register")
    with pytest.raises(porpentine.InputError, match='no model "regster"'):
        porpentine.check(history, "regster")
    with pytest.raises(ValueError, match="which model"):
        porpentine.check(history)


def test_a_missing_file_is_an_oserror(tmp_path):
    with pytest.raises(FileNotFoundError):
        porpentine.read(tmp_path / "nothing.jsonl")
    with pytest.raises(OSError):
        porpentine.generate("register", operations=3).write(tmp_path / "no" / "folder.jsonl")


def test_open_files_are_read_compressed_or_not(histories):
    content = (histories / "stale-read.jsonl").read_bytes()
    assert len(porpentine.read(io.BytesIO(gzip.compress(content)))) == 5
    with open(histories / "stale-read.jsonl", "rb") as file:
        assert porpentine.read(file).file == str(histories / "stale-read.jsonl")


def test_threads_check_one_history_at_the_same_time_with_different_models():
    history = porpentine.generate("register", operations=20_000)
    verdicts = {}

    def check(initial):
        model = porpentine.models.register(initial=initial)
        verdicts[initial] = [porpentine.check(history, model).verdict for _ in range(5)]

    threads = [threading.Thread(target=check, args=(initial,)) for initial in ("a", "b", "c", None)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == {None: ["valid"] * 5, **{name: verdicts[name] for name in "abc"}}
    assert all(len(set(each)) == 1 for each in verdicts.values())


def test_bars_show_on_demand_alone(capsys):
    porpentine.check(porpentine.generate("register", operations=1000))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("info", porpentine.models.all(), ids=lambda info: info["name"])
def test_every_model_has_a_function_that_gives_its_name(info):
    function = getattr(porpentine.models, info["name"].replace("-", "_"))
    arguments = {"accounts": {"a": 100, "b": 0}} if info["name"] == "bank" else {}
    assert function(**arguments).partition(":")[0] == info["name"]
    names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
    assert {name.replace("_", "-") for name in names} == {name for name, _, _ in info["options"]}
    assert function.__doc__


def test_options_of_models_are_written_as_the_command_takes_them():
    models = porpentine.models
    assert models.register(initial="a", nil_read="any") == 'register:initial="a":nil-read=any'
    assert models.mutex(fenced=True, owned=True) == "mutex:owned:fenced"
    history = porpentine.History([{"process": 0, "f": "read", "output": 0, "call": 0, "return": 1}])
    assert porpentine.check(history, models.register(initial=0)) and not porpentine.check(history, models.register())


@pytest.mark.parametrize("fault", ["none", "stale-read"])
def test_what_is_generated_has_the_fault_that_was_asked_for(fault):
    history = porpentine.generate("log", operations=500, keys=2, fault=fault, seed=7)
    assert porpentine.check(history).valid == (fault == "none")
    assert [*history] == [*porpentine.generate("log", operations=500, keys=2, fault=fault, seed=7)]


def test_a_fault_that_a_model_does_not_have_is_an_error():
    with pytest.raises(ValueError, match="no fault"):
        porpentine.generate("register", fault="lost")
    with pytest.raises(porpentine.InputError, match="no simulated object"):
        porpentine.generate("abacus")
