"""Steps of sheets in a fluid, whose drag has no potential, are as accurate as others."""

import numpy as np

from strand import meshes
from strand.simulation import Network, Simulation

SHEET = meshes.strip(0.3, 0.3, 0.03)


def falling(tolerance: float) -> np.ndarray:
    """A square sheet, held at two corners, that swings down in air.

    Returns its positions after .3 s, shape (nodes, 3).
    """
    network = Network()
    vertices, triangles = SHEET
    network.shell(vertices, triangles, young=1e6, thickness=2e-3, density=1000.0, poisson=0.3)
    simulation = Simulation(
        network, dt=5e-3, method="backward_euler", gravity=(0, 0, -9.81), tolerance=tolerance
    )
    side = np.flatnonzero(vertices[:, 0] == 0)
    across = vertices[side, 1]
    simulation.fix_node([side[across.argmin()], side[across.argmax()]])
    simulation.add_aerodynamic_drag(density=1.2, coefficient=1.0)
    simulation.run(0.3)
    return simulation.positions.copy()


def test_the_tolerance_is_that_of_the_motion() -> None:
    rough, exact = falling(1e-7), falling(1e-13)
    fallen = np.linalg.norm(exact - SHEET[0], axis=1).max()
    assert fallen > 0.1
    assert np.abs(rough - exact).max() < 1e-7 * fallen
