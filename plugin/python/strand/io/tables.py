"""Tables of numbers against time, for actuation, from text and XLSX files, read strictly."""

import csv
import dataclasses
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from strand.errors import StrandError, reason

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_ALLOWED = "a finite number with a decimal point"
_TIME = re.compile(r"(t|times?|timestamps?)([\W_].*)?", re.IGNORECASE)
_NOT_SECONDS = {"ms", "us", "µs", "ns", "min", "h", "milliseconds", "minutes", "hours"}

# A row of a file: its number, from 1, and its cells; an empty cell is None.
_Row = tuple[int, list[Any]]


@dataclasses.dataclass(frozen=True)
class Table:
    """Columns of numbers. The first is the time (s), unless the table was read without a time."""

    columns: tuple[str, ...]
    values: np.ndarray  #: (rows, columns)
    timed: bool = True

    def column(self, name: str) -> np.ndarray:
        """The values of one column, shape (rows,). Raises StrandError for an unknown name."""
        if name not in self.columns:
            raise StrandError(f"column: got {name!r}, allowed: {', '.join(self.columns)}")
        return self.values[:, self.columns.index(name)]

    def chosen(self, names: Sequence[str]) -> "Table":
        """A table of the time and the named columns, in this order.

        Raises StrandError for an unknown name.
        """
        for name in names:
            if name not in self.columns[1:]:
                raise StrandError(f"columns: got {name!r}, allowed: {', '.join(self.columns[1:])}")
        places = [0, *map(self.columns.index, names)]
        return Table((self.columns[0], *names), self.values[:, places], self.timed)

    def at(self, time: float | np.ndarray, step: bool = False) -> np.ndarray:
        """The values of all columns but the time, at given times.

        time: s, one number, or an array of shape (...). step: False (default): linear interpolation
        between rows; True: the last row whose time is not later.

        Returns shape (columns - 1,), or (..., columns - 1). Before the first and after the last row
        the values are those of that row.
        """
        if not self.timed:
            raise StrandError(
                "time: got a table read without one, allowed: a table read with time=True"
            )
        time = np.asarray(time, dtype=float)
        if np.isnan(time).any():
            raise StrandError("time: got nan, allowed: numbers (s)")
        times, values = self.values[:, 0], self.values[:, 1:]
        if not step:
            time = np.clip(time, times[0], times[-1])
        before = np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 1)
        if step:
            return values[before]
        after = np.minimum(before + 1, len(times) - 1)
        length = np.where(after > before, times[after] - times[before], 1.0)
        part = ((time - times[before]) / length)[..., np.newaxis]
        return (1 - part) * values[before] + part * values[after]


def unit_in(name: str) -> str:
    """The unit with which a column's name ends, as in x_mm and "x (mm)"; "" if it is one word."""
    first, *others = re.split(r"[\W_]+", name.rstrip(" )]"))
    return others[-1] if first and others else ""


def read_table(path: str | os.PathLike, sheet: str | None = None, time: bool = True) -> Table:
    """Reads a table from a text or XLSX file.

    path: a text file (comma, semicolon, tab or blanks between cells), or .xlsx, .xlsm.
    sheet: name of the sheet, for an XLSX file that has several (default None).
    time: the first column is the time, which must increase (default True).

    The first row may contain the names of the columns, if it contains no number. Lines that start
    with #, empty rows, and empty columns at the right end (from trailing commas) are skipped.
    Raises StrandError, which names file, row, column and value; also if the names say that the
    first column is not the time (x, time), or not in seconds (time_ms).
    """
    path = Path(path)
    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            rows = _sheet(path, sheet)
        elif sheet is None:
            rows = _text(path)
        else:
            raise StrandError(f"sheet: got {sheet!r}, allowed: no sheet for a text file")
        return _table([row for row in rows if any(cell is not None for cell in row[1])], time)
    except OSError as error:
        allowed = f"a readable file ({reason(error)})"
        raise StrandError(f"file: got {str(path)!r}, allowed: {allowed}") from None
    except StrandError as error:
        raise StrandError(f"{path}: {error}") from None


def _text(path: Path) -> Iterator[_Row]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise StrandError(f"text: got invalid bytes ({error}), allowed: UTF-8") from None
    separator = None
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        separator = separator or next((mark for mark in ";\t," if mark in line), " ")
        if separator == " ":
            yield number, line.split()
            continue
        try:
            (cells,) = csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True)
        except csv.Error as error:
            raise StrandError(f"row {number}: got {line!r} ({error}), allowed: cells") from None
        yield number, [cell.strip() or None for cell in cells]


