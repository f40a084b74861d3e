"""A rod on the floor, pushed along itself (DisMech, Table II c): 44 forces, two laws of friction.

It starts at vertical equilibrium. A force F above mu m g accelerates it: F - mu m g = m a,
s = a t^2 / 2; implicit midpoint is exact there. Below that force it sticks: anchored friction holds
it, while the papers' law creeps at (2 / K2) artanh(F / mu m g), K2 = 15 / nu.
"""

from dataclasses import dataclass

import numpy as np

from strand.draw.report import Report
from strand.simulation import Network, Simulation
from strand_studies.bench.table2.cases import straight
from strand_studies.published.figures import PUBLISHED, Progress, figure
from strand_studies.published.frames import Frames

LENGTH, NODES, RADIUS = 1.0, 26, 0.025  # m, 1, m
YOUNG, DENSITY, GRAVITY = 1e5, 509.2985, 9.8  # Pa, kg/m^3 (1 kg in all), m/s^2
FRICTION, TOLERANCE, SLIP = 0.4, 5e-4, 1e-3  # 1, m, m/s
DURATION, DT = 1.5, 5e-3  # s

#: N, as published. The reduced run has every fourth of them and the last one.
FORCES = [*np.arange(0, 11, 0.5), *-np.arange(0.1, 11, 0.5)]
REDUCED = sorted({*FORCES[::4], *FORCES[-1:]})
STICKS, LEAVES, SLIDES, PICTURED = 3.6, 4.1, 4.5, 10.0  # N
DISTANCE, CREEP = 1e-4, 5e-5  # m
ENERGY = 2e-3  # of the kinetic energy: the agreement of the original


@dataclass(frozen=True)
class Push:
    """Result of pushing with one force."""

    force: float  #: N
    distance: float  #: m
    wanted: float  #: m, by Coulomb's law
    energy: float  #: J, kinetic
    wanted_energy: float  #: J


def run(full: bool = False, progress: Progress = None, frames: Frames | None = None) -> Report:
    """Runs a subset of the forces; `full`: all. Every run is as long as published."""
    frames = frames or Frames()
    results = []
    for law in ("anchored", "regularised"):
        if progress:
            progress(f"{law} friction")
        pushes = [push(force, law, frames) for force in (FORCES if full else REDUCED)]
        results += figures(law, pushes, frames)
    return Report("friction", "Friction", results)


def figures(law: str, pushes: list[Push], frames: Frames) -> list[dict]:
    sliding = [each for each in pushes if abs(each.force) >= SLIDES]
    distance = max(abs(each.distance - each.wanted) for each in sliding)
    energy = max(abs(each.energy / each.wanted_energy - 1) for each in sliding)
    words = f"{law}: largest error of"
    leaving, sticking = (push(force, law, frames) for force in (LEAVES, STICKS))
    limit = FRICTION * mass() * GRAVITY
    creep = 0.0 if law == "anchored" else DURATION * SLIP / 7.5 * np.arctanh(STICKS / limit)
    ways = f"{words} {len(sliding)} distances, {SLIDES:g} N and more"
    return [
        figure(ways, 1e3 * distance, "mm", 0.0, "Coulomb", 1e3 * DISTANCE),
        figure(f"{words} their kinetic energies", energy, "1", 0.0, "eq. 18", ENERGY),
        figure(
            f"{law}: distance at {LEAVES:g} N",
            1e3 * leaving.distance,
            "mm",
            1e3 * leaving.wanted,
            "Coulomb",
            1e3 * DISTANCE if law == "anchored" else None,
        ),
        figure(
            f"{law}: creep at {STICKS:g} N",
            1e3 * sticking.distance,
            "mm",
            1e3 * creep,
            "no creep" if law == "anchored" else "(2 / K2) artanh",
            1e3 * CREEP if law == "anchored" else 2e-3 * 1e3 * creep,
        ),
    ]


def mass() -> float:
    return DENSITY * np.pi * RADIUS**2 * LENGTH


def push(force: float, law: str, frames: Frames | None = None) -> Push:
    """Pushes with `force` (N), distributed over the nodes by the length of their edges."""
    network = Network()
    nodes = straight(LENGTH, NODES, height=RADIUS)
    rod = network.rod(nodes, young=YOUNG, radius=RADIUS, density=DENSITY)
    simulation = Simulation(
        network, gravity=(0, 0, -GRAVITY), dt=DT, method="midpoint", plane="xz", **PUBLISHED
    )
    creeping = {"slip_tolerance": SLIP} if law == "regularised" else {}
    simulation.add_floor(friction=FRICTION, law=law, tolerance=TOLERANCE, rolling=False, **creeping)
    simulation.solve()
    share = np.full(NODES, 1 / (NODES - 1))
    share[[0, -1]] /= 2
    for node, part in zip(rod.nodes, share, strict=True):
        simulation.load_node(node, (force * part, 0, 0))
    start = share @ simulation.positions[:, 0]
    watch = None
    if frames and law == "anchored" and force == PICTURED:
        frames.stage("friction", floor=0.0)
        frames.take("friction", simulation)
        watch = frames.at("friction", (0.5, 1.0, 1.5))
    simulation.run(DURATION, watch)
    moved = share @ simulation.positions[:, 0] - start
    net = np.sign(force) * max(abs(force) - FRICTION * mass() * GRAVITY, 0)  # N
    wanted = net / mass() * DURATION**2 / 2
    energy = (net * DURATION) ** 2 / (2 * mass())
    return Push(force, moved, wanted, simulation.kinetic_energy, energy)
