"""A rod stands on a plate whose border is clamped: the joint carries forces and moments.

The plate's border supports the force and the moment applied to the rod, however far the rod is
bent. The deflection of the rod's tip is that of a cantilever plus the contribution of the plate's
rotation at the foot. The joint itself bends like half an edge of the rod in series with half a rib
of the plate, all ribs in parallel. That error is of first order in the meshes, so tips are compared
after refining both.

The plate's rotation does not converge: the rotation of a point under a moment M grows by
M ln 2 / (4 pi D) with every halving of the mesh [S. Timoshenko and S. Woinowsky-Krieger, Theory of
Plates and Shells, art. 19, by the derivative of the point load's r^2 ln r / (8 pi D)].

A hinged joint carries no moment: the rod rests on it as on a simple support. Rods in the plate's
plane must not lie along its edges, since the angle between the rod and a rib would be pi.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strand import meshes
from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.published.figures import Progress, figure, limit_of_halvings
from strand_studies.published.frames import Frames
from strand_studies.published.plate_theory import rigidity

SIDE, THICKNESS, LENGTH, RADIUS = 0.1, 1e-3, 0.05, 1e-3  # m
YOUNG, POISSON, DENSITY = 2e9, 0.3, 1200.0  # Pa, 1, kg/m^3
UP, ASIDE = (0.0, 0.0, 1.0), (0.6, 0.0, 0.8)
ALONG = (0.8, 0.6, 0.0)  # in the plate's plane, along none of its edges
PUSH = np.array((0.3, 0.2, -0.1))  # N: bends the rod far
SLIGHT = 1e-2  # N, along x: the response is linear
DIVISIONS, SEGMENTS = 16, 20
BALANCE, TIP, GROWTH, SUPPORT = 1e-8, 0.01, 0.05, 1e-3  # of the reference
EI = YOUNG * np.pi * RADIUS**4 / 4  # N m^2
_WORDS = {"hinge": "hinges", "mid_edge": "mid-edge normals"}


@dataclass(frozen=True)
class Junction:
    """Rods attached to the middle of a plate."""

    simulation: Simulation
    rods: list[Rod]
    border: np.ndarray  #: nodes of the plate's sides
    foot: int  #: the node of the plate that carries the rods
    around: np.ndarray  #: the nodes next to the foot
    start: np.ndarray  #: m, of all nodes


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs all cases; `full` adds the plate's finest mesh."""
    frames = frames or Frames()
    results = []
    for bending in _WORDS:
        if progress:
            progress(f"balance, {bending}")
        results += _balances(bending, frames)
        if progress:
            progress(f"tip, {bending}")
        results += _tip(bending)
    if progress:
        progress("the plate's turn")
    results += _turns((8, 16, 32, 64) if full else (8, 16, 32))
    for joint in ("hinged", "rigid"):
        results += _propped(joint)
    return Report("junction", "T-junction", results)


def build(
    bending: str,
    directions: Sequence[tuple[float, float, float]] = (UP,),
    joint: str = "rigid",
    divisions: int = DIVISIONS,
    segments: int = SEGMENTS,
) -> Junction:
    """Rods in the given directions from the middle of the plate."""
    vertices, triangles = meshes.strip(SIDE, SIDE, SIDE / divisions, "right_isosceles")
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
    centre = np.array((SIDE / 2, SIDE / 2, 0))
    vertex = int(np.argmin(np.linalg.norm(vertices - centre, axis=1)))
    rods = []
    for direction in directions:
        nodes = centre + LENGTH * np.linspace(0, 1, segments + 1)[:, None] * direction
        rods.append(network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY))
        network.attach(rods[-1], 0, shell, vertex, joint)
    rim, edges = shell.rim, shell.edge_nodes
    sides = np.unique(edges[rim])
    network.clamp_shell(shell, rim)
    simulation = Simulation(network, gravity=(0, 0, 0), tolerance=1e-11, max_iterations=200)
    simulation.fix_node(sides)
    start = simulation.positions
    foot = shell.nodes[vertex]
    around = np.setdiff1d(edges[(edges == foot).any(axis=1)], foot)
    return Junction(simulation, rods, sides, foot, around, start)


def turn(of: Junction) -> float:
    """Rotation (rad) about y of the plane that fits the edges around the foot best."""
    before = of.start[of.around] - of.start[of.foot]
    now = of.simulation.positions[of.around] - of.simulation.positions[of.foot]
    slope, *_ = np.linalg.lstsq(before[:, :2], now[:, 2], rcond=None)
    return -np.arctan(slope[0])


