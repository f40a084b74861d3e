"""Tables that fit the terminal: constant columns are printed once, wide tables are split."""

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any, Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

_GAPS = (2, 1)  # blanks between columns, if there is room and if there is not
_VERDICT = "passed"  # a column that is always printed, even if it is constant


@dataclasses.dataclass
class _Column:
    name: str
    cells: list[str]
    is_text: bool

    def __post_init__(self) -> None:
        self.header = self.name.replace("_", " ")
        whole = max(map(len, self.cells))
        header = max(map(len, self.header.split()))
        words = [word for cell in self.cells for word in cell.split()]
        longest = max(map(len, words), default=1)
        self.natural = max(whole, header)
        self.least = max(longest, header) if self.is_text else self.natural


def print_rows(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    """Prints one line per row; rows with different columns are printed as separate tables.

    In a column "figure", the common part before ": " of consecutive rows becomes a heading.
    """
    for columns, group in itertools.groupby(rows, key=tuple):
        cases = list(group)
        shared = _shared(cases)
        kept = [_column(name, cases) for name in columns if name not in shared]
        headings = [""] * len(cases)
        if kept[0].name == "figure":
            kept[0], headings = _grouped(kept[0])
        for block in _blocks(kept, console.width):
            _print_block(console, block, headings)
        if shared:
            words = ", ".join(f"{name.replace('_', ' ')} {text}" for name, text in shared.items())
            console.print(f"All rows: {escape(words)}.")


def _text(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ("NO" if name == _VERDICT else "no")
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _shared(cases: list[dict]) -> dict[str, str]:
    """Columns that are constant over several rows, and their values."""
    if len(cases) < 2 or "figure" in cases[0]:
        return {}
    found = {}
    for name in cases[0]:
        texts = {_text(name, case[name]) for case in cases}
        if len(texts) == 1 and name != _VERDICT:
            found[name] = texts.pop()
    return found if len(found) < len(cases[0]) - 1 else {}


def _column(name: str, cases: list[dict]) -> _Column:
    values = [case[name] for case in cases]
    is_text = any(isinstance(value, str) for value in values)
    return _Column(name, [_text(name, value) for value in values], is_text)


def _grouped(column: _Column) -> tuple[_Column, list[str]]:
    """The column of figures without headings, and the heading of each row."""
    parts = [cell.rpartition(": ") for cell in column.cells]
    names = [tail for _, _, tail in parts]
    return _Column(column.name, names, True), [head for head, _, _ in parts]


def _blocks(columns: list[_Column], width: int) -> list[list[_Column]]:
    """Splits columns into tables that fit; each contains the columns that name a row."""
    if _least(columns) <= width:
        return [columns]
    count = next((k for k, one in enumerate(columns) if not one.is_text), len(columns))
    # Integers (number of links, index of a mode) name a row, too.
    while count < len(columns) - 1 and not any(set(".-") & set(x) for x in columns[count].cells):
        count += 1
    names, rest = columns[:count], columns[count:]
    if not names or not rest or max(_least([*names, one]) for one in rest) > width:
        names, rest = columns[:1], columns[1:]
    blocks, block = [], list(names)
    for one in rest:
        if len(block) > len(names) and _least([*block, one]) > width:
            blocks.append(block)
            block = list(names)
        block.append(one)
    return [*blocks, block]


def _least(columns: list[_Column]) -> int:
    return sum(one.least for one in columns) + _GAPS[-1] * (len(columns) - 1)


def _layout(columns: list[_Column], width: int) -> tuple[list[int], int]:
    """Widths of columns and the gap. If necessary, texts are wrapped, the last columns first.

    If the table is still too wide for the terminal, its first column is narrowed.
    """
    natural = [one.natural for one in columns]
    gaps = len(columns) - 1
    for gap in _GAPS:
        if sum(natural) + gap * gaps <= width:
            return natural, gap
    widths = [one.least for one in columns]
    left = width - _least(columns)
    for k, one in enumerate(columns):
        more = max(0, min(left, one.natural - one.least))
        widths[k] += more
        left -= more
    widths[0] = max(1, widths[0] + min(left, 0))
    return widths, _GAPS[-1]


def _print_block(console: Console, block: list[_Column], headings: list[str]) -> None:
    widths, gap = _layout(block, console.width)
    rows = list(zip(*(one.cells for one in block), strict=True))
    console.print(_table(block, widths, gap, [], header=True))
    console.print("─" * min(sum(widths) + gap * (len(block) - 1), console.width))
    first = 0
    for heading, group in itertools.groupby(headings):
        count = len(list(group))
        if heading:
            console.print(Text(heading, style="bold"))
        console.print(_table(block, widths, gap, rows[first : first + count]))
        first += count
    console.print()


def _table(
    block: list[_Column],
    widths: list[int],
    gap: int,
    rows: list[tuple[str, ...]],
    header: bool = False,
) -> Table:
    table = Table(box=None, show_header=header, padding=(0, gap, 0, 0), pad_edge=False)
    for one, width in zip(block, widths, strict=True):
        justify: Literal["left", "right"] = "left" if one.is_text else "right"
        table.add_column(Text(one.header), justify=justify, width=width, overflow="fold")
    for row in rows:
        cells = [_styled(one.name, cell) for one, cell in zip(block, row, strict=True)]
        table.add_row(*cells)
    return table


def _styled(name: str, cell: str) -> Text:
    style = {"yes": "green", "NO": "bold red"}.get(cell, "") if name == _VERDICT else ""
    return Text(cell, style=style)
