"""A corpus of recorded histories with their verdicts, in the folder that PORPENTINE_CORPUS names."""

import csv
import os
from pathlib import Path

import pytest

import porpentine
from sequential import Register

CORPUS = Path(os.environ.get("PORPENTINE_CORPUS", "/nonexistent"))


def manifest():
    """(file, format, model, valid) of each history."""
    if not (CORPUS / "MANIFEST.tsv").exists():
        return []
    with open(CORPUS / "MANIFEST.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(row["file"], row["format"], row["model"], row["valid"] == "true") for row in rows]


ALL = manifest()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ALL, reason="PORPENTINE_CORPUS names no corpus")]


def read(file, format):
    return porpentine.read(CORPUS / file, format=format)


def test_verdicts_are_those_of_the_manifest():
    wrong = [
        (file, result)
        for file, format, model, valid in ALL
        for result in [porpentine.check(read(file, format), model)]
        if result.verdict != ("valid" if valid else "invalid")
    ]
    assert wrong == [] and len(ALL) > 0


def test_a_register_in_python_gives_the_same_verdicts():
    calls = {}
    wrong = []
    for file, format, model, valid in ALL:
        name, _, options = model.partition(":")
        if name not in ("register", "cas-register"):
            continue
        python = Register(nil_reads_say_nothing=name == "cas-register")
        python.initial = 0 if options == "initial=0" else None
        result = porpentine.check(read(file, format), python, time_limit=60)
        calls[file] = python.calls
        if result.verdict != ("valid" if valid else "invalid"):
            wrong.append((file, result))
    print(f"{len(calls)} histories, {sum(calls.values())} calls of the model, {max(calls.values())} for one at most")
    assert wrong == []
