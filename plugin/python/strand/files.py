"""Files are written whole or not at all: beside their place first, then renamed."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from strand.errors import StrandError


def write_text(path: str | os.PathLike, text: str) -> None:
    """Writes a text file, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike, content: bytes) -> None:
    """Writes a file, whole or not at all."""
    with whole(path) as beside:
        beside.write_bytes(content)


@contextlib.contextmanager
def whole(path: str | os.PathLike) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` once the block ends without an error."""
    target = Path(path)
    beside = target.with_name(f".{os.getpid()}.{target.name}")  # the extension may matter
    try:
        yield beside
        os.replace(beside, target)
    except OSError as error:
        raise StrandError(
            f"output: got {str(path)!r}, allowed: a writable file ({error})"
        ) from None
    finally:
        beside.unlink(missing_ok=True)
