"""Checking, and what it found."""

from __future__ import annotations

import inspect
import json
import os
import tempfile
import webbrowser
from dataclasses import dataclass
from datetime import timedelta
from html import escape
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _core
from ._history import History, read_any
from ._model import Model
from ._operation import Operation
from ._page import Path, kept
from ._picture import svg
from ._progress import showing
from ._trace import Trace
from ._values import Json


class UnknownVerdict(RuntimeError):
    """Raised where an unknown verdict would have to be taken for true or false."""


@dataclass(frozen=True)
class Failure:
    """Why one partition is not linearizable, or one violation of causal delivery.

    Attributes:
        message: In one line.
        key: The partition's key, or the record's channel.
        operation: The first that can't be placed: the history before its return is linearizable. None in a trace.
        core: Indices of few operations that can't be ordered, whatever all others did.
        core_is_minimal: Whether none of them is superfluous.
        longest_prefix: How many operations with a known outcome returned before it, in its partition.
        order: An order of these, as indices.
        stuck: (state, operations placed after `order`, [(operation, reason why it is refused), ...]) of some ends.
    """

    message: str
    key: Json = None
    operation: Optional[Operation] = None
    core: Tuple[int, ...] = ()
    core_is_minimal: bool = False
    longest_prefix: int = 0
    order: Tuple[int, ...] = ()
    stuck: Tuple[Tuple[str, List[int], List[Tuple[int, str]]], ...] = ()


