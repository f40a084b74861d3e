"""Random networks: time stepping increases no energy, or reports an explosion."""

import numpy as np
import pytest

from strand import meshes, straight
from strand.simulation import Network, Simulation, SolverError, obstacles

pytestmark = pytest.mark.slow

NETWORKS, STEPS = 40, 150


def random_rod(network: Network, random: np.random.Generator, place: int):
    """Straight, wavy or coiled; of 1 kPa to 200 GPa, 5 cm to 2 m, clamped or free."""
    length, segments = 10 ** random.uniform(-1.3, 0.3), int(random.integers(4, 40))
    part = np.linspace(0, 1, segments + 1)
    shapes = (
        straight(length, segments),
        length * np.column_stack([0.7 * part, 0.1 * np.sin(6 * part), 0.2 * part**2]),
        0.2 * length * np.column_stack([np.cos(5 * part), np.sin(5 * part), 0.3 * part]),
    )
    return network.rod(
        shapes[random.integers(3)] + np.array([0, 0.4 * place, 2 + 0.3 * place]),
        young=10 ** random.uniform(3, 11.3),
        radius=length * 10 ** random.uniform(-3, -1.4),
        density=10 ** random.uniform(2, 4),
    )


def random_simulation(seed: int) -> Simulation:
    random = np.random.default_rng(seed)
    network = Network()
    rods = [random_rod(network, random, place) for place in range(random.integers(1, 4))]
    sheet = None
    if random.random() < 0.4:
        vertices, triangles = meshes.strip(length=0.3, width=0.1, size=0.05)
        sheet = network.shell(
            vertices + np.array([0, -0.5, 2]),
            triangles,
            young=10 ** random.uniform(4, 11),
            thickness=10 ** random.uniform(-4, -2.3),
            density=1000,
            bending=("hinge", "mid_edge")[random.integers(2)],
        )
    for rod in rods:
        if random.random() < 0.5:
            network.clamp(rod, "start")
    simulation = Simulation(network, dt=10 ** random.uniform(-4, -1))
    for rod in rods:
        if random.random() < 0.6:
            simulation.fix_node(rod.nodes[0])
    if sheet and random.random() < 0.7:
        simulation.fix_node(sheet.nodes[:2])
    if random.random() < 0.6:
        simulation.add_floor(0.0, friction=float(random.choice([0, 0.3])))
        shapes = [
            obstacles.sphere((0.1, 0.2, 1), 0.1),
            obstacles.cylinder((-0.5, 0, 0.6), (0.5, 0.3, 0.6), 0.05),
        ]
        simulation.add_obstacles(shapes, friction=0.2)
    if random.random() < 0.3:
        simulation.add_contact(friction=float(random.choice([0, 0.3])))
    speed = random.choice([0, 1.0]) * random.normal(size=3)
    simulation.set_velocities(np.tile(speed, (len(simulation.positions), 1)))
    return simulation


def energy(simulation: Simulation) -> float:
    return simulation.kinetic_energy + simulation.potential_energy


@pytest.fixture(scope="module")
def runs() -> list[tuple[float, str]]:
    """For each network: the growth of its energy per energy supplied, and what stopped it."""
    ends = []
    for seed in range(NETWORKS):
        simulation, said = random_simulation(seed), ""
        first = highest = energy(simulation)
        try:
            for _ in range(STEPS):
                simulation.step()
                highest = max(highest, energy(simulation))
        except SolverError as error:
            said = str(error)
        ends.append(((highest - first) / simulation.core.energy_supplied, said))
    return ends


def test_energy_never_grows(runs: list[tuple[float, str]]) -> None:
    assert max(growth for growth, _ in runs) < 0.01


def test_nearly_all_run_to_the_end(runs: list[tuple[float, str]]) -> None:
    stopped = [said for _, said in runs if said]
    assert len(stopped) <= 2
    assert all("explodes" in said or "did not converge" in said for said in stopped)


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
def test_free_networks_conserve_momentum(method: str) -> None:
    network = Network()
    rod = network.rod(straight(1.0, 30), young=1e7, radius=0.01, density=1000)
    simulation = Simulation(network, dt=1e-3, gravity=(0, 0, 0), method=method)
    random = np.random.default_rng(0)
    simulation.set_velocities(random.normal(size=(31, 3)))
    share = np.full(31, 1.0)
    share[[0, -1]] = 0.5
    before = share @ simulation.velocities[rod.nodes]
    simulation.run(1.0)
    np.testing.assert_allclose(share @ simulation.velocities[rod.nodes], before, rtol=1e-8)
