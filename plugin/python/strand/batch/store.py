"""Where records go: memory, or an NPZ or Zarr file, written as worlds finish.

Files are there completely or not at all: until the end everything is beside them.
"""

import contextlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from strand.errors import StrandError
from strand.io.files import check_output, whole, whole_folder

Shape = tuple[int, ...]


class Store(Protocol):
    """Keeps arrays (worlds, ...). Several threads may write, each the rows of its worlds."""

    def array(self, name: str, shape: Shape) -> Any:
        """A new array of floats, which takes `array[world] = row`."""

    def finish(self, small: dict[str, np.ndarray]) -> dict[str, Any]:
        """Adds small arrays; returns the large ones, to be read."""


@contextlib.contextmanager
def opened(out: str | os.PathLike | None) -> Iterator[Store]:
    """A store in memory, or in the file `out`. Raises StrandError if it cannot be written."""
    if out is None:
        yield _Memory()
        return
    path = Path(out) if isinstance(out, str | os.PathLike) else Path()
    if path.suffix not in (".npz", ".zarr"):
        raise StrandError(f"out: got {out!r}, allowed: a path that ends in .npz or .zarr")
    with _npz(path) if path.suffix == ".npz" else _zarr(path) as store:
        yield store


class _Memory:
    def __init__(self) -> None:
        self._arrays: dict[str, np.ndarray] = {}

    def array(self, name: str, shape: Shape) -> np.ndarray:
        return self._arrays.setdefault(name, np.empty(shape))

    def finish(self, small: dict[str, np.ndarray]) -> dict[str, Any]:
        return self._arrays


@contextlib.contextmanager
def _npz(path: Path) -> Iterator[Store]:
    check_output("out", path)
    with tempfile.TemporaryDirectory(prefix=".", dir=path.parent) as folder:
        store = _Npz(path, Path(folder))
        with contextlib.closing(store):
            yield store


class _Rows:
    """An array in a file of numbers. A full disk is an error, and not a signal as of a memmap."""

    def __init__(self, file: BinaryIO, shape: Shape) -> None:
        self.file, self.shape = file, shape
        self._size = 8 * int(np.prod(shape[1:]))  # bytes of a row

    def __setitem__(self, world: int, row: np.ndarray) -> None:
        os.pwrite(
            self.file.fileno(), np.ascontiguousarray(row, float).tobytes(), world * self._size
        )


class _Npz:
    def __init__(self, path: Path, folder: Path) -> None:
        self._path, self._folder = path, folder
        self._arrays: dict[str, _Rows] = {}

    def array(self, name: str, shape: Shape) -> _Rows:
        file = (self._folder / str(len(self._arrays))).open("w+b")
        return self._arrays.setdefault(name, _Rows(file, shape))

    def close(self) -> None:
        for rows in self._arrays.values():
            rows.file.close()

    def finish(self, small: dict[str, np.ndarray]) -> dict[str, Any]:
        with whole(self._path) as beside, zipfile.ZipFile(beside, "w") as archive:
            for name, array in small.items():
                with archive.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
            for name, rows in self._arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    _write_rows(member, rows)
        return {name: mapped(self._path, name) for name in self._arrays}


def _write_rows(member: Any, rows: _Rows) -> None:
    header = {"descr": "<f8", "fortran_order": False, "shape": rows.shape}
    np.lib.format.write_array_header_2_0(member, header)
    rows.file.seek(0)
    shutil.copyfileobj(rows.file, member, 1 << 20)


def mapped(path: Path, name: str) -> np.ndarray:
    """An array of an NPZ file that is not compressed, on the disk: only what is read is loaded."""
    with zipfile.ZipFile(path) as archive, archive.open(f"{name}.npy") as member:
        np.lib.format.read_magic(member)
        shape, _, dtype = np.lib.format.read_array_header_2_0(member)
        header, info = member.tell(), archive.getinfo(f"{name}.npy")
    with path.open("rb") as file:
        file.seek(info.header_offset + 26)  # of the lengths of the name and of an extra field
        lengths = np.frombuffer(file.read(4), "<u2").sum(dtype=int)
    start = info.header_offset + 30 + lengths + header
    return np.memmap(path, dtype, "r", offset=int(start), shape=shape)


@contextlib.contextmanager
def _zarr(path: Path) -> Iterator[Store]:
    try:
        import zarr
    except ImportError:
        allowed = ".npz, or .zarr with zarr installed (pip install 'zarr>=3')"
        raise StrandError(f"out: got '{path}', allowed: {allowed}") from None
    with whole_folder("out", path) as beside:
        store = _Zarr(zarr.open_group(beside, mode="w"))
        yield store
    store.moved(zarr.open_group(path, mode="r"))


class _Zarr:
    def __init__(self, group: Any) -> None:
        self._group = group
        self._arrays: dict[str, Any] = {}

    def array(self, name: str, shape: Shape) -> Any:
        # One chunk for each world, so that no two threads write to the same one.
        made = self._group.create_array(name, shape=shape, chunks=(1, *shape[1:]), dtype="f8")
        return self._arrays.setdefault(name, made)

    def finish(self, small: dict[str, np.ndarray]) -> dict[str, Any]:
        for name, array in small.items():
            if array.dtype.kind == "U":
                self._group.attrs[name] = str(array)
            else:
                self._group.create_array(name, data=array)
        return self._arrays

    def moved(self, group: Any) -> None:
        """The folder has its final name."""
        self._arrays.update({name: group[name] for name in self._arrays})
