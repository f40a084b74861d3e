"""Text geometry as a network: rods along chains of edges, shells of connected triangles.

geometry = text_geometry.read("parachute.txt")
rods, shells, node_index = network_from_text_geometry(
    network,
    geometry,
    rod={"young": 1e7, "radius": 1e-3, "density": 1500},
    shell={"young": 1e9, "thickness": 1e-3, "density": 1500},
)
payload = node_index[0]
"""

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
import scipy

from strand.errors import StrandError
from strand.io.text_geometry import TextGeometry
from strand.simulation.network import Network
from strand.simulation.rod import Rod
from strand.simulation.shell import Shell


class _Chain(NamedTuple):
    """The nodes of the geometry along one rod."""

    nodes: list[int]
    closed: bool


def network_from_text_geometry(
    network: Network,
    geometry: TextGeometry,
    rod: dict[str, Any] | None = None,
    shell: dict[str, Any] | None = None,
    joint: str = "rigid",
) -> tuple[list[Rod], list[Shell], np.ndarray]:
    """Adds the rods and shells of a geometry to a network.

    network: the network to add to.
    geometry: nodes, edges and triangles, as read from a file.
    rod, shell: materials, as keyword arguments of Network.rod and Network.shell; required if the
        geometry has edges or triangles.
    joint: of rods with shells, as in Network.attach (default "rigid"); "hinged" also makes ball
        joints between rods.

    A rod continues, in the direction of its first edge, through nodes where exactly two edges meet;
    at other nodes rods end and are connected. Triangles that share nodes make one shell, and a rod
    is attached to a shell at their common nodes.

    Returns the rods and the shells, in the order of their first elements, and the index in the
    network of each node of the geometry (N), valid until more nodes are connected or attached.
    Raises StrandError if a material is missing, or if a node does not exist or is in no element.
    """
    _check(geometry, rod, shell)
    chains, meshes = _chains(geometry.edges), _meshes(geometry)
    rods = [
        network.rod(geometry.nodes[chain.nodes], closed=chain.closed, **(rod or {}))
        for chain in chains
    ]
    shells = [
        network.shell(geometry.nodes[used], triangles, **(shell or {}))
        for used, triangles in meshes
    ]
    places = _places(rods, chains)
    _connect(network, places, joint)
    for of_shell, (used, _) in zip(shells, meshes, strict=True):
        for vertex, node in enumerate(used.tolist()):
            if node in places:
                network.attach(*places[node][0], of_shell, vertex, joint)
    node_index = np.empty(len(geometry.nodes), int)
    for of_rod, chain in zip(rods, chains, strict=True):
        node_index[chain.nodes] = of_rod.nodes
    for of_shell, (used, _) in zip(shells, meshes, strict=True):
        node_index[used] = of_shell.nodes
    return rods, shells, node_index


def _check(
    geometry: TextGeometry, rod: dict[str, Any] | None, shell: dict[str, Any] | None
) -> None:
    count = len(geometry.nodes)
    used = np.zeros(count, bool)
    for name, material, elements in (
        ("edges", ("rod", rod), geometry.edges),
        ("triangles", ("shell", shell), geometry.triangles),
    ):
        if elements.size and material[1] is None:
            raise StrandError(f"{material[0]}: got nothing, allowed: a material for the {name}")
        for node in elements[(elements < 0) | (elements >= count)][:1]:
            raise StrandError(f"{name}: got node {node}, allowed: 0 to {count - 1}")
        used[elements] = True
    for node in np.flatnonzero(~used)[:1]:
        raise StrandError(
            f"nodes: got node {node} in no edge or triangle, allowed: nodes of edges or triangles"
        )


def _chains(edges: np.ndarray) -> list[_Chain]:
    """The rods, in the order of their first edges and in the direction of these."""
    at = defaultdict(list)  # the edges at each node
    for edge, ends in enumerate(edges.tolist()):
        for node in ends:
            at[node].append(edge)
    free = set(range(len(edges)))

    def run_on(node: int) -> list[int]:
        """The nodes from `node` to the end of the rod."""
        nodes = [node]
        while len(at[node]) == 2 and (ahead := free.intersection(at[node])):
            edge = ahead.pop()
            free.remove(edge)
            node = int(edges[edge].sum()) - node
            nodes.append(node)
        return nodes

    chains = []
    for edge, (first, second) in enumerate(edges.tolist()):
        if edge not in free:
            continue
        free.remove(edge)
        ahead = run_on(second)
        closed = ahead[-1] == first and len(at[first]) == 2
        nodes = ahead if closed else run_on(first)[::-1] + ahead
        chains.append(_Chain(nodes[-1:] + nodes[:-1] if closed else nodes, closed))
    return chains


def _meshes(geometry: TextGeometry) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each shell its nodes in the geometry, and its triangles (T x 3) as indices of these."""
    corners = geometry.triangles
    pairs = corners[:, [0, 1, 1, 2]].reshape(-1, 2)
    count = len(geometry.nodes)
    graph = scipy.sparse.coo_array((np.ones(len(pairs)), pairs.T), shape=(count, count))
    _, piece_of_node = scipy.sparse.csgraph.connected_components(graph, directed=False)
    piece = piece_of_node[corners[:, 0]]
    _, first = np.unique(piece, return_index=True)
    meshes = []
    for begin in np.sort(first):
        used, along = np.unique(corners[piece == piece[begin]], return_inverse=True)
        meshes.append((used, along.reshape(-1, 3)))
    return meshes


def _places(rods: list[Rod], chains: list[_Chain]) -> dict[int, list[tuple[Rod, int]]]:
    """For each node of the geometry on a rod: the rods there and the node's index along each."""
    places = defaultdict(list)
    for rod, chain in zip(rods, chains, strict=True):
        for place, node in enumerate(chain.nodes):
            places[node].append((rod, place))
    return places


def _connect(network: Network, places: dict[int, list[tuple[Rod, int]]], joint: str) -> None:
    stiffness = 0.0 if joint == "hinged" else None
    for first, *others in places.values():
        for other in others:
            network.connect(*first, *other, EI=stiffness, GJ=stiffness)
