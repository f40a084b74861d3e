"""What contact takes from a network where its options say nothing."""

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.options import REALS, read
from strand.simulation.network import Network

STANDARD_GRAVITY = 9.81  # m/s^2, the scale of a contact stiffness nobody has chosen


def node_radius(network: Network, count: int, given: ArrayLike | None) -> np.ndarray:
    """Of each of `count` nodes (m): the one(s) given, or the largest of what meets there.

    A shell's is half its thickness.
    """
    if given is not None:
        given = read("node_radius", given, REALS)
        if given.shape not in ((), (count,)):
            raise StrandError(f"node_radius: got shape {given.shape}, allowed: one or ({count},)")
        given = np.broadcast_to(given, count)
        return np.append(given, np.zeros(len(network.clamps)))
    radius = np.zeros(count)
    for index, thickness in enumerate(network.thickness):
        nodes = network.core.shell(index).node
        radius[nodes] = np.maximum(radius[nodes], thickness / 2)
    edge_nodes, edge_radius = network.edge_nodes, network.radius
    for edge in np.setdiff1d(np.arange(len(edge_nodes)), network.core.ribs):
        ends = edge_nodes[edge]
        radius[ends] = np.maximum(radius[ends], edge_radius[edge])
    return np.append(radius, np.zeros(len(network.clamps)))  # what stands for clamps


def penalty(
    network: Network, node_mass: np.ndarray, stiffness: float | None, tolerance: float | None
) -> tuple[float, float, float]:
    """Stiffness (N/m), tolerance (m), and the mass that the stiffness adapts to (kg; 0: none)."""
    if tolerance is None:
        radii = [*network.radius, *(network.thickness / 2)]
        tolerance = 0.1 * float(min(radii, default=0.0))
    if stiffness is not None:
        return stiffness, tolerance, 0.0
    heaviest = float(node_mass.max())
    return 100 * heaviest * STANDARD_GRAVITY / tolerance, tolerance, heaviest
