"""Numbers in scene files: constants, or tables against time."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from strand.errors import StrandError
from strand.io import tables
from strand.scene.keys import Timed, named, read_file

#: Units that names of columns may end with, and that a scene would take to be m, s, rad or N.
_NOT_SI = {"um", "mm", "cm", "dm", "km", "inch", "ft", "ms", "deg", "degrees", "mN", "kN"}
_AXES = ["x", "y", "z"]


def function(
    where: str, table: Timed, folder: Path, constant: str, *counts: int, rate: bool = False
) -> Callable[[float], np.ndarray]:
    """The numbers as a function of time (s): those of the file, or the constant.

    where: name of the table, for errors. constant: key of the constant. counts: allowed numbers of
    components. rate: the constant is a rate, which is integrated from 0 s.
    """
    given = getattr(table, constant)
    if (given is None) == (table.file is None):
        got = "none" if given is None else "both"
        raise StrandError(f"{where}: got {got}, allowed: one of {constant} and file")
    if table.file is None:
        values = np.atleast_1d(np.asarray(given, float)).ravel()
        if values.size not in counts:
            raise StrandError(f"{where}.{constant}: got {values.size}, allowed: {_or(counts)}")
        return (lambda time: time * values) if rate else (lambda time: values)
    read = _read(where, table.file, table, folder)
    if len(read.columns) - 1 not in counts:
        raise StrandError(
            f"{where}.file: got {len(read.columns) - 1} columns beside the time, allowed: "
            f"{_or(counts)}"
        )
    return lambda time: read.at(time, table.between == "step")


def _read(where: str, file: str, table: Timed, folder: Path) -> tables.Table:
    read = read_file(where, file, folder, lambda path: tables.read_table(path, table.sheet))
    if table.columns is not None:
        with named(where):
            read = read.chosen(table.columns)
    check_names(where, read, ordered=table.columns is not None)
    return read


def check_names(where: str, table: tables.Table, ordered: bool = False) -> None:
    """Raises StrandError if the names of columns contradict what a scene reads: SI units, and
    coordinates in the order x, y, z, unless they were chosen in another one (ordered)."""
    for name in table.columns:
        if tables.unit_in(name) in _NOT_SI:
            allowed = "SI units: m, s, rad, N"
            raise StrandError(f"{where}.file: got the column {name!r}, allowed: {allowed}")
    axes = [axis for name in table.columns if (axis := re.split(r"[\W_]", name)[0]) in _AXES]
    if axes[:3] != _AXES and set(axes[:3]) == set(_AXES) and not ordered:
        got = ", ".join(table.columns)
        raise StrandError(f"{where}.file: got the columns {got}, allowed: x, y, z in this order")


def _or(counts: tuple[int, ...]) -> str:
    return " or ".join(map(str, dict.fromkeys(counts))) + " numbers"
