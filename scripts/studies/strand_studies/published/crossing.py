"""A rod that slides on two rails until it stops, and two rods that collide.

Sliding: the distance is v^2 / (2 mu g), and friction takes mu m g times that distance. Friction
acts on the rods' axes here (rolling=False).

Colliding: two rods in free fall meet crosswise and obliquely, at a fixed contact stiffness. The
error of the energy, contact included, has the integrator's order: second for the midpoint rule,
first for backward Euler. Without friction, energy must be neither lost nor gained.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import ENERGIES, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 0.4, 9, 5e-3  # m, 1, m
YOUNG, DENSITY, GRAVITY = 1e8, 1100.0, 9.81  # Pa, kg/m^3, m/s^2
RIGID = 1e10  # Pa, of the sliding rod: if it sagged, contact would also push it sideways
RAILS, FRICTION, SLIP, TOLERANCE = 0.125, 0.3, 1e-3, 1e-4  # m from the middle, 1, m/s, m
SPEED, DT = 0.6, 5e-4  # m/s, s
SLIDE = 1e-3  # of distance and work: the rod bends and bounces, and creeps below SLIP

GAP, TOWARDS, ALONG = 2e-3, 0.2, 0.3  # m between surfaces, m/s
STIFFNESS, SOFT, SMOOTH = 200.0, 1e-3, 0.5  # N/m, m, m/s: soft, so that time steps resolve contact
COLLISION, COARSEST = 0.03, 2e-4  # s
ORDERS = {"midpoint": 2.0, "backward_euler": 1.0}
ORDER, KEPT = 0.1, 1e-5  # of the order; of the energy, midpoint


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs both; `full` slides the rod at four angles to the rails, at half the step."""
    frames = frames or Frames()
    results = []
    for angle in (0, 15, 30, 45) if full else (0, 30):
        if progress:
            progress(f"sliding, {angle} deg")
        results += slide(np.radians(angle), DT / 2 if full else DT, frames)
    for friction in (0.0, FRICTION):
        for method in ORDERS:
            if progress:
                progress(f"collision, mu {friction:g}, {method}")
            results += collide(friction, method)
    return Report("crossing", "Rods that cross", results)


def slide(angle: float, dt: float, frames: Frames) -> list[dict]:
    """Slides the rod along the rails; it is turned by `angle` (rad) from perpendicular to them."""
    simulation, rod, contact = rails(angle, dt)
    height = simulation.potential_energy
    velocities = np.zeros_like(simulation.positions)
    velocities[rod.nodes] = (SPEED, 0, 0)
    simulation.set_velocities(velocities)
    energy = simulation.kinetic_energy
    start = middle(simulation, rod)
    series = f"slide_{np.degrees(angle):.0f}"
    frames.stage(series, azimuth=50, elevation=-25)
    frames.take(series, simulation)
    wanted = SPEED**2 / (2 * FRICTION * GRAVITY)
    simulation.run(1.25 * SPEED / (FRICTION * GRAVITY))
    frames.take(series, simulation)
    way, aside, _ = middle(simulation, rod) - start
    left = simulation.kinetic_energy + simulation.potential_energy - contact.stiffness_work
    lost = energy + height - left
    work = FRICTION * mass() * GRAVITY * way
    at = f"sliding, {np.degrees(angle):.0f} deg"
    return [
        figure(f"{at}: way", way, "m", wanted, "v^2 / 2 mu g", SLIDE * wanted),
        figure(f"{at}: work of friction", lost, "J", work, "mu N times the way", SLIDE * work),
        figure(f"{at}: sideways", aside, "m", 0.0, "Coulomb", SLIDE * wanted),
    ]


def rails(angle: float, dt: float, gap: float = TOLERANCE / 4):
    """Two rails along x, all nodes fixed, and a rod that lies across them."""
    network = Network()
    for y in (-RAILS, RAILS):
        line = [(-0.25, y, 0), (0.35, y, 0)]  # one edge, since nodes between edges act as bumps
        network.rod(line, young=RIGID, radius=RADIUS, density=DENSITY)
    held = range(len(network.edge_nodes))
    across = np.linspace(-0.5, 0.5, NODES)[:, None] * LENGTH * (np.sin(angle), np.cos(angle), 0)
    nodes = across + np.array([0, 0, 2 * RADIUS + gap])
    rod = network.rod(nodes, young=RIGID, radius=RADIUS, density=DENSITY)
    simulation = Simulation(network, dt=dt, method="midpoint", gravity=(0, 0, -GRAVITY), **ENERGIES)
    simulation.fix_edge(held)
    contact = simulation.add_contact(
        friction=FRICTION, tolerance=TOLERANCE, slip_tolerance=SLIP, rolling=False
    )
    return simulation, rod, contact


def mass() -> float:
    return DENSITY * np.pi * RADIUS**2 * LENGTH


def middle(simulation: Simulation, rod) -> np.ndarray:
    """Centre of mass of the rod (m)."""
    share = np.full(NODES, 1 / (NODES - 1))
    share[[0, -1]] /= 2
    return share @ simulation.positions[rod.nodes]


def collide(friction: float, method: str) -> list[dict]:
    """The remaining energy, and the order in the step of its error."""
    left = [collision(friction, method, COARSEST / 2**k) for k in range(4)]
    changes = np.abs(np.diff(left))
    order = np.log2(changes[-2] / changes[-1])
    limit = left[-1] + (left[-1] - left[-2]) / (2 ** ORDERS[method] - 1)
    at = f"collision, mu {friction:g}, {method}"
    rows = [
        figure(f"{at}: order", order, "1", ORDERS[method], "the method's", ORDER),
        figure(f"{at}: energy left, dt {COARSEST:g} s", left[0], "of 1"),
        figure(f"{at}: energy left, dt to 0", limit, "of 1"),
    ]
    if not friction and method == "midpoint":
        rows[-1] = figure(rows[-1]["figure"], limit, "of 1", 1.0, "nothing is lost", KEPT)
    return rows


def collision(friction: float, method: str, dt: float) -> float:
    """The remaining fraction of the energy of two rods that collide crosswise while sliding."""
    network = Network()
    along = np.linspace(-0.5, 0.5, NODES)[:, None] * LENGTH
    lower = along * (1, 0, 0)
    upper = along * (np.sin(0.3), np.cos(0.3), 0) + (0.03, 0.02, 2 * RADIUS + GAP)
    material = {"young": YOUNG, "radius": RADIUS, "density": DENSITY}
    network.rod(lower, **material)
    second = network.rod(upper, **material)
    gravity = (0, 0, -GRAVITY)
    simulation = Simulation(
        network, dt=dt, method=method, gravity=gravity, tolerance=1e-8, **ENERGIES
    )
    contact = simulation.add_contact(
        friction=friction,
        tolerance=SOFT,
        stiffness=STIFFNESS,
        slip_tolerance=SMOOTH,
        rolling=False,
    )
    velocities = np.zeros_like(simulation.positions)
    velocities[second.nodes] = (ALONG, 0.5 * ALONG, -TOWARDS)
    simulation.set_velocities(velocities)
    moving, height = simulation.kinetic_energy, simulation.potential_energy
    touched: list[bool] = []
    simulation.run(COLLISION, lambda _: touched.append(contact.contacts > 0))
    if not any(touched):
        return float("nan")
    return (simulation.kinetic_energy + simulation.potential_energy - height) / moving