def _sheet(path: Path, name: str | None) -> Iterator[_Row]:
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, data_only=True)
    except OSError:
        raise
    except Exception as error:  # a broken archive can cause any error
        raise StrandError(f"file: got an unreadable file ({error}), allowed: XLSX") from None
    filled = [page.title for page in book.worksheets if page.calculate_dimension() != "A1:A1"]
    if name is None and len(filled) > 1:
        raise StrandError(f"sheet: got none of several, allowed: one of {', '.join(filled)}")
    titles = [page.title for page in book.worksheets]
    if name is not None and name not in titles:
        raise StrandError(f"sheet: got {name!r}, allowed: {', '.join(titles)}")
    page = book[name or (filled or titles)[0]]
    for number, cells in enumerate(page.iter_rows(), start=1):
        first = cells[0]
        if first.data_type == "s" and first.value.lstrip().startswith("#"):
            continue
        yield number, [_content(cell) for cell in cells]


def _content(cell: Any) -> Any:
    if cell.data_type == "s":
        return cell.value.strip() or None
    return cell.value


def _table(rows: list[_Row], timed: bool) -> Table:
    if not rows:
        raise StrandError("rows: got none, allowed: one or more")
    names = None
    if not any(_looks_like_number(cell) for cell in rows[0][1]):
        names, rows = rows[0], rows[1:]
        if not rows:
            raise StrandError(f"rows: got none below the names in row {names[0]}, allowed: some")
    first, count = names[0] if names else rows[0][0], len(names[1] if names else rows[0][1])
    for number, cells in rows:
        if len(cells) != count:
            raise StrandError(
                f"row {number}: got {len(cells)} cells, allowed: {count}, as in row {first}"
            )
    while count > 1 and all(cells[count - 1] is None for _, cells in rows):
        count -= 1
    if timed and count < 2:
        raise StrandError("columns: got one, allowed: the time and one or more")
    columns = _names(names, count)
    if timed and names:
        _check_time_is_first(names[0], columns)
    values = np.array(
        [[_number(cells[k], number, k, columns[k]) for k in range(count)] for number, cells in rows]
    )
    if timed:
        _check_times(values[:, 0], [number for number, _ in rows], columns[0])
    values.setflags(write=False)
    return Table(columns, values, timed)


def _names(row: _Row | None, count: int) -> tuple[str, ...]:
    if row is None:
        return tuple(f"column_{k + 1}" for k in range(count))
    number, cells = row
    for k, name in enumerate(cells[:count]):
        if not isinstance(name, str):
            raise StrandError(f"row {number}, column {k + 1}: got nothing, allowed: a name")
        if name in cells[:k]:
            raise StrandError(
                f"row {number}, column {k + 1}: got {name!r} again, allowed: each name once"
            )
    return tuple(cells[:count])


def _check_time_is_first(row: int, names: tuple[str, ...]) -> None:
    times = [name for name in names if _TIME.fullmatch(name)]
    if times and times[0] != names[0]:
        raise StrandError(
            f"row {row}, column 1: got {names[0]!r} before {times[0]!r}, allowed: the time first"
        )
    if times and unit_in(names[0]) in _NOT_SECONDS:
        raise StrandError(f"row {row}, column 1: got {names[0]!r}, allowed: the time in s")


def _looks_like_number(cell: object) -> bool:
    if isinstance(cell, str):
        return bool(_NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell))
    return cell is not None


def _number(cell: Any, row: int, k: int, name: str) -> float:
    number = _NUMBER.fullmatch(cell) if isinstance(cell, str) else type(cell) in (int, float)
    if not number or not abs(float(cell)) < np.inf:
        got = "nothing" if cell is None else repr(cell)
        raise StrandError(f"row {row}, column {k + 1} ({name}): got {got}, allowed: {_ALLOWED}")
    return float(cell)


def _check_times(times: np.ndarray, rows: list[int], name: str) -> None:
    for k in np.flatnonzero(~(np.diff(times) > 0))[:1]:
        raise StrandError(
            f"row {rows[k + 1]}, column 1 ({name}): got {float(times[k + 1])!r}, allowed: times "
            f"that increase, more than {float(times[k])!r}"
        )
