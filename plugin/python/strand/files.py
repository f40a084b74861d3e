"""Files are written whole or not at all: beside their place first, then renamed."""

import os
from pathlib import Path

from strand.errors import StrandError


def write_text(path: str | os.PathLike, text: str) -> None:
    """Writes a text file, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike, content: bytes) -> None:
    """Writes a file, whole or not at all."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StrandError(
            f"output: got {str(path)!r}, allowed: a writable file ({error})"
        ) from None
