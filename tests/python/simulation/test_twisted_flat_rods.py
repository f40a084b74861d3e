"""Flat rods that loads twist bend as the section midway between their edges."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation

LENGTH, EI, GJ = 1.0, (144.0, 1.0), 2.0


def compliances(edges: int, turns: float, **options) -> list[float]:
    """Of the middle (m/N) along y and z, of a rod between clamps, of which one turns and slides."""
    network = Network()
    rod = network.rod(
        straight(LENGTH, edges),
        radius=0.002,
        EI=EI,
        GJ=GJ,
        EA=1e6,
        mass_per_length=0.01,
        normal=(0, 1, 0),
    )
    network.clamp(rod, "start")
    network.clamp(rod, "end")
    simulation = Simulation(network, dt=1e-2, gravity=(0, 0, 0), **options)
    simulation.slide_node(rod.nodes[-1], along=(1, 0, 0))
    angle = [0.0]
    simulation.turn_clamp(rod, "end", lambda time: (angle[0], 0, 0))
    steps = 20
    for k in range(1, steps + 1):
        angle[0] = 2 * np.pi * turns * k / steps
        simulation.solve()
    middle, found = rod.nodes[edges // 2], []
    straight_line = simulation.positions[middle].copy()
    for axis in (1, 2):
        force = np.zeros(3)
        force[axis] = 1e-3
        simulation.load_node(middle, force)
        simulation.solve()
        found.append((simulation.positions[middle] - straight_line)[axis] / 1e-3)
        simulation.load_node(middle, (0, 0, 0))
        simulation.solve()
    return found


def test_ten_edges_bend_as_eighty() -> None:
    """With averaged energies they are seven times too stiff."""
    fine = compliances(80, 1.0)
    assert compliances(20, 1.0) == pytest.approx(fine, rel=0.03)
    assert compliances(10, 1.0)[0] == pytest.approx(fine[0], rel=0.03)
    assert compliances(10, 1.0, average="energies")[0] < fine[0] / 5


def test_averages_agree_where_nothing_is_twisted() -> None:
    expected = compliances(10, 0.0)
    for average in ("energies", "curvatures"):
        assert compliances(10, 0.0, average=average) == pytest.approx(expected, rel=1e-6)


def test_rods_that_yield_average_energies() -> None:
    network = Network()
    network.rod(
        straight(LENGTH, 4), radius=0.002, young=1e9, density=1000, yield_stress=1e6, hardening=0.1
    )
    Simulation(network).run(0.01)
