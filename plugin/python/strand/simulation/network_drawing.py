"""Draws networks: rods and shells, but not ribs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand.draw.heat import HeatScale
from strand.draw.rod_render import Facets, Obstacle, RodPainter
from strand.simulation.network import Network
from strand.simulation.obstacle_drawing import drawn, facets, strings
from strand.simulation.simulation import Simulation

_STRING = 0.1  # radius of drawn tendons, as a fraction of the thinnest rod or shell
_ALONE = 0.005  # the same as a fraction of a tendon's length, without rods or shells


def take_picture(
    simulation: Simulation,
    *,
    labels: bool = True,
    scale: HeatScale | None = None,
    color: ArrayLike | None = None,
    **options: Any,
) -> np.ndarray:
    """A picture (height, width, 3) of a simulation as it is.

    labels: adds time and scale bar (default True). scale: adds a legend (default none). color: of
    the rods, as in RodPainter, by drawn_edges; default: own colours, with the material directors.
    options: as in RodPainter.
    """
    where, network = simulation.positions, simulation.network
    directors = simulation.directors if color is None else None
    shapes = simulation.obstacles, simulation.obstacle_poses
    options |= drawn(*shapes, where, network.bodies, meshes_and_tendons(simulation))
    time = simulation.time if labels else None
    with NetworkPainter(network, where, color=color, **options) as painter:
        return painter.picture(where, directors, time=time, scale_bar=labels, scale=scale)


def meshes_and_tendons(simulation: Simulation) -> list[Facets | Obstacle]:
    """Drawings of the obstacle meshes and tendons."""
    meshes = simulation.network.obstacle_meshes
    where = simulation.positions, simulation.directors
    parts = [*simulation.network.radius, *simulation.network.thickness]
    places = [simulation.mesh_vertices(mesh) for mesh in meshes]
    found: list[Facets | Obstacle] = [*facets(meshes, places)]
    for tendon in simulation.tendons:
        thin = _STRING * min(parts) if parts else _ALONE * tendon.length
        found += strings([tendon.points(*where)], float(thin))
    return found


def drawn_edges(network: Network) -> np.ndarray:
    """Which edges are drawn, (E,): not the ribs."""
    shown = np.full(network.edge_count, True)
    shown[network.core.ribs] = False
    return shown


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
        self._drawn_edges = drawn_edges(network)
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
