"""strand identify: parameters of a cable from recordings of a real one."""

from pathlib import Path
from typing import Annotated

import typer

from strand.cli.output import JsonFile, PlotFile, finish, keep, number_list, report_progress
from strand.cli.toml import Example, Schema, explain
from strand.errors import StrandError

app = typer.Typer(no_args_is_help=True, help="Identifies EI, GJ, damping, or any parameter.")

MassPerLength = Annotated[float, typer.Option(help="kg/m.")]
Length = Annotated[float | None, typer.Option(help="m, between the clamps or to the free end.")]
Gravity = Annotated[float, typer.Option(help="m/s^2.")]


@app.callback()
def _identify() -> None:
    """Parameters of a cable from recordings of a real one.

    Example: strand identify bend loops.csv --mass-per-length 0.0174 --hold cta --length 1.5
    """


@app.command()
def bend(
    data: Annotated[Path, typer.Argument(help="CSV of points along the cable at rest.")],
    mass_per_length: MassPerLength,
    length: Length = None,
    hold: Annotated[
        str,
        typer.Option(
            help="loop (both ends clamped), cantilever (first point clamped), cta (clamps "
            "horizontal and opposed, --gap apart)."
        ),
    ] = "loop",
    gap: Annotated[float, typer.Option(help="m, between the clamps of --hold cta.")] = 0.12,
    start: Annotated[str | None, typer.Option(help="Place of the clamp: x,up (m).")] = None,
    end: Annotated[str | None, typer.Option(help="Place of the end's clamp: x,up (m).")] = None,
    start_direction: Annotated[
        str | None, typer.Option(help="In which the cable leaves the clamp: x,up.")
    ] = None,
    end_direction: Annotated[
        str | None, typer.Option(help="In which the cable enters the end's clamp: x,up.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="lsq (least squares), golden (as published; needs --length).")
    ] = "lsq",
    natural_curvature: Annotated[
        bool, typer.Option(help="Fit a natural curvature, too (cantilever).")
    ] = False,
    links: Annotated[int | None, typer.Option(help="In the free span. Default: chosen.")] = None,
    objective: Annotated[
        str, typer.Option(help="Of golden: distance (mean) or squared (mean of squares).")
    ] = "distance",
    limit: Annotated[
        float | None, typer.Option(help="Largest EI for golden (N m^2). Default: (2 pi)^-3.")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Names of the columns x,up or x,y,up. Default: found.")
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="Of the points: m, mm, cm, in, ... Default: found.")
    ] = None,
    up: Annotated[
        str | None, typer.Option(help="Coordinate that points up: +y, -y, +z, ... Default: found.")
    ] = None,
    trial: Annotated[str, typer.Option(help="Column that numbers the trials.")] = "trial",
    where: Annotated[
        list[str] | None, typer.Option(help="COLUMN=VALUE of the rows used; repeatable.")
    ] = None,
    gravity: Gravity = 9.81,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """EI, and natural curvature, from shapes of a cable that hangs under its own weight.

    Points may be noisy and unequally spaced, in either direction along the cable (cantilever: from
    the clamp on). What is not given about length and clamps is fitted ("lsq"). Intervals: bootstrap
    over trials or, for one trial, over blocks of residuals. Exits with 1 if EI is at a limit of the
    search.

    Example: strand identify bend loops.csv --mass-per-length 0.0174 --hold cta --length 1.5 \
    --where wire=white --plot bend.png
    """
    from strand import identify
    from strand.identify.bend_search import PUBLISHED_TOLERANCE, PUBLISHED_UNIT

    keep(data, json=json, plot=plot)
    largest = PUBLISHED_UNIT if limit is None else limit
    with report_progress("identify bend") as progress:
        found = identify.bend(
            data,
            mass_per_length=mass_per_length,
            length=length,
            hold=hold,
            gap=gap,
            start=_vector("start", start),
            end=_vector("end", end),
            start_direction=_vector("start_direction", start_direction),
            end_direction=_vector("end_direction", end_direction),
            method=method,
            natural_curvature=natural_curvature,
            links=links,
            limits=(0.0, largest),
            tolerance=PUBLISHED_TOLERANCE * largest,
            objective=objective,
            gravity=gravity,
            progress=progress,
            columns=columns.split(",") if columns else None,
            unit=unit,
            up=up,
            trial=trial,
            where=_pairs(where or []),
        )
    finish(found.report(), json, plot)


@app.command()
def twist(
    critical_twist: Annotated[str, typer.Argument(help="Critical twists, deg: 970,975,980.")],
    EI: Annotated[float, typer.Option("--EI", help="N m^2, from `identify bend`.")],
    mass_per_length: MassPerLength,
    length: Annotated[float, typer.Option(help="m, between the clamps.")],
    gap: Annotated[float, typer.Option(help="m, between the clamps.")] = 0.12,
    start_direction: Annotated[
        str, typer.Option(help="In which the cable leaves the right clamp: x,up.")
    ] = "1,0",
    end_direction: Annotated[
        str, typer.Option(help="In which the cable enters the left clamp: x,up.")
    ] = "1,0",
    criterion: Annotated[str, typer.Option(help="stability, contact or both.")] = "both",
    links: Annotated[int | None, typer.Option(help="In the free span. Default: 60.")] = None,
    published: Annotated[
        bool, typer.Option(help="As the published model: 50 links, damping, a hold of 30 s.")
    ] = False,
    diameter: Annotated[
        float | None, typer.Option(help="Of the cable, for contact (m). Default: length / 150.")
    ] = None,
    gravity: Gravity = 9.81,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """GJ/EI from the turn of one end at which a hanging loop buckles.

    Two criteria: the equilibrium becomes unstable, and the released loop touches itself.

    Example: strand identify twist 970,970,980,975,980 --EI 1.217e-4 --mass-per-length 0.0174 \
    --length 1.5 --published
    """
    import numpy as np

    from strand import identify

    turns = number_list("critical_twist", critical_twist, float, least=0.0) or []
    with report_progress("identify twist") as progress:
        found = identify.twist(
            np.radians(turns).tolist(),
            EI=EI,
            mass_per_length=mass_per_length,
            length=length,
            gap=gap,
            start_direction=_vector("start_direction", start_direction) or (),
            end_direction=_vector("end_direction", end_direction) or (),
            criterion=criterion,
            links=links,
            published=published,
            diameter=diameter,
            gravity=gravity,
            progress=progress,
        )
    finish(found.report(), json, plot)


@app.command()
def damping(
    data: Annotated[Path, typer.Argument(help="Table: time (s), displacement (any unit).")],
    column: Annotated[str | None, typer.Option(help="Displacement. Default: the second.")] = None,
    skip: Annotated[
        float, typer.Option(help="s from the start that are left out (other modes).")
    ] = 0.0,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Frequency, damping ratio and loss time from a decaying oscillation.

    Steps of time may differ. The results damping_ratio and loss_time are keys of cable files. Exits
    with 1 if the oscillation grows.

    Example: strand identify damping tip.csv --skip 0.5 --plot damping.png
    """
    from strand import identify

    keep(data, json=json, plot=plot)
    found = identify.damping(data, column=column, skip=skip)
    finish(found.report(), json, plot)


@app.command()
def fit(
    spec: Annotated[Path | None, typer.Argument(help="The fit: a TOML file.")] = None,
    schema: Schema = False,
    example: Example = None,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Any parameters of a cable, so that its simulation matches recorded data.

    Compares positions at rest or in time, simulated in the core or in MuJoCo. Exits with 1 if a
    parameter is at a limit of the search, or if the data do not depend on it.

    Example: strand identify fit --example fit.toml && strand identify fit fit.toml --plot fit.png
    """
    from strand import identify
    from strand.identify import fit_spec

    if explain(fit_spec, schema, example):
        return
    if spec is None:
        raise StrandError("spec: got nothing, allowed: a TOML file, --schema or --example FILE")
    keep(spec, json=json, plot=plot)
    with report_progress("identify fit") as progress:
        found = identify.fit(spec, progress)
    finish(found.report(), json, plot)


def _vector(field: str, text: str | None) -> list[float] | None:
    return number_list(field, text, float, least=-1e9)


def _pairs(texts: list[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise StrandError(f"where: got {text!r}, allowed: COLUMN=VALUE")
        pairs[name] = value
    return pairs
