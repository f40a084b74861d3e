"""Cantilevers of rods and sheets under their own weight (MAT-DiSMech, cantilevers, five meshes).

The clamp is of second order, at a row of nodes, so that the free length is exact. The papers' clamp
is half an edge further in, which makes rods 4.5 % too soft, sheets up to 10 %.

* Rods, and sheets with nu = 0, against the elastica: .785 of Euler-Bernoulli's deflection at
  20 MPa, .9967 at 200 MPa.
* Sheets with mid-edge normals against Kirchhoff's plate, on five kinds of mesh: .9256 of
  Euler-Bernoulli at nu = .5, since the clamp prevents the strip from curving across.
* Sheets with hinges, which do not depend on nu: on equilateral triangles they are plates of
  rigidity E h^3 / 12 with nu = -1/3, so that a strip sags 9/8 times as far as a beam (less at the
  clamp). On other meshes they converge to other values, which are reported but not judged.

Then the authors' own settings (strand_studies.published.sheet_published).
"""

import itertools
from dataclasses import dataclass

import numpy as np
from scipy.integrate import trapezoid

from strand import meshes
from strand.draw.report import Report
from strand.meshes.lattice import Mesh
from strand.simulation import Network, Simulation
from strand_studies.beam import tip_deflection
from strand_studies.published import sheet_published
from strand_studies.published.figures import PUBLISHED, Progress, figure, limit_of_halvings
from strand_studies.published.frames import Frames
from strand_studies.published.plate_theory import cantilever_tip, rigidity
from strand_studies.published.sheet_published import (
    DENSITY,
    GRAVITY,
    LENGTH,
    THICKNESS,
    WIDTH,
    euler,
)

YOUNG = (20e9, 2e9, 200e6, 20e6)  # Pa
STIFF, SOFT = 2e9, 20e6  # Pa: a sheet that hardly bends, and one that bends far
SPAN = 0.1  # m, length of the papers' strips, of which the first 10 mm are clamped
PRESSURE = DENSITY * THICKNESS * GRAVITY  # Pa
EQUILATERAL_WIDTH = np.sqrt(3) * SPAN / 10  # m, fits two rows of triangles or a multiple
BEAM, PLATE, HINGE = 0.01, 0.03, 0.01  # of the reference


@dataclass(frozen=True)
class Hung:
    """A cantilever at rest."""

    simulation: Simulation
    tip: float  #: m, mean deflection of its end
    iterations: int  #: of Newton's method


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
) -> Report:
    """Runs fewer meshes and nu = .5 only; `full`: all."""
    frames = frames or Frames()
    results = []
    for young in YOUNG:
        if progress:
            progress(f"rod and sheet, {young:g} Pa")
        results += _beams(young, frames)
    for poisson in (0.5, 0.3, 0.0) if full else (0.5,):
        for family in meshes.FAMILIES:
            if progress:
                progress(f"mid-edge normals, nu {poisson:g}, {family}")
            results += _plates(family, poisson, (10, 20, 40) if full else (20, 40))
    if progress:
        progress("hinges")
    results += _hinges()
    results += _other_hinges() if full else []
    published, note = sheet_published.figures(compat, progress)
    return Report("sheet", "Cantilevers of rods and sheets", results + published, note=note)


def hang_rod(young: float, segments: int = 45) -> Hung:
    """A strip as a rod of rectangular section."""
    network = Network()
    nodes = np.linspace(0, 1, segments + 1)[:, None] * (LENGTH, 0, 0)
    rod = network.rod(nodes, young=young, density=DENSITY, **sheet_published.SECTION)
    network.clamp(rod, "start")
    gravity = (0, 0, -GRAVITY)
    simulation = Simulation(network, gravity=gravity, plane="xz", tolerance=1e-9, **PUBLISHED)
    simulation.fix_node(rod.nodes[0])
    iterations = simulation.solve().iterations
    return Hung(simulation, -simulation.positions[rod.nodes[-1], 2], iterations)


def hang_sheet(mesh: Mesh, young: float, poisson: float, bending: str) -> Hung:
    """A strip as a shell, clamped along x = 0."""
    vertices, triangles = mesh
    network = Network()
    shell = network.shell(
        vertices,
        triangles,
        young=young,
        poisson=poisson,
        thickness=THICKNESS,
        density=DENSITY,
        bending=bending,
        membrane="springs",
    )
    held = vertices[:, 0] < 1e-9
    network.clamp_shell(shell, [k for k in shell.rim if held[shell.edge_nodes[k]].all()])
    simulation = Simulation(network, gravity=(0, 0, -GRAVITY), tolerance=1e-9, max_iterations=200)
    simulation.fix_node(np.flatnonzero(held))
    iterations = simulation.solve().iterations
    end = np.flatnonzero(vertices[:, 0] > vertices[:, 0].max() - 1e-9)
    _, y, z = simulation.positions[end[np.argsort(vertices[end, 1])]].T
    return Hung(simulation, -trapezoid(z, y) / np.ptp(y), iterations)


