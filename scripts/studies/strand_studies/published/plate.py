"""A square plate under its own weight, simply supported on all sides (MAT-DiSMech).

The deflection of the middle depends on the rigidity only: .00406 q a^4 / D. Mid-edge normals
converge to Kirchhoff's plate, D = E h^3 / 12 (1 - nu^2), on any mesh. Hinges do not depend on nu:
on equilateral triangles D = E h^3 / 12, so that the plate sags 1 / (1 - nu^2) = 1.10 times as far;
on other meshes they converge to other values. The papers give no figure for this case.
"""

import functools
from collections.abc import Callable

import numpy as np

from strand import meshes
from strand.draw.report import Report
from strand.io import text_geometry
from strand.meshes.lattice import Mesh
from strand.simulation import Network, Simulation
from strand_studies.published.figures import Progress, figure
from strand_studies.published.frames import Frames
from strand_studies.published.plate_theory import rigidity, square_centre
from strand_studies.published.published_files import LEFT_OUT, published_files

SIDE, THICKNESS, DENSITY, GRAVITY = 0.1, 1e-3, 7750.0, 9.81  # m, m, kg/m^3, m/s^2
YOUNG, POISSON = 200e9, 0.3  # Pa, 1
SIZES = (4, 20, 30)  # edges along a side
EQUILATERAL_SIZES = (13, 20, 26)  # sizes at which whole rows of nearly equilateral triangles fit
LIMIT = 0.02  # of the reference
MAGNIFIED = 10_000  #: the middle sags by 1.7 um
_PRESSURE = DENSITY * THICKNESS * GRAVITY  # Pa


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs two kinds of mesh; `full`: all five. Adds the authors' meshes if they are available."""
    frames = frames or Frames()
    results = []
    for family in meshes.FAMILIES if full else ("equilateral", "random"):
        if progress:
            progress(f"mid-edge normals, {family}")
        made = [meshes.strip(SIDE, SIDE, SIDE / n, family) for n in SIZES]
        results += _mid_edge(family, made, frames)
    if progress:
        progress("hinges")
    results += _hinges("equilateral", EQUILATERAL_SIZES, judged=True)
    for family in meshes.FAMILIES[1:] if full else ():
        results += _hinges(family, SIZES, judged=False)
    files = published_files()
    if files is None:
        return Report("plate", "Square plate", results, note=LEFT_OUT)
    if progress:
        progress("the authors' meshes")
    read = [text_geometry.read(files / f"matlab/squarePlate/random_mesh_{n}.txt") for n in SIZES]
    results += _mid_edge("the authors'", [(one.nodes, one.triangles) for one in read], frames)
    return Report("plate", "Square plate", results)


def sag(
    mesh: Mesh, bending: str, watch: Callable[[Simulation], None] | None = None
) -> tuple[float, int]:
    """The deflection (m) of the middle of the plate at rest, and the Newton iterations.

    watch: called with the simulation before and after it is solved.
    """
    vertices, triangles = mesh
    network = Network()
    shell = network.shell(
        vertices,
        triangles,
        young=YOUNG,
        poisson=POISSON,
        thickness=THICKNESS,
        density=DENSITY,
        bending=bending,
        membrane="springs",
    )
    simulation = Simulation(network, gravity=(0, 0, -GRAVITY), tolerance=1e-9)
    simulation.fix_node(np.unique(shell.edge_nodes[shell.rim]))
    watch = watch or (lambda simulation: None)
    watch(simulation)
    iterations = simulation.solve().iterations
    watch(simulation)
    return -_height_at(np.full(2, SIDE / 2), simulation.positions, triangles), iterations


def _height_at(point: np.ndarray, positions: np.ndarray, triangles: np.ndarray) -> float:
    """Height (m) at the point (x, y), interpolated linearly in the triangle that contains it."""
    a, b, c = (positions[triangles[:, k], :2] - point for k in range(3))
    parts = np.column_stack([_cross(b, c), _cross(c, a), _cross(a, b)])
    parts /= parts.sum(axis=1, keepdims=True)
    holding = parts.min(axis=1).argmax()
    return float(parts[holding] @ positions[triangles[holding], 2])


def _cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]


def _mid_edge(family: str, made: list[Mesh], frames: Frames) -> list[dict]:
    """Three meshes, and their limit for an error that is even in the mesh size (h^2 and h^4)."""
    wanted = square_centre(_PRESSURE, SIDE, rigidity(YOUNG, THICKNESS, POISSON))
    at, source = f"mid-edge normals, {family}", "Navier's series"
    rows, found, total = [], [], 0
    for n, mesh in zip(SIZES, made, strict=True):
        watch = None
        if family == "equilateral" and n == SIZES[-1]:
            frames.stage("plate", azimuth=65.0, elevation=-30.0, magnified=MAGNIFIED)
            watch = functools.partial(frames.take, "plate")
        middle, iterations = sag(mesh, "mid_edge", watch)
        rows.append(figure(f"{at}, n {n}: middle", middle, "m", wanted, source))
        found.append(middle)
        total += iterations
    powers = np.vander(1 / np.square(SIZES, dtype=float), increasing=True)
    limit = np.linalg.solve(powers, found)[0]
    words = f"{at}, extrapolated: middle"
    rows.append(figure(words, limit, "m", wanted, source, LIMIT * wanted))
    return [*rows, figure(f"{at}: Newton iterations", total, "")]


def _hinges(family: str, sizes: tuple[int, ...], judged: bool) -> list[dict]:
    """Hinges on meshes of these sizes. judged: whether the finest mesh is judged."""
    wanted = square_centre(_PRESSURE, SIDE, rigidity(YOUNG, THICKNESS, 0.0))
    rows, total = [], 0
    for n in sizes:
        middle, iterations = sag(meshes.strip(SIDE, SIDE, SIDE / n, family), "hinge")
        within = LIMIT * wanted if judged and n == sizes[-1] else None
        words = f"hinges, {family}, n {n}: middle"
        rows.append(figure(words, middle, "m", wanted, "Navier's series, D without nu", within))
        total += iterations
    return [*rows, figure(f"hinges, {family}: Newton iterations", total, "")]
