"""Contact of a simulation's rods and shells, with obstacles and with each other."""

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

STANDARD_GRAVITY = 9.81  # m/s^2, the scale of a contact stiffness nobody has chosen
RESTITUTION = within("a number, 0 to 1", lambda value: 0 <= value <= 1)
_OBSTACLE = instance(Obstacle, "obstacles, as of strand.simulation.obstacles")


def radius_of_nodes(network: Network, count: int, given: ArrayLike | None) -> np.ndarray:
    """Of each of `count` nodes (m): the one(s) given, or the largest of what meets there.

    A shell's is half its thickness.
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
    # What stands for clamps, and obstacle meshes, have none.
    return np.append(radius, np.zeros(network.core.nodes - count))


class Gaps(TypedDict, total=False):
    """The arguments of _strand.ContactOptions that are about gaps."""

    stiffness: float  #: N/m
    tolerance: float  #: m
    adaptive_mass: float  #: kg, that the stiffness adapts to; 0: it does not
    restitution: float


def penalty(
    network: Network, node_mass: np.ndarray, stiffness: float | None, tolerance: float | None
) -> Gaps:
    """Stiffness (N/m), tolerance (m), and the mass that the stiffness adapts to (kg; 0: none)."""
    read("stiffness", stiffness, optional(positive("N/m")))
    read("tolerance", tolerance, optional(positive("m")))
    if tolerance is None:
        rims = [body.shape.rim for body in network.bodies]
        surfaces = [body.surface.index for body in network.bodies if body.surface is not None]
        sheets = np.delete(network.thickness, surfaces) / 2
        tolerance = 0.1 * float(min([*network.radius, *sheets, *rims]))
    if stiffness is not None:
        return Gaps(stiffness=stiffness, tolerance=tolerance, adaptive_mass=0.0)
    heaviest = float(max([node_mass.max(), *(body.mass for body in network.bodies)]))
    carrying = 100 * heaviest * STANDARD_GRAVITY / tolerance
    return Gaps(stiffness=carrying, tolerance=tolerance, adaptive_mass=heaviest)


def _warn_of_large_triangles(network: Network) -> None:
    """Each triangle is touched at one point, about which friction does not hold a body."""
    for m, mesh in enumerate(network.obstacle_meshes):
        longest = longest_side(mesh.vertices, mesh.triangles)
        for b, body in enumerate(network.bodies):
            if body.shape.lies_on < longest:
                warnings.warn(
                    f"add_contact: body {b} lies on triangles of obstacle mesh {m} with sides of "
                    f"{longest:.3g} m, each of which it touches at one point: they do not keep it "
                    "from turning about that. Make them smaller: "
                    f"meshes.refined(vertices, triangles, {body.shape.lies_on:.2g})",
                    stacklevel=3,
                )


def _friction(
    law: str | None,
    coefficient: float,
    stiffness: tuple[float | None, float],
    slip_tolerance: float | None,
) -> _strand.FrictionLaw:
    """The law of the core. stiffness: N/m of sticking, if that is given, and by default."""
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
        raise StrandError(f"{unused[0]}: got {unused[1]}, allowed: none with law = '{law}'")
    if law == "regularised":
        return checked(_strand.regularised_friction, coefficient, number)
    if law != "anchored":
        raise StrandError(f"law: got '{law}', allowed: anchored, regularised")
    return checked(_strand.anchored_friction, coefficient, number)


class ContactControls(Addressing):
    """The part of a Simulation that is about contact."""

    obstacles: list[Obstacle]  #: all of them
    _drives: list[Callable[[float], None]]
    contacts: list[Contact]  #: what add_floor, add_obstacles and add_contact have returned
    _driven_obstacles: list[Driven]  #: all obstacles, each in its contact

    def add_floor(self, height: float = 0.0, **options: Any) -> _strand.ObstacleContact:
        """A horizontal floor at z = `height` (m); options as of `add_obstacles`."""
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
        """Contact with rigid obstacles (strand.simulation.obstacles), which may move.

        Edges of rods, triangles of shells, and rigid bodies (balls, capsules, boxes) meet an
        obstacle with the point of theirs that is nearest to it; planes and hollow obstacles are met
        by the nodes and corners, which is the same. Raises StrandError where any of them starts
        with its middle inside an obstacle, unless it hangs on a locked node there, and where there
        is a rigid cylinder, which would meet none.

        friction: Coulomb's coefficient. law: "anchored" (the default) sticks without creep;
        "regularised" (where a slip_tolerance is given) is the papers', which creeps below
        `slip_tolerance` (1e-3 m/s). tolerance: m, the gap at which forces begin (a tenth of the
        smallest radius). stiffness: N/m of the penalty; by default one that carries a hundred times
        the heaviest node, raised where something lies deeper than half the tolerance; it hardens so
        that no blow leads deeper than the radius. tangential_stiffness: N/m of sticking (twenty
        times the stiffness). rolling: friction acts on the surface of rods and turns them, so that
        they roll; False: on their axis, as in published codes (so on shells: on their middle).
        restitution: 0 to 1, of the speed at which surfaces part to that at which they met (1: all
        that the penalty takes in comes back, but what the time stepping damps). node_radius: m, one
        or one per node, instead of the rods' own; an edge is as thick as the thinner of its ends.
        nodes_alone: edges and faces pass through obstacles, as in published codes. The contact
        returned tells of the last step, as it was solved (midpoint: in its middle): the smallest
        gap (m), how many contacts, and the sums of normal_force and friction_force (N).
        """
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
        for index, shape in enumerate(shapes):
            name = f"obstacle {len(self.obstacles)} ({shape.kind})"
            self._driven_obstacles.append(Driven(added, index, shape, name))
            self.obstacles.append(shape)
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
        """Contact of all rods, shells and rigid bodies with each other, rods and shells with
        themselves, too.

        Options as of `add_obstacles`, but that sticking is by default as stiff as the penalty: in
        piles, where hundreds of contacts come to stick or slide in a step, that takes a third of
        the iterations.

        smooth: rods meet rods as curves through their nodes, and slide along each other without
        catching at nodes: errors fall with the square of the edges' lengths. False: as straight
        edges, each of whose nodes is the bottom of a shallow trough (errors of first order). Left
        out: curves where there is no friction; straight edges where there is, for whose piles
        curves cost twice the time. Straight are also corners drawn sharper than a radian, and what
        rods are to shells, bodies and obstacles.

        Nothing passes through anything, however large the step. A rod does not meet the body that
        it is attached to near where that is. What is returned tells of rods and shells, if there
        are any; with bodies in the network `contacts[-1]` tells of theirs. Warns of obstacle meshes
        whose triangles are larger than a body that may lie on them. Raises StrandError where
        anything intersects at the start, and where there are two cylinders, or one beside an
        obstacle mesh, which do not meet.
        """
        law_of_gap = self._penalty(stiffness, tolerance, restitution)
        usual = law_of_gap["stiffness"]
        rubbing = _friction(law, friction, (tangential_stiffness, usual), slip_tolerance)
        rolls = read("rolling", rolling, FLAG)
        read("smooth", smooth, optional(FLAG))
        if smooth is None:
            smooth = rubbing.coefficient == 0
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
        self.contacts.extend(added)
        return added[0]

    def move_obstacle(self, mesh: ObstacleMesh, path: Path, pivot: ArrayLike | None = None) -> None:
        """Drives a mesh of the network along `path(t)`, by whatever pushes it.

        path(t): displacement (m) from where it is drawn, or (displacement, rotation vector): axis
        times angle (rad, global axes) about `pivot` (m, as drawn; left out: the middle of the box
        about it). Where it is when it sets out: at t = 0 none. Rods and shells are pushed and
        carried along. Running raises StrandError where the path is not finite or begins elsewhere;
        SolverError where it would crush something against what is held.
        """
        self._check_mesh(mesh)
        read("path", path, FUNCTION)
        at = mesh.middle if pivot is None else np.array(read("pivot", pivot, vector(3, "m")))
        self._drives.append(MeshDrive(mesh, self.core, path, at))

    def mesh_vertices(self, mesh: ObstacleMesh) -> np.ndarray:
        """Where a mesh of the network has its vertices now (N x 3, m)."""
        self._check_mesh(mesh)
        return self.core.positions()[list(mesh.nodes)]

    def _check_mesh(self, mesh: ObstacleMesh) -> None:
        read("mesh", mesh, instance(ObstacleMesh, "an obstacle mesh of this network"))
        if mesh.network is not self.network:
            raise StrandError("mesh: got one of another network, allowed: of this network")

    @property
    def obstacle_poses(self) -> np.ndarray:
        """Of the obstacles (n x 6): displacement (m), rotation vector (rad) from where made."""
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
        gaps = penalty(self.network, mass, stiffness, tolerance)
        gaps["restitution"] = part
        return gaps
