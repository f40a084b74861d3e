"""A rod clamped at both ends; one moves in, then twists (MAT-DiSMech, contortion).

Backward Euler with steps of 10 ms: in each of the first 15 steps the left clamp moves by 1 mm, in
each of the other 85 it turns by .02 rad. The authors' stop rule is loose (1e-4 N, 3 % of the rod's
weight), which affects the first steps only.

For a rod with a round section that is straight at rest, the initial angles of the material frames
are arbitrary. Turning all frames together does not change the result. Turning them one by one does
not change it either if energies are averaged over the two frames at a joint; with the papers' mean
of curvatures it does, since the mean is shorter by cos(half the angle between the frames).
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import MatDismech, Network, Rod, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import ENERGIES, PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 0.1, 21, 1e-3  # m, 1, m
YOUNG, DENSITY, GRAVITY = 2e6, 1200.0, 9.81  # Pa, kg/m^3, m/s^2
DT, STEPS, MOVES = 1e-2, 100, 15  # s, 1, 1
MOVE, TURN = 1e-3, 0.02  # m, rad per step
BEND = 0.03142627  # natural curvature of each joint, times an edge's length
MIDDLE = 10  # the middle node
LOOSE = 1e-6  # m
SAME = 1e-9  # m

#: (x, y, z) of the middle node, m, in the authors' file.
PUBLISHED_MIDDLE = {MOVES: (0.0574999, 0.0, -0.0213233), STEPS: (0.0575000, 7.4e-8, -0.0210457)}


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
) -> Report:
    """Runs a straight rod, with turned frames too, and a curved one; always at full length."""
    frames = frames or Frames()
    if progress:
        progress("straight")
    plain = contort("straight", frames, compat=compat)
    results = []
    for step, published in PUBLISHED_MIDDLE.items():
        for axis, name in enumerate("xyz"):
            value, at = plain[step - 1, MIDDLE, axis], f"{step * DT:g} s: middle {name}"
            results.append(figure(at, value, "m", published[axis], "MAT-DiSMech", LOOSE))
    together = np.full(NODES - 1, 2.0)
    results.append(_apart("frames turned together", together, PUBLISHED, progress))
    one_by_one = np.random.default_rng(1).uniform(-np.pi, np.pi, NODES - 1)
    results.append(_apart("random frames, energies averaged", one_by_one, ENERGIES, progress))
    if progress:
        progress("curved")
    curved = contort("curved", frames, bend=BEND)
    for axis, name in enumerate("xyz"):
        value = curved[-1, MIDDLE, axis]
        results.append(figure(f"curved at rest, 1 s: middle {name}", value, "m"))
    return Report("contortion", "Contortion", results)


def _apart(name: str, angles: np.ndarray, measure: dict, progress: Progress) -> dict:
    """Largest distance (per axis) of any node at any step from the run without turned frames."""
    if progress:
        progress(name)
    plain = contort("", Frames(), measure=measure)
    turned = contort("", Frames(), measure=measure, angles=angles)
    difference = np.abs(turned - plain).max()
    return figure(f"{name}: largest change", difference, "m", 0.0, "invariance", SAME)


def contort(
    series: str,
    frames: Frames,
    bend: float = 0.0,
    measure: dict = PUBLISHED,
    angles: np.ndarray | None = None,
    compat: bool = False,
) -> np.ndarray:
    """The nodes after every step, (steps, nodes, 3), m. angles (rad) turn the initial frames."""
    network = Network()
    rod = network.rod(straight(LENGTH, NODES), young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network,
        dt=DT,
        method="backward_euler",
        gravity=(0, 0, -GRAVITY),
        tolerance=1e-10,
        compat=MatDismech(reduction=1e-10, speed=1e-10) if compat else None,
        max_iterations=100,
        **measure,
    )
    if angles is not None:
        turn_frames(simulation, rod, angles)
    simulation.set_natural_curvature(rod.joints, (bend, 0))  # towards -z
    simulation.fix_edge([*rod.edges[:2], *rod.edges[-2:]])
    simulation.move_node(rod.nodes[:3], lambda time: (MOVE * min(_count(time), MOVES), 0, 0))
    simulation.turn_edge(rod.edges[:2], lambda time: TURN * max(0, _count(time) - MOVES))
    path = []
    watch = frames.at(series, (DT, 0.05, 0.15, 0.6, 1.0))

    def each(simulation: Simulation) -> None:
        path.append(simulation.positions[rod.nodes])
        watch(simulation)

    simulation.run(STEPS * DT, each)
    return np.array(path)


def _count(time: float) -> int:
    """Steps taken, rounded up: the fraction of a step that the stepper halves counts as one."""
    return int(np.ceil(time / DT - 1e-6))


def turn_frames(simulation: Simulation, rod: Rod, angles: np.ndarray) -> None:
    """Turns the directors of every edge by an angle (rad) without causing stress."""
    state = simulation.core.save()
    m1, m2 = state["m1"].copy(), state["m2"].copy()
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    state["m1"], state["m2"] = cos * m1 + sin * m2, cos * m2 - sin * m1
    state["twist"] = np.diff(angles)
    simulation.core.load(state)
    simulation.set_natural_twist(rod.joints, np.diff(angles))
