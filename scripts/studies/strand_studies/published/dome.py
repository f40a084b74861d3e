"""A hemisphere, its rim clamped, is pushed in at its apex until it snaps.

At first it gives way as a spring, k = 8 sqrt(D Y) / R with the rigidity D of bending and Y of
stretching; of a plate's material that is 4 E h^2 / (R sqrt(3 (1 - nu^2))) [E. Reissner, Stresses
and small displacements of shallow spherical shells II, J. Math. Phys. 25, 1946]. These shells
stretch as the published lattice of springs does. With hinges they are made for equilateral
triangles: Y = E h and nu = 1/3, but bending with D = E h^3 / 12 and nu = -1/3; k takes D and Y
alone. With mid-edge normals D = E h^3 / 12 (1 - nu^2), but
the published springs are a penalty, on equilateral triangles Y = 4 / sqrt(3) E h / (1 - nu^2):
2.6 times too much, so that k is 1.6 times Reissner's. It is compared with k of that Y. The dent is
about l = (D R^2 / Y)^(1/4) wide: 2.7 mm with hinges, 2.2 with mid-edge normals. The deflection is
too large by some part of size / l, so the finest three meshes are extrapolated; without `full`
those of a shell 2 mm thick, with l twice as long.

Pushed further, the apex turns inside out, and the load grows about as the root of the depth. At 16
to 17 thicknesses the round dimple snaps, the sooner the more it is disturbed: the load falls, the
ridge becomes a polygon, and under a dead load the shell moves on by itself, but not far: clamped at
its rim, it bears more the further it is pushed in. Where edges are longer than l it also snaps for
each row of vertices.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from strand import meshes
from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import Progress, figure, limit_of_halvings
from strand_studies.published.frames import Frames

RADIUS, THICKNESS, YOUNG, DENSITY = 0.05, 5e-4, 2e6, 1200.0  # m, m, Pa, kg/m^3
POISSON = 1 / 3  # that of the springs
THICK = 2e-3  # m
PUSH, NEAR = 1e-6, 0.05  # m; of Reissner's stiffness
COARSE, FINE, DEEPEST = 1e-3, 1e-4, 12e-3  # m: steps of the apex
FROM = {"hinge": 7.5e-3, "mid_edge": 3e-3}  # m: where the fine ones begin
SAME = 0.05  # of the limit load, on meshes of twice the size
BELOW, ABOVE = 0.97, 1.05  # of the limit load
DT, WATCHED = 4e-3, 0.16  # s: from rounding alone it takes as long to lose its symmetry
ROUND = 1e-6  # m
_WORDS = {"hinge": "hinges", "mid_edge": "mid-edge normals"}


@dataclass(frozen=True)
class Limit:
    """Where the load first falls as the apex goes down."""

    load: float  #: N, the highest before
    depth: float  #: m, there
    fall: float  #: N, in the next step
    iterations: int  #: of Newton's method, all the way


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """On the finest meshes, or on those that take seconds."""
    frames = frames or Frames()
    results = []
    for bending in ("hinge", "mid_edge"):
        if progress:
            progress(f"stiffness, {bending}")
        divisions, thickness = ((10, 20, 40), THICKNESS) if full else ((5, 10, 20), THICK)
        results += _stiffness(bending, thickness, divisions)
    found = []
    for bending, divisions in [("hinge", 10), *([("hinge", 20), ("mid_edge", 10)] * full)]:
        if progress:
            progress(f"limit, {bending}, {divisions} divisions")
        found.append(push_to_limit(bending, divisions))
        results += _limit(f"{_WORDS[bending]}, {divisions} divisions", found[-1])
    if full:
        coarse, fine = found[0].load, found[1].load
        words = "hinges, 10 divisions: limit load, beside that of 20"
        results.append(figure(words, coarse, "N", fine, "20 divisions", SAME * fine))
    if progress:
        progress("dead load")
    return Report("dome", "Hemisphere", results + _dead_load(found[0], frames))


def build(bending: str, divisions: int, thickness: float = THICKNESS, **options) -> Simulation:
    """The hemisphere, its rim held and clamped; node 0 is the apex."""
    vertices, triangles = meshes.hemisphere(RADIUS, divisions)
    network = Network()
    shell = network.shell(
        vertices,
        triangles,
        young=YOUNG,
        poisson=POISSON,
        thickness=thickness,
        density=DENSITY,
        bending=bending,
        membrane="springs",
    )
    rim = shell.rim
    held = np.unique(shell.edge_nodes[rim])
    network.clamp_shell(shell, rim)
    simulation = Simulation(
        network, gravity=(0, 0, 0), tolerance=1e-7, max_iterations=200, **options
    )
    simulation.fix_node(held)
    return simulation


class Push:
    """Drives the apex down, to one depth after the other."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self._depth, self.iterations = simulation, 0.0, 0
        simulation.move_node(0, lambda _: (0, 0, -self._depth))

    def to(self, depth: float) -> float:
        """The load (N) at that depth (m), at rest."""
        self._depth = depth
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # round dimples past the limit are saddles
            self.iterations += self.simulation.solve().iterations
        return -self.simulation.reactions[0, 2]


