"""A node that is driven into its neighbour is named."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation, SolverError


def test_a_node_that_is_driven_onto_its_neighbour() -> None:
    network = Network()
    network.rod(straight(0.3, 2) + np.array([0, 1, 0]), young=1e6, radius=5e-3, density=1000)
    rod = network.rod(straight(1.0, 10), young=1e6, radius=5e-3, density=1000)
    simulation = Simulation(network, dt=1e-2, gravity=(0, 0, 0))
    simulation.fix_node(rod.nodes[3])
    simulation.move_node(rod.nodes[2], lambda t: (0.1 * min(t / 0.1, 1.0), 0, 0))
    with pytest.raises(SolverError, match="rod 1, edge 2 without a length: its nodes coincide"):
        simulation.run(0.2)
    assert 0.05 < simulation.time < 0.1  # the state is the last good one
    assert np.isfinite(simulation.positions).all()
