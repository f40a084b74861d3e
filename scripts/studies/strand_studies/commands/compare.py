"""strand compare: one cable as a chain, as a flex and in the core."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli.output import JsonFile, finish, keep, report_progress


def compare(
    cable: Annotated[Path, typer.Argument(help="The cable's TOML file.")],
    use: Annotated[
        str, typer.Option(help="Purpose: scene, robot, gpu (MuJoCo Warp) or reference.")
    ] = "scene",
    repeats: Annotated[int, typer.Option(help="Rounds to take medians of.")] = 7,
    json: JsonFile = None,
) -> None:
    """Compares a cable as chain with strand.cable, as flex and in the core, and recommends one.

    Prints the shape at rest, the first frequency and the cost of a step of each carrier, or why it
    cannot represent this cable. Exits with 0 only if they agree within 1 % (judged from 40 links
    on).

    Example: strand generate --example cable.toml && strand compare cable.toml --json compare.json
    """
    from strand import load_cable
    from strand_studies import compare as comparison

    keep(cable, json=json)
    described = load_cable(cable)
    with report_progress("compare") as progress:
        report = comparison.run(described, use, repeats, progress)
    finish(report, json)
