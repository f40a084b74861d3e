"""Soft threads and cloths, which fold as sharply as their mesh allows, run to the end."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest

from strand import arc, meshes
from strand.simulation import Network, Simulation, SolverError, obstacles


def turned(random: np.random.Generator) -> np.ndarray:
    return np.linalg.qr(random.normal(size=(3, 3)))[0]


def thread(seed: int) -> Simulation:
    """A curved thread of .1 to 1 mm falls on a floor and itself, or over a bar, or hangs."""
    random = np.random.default_rng(seed)
    network = Network()
    shape = arc(random.uniform(0.2, 1), random.uniform(-3, 3), int(random.integers(15, 60)))
    rod = network.rod(
        shape @ turned(random) + (0, 0, 1.1),
        radius=10 ** random.uniform(-4, -3),
        young=10 ** random.uniform(5.5, 9.5),
        poisson=0.35,
        density=random.uniform(500, 3000),
    )
    simulation = Simulation(network, dt=float(random.choice([1e-3, 2e-3, 5e-3])))
    kind = random.integers(3)
    if kind == 0:
        simulation.fix_node(rod.nodes[0])
    if kind == 1:
        bar = obstacles.capsule((-1, 0, 0.1), (1, 0, 0.1), 0.02)
        simulation.add_obstacles([bar], friction=0.3)
    simulation.add_floor(0.0, friction=0.4)
    simulation.add_contact()
    return simulation


def cloth(seed: int) -> Simulation:
    """A cloth without contact with itself hangs from one or two corners, or falls on a ball."""
    random = np.random.default_rng(seed)
    length = random.uniform(0.2, 0.5)
    vertices, triangles = meshes.strip(
        length=length, width=0.7 * length, size=length / random.integers(5, 10)
    )
    network = Network()
    sheet = network.shell(
        (vertices - vertices.mean(axis=0)) @ turned(random) + (0, 0, 0.7),
        triangles,
        young=10 ** random.uniform(4.5, 7),
        thickness=10 ** random.uniform(-3.7, -2.7),
        density=random.uniform(300, 1200),
        bending=("hinge", "mid_edge")[seed % 2],
    )
    simulation = Simulation(network, dt=float(random.choice([2e-3, 5e-3, 1e-2])))
    kind = random.integers(3)
    if kind < 2:
        simulation.fix_node(sheet.nodes[: kind + 1])
    else:
        simulation.add_obstacles([obstacles.sphere((0.02, 0.01, 0.3), 0.1)], friction=0.3)
        simulation.add_floor(0.0, friction=0.4)
    return simulation


@pytest.mark.slow
@pytest.mark.parametrize(("made", "seeds"), [(thread, range(40)), (cloth, range(30, 50))])
def test_soft_things_run_to_the_end(
    made: Callable[[int], Simulation], seeds: Iterable[int]
) -> None:
    stopped = {}
    for seed in seeds:
        simulation = made(seed)
        try:
            simulation.run(1.2)
        except SolverError as error:
            stopped[seed] = str(error)
        assert np.isfinite(simulation.positions).all()
        assert simulation.energy_made < 0.01 * simulation.core.energy_supplied
    assert stopped == {}


@pytest.mark.parametrize("seed", range(10, 23))
def test_small_gains_of_energy_shorten_the_steps(seed: int) -> None:
    """A curved thread that falls on a floor rolls by up to 10 rad in a step, which makes a little
    energy in each. Together they stay below 1 %, and the thread comes to rest."""
    network = Network()
    shape = arc(0.93, 3.0, 24) @ turned(np.random.default_rng(seed)) + (0, 0, 0.8)
    network.rod(shape, radius=1.65e-4, young=1e8, poisson=0.35, density=2880)
    simulation = Simulation(network, dt=2e-3)
    simulation.add_floor(0.0, friction=0.4)
    simulation.run(1.5)
    assert simulation.energy_made < 0


def test_a_fold_beside_which_a_step_fails_is_named() -> None:
    rod, sheet = Network(), Network()
    rod.rod([(0, 0, 0), (0.2, 0, 0), (0.01, 0.02, 0)], young=1e6, radius=1e-3, density=1000)
    corners = [(0, 0, 0), (0.1, 0, 0), (0.05, 0.1, 0), (0.05, 0.1, 0.02)]
    sheet.shell(corners, [(0, 1, 2), (1, 0, 3)], young=1e6, thickness=1e-3, density=1000)
    for network, named in (
        (rod, "rod 0, node 1, is folded by 174 degrees; use shorter links there"),
        (sheet, "the edge from shell 0, vertex 0, to shell 0, vertex 1, is folded by 169 degrees"),
    ):
        simulation = Simulation(network, dt=4e-3, least_dt=4e-3, max_iterations=1)
        velocities = np.zeros_like(simulation.positions)
        velocities[-1] = (1, 2, 5)
        simulation.set_velocities(velocities)
        with pytest.raises(SolverError, match=named):
            simulation.run(0.1)
