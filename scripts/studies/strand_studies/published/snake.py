"""A snake in a viscous fluid swims by a travelling wave of natural curvature (MAT-DiSMech).

Resistive force theory uses the velocity at the end of the step. The authors' MATLAB code uses the
velocity of the step before and a mean tangent at each node, and they publish only a plot of it. The
figures are therefore compared with the end of a run of their Python version. Their curvatures are
turning angles of joints; here curvature is per length, and its phase depends on the place along the
body, so that both stay the same on finer meshes.

The wave travels towards +x and drives the snake towards -x, since the drag across the body is
larger than the drag along it. Its speed is compared with the linear theory of a free elastic rod
(C. H. Wiggins and R. E. Goldstein, Phys. Rev. Lett. 80, 3879, 1998, with the rod's inertia), which
is exact as the amplitude goes to 0: at the published amplitude, where slopes reach .18, it is off
by 1 %, at a quarter of it by .1 %. An endless snake would swim at 7.7 mm/s (J. Gray and G. J.
Hancock, J. Exp. Biol. 32, 802, 1955); one of 1.1 waves yaws, and is slower.
"""

from itertools import pairwise

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames
from strand_studies.published.swimming import Swimmer

LENGTH, EDGES, RADIUS = 0.1, 20, 1e-3  # m, 1, m
YOUNG, DENSITY = 2e6, 1200.0  # Pa, kg/m^3
ALONG, ACROSS = 0.01, 0.1  # Pa s
EDGE = LENGTH / EDGES  # m
CURVATURE, FREQUENCY = 0.05 / EDGE, 1.0  # 1/m, Hz
WAVE = LENGTH - 2 * EDGE  # m, from the first joint to the last
DT, DURATION = 1e-2, 10.0  # s
DRIFT, SWAY = -0.0605, 5.17e-3  # m, of the centre in 10 s; of the first node, from side to side
NEAR, SWAYS, FLAT = 2e-4, 1e-5, 1e-12  # m
#: Edges and divisors of the step, refined together; tolerance (m) between the last two limits.
FINER, CONVERGED = ((20, 2), (40, 4), (80, 8), (160, 16)), 2e-6
#: Relative tolerance of the speed against theory, by fraction of the amplitude.
OFF = {1.0: 0.015, 0.5: 0.005, 0.25: 0.002}


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 10 s; `full` adds the finest mesh and step."""
    progress = progress or (lambda doing: None)
    progress("as published")
    results = published(frames or Frames())
    results += converged(FINER if full else FINER[:3], progress)
    results += speeds(progress)
    return Report("snake", "Snake", results)


def published(frames: Frames) -> list[dict]:
    simulation, snake = build()
    frames.stage("snake", elevation=-60)
    frames.take("snake", simulation)
    watch = frames.at("snake", (0.25, 0.5, 0.75, 5.0, 10.0))
    path = swim(simulation, snake, watch)
    drift = centre(path[-1]) - centre(path[0])
    head = path[-round(1 / (FREQUENCY * DT)) :, 0, 1]
    return [
        figure("as published: centre x", drift[0], "m", DRIFT, "dismech-python", NEAR),
        figure("as published: centre y", drift[1], "m"),
        figure("as published: first node's sway", np.ptp(head), "m", SWAY, "the same", SWAYS),
        figure("as published: largest z", np.abs(path[:, :, 2]).max(), "m", 0.0, "plane", FLAT),
    ]


def converged(finer: tuple, progress: Progress) -> list[dict]:
    """The distance in 10 s with finer and finer meshes and steps (midpoint rule), and its limit."""
    rows, ways, limits = [], [], []
    for edges, part in finer:
        progress(f"{edges} edges, dt / {part}")
        simulation, snake = build(edges, part, "midpoint")
        path = swim(simulation, snake)
        ways.append(centre(path[-1])[0] - centre(path[0])[0])
        rows.append(figure(f"{edges} edges, dt {DT / part:g} s: centre x", ways[-1], "m"))
    for coarse, fine in pairwise(ways):
        limits.append(fine + (fine - coarse) / 3)  # second order
    wanted = (limits[-2], "one level less", CONVERGED)
    return [*rows, figure("limit: centre x", limits[-1], "m", *wanted)]


def speeds(progress: Progress) -> list[dict]:
    """The speed over a period beside linear theory, at fractions of the amplitude."""
    rows = []
    for part, off in OFF.items():
        progress(f"{part:g} of the amplitude")
        simulation, snake = build(2 * EDGES, 2, "midpoint", part)
        simulation.run(4 / FREQUENCY)
        before = centre(simulation.positions[snake.nodes])
        simulation.run(1 / FREQUENCY)
        way = centre(simulation.positions[snake.nodes]) - before
        theory = swimmer(part).speed
        name = f"{part:g} of the amplitude: speed along x"
        beside = (theory, "linear theory", off * abs(theory))
        rows.append(figure(name, way[0] * FREQUENCY, "m/s", *beside))
    return [*rows, figure("endless, by theory: speed along x", swimmer().endless_speed, "m/s")]


def swimmer(part: float = 1.0) -> Swimmer:
    return Swimmer(
        length=LENGTH,
        bending_stiffness=YOUNG * np.pi * RADIUS**4 / 4,
        mass_per_length=DENSITY * np.pi * RADIUS**2,
        drag_along=ALONG,
        drag_across=ACROSS,
        curvature=part * CURVATURE,
        wave_length=WAVE,
        frequency=FREQUENCY,
    )


def centre(nodes: np.ndarray) -> np.ndarray:
    """Centre of mass (m) of nodes (n + 1, 3) with edges of equal length."""
    return (nodes[:-1] + nodes[1:]).mean(axis=0) / 2


def swim(simulation: Simulation, snake: Rod, watch=None) -> np.ndarray:
    """Runs the simulation. The nodes from the start on: (steps + 1, nodes, 3), m."""
    path = [simulation.positions[snake.nodes]]

    def each(simulation: Simulation) -> None:
        path.append(simulation.positions[snake.nodes])
        if watch is not None:
            watch(simulation)

    simulation.run(DURATION, each)
    return np.array(path)


def build(
    edges: int = EDGES, part: int = 1, method: str = "backward_euler", amplitude: float = 1.0
) -> tuple[Simulation, Rod]:
    """The snake with driven curvature, and `part` steps for each published one."""
    network = Network()
    nodes = straight(LENGTH, edges + 1)
    snake = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network, dt=DT / part, method=method, gravity=(0, 0, 0), tolerance=1e-8, **PUBLISHED
    )
    simulation.add_resistive_drag(ALONG, ACROSS)
    place = (nodes[1:-1, 0] - EDGE) / WAVE

    # From the time of the forces: the published steps bend by the wave at their start, those of the
    # midpoint rule by the wave at their end, a phase that vanishes with the step.
    ahead = {"backward_euler": -simulation.dt, "midpoint": simulation.dt / 2}[method]

    def bend(time: float) -> None:
        phase = 2 * np.pi * (FREQUENCY * (time + ahead) - place) + np.pi / 2
        curvature = amplitude * CURVATURE * np.sin(phase)
        turns = -curvature * LENGTH / edges  # about z, towards -y
        simulation.set_natural_curvature(snake.joints, np.column_stack([0 * turns, turns]))

    simulation.drive(bend)
    return simulation, snake
