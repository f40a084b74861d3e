"""Contact of rods, shells and bodies with obstacles and with each other."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import (
    FLAG,
    FUNCTION,
    LIST,
    REALS,
    TEXT,
    finite,
    instance,
    non_negative,
    optional,
    positive,
    read,
    vector,
    within,
)
from strand.meshes.refine import longest_side
from strand.simulation import obstacles
from strand.simulation.addressing import Addressing
from strand.simulation.network import Network
from strand.simulation.obstacle_mesh import MeshDrive, ObstacleMesh
from strand.simulation.obstacle_paths import Driven
from strand.simulation.obstacles import Obstacle, Path

#: What contact tells of the last step.
Contact: TypeAlias = _strand.ObstacleContact | _strand.RodContact | _strand.BodyContact

STANDARD_GRAVITY = 9.81  # m/s^2: the default contact stiffness carries at least this
_RESOLVED = 0.5  # longest link, of the length over which a rod bends under its weight
RESTITUTION = within("a number, 0 to 1", lambda value: 0 <= value <= 1)
_OBSTACLE = instance(Obstacle, "obstacles, as of strand.simulation.obstacles")


def radius_of_nodes(network: Network, count: int, given: ArrayLike | None) -> np.ndarray:
    """Radius of each of `count` nodes (m): as given, or the largest of the rods and shells there.

    The radius of a shell is half its thickness.
    """
    if given is not None:
        given = read("node_radius", given, REALS)
        if given.shape not in ((), (count,)):
            raise StrandError(f"node_radius: got shape {given.shape}, allowed: one or ({count},)")
        given = np.broadcast_to(given, count)
        return np.append(given, np.zeros(network.core.nodes - count))
    radius = np.zeros(count)
    for index, thickness in enumerate(network.thickness):
        nodes = network.core.shell(index).node
        radius[nodes] = np.maximum(radius[nodes], thickness / 2)
    edge_nodes, edge_radius = network.edge_nodes, network.radius
    for edge in np.setdiff1d(np.arange(len(edge_nodes)), network.core.ribs):
        ends = edge_nodes[edge]
        radius[ends] = np.maximum(radius[ends], edge_radius[edge])
    # The nodes of clamps and obstacle meshes have no radius.
    return np.append(radius, np.zeros(network.core.nodes - count))


class Gaps(TypedDict, total=False):
    """The arguments of _strand.ContactOptions that are about gaps."""

    stiffness: float  #: N/m
    tolerance: float  #: m
    adaptive_mass: float  #: kg, that the stiffness adapts to; 0: it does not
    restitution: float


def penalty(
    network: Network,
    node_mass: np.ndarray,
    gravity: float,
    stiffness: float | None,
    tolerance: float | None,
) -> Gaps:
    """Stiffness (N/m), tolerance (m), and the mass for which the stiffness adapts (kg; 0: it does
    not adapt). gravity: m/s^2."""
    read("stiffness", stiffness, optional(positive("N/m")))
    read("tolerance", tolerance, optional(positive("m")))
    if tolerance is None:
        rims = [body.shape.rim for body in network.bodies]
        surfaces = [body.surface.index for body in network.bodies if body.surface is not None]
        sheets = np.delete(network.thickness, surfaces) / 2
        tolerance = 0.1 * float(min([*network.radius, *sheets, *rims]))
    if stiffness is not None:
        return Gaps(stiffness=stiffness, tolerance=tolerance, adaptive_mass=0.0)
    heaviest = _heaviest(network, node_mass)
    carrying = 100 * heaviest * max(gravity, STANDARD_GRAVITY) / tolerance
    return Gaps(stiffness=carrying, tolerance=tolerance, adaptive_mass=heaviest)


def _heaviest(network: Network, node_mass: np.ndarray) -> float:
    """The mass (kg) of the heaviest node or body."""
    return float(max([node_mass.max(), *(body.mass for body in network.bodies)]))


def _warn_of_short_impacts(
    restitution: float, mass: float, stiffness: float, time_step: float
) -> None:
    """An impact is half an oscillation on the spring 2 k of the penalty. Time stepping damps what
    it does not resolve."""
    enough = 30  # steps per impact, with which rebounds lose less than a tenth of their speed
    impact = np.pi * np.sqrt(mass / (2 * stiffness))
    if impact > 0.8 * enough * time_step:
        return
    warnings.warn(
        f"restitution: got {restitution:g} with dt = {time_step:g}. An impact lasts about "
        f"{impact:.2g} s, and the time stepping damps impacts of fewer than {enough} steps: the "
        f"restitution is kept within a tenth if dt is at most {impact / enough:.1g} s",
        stacklevel=4,
    )


def _warn_of_large_triangles(network: Network) -> None:
    """A body touches each triangle at one point, about which friction cannot resist turning."""
    for m, mesh in enumerate(network.obstacle_meshes):
        longest = longest_side(mesh.vertices, mesh.triangles)
        for b, body in enumerate(network.bodies):
            if body.shape.lies_on < longest:
                warnings.warn(
                    f"add_contact: body {b} lies on triangles of obstacle mesh {m} with sides of "
                    f"{longest:.3g} m. It touches each triangle at one point, about which "
                    "friction cannot keep it from turning. Make them smaller: "
                    f"meshes.refined(vertices, triangles, {body.shape.lies_on:.2g})",
                    stacklevel=3,
                )


def _is_resolved(network: Network, positions: np.ndarray) -> bool:
    """Whether links are short beside the length over which the rods bend under their own weight.

    positions: of the nodes (N x 3, m).
    """
    material = network.material()[: network.edge_count]
    stiffness, weight = material[:, 1:3].min(axis=1), STANDARD_GRAVITY * material[:, 4]
    start, end = positions[network.edge_nodes].swapaxes(0, 1)
    length = np.linalg.norm(end - start, axis=1)
    return bool((weight * (length / _RESOLVED) ** 3 <= stiffness).all())


def _friction(
    law: str | None,
    coefficient: float,
    stiffness: tuple[float | None, float],
    slip_tolerance: float | None,
) -> _strand.FrictionLaw:
    """The law as the core takes it.

    stiffness: tangential stiffness (N/m) as given, or None, and its default.
    """
    sticking, usual = stiffness
    read("law", law, optional(TEXT))
    if law is None:
        law = "anchored" if slip_tolerance is None else "regularised"
    coefficient = read("friction", coefficient, non_negative("1"))
    unused = ("slip_tolerance", slip_tolerance)
    number = usual if sticking is None else sticking
    if law == "regularised":
        unused = ("tangential_stiffness", sticking)
        number = 1e-3 if slip_tolerance is None else slip_tolerance
    if unused[1] is not None:
        raise StrandError(f"{unused[0]}: not allowed together with law = '{law}'")
    if law == "regularised":
        return checked(_strand.regularised_friction, coefficient, number)
    if law != "anchored":
        raise StrandError(f"law: got '{law}', allowed: anchored, regularised")
    return checked(_strand.anchored_friction, coefficient, number)


class ContactControls(Addressing):
    """The part of a Simulation that handles contact."""

    dt: float  #: s
    obstacles: list[Obstacle]  #: in the order in which they were added
    contacts: list[Contact]  #: all contacts added; with bodies, add_contact adds two
    _fix_clamps: Callable[[], None]
    _driven_obstacles: list[Driven]  #: all obstacles, at rest or driven
    _gravity: _strand.Gravity
    _touches: bool = False  #: whether add_contact was called
    _scene: dict[str, Any]  #: for checkpoints

    def add_floor(self, height: float = 0.0, **options: Any) -> _strand.ObstacleContact:
        """Adds a horizontal floor.

        height: its z (m; default 0). options: those of `add_obstacles`. Returns the contact.
        """
        level = read("height", height, finite("m"))
        return self.add_obstacles([obstacles.plane((0, 0, level), (0, 0, 1))], **options)

    def add_obstacles(
        self,
        shapes: Sequence[Obstacle],
        *,
        friction: float = 0.0,
        law: str | None = None,
        tolerance: float | None = None,
        stiffness: float | None = None,
        tangential_stiffness: float | None = None,
        slip_tolerance: float | None = None,
        rolling: bool = True,
        restitution: float = 1.0,
        node_radius: ArrayLike | None = None,
        nodes_alone: bool = False,
    ) -> _strand.ObstacleContact:
        """Adds contact with rigid obstacles, which may move.

        Edges of rods, triangles of shells, and rigid bodies (balls, capsules, boxes) touch an
        obstacle at their nearest point. For planes and hollow obstacles that is a node or a corner.

        shapes: obstacles of strand.simulation.obstacles.
        friction: Coulomb coefficient (default 0).
        law: friction law. "anchored" sticks without creep; "regularised", that of the papers,
            creeps below `slip_tolerance`. Default: "regularised" if a slip_tolerance is given, else
            "anchored".
        tolerance: gap at which contact forces begin (m). Default: a tenth of the smallest radius.
        stiffness: of the penalty (N/m). The default carries a hundred times the weight of the
            heaviest node or body; it increases where the penetration exceeds half the tolerance,
            and hardens so that no impact penetrates deeper than the radius.
        tangential_stiffness: of sticking with law "anchored" (N/m). Default: twenty times the
            stiffness.
        slip_tolerance: speed of creep with law "regularised" (m/s; default 1e-3).
        rolling: friction acts on the surface of rods and turns them, so that they roll and tip
            (default). False: it acts on their axis, as in published codes. On shells it always acts
            on the middle surface: on a sheet of thickness h, a ball of radius r rolls by 1 + h / 2r
            times its circumference in a turn, and rubbing changes the angular momentum of a sheet
            and a rod by h / 2, of two sheets by h, times its impulse.
        restitution: ratio of separation speed to approach speed, 0 to 1. With 1 (default), the
            penalty returns all energy that it has stored, except for damping by the time stepping,
            which decides over rebounds unless an impact takes some 30 steps. With other values but
            0, a warning names the time step for that.
        node_radius: m, one number, or one per node. Default: the radius of the rods, and half the
            thickness of shells. An edge is as thick as the thinner of its ends.
        nodes_alone: only nodes touch obstacles, while edges and faces pass through them, as in
            published codes (default False).

        Returns the contact, which describes the last step as solved (method "midpoint": at the
        middle of the step): the smallest gap (m), the number of contacts, and the sums normal_force
        and friction_force (N). Raises StrandError if an axis or middle surface starts inside an
        obstacle, unless it is attached to a locked node there, and if the network has a rigid
        cylinder, since cylinders cannot touch obstacles.
        """
        self._fix_clamps()  # a clamp may hold a node inside an obstacle
        radius = radius_of_nodes(self.network, len(self._node_dofs), node_radius)
        law_of_gap = self._penalty(stiffness, tolerance, restitution)
        usual = 20 * law_of_gap["stiffness"]
        rubbing = _friction(law, friction, (tangential_stiffness, usual), slip_tolerance)
        options = _strand.ContactOptions(
            **law_of_gap, friction=rubbing, rolling=read("rolling", rolling, FLAG)
        )
        cores = [read("shapes", shape, _OBSTACLE).core for shape in read("shapes", shapes, LIST)]
        alone = read("nodes_alone", nodes_alone, FLAG)
        bodies = [body.shape.core for body in self.network.bodies]
        added = checked(
            self.core.add_obstacles,
            obstacles=cores,
            radius=radius,
            bodies=bodies,
            options=options,
            nodes_alone=alone,
        )
        rubs = friction, law, tangential_stiffness, slip_tolerance, rolling
        given = None if node_radius is None else np.ravel(node_radius)
        self._describe_contact(law_of_gap, *rubs, nodes_alone=nodes_alone, node_radius=given)
        for index, shape in enumerate(shapes):
            name = f"obstacle {len(self.obstacles)} ({shape.kind})"
            self._scene[f"obstacle {len(self.obstacles)}"] = shape.description
            self._driven_obstacles.append(Driven(added, index, shape, name))
            self.obstacles.append(shape)
            shape.added.append((added, index))
        self.contacts.append(added)
        return added

    def add_contact(
        self,
        *,
        friction: float = 0.0,
        law: str | None = None,
        tolerance: float | None = None,
        stiffness: float | None = None,
        tangential_stiffness: float | None = None,
        slip_tolerance: float | None = None,
        rolling: bool = True,
        restitution: float = 1.0,
        smooth: bool | None = None,
    ) -> _strand.RodContact | _strand.BodyContact:
        """Adds contact of all rods, shells, rigid bodies and obstacle meshes with each other, and
        of rods and shells with themselves.

        friction, law, tolerance, stiffness, slip_tolerance, rolling, restitution: as for
            `add_obstacles`.
        tangential_stiffness: as for `add_obstacles`, but by default equal to the stiffness: in
            piles, where hundreds of contacts begin to stick or slide in a step, this takes a third
            of the iterations.
        smooth: True: rods touch each other as smooth curves through their nodes, and slide along
            each other without catching at nodes; errors are of second order in the edge length.
            False: they touch as straight edges, each of whose nodes is the bottom of a shallow
            trough; errors are of first order. Default: False with friction, since curves take twice
            the time in piles. True without friction, unless a link is longer than half of
            (EI / (weight per length))^(1/3), the length over which a rod bends under its weight:
            such rods fold at nodes, where curves overlap. Curves have corners at nodes where the
            network's shape turns by more than 0.4 rad, so that rings of fewer than 16 edges are
            polygons. In contact with shells, bodies and obstacles, edges are always straight.

        Nothing passes through anything else, however large the step. A rod does not touch the body
        to which it is attached near the attachment.

        Returns the contact of rods and shells, if there are any; with bodies in the network,
        `contacts[-1]` is the contact of the bodies. Warns if the triangles of an obstacle mesh are
        larger than a body that may lie on them. Raises StrandError in a second call, if parts
        intersect at the start, if there are two rigid cylinders, or if there is one beside an
        obstacle mesh, since such pairs have no contact.
        """
        if self._touches:
            raise StrandError(
                "add_contact: got a second call, allowed: one, since it adds contact of all parts"
            )
        law_of_gap = self._penalty(stiffness, tolerance, restitution)
        usual = law_of_gap["stiffness"]
        rubbing = _friction(law, friction, (tangential_stiffness, usual), slip_tolerance)
        rolls = read("rolling", rolling, FLAG)
        read("smooth", smooth, optional(FLAG))
        if smooth is None:
            smooth = rubbing.coefficient == 0 and _is_resolved(self.network, self.core.positions())
        options = _strand.ContactOptions(
            **law_of_gap, friction=rubbing, rolling=rolls, smooth=smooth
        )
        radius = self.network.padded(self.network.radius)
        thickness = self.network.thickness
        added: list[_strand.RodContact | _strand.BodyContact] = []
        if len(radius) + len(thickness) > 0:
            added.append(checked(self.core.add_rod_contact, radius, thickness, options))
        if self.network.bodies:
            shapes = [body.shape.core for body in self.network.bodies]
            given = (radius, thickness, shapes, options)
            added.append(checked(self.core.add_body_contact, *given))
            _warn_of_large_triangles(self.network)
        rubs = friction, law, tangential_stiffness, slip_tolerance, rolling
        self._describe_contact(law_of_gap, *rubs, smooth=smooth)
        self.contacts.extend(added)
        self._touches = True
        return added[0]

    def _describe_contact(
        self,
        gaps: Gaps,
        friction: float,
        law: str | None,
        tangential_stiffness: float | None,
        slip_tolerance: float | None,
        rolling: bool,
        **others: Any,
    ) -> None:
        """Adds the options of the next contact to the scene that checkpoints are compared with."""
        options: dict[str, Any] = {
            **gaps,
            "friction": friction,
            "law": law,
            "tangential_stiffness": tangential_stiffness,
            "slip_tolerance": slip_tolerance,
            "rolling": rolling,
            **others,
        }
        for name, value in options.items():
            if not isinstance(value, np.ndarray):
                is_number = isinstance(value, int | float) and not isinstance(value, bool)
                value = str(float(value) if is_number else value)
            self._scene[f"{name} of contact {len(self.contacts)}"] = value

    def move_obstacle(self, mesh: ObstacleMesh, path: Path, pivot: ArrayLike | None = None) -> None:
        """Drives an obstacle mesh along a prescribed path, whatever force that takes.

        mesh: an obstacle mesh of the network.
        path: function of time (s) that returns the displacement (3, m) from the initial position,
            or a tuple (displacement, rotation vector), the latter being axis times angle (3, rad,
            global axes). It must start at the current pose: at t = 0 both are zero.
        pivot: point about which the mesh turns (m, at the initial position). Default: the centre of
            its bounding box.

        Rods and shells are pushed, and carried along by friction. Running raises StrandError if the
        path is not finite or starts at another pose, and SolverError if it would crush something
        against a support.
        """
        self._check_mesh(mesh)
        read("path", path, FUNCTION)
        at = mesh.middle if pivot is None else np.array(read("pivot", pivot, vector(3, "m")))
        self._drives.add(MeshDrive(mesh, self.core, path, at))

    def mesh_vertices(self, mesh: ObstacleMesh) -> np.ndarray:
        """Current positions of the vertices of an obstacle mesh (N x 3, m)."""
        self._check_mesh(mesh)
        return self.core.positions()[list(mesh.nodes)]

    def _check_mesh(self, mesh: ObstacleMesh) -> None:
        if isinstance(mesh, Obstacle):
            raise StrandError(
                f"mesh: got a {mesh.kind}, allowed: an obstacle mesh of this network. Obstacles of "
                "add_obstacles are driven by their method `move(path)`"
            )
        read("mesh", mesh, instance(ObstacleMesh, "an obstacle mesh of this network"))
        if mesh.network is not self.network:
            raise StrandError("mesh: got one of another network, allowed: of this network")

    @property
    def obstacle_poses(self) -> np.ndarray:
        """Poses of the obstacles relative to the initial ones (n x 6): displacement (m), rotation
        vector (rad)."""
        poses = [np.concatenate(driven.pose()) for driven in self._driven_obstacles]
        return np.reshape(poses, (len(poses), 6))

    def _obstacles_move(self) -> bool:
        return any(driven.moves for driven in self._driven_obstacles)

    def _drive_obstacles(self, time: float) -> None:
        for driven in self._driven_obstacles:
            driven.drive(self.core.time, time)

    def _penalty(
        self, stiffness: float | None, tolerance: float | None, restitution: float
    ) -> Gaps:
        mass = self.core.mass[self._node_dofs]
        part = read("restitution", restitution, RESTITUTION)
        gravity = float(np.linalg.norm(self._gravity.gravity))
        gaps = penalty(self.network, mass, gravity, stiffness, tolerance)
        gaps["restitution"] = part
        if 0 < part < 1:
            heaviest = _heaviest(self.network, mass)
            _warn_of_short_impacts(part, heaviest, gaps["stiffness"], self.dt)
        return gaps
