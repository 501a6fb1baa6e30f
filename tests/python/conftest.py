"""What the tests share."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def histories() -> Path:
    """The folder of the histories that the documents speak of."""
    return ROOT / "histories"


@pytest.fixture
def command() -> str:
    """The command `porpentine`."""
    found = os.environ.get("PORPENTINE_COMMAND") or shutil.which("porpentine")
    if found is None:
        pytest.skip("there is no command porpentine")
    return found
