"""Shells of a network, and the methods of a simulation for them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import finite, instance, read
from strand.simulation.arguments import check_poisson, indices, spread


@dataclass(frozen=True)
class Shell:
    """One shell of a network: its nodes in the order of its vertices, its edges and triangles.

    Indices are those of the network, where shells are stored one after the other. Edges are
    numbered in the order in which they first appear, triangle by triangle, opposite to the
    triangle's first, second and third vertex.
    """

    index: int
    core: _strand.Network = field(repr=False)

    @property
    def nodes(self) -> list[int]:
        return self.core.shell(self.index).node

    @property
    def edges(self) -> list[int]:
        return self.core.shell(self.index).edge

    @property
    def edge_nodes(self) -> np.ndarray:
        """The two nodes of each edge (E x 2)."""
        return np.array(self.core.mesh_edge_nodes(), dtype=int)[self.edges]

    @property
    def rim(self) -> list[int]:
        """Positions in `edges` of the edges with a triangle on one side only, clamped or not."""
        sides = self.triangles[:, [[1, 2], [2, 0], [0, 1]]].reshape(-1, 2)
        sides, count = np.unique(np.sort(sides, axis=1), axis=0, return_counts=True)
        at_rim = {tuple(side) for side in sides[count == 1].tolist()}
        edges = np.sort(self.edge_nodes, axis=1).tolist()
        return [place for place, edge in enumerate(edges) if tuple(edge) in at_rim]

    @property
    def mid_edge(self) -> bool:
        """True if bending uses mid-edge normals, whose rotations are degrees of freedom."""
        return self.core.shell(self.index).mid_edge

    @property
    def triangles(self) -> np.ndarray:
        """The nodes of each triangle (T x 3)."""
        return np.array(self.core.triangle_nodes(), dtype=int)[self.core.shell(self.index).triangle]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The material of a shell."""

    young: float  #: Pa
    poisson: float
    thickness: float  #: m
    density: float  #: kg/m^3
    membrane: str = "continuum"
    mass_damping: float = 0.0  #: 1/s
    material_damping: float = 0.0  #: s

    def __post_init__(self) -> None:
        check_poisson(self.poisson)

    @property
    def row(self) -> tuple[float, ...]:
        """The row that a checkpoint compares."""
        damping = self.mass_damping, self.material_damping
        return (self.young, self.poisson, self.thickness, self.density, *damping)

    @property
    def core(self) -> _strand.ShellMaterial:
        return _strand.ShellMaterial(**asdict(self))


class ShellControls:
    """The part of a Simulation that handles shells. Edges are indices as in `Shell.edges`."""

    core: _strand.System
    network: Any
    _pressures: dict[int, _strand.ShellPressure] | None = None  #: by shell

    def set_pressure(self, shell: Shell, pressure: float) -> None:
        """Sets the pressure inside a closed shell relative to the outside.

        pressure: Pa; > 0 inflates. It acts on the deformed shell and does not depend on its volume;
        use `drive` to change it in time.

        Raises StrandError, which names an edge of the rim, if the shell is open.
        """
        self._pressure(shell).set(read("pressure", pressure, finite("Pa")))

    def enclosed_volume(self, shell: Shell) -> float:
        """Volume enclosed by a closed shell (m^3)."""
        return self._pressure(shell).volume(self.core)

    def _pressure(self, shell: Shell) -> _strand.ShellPressure:
        read("shell", shell, instance(Shell, "a shell of this network"))
        if shell.core is not self.network.core:
            raise StrandError("shell: got one of another network, allowed: of this network")
        self._pressures = self._pressures or {}
        if shell.index not in self._pressures:
            self._pressures[shell.index] = checked(self.core.add_pressure, shell.index)
        return self._pressures[shell.index]

    def set_natural_angle(self, edges: Iterable[int], angle: ArrayLike) -> None:
        """Sets the natural angle of edges (rad, one number or one per edge).

        0 is flat; positive angles fold towards the normals.
        """
        places = indices("edges", edges)
        values = spread("angle", angle, (len(places),))
        checked(self.core.set_natural_angle, places, values)

    def set_mesh_rest_length(self, edges: Iterable[int], length: ArrayLike) -> None:
        """Sets the natural length of a shell's edges (m, one number or one per edge)."""
        places = indices("edges", edges)
        values = spread("length", length, (len(places),))
        checked(self.core.set_mesh_rest_length, places, values)

    @property
    def natural_angles(self) -> np.ndarray:
        """Natural angles of the edges of all shells (rad); 0 at the rim."""
        return checked(self.core.natural_angles)

    def fix_rotation(self, edges: Iterable[int]) -> None:
        """Locks mid-edge normals half-way between the normals of their triangles."""
        checked(self.core.lock, [self.rotation_dof(edge) for edge in indices("edges", edges)], True)

    def rotation_dof(self, edge: int) -> int:
        """Index in the core of the degree of freedom of an edge's rotation."""
        dof = checked(self.core.rotation_dof, edge)
        if dof < 0:
            raise StrandError(f"edge: got '{edge}', allowed: edges of shells with mid-edge normals")
        return dof
