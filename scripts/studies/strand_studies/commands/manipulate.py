"""strand manipulate: scenes in which hands, winches, vehicles and a quadrotor move cables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strand.cli.output import JsonFile, PlotFile, finish, report_progress, writable
from strand.draw.picture import check_drawing, parse_size
from strand.errors import StrandError
from strand_studies.manipulation.names import GRASPS, SCENES

if TYPE_CHECKING:
    from strand_studies.manipulation.scene import Scene


def manipulate(
    name: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(SCENES)}.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="Print all names and stop.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="Number of randomised runs.")] = 5,
    first: Annotated[int, typer.Option(min=0, help="The first seed.")] = 0,
    grasp: Annotated[
        str | None, typer.Option(help=f"{', '.join(GRASPS)}: hands hold by friction or weld.")
    ] = None,
    video: Annotated[
        Path | None, typer.Option(callback=writable, help="Film the first run (MP4).")
    ] = None,
    frames: Annotated[
        Path | None, typer.Option(help="Write pictures of the first run to this directory.")
    ] = None,
    size: Annotated[str, typer.Option(help="Size of the pictures, in pixels.")] = "960x720",
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Runs a manipulation scene with its scripted controller for several seeds.

    Each seed draws other stiffnesses, frictions, lengths and places. Prints whether each run does
    its task, its figures, its speed (simulated time over CPU time), the deepest overlap of the
    cable with anything (by its radius), and the warnings of the engine and of Strand; --plot shows
    the figures of the first run over time. Exits with 0 only if every run succeeds without a
    warning, with overlaps of less than the radius, and faster than real time.

    Example: strand manipulate plug --seeds 20 --plot plug.png --video plug.mp4 --json plug.json
    """
    if list_all:
        _print_list()
        return
    for field, path in (("video", video), ("frames", frames)):
        if path is not None:
            check_drawing(field, str(path))
    if video is not None and video.suffix.lower() != ".mp4":
        raise StrandError(f"video: got '{video}', allowed: a path that ends in .mp4")
    shape = parse_size(size)
    scene = _load(name, grasp)
    from strand_studies.manipulation import pictures, study

    with (
        report_progress(f"manipulate {name}") as progress,
        pictures.Pictures(scene, shape, video, frames) as camera,
    ):
        report = study.run(scene, range(first, first + seeds), camera, progress)
    finish(report, json, plot)


def _load(name: str | None, grasp: str | None) -> "Scene":
    if name not in SCENES:
        raise StrandError(f"name: got {name!r}, allowed: {', '.join(SCENES)}")
    from strand_studies.manipulation.catalog import choose_grasp, load

    scene = load(name)
    choose_grasp(scene, grasp)
    return scene


def _print_list() -> None:
    width = max(map(len, SCENES))
    for name, (_, shows) in SCENES.items():
        typer.echo(f"{name:{width}}  {shows}")
