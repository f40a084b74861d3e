"""Actuation tables: accepted formats, values between times, and rejected input."""

import datetime
import re
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from strand import StrandError
from strand.io.tables import Table, read_table

ROWS = [[0.0, 0.0, 5.0], [0.5, 60.0, -5.0], [2.0, -30.0, 1e-3]]
NAMES = ["time (s)", "left", "right"]


def text(tmp_path: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def workbook(tmp_path: Path, **sheets: list[list]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        page = book.create_sheet(name)
        for row in rows:
            page.append(row)
    path = tmp_path / "table.xlsx"
    book.save(path)
    return path


def error_text(path: Path, **options) -> str:
    with pytest.raises(StrandError) as caught:
        read_table(path, **options)
    assert str(caught.value).startswith(str(path)) or repr(str(path)) in str(caught.value)
    return str(caught.value).replace(str(path), "FILE")


def assert_is_the_table(table: Table, names: list[str] = NAMES) -> None:
    assert table.columns == tuple(names)
    np.testing.assert_array_equal(table.values, ROWS)


@pytest.mark.parametrize("separator", (",", ", ", ";", "\t", " ", "   "))
@pytest.mark.parametrize("end", ("\n", "\r\n"))
@pytest.mark.parametrize("named", (True, False))
def test_text_is_read(tmp_path: Path, separator: str, end: str, named: bool) -> None:
    names = ["time", "left", "right"]
    lines = [separator.join(map(repr, row)) for row in ROWS]
    lines.insert(1, "# in between; with, other marks")
    lines = ["# before", "", *([separator.join(names)] if named else []), *lines, "", ""]
    table = read_table(text(tmp_path, end.join(lines)))
    assert_is_the_table(table, names if named else ["column_1", "column_2", "column_3"])


def test_names_may_have_blanks_and_quotes(tmp_path: Path) -> None:
    content = '\ufefftime (s), left ,"right, upper"\n0,0,5\n+.5,60.,-5\n2E0,-3e+1,1e-3\n'
    table = read_table(text(tmp_path, content))
    assert_is_the_table(table, ["time (s)", "left", "right, upper"])


@pytest.mark.parametrize("head", ("time,left,right,,\n", "time,left,right,Empty,\n", ""))
def test_commas_at_the_end_make_no_columns(tmp_path: Path, head: str) -> None:
    table = read_table(text(tmp_path, head + "0,0,5,,\n0.5,60,-5,,\n2,-30,0.001,,\n,,,,\n"))
    assert table.values.shape == (3, 3)
    np.testing.assert_array_equal(table.values, ROWS)


def test_workbooks_are_read(tmp_path: Path) -> None:
    rows = [["# made by hand"], NAMES, *ROWS[:1], [], ["#"], *ROWS[1:]]
    assert_is_the_table(read_table(workbook(tmp_path, one=rows)))
    assert_is_the_table(read_table(workbook(tmp_path, empty=[], one=rows)))
    several = workbook(tmp_path, one=[[0, 1], [1, 2]], two=rows)
    assert_is_the_table(read_table(several, sheet="two"))
    assert "sheet: got none of several, allowed: one of one, two" in error_text(several)
    assert "sheet: got 'three', allowed: one, two" in error_text(several, sheet="three")
    assert "sheet: got 'two'" in error_text(text(tmp_path, "0 1"), sheet="two")


@pytest.mark.parametrize(
    "cell", ("fast", True, datetime.datetime(2024, 1, 1), "=1/0", "#N/A", "nan")
)
def test_a_cell_of_a_workbook_is_a_number(tmp_path: Path, cell: object) -> None:
    # openpyxl writes a formula without a value.
    path = workbook(tmp_path, one=[NAMES, ROWS[0], [0.5, 60.0, cell], ROWS[2]])
    got = "nothing" if cell == "=1/0" else re.escape(repr(cell))
    assert re.search(rf"FILE: row 3, column 3 \(right\): got {got}, allowed: a", error_text(path))


@pytest.mark.parametrize(
    ("content", "message"),
    (
        ("", "rows: got none"),
        ("# nothing\n\n", "rows: got none"),
        ("time,left\n", "rows: got none below the names in row 1"),
        ("time,left\n0,1\n1,2,3\n", "row 3: got 3 cells, allowed: 2, as in row 1"),
        ("# a\n0 1 2\n1 2\n", "row 3: got 2 cells, allowed: 3, as in row 2"),
        ("time,left\n0,1\n1,fast\n", "row 3, column 2 (left): got 'fast', allowed: a finite"),
        ("0,1\n1,O.5\n", "row 2, column 2 (column_2): got 'O.5'"),
        ("O.5,1\n1,2\n", "row 1, column 1 (column_1): got 'O.5'"),
        ("time,1\n1,2\n", "row 1, column 1 (column_1): got 'time'"),
        ("0;0,5\n1;0,6\n", "row 1, column 2 (column_2): got '0,5', allowed: a finite number with"),
        ("0,1\n1,nan\n", "row 2, column 2 (column_2): got 'nan'"),
        ("0,1\n1,-inf\n", "got '-inf'"),
        ("0,1\n1,1e999\n", "got '1e999'"),
        ("nan,1\n1,2\n", "row 1, column 1 (column_1): got 'nan'"),
        ("0,1\n1,1_000\n", "got '1_000'"),
        ("0,1\n1,0x10\n", "got '0x10'"),
        ("0,1\n1,1 2\n", "got '1 2'"),
        ("0,1\n1,\u0661\n", "got '\u0661'"),
        ("t,a,b\n0,1,2\n1,,2\n", "row 3, column 2 (a): got nothing"),
        ("t,,b\n0,1,2\n", "row 1, column 2: got nothing, allowed: a name"),
        ("t,a, a\n0,1,2\n", "row 1, column 3: got 'a' again, allowed: each name once"),
        ("t,a\n0,1\n1,1\n1,2\n", "row 4, column 1 (t): got 1.0, allowed: times that increase"),
        ("0,1\n1,1\n0.5,2\n", "row 3, column 1 (column_1): got 0.5, allowed: times that increase"),
        ("0\n1\n", "columns: got one"),
        ('t,a\n0,"1\n', "row 2: got '0,\"1'"),
        (b"t,a\n0,\xff\n", "allowed: UTF-8"),
    ),
)
def test_errors_name_the_place(tmp_path: Path, content: str | bytes, message: str) -> None:
    assert message in error_text(text(tmp_path, content))


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("x,time", "row 1, column 1: got 'x' before 'time', allowed: the time first"),
        ("frame,t (s)", "row 1, column 1: got 'frame' before 't (s)', allowed: the time first"),
        ("time_ms,x", "row 1, column 1: got 'time_ms', allowed: the time in s"),
        ("t [ms],x", "row 1, column 1: got 't [ms]', allowed: the time in s"),
    ],
)
def test_names_that_say_that_the_time_is_not_first_or_not_in_s(
    tmp_path: Path, head: str, message: str
) -> None:
    path = text(tmp_path, f"{head}\n0,1\n1,2\n")
    assert message in error_text(path)
    assert read_table(path, time=False).columns == tuple(head.split(","))


