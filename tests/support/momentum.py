"""Angular momentum of networks, of nodes and spins."""

import numpy as np

from strand.simulation import Simulation


def angular_momentum(simulation: Simulation) -> np.ndarray:
    """Angular momentum about the origin (kg m^2/s) of all nodes and spins."""
    mass, velocity = simulation.core.mass, simulation.core.velocity
    nodes = simulation.node_dofs(range(simulation.network.node_count), "x")
    spins = simulation.spin_dofs(range(simulation.network.edge_count))
    first, last = simulation.network.edge_nodes.T
    along = simulation.positions[last] - simulation.positions[first]
    along /= np.linalg.norm(along, axis=1)[:, None]
    momentum = np.cross(simulation.positions, mass[nodes][:, None] * simulation.velocities)
    return momentum.sum(axis=0) + ((mass * velocity)[spins][:, None] * along).sum(axis=0)
