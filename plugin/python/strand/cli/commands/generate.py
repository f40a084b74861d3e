"""strand generate: MJCF from a cable's description."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strand.cli.output import writable
from strand.cli.toml import Example, Schema, explain
from strand.errors import StrandError

if TYPE_CHECKING:
    from strand._strand import Recipe
    from strand.draw.report import Report


def generate(
    cable: Annotated[Path | None, typer.Argument(help="The cable's TOML file.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", callback=writable, help="The MJCF file; left out: printed."),
    ] = None,
    backend: Annotated[
        str, typer.Option(help="cable (plugin strand.cable) or flex (MuJoCo 4's, no plugin).")
    ] = "cable",
    stage: Annotated[
        bool,
        typer.Option(
            help="With floor, light and sky, to be opened by itself; --no-stage: the cable alone, "
            "to be part of a scene."
        ),
    ] = True,
    schema: Schema = False,
    example: Example = None,
    json: Annotated[
        Path | None,
        typer.Option(callback=writable, help="Write what was made, in figures, to this file."),
    ] = None,
) -> None:
    """Writes a cable as MJCF: a chain of bodies that the plugin strand.cable drives, or a flex.

    Says which root, integrator, time step and numerical stiffness it chose. A flex costs less with
    many links, and cannot be everything that a chain can; `strand compare` shows both.

    Example: strand generate --example cable.toml && strand generate cable.toml -o cable.xml
    """
    from strand.cable import cable_file
    from strand.io.files import write_text

    if explain(cable_file, schema, example):
        return
    if cable is None:
        raise StrandError("cable: got nothing, allowed: a TOML file, --schema or --example FILE")
    described = cable_file.load_cable(cable)
    mjcf, recipe = described.generate(backend, stage)
    typer.echo(str(recipe), err=True)
    if output:
        write_text(output, mjcf)
        typer.echo(f"written: {output}", err=True)
    else:
        typer.echo(mjcf, nl=False)
    if json:
        _report(mjcf, recipe, len(described.nodes) - 1, backend).write_json(json)


def _report(mjcf: str, recipe: "Recipe | str", links: int, backend: str) -> "Report":
    """The model that the text makes, in figures."""
    import mujoco

    from strand.draw.report import Report

    model = mujoco.MjModel.from_xml_string(mjcf)
    result = {
        "links": links,
        "mass": float(model.body_mass.sum()),
        "timestep": model.opt.timestep,
        "recipe": str(recipe),
        "passed": True,
    }
    if backend == "cable":
        chosen = (
            "integrator",
            "recommended_timestep",
            "recommended_links",
            "max_tension",
            "twist",
            "root",
        )
        result |= {name: getattr(recipe, name) for name in chosen}
    return Report("generate", "Generated cable", [result], lambda figure: None)