def push_to_limit(bending: str, divisions: int) -> Limit:
    push = Push(build(bending, divisions))
    begin = FROM[bending]
    depths = [*np.arange(COARSE, begin, COARSE), *np.arange(begin, DEEPEST, FINE)]
    before, at = 0.0, 0.0
    for depth in depths:
        load = push.to(depth)
        if load < before:
            break
        before, at = load, depth
    return Limit(before, at, before - load, push.iterations)


def lopsided(simulation: Simulation, vertices: np.ndarray) -> float:
    """m: largest difference of height of vertices that a fifth of a turn takes into each other."""
    angle = 2 * np.pi / 5
    across = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    turned = np.column_stack([vertices[:, :2] @ across, vertices[:, 2]])
    heights = simulation.positions[: len(vertices), 2]
    return np.abs(heights[cKDTree(vertices).query(turned)[1]] - heights).max()


def _stiffness(bending: str, thickness: float, divisions: tuple[int, ...]) -> list[dict]:
    """Beside Reissner's, for the rigidities that the shell has."""
    bend, stretch = YOUNG * thickness**3 / 12, YOUNG * thickness
    if bending == "mid_edge":
        bend /= 1 - POISSON**2
        stretch *= 4 / np.sqrt(3) / (1 - POISSON**2)
    wanted, source = 8 * np.sqrt(bend * stretch) / RADIUS, "Reissner, of its own D and Y"
    at = f"{_WORDS[bending]}, {1e3 * thickness:g} mm"
    rows, yields = [], []
    for n in divisions:
        load = Push(build(bending, n, thickness)).to(PUSH)
        rows.append(figure(f"{at}, {n} divisions: stiffness", load / PUSH, "N/m", wanted, source))
        yields.append(PUSH / load)
    limit = 1 / limit_of_halvings(*yields)
    words = f"{at}, extrapolated: stiffness"
    return [*rows, figure(words, limit, "N/m", wanted, source, NEAR * wanted)]


def _limit(at: str, found: Limit) -> list[dict]:
    return [
        figure(f"{at}: limit load", found.load, "N"),
        figure(f"{at}: depth at the limit", found.depth, "m"),
        figure(f"{at}: fall of the load", found.fall, "N"),
        figure(f"{at}: Newton iterations", found.iterations, ""),
    ]


def _dead_load(limit: Limit, frames: Frames) -> list[dict]:
    """Raised to just below the limit load at rest, then just above it: what happens in time."""
    simulation = build("hinge", 10, dt=DT, method="backward_euler")  # whose large steps damp
    vertices, _ = meshes.hemisphere(RADIUS, 10)
    rows, iterations = [], 0
    frames.stage("dome", elevation=-45)
    frames.take("dome", simulation)
    for part in np.linspace(0.2, 1, 5) * BELOW:
        simulation.load_node(0, (0, 0, -part * limit.load))
        iterations += simulation.solve().iterations
    for part, snaps in ((BELOW, 0.0), (ABOVE, 1.0)):
        simulation.load_node(0, (0, 0, -part * limit.load))
        iterations += simulation.run(WATCHED).iterations
        frames.take("dome", simulation)
        depth, uneven = RADIUS - simulation.positions[0, 2], lopsided(simulation, vertices)
        snapped = float(depth > limit.depth and uneven > ROUND)
        at = f"dead load, {part:g} of the limit"
        rows += [
            figure(f"{at}: depth", depth, "m"),
            figure(f"{at}: off five equal parts", uneven, "m"),
            figure(f"{at}: has snapped", snapped, "", snaps, "the limit load", 0.0),
        ]
    return [*rows, figure("dead load: Newton iterations", iterations, "")]
