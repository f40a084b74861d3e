"""Rods and shells, and the joints between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import (
    FLAG,
    INTEGER,
    TEXT,
    choice,
    instance,
    number,
    numbers,
    read,
    vector,
)
from strand.simulation.arguments import (
    CORNERS,
    RodMaterial,
    ShellMaterial,
    check,
    default_normal,
    indices,
    node_positions,
)
from strand.simulation.body import Body, NetworkBodies
from strand.simulation.obstacle_mesh import ObstacleMesh
from strand.simulation.rod import Rod
from strand.simulation.section import Section, section_of
from strand.simulation.shell import Sheet, Shell
from strand.simulation.slip import Slip


@dataclass(frozen=True)
class Clamp:
    """The representation of a clamp in the core: a node and, at a rod, an edge."""

    node: int
    owners: tuple[int, ...]  #: nodes that the clamp's node follows
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
    """Rods and shells, which may share nodes, and rigid bodies. SI units; angles in rad."""

    def __init__(self) -> None:
        self.core = _strand.Network()
        self._sections: list[Section] = []
        self._shells: list[Sheet] = []
        self.bodies: list[Body] = []
        self._rigidity: list[float] = []
        self._joint_stiffness: dict[int, tuple[tuple[float, float], float]] = {}
        self._closed = False  # a simulation has been made of it
        self._to_clamp: list[_RodClamp | _ShellClamp] = []
        self._meshes: list[ObstacleMesh] = []
        self.clamps: list[Clamp] = []  #: filled when a simulation is made
        self.obstacle_meshes: list[ObstacleMesh] = []  #: filled when a simulation is made

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
        yield_stress: float | None = None,
        hardening: float | tuple[float, float] | None = None,
        normal: ArrayLike | None = None,
        closed: bool = False,
    ) -> Rod:
        """Adds a rod, whose rest shape is the polyline through `nodes`.

        Required: nodes, radius, `density` or `mass_per_length`, and `young` or both `EI` and `GJ`.

        nodes: n x 3, m.
        radius: m, of the circular section, of contact and of pictures.
        young: Young's modulus (Pa).
        density: kg/m^3.
        poisson: Poisson's ratio, > -1 and <= 0.5 (default 0.5).
        shear: shear modulus (Pa; default young / (2 (1 + poisson))).
        area: of the section (m^2; default: that of the circle).
        second_moments: of area, two, for bending about m1 and m2 (m^4; default: the circle's).
        torsion_constant: of the section (m^4; default: that of the circle).
        EI: bending stiffness (N m^2), one number, or two for bending about m1 and m2. Default:
            young times second_moments.
        GJ: twisting stiffness (N m^2; default shear times torsion_constant).
        EA: stretching stiffness (N). Default: young times area; without `young` that of a solid
            round section, 4 EI / radius^2, with the larger EI.
        mass_per_length: kg/m, instead of `density`.
        mass_damping: alpha of Rayleigh damping (1/s; default 0): force per mass and speed against
            all motion.
        material_damping: beta of Rayleigh damping (s; default 0): stress is young (strain +
            material_damping strain rate), as in a Kelvin-Voigt material of the viscosity
            material_damping young. Motion without deformation is not damped. A mode of the angular
            frequency omega (rad/s) has the damping ratio
            mass_damping / (2 omega) + material_damping omega / 2.
        yield_stress: stress (Pa) at which the circular section yields: beyond it the rod is bent
            and twisted for good (default: never). `Simulation.permanent_set` reads it.
        hardening: plastic moduli of kinematic and, if given, isotropic hardening, as fractions of
            young (default 0).
        normal: direction m1 of the first edge, made orthogonal to it (default: horizontal).
        closed: joins the last node to the first, as a ring (default False).

        Raises StrandError if an argument is invalid or missing, or if two exclude each other.
        """
        given = check(RodMaterial, locals())
        read("closed", closed, FLAG)
        points = node_positions("nodes", nodes)
        section = section_of(**given)
        first = points[1] - points[0] if len(points) > 1 else np.array([1.0, 0, 0])
        across = default_normal(first)
        if normal is not None:
            across = np.array(read("normal", normal, vector(3, "1")))
        return self.rod_of_sections(points, [section] * len(points), across, closed)

    def rod_of_sections(
        self, nodes: np.ndarray, sections: Sequence[Section], normal: np.ndarray, closed: bool
    ) -> Rod:
        """Adds a rod whose edges differ. `sections`: one or more per edge, in order; otherwise as
        for `rod`."""
        self._check_open()
        index = checked(self.core.add_rod, nodes, normal, closed)
        self._sections += sections[: self.core.edges - len(self._sections)]
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
        """Merges `node_b` of `rod_b` with `node_a` of `rod_a`.

        rod_a, rod_b: rods of this network.
        node_a, node_b: indices along the rods; -1: the last node.
        EI, GJ: stiffness (N m^2) of the new joints; EI is one number, or two for bending about m1
            and m2. Both 0: a ball joint. Default: the stiffness of the rods.

        Every pair of edges that meet there becomes a joint, which bends and twists, all together
        like a stiff hub (`junctions` of Simulation): a straight rod with an edge beside it bends in
        their plane as it does without, and is stiffer out of the plane over the length of an edge
        there, an error of first order. Joints of given stiffness are each a spring of its own.
        Nodes are renumbered: `rod.nodes` has their numbers. Returns the new joints. Raises
        StrandError if only one of EI and GJ is given.
        """
        ends = [
            (self.index_of("rod_a", rod_a, Rod), read("node_a", node_a, INTEGER)),
            (self.index_of("rod_b", rod_b, Rod), read("node_b", node_b, INTEGER)),
        ]
        if (EI is None) != (GJ is None):
            raise StrandError("connect: got one of EI and GJ, allowed: both or none")
        self._check_open()
        joints = checked(self.core.connect, *ends[0], *ends[1])
        if EI is not None and GJ is not None:
            for joint in joints:
                self.set_joint_stiffness(joint, EI, GJ)
        return joints

    def clamp(self, rod: Rod, end: str) -> None:
        """Clamps an end of a rod: fixes its position, direction and twist.

        rod: a rod of this network that is not closed.
        end: "start" or "end".

        The clamp is accurate to second order in the edge length. If the node itself is released or
        guided (`Simulation.release_node`, `slide_node`, or `fix_node` with some of the axes), the
        clamp moves with it and fixes the direction only. `Simulation.move_node` moves the clamp
        with the node; `Simulation.turn_clamp` turns it.
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
        """Adds a shell, whose rest shape is the given mesh. strand.meshes makes meshes.

        vertices: N x 3, m.
        triangles: T x 3, indices of vertices, counter-clockwise around the normals. An edge with
            three or more triangles is a seam: the sheets are joined rigidly, and each has a
            separate edge there.
        young: Young's modulus (Pa).
        thickness: m.
        density: kg/m^3.
        poisson: Poisson's ratio, > -1 and <= 0.5 (default 0.3).
        bending: "mid_edge" (default), mid-edge normals: a plate of `young` and `poisson` on any
            mesh. They add one rotation per edge, which has no mass, so that explicit methods need
            "hinge". "hinge", angles of the edges: cheaper, but an equilateral mesh is a plate of
            D = young thickness^3 / 12 with a Poisson's ratio of -1/3, regardless of `poisson`, and
            on other meshes the plate depends on the mesh.
        membrane: "continuum" (default), triangles of constant strain with `young` and `poisson` on
            any mesh; or "springs" along the edges, as in the DisMech papers: they have a Poisson's
            ratio of 1/3 on equilateral triangles and, with mid-edge normals, are
            4 / sqrt(3) / (1 - poisson^2) times too stiff.
        mass_damping, material_damping: 1/s and s (default 0), as for rods.

        Raises StrandError if an argument is invalid.
        """
        given = check(ShellMaterial, locals())
        mid_edge = given.pop("bending") == "mid_edge"
        material = Sheet(**given)
        points = node_positions("vertices", vertices)
        corners = read("triangles", triangles, CORNERS)
        self._check_open()
        index = checked(self.core.add_shell, points, corners.tolist(), mid_edge)
        self._shells.append(material)
        return Shell(index, self.core)

    def attach(
        self, rod: Rod, node: int, shell: Shell, vertex: int, joint: str = "rigid"
    ) -> list[int]:
        """Merges a node of a rod with a vertex of a shell.

        rod, shell: a rod and a shell of this network.
        node: index along the rod; -1: the last node.
        vertex: index of a vertex of the shell.
        joint: "rigid" (default) transmits moments: ribs, as stiff as the rod, lie along the shell's
            edges there and bend and twist against the rod. "hinged" transmits forces only.
            "published", as in MAT-DiSMech's code: ribs along all edges of the triangles there, with
            the mass of rods.

        A rod along a shell, such as a stiffener, takes "hinged": "rigid", for rods that end there,
        stiffens it more the finer the mesh. Nodes are renumbered: `rod.nodes` has their numbers.

        Returns the new joints, including those between ribs.
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
        """Adds a rigid obstacle that is a triangle mesh. strand.meshes.read reads one from a file.

        vertices: N x 3, m.
        triangles: T x 3, indices of vertices. Any number of them may share an edge, and they may
            overlap.

        The surface has no thickness, and nothing passes through it from either side. Contact with
        it needs `Simulation.add_contact`. It is at rest unless `Simulation.move_obstacle` drives
        it.
        """
        points, corners = (
            node_positions("vertices", vertices),
            read("triangles", triangles, CORNERS),
        )
        mesh = ObstacleMesh(points, corners, self)
        # A trial, so that an invalid mesh is rejected here and not when a simulation is made.
        checked(_strand.Network().add_obstacle_mesh, points, corners.tolist())
        self._check_open()
        self._meshes.append(mesh)
        return mesh

    def attach_to_body(self, rod: Rod, node: int, body: Body, joint: str = "ball") -> list[int]:
        """Attaches a node of a rod to a rigid body, at the node's initial position.

        rod: a rod of this network.
        node: index along the rod; -1: the last node.
        body: a body of this network, other than a mesh (use `attach` and body.surface).
        joint: "ball" (default) transmits no moment; "rigid", for the first or last node only, also
            fixes the rod's initial direction and twist, and transmits moments to the body.

        Returns the new joints: none for a ball joint.
        """
        at = self.index_of("rod", rod, Rod), read("node", node, INTEGER)
        index, how = self._body_index(body), read("joint", joint, choice("ball", "rigid"))
        if body.surface is not None:
            raise StrandError(
                "body: got a mesh, allowed: other shapes; `attach` joins a rod to a vertex of"
                " body.surface"
            )
        self._check_open()
        if how == "ball":
            checked(self.core.attach_to_body, *at, index)
            return []
        last = len(rod.nodes) - 1
        if node not in (0, -1, last):
            raise StrandError(f"node: got {node}, allowed: 0 or -1, with joint = 'rigid'")
        bent = checked(self.core.attach_to_body_rigidly, at[0], int(node != 0), index)
        self._sections.append(self._sections[rod.edges[0 if node == 0 else -1]].rib(massive=False))
        return [bent]

    def attach_shell_to_body(self, shell: Shell, vertices: ArrayLike, body: Body) -> None:
        """Attaches vertices of a shell to a rigid body, at their initial positions.

        vertices: indices within the shell. Each is a ball joint; two rows of vertices fix the
        direction of the shell, too.
        """
        of, to = self.index_of("shell", shell, Shell), self._body_index(body)
        places = indices("vertices", vertices)
        self._check_open()
        for vertex in places:
            checked(self.core.attach_shell_to_body, of, vertex, to)

    def clamp_shell(self, shell: Shell, edges: ArrayLike) -> None:
        """Clamps edges of a shell's rim: fixes their nodes and the direction across the edges.

        edges: positions in `shell.edges` (`shell.rim` lists those of the rim).

        The clamp is accurate to second order in the edge length. Nodes that are released, guided or
        driven take the clamp with them, as for `clamp`.
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
        """Replaces the stiffness of one joint, which otherwise follows from its edges.

        The joint is then a hinge that can fold flat, while others stop within 15 degrees of that.

        joint: index in the network. EI: N m^2, one number, or two for bending about m1 and m2.
        GJ: N m^2.
        """
        bend = read("EI", EI, numbers(1, 2, "one number or two (N m^2)"))
        twist = read("GJ", GJ, number("(N m^2)"))
        self._joint_stiffness[read("joint", joint, INTEGER)] = (bend[0], bend[-1]), twist

    def close(self) -> None:
        """Appends the nodes and edges of clamps and obstacle meshes; called by Simulation."""
        self._closed = True
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
        """Appends zeros for the edges of clamps."""
        return np.append(per_edge, np.zeros(self.core.edges - len(per_edge)))

    @property
    def node_count(self) -> int:
        meshes = sum(len(mesh.vertices) for mesh in self.obstacle_meshes)
        return self.core.nodes - len(self.clamps) - meshes

    @property
    def edge_count(self) -> int:
        return self.core.edges - sum(clamp.edge >= 0 for clamp in self.clamps)

    def _check_open(self) -> None:
        if self._closed:
            raise StrandError(
                "network: got another part after a simulation has been made of it, allowed: all"
                " parts before"
            )

    def _rod_clamps(self) -> list[tuple[int, str]]:
        return [
            (held.rod.index, held.end) for held in self._to_clamp if isinstance(held, _RodClamp)
        ]

    def index_of(self, name: str, part: Rod | Shell, kind: type[Rod | Shell]) -> int:
        """The index of a rod or shell. Raises StrandError if it is not one of this network."""
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
        """One row per shell: young, poisson, thickness, density and the two dampings."""
        return np.array([sheet.row for sheet in self._shells], dtype=float).reshape(-1, 6)

    @property
    def membranes(self) -> list[str]:
        """The membrane model of each shell: "continuum" or "springs"."""
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
        """Thickness of each shell (m)."""
        return self.shell_material()[:, 2]

    @property
    def edge_nodes(self) -> np.ndarray:
        """The two nodes of each edge (E x 2)."""
        return np.array(self.core.edge_nodes(), dtype=int).reshape(-1, 2)[: self.edge_count]

    @property
    def radius(self) -> np.ndarray:
        """Radius of each edge (m)."""
        return np.array([section.radius for section in self._sections[: self.edge_count]])

    @property
    def area(self) -> np.ndarray:
        """Cross-sectional area of each edge (m^2)."""
        return np.array([section.area for section in self._sections[: self.edge_count]])

    def material(self) -> np.ndarray:
        """One row per edge: EA, EI_1, EI_2, GJ, mass per length, spin inertia per length and the
        two dampings."""
        rows = [section.row for section in self._sections]
        return np.array(rows, dtype=float).reshape(-1, 8)

    def slips(self) -> list[Slip | None]:
        """Of each edge: where its material leaves elasticity; None: nowhere."""
        return [section.slip for section in self._sections]

    def is_elastic(self, rod: Rod) -> bool:
        """True if a rod neither yields nor has strands that slip."""
        return all(self._sections[edge].slip is None for edge in rod.edges)

    @property
    def material_damping(self) -> bool:
        """True if any rod or shell has material damping."""
        return bool(self.material()[:, 7].any() or self.shell_material()[:, 5].any())

    def joint_stiffness(self) -> dict[int, tuple[tuple[float, float], float]]:
        """EI (two) and GJ (N m^2) of the joints whose stiffness has been set."""
        return dict(self._joint_stiffness)