class Result:
    """A verdict with its reasons.

    ``bool(result)`` is True for valid, False for invalid, and raises `UnknownVerdict` for unknown, which is neither.
    """

    def __init__(self, core: _core.Judgement, recorded: Union[History, Trace], progress: Optional[bool]) -> None:
        self._core = core
        self._recorded = recorded
        self._progress = progress

    @property
    def history(self) -> History:
        """What was judged. Raises ValueError where that was a trace."""
        if not isinstance(self._recorded, History):
            raise ValueError("a trace was judged, and no history")
        return self._recorded

    @property
    def verdict(self) -> str:
        """ "valid", "invalid" or "unknown": a limit was reached, and there may or may not be a violation."""
        return self._core.verdict

    @property
    def valid(self) -> bool:
        """Whether the verdict is "valid"."""
        return self.verdict == "valid"

    @property
    def invalid(self) -> bool:
        """Whether the verdict is "invalid"; an unknown one is neither."""
        return self.verdict == "invalid"

    @property
    def reason(self) -> Optional[str]:
        """Of an unknown: "time-limit", "memory-limit", "step-limit", "cancelled" or "not-applicable"; else None."""
        return self._core.reason if self.verdict == "unknown" else None

    @property
    def model(self) -> str:
        """The model's name, with its options."""
        return self._core.model

    @property
    def elapsed_s(self) -> float:
        """Seconds that the check took."""
        return self._core.elapsed_s

    @property
    def failures(self) -> List[Failure]:
        """One for each invalid partition."""
        return [self._failure(**fields) for fields in self._core.failures]

    @property
    def orders(self) -> Dict[Any, Optional[List[int]]]:
        """For each partition that is valid, by its key, an order of its operations, as indices.

        None where none was found within the limits. Where keys are lists or dicts, by their JSON.
        """
        if self.valid:
            with showing(self._progress, "ordering", "op") as bar:
                self._core.find_orders(bar)
        return {
            json.dumps(key) if isinstance(key, (list, dict)) else key: order
            for key, verdict, order in self._core.partitions
            if verdict == "valid"
        }

    @property
    def order(self) -> Optional[List[int]]:
        """The order of a history that is one partition. Raises ValueError where there are several: see `orders`."""
        if len(self._core.partitions) > 1:
            raise ValueError("there are several partitions, each with an order of its own: see `orders`")
        return next(iter(self.orders.values()), None)

    def explain(self) -> str:
        """What ``porpentine explain`` prints: of what is invalid, the smallest cores that are found soon."""
        with showing(self._progress, "explaining", "op") as bar:
            return self._core.explain(bar)

    def to_dict(self) -> Dict[str, Json]:
        """The document of ``porpentine check --json``."""
        document: Dict[str, Json] = json.loads(self._core.json())
        return document

    def to_html(self, path: Optional[Path] = None) -> str:
        """A page with the verdict, the reasons and a timeline, which needs no network; also written to `path`."""
        with showing(self._progress, "explaining", "op") as bar:
            return kept(self._core.to_html(bar), path)

    def show(self) -> None:
        """Shows the page: in a notebook where there is one, else in the browser."""
        page = self.to_html()
        if _in_notebook():
            from IPython.display import HTML, display

            display(HTML(f'<iframe srcdoc="{escape(page)}" style="width: 100%; height: 40em; border: 0"></iframe>'))
            return
        with tempfile.NamedTemporaryFile(
            "w", prefix="porpentine-", suffix=".html", delete=False, encoding="utf-8"
        ) as file:
            file.write(page)
        webbrowser.open("file://" + os.path.abspath(file.name))

    def __bool__(self) -> bool:
        if self.verdict == "unknown":
            raise UnknownVerdict(f"the verdict is unknown ({self.reason}), neither valid nor invalid")
        return self.valid

    def __str__(self) -> str:
        """What ``porpentine check`` prints."""
        return self._core.report().rstrip("\n")

    def __repr__(self) -> str:
        said = f" ({self.reason})" if self.reason else ""
        if self.invalid:
            said = ": " + self._core.failures[0]["message"]
        return f"<porpentine.Result {self.verdict}{said}>"

    def _repr_html_(self) -> str:
        text = f"<p><b>{escape(self.verdict)}</b> ({escape(self.model)})</p>"
        if not self.invalid or isinstance(self._recorded, Trace):
            return text + f"<pre>{escape(str(self))}</pre>"
        failure = self.failures[0]
        assert failure.operation is not None
        picture = svg(self.history, failure.core or (failure.operation.index,), failure.operation.index)
        return text + f"<p>{escape(failure.message)}</p>" + picture

    def _failure(self, operation: Optional[int], **fields: Any) -> Failure:
        said = None if operation is None else self.history[operation]
        sequences = {name: tuple(value) for name, value in fields.items() if isinstance(value, list) and name != "key"}
        return Failure(operation=said, **{**fields, **sequences})


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def check(
    history: Union[History, Trace, Path, Iterable[Any], Mapping[str, Any], Any],
    model: Union[str, Model, type, None] = None,
    *,
    time_limit: Union[float, timedelta, None] = None,
    memory_limit: Optional[int] = None,
    step_limit: Optional[int] = None,
    jobs: int = 0,
    engine: str = "auto",
    order: str = "portfolio",
    verify: bool = False,
    test_promises: bool = False,
    progress: Optional[bool] = None,
) -> Result:
    """Decides whether a history is linearizable; of a causal trace, whether delivery was causal.

    Ctrl-C ends it with KeyboardInterrupt. Several threads may check at once, also one history.

    Args:
        history: A `History` or `Trace`, the name of a file to read, or whatever `History` takes.
        model: The name of a built-in model, with its options (`porpentine.models`), or a model of your own
            (`porpentine.Model`), as an object or as a class. Default: the one that the history names.
        time_limit: Seconds, or a timedelta. At a limit the verdict is "unknown". Default: none.
        memory_limit: Bytes that the check may hold. Default: 80% of the machine's memory.
        step_limit: Steps of the model. Default: none.
        jobs: Threads; 0: as many as there are processors. Models of your own are asked by one.
        engine: "auto" (a monitor, which needs no search, where one applies), "search" or "monitor".
        order: Of the search: "portfolio", "breadth-first" or "depth-first".
        verify: Replay the order that is found of what is valid.
        test_promises: Test at every step what the model promises (read_only). Slow: for testing models.
        progress: Whether to show a bar; None: on a terminal, where tqdm is there.

    Raises:
        InputError: Where it is not a history, or the model does not know an operation. Never a verdict.
        ValueError: Where no model is named.
        Exception: Whatever a model of your own raises, with the `operation` that it was about as an attribute.
    """
    if isinstance(history, (str, os.PathLike)):
        history = read_any(history, "auto", False, memory_limit, progress)
    elif not isinstance(history, (History, Trace)):
        history = History(history)
    limit = time_limit.total_seconds() if isinstance(time_limit, timedelta) else time_limit
    options = _core.CheckOptions(
        time_limit=limit,
        memory_limit=memory_limit,
        step_limit=step_limit,
        jobs=jobs,
        engine=engine,
        order=order,
        verify=verify,
        test_promises=test_promises,
    )
    if isinstance(history, Trace):
        if model not in (None, "causal-delivery"):
            raise ValueError("a trace is judged by the model causal-delivery")
        with showing(progress, "checking", "event") as bar:
            return Result(_core.check_trace(history._core, options, bar), history, progress)
    chosen = history.model if model is None else model
    if chosen == "":
        raise ValueError("which model? Name one, such as model='register'; porpentine.models lists them")
    with showing(progress, "checking", "op") as bar:
        core = _core.check_history(history._core, chosen() if inspect.isclass(chosen) else chosen, options, bar)
    return Result(core, history, progress)
