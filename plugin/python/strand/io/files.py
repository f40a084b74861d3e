"""Writes files completely or not at all: under a temporary name first, then renamed."""

import contextlib
import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from strand.errors import StrandError, reason


def write_text(path: str | os.PathLike, text: str) -> None:
    """Writes a text file, completely or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike, content: bytes) -> None:
    """Writes a file, completely or not at all."""
    with whole(path) as beside:
        beside.write_bytes(content)


def check_output(field: str, path: str | os.PathLike) -> None:
    """Raises StrandError if `path` cannot be written. Call it before a long run."""
    with _as_strand_error(field, path):
        beside = _beside(path)
        beside.touch()
        beside.unlink()


def not_binary(field: str, path: str | os.PathLike) -> None:
    """Raises StrandError if `path`, to which MJCF is written, has the ending of binary models."""
    if Path(path).suffix == ".mjb":
        allowed = f"a file of MJCF, such as {Path(path).with_suffix('.xml')}"
        raise StrandError(f"{field}: got '{path}', allowed: {allowed}")


def next_part(path: str | os.PathLike) -> Path:
    """The path of the next part of an output that is not there yet: a.npz, a.2.npz, a.3.npz, ..."""
    first = Path(path)
    stem, _, number = first.stem.rpartition(".")
    if not (stem and number.isdecimal()):
        stem, number = first.stem, "1"
    numbers = itertools.count(int(number) + 1)
    parts = (first.with_name(f"{stem}.{each}{first.suffix}") for each in numbers)
    return next(part for part in parts if not os.path.lexists(part))


def unused(path: str | os.PathLike) -> Path:
    """The path, or that of its next part if something is there."""
    return next_part(path) if os.path.lexists(path) else Path(path)


def make_directory(field: str, path: str | os.PathLike) -> None:
    """Makes a directory, with its parents, unless it is there. Call it before a long run.

    Raises StrandError if that fails, or if files cannot be written to it.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        allowed = f"a directory to write to ({reason(error)})"
        raise StrandError(f"{field}: got '{path}', allowed: {allowed}") from None
    check_output(field, Path(path) / "file")


@contextlib.contextmanager
def whole(path: str | os.PathLike) -> Iterator[Path]:
    """A temporary path to write to, which replaces `path` if the block ends without an error."""
    with _as_strand_error("output", path):
        beside = _beside(path)
        try:
            yield beside
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_folder(field: str, path: str | os.PathLike) -> Iterator[Path]:
    """A temporary folder, which becomes `path` if the block ends without an error.

    Raises StrandError, which names the field, if `path` is there already, or cannot be written.
    """
    if os.path.lexists(path):
        raise StrandError(f"{field}: got '{path}', allowed: a path where nothing is yet")
    check_output(field, path)
    beside = _beside(path)
    beside.mkdir()
    try:
        yield beside
        os.replace(beside, path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _beside(path: str | os.PathLike) -> Path:
    target = Path(path)
    if "\0" in target.name:
        raise OSError("a name with a zero character")
    if target.is_dir():
        raise IsADirectoryError("a directory")
    return target.with_name(f".{os.getpid()}.{target.name}")  # writers may need the extension


@contextlib.contextmanager
def _as_strand_error(field: str, path: str | os.PathLike) -> Iterator[None]:
    """Converts errors of the file system to StrandError, with the path as the user gave it."""
    try:
        if not isinstance(path, str | os.PathLike):
            raise OSError(f"of type {type(path).__name__}")
        yield
    except OSError as error:
        allowed = f"a writable file ({reason(error)})"
        raise StrandError(f"{field}: got '{path}', allowed: {allowed}") from None
