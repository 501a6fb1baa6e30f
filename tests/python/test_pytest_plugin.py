"""The plugin for pytest."""

import re

import pytest

import porpentine
from conftest import ROOT

pytest_plugins = ["pytester"]

HEAD = """
import pytest

def record(history, *reads):
    with history.invoke(0, "write", "a") as operation:
        operation.ok()
    for value in reads:
        with history.invoke(1, "read") as operation:
            operation.ok(value)
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs pytest over a module, with this plugin and others that are named."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)

    def run(code, *arguments, plugins=(), head=HEAD):
        pytester.makepyfile(test_it=head + code)
        named = [part for name in ("porpentine.pytest_plugin", *plugins) for part in ("-p", name)]
        result = pytester.runpytest_subprocess(*named, "-p", "no:cacheprovider", *arguments)
        result.files = sorted(path.name for path in pytester.path.glob("*/*.*") if path.suffix in (".jsonl", ".html"))
        return result

    return run


def test_a_valid_history_passes_and_leaves_nothing(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_reads(history):
    record(history, "a")
""")
    result.assert_outcomes(passed=1)
    assert result.files == []


def test_an_invalid_history_fails_the_test_with_its_core(run, pytester):
    result = run("""
@pytest.mark.porpentine("register")
def test_reads(history):
    record(history, "a", None)
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*history is not linearizable*", "*read() -> null*can't be placed*", "*The core*", "*process 0*process 1*"]
    )
    page, history = result.files
    result.stdout.fnmatch_lines([f"porpentine-report/{history} (invalid)", f"porpentine-report/{page} (invalid)"])
    again = porpentine.check(pytester.path / "porpentine-report" / history)
    assert again.invalid and again.model == "register"
    assert (pytester.path / "porpentine-report" / page).read_text().startswith("<!")


UNKNOWN = """
@pytest.mark.porpentine(model="register", engine="search", step_limit=1{})
def test_reads(history):
    record(history, "a", "a")
"""


def test_an_unknown_verdict_fails_the_test(run):
    result = run(UNKNOWN.format(""))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*unknown (step-limit), which is no pass*"])
    assert len(result.files) == 2


def test_an_unknown_verdict_may_be_allowed(run):
    result = run(UNKNOWN.format(", allow_unknown=True"))
    result.assert_outcomes(passed=1)
    assert result.files == []


def test_what_is_invalid_fails_where_an_unknown_is_allowed(run):
    result = run("""
@pytest.mark.porpentine(model="register", allow_unknown=True)
def test_reads(history):
    record(history, "b")
""")
    result.assert_outcomes(failed=1)


def test_a_test_that_fails_keeps_its_failure_and_leaves_the_history(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_reads(history):
    record(history, "b")
    assert 1 + 1 == 3
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert (1 + 1) == 3*", "porpentine-report/*.jsonl (not judged)"])
    result.stdout.no_fnmatch_line("*linearizable*")
    assert len(result.files) == 2


def test_a_failure_stays_where_the_history_cannot_be_written(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_reads(history):
    record(history, object())
    assert 1 + 1 == 3
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*assert (1 + 1) == 3*", "*the history can't be written*"])


def test_an_empty_history_fails_the_test(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_nothing(history):
    pass
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*history is empty*"])


def test_a_skipped_test_is_not_judged(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_reads(history):
    pytest.skip("not today")
""")
    result.assert_outcomes(skipped=1)


def test_an_expected_failure_may_be_an_invalid_history(run):
    result = run("""
@pytest.mark.xfail(strict=True)
@pytest.mark.porpentine(model="register")
def test_reads(history):
    record(history, "b")
""")
    result.assert_outcomes(xfailed=1)


def test_a_module_is_marked_as_a_whole_and_models_may_be_classes(run):
    result = run("""
class Anything:
    initial = 0
    def step(self, state, operation):
        return state

pytestmark = pytest.mark.porpentine(model=Anything, time_limit=60)

def test_reads(history):
    record(history, "b")

@pytest.mark.porpentine(model="register")
def test_reads_a_register(history):
    record(history, "b")

def test_something_else():
    pass
""")
    result.assert_outcomes(passed=2, failed=1)


@pytest.mark.parametrize(
    "marker, message",
    [
        ("", "*which model? Mark the test*"),
        ("@pytest.mark.porpentine()", "*takes one model*"),
        ("@pytest.mark.porpentine('kv', model='log')", "*takes one model*"),
        ("@pytest.mark.porpentine('kv', speed=3)", "*has no 'speed', but model, allow_unknown*"),
    ],
)
def test_misuse_is_an_error_before_the_test(run, marker, message):
    result = run(f"""
{marker}
def test_reads(history):
    record(history, "a")
""")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])


def test_a_marked_test_without_the_fixture_is_an_error(run):
    result = run("""
@pytest.mark.porpentine(model="register")
def test_reads():
    pass
""")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*does not take the fixture `history`*"])


def test_a_model_that_does_not_know_an_operation_fails_the_test(run):
    result = run("""
@pytest.mark.porpentine(model="queue")
def test_reads(history):
    record(history, "a")
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['*has no "write"*'])


PARAMETRIZED = """
@pytest.mark.porpentine(model="register")
@pytest.mark.parametrize("name", ["a/b", "a b", "a:b", "..", "é" * 300, "", "a\\\\b"])
def test_reads(history, name):
    record(history, "a")
"""


def test_all_tests_leave_files_with_safe_names_where_that_is_asked_for(run):
    result = run(PARAMETRIZED, "--porpentine-html", "--porpentine-report", "pages")
    result.assert_outcomes(passed=7)
    assert len(result.files) == 14
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{,120}\.(jsonl|html)", name) for name in result.files)
    result.stdout.fnmatch_lines([f"pages/{name} (valid)" for name in result.files if "a-b" in name][:1])


@pytest.mark.parametrize("dist", ["load", "each"])
def test_workers_of_xdist_write_files_of_their_own(run, dist):
    pytest.importorskip("xdist")
    result = run(PARAMETRIZED, "--porpentine-html", "--tx", "2*popen", "--dist", dist, plugins=["xdist"])
    copies = 2 if dist == "each" else 1
    result.assert_outcomes(passed=7 * copies)
    assert len(result.files) == 14 * copies and all("-gw" in name for name in result.files)
    assert sum("(valid)" in line for line in result.outlines) == 14 * copies


def test_the_test_of_the_guide_passes(run):
    [code] = re.findall(
        r"^```python\n(import pytest\n.*?)^```$", (ROOT / "python" / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    result = run(code, head="import porpentine\n")
    result.assert_outcomes(passed=1)
