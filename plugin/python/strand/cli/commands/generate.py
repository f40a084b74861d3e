"""strand generate: MJCF from a cable's description."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strand.cli.output import keep, writable, writable_mjcf
from strand.cli.toml import Example, Schema, explain
from strand.errors import StrandError

if TYPE_CHECKING:
    from strand._strand import Recipe
    from strand.draw.report import Report


def generate(
    cable: Annotated[Path | None, typer.Argument(help="The cable's TOML file.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", callback=writable_mjcf, help="The MJCF file. Default: printed."
        ),
    ] = None,
    backend: Annotated[
        str, typer.Option(help="cable (plugin strand.cable) or flex (MuJoCo 4's, no plugin).")
    ] = "cable",
    stage: Annotated[
        bool,
        typer.Option(
            help="Adds floor, light and sky, for a model that is opened on its own; --no-stage: "
            "only the cable, for a scene."
        ),
    ] = True,
    schema: Schema = False,
    example: Example = None,
    json: Annotated[
        Path | None,
        typer.Option(callback=writable, help="Write properties of the model to this file."),
    ] = None,
) -> None:
    """Writes a cable as MJCF: a chain of bodies with the plugin strand.cable, or a flex.

    Reports the chosen root, integrator, time step and numerical stiffness. A flex is faster with
    many links, but supports fewer options than a chain; `strand compare` shows both.

    Example: strand generate --example cable.toml && strand generate cable.toml -o cable.xml
    """
    from strand.cable import cable_file
    from strand.io.files import write_text

    if explain(cable_file, schema, example):
        return
    if cable is None:
        raise StrandError("cable: got nothing, allowed: a TOML file, --schema or --example FILE")
    keep(cable, output=output, json=json)
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
    """Properties of the model."""
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
            "pieces",
        )
        result |= {name: getattr(recipe, name) for name in chosen}
    return Report("generate", "Generated cable", [result], lambda figure: None)
