"""Results do not depend on the units, defaults of contact included."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation


def fallen(length: float, mass: float) -> np.ndarray:
    """Positions (m) of two crossed rods after they fell on a floor, computed in units of which
    `length` are a metre and `mass` a kilogram."""
    network = Network()
    along = straight(0.6, 12)
    material = dict(
        young=1e7 * mass / length, radius=0.01 * length, density=1000 * mass / length**3
    )
    network.rod((along + np.array([-0.3, 0, 0.05])) * length, **material)
    network.rod((along[:, [1, 0, 2]] + np.array([0, -0.3, 0.1])) * length, **material)
    simulation = Simulation(network, dt=2e-3, gravity=(0, 0, -9.81 * length))
    simulation.add_floor(friction=0.4)
    simulation.add_contact(friction=0.3)
    simulation.run(0.4)
    return simulation.positions / length


@pytest.mark.parametrize(("length", "mass"), [(1e3, 1.0), (1e3, 1e3), (1.0, 1e-6)])
def test_a_fall_in_other_units_is_the_same(length: float, mass: float) -> None:
    np.testing.assert_allclose(fallen(length, mass), fallen(1, 1), rtol=0, atol=1e-9)
