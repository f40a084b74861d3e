"""strand simulate: runs scenes of rods and shells, or of a growing robot."""

import contextlib
import dataclasses
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import keep, writable
from strand.cli.toml import Example, Schema, explain
from strand.errors import StrandError
from strand.io.files import next_part, unused

if TYPE_CHECKING:
    from strand.draw.report import Report
    from strand.scene.file import Scene
    from strand.scene.runner import Summary
    from strand.scene.tables import OutputTable
    from strand.scene.vine import VineScene
    from strand.scene.vine_runner import Summary as VineSummary


def simulate(
    scene: Annotated[Path | None, typer.Argument(help="The scene: a .py or .toml file.")] = None,
    duration: Annotated[
        float | None,
        typer.Option(help="s, from the start or from --restart. Default: the scene's."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Samples: .csv, .npz or .pvd (ParaView; not of a growing robot)."),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(help="s between samples, rounded to whole steps. Default: each step."),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="The final state, as PNG.")] = None,
    film: Annotated[Path | None, typer.Option(help="The run in real time, as MP4.")] = None,
    size: Annotated[
        str | None, typer.Option(help="Of --picture and --film (even): 1280x960.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="State at the end, to restart from (.npz).")
    ] = None,
    restart: Annotated[Path | None, typer.Option(help="A checkpoint of this scene.")] = None,
    json: Annotated[
        Path | None, typer.Option(callback=writable, help="Write a summary to this file.")
    ] = None,
    schema: Schema = False,
    example: Example = None,
) -> None:
    """Runs a network of rods and shells, or a growing robot, without MuJoCo.

    A .py scene defines make(), which returns a strand.simulation.Simulation; a .toml scene
    describes one. A run from --restart continues bitwise equal to the run that wrote the
    checkpoint. Exits with 1 if the solver fails; all output up to then is written. Ctrl-C and
    SIGTERM do the same, write a checkpoint, and print the command for the rest. With --restart,
    samples and films do not replace files that are there, but get the next free names (a.2.npz).
    --out and --checkpoint are updated every 30 s (`flush` in the scene's [output]), so that a
    crash of the machine loses no more than that.

    Example: strand simulate --example rod.toml && strand simulate rod.toml --picture rod.png
    """
    from strand.scene import file as scene_file

    if explain(scene_file, schema, example):
        return
    if scene is None:
        raise StrandError("scene: got nothing, allowed: a .py or .toml, --schema or --example FILE")
    made = scene_file.load(scene)
    length = made.duration if duration is None else duration
    if length is None:
        raise StrandError("duration: got nothing, allowed: --duration S, or the scene's")
    given = {"file": out, "every": every, "picture": picture, "film": film, "size": size}
    for key, value in (given | {"checkpoint": checkpoint}).items():
        if value is not None:
            setattr(made.output, key, value)
    outputs = {key: getattr(made.output, key) for key in ("file", "picture", "film")}
    for read in (scene, restart):  # a checkpoint may replace the one that it continues
        keep(read, json=json, **outputs)
    if restart:  # the files may hold the first part of the run
        for key in ("file", "film"):
            if path := getattr(made.output, key):
                setattr(made.output, key, unused(path))
    with _bar(scene.name) as progress:
        start, summary = _run(made, length, restart, progress)
    typer.echo(str(summary), err=True)
    for key in ("file", "picture", "film", "checkpoint"):
        if getattr(made.output, key) is not None:
            typer.echo(f"written: {getattr(made.output, key)}", err=True)
    if json:
        _report(summary).write_json(json)
    if summary.failure:
        typer.secho(f"strand: {summary.failure}", fg="red", err=True)
        if stopped := getattr(summary, "signal", 0):
            left = length - (summary.time - start)
            kept = {"every": every, "picture": picture, "size": size, "checkpoint": checkpoint}
            again = _rest(scene, left, made.output, kept | {"json": json})
            typer.echo(f"to continue: {again}", err=True)
            raise typer.Exit(128 + stopped)
        raise typer.Exit(1)


def _rest(scene: Path, left: float, output: "OutputTable", kept: dict[str, Any]) -> str:
    """The command for the rest of a stopped run, `left` s.

    Its options are those in `kept`, and new names for the samples and the film, so that it does not
    replace those of the first part.
    """
    parts = {"out": output.file, "film": output.film}
    renamed = {name: next_part(path) for name, path in parts.items() if path}
    options = {"restart": output.checkpoint, "duration": f"{left:.12g}", **renamed, **kept}
    words = ["strand", "simulate", scene]
    for name, value in options.items():
        words += [] if value is None else [f"--{name}", value]
    return shlex.join(map(str, words))


def _run(
    made: "Scene | VineScene",
    length: float,
    restart: Path | None,
    progress: Callable[[float], None],
) -> "tuple[float, Summary | VineSummary]":
    from strand.scene.vine import VineScene

    if isinstance(made, VineScene):
        from strand.scene import vine_runner

        if restart:
            raise StrandError(f"restart: got '{restart}', allowed: with rods and shells only")
        return 0.0, vine_runner.run(made, length, progress)
    from strand.scene import runner

    if restart:
        made.simulation.load(restart)
    start = made.simulation.time
    return start, runner.run(made.simulation, length, made.output, progress)


def _report(summary: "Summary | VineSummary") -> "Report":
    from strand.draw.report import Report

    result = dataclasses.asdict(summary) | {"passed": not summary.failure}
    return Report("simulate", "Run", [result], lambda figure: None)


@contextlib.contextmanager
def _bar(title: str) -> Iterator[Callable[[float], None]]:
    """A progress bar; silent if the output is not a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda part: bar.update(task, completed=part)
