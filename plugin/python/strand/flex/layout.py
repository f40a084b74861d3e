"""Bodies, vertices and edges of a cable on a flex: supports and names."""

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from strand.flex.rod import FlexRod

if TYPE_CHECKING:
    from strand.cable.cable import Cable

GHOST = 1e-3  #: length of the ghost edge at a clamped end, as a fraction of a link's length


@dataclasses.dataclass
class NodeBody:
    """A body with nodes of the cable, which slides or is fixed to its parent."""

    name: str
    pos: np.ndarray  #: m, (3,), in its parent's frame
    places: dict[int, np.ndarray]  #: m, (3,), in its own frame: of the nodes whose mass it has
    slides: bool
    quat: np.ndarray | None = None  #: in its parent's frame; None: no rotation


@dataclasses.dataclass
class Layout:
    """The layout of a cable on a flex in a model."""

    name: str  #: of the flex
    bodies: list[NodeBody]
    vertices: list[tuple[str, np.ndarray]]  #: body of each vertex, and position on it (m)
    #: spin inertia of every edge (kg m^2); None: both its vertices are on the same body
    spin: list[float | None]
    sites: dict[int, list[dict[str, Any]]]  #: attributes of the sites on nodes, by node

    def twist_name(self, edge: int) -> str:
        """Name of an edge's twist joint, by which MuJoCo finds it."""
        last = edge == len(self.vertices) - 2
        return f"{self.name}_twist" if last else f"{self.name}_twist_{edge}"


def of_cable(cable: "Cable", rod: FlexRod) -> Layout:
    """The layout of a strand.Cable in a separate model.

    To fix the direction at an end node (clamp "node"), a ghost edge with two fixed vertices is
    added beyond the node. A flex has the stiffness 2 EI / (l0 + l1) at a vertex between edges l0
    and l1. With l0 << l1 this is 2 EI / l1, the half link of a clamp at the node itself, as in the
    chain.
    """
    last = len(rod.nodes) - 1
    spin: list[float | None] = list(rod.spin_inertia)
    holders: list[NodeBody] = []
    held: dict[int, str] = {}
    ghosts: dict[str, list[tuple[str, np.ndarray]]] = {"start": [], "end": []}
    for side, node, inner, edge in (("start", 0, 1, 0), ("end", last, last - 1, -1)):
        kind = getattr(cable, side)
        if kind == "free":
            continue
        name = f"{cable.prefix}hold_{side}"
        nodes = [node]
        if kind == "fixed" and cable.clamp == "link":
            nodes.append(inner)
            spin[edge] = None
        elif kind == "fixed":
            ghost = rod.nodes[node] + GHOST * (rod.nodes[node] - rod.nodes[inner])
            ghosts[side].append((name, ghost))
        # At the origin, so that positions in the body equal positions in the world.
        places = {k: rod.nodes[k] for k in nodes}
        holders.append(NodeBody(name, np.zeros(3), places, slides=False))
        held |= dict.fromkeys(nodes, name)
    sliding = [
        NodeBody(f"{cable.prefix}node{k}", rod.nodes[k], {k: np.zeros(3)}, slides=True)
        for k in range(last + 1)
        if k not in held
    ]
    vertices = [
        (held[k], rod.nodes[k]) if k in held else (f"{cable.prefix}node{k}", np.zeros(3))
        for k in range(last + 1)
    ]
    return Layout(
        name=f"{cable.prefix}rod",
        bodies=holders + sliding,
        vertices=[*ghosts["start"], *vertices, *ghosts["end"]],
        spin=[None] * len(ghosts["start"]) + spin + [None] * len(ghosts["end"]),
        sites=_sites_of_cable(cable, last),
    )


def _sites_of_cable(cable: "Cable", last: int) -> dict[int, list[dict[str, Any]]]:
    """The sites at nodes, the same as in the chain."""
    sites: dict[int, list[dict[str, Any]]] = {
        k: [{"name": f"{cable.prefix}node{k}", "group": 4}] for k in range(last + 1)
    }
    sites[0].append({"name": f"{cable.prefix}site_start", "group": 4})
    sites[last].append({"name": f"{cable.prefix}site_end", "group": 4})
    return sites
