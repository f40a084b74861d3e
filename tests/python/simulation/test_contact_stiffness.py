"""The penalty of contact: how its stiffness adapts, and what impacts give back."""

import numpy as np
import pytest

from strand.cable import shapes
from strand.simulation import Network, Simulation

pytestmark = pytest.mark.slow


def test_a_stiffness_adapts_in_every_load_step() -> None:
    network = Network()
    line = np.linspace([0, 0, 0.01], [0.4, 0, 0.01], 11)
    rod = network.rod(line, young=1e6, radius=0.01, density=1000)
    simulation = Simulation(network, gravity=(0, 0, -9.81), plane="xz")
    simulation.fix_node(rod.nodes[0], "x")
    floor = simulation.add_floor()
    before = floor.stiffness
    press = 2e3 * network.area[0] * 0.4 * 9.81 * 1000 / 11  # N per node

    def ramp(load: float) -> None:
        simulation.load_node(rod.nodes, (0, 0, -press * min(2 * load, 1)))

    simulation.solve(steps=20, ramp=ramp)
    assert floor.stiffness >= 8 * before
    assert floor.gap > -0.5e-3  # half the tolerance
    assert floor.stiffness_work > 0


@pytest.mark.parametrize("method", ["verlet", "symplectic_euler"])
def test_explicit_steps_have_contact(method: str) -> None:
    network = Network()
    held = network.rod(shapes.straight(0.4, 10), young=1e5, radius=0.01, density=1000)
    across = np.column_stack([np.full(11, 0.21), np.linspace(-0.2, 0.2, 11), np.full(11, 0.04)])
    fallen = network.rod(across, young=1e5, radius=0.01, density=1000)
    gravity = (0, 0, -9.81)
    simulation = Simulation(network, dt=2e-5, method=method, gravity=gravity, viscosity=2.0)
    simulation.fix_node(held.nodes)
    contact = simulation.add_contact(friction=0.3, slip_tolerance=0.05)
    floor = simulation.add_floor(-0.1, friction=0.3)
    simulation.run(0.3)
    assert simulation.positions[fallen.nodes[5], 2] == pytest.approx(0.02, abs=0.003)
    assert min(contact.gap, floor.gap) > -1e-3
    assert simulation.kinetic_energy < 0.05


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
@pytest.mark.parametrize("dt", [1e-3, 1e-4])
@pytest.mark.parametrize(
    ("radius", "height", "tilt"),
    [(0.01, 0.2, 0), (0.01, 0.2, 0.05), (0.01, 2.0, 0), (0.001, 0.5, 0)],
)
def test_a_dropped_rod_rebounds_no_higher(method, dt, radius, height, tilt) -> None:
    network = Network()
    line = np.linspace([0, 0, height + radius], [0.2, 0, height + radius + tilt], 11)
    rod = network.rod(line, young=1e7 if radius == 0.01 else 1e9, radius=radius, density=1000)
    simulation = Simulation(network, dt=dt, method=method)
    floor = simulation.add_floor()
    given, fallen = floor.stiffness, np.sqrt(2 * height / 9.81)
    highest, deepest = 0.0, 0.0

    def each(simulation: Simulation) -> None:
        nonlocal highest, deepest
        deepest = min(deepest, floor.gap)
        if simulation.time > fallen + 0.01:
            highest = max(highest, simulation.positions[rod.nodes, 2].mean() - radius)

    before = simulation.kinetic_energy + simulation.potential_energy
    simulation.run(2 * fallen + 0.05, each)
    assert -0.4 * radius < deepest
    assert highest < height + tilt / 2
    assert floor.stiffness == given  # an impact does not raise it
    gained = simulation.kinetic_energy + simulation.potential_energy - before
    assert gained < (0.015 if method == "midpoint" else 0) * before


def test_a_stiffness_is_raised_for_a_resting_rod() -> None:
    network = Network()
    line = np.linspace([0, 0, 0.0051], [0.2, 0, 0.0051], 11)
    rod = network.rod(line, young=1e6, radius=0.005, density=1000)
    simulation = Simulation(network, dt=2e-3)
    floor = simulation.add_floor()
    before = floor.stiffness
    simulation.load_node(rod.nodes, (0, 0, -10.0))
    simulation.run(2.0)
    assert 4 * before <= floor.stiffness < 1000 * before
    assert floor.gap > -0.5 * 0.0005
    assert 0 < floor.stiffness_work < 11 * 10.0 * 0.0005
    np.testing.assert_allclose(simulation.positions[rod.nodes, 2], 0.005, atol=3e-4)


@pytest.mark.parametrize("young", [1e6, 1e7, 1e8])
@pytest.mark.parametrize("height", [-0.05, -0.2])
def test_a_cantilever_comes_to_rest_on_the_floor(young: float, height: float) -> None:
    """The statics take one load step; contacts slide freely in it and stick afterwards."""
    lying, pushed = [], []
    for friction in (0.0, 0.4):
        network = Network()
        rod = network.rod(shapes.straight(1.0, 40), young=young, radius=0.01, density=1000)
        simulation = Simulation(network, gravity=(0, 0, -9.81), tolerance=1e-9)
        simulation.fix_edge(rod.edges[0])
        floor = simulation.add_floor(height, friction=friction)
        assert simulation.solve().iterations <= 30
        assert floor.contacts > 0
        lying.append(simulation.positions)
        simulation.load_node(rod.nodes[-1], (0, 1e-3, 0))
        simulation.solve()
        pushed.append(simulation.positions[-1, 1])
    assert np.abs(lying[1] - lying[0]).max() < 1e-9
    assert 0 < pushed[1] < 0.1 * pushed[0]


@pytest.mark.parametrize("young", [1e6, 4e8])
def test_midpoint_steps_gain_nothing_from_impacts(young: float) -> None:
    """The midpoint's end is no solution: without a check, steps end deep inside and rebound."""
    network = Network()
    random = np.random.default_rng(3)
    for level in range(3):
        way = random.normal(size=3)
        line = [0, 0, 0.35 * (level + 1)] + np.linspace(-0.15, 0.15, 13)[:, None] * way / 2
        network.rod(line, young=young, radius=0.005, density=1000)
    simulation = Simulation(network, dt=1e-2, method="midpoint", gravity=(0, 0, -9.81))
    contacts = [simulation.add_floor(friction=0.3), simulation.add_contact(friction=0.3)]
    before = simulation.kinetic_energy + simulation.potential_energy
    simulation.run(0.7)
    gain = simulation.kinetic_energy + simulation.potential_energy - before
    assert gain - sum(contact.stiffness_work for contact in contacts) < 0.1 * abs(before)
