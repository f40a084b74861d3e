"""Horton, a planar crawler of five limbs on a floor (DisMech, real robot), driven open loop.

The two outer legs bend by +60 and -60 deg within .5 s, by -30 and +30 deg until 1 s, and straighten
until 2 s; then the drive stops. Robot and drive are mirror-symmetric, so that the robot stays in
place, and its middle leg upright as long as it is driven. (Its equilibrium is unstable: with the
papers' friction, which creeps, round-off in the symmetry grows by a factor of 13 every .5 s.)
Joints average energies, which do not depend on the direction in which the nodes of a limb are
numbered. The papers' mean of two frames has no stiffness where the frames are opposite, as between
limbs that are numbered in opposite directions, so that the robot would not be mirror-symmetric;
here `average="curvatures"` subtracts the twist of the initial frames first.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import ENERGIES, PUBLISHED_FRICTION, Progress, figure
from strand_studies.published.frames import Frames

LIMB, NODES, RADIUS = 0.1, 15, 0.015  # m, 1, m
YOUNG, DENSITY, GRAVITY = 5e5, 1180.0, 9.8  # Pa, kg/m^3, m/s^2
FRICTION, TOLERANCE, SLIP = 0.4, 5e-4, 5e-3  # 1, m, m/s
STIFFNESS = 1e4  # N/m; the original's is fixed in its code
PUBLISHED_DT, DT, DURATION = 2.5e-4, 2e-3, 5.0  # s
TIMES, ANGLES = (0, 0.5, 1, 2), (0, 60, -30, 0)  # s, deg of the left leg


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 5 s with two longer steps; `full`: with the published step and half of it."""
    frames = frames or Frames()
    results = []
    for dt in (PUBLISHED_DT, PUBLISHED_DT / 2) if full else (DT, DT / 2):
        if progress:
            progress(f"dt {dt:g} s")
        results += figures(dt, frames)
    return Report("horton", "Horton", results)


def figures(dt: float, frames: Frames) -> list[dict]:
    simulation, legs, contact = build(dt)
    watch = None
    if dt in (PUBLISHED_DT, DT):
        frames.stage("horton", floor=-RADIUS)
        frames.take("horton", simulation)
        watch = frames.at("horton", (0.25, 0.5, 0.75, 1.0, 2.0, 5.0))
    feet = [leg.nodes[0] for leg in legs]
    top = legs[1].nodes[-1]
    rows, heights, carried, momenta = [], [], [], []
    mass = simulation.core.mass[np.array(simulation.core.node_dofs)]

    def each(simulation: Simulation) -> None:
        heights.append(simulation.positions[top, 2])
        carried.append(contact.normal_force)
        momenta.append(mass @ simulation.velocities[:, 2])
        if watch:
            watch(simulation)

    for time in (0.5, 1.0, 2.0, DURATION):
        simulation.run(time - simulation.time, each)
        at = f"dt {dt:g} s, {time:g} s"
        left, _, right = simulation.positions[feet, 0]
        rows += [
            figure(f"{at}: feet apart", right - left, "m"),
            figure(f"{at}: top z", simulation.positions[top, 2], "m"),
        ]
        if time == TIMES[-1]:
            aside = np.abs(simulation.positions[legs[1].nodes, 0]).max()
    second = round(1 / dt)
    force = np.mean(carried[-second:]) - (momenta[-1] - momenta[-1 - second])
    at = f"dt {dt:g} s"
    weight = 5 * LIMB * np.pi * RADIUS**2 * DENSITY * GRAVITY
    return [
        *rows,
        figure(f"{at}: highest top z", max(heights), "m"),
        figure(f"{at}, driven: middle leg x", aside, "m", 0.0, "symmetry", 1e-9),
        figure(f"{at}: floor's force less what moves, 1 s", force, "N", weight, "weight", 1e-5),
    ]


def build(dt: float):
    """The robot on its floor, its three legs and its contact."""
    network = Network()

    def limb(start, end):
        nodes = np.linspace(start, end, NODES)
        return network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)

    legs = [limb((x, 0, 0), (x, 0, LIMB)) for x in (-LIMB, 0, LIMB)]
    left, right = (limb((x, 0, LIMB), (0, 0, LIMB)) for x in (-LIMB, LIMB))
    network.connect(legs[0], -1, left, 0)
    network.connect(legs[1], -1, left, -1)
    network.connect(legs[1], -1, right, -1)
    network.connect(legs[2], -1, right, 0)
    simulation = Simulation(
        network,
        dt=dt,
        method="backward_euler",
        gravity=(0, 0, -GRAVITY),
        plane="xz",
        tolerance=1e-9,
        **ENERGIES,
    )
    contact = simulation.add_floor(
        -RADIUS,
        friction=FRICTION,
        tolerance=TOLERANCE,
        stiffness=STIFFNESS,
        slip_tolerance=SLIP,
        **PUBLISHED_FRICTION,
    )

    def actuate(time: float) -> None:
        angle = np.radians(np.interp(time, TIMES, ANGLES)) / (NODES - 2)
        bend = 2 * np.tan(angle / 2)
        for leg, sign in ((legs[0], 1), (legs[2], -1)):
            simulation.set_natural_curvature(leg.joints, (-sign * bend, 0))

    simulation.drive(actuate)
    return simulation, legs, contact
