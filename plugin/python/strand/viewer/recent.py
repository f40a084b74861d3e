"""The files that were opened last, kept between windows."""

import contextlib
import os
from pathlib import Path

from strand.io.files import write_text

_KEPT = 8


def _list() -> Path:
    """By the XDG base directory specification."""
    given = os.environ.get("XDG_STATE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "state"
    return base / "strand" / "recent"


def recent_files() -> list[str]:
    """Files that exist, the latest first."""
    try:
        lines = _list().read_text().splitlines()
    except (OSError, ValueError, RuntimeError):  # none yet; no home
        return []
    return [line for line in lines if Path(line).is_file()][:_KEPT]


def remember(file: str | os.PathLike) -> None:
    """Puts a file first. A list that cannot be written is not an error."""
    path = os.path.abspath(file)
    others = [name for name in recent_files() if name != path]
    with contextlib.suppress(OSError, RuntimeError):
        _list().parent.mkdir(parents=True, exist_ok=True)
        write_text(_list(), "\n".join([path, *others][:_KEPT]) + "\n")
