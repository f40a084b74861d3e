"""strand convert: converts old cable models for current versions of MuJoCo."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import finish, keep, writable, writable_mjcf
from strand.errors import StrandError

if TYPE_CHECKING:
    from strand.legacy import Conversion


def convert(
    old: Annotated[Path, typer.Argument(help="A model (MJCF) with old cables.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            callback=writable_mjcf,
            help="The new model, which may replace OLD. Default: printed.",
        ),
    ] = None,
    backend: Annotated[
        str,
        typer.Option(
            help="What cables become: cable (the same bodies with strand.cable), or flex (MuJoCo "
            "4's 1D flex: no plugin, only straight round cables)."
        ),
    ] = "cable",
    law: Annotated[
        str,
        typer.Option(help="Torque law: strand; or old, as in MuJoCo 3, for exact repeatability."),
    ] = "strand",
    check: Annotated[
        bool,
        typer.Option("--check", help="Compare with the original in MuJoCo 3 (ropes and loops: 2)."),
    ] = False,
    legacy_python: Annotated[
        str | None,
        typer.Option(help="Python with that MuJoCo, for --check (or STRAND_LEGACY_PYTHON)."),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(callback=writable, help="Write the report and the comparison to this file."),
    ] = None,
) -> None:
    """Converts <composite type="cable">, rope and loop, and mujoco.elasticity.cable.

    MuJoCo 4.0 supports none of them.

    Names, bodies, joints and qpos are preserved, so that references and code keep working. The rest
    of the file is unchanged. Reports what was converted and what was dropped.

    With --backend flex the names of bodies and sites, positions, mass, stiffness and contacts are
    preserved; joints, qpos and orientations are not. Cables that a flex cannot represent, and
    references to parts that it does not have, are rejected with their line.

    Example: strand convert old.xml -o new.xml --check
    """
    from strand.draw.report import Report
    from strand.legacy import convert as run

    keep(old, json=json)
    prefix = f"{output.stem}_" if output else ""
    conversion = run(old, _folder(old, output), prefix, law=law, backend=backend)
    results = _compared(old, legacy_python, backend) if check else []
    typer.echo(conversion.report(), err=True)
    _write(conversion, output)
    judged = "that the converted model has what the original has, within the check's tolerance"
    report = Report("convert", "Original and converted model", results, judged=judged)
    if not check:
        did = {"did": conversion.did, "lost": conversion.lost, "passed": True}
        report.results.append(did)
        if json:
            report.write_json(json)
        return
    finish(report, json)


def _folder(old: Path, output: Path | None) -> str | None:
    """The path from the new file's folder to the old file's; None if they are the same."""
    if output is None or output.resolve().parent == old.resolve().parent:
        return None
    return os.path.relpath(old.resolve().parent, output.resolve().parent)


def _compared(old: Path, python: str | None, backend: str) -> list[dict[str, Any]]:
    from strand.legacy.checking import check

    return [
        {"what": line.what, "original": line.old, "converted": line.new, "passed": line.passed}
        for line in check(old, python, backend)
    ]


def _write(conversion: "Conversion", output: Path | None) -> None:
    from strand.io.files import write_bytes

    if output is None:
        if conversion.children:
            names = ", ".join(conversion.children)
            raise StrandError(
                f"output: got nothing, allowed: a file, since attached models are written to the "
                f"same folder ({names})"
            )
        typer.echo(conversion.text, nl=False)
        return
    for name, text in conversion.children.items():
        write_bytes(output.parent / name, text)
        typer.echo(f"written: {output.parent / name}", err=True)
    write_bytes(output, conversion.text)
    typer.echo(f"written: {output}", err=True)