@pytest.mark.parametrize("head", ("time,t2", "time_s,x_mm", "t (s),temperature", "s,theta", "a,b"))
def test_other_names_are_allowed(tmp_path: Path, head: str) -> None:
    assert read_table(text(tmp_path, f"{head}\n0,1\n1,2\n")).timed


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for name in ("no.csv", "no.xlsx"):
        assert "No such file" in error_text(tmp_path / name)
    assert "allowed: a readable file" in error_text(tmp_path)
    assert "allowed: XLSX" in error_text(text(tmp_path, "0,1\n", "table.xlsx"))


def test_values_are_linear_between_rows_and_constant_outside(tmp_path: Path) -> None:
    table = read_table(text(tmp_path, "0,0,5\n0.5,60,-5\n2,-30,0.001\n"))
    np.testing.assert_allclose(table.at(0.25), [30, 0], rtol=1e-15)
    np.testing.assert_allclose(table.at(1.25), [15, -2.4995], rtol=1e-15)
    for time, row in zip([-1, 0, 0.5, 2, 9], [0, 0, 1, 2, 2], strict=True):
        np.testing.assert_array_equal(table.at(time), ROWS[row][1:])
    np.testing.assert_allclose(table.at([[0.25], [3]]), [[[30, 0]], [[-30, 0.001]]], rtol=1e-15)
    assert table.at(0.1).shape == (2,)


def test_steps_use_the_last_row_that_has_begun(tmp_path: Path) -> None:
    table = read_table(text(tmp_path, "0,0,5\n0.5,60,-5\n2,-30,0.001\n"))
    times = [-1, 0, 0.25, np.nextafter(0.5, 0), 0.5, 1.9, 2, 9]
    rows = [0, 0, 0, 0, 1, 1, 2, 2]
    np.testing.assert_array_equal(table.at(times, step=True), np.array(ROWS)[rows, 1:])


def test_a_single_row_is_constant(tmp_path: Path) -> None:
    table = read_table(text(tmp_path, "1 7\n"))
    assert [table.at(t, step=s)[0] for t in (0, 1, 2) for s in (True, False)] == [7] * 6


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    table = read_table(workbook(tmp_path, one=[NAMES, *ROWS]))
    np.testing.assert_array_equal(table.column("left"), [0, 60, -30])
    with pytest.raises(StrandError, match=r"got 'up', allowed: time \(s\), left, right"):
        table.column("up")
    with pytest.raises(StrandError, match="time: got nan"):
        table.at(float("nan"))
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0] = 1


def test_a_table_without_time_has_no_order(tmp_path: Path) -> None:
    table = read_table(text(tmp_path, "-1\n-2\n"), time=False)
    np.testing.assert_array_equal(table.values, [[-1], [-2]])
    with pytest.raises(StrandError, match="read without one"):
        table.at(0)
