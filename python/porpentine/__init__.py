"""Decides whether what a concurrent system did is linearizable.

    history = porpentine.read("history.jsonl")
    result = porpentine.check(history, model="register")
    print(result.explain())
"""

from . import models
from ._core import __version__
from ._errors import InputError
from ._generate import generate
from ._history import History, read, read_trace
from ._model import AnyOf, Model, Refusal, any_of, refuse
from ._operation import ModelOperation, Operation
from ._partitions import Verdict, Verdicts, check_partitions
from ._recorder import Invocation, Recorder
from ._result import Failure, Result, UnknownVerdict, check
from ._trace import Trace

__all__ = [
    "AnyOf",
    "Failure",
    "History",
    "InputError",
    "Invocation",
    "Model",
    "ModelOperation",
    "Operation",
    "Recorder",
    "Refusal",
    "Result",
    "Trace",
    "UnknownVerdict",
    "Verdict",
    "Verdicts",
    "__version__",
    "any_of",
    "check",
    "check_partitions",
    "generate",
    "models",
    "read",
    "read_trace",
    "refuse",
]
