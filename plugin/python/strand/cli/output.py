"""Helpers of commands: lists of numbers from the command line, tables, progress."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strand.errors import StrandError
from strand.io.files import check_output, not_binary

if TYPE_CHECKING:
    from strand.draw.report import Report


def writable(parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """Callback of options for output files: checks the path before the command runs."""
    if path == Path("-"):
        raise StrandError(f"{parameter.name}: got '-', allowed: the path of a file")
    if path is not None:
        check_output(parameter.name, path)
    return path


def writable_mjcf(parameter: typer.CallbackParam, path: Path | None) -> Path | None:
    """Callback of options for MJCF."""
    if path is not None:
        writable(parameter, path)
        not_binary(str(parameter.name), path)
    return path


def keep(source: Path | None, **outputs: Path | str | None) -> None:
    """Raises StrandError if one of the outputs would replace the file that the command reads.

    source: None: the command reads no file.
    """
    for field, path in outputs.items():
        if source is not None and path is not None and _same(source, path):
            allowed = f"another file than '{source}', which is read"
            raise StrandError(f"{field}: got '{path}', allowed: {allowed}")


def _same(source: Path, path: Path | str) -> bool:
    """True if both are one file, also by way of links."""
    with contextlib.suppress(OSError):  # one of them does not exist
        return os.path.samefile(source, path)
    return False


JsonFile = Annotated[
    Path | None, typer.Option(callback=writable, help="Write the results to this file.")
]
PlotFile = Annotated[
    Path | None, typer.Option(callback=writable, help="Write a plot to this PNG file.")
]


def number_list(field: str, text: str | None, kind: type, least: float) -> list | None:
    """Reads numbers separated by commas, each at least `least`; None stays None."""
    if text is None:
        return None
    try:
        numbers = [kind(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or not all(least <= number < 1e9 for number in numbers):
        words = "whole numbers" if kind is int else "numbers"
        raise StrandError(f"{field}: got {text!r}, allowed: {words} >= {least:g} like 1,2,3")
    return numbers


@contextlib.contextmanager
def report_progress(title: str) -> Iterator[Callable[[str], None]]:
    """A spinner that shows the current activity; silent if the output is not a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    with console.status(title) as status:
        yield lambda doing: status.update(f"{title}: {doing}")


def finish(report: "Report", json: Path | None, plot: Path | None = None) -> None:
    """Prints a report, writes the requested files, and exits with 1 if it did not pass."""
    print_report(report)
    if json:
        report.write_json(json)
    if plot:
        report.plot(plot)
    if not report.passed:
        raise typer.Exit(1)


def print_report(report: "Report") -> None:
    """Prints the rows, fitted to the terminal, then the criterion and the verdict."""
    from rich.console import Console

    from strand.cli.table import print_rows

    console = Console(highlight=False, soft_wrap=False)
    console.print(report.title, style="bold", markup=False)
    console.print()
    print_rows(console, report.results)
    for line in (*report.note.splitlines(), *report.summary()):
        console.print(line, markup=False)
