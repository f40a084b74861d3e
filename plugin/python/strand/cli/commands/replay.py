"""strand replay: a simulation as a page that any browser plays."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strand.cli.output import report_progress, writable
from strand.io.files import check_output

if TYPE_CHECKING:
    from strand.replay.replay import Replay


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            help="A model (.xml, .mjb), cable or scene (.toml, .py), or recording (.npz)."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", callback=writable, help="The HTML file. Default: replay.html."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="Simulated time. Default: the scene's or recording's, or 5."),
    ] = None,
    fps: Annotated[float, typer.Option(help="Frames per second of simulated time.")] = 30.0,
    color: Annotated[
        str,
        typer.Option(
            help="Colours of cables: none, curvature, twist, moment, bending, torsion, tension, "
            "stress, contact."
        ),
    ] = "none",
) -> None:
    """Simulates a file and writes what happens as one HTML file, which any browser plays.

    The page needs neither Python nor a server nor the network: turn, zoom, play and scrub it, or
    send it to somebody. If the simulation fails, the page ends there, and the command exits with 1.
    Needs viser: pip install viser.

    Example: strand generate --example cable.toml && strand replay cable.toml -o cable.html
    """
    from strand.replay.replay import check_ending

    path = output or Path("replay.html")
    check_ending(path)
    check_output("output", path)
    with report_progress(file.name):
        made, failure = _made(file, seconds, fps, color)
        made.save(path)
    size = path.stat().st_size / 1e6
    frames = len(made.times)
    typer.echo(f"{frames} frames, {made.duration:.6g} s, {size:.1f} MB; written: {path}", err=True)
    if failure:
        typer.secho(f"strand: {failure}", fg="red", err=True)
        raise typer.Exit(1)


def _made(file: Path, seconds: float | None, fps: float, color: str) -> "tuple[Replay, str]":
    """The replay, and why it ends early."""
    from strand.replay.recorder import Recorder
    from strand.replay.recording import of_recording
    from strand.replay.running import Run, Stopped
    from strand.simulation.simulation import SolverError

    run = Run.of(file)
    if isinstance(run, Path):
        return of_recording(run, seconds=seconds, fps=fps, color=color), ""
    recorder = Recorder(run.source, fps=fps, color=color, title=run.title)
    failure = ""
    try:
        run.into(recorder, seconds)
    except (SolverError, Stopped) as error:
        failure = str(error)
    return recorder.replay(), failure
