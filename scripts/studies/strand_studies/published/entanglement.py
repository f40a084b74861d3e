"""Five fingers that coil up and entangle (DisMech, section V-A2), without friction and with it.

Every joint gets a random angle between 0 and 40 deg; half of it, about both axes, is the joint's
natural bend after 10 s. The original uses no seed, so that its runs differ; here the seed is fixed.
The check is that no finger passes through another.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames

FINGERS, LENGTH, RADIUS = 5, 0.3, 5e-3  # 1, m, m
CIRCLE = 0.015 / 2 / np.cos(3 * np.pi / 10)  # m
PUBLISHED_NODES, NODES = 60, 30
YOUNG, DENSITY, GRAVITY, DAMPING = 3e5, 1200.0, 9.8, 5.0  # Pa, kg/m^3, m/s^2, Pa s
FRICTION, TOLERANCE, SLIP = 0.5, 5e-4, 1e-3  # 1, m, m/s
LARGEST, COILED = np.radians(20), 10.0  # rad per joint of the published mesh, s
PUBLISHED_DURATION, DURATION, REDUCED_DT = 15.0, 10.0, 2e-2  # s
SEED = 7


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 10 s, until the fingers are coiled, with half the nodes; `full`: 15 s as published."""
    frames = frames or Frames()
    results = []
    for friction in (0.0, FRICTION):
        if progress:
            progress(f"mu {friction:g}")
        results += figures(friction, full, frames)
    return Report("entanglement", "Active entanglement", results)


def figures(friction: float, full: bool, frames: Frames) -> list[dict]:
    nodes = PUBLISHED_NODES if full else NODES
    dt = (1e-3 if friction else 2.5e-3) if full else REDUCED_DT
    duration = PUBLISHED_DURATION if full else DURATION
    simulation, fingers, contact = build(friction, nodes, dt)
    series = "entanglement_friction" if friction else "entanglement"
    frames.stage(series, azimuth=60)
    frames.take(series, simulation)
    watch = frames.at(series, (2.5, 5.0, 7.5, 10.0, 15.0))
    closest, most = np.inf, 0

    def each(simulation: Simulation) -> None:
        nonlocal closest, most
        watch(simulation)
        closest, most = min(closest, contact.gap), max(most, contact.contacts)

    report = simulation.run(duration, each)
    at = f"mu {friction:g}"
    x = simulation.positions
    return [
        figure(f"{at}: deepest overlap", -closest, "m", 0.0, "radius", 0.1 * RADIUS),
        figure(f"{at}: most pairs in contact", most, "1"),
        figure(f"{at}: steps refused", report.rejections, "1"),
        figure(f"{at}: highest of the tips", x[[f.nodes[-1] for f in fingers], 2].max(), "m"),
        figure(f"{at}: lowest point", x[:, 2].min(), "m"),
        figure(f"{at}: kinetic energy", simulation.kinetic_energy, "J"),
        figure(f"{at}: normal forces", contact.normal_force, "N"),
        figure(f"{at}: stiffness", contact.stiffness, "N/m"),
    ]


def build(friction: float, nodes: int, dt: float):
    """The fingers, fixed at their upper ends, and their contact."""
    network = Network()
    down = np.linspace(0, -LENGTH, nodes)
    fingers = []
    for k in range(FINGERS):
        angle = 2 * np.pi * k / FINGERS
        foot = CIRCLE * np.array([1 - np.cos(angle), np.sin(angle)])
        line = np.column_stack([np.tile(foot, (nodes, 1)), down])
        fingers.append(network.rod(line, young=YOUNG, radius=RADIUS, density=DENSITY))
    simulation = Simulation(
        network,
        dt=dt,
        method="backward_euler",
        gravity=(0, 0, -GRAVITY),
        viscosity=DAMPING,
        **PUBLISHED,
    )
    simulation.fix_edge([finger.edges[0] for finger in fingers])
    contact = simulation.add_contact(
        friction=friction, tolerance=TOLERANCE, slip_tolerance=SLIP, rolling=False
    )
    angles = LARGEST * np.random.default_rng(SEED).uniform(0, 1, (FINGERS, PUBLISHED_NODES - 2))
    share = (PUBLISHED_NODES - 1) / (nodes - 1)  # longer edges have larger angles
    places = np.linspace(0, 1, nodes)[1:-1]
    published_places = np.linspace(0, 1, PUBLISHED_NODES)[1:-1]

    def actuate(time: float) -> None:
        for finger, of_finger in zip(fingers, angles, strict=True):
            angle = share * np.interp(places, published_places, of_finger) * min(time / COILED, 1)
            bend = 2 * np.tan(angle / 2)
            simulation.set_natural_curvature(finger.joints, np.column_stack([-bend, -bend]))

    simulation.drive(actuate)
    return simulation, fingers, contact
