"""Shells against the obstacle course of linear shell elements, and a strip rolled into a circle.

The benchmarks and their references, in units of their own:

- Scordelis-Lo roof, .3024 [T. Belytschko et al., Comput. Methods Appl. Mech. Eng. 51, 1985; the
  converged value of a deep shell, .3006, is 0.6 % below];
- pinched cylinder between rigid diaphragms, 1.8248e-5 [the same];
- pinched hemisphere with a hole of 18 degrees, .094, and whole, .0924
  [R. MacNeal and R. Harder, Finite Elem. Anal. Des. 1, 1985];
- clamped and simply supported square plates under a uniform load, .00126 and .00406 q L^4 / D
  [S. Timoshenko and S. Woinowsky-Krieger, Theory of Plates and Shells, tables 35 and 8];
- Cook's tapered panel, which has no bending, 23.96 at nu = 1/3;
- twisted beam, 5.424e-3 in its plane and 1.754e-3 across [MacNeal and Harder], deflections by beam
  theory: those of a thin shell are 0.5 % less;
- a cantilever strip that an end moment 2 pi EI / L rolls into a circle of height L / pi.

Mid-edge normals with the continuum membrane converge to every reference. Hinges are not judged in
benchmarks with bending: they model a plate with nu = -1/3 and D = E h^3 / 12, and only on
equilateral triangles, which a sphere cannot have. The strip has right-angled triangles, on which
hinges find no equilibrium.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from strand.draw.report import Report
from strand.errors import StrandError
from strand.simulation import SolverError
from strand_studies import relax
from strand_studies.validation import shell_models

_CANNOT = "nu = -1/3, D = E h³/12, and that on equilateral triangles alone"


@dataclass(frozen=True)
class Benchmark:
    """A figure measured on three meshes, with its reference and the tolerance of the finest."""

    name: str
    measure: Callable[[str, int], float]
    reference: float
    rows: tuple[int, int, int]  #: of triangles across, of the three meshes
    tolerance: float  #: of the reference, on the finest mesh
    bends: bool = True


COURSE = (
    Benchmark("Scordelis-Lo roof", shell_models.scordelis_lo, 0.3024, (16, 32, 64), 0.02),
    Benchmark("pinched cylinder", shell_models.pinched_cylinder, 1.8248e-5, (96, 192, 384), 0.03),
    Benchmark("hemisphere with hole", shell_models.hemisphere_with_hole, 0.094, (32, 64, 96), 0.02),
    Benchmark("pinched hemisphere", shell_models.hemisphere, 0.0924, (4, 8, 16), 0.01),
    Benchmark(
        "clamped plate", partial(shell_models.plate, clamped=True), 0.00126, (16, 32, 64), 0.02
    ),
    Benchmark(
        "supported plate", partial(shell_models.plate, clamped=False), 0.00406, (16, 32, 64), 0.01
    ),
    Benchmark("Cook's membrane", shell_models.cook, 23.96, (8, 16, 32), 0.02, bends=False),
    Benchmark(
        "twisted beam, in plane", partial(shell_models.twisted_beam, in_plane=True), 5.424e-3,
        (4, 8, 16), 0.01,
    ),
    Benchmark(
        "twisted beam, across", partial(shell_models.twisted_beam, in_plane=False), 1.754e-3,
        (4, 8, 16), 0.01,
    ),
    Benchmark("rolled strip", shell_models.rolled_strip, 1.0, (20, 40, 80), 0.001),
)  # fmt: skip


def run(
    segments: list[int] | None = None,
    curvature: str = "angle",
    progress: relax.Progress = None,
    course: tuple[Benchmark, ...] = COURSE,
) -> Report:
    """Runs every benchmark on three meshes with both bending models.

    curvature: not used, since it is a measure of rods.
    """
    if segments:
        raise StrandError(f"segments: got {segments!r}, allowed: none with shells")
    results = []
    for benchmark in course:
        for bending in ("mid_edge", "hinge"):
            if progress:
                progress(f"{benchmark.name}, {bending}")
            results += _converge(benchmark, bending)
    return Report(
        "shells",
        "Shells",
        results,
        lambda figure: _draw(figure, results),
        f"Membrane: continuum. Hinges cannot do what bends: {_CANNOT}.",
        judged="|error| <= tolerance on the finest mesh, and less than on the one before",
        reported={"found": "theory"},
    )


def _converge(benchmark: Benchmark, bending: str) -> list[dict]:
    """One case per mesh. The finest is judged if the element can represent the benchmark."""
    can = bending == "mid_edge" or not benchmark.bends
    found = [_measure(benchmark, bending, rows, can) for rows in benchmark.rows]
    errors = [None if value is None else value / benchmark.reference - 1 for value in found]
    rows = []
    for count, value, error in zip(benchmark.rows, found, errors, strict=True):
        judged = can and count == benchmark.rows[-1]
        rows.append(
            {
                "benchmark": benchmark.name,
                "bending": bending,
                "rows": count,
                "found": value,
                "theory": benchmark.reference,
                "error": error,
                "can": "yes" if can else "no",
                "tolerance": benchmark.tolerance if judged else None,
                "passed": _passed(benchmark, errors) if judged else None,
            }
        )
    return rows


def _measure(benchmark: Benchmark, bending: str, rows: int, can: bool) -> float | None:
    """The figure; None if the element cannot represent the benchmark and finds no equilibrium."""
    try:
        return benchmark.measure(bending, rows)
    except SolverError:
        if can:
            raise
        return None


def _passed(benchmark: Benchmark, errors: list[float]) -> bool:
    return abs(errors[-1]) <= benchmark.tolerance and abs(errors[-1]) < abs(errors[-2])


def _draw(figure, results: list[dict]) -> None:
    from matplotlib import colormaps

    names = list(dict.fromkeys(case["benchmark"] for case in results))
    for axes, bending in zip(
        figure.subplots(1, 2, sharey=True), ("mid_edge", "hinge"), strict=True
    ):
        for name, color in zip(names, colormaps["tab10"].colors, strict=False):
            of = [c for c in results if (c["benchmark"], c["bending"]) == (name, bending)]
            finest = of[-1]["rows"]
            of = [case for case in of if case["found"] is not None]
            places = [case["rows"] / finest for case in of]
            errors = [abs(case["error"]) for case in of]
            axes.loglog(places, errors, "o-", label=name, color=color)
        axes.set(xlabel="rows / rows of the finest mesh", title=bending.replace("_", "-"))
    figure.axes[0].set(ylabel="relative error")
    figure.axes[1].legend(fontsize="x-small", loc="lower left")
