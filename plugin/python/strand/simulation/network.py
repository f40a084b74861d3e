"""Rods and shells, and how they are joined."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import (
    FLAG,
    INTEGER,
    REALS,
    TEXT,
    Kind,
    choice,
    instance,
    number,
    numbers,
    read,
    vector,
)
from strand.simulation.arguments import RodMaterial, ShellMaterial, check, indices
from strand.simulation.body import Body, NetworkBodies
from strand.simulation.obstacle_mesh import ObstacleMesh
from strand.simulation.section import Section, section_of
from strand.simulation.shell import Sheet, Shell


@dataclass(frozen=True)
class Rod:
    """One rod of a network: the indices of its nodes, edges and joints, in order along it."""

    index: int
    network: "Network" = field(repr=False)

    @property
    def nodes(self) -> list[int]:
        return self.network.core.rod(self.index).node

    @property
    def edges(self) -> list[int]:
        return self.network.core.rod(self.index).edge

    @property
    def joints(self) -> list[int]:
        """The joints at its inner nodes (closed: at every node)."""
        return self.network.core.rod(self.index).joint


def node_positions(name: str, value: ArrayLike) -> np.ndarray:
    """Points (n x 3, m). StrandError names them where they have another shape."""
    points = read(name, value, REALS)
    if points.ndim != 2 or points.shape[1] != 3:
        raise StrandError(f"{name}: got shape {points.shape}, allowed: (n, 3)")
    return points


def _triangles(value: ArrayLike) -> np.ndarray:
    corners = np.asarray(value)
    if corners.ndim != 2 or corners.shape[1] != 3 or not np.issubdtype(corners.dtype, np.integer):
        raise ValueError
    return corners


_CORNERS = Kind("integers of shape (n, 3)", _triangles)


@dataclass(frozen=True)
class Clamp:
    """What stands for a clamp in the core: a node, and of a rod's an edge, too."""

    node: int
    owners: tuple[int, ...]  #: nodes that it goes with
    edge: int = -1
    rod: int = -1
    end: str = ""


class _RodClamp(NamedTuple):
    rod: Rod
    end: str  #: "start" or "end"


class _ShellClamp(NamedTuple):
    shell: Shell
    edges: list[int]  #: places in `Shell.edges`


