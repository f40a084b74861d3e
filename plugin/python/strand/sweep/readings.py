"""Named results of a simulated scene or cable, read at its end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from strand.io import toml_file
from strand.simulation.rod import Rod
from strand.simulation.simulation import Simulation

#: Reads results by name; a reader may be called once.
Readers = Mapping[str, Callable[[], float]]

#: The results that a line of nodes has, and their meaning.
OF_NODES = {
    "start_x": "position of the first node (m); also start_y, start_z",
    "end_x": "position of the last node (m); also end_y, end_z",
    "end_distance": "distance between both end nodes (m)",
    "sag": "height of the higher end node above the lowest node (m)",
    "lowest": "z of the lowest node (m)",
}
#: The results of a cable in MuJoCo or a rod of the core beside those of its nodes.
OF_CABLE = {
    "smallest_bend_radius": "1 / the largest curvature (m); inf if it is straight",
    "largest_tension": "largest tension along it (N); < 0: compression everywhere",
    "start_force": "magnitude of the force of the support at its start (N)",
    "end_force": "magnitude of the force of the support at its end (N)",
}
OF_PLUGIN = {
    "elastic_energy": "of bending and twisting (J)",
    "twist": "sum over the joints, with full turns (rad)",
    "largest_stress": "largest von Mises stress (Pa)",
}
OF_CORE = {
    "potential_energy": "of the whole scene: elastic, and of all conservative loads (J)",
    "kinetic_energy": "of the whole scene (J)",
    "contacts": "number of contacts in the whole scene",
}
OF_VINE = {
    "tip_x": "position of the tip (m)",
    "tip_y": "position of the tip (m)",
    "length": "of the robot (m)",
    "contacts": "number of contacts",
}


def of_nodes(nodes: np.ndarray) -> Readers:
    """Readers for a line of nodes (n x 3, m)."""
    ends = {"start": nodes[0], "end": nodes[-1]}
    axes = {
        f"{side}_{axis}": lambda value=value: float(value)
        for side, node in ends.items()
        for axis, value in zip("xyz", node, strict=True)
    }
    return axes | {
        "end_distance": lambda: float(np.linalg.norm(nodes[-1] - nodes[0])),
        "sag": lambda: float(max(nodes[0, 2], nodes[-1, 2]) - nodes[:, 2].min()),
        "lowest": lambda: float(nodes[:, 2].min()),
    }


@dataclass(frozen=True)
class RodState:
    """A rod of the core, or several in a row, in the current state of the simulation."""

    simulation: Simulation
    nodes: Sequence[int]
    edges: Sequence[int]
    closed: bool  #: the last edge is followed by the first

    @classmethod
    def of(cls, simulation: Simulation, rod: Rod) -> "RodState":
        closed = len(rod.joints) == len(rod.edges)
        return cls(simulation, rod.nodes, rod.edges, closed)

    @cached_property
    def _vectors(self) -> np.ndarray:
        """The vectors along the edges (n x 3, m)."""
        ends = self.simulation.network.edge_nodes[self.edges]
        return np.diff(self.simulation.positions[ends], axis=1)[:, 0]

    @cached_property
    def _rest_lengths(self) -> np.ndarray:
        return self.simulation.core.rest_length[self.edges]

    def _with_clamps(self) -> tuple[np.ndarray, np.ndarray]:
        """The vectors along the edges and their rest lengths, with the edges of clamps, of length
        0, at the ends."""
        vectors, lengths = self._vectors, self._rest_lengths
        positions = self.simulation.core.positions()
        for clamp in self.simulation.network.clamps:
            arm = positions[clamp.node] - positions[clamp.owners[0]]
            if clamp.end == "start" and clamp.owners == (self.nodes[0],):
                vectors, lengths = np.vstack([-arm, vectors]), np.append(0, lengths)
            elif clamp.end == "end" and clamp.owners == (self.nodes[-1],):
                vectors, lengths = np.vstack([vectors, arm]), np.append(lengths, 0)
        return vectors, lengths

    @property
    def largest_tension(self) -> float:
        """The largest elastic tension of its edges (N): EA times the strain."""
        stiffness = self.simulation.network.material()[self.edges, 0]
        lengths = np.linalg.norm(self._vectors, axis=1)
        return float((stiffness * (lengths / self._rest_lengths - 1)).max())

    @property
    def smallest_bend_radius(self) -> float:
        """Voronoi length over turning angle at the sharpest joint (m); inf if it is straight."""
        before, lengths = self._with_clamps()
        after = np.roll(before, -1, axis=0)
        span = (lengths + np.roll(lengths, -1)) / 2
        across = np.linalg.norm(np.cross(before, after), axis=1)
        curvature = np.arctan2(across, np.einsum("ij,ij->i", before, after)) / span
        largest = curvature[slice(None) if self.closed else slice(-1)].max(initial=0.0)
        return float(1 / largest) if largest > 0 else np.inf

    def support(self, end: int) -> float:
        """Magnitude of the force of the support at an end (N): 0 the start, -1 the end."""
        return float(np.linalg.norm(self.simulation.reactions[self.nodes[end]]))

    def readers(self) -> Readers:
        return {
            **of_nodes(self.simulation.positions[self.nodes]),
            "smallest_bend_radius": lambda: self.smallest_bend_radius,
            "largest_tension": lambda: self.largest_tension,
            "start_force": lambda: self.support(0),
            "end_force": lambda: self.support(-1),
        }


def of_simulation(simulation: Simulation) -> Readers:
    """Readers for a whole simulation of the core."""

    def contacts() -> float:
        simulation.core.report()  # the last evaluation of a step may be at its middle
        return float(sum(each.contacts for each in simulation.contacts))

    return {
        "lowest": lambda: float(simulation.positions[:, 2].min()),
        "potential_energy": lambda: simulation.potential_energy,
        "kinetic_energy": lambda: simulation.kinetic_energy,
        "contacts": contacts,
    }


def qualified(parts: Mapping[str, Readers], alone: Readers) -> Readers:
    """Readers of several cables or rods as `name.result`; those of the only one by `result`, too.

    alone: readers that belong to no part.
    """
    named = {
        f"{part}.{name}": read
        for part, readers in parts.items()
        if part
        for name, read in readers.items()
    }
    first = parts.get("", next(iter(parts.values())) if len(parts) == 1 else {})
    return {**first, **{name: each for name, each in alone.items() if name not in first}, **named}


def read(readers: Readers, names: Iterable[str]) -> dict[str, float]:
    """The named results. Raises StrandError for a name that there is not."""
    found = {}
    for name in names:
        if name not in readers:
            raise toml_file.unknown(f"run.results.{name}", "a result", readers)
        found[name] = float(readers[name]())
    return found
