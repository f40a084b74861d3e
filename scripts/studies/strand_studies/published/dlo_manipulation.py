"""A clamped cord that is twisted, then its ends are moved together (DisMech's `dlo_manipulation`).

From 5 to 10 s edge 0 turns by k 1e-5 rad in the k-th step of 2.5 ms; from 10 to 15 s nodes 0 and 1
move by k 2.5e-7 m. In each phase k counts from 1. The totals are 20.01 rad and .50025 m. The
original writes the turn outside the bounds of an array; here it is applied to the clamped edge. No
figures are published, and backward Euler's damping depends on dt, so each result is shown beside
the one at half the step.
A rod of round section that is straight at rest has uniform twist (Kirchhoff). That holds here with
energies averaged over the two frames at a joint. With the papers' mean curvature it does not: the
mean decreases with the twist of a joint, so that at .2 rad per joint twist concentrates where the
cord bends.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import ENERGIES, Progress, figure, follow
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS, HEIGHT = 1.0, 100, 1.6e-3, 0.2  # m, 1, m, m
YOUNG, DENSITY, GRAVITY = 1.8e5, 1180.0, 9.8  # Pa, kg/m^3, m/s^2
PUBLISHED_DT = 2.5e-3  # s
TWIST_FROM, MOVE_FROM, PHASE = 5.0, 10.0, 5.0  # s
TURN, SHIFT = 1e-5, 2.5e-7  # rad and m of a phase's first step
COUNT = round(PHASE / PUBLISHED_DT)
EVEN = 1e-2  # spread of the twist in a moving rod, relative to its mean


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs all phases and 5 s more (`full`: 60 s) at the published step and at half of it."""
    frames = frames or Frames()
    duration = 60.0 if full else 20.0
    results = []
    for dt in (PUBLISHED_DT, PUBLISHED_DT / 2):
        if progress:
            progress(f"dt {dt:g} s")
        simulation, rod = build(dt)
        watch = None
        if dt == PUBLISHED_DT:
            watch = frames.at("dlo", (dt, 5, 10, 12, 13.5, 15, duration))
        path = follow(simulation, duration, rod.nodes[NODES // 2], watch)
        results += figures(simulation, rod, path, dt)
    return Report("dlo_manipulation", "Manipulated cord", results)


def build(dt: float) -> tuple[Simulation, Rod]:
    network = Network()
    nodes = straight(LENGTH, NODES, height=HEIGHT)
    rod = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    gravity = (0, 0, -GRAVITY)
    simulation = Simulation(network, dt=dt, method="backward_euler", gravity=gravity, **ENERGIES)
    simulation.fix_edge([rod.edges[0], rod.edges[-1]])
    simulation.turn_edge(rod.edges[0], lambda time: TURN * _steps(time - TWIST_FROM))
    simulation.move_node(rod.nodes[:2], lambda time: (SHIFT * _steps(time - MOVE_FROM), 0, 0))
    return simulation, rod


def _steps(time: float) -> float:
    """1 + 2 + ... + k, where k is the number of published steps since the start of a phase."""
    k = np.clip(time / PUBLISHED_DT, 0, COUNT)
    return k * (k + 1) / 2


def figures(simulation: Simulation, rod: Rod, path: np.ndarray, dt: float) -> list[dict]:
    at = f"dt {dt:g} s"
    total = COUNT * (COUNT + 1) / 2
    turned = simulation.angles[rod.edges[0]] - simulation.angles[rod.edges[-1]]
    start = simulation.positions[rod.nodes[0], 0]
    twist = simulation.twist[rod.joints]
    spread = np.ptp(twist) / np.abs(twist.mean())
    rows = [
        figure(f"{at}: turn of edge 0", turned, "rad", TURN * total, "the hand", 1e-9),
        figure(f"{at}: x of node 0", start, "m", SHIFT * total, "the hand", 1e-9),
        figure(f"{at}: spread of the twist at the end", spread, "1", 0.0, "Kirchhoff", EVEN),
    ]
    for time in (TWIST_FROM, MOVE_FROM, MOVE_FROM + PHASE, simulation.time):
        for axis, name in ((0, "x"), (2, "z")):
            value = path[round(time / dt), axis]
            rows.append(figure(f"{at}, {time:g} s: middle {name}", value, "m"))
    return rows
