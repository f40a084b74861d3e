"""An earthworm of two edges that contract in turn (MAT-DiSMech, caterpillar).

Every 10 ms a natural length changes by 1 mm: the first edge's decreases ten times, then increases
ten times while the second edge's decreases, then the second edge's increases ten times. Shorter
steps change it linearly in time. Phases are counted in whole steps. The originals use the remainder
of a floating-point time, which makes phases of 9 to 11 steps, so that their lengths drift: their
figures differ from these and from each other.
Without friction the centre of mass stays in place. The run ends after two phases of a cycle, and
the position of the front follows from the natural lengths then.
Steps of .3 ms and less would begin to resolve the edges' vibration (.5 ms), which each change of
phase excites.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Rod, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import PUBLISHED, PUBLISHED_FRICTION, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 0.1, 3, 1e-3  # m, 1, m
YOUNG, DENSITY, GRAVITY = 200e6, 1200.0, 9.81  # Pa, kg/m^3, m/s^2
FLOOR, STIFFNESS, TOLERANCE = -1e-3, 1000.0, 1e-3  # m, N/m, m
FRICTION, SLIP = 0.25, 1e-2  # 1, m/s
DT, STROKE, PHASE, DURATION = 1e-2, 1e-3, 10, 5.0  # s, m, steps, s
RESTS = 1.59e-4  # m, equilibrium height of the ends, measured with the original
ROUNDED, CONVERGED, STAYS = 1e-6, 1e-3, 1e-6  # m
MEASURED = {0.25: 0.226296, 0.0: 0.0935}  # m, front of the original's python version, by friction


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 5 s with and without friction at the published step and shorter ones (`full`: more)."""
    frames = frames or Frames()
    parts = (1, 2, 4, 8, 16) if full else (1, 2, 4)
    results = []
    for friction in (FRICTION, 0.0):
        fronts: list[float] = []
        for part in parts:
            if progress:
                progress(f"mu {friction:g}, dt {DT / part:g} s")
            results += figures(friction, part, fronts, frames)
    simulation, rod = build(0.0)
    simulation.solve()
    height = simulation.positions[rod.nodes[-1], 2]
    results.append(figure("at rest: height of an end", height, "m", RESTS, "original", ROUNDED))
    return Report("worm", "Earthworm", results)


def figures(friction: float, part: int, fronts: list, frames: Frames) -> list[dict]:
    simulation, rod = build(friction, part)
    watch = None
    if part == 1:
        series = "worm" if friction else "worm_smooth"
        frames.stage(series, floor=FLOOR)
        frames.take(series, simulation)
        watch = frames.at(series, (0.1, 0.2, 0.3, 1.0, 3.0, DURATION))
    simulation.run(DURATION, watch)
    back, _, front = simulation.positions[rod.nodes, 0]
    at = f"mu {friction:g}, dt {DT / part:g} s"
    rows = [figure(f"{at}: front x", front, "m", MEASURED[friction], "python, other phases")]
    if friction and part > 1:
        reached = fronts[-1]
        rows[0] = figure(f"{at}: front x", front, "m", reached, "twice the step", CONVERGED)
    fronts.append(front)
    if not friction:
        lengths = natural_lengths(round(DURATION / DT))
        centre = (2 * lengths[0] + lengths.sum()) / 4  # of mass, from the back
        wanted = LENGTH / 2 - centre + lengths.sum()
        rows.append(figure(f"{at}: front x", front, "m", wanted, "centre of mass", STAYS))
        rows.append(figure(f"{at}: back x", back, "m", LENGTH / 2 - centre, "the same", STAYS))
    return rows


def natural_lengths(count: float) -> np.ndarray:
    """Natural lengths (m) of both edges after `count` actuations."""
    phase = count / PHASE % 3
    contracted = [np.interp(k, (0, 1, 2), (0, 1, 0)) for k in (phase, phase - 1)]
    return LENGTH / 2 - STROKE * PHASE * np.array(contracted)


def build(friction: float, part: int = 1) -> tuple[Simulation, Rod]:
    """The worm with `part` steps for each published one; lengths change as often as published."""
    network = Network()
    nodes = straight(LENGTH, NODES)
    rod = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network,
        dt=DT / part,
        method="backward_euler",
        gravity=(0, 0, -GRAVITY),
        plane="xz",
        tolerance=1e-8,
        **PUBLISHED,
    )
    simulation.add_floor(
        FLOOR,
        friction=friction,
        slip_tolerance=SLIP,
        stiffness=STIFFNESS,
        tolerance=TOLERANCE,
        **PUBLISHED_FRICTION,
    )

    def actuate(time: float) -> None:
        simulation.set_rest_length(rod.edges, natural_lengths(time / DT))

    simulation.drive(actuate)
    return simulation, rod
