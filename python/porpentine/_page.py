"""Pages, and where they are kept."""

from __future__ import annotations

import os
from typing import Optional, Union

Path = Union[str, "os.PathLike[str]"]


def kept(page: str, path: Optional[Path]) -> str:
    """The page, also written to `path` where there is one."""
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return page
