"""strand compare: one cable on every carrier."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli.output import JsonFile, finish, report_progress


def compare(
    cable: Annotated[Path, typer.Argument(help="The cable's TOML file.")],
    use: Annotated[
        str, typer.Option(help="What for: scene, robot, gpu (MuJoCo Warp) or reference.")
    ] = "scene",
    repeats: Annotated[int, typer.Option(help="Rounds that medians are taken of.")] = 7,
    json: JsonFile = None,
) -> None:
    """Shows a cable as chain + strand.cable, as flex and in the core, and recommends one.

    Where it comes to rest, its first frequency, and what a step costs; why a carrier cannot be this
    cable. Exits with 0 only where they agree within 1 % (judged from 40 links on).

    Example: strand generate --example cable.toml && strand compare cable.toml --json compare.json
    """
    from strand import load_cable
    from strand_studies import compare as comparison

    described = load_cable(cable)
    with report_progress("compare") as progress:
        report = comparison.run(described, use, repeats, progress)
    finish(report, json)
