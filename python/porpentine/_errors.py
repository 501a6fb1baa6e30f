"""What is raised where an input is no history."""

from __future__ import annotations

from typing import Optional


class InputError(ValueError):
    """An input that is not a history, or that a model does not know. Never a verdict.

    Attributes:
        message: What is wrong, in one line, with the offending text.
        file: The input's name, or None.
        line: Where, counted from 1, or None.
    """

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None) -> None:
        super().__init__(message, file, line)
        self.message = message
        self.file = file
        self.line = line

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        return f"{place}: {self.message}" if place else self.message
