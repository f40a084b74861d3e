"""Rods dropped on the floor on top of each other, from random positions with a fixed seed.

Checks: nothing passes through rods or floor, energy is only lost, and the floor carries the weight
of the heap, which settles except for the rods that roll away.
"""

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.published.figures import ENERGIES, Progress, figure
from strand_studies.published.frames import Frames

RODS, REDUCED = 20, 5
LENGTH, EDGES, RADIUS = 0.3, 20, 5e-3  # m, 1, m
REDUCED_EDGES = 10
YOUNG, DENSITY, GRAVITY, FRICTION = 1e6, 1100.0, 9.81, 0.4  # Pa, kg/m^3, m/s^2, 1
DT, DURATION, REDUCED_DURATION = 2e-3, 5.0, 1.0  # s
SEED = 1
DEEPEST = 0.2 * RADIUS  # m
WEIGHT, GAIN = 1e-2, 1e-6  # of the weight; J: 3e-5 of the energy of a rod's fall


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs 5 rods for 1 s; `full`: 20 rods for 5 s."""
    frames = frames or Frames()
    count, edges = (RODS, EDGES) if full else (REDUCED, REDUCED_EDGES)
    duration = DURATION if full else REDUCED_DURATION
    if progress:
        progress(f"{count} rods")
    return Report("pile", "Pile of rods", figures(count, edges, duration, frames, progress))


def figures(
    count: int, edges: int, duration: float, frames: Frames, progress: Progress
) -> list[dict]:
    simulation, floor, contact = build(count, edges)
    frames.stage("pile", floor=0.0, azimuth=120, elevation=-20)
    frames.take("pile", simulation)
    watch = frames.at("pile", (0.2, 0.4, 0.6, 1.0, 2.0, 5.0))
    gaps, energy, carried = [np.inf, np.inf], [], []

    def each(simulation: Simulation) -> None:
        watch(simulation)
        carried.append(floor.normal_force)
        gaps[0], gaps[1] = min(gaps[0], contact.gap), min(gaps[1], floor.gap)
        work = floor.stiffness_work + contact.stiffness_work
        energy.append(simulation.kinetic_energy + simulation.potential_energy - work)
        if progress and len(carried) % 100 == 0:
            progress(f"{count} rods, {simulation.time:.1f} s")

    report = simulation.run(duration, each)
    weight = count * LENGTH * np.pi * RADIUS**2 * DENSITY * GRAVITY
    recent = np.mean(carried[-round(0.2 / DT) :])
    at = f"{count} rods, {duration:g} s"
    return [
        figure(f"{at}: deepest overlap of rods", -gaps[0], "m", 0.0, "radius", DEEPEST),
        figure(f"{at}: deepest overlap with the floor", -gaps[1], "m", 0.0, "radius", DEEPEST),
        figure(
            f"{at}: floor's force, mean of .2 s", recent, "N", weight, "weight", WEIGHT * weight
        ),
        figure(f"{at}: energy gained in a step", max(0, *np.diff(energy)), "J", 0.0, "loss", GAIN),
        figure(f"{at}: kinetic energy", simulation.kinetic_energy, "J"),
        figure(
            f"{at}: work of raised stiffness", floor.stiffness_work + contact.stiffness_work, "J"
        ),
        figure(f"{at}: highest point", simulation.positions[:, 2].max(), "m"),
        figure(f"{at}: steps refused", report.rejections, "1"),
        figure(f"{at}: iterations per step", report.iterations / report.steps, "1"),
    ]


def build(count: int, edges: int):
    """Rods above each other with random directions, and the two contacts (floor, rods)."""
    random = np.random.default_rng(SEED)
    network = Network()
    along = np.linspace(-0.5, 0.5, edges + 1)[:, None] * LENGTH
    for k in range(count):
        angle = random.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle), random.uniform(-0.2, 0.2)])
        middle = np.array([*random.uniform(-0.03, 0.03, 2), 0.12 + 0.06 * k])
        nodes = middle + along * way / np.linalg.norm(way)
        network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network, dt=DT, method="backward_euler", gravity=(0, 0, -GRAVITY), **ENERGIES
    )
    floor = simulation.add_floor(friction=FRICTION)
    return simulation, floor, simulation.add_contact(friction=FRICTION)