def _beams(young: float, frames: Frames) -> list[dict]:
    """A rod, and a sheet without Poisson's ratio, beside the elastica."""
    bending = young * THICKNESS**3 / 12
    sag, _ = tip_deflection(weight=PRESSURE * LENGTH**3 / bending)
    strip = meshes.strip(LENGTH, WIDTH, SPAN / 20)
    cases = {
        "rod": hang_rod(young),
        "mid-edge normals, nu 0": hang_sheet(strip, young, 0.0, "mid_edge"),
    }
    frames.stage("sheet", azimuth=120, elevation=-20)
    rows = [figure(f"{young:g} Pa: elastica", sag * LENGTH / euler(young), "of E-B")]
    for name, hung in cases.items():
        if young == SOFT:
            frames.take("rod" if name == "rod" else "sheet", hung.simulation)
        at, wanted = f"{young:g} Pa, {name}", sag * LENGTH
        rows.append(figure(f"{at}: tip", hung.tip, "m", wanted, "the elastica", BEAM * wanted))
        rows.append(figure(f"{at}: Newton iterations", hung.iterations, ""))
    return rows


def _plates(family: str, poisson: float, sizes: tuple[int, ...]) -> list[dict]:
    """Meshes of one kind with mid-edge normals: the error is small, and falls with refinement."""
    wanted = _plate_tip(WIDTH, poisson, poisson)
    rows, errors, iterations = [], [], 0
    at = f"mid-edge normals, {family}, nu {poisson:g}"
    for n in sizes:
        hung = hang_sheet(meshes.strip(LENGTH, WIDTH, SPAN / n, family), STIFF, poisson, "mid_edge")
        within = PLATE * wanted if n == sizes[-1] else None
        rows.append(figure(f"{at}, n {n}: tip", hung.tip, "m", wanted, "Kirchhoff's plate", within))
        errors.append(abs(hung.tip - wanted))
        iterations += hung.iterations
    fall = max(fine / coarse for coarse, fine in itertools.pairwise(errors))
    rows.append(figure(f"{at}: error, finer over coarser", fall, "", 0.0, "falls", 0.99))
    rows.append(figure(f"{at}: Newton iterations", iterations, ""))
    return rows


def _hinges() -> list[dict]:
    """The limit on equilateral triangles, which act as a plate with nu = -1/3."""
    wanted, source = _plate_tip(EQUILATERAL_WIDTH, 0.0, -1 / 3), "plate, nu = -1/3"
    at, tips = "hinges, equilateral", []
    for n in (10, 20, 40):
        mesh = meshes.strip(LENGTH, EQUILATERAL_WIDTH, SPAN / n)
        tips.append(hang_sheet(mesh, STIFF, 0.5, "hinge").tip)
    rows = [
        figure(f"{at}, n {n}: tip", tip, "m", wanted, source)
        for n, tip in zip((10, 20, 40), tips, strict=True)
    ]
    limit = limit_of_halvings(*tips)
    return [*rows, figure(f"{at}, extrapolated: tip", limit, "m", wanted, source, HINGE * wanted)]


def _other_hinges() -> list[dict]:
    wanted = _plate_tip(WIDTH, 0.0, -1 / 3)
    rows = []
    for family in meshes.FAMILIES[1:]:
        for n in (20, 40):
            mesh = meshes.strip(LENGTH, WIDTH, SPAN / n, family)
            tip = hang_sheet(mesh, STIFF, 0.5, "hinge").tip
            rows.append(
                figure(f"hinges, {family}, n {n}: tip", tip, "m", wanted, "plate, nu = -1/3")
            )
    return rows


def _plate_tip(width: float, of_rigidity: float, poisson: float) -> float:
    """Tip deflection (m) of a plate with rigidity E h^3 / 12 (1 - of_rigidity^2).

    poisson: Poisson's ratio in the rest of the equations.
    """
    bending = rigidity(STIFF, THICKNESS, of_rigidity)
    return cantilever_tip(PRESSURE, LENGTH, width, bending, poisson)
