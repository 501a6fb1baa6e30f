"""A plugin for pytest: a test records a history, and passes where that is linearizable, too.

    @pytest.mark.porpentine(model="log")
    def test_the_log_survives_its_leader(history):
        with history.invoke(0, "append", "a") as operation:
            operation.ok(cluster.append("a"))

The marker takes `model`, by name or first, the options of `porpentine.check`, and `allow_unknown=True`. It may stand at a
test, a class or a module. pytest finds the plugin by itself where the package is installed.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from pathlib import Path
from typing import Any, Dict, Generator, List, Tuple

import pytest

from ._history import History
from ._recorder import Recorder
from ._result import Result, check

MARKER = "porpentine"
LONGEST_NAME = 100


class _Recording:
    """What a test is to be, what it recorded, and what was left of it in the folder."""

    def __init__(self, model: Any, options: Dict[str, Any]) -> None:
        self.model = model
        self.allow_unknown = bool(options.pop("allow_unknown", False))
        self.options = options
        self.recorder = Recorder()
        self.files: List[Tuple[str, str]] = []

    def history(self) -> History:
        return self.recorder.history(self.model if isinstance(self.model, str) else "")


_RECORDING = pytest.StashKey[_Recording]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("porpentine")
    group.addoption(
        "--porpentine-report",
        metavar="DIR",
        default="porpentine-report",
        help="the folder for the histories, and pages, of tests that fail (porpentine-report)",
    )
    group.addoption("--porpentine-html", action="store_true", help="write those of tests that pass, too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(model, *, allow_unknown=False, **options): what the fixture `history` is judged by at the end, "
        "and options of porpentine.check",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    marked = any(marker.name == MARKER for marker in item.own_markers)
    if marked and "history" not in getattr(item, "fixturenames", ()):
        pytest.fail("the test is marked porpentine, but does not take the fixture `history`: nothing would be judged", False)


@pytest.fixture
def history(request: pytest.FixtureRequest) -> Recorder:
    """A `porpentine.Recorder`. What it recorded is judged when the test has passed; the test fails unless it is valid."""
    recording = _Recording(*_asked(request.node))
    request.node.stash[_RECORDING] = recording
    return recording.recorder


def _asked(item: pytest.Item) -> Tuple[Any, Dict[str, Any]]:
    """The model and the options of the marker that is closest."""
    marker = item.get_closest_marker(MARKER)
    if marker is None:
        pytest.fail('which model? Mark the test, such as @pytest.mark.porpentine(model="register")', False)
    options = dict(marker.kwargs)
    models = [*marker.args, *([options.pop("model")] if "model" in options else [])]
    if len(models) != 1:
        pytest.fail('the marker porpentine takes one model, such as @pytest.mark.porpentine(model="register")', False)
    possible = inspect.signature(check).parameters.keys() - {"history", "model", "progress"} | {"allow_unknown"}
    for name in options.keys() - possible:
        pytest.fail(f"the marker porpentine has no {name!r}, but model, {', '.join(sorted(possible))}", False)
    return models[0], options


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Judges what was recorded. The test itself ran before, and raises where it fails: then this is not called."""
    recording = item.stash.get(_RECORDING, None)
    if recording is None:
        return
    recorded = recording.history()
    if len(recorded) == 0:
        pytest.fail("the history is empty: the test recorded no operation, so nothing was judged", False)
    result = check(recorded, recording.model, progress=False, **recording.options)
    passes = result.valid or (recording.allow_unknown and not result.invalid)
    if not passes or item.config.getoption("porpentine_html"):
        _write(item, recording, result)
    if not passes:
        pytest.fail(_told(result), False)


def _told(result: Result) -> str:
    if result.invalid:
        return f"the history is not linearizable: {result.explain()}"
    return (
        f"the verdict on the history is unknown ({result.reason}), which is no pass: raise the limit, record less, or "
        "mark the test with allow_unknown=True"
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Leaves the history of a test that failed by itself, and tells whoever writes the summary of the files."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    recording = item.stash.get(_RECORDING, None)
    if recording is None:
        return
    if report.failed and not recording.files:
        try:
            recorded = recording.history()
            if len(recorded) > 0:
                _write(item, recording, recorded)
        except (OSError, TypeError, ValueError) as error:  # the test's own failure stays what it is
            report.sections.append(("porpentine", f"the history can't be written: {error}"))
    if recording.files:
        report.porpentine_files = recording.files  # type: ignore[attr-defined]


def _write(item: pytest.Item, recording: _Recording, judged: "Result | History") -> None:
    """Writes the history and its page: of a history that was not judged, one without a verdict."""
    folder = Path(item.config.getoption("porpentine_report"))
    folder.mkdir(parents=True, exist_ok=True)
    base = folder / file_name(item.nodeid, os.environ.get("PYTEST_XDIST_WORKER", ""))
    recorded = judged if isinstance(judged, History) else judged.history
    verdict = "not judged" if isinstance(judged, History) else judged.verdict
    for suffix, write in ((".jsonl", recorded.write), (".html", judged.to_html)):
        write(f"{base}{suffix}")
        recording.files.append((f"{base}{suffix}", verdict))


def file_name(test: str, worker: str = "") -> str:
    """A name for the files of a test, without a suffix: readable, safe on every system, and no other test's.

    Args:
        test: The test's id, as pytest has it.
        worker: That of pytest-xdist, since workers may run the same test; empty where there is none.
    """
    readable = re.sub(r"[^A-Za-z0-9_]+", "-", test).strip("-")[-LONGEST_NAME:]
    digest = hashlib.sha256(test.encode()).hexdigest()[:8]
    return "-".join(part for part in (readable, digest, worker) if part)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Lists the files."""
    files = [
        file
        for reports in terminalreporter.stats.values()
        for report in reports
        for file in getattr(report, "porpentine_files", ())
    ]
    if files:
        terminalreporter.section("porpentine")
    for name, verdict in dict(files).items():
        terminalreporter.write_line(f"{name} ({verdict})")