def _balances(bending: str, frames: Frames) -> list[dict]:
    """Balance of force and moment for one rod and two, with a large load at each tip."""
    cases = {"upright": (UP,), "in the plane": (ALONG,), "two": (UP, ASIDE)}
    rows = []
    for name, directions in cases.items():
        of = build(bending, directions)
        tips = [rod.nodes[-1] for rod in of.rods]
        iterations = 0
        for part in (0.25, 0.5, 0.75, 1.0):
            of.simulation.load_node(tips, part * PUSH)
            iterations += of.simulation.solve().iterations
        frames.take(f"junction_{bending}_{name.split()[-1]}", of.simulation)
        positions = of.simulation.positions
        borne = of.simulation.reactions[of.border]
        force = borne.sum(axis=0) + len(tips) * PUSH
        pushed = np.cross(positions[tips], PUSH).sum(axis=0)
        moment = np.cross(positions[of.border], borne).sum(axis=0) + pushed
        moment += of.simulation.clamp_moments.sum(axis=0)
        left = {"force": _part(force, PUSH), "moment": _part(moment, pushed)}
        at = f"{_WORDS[bending]}, {name}"
        for kind, part in left.items():
            rows.append(figure(f"{at}: {kind} left over", part, "", 0.0, "balance", BALANCE))
        rows.append(figure(f"{at}: Newton iterations", iterations, ""))
    return rows


def _part(of: np.ndarray, whole: np.ndarray) -> float:
    return float(np.linalg.norm(of) / np.linalg.norm(whole))


def _pushed(bending: str, divisions: int, segments: int) -> Junction:
    of = build(bending, divisions=divisions, segments=segments)
    of.simulation.load_node(of.rods[0].nodes[-1], (SLIGHT, 0, 0))
    of.simulation.solve()
    return of


def _tip(bending: str) -> list[dict]:
    """Deflection of the tip minus the motion and rotation of the foot: P L^3 / 3 EI by theory."""
    wanted = SLIGHT * LENGTH**3 / (3 * EI)
    rows, found = [], []
    for segments in (10, 20, 40):
        of = _pushed(bending, segments * DIVISIONS // SEGMENTS, segments)
        moved = of.simulation.positions - of.start
        found.append(moved[of.rods[0].nodes[-1], 0] - moved[of.foot, 0] - LENGTH * turn(of))
        words = f"{_WORDS[bending]}, {segments} edges: tip, less foot and turn"
        rows.append(figure(words, found[-1], "m", wanted, "a cantilever"))
    words = f"{_WORDS[bending]}, extrapolated: tip, less foot and turn"
    limit = limit_of_halvings(*found)
    return [*rows, figure(words, limit, "m", wanted, "a cantilever", TIP * wanted)]


def _turns(divisions: tuple[int, ...]) -> list[dict]:
    """Mid-edge normals: with the mesh the rotation grows like that of a point under a moment."""
    found = [turn(_pushed("mid_edge", n, SEGMENTS)) for n in divisions]
    wanted = SLIGHT * LENGTH * np.log(2) / (4 * np.pi * rigidity(YOUNG, THICKNESS, POISSON))
    rows = [
        figure(f"mid-edge normals, n {n}: the plate's turn", value, "rad")
        for n, value in zip(divisions, found, strict=True)
    ]
    growth = found[-1] - found[-2]
    words = f"mid-edge normals, n {divisions[-2]} to {divisions[-1]}: growth of the turn"
    return [*rows, figure(words, growth, "rad", wanted, "point moment", GROWTH * wanted)]


def _propped(joint: str) -> list[dict]:
    """Force on a support at the tip of a rod that is loaded in its middle."""
    of = build("mid_edge", joint=joint)
    rod = of.rods[0]
    of.simulation.fix_node(rod.nodes[-1])
    of.simulation.fix_spin(rod.edges[-1])
    of.simulation.load_node(rod.nodes[SEGMENTS // 2], (SLIGHT, 0, 0))
    iterations = of.simulation.solve().iterations
    share = -of.simulation.reactions[rod.nodes[-1], 0] / SLIGHT
    at = f"{joint}, a support at the tip"
    wanted = (0.5, "no moment", SUPPORT) if joint == "hinged" else (5 / 16, "clamped foot")
    return [
        figure(f"{at}: what it bears", share, "of load", *wanted),
        figure(f"{at}: Newton iterations", iterations, ""),
    ]
