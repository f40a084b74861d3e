"""Statics of what nothing holds: there is no equilibrium, and it says so."""

import numpy as np
import pytest

from strand import meshes, straight
from strand.simulation import Network, Simulation, SolverError, bodies


def box_on_floor(gravity: tuple[float, float, float], friction: float) -> Simulation:
    network = Network()
    network.body(bodies.box((0.1, 0.1, 0.1)), mass=1.0, position=(0, 0, 0.05))
    simulation = Simulation(network, gravity=gravity)
    simulation.add_floor(friction=friction)
    return simulation


def falling_box() -> Simulation:
    network = Network()
    network.body(bodies.box((0.1, 0.1, 0.1)), mass=1.0)
    return Simulation(network)


def falling_rod() -> Simulation:
    network = Network()
    network.rod(straight(0.2, 10), young=1e7, radius=0.005, density=1000)
    return Simulation(network)


def falling_sheet() -> Simulation:
    network = Network()
    network.shell(*meshes.strip(0.1, 0.1, 0.03), young=1e7, thickness=1e-3, density=1000)
    return Simulation(network)


UNHELD = {
    "box": falling_box,
    "rod": falling_rod,
    "sheet": falling_sheet,
    "frictionless slope": lambda: box_on_floor((1, 0, -9.81), 0.0),
    "beyond friction": lambda: box_on_floor((4.2, 0, -9.81), 0.4),
}


@pytest.mark.parametrize("case", UNHELD)
def test_what_nothing_holds_has_no_equilibrium(case: str) -> None:
    simulation = UNHELD[case]()
    start = simulation.positions
    with pytest.raises(SolverError, match="nothing holds a part against the loads"):
        simulation.solve()
    np.testing.assert_array_equal(simulation.positions, start)


def test_friction_holds_a_box() -> None:
    simulation = box_on_floor((3.0, 0, -9.81), 0.4)
    start = simulation.positions
    assert simulation.solve().converged
    assert abs(simulation.positions - start).max() < 1e-3
