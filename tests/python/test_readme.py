"""The code of the user's guide runs, and passes mypy --strict."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import porpentine
from conftest import ROOT

NEEDS = {
    "check_partitions": "pyarrow",
    "to_pandas": "pandas",
    "import distributed": "distributed",
    "import hypothesis": "hypothesis",
}


def can_run(code):
    """Whether what the code needs is there."""
    return all(importlib.util.find_spec(module) for words, module in NEEDS.items() if words in code)


GUIDE = (ROOT / "python" / "README.md").read_text()
CODE = [code for code in re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL) if can_run(code)]


# Of the plugin for pytest, which need not be active in this run.
@pytest.mark.filterwarnings("ignore:Unknown pytest.mark.porpentine")
def test_the_code_of_the_guide_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(CODE), "python/README.md", "exec"), {"__name__": "guide"})
    said = capsys.readouterr().out
    assert "can't be placed where the register holds" in said
    assert "no two operations overlap" in said
    assert 'has no "fly"' in said


def test_the_code_of_the_readme_runs(monkeypatch, capsys):
    [code] = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert capsys.readouterr().out.startswith("invalid read()")


@pytest.mark.slow
def test_the_package_and_the_code_of_the_guide_are_strictly_typed(tmp_path):
    pytest.importorskip("mypy")
    guide = tmp_path / "guide.py"
    guide.write_text("\n".join(CODE))
    package = ROOT / "python" / "porpentine"
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache")]
    for what in ([], [str(guide)]):
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", *config, *what], cwd=ROOT, capture_output=True, text=True
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr
    assert package.is_dir() and Path(porpentine.__file__).name == "__init__.py"
