"""strand example: published examples, most of them on the implicit core."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli.output import JsonFile, finish, report_progress, writable
from strand.draw.picture import parse_size
from strand.errors import StrandError
from strand_studies.published import COMPAT, EXAMPLES, RECORDED, VINES


def example(
    name: Annotated[str | None, typer.Argument(help=f"One of: {', '.join(EXAMPLES)}.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="Print all names and stop.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Run as long as published.")] = False,
    compat: Annotated[
        bool,
        typer.Option("--compat", help=f"{', '.join(COMPAT)}: the authors' stop rule or step."),
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help=f"{', '.join(RECORDED)}: directory with the measurements.")
    ] = None,
    bodies: Annotated[
        int | None, typer.Option(help="vine_*: number of bodies, even. Default: as published.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            callback=writable,
            help="vine_*: write all states of the published step (CSV; mm, rad).",
        ),
    ] = None,
    frames: Annotated[Path | None, typer.Option(help="Write pictures to this directory.")] = None,
    size: Annotated[str, typer.Option(help="Size of the pictures, in pixels.")] = "1280x960",
    json: JsonFile = None,
) -> None:
    """Runs a published example and prints its figures beside the reference.

    Exits with 0 only if every figure with a tolerance is within it. Without --full it takes
    seconds.

    Example: strand example helix --full --json helix.json --frames out/helix --size 1920x1080
    """
    if list_all:
        _print_list()
        return
    if name not in EXAMPLES:
        raise StrandError(f"name: got {name!r}, allowed: {', '.join(EXAMPLES)}")
    import importlib

    from strand_studies.published.frames import Frames

    options = {}
    if name in RECORDED:
        options["data"] = data
    elif data is not None:
        raise StrandError(f"data: got '{data}', allowed: with {', '.join(RECORDED)} only")
    if name in COMPAT:
        options["compat"] = compat
    elif compat:
        raise StrandError(f"compat: got '{name}', allowed: with {', '.join(COMPAT)} only")
    if name in VINES:
        options |= {"bodies": bodies, "state": state}
    elif bodies is not None or state is not None:
        given = f"bodies: got {bodies}" if bodies is not None else f"state: got '{state}'"
        raise StrandError(f"{given}, allowed: with {', '.join(VINES)} only")
    run = importlib.import_module(f"strand_studies.published.{name}").run
    pictures = Frames(frames, parse_size(size))
    with report_progress(f"example {name}") as progress:
        report = run(full=full, progress=progress, frames=pictures, **options)
        if frames:
            progress("pictures")
            pictures.write()
    finish(report, json, None)


def _print_list() -> None:
    width = max(map(len, EXAMPLES))
    for name, shows in EXAMPLES.items():
        typer.echo(f"{name:{width}}  {shows}")
