"""A hemisphere with a clamped rim is pushed in at its apex until it snaps.

The initial stiffness is k = 8 sqrt(D Y) / R, with the rigidities D of bending and Y of stretching;
for a plate's material that is 4 E h^2 / (R sqrt(3 (1 - nu^2))) [E. Reissner, Stresses and small
displacements of shallow spherical shells II, J. Math. Phys. 25, 1946]. These shells stretch like
the published lattice of springs. Hinges are made for equilateral triangles: stretching has Y = E h
and nu = 1/3, bending has D = E h^3 / 12 and nu = -1/3; k depends on D and Y only. Mid-edge normals
have D = E h^3 / 12 (1 - nu^2), but with them the published springs are a penalty, on equilateral
triangles Y = 4 / sqrt(3) E h / (1 - nu^2): 2.6 times too large, so that k is 1.6 times Reissner's.
The result is compared with the k of that Y. The dent is about l = (D R^2 / Y)^(1/4) wide: 2.7 mm
with hinges, 2.2 mm with mid-edge normals. The deflection is too large by a fraction of size / l, so
the three finest meshes are extrapolated; without `full`, those of a shell 2 mm thick, whose l is
twice as long.

Pushed further, the apex turns inside out, and the load grows about as the square root of the depth.
At 16 to 17 thicknesses the round dimple snaps, the earlier the more it is disturbed: the load
falls, and the ridge becomes a polygon. Under a dead load the shell then moves on by itself, but not
far: clamped at its rim, it carries more load the further it is pushed in. If edges are longer than
l, it also snaps at each row of vertices.
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
POISSON = 1 / 3  # of the springs
THICK = 2e-3  # m
PUSH, NEAR = 1e-6, 0.05  # m; of Reissner's stiffness
COARSE, FINE, DEEPEST = 1e-3, 1e-4, 12e-3  # m: steps of the apex
FROM = {"hinge": 7.5e-3, "mid_edge": 3e-3}  # m: depth from which steps are fine
SAME = 0.05  # of the limit load: allowed difference between meshes of size h and 2 h
BELOW, ABOVE = 0.97, 1.05  # of the limit load
DT, WATCHED = 4e-3, 0.16  # s: round-off needs that long to break the symmetry
ROUND = 1e-6  # m
_WORDS = {"hinge": "hinges", "mid_edge": "mid-edge normals"}


@dataclass(frozen=True)
class Limit:
    """The point where the load first falls as the apex goes down."""

    load: float  #: N, the highest before it falls
    depth: float  #: m, at that load
    fall: float  #: N, decrease of the load in the next step
    iterations: int  #: of Newton's method, in total


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs meshes that take seconds; `full`: the finest meshes, too."""
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
    """The hemisphere with a fixed and clamped rim; node 0 is the apex."""
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
    """Pushes the apex down in steps."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self._depth, self.iterations = simulation, 0.0, 0
        simulation.move_node(0, lambda _: (0, 0, -self._depth))

    def to(self, depth: float) -> float:
        """The load (N) in equilibrium at a depth (m) of the apex."""
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
    """Deviation from five-fold symmetry: largest height difference (m) of equivalent vertices."""
    angle = 2 * np.pi / 5
    across = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    turned = np.column_stack([vertices[:, :2] @ across, vertices[:, 2]])
    heights = simulation.positions[: len(vertices), 2]
    return np.abs(heights[cKDTree(vertices).query(turned)[1]] - heights).max()


def _stiffness(bending: str, thickness: float, divisions: tuple[int, ...]) -> list[dict]:
    """The stiffness beside Reissner's for the shell's rigidities D and Y."""
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
    """Motion in time under a dead load just below the limit load, then just above it."""
    simulation = build("hinge", 10, dt=DT, method="backward_euler")  # large steps damp the motion
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
