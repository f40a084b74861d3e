"""strand bench: Strand side by side with what it is compared with."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli._output import finish, number_list, report_progress

app = typer.Typer(no_args_is_help=True, help="Measures run times, side by side.")


@app.callback()
def _bench() -> None:
    """Measures run times, side by side.

    Example: strand bench overhead --segments 40,80 --json overhead.json
    """


@app.command()
def overhead(
    segments: Annotated[str, typer.Option(help="Numbers of links.")] = "40,80,140,180",
    repeats: Annotated[int, typer.Option(help="Pairs of runs that medians are taken of.")] = 200,
    cases: Annotated[
        str, typer.Option(help="Any of lhb, cantilever (steps), call (up to 1000 links).")
    ] = "lhb,cantilever,call",
    json: Annotated[Path | None, typer.Option(help="Write the results to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a plot to this PNG file.")] = None,
) -> None:
    """What the plugin adds to a step of MuJoCo; exits with 0 only where it is within the limits.

    Limits: 3 % of the step of the same chain without the plugin, and 3 us a call for 40 links (in
    proportion for more). low, high: 95 % interval of the median.

    Example: strand bench overhead --segments 40,80 --json overhead.json
    """
    from strand.bench import overhead as benchmark

    sizes = number_list("segments", segments, int, least=3)
    with report_progress("bench overhead") as progress:
        report = benchmark.run(sizes, repeats, cases.split(","), progress)
    finish(report, json, plot)


@app.command()
def native(
    segments: Annotated[
        str | None,
        typer.Option(help="Numbers of links for accuracy (else 10,20,40), cost (25,50,100)."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Rounds that medians are taken of.")] = 31,
    cases: Annotated[
        str, typer.Option(help="Any of accuracy, cost, stability.")
    ] = "accuracy,cost,stability",
    peers: Annotated[str, typer.Option(help="Any of strand, cable, flex.")] = "strand,cable,flex",
    json: Annotated[Path | None, typer.Option(help="Write the results to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a plot to this PNG file.")] = None,
) -> None:
    """Strand beside MuJoCo's own: the cable of MuJoCo 3.17 and the 1D flex of MuJoCo 4.

    Installs each peer's MuJoCo with pip, once, in an environment of its own under $STRAND_CACHE
    (~/.cache/strand). ratio: to Strand's step in the same round; low, high: its 95 % interval.

    Example: strand bench native --segments 10,20,40 --cases accuracy --json native.json
    """
    from strand.bench import native as benchmark

    sizes = number_list("segments", segments, int, least=3)
    with report_progress("bench native") as progress:
        report = benchmark.run(sizes, repeats, cases.split(","), peers.split(","), progress)
    finish(report, json, plot)
