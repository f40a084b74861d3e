"""strand sweep: runs many variants of a scene, a cable or a function."""

import contextlib
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import JsonFile, PlotFile, keep, report_progress, writable
from strand.cli.toml import Example, Schema, explain
from strand.errors import StrandError

if TYPE_CHECKING:
    from strand.sweep import Result
    from strand.sweep.runner import Progress

_MOST_SHOWN = 5  #: failures


def sweep(
    spec: Annotated[Path | None, typer.Argument(help="The sweep: a .toml file.")] = None,
    out: Annotated[
        list[Path] | None, typer.Option(help="The table: .csv or .parquet; may be repeated.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes, one thread each. Default: one per core.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(help="Run on the Ray cluster with this address; auto: a running one."),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            callback=writable,
            help="Record of finished points. Default: SPEC's name + .journal.jsonl.",
        ),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Delete what the journal has, and run all points.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Run recorded points that failed once more.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(help="s of wall-clock time for a point. Default: the spec's.")
    ] = None,
    plot: PlotFile = None,
    plot_result: Annotated[
        str | None, typer.Option(help="The result in the plot. Default: the first one.")
    ] = None,
    json: JsonFile = None,
    schema: Schema = False,
    example: Example = None,
) -> None:
    """Runs all points of a sweep on all cores, or on a Ray cluster.

    SPEC.toml names a scene, a cable file or a Python function, the parameters that vary (grid,
    random, or a search by CMA-ES) and the results to read. Every finished point is recorded in the
    journal at once, in the current folder: the same command after an interruption or a crash runs
    only the points that are missing. Points that fail are reported and do not stop the others.
    Exits with 1 if a point failed, with 130 on Ctrl-C.

    Example: strand sweep stiffness.sweep.toml --out table.csv --plot map.png
    """
    from strand import sweep as library
    from strand.sweep.spec import load

    if explain(library.spec, schema, example):
        return
    if spec is None:
        raise StrandError("spec: got nothing, allowed: a .toml file, --schema or --example FILE")
    _check_outputs(spec, out or [])
    record = journal or Path(f"{spec.name.removesuffix('.toml')}.journal.jsonl")
    keep(spec, journal=record, plot=plot, json=json)
    read = load(spec)
    with _stoppable(record), report_progress(spec.name) as doing:
        result = library.run(
            read,
            workers=workers,
            ray=ray,
            journal=record,
            restart=restart,
            retry_failed=retry_failed,
            timeout=timeout,
            progress=_Remaining(doing),
        )
    _write(result, out or [], plot, plot_result, json)
    _summarise(result, read.search.minimise if read.search else None, record)
    if result.failures or not result.rows:
        raise typer.Exit(1)


def _check_outputs(spec: Path, paths: list[Path]) -> None:
    from strand.io.files import check_output
    from strand.sweep.result import check_table_file

    for path in paths:
        check_table_file("out", path)
        check_output("out", path)
        keep(spec, out=path)


class _Remaining:
    """Shows progress with an estimate of the time that is left."""

    def __init__(self, doing: Callable[[str], None]) -> None:
        import time

        self._doing, self._clock = doing, time.monotonic
        self._begin = self._clock()

    def __call__(self, progress: "Progress") -> None:
        run = progress.done - progress.recorded
        left = ""
        if run > 0:
            each = (self._clock() - self._begin) / run
            left = f", about {each * (progress.total - progress.done):.0f} s left"
        self._doing(f"{progress}{left}")


@contextlib.contextmanager
def _stoppable(journal: Path) -> Iterator[None]:
    """On SIGINT and SIGTERM, says how to continue and exits with 128 + the signal's number."""

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt(number)

    before = {each: signal.signal(each, stop) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt as interrupt:
        number = interrupt.args[0] if interrupt.args else signal.SIGINT
        name = signal.Signals(number).name
        typer.secho(f"strand: stopped by {name}", fg="red", err=True)
        again = [word for word in sys.argv[1:] if word not in ("--restart",)]
        typer.echo(f"finished points are recorded in {journal}", err=True)
        typer.echo(f"to continue: {shlex.join(['strand', *again])}", err=True)
        raise typer.Exit(128 + number) from None
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _write(
    result: "Result",
    out: list[Path],
    plot: Path | None,
    plot_result: str | None,
    json: Path | None,
) -> None:
    from strand.io.files import write_text

    for path in out:
        result.write(path)
    if json:
        write_text(json, result.to_json())
    if plot:
        from strand.sweep.plots import save_plot

        save_plot(plot, result, plot_result)
    for written in (*out, json, plot):
        if written:
            typer.echo(f"written: {written}", err=True)


def _summarise(result: "Result", minimised: str | None, journal: Path) -> None:
    """Prints the range of each result, the best point of a search, and the first failures."""
    recorded = f", {result.recorded} of them recorded before in {journal}"
    typer.echo(f"{len(result.rows)} points{recorded if result.recorded else ''}")
    table = result.table
    for name in result.results:
        typer.echo(f"{name}: {table[name].min():.6g} to {table[name].max():.6g}")
    if minimised and minimised in result.results:
        best = result.best(minimised)
        values = ", ".join(f"{name} = {value:.6g}" for name, value in best.parameters.items())
        typer.echo(f"smallest {minimised}: {best.outcome.results[minimised]:.6g} at {values}")
    failures = result.failures
    for failure in failures[:_MOST_SHOWN]:
        typer.secho(f"failed: {failure}", fg="red", err=True)
    if len(failures) > _MOST_SHOWN:
        typer.secho(f"and {len(failures) - _MOST_SHOWN} more failures", fg="red", err=True)
