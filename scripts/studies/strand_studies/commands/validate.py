"""strand validate: the plugin and the core's shells against theory."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from strand.cli.output import JsonFile, PlotFile, finish, number_list, report_progress
from strand.errors import StrandError
from strand_studies.validation import CURVATURES, NAMES

if TYPE_CHECKING:
    from strand.draw.report import Report


def validate(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(NAMES)}.")],
    segments: Annotated[
        str | None,
        typer.Option(help="Numbers of links, e.g. 40,60 (mbi: one; shells and all: none)."),
    ] = None,
    curvature: Annotated[
        str, typer.Option(help=f"Curvature measure: {', '.join(CURVATURES)}.")
    ] = "angle",
    twisting: Annotated[
        str, typer.Option(help="lhb: rest_twist, or ends (twist by turning the ends).")
    ] = "rest_twist",
    ratios: Annotated[
        str | None, typer.Option(help="mbi: values of GJ/EI, e.g. 0.5,0.875,1.25.")
    ] = None,
    backend: Annotated[str, typer.Option(help="plugin (MuJoCo).")] = "plugin",
    view: Annotated[
        bool,
        typer.Option(
            "--view",
            help="Shows the cable in a window while it runs (lhb, mbi, elastica, cantilever, "
            "catenary, vibration), with the curves of theory.",
        ),
    ] = False,
    json: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Compares simulations with theory and exits with 0 only if all are within tolerance.

    all: runs every validation with its defaults, some minutes; the plots are stacked.

    Example: strand validate lhb --segments 40,60 --json lhb.json --plot lhb.png
    """
    if backend != "plugin":
        raise StrandError(f"backend: got {backend!r}, allowed: plugin (no other exists yet)")
    run, options = _select(name, segments, curvature, twisting, ratios)
    from strand.mujoco_versions import discrete

    discrete("validate")
    with report_progress(f"validate {name}") as progress:
        work = partial(run, curvature=curvature, progress=progress, **options)
        report = _watch(name, work) if view else work()
    if report is not None:
        finish(report, json, plot)


def _watch(name: str, work: "Callable[[], Report]") -> "Report | None":
    """Runs a validation in the viewer. None if the window was closed before its end."""
    from strand.viewer.view import view
    from strand_studies.validation.watched import Watched

    watched = Watched(name, work)
    try:
        view(watched.opened(), speed=10.0)
    finally:
        report = watched.close()
    return report


def _select(name, segments, curvature, twisting, ratios):
    """The validation's function and its own options. Raises StrandError for other options."""
    import importlib

    if name not in NAMES:
        raise StrandError(f"name: got {name!r}, allowed: {', '.join(NAMES)}")
    if curvature not in CURVATURES:
        raise StrandError(f"curvature: got {curvature!r}, allowed: {', '.join(CURVATURES)}")
    sizes = number_list("segments", segments, int, least=2)
    options = {"segments": sizes}
    if name == "all":
        if sizes:
            raise StrandError(f"segments: got {segments!r}, allowed: with one validation only")
        options = {}
    if name == "lhb":
        options["twisting"] = twisting
    elif twisting != "rest_twist":
        raise StrandError(f"twisting: got {twisting!r}, allowed: with lhb only")
    if name == "mbi":
        if sizes and len(sizes) > 1:
            raise StrandError(f"segments: got {segments!r}, allowed: one number with mbi")
        options = {"segments": sizes[0]} if sizes else {}
        options["ratios"] = number_list("ratios", ratios, float, least=1e-3)
    elif ratios is not None:
        raise StrandError(f"ratios: got {ratios!r}, allowed: with mbi only")
    return importlib.import_module(f"strand_studies.validation.{name}").run, options
