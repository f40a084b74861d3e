"""Draws networks: rods and shells, but not ribs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand.draw.rod_render import RodPainter
from strand.simulation.network import Network


class NetworkPainter(RodPainter):
    """Draws a network at any positions (N, 3; m) and directors (E, 3) of its simulation.

    `bounds`, `balls` (by node of the network) and other options are those of RodPainter.
    """

    def __init__(
        self,
        network: Network,
        bounds: np.ndarray,
        *,
        balls: Mapping[int, float] | None = None,
        **options: Any,
    ) -> None:
        self._drawn_edges = np.full(network.edge_count, True)
        self._drawn_edges[network.core.ribs] = False
        edges, triangles = network.edge_nodes[self._drawn_edges], network.triangles
        # Carriers keep the bodies in view.
        carriers = np.array([body.carriers for body in network.bodies], dtype=int)
        nodes = [edges.ravel(), triangles.ravel(), carriers.ravel()]
        self._drawn_nodes = np.unique(np.concatenate(nodes))
        super().__init__(
            _about_bodies(network, bounds)[..., self._drawn_nodes, :],
            self._places(edges),
            network.radius[self._drawn_edges],
            triangles=self._places(triangles),
            balls={int(self._places(node)): radius for node, radius in (balls or {}).items()},
            **options,
        )

    def _places(self, nodes: ArrayLike) -> np.ndarray:
        return np.searchsorted(self._drawn_nodes, nodes)

    def picture(
        self, positions: np.ndarray, directors: np.ndarray | None = None, **labels: Any
    ) -> np.ndarray:
        along = None if directors is None else directors[self._drawn_edges]
        return super().picture(positions[self._drawn_nodes], along, **labels)


def _about_bodies(network: Network, positions: np.ndarray) -> np.ndarray:
    """Positions (..., N, 3) with the carriers moved outwards, so that they enclose the bodies."""
    positions = np.array(positions, dtype=float)
    for body in network.bodies:
        places = positions[..., body.carriers, :]
        centre = places.mean(axis=-2, keepdims=True)
        arms = places - centre
        # Distance of the corners of a tetrahedron that contains the body's bounding ball.
        reach = np.sqrt(3) * np.linalg.norm(body.shape.size)
        arms *= reach / np.linalg.norm(arms, axis=-1, keepdims=True)
        positions[..., body.carriers, :] = centre + arms
    return positions