class Network(NetworkBodies):
    """Rods and shells that may share nodes, and rigid bodies. SI units; angles in radians."""

    def __init__(self) -> None:
        self.core = _strand.Network()
        self._sections: list[Section] = []
        self._shells: list[Sheet] = []
        self.bodies: list[Body] = []
        self._rigidity: list[float] = []
        self._joint_stiffness: dict[int, tuple[tuple[float, float], float]] = {}
        self._to_clamp: list[_RodClamp | _ShellClamp] = []
        self._meshes: list[ObstacleMesh] = []
        self.clamps: list[Clamp] = []  #: once a simulation has been made
        self.obstacle_meshes: list[ObstacleMesh] = []  #: the same

    def rod(
        self,
        nodes: ArrayLike,
        *,
        radius: float,
        young: float | None = None,
        density: float | None = None,
        poisson: float | None = None,
        shear: float | None = None,
        area: float | None = None,
        second_moments: tuple[float, float] | None = None,
        torsion_constant: float | None = None,
        EI: float | tuple[float, float] | None = None,
        GJ: float | None = None,
        EA: float | None = None,
        mass_per_length: float | None = None,
        mass_damping: float = 0.0,
        material_damping: float = 0.0,
        normal: ArrayLike | None = None,
        closed: bool = False,
    ) -> Rod:
        """Adds a rod through `nodes` (n x 3, m), closed into a ring if asked for.

        Its natural shape is the one drawn. A circle of `radius` (m) unless `area` (m^2),
        `second_moments` (m^4, bending about m1 and m2) and `torsion_constant` (m^4) are given.
        Stiffness: `young` (Pa) with `shear` (Pa) or `poisson` (0.5); or `EI` (N m^2; one, or two
        about m1 and m2) and `GJ` (N m^2), with `EA` (N) or as much as a solid round section of that
        EI has, 4 EI / radius^2; each of them also stands in for that of `young`. Mass: `density`
        (kg/m^3) or `mass_per_length` (kg/m). Damping, of Rayleigh's two kinds: `mass_damping` (1/s)
        is a force per mass and speed against all motion; `material_damping` (s) makes stress
        young (strain + material_damping strain rate), a Kelvin-Voigt material of that times young
        as viscosity, and leaves motion without deformation free: a mode of the frequency omega
        (rad/s) decays with the damping ratio mass_damping / (2 omega) + material_damping omega / 2.
        `normal`: m1 of the first edge, made orthogonal; by default a horizontal direction.
        """
        given = check(RodMaterial, locals())
        read("closed", closed, FLAG)
        points = node_positions("nodes", nodes)
        section = section_of(**given)
        first = points[1] - points[0] if len(points) > 1 else np.array([1.0, 0, 0])
        across = default_normal(first)
        if normal is not None:
            across = np.array(read("normal", normal, vector(3, "1")))
        self._check_open()
        index = checked(self.core.add_rod, points, across, closed)
        self._sections += [section] * (self.core.edges - len(self._sections))
        return Rod(index, self)

    def connect(
        self,
        rod_a: Rod,
        node_a: int,
        rod_b: Rod,
        node_b: int,
        *,
        EI: float | tuple[float, float] | None = None,
        GJ: float | None = None,
    ) -> list[int]:
        """Makes `node_b` of rod b (an index along it; -1 its end) the same as `node_a` of rod a.

        Every pair of edges there bends and twists against each other, with the rods' own stiffness
        or the `EI` and `GJ` (N m^2) given; both 0 make a ball joint. Returns the new joints.
        """
        ends = [
            (self.index_of("rod_a", rod_a, Rod), read("node_a", node_a, INTEGER)),
            (self.index_of("rod_b", rod_b, Rod), read("node_b", node_b, INTEGER)),
        ]
        if (EI is None) != (GJ is None):
            raise StrandError("connect: got one of EI and GJ, allowed: both or none")
        self._check_open()
        joints = checked(self.core.connect, *ends[0], *ends[1], 1e-6)
        if EI is not None and GJ is not None:
            for joint in joints:
                self.set_joint_stiffness(joint, EI, GJ)
        return joints

    def clamp(self, rod: Rod, end: str) -> None:
        """Holds the "start" or "end" of the rod with its direction and twist, to second order.

        The node is held, too, unless something else is said of it (`Simulation.slide_node`, or
        `fix_node` with some of the axes): the clamp then goes with it and keeps the direction.
        `Simulation.move_node` takes the clamp along, `turn_clamp` turns it.
        """
        read("end", end, choice("start", "end"))
        if self.core.rod(self.index_of("rod", rod, Rod)).closed:
            raise StrandError("clamp: got 'a closed rod', allowed: rods with ends")
        self._check_open()
        if (rod.index, end) in self._rod_clamps():
            raise StrandError(f"clamp: got the {end} again, allowed: each end once")
        self._to_clamp.append(_RodClamp(rod, end))

    def shell(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        *,
        young: float,
        thickness: float,
        density: float,
        poisson: float = 0.3,
        bending: str = "mid_edge",
        membrane: str = "continuum",
        mass_damping: float = 0.0,
        material_damping: float = 0.0,
    ) -> Shell:
        """Adds a shell over `vertices` (N x 3, m) with `triangles` (T x 3 indices of them).

        Its natural shape is the one drawn; triangles run counter-clockwise around their normals.
        Where three or more of them meet at an edge is a seam: the sheets are joined rigidly, and
        each has an edge of its own there.
        `bending`: "mid_edge" normals, a plate of `young` and `poisson` on any triangles, with a
        rotation more per edge, which has no mass (explicit methods need hinges); or "hinge" angles
        of the edges, cheaper, on equilateral triangles a plate of D = young thickness^3 / 12 with a
        Poisson's ratio of -1/3, whatever `poisson`, and on others one that depends on the mesh.
        `membrane`: "continuum", triangles of constant strain with `young` and `poisson` on any
        mesh; or "springs" along the edges as the DisMech papers have them, with a Poisson's ratio
        of 1/3 on equilateral triangles and, beside mid-edge normals, 4 / sqrt(3) / (1 - poisson^2)
        times too stiff. See strand.meshes. `mass_damping` (1/s) and `material_damping` (s) as of
        rods.
        """
        given = check(ShellMaterial, locals())
        mid_edge = given.pop("bending") == "mid_edge"
        material = Sheet(**given)
        points = node_positions("vertices", vertices)
        corners = read("triangles", triangles, _CORNERS)
        self._check_open()
        index = checked(self.core.add_shell, points, corners.tolist(), mid_edge)
        self._shells.append(material)
        return Shell(index, self.core)

    def attach(
        self, rod: Rod, node: int, shell: Shell, vertex: int, joint: str = "rigid"
    ) -> list[int]:
        """Makes `node` of a rod (-1: its end) the same as `vertex` of a shell.

        joint: "rigid" takes on the rod's moments: ribs along the shell's edges there bend and twist
        against it, as stiff as the rod. "hinged": the node alone. "published": as MAT-DiSMech's
        code, ribs along all edges of the triangles there, with the mass of rods. Returns the new
        joints, between ribs among them.
        """
        at_rod = self.index_of("rod", rod, Rod), read("node", node, INTEGER)
        at_shell = self.index_of("shell", shell, Shell), read("vertex", vertex, INTEGER)
        self._check_open()
        joints = checked(self.core.attach, *at_rod, *at_shell, read("joint", joint, TEXT))
        section = self._sections[rod.edges[0 if node == 0 else -1]]
        rib = section.rib(massive=joint == "published")
        self._sections += [rib] * (self.core.edges - len(self._sections))
        return joints

    def obstacle_mesh(self, vertices: ArrayLike, triangles: ArrayLike) -> ObstacleMesh:
        """Adds a rigid obstacle of triangles (T x 3) over `vertices` (N x 3, m): meshes.read.

        It has no thickness, and nothing passes through it from either side; any number of triangles
        may meet at an edge, and they may overlap. Rods and shells touch it once
        `Simulation.add_contact` is called; it stays where it is, unless `move_obstacle` drives it.
        """
        points, corners = (
            node_positions("vertices", vertices),
            read("triangles", triangles, _CORNERS),
        )
        mesh = ObstacleMesh(points, corners, self)
        checked(_strand.Network().add_obstacle_mesh, points, corners.tolist())  # refused here
        self._check_open()
        self._meshes.append(mesh)
        return mesh

    def attach_to_body(self, rod: Rod, node: int, body: Body, joint: str = "ball") -> None:
        """Fixes `node` of a rod (-1: its end) in a body, where it is drawn.

        joint: "ball" takes no moment; "rigid", of a rod's first or last node alone, holds its
        direction and twist as they are drawn there, and the body takes its moments.
        """
        at = self.index_of("rod", rod, Rod), read("node", node, INTEGER)
        index, how = self._my_body(body), read("joint", joint, choice("ball", "rigid"))
        if body.surface is not None:
            raise StrandError(
                "body: got a mesh, allowed: other shapes; `attach` takes a rod to a vertex of"
                " body.surface"
            )
        self._check_open()
        if how == "ball":
            checked(self.core.attach_to_body, *at, index)
            return
        last = len(rod.nodes) - 1
        if node not in (0, -1, last):
            raise StrandError(f"node: got {node}, allowed: 0 or -1, with joint = 'rigid'")
        checked(self.core.attach_to_body_rigidly, at[0], int(node != 0), index)
        self._sections.append(self._sections[rod.edges[0 if node == 0 else -1]].rib(massive=False))

    def attach_shell_to_body(self, shell: Shell, vertices: ArrayLike, body: Body) -> None:
        """Fixes vertices of a shell (indices of its own) in a body, where they are drawn.

        Each is a ball joint: two rows of vertices hold the shell's direction, too.
        """
        of, to = self.index_of("shell", shell, Shell), self._my_body(body)
        places = indices("vertices", vertices)
        self._check_open()
        for vertex in places:
            checked(self.core.attach_shell_to_body, of, vertex, to)

    def clamp_shell(self, shell: Shell, edges: ArrayLike) -> None:
        """Holds the direction of a shell across edges of its rim (places in `shell.edges`).

        Accurate to second order. The nodes are held, too, and take the clamp along, as of `clamp`.
        """
        self.index_of("shell", shell, Shell)
        places, rim = indices("edges", edges), set(shell.rim)
        taken = {
            edge
            for clamp in self._to_clamp
            if isinstance(clamp, _ShellClamp) and clamp.shell == shell
            for edge in clamp.edges
        }
        for place in places:
            if not 0 <= place < len(shell.edges):
                allowed = f"0 to {len(shell.edges) - 1}"
                raise StrandError(f"edge: got '{place}', allowed: {allowed}")
            if place not in rim or place in taken:
                allowed = "edges of the rim that are not clamped yet"
                raise StrandError(f"edge: got '{place}', allowed: {allowed}")
            taken.add(place)
        self._check_open()
        self._to_clamp.append(_ShellClamp(shell, places))

    def set_joint_stiffness(self, joint: int, EI: float | tuple[float, float], GJ: float) -> None:
        """EI and GJ (N m^2) of one joint, instead of those of its edges."""
        bend = read("EI", EI, numbers(1, 2, "one number or two (N m^2)"))
        twist = read("GJ", GJ, number("(N m^2)"))
        self._joint_stiffness[read("joint", joint, INTEGER)] = (bend[0], bend[-1]), twist

    def close(self) -> None:
        """Adds what stands for the clamps, and obstacle meshes, behind all nodes and edges; a
        simulation is made now."""
        for held in self._to_clamp:
            if isinstance(held, _RodClamp):
                rod, end = held
                place = -1 if end == "end" else 0
                owner, edge = (rod.nodes[place],), self.core.edges
                self.clamps.append(Clamp(self.core.nodes, owner, edge, rod.index, end))
                checked(self.core.clamp, rod.index, int(end == "end"))
                self._sections.append(self._sections[rod.edges[place]])
                continue
            first, ends = self.core.nodes, held.shell.edge_nodes[held.edges]
            checked(self.core.clamp_shell, held.shell.index, held.edges)
            self.clamps += [Clamp(first + k, tuple(two)) for k, two in enumerate(ends.tolist())]
        self._to_clamp = []
        for mesh in self._meshes[len(self.obstacle_meshes) :]:
            first = self.core.nodes
            checked(self.core.add_obstacle_mesh, mesh.vertices, mesh.triangles.tolist())
            mesh.nodes = range(first, self.core.nodes)
            self.obstacle_meshes.append(mesh)

    def padded(self, per_edge: np.ndarray) -> np.ndarray:
        """With zeros for the edges that stand for clamps."""
        return np.append(per_edge, np.zeros(self.core.edges - len(per_edge)))

    @property
    def node_count(self) -> int:
        meshes = sum(len(mesh.vertices) for mesh in self.obstacle_meshes)
        return self.core.nodes - len(self.clamps) - meshes

    @property
    def edge_count(self) -> int:
        return self.core.edges - sum(clamp.edge >= 0 for clamp in self.clamps)

    def _check_open(self) -> None:
        if self.clamps or self.obstacle_meshes:
            raise StrandError(
                "network: got another part after a simulation has been made of it, with clamps or"
                " obstacle meshes; allowed: all parts before"
            )

    def _rod_clamps(self) -> list[tuple[int, str]]:
        return [
            (held.rod.index, held.end) for held in self._to_clamp if isinstance(held, _RodClamp)
        ]

    def index_of(self, name: str, part: Rod | Shell, kind: type[Rod | Shell]) -> int:
        """The index of a rod or shell. StrandError: it is no such thing, or another network's."""
        allowed = f"a {kind.__name__.lower()} of this network"
        read(name, part, instance(kind, allowed))
        if (part.network.core if isinstance(part, Rod) else part.core) is not self.core:
            raise StrandError(f"{name}: got one of another network, allowed: {allowed}")
        return part.index

    @property
    def triangles(self) -> np.ndarray:
        """The nodes of each triangle of all shells (T x 3)."""
        return np.array(self.core.triangle_nodes(), dtype=int).reshape(-1, 3)

    def shell_material(self) -> np.ndarray:
        """Rows young, poisson, thickness, density and the two dampings, one per shell."""
        return np.array([sheet.row for sheet in self._shells], dtype=float).reshape(-1, 6)

    @property
    def membranes(self) -> list[str]:
        """What resists stretching, one per shell: "continuum" or "springs"."""
        return [sheet.membrane for sheet in self._shells]

    @property
    def has_mid_edges(self) -> bool:
        """Whether any shell bends by mid-edge normals."""
        return any(self.core.shell(index).mid_edge for index in range(self.core.shells))

    def materials(self) -> dict[str, Any]:
        """The materials of all edges, shells and bodies, as _strand.SystemParameters takes them."""
        return {
            "material": [section.core for section in self._sections],
            "shell": [sheet.core for sheet in self._shells],
            "body": [
                _strand.BodyMaterial(mass=mass, stiffness=stiffness)
                for mass, stiffness in self.body_material().tolist()
            ],
        }

    @property
    def thickness(self) -> np.ndarray:
        """Of each shell (m)."""
        return self.shell_material()[:, 2]

    @property
    def edge_nodes(self) -> np.ndarray:
        """The two nodes of each edge (E x 2)."""
        return np.array(self.core.edge_nodes(), dtype=int).reshape(-1, 2)[: self.edge_count]

    @property
    def radius(self) -> np.ndarray:
        """Of each edge (m)."""
        return np.array([section.radius for section in self._sections[: self.edge_count]])

    @property
    def area(self) -> np.ndarray:
        """Cross-section of each edge (m^2)."""
        return np.array([section.area for section in self._sections[: self.edge_count]])

    def material(self) -> np.ndarray:
        """Rows EA, EI_1, EI_2, GJ, mass per length, spin inertia per length and the two dampings,
        one per edge."""
        rows = [section.row for section in self._sections]
        return np.array(rows, dtype=float).reshape(-1, 8)

    @property
    def material_damping(self) -> bool:
        """Whether any rod or shell has it."""
        return bool(self.material()[:, 7].any() or self.shell_material()[:, 5].any())

    def joint_stiffness(self) -> dict[int, tuple[tuple[float, float], float]]:
        """EI (two) and GJ (N m^2) of the joints that have their own."""
        return dict(self._joint_stiffness)


def default_normal(direction: np.ndarray) -> np.ndarray:
    """A horizontal direction across an edge: z x t, or y where the edge stands upright."""
    across = np.cross((0, 0, 1), direction)
    upright = np.linalg.norm(across) < 1e-9 * np.linalg.norm(direction)
    return np.array([0.0, 1.0, 0.0]) if upright else across
