"""An upright rod whose foot a hand carries sideways (DisMech's python example `control`).

It is far too slender to stand (q L^3 / EI = 200; 7.84 is critical) and falls over. Backward Euler
damps more with longer steps, so the motion depends on dt; no figures are published. The equilibrium
does not depend on dt: it is the heavy elastica, EI theta'' + q (L - s) sin theta = 0, upright at
the foot. The rod bends from the middle of the locked edge on (see cantilever.py).
"""

import numpy as np
from scipy.integrate import solve_bvp

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.beam import second_moment
from strand_studies.published.figures import PUBLISHED, Progress, figure, follow
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 1.0, 101, 5e-3  # m, 1, m
YOUNG, DENSITY, GRAVITY = 1e7, 1273.52, 9.8  # Pa, kg/m^3, m/s^2
SPEED = 0.02  # m/s of the hand: 1e-4 m in each step of 5 ms
PUBLISHED_DT = 5e-3  # s
ACCURACY = 3e-3  # m: the weight stretches the rod by .6 mm; edges are .06 of the bend's radius


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Moves the foot for 10 s at the published step and at half of it, then finds equilibrium."""
    frames = frames or Frames()
    duration = 10.0 if full else 4.0
    results = []
    for dt in (PUBLISHED_DT, PUBLISHED_DT / 2):
        if progress:
            progress(f"dt {dt:g} s")
        simulation, rod = build(dt)
        watch = None
        if dt == PUBLISHED_DT:
            frames.take("control", simulation)
            watch = frames.at("control", (0.5, 1, 2, duration))
        path = follow(simulation, duration, rod.nodes[-1], watch)
        foot = simulation.positions[rod.nodes[0], 0]
        at = f"dt {dt:g} s, {duration:g} s"
        results += [
            figure(f"{at}: foot x", foot, "m", SPEED * duration, "the hand", 1e-12),
            figure(f"{at}: tip x", path[-1, 0], "m"),
            figure(f"{at}: tip z", path[-1, 2], "m"),
            figure(f"{at}: largest tip |y|", np.abs(path[:, 1]).max(), "m", 0.0, "symmetry", 1e-9),
        ]
    if progress:
        progress("rest")
    return Report("control", "Controlled upright rod", results + rest())


def build(dt: float, plane: str | None = None) -> tuple[Simulation, Rod]:
    nodes = np.zeros((NODES, 3))
    nodes[:, 2] = np.linspace(0, LENGTH, NODES)
    network = Network()
    rod = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network, dt=dt, method="backward_euler", gravity=(0, 0, -GRAVITY), plane=plane, **PUBLISHED
    )
    simulation.fix_edge(rod.edges[0])
    simulation.move_node(rod.nodes[:2], lambda time: (SPEED * time, 0, 0))
    return simulation, rod


def rest() -> list[dict]:
    """Position of the tip in equilibrium relative to the foot. The tip trails, so x is negative.

    The rod is kept in the plane, since in space it could turn freely about the vertical.
    """
    simulation, rod = build(PUBLISHED_DT, plane="xz")
    simulation.run(2.0)
    simulation.solve()
    x, _, z = simulation.positions[rod.nodes[-1]] - simulation.positions[rod.nodes[0]]
    start = 0.5 * LENGTH / (NODES - 1)
    aside, up = heavy_elastica(LENGTH - start)
    source = "heavy elastica"
    return [
        figure("at rest: tip - foot, x", x, "m", -aside, source, ACCURACY),
        figure("at rest: tip - foot, z", z, "m", start + up, source, ACCURACY),
    ]


def heavy_elastica(length: float) -> tuple[float, float]:
    """Tip position (sideways, up; m) relative to the clamp, of a rod that is clamped upright."""
    stiffness = YOUNG * second_moment(RADIUS)
    weight = DENSITY * np.pi * RADIUS**2 * GRAVITY  # N/m

    def slope(s, y):
        bend = -weight * (length - s) * np.sin(y[0]) / stiffness
        return np.vstack([y[1], bend, np.sin(y[0]), np.cos(y[0])])

    def ends(a, b):
        return np.array([a[0], b[1], a[2], a[3]])

    s = np.linspace(0, length, 201)
    theta = np.pi * (1 - np.exp(-s / 0.1))
    guess = np.vstack([theta, np.gradient(theta, s), 0.1 * s, -s])
    solution = solve_bvp(slope, ends, s, guess, tol=1e-8, max_nodes=100000)
    return float(solution.y[2, -1]), float(solution.y[3, -1])
