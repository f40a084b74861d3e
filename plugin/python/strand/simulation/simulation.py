"""A network in time and at rest."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.files import whole
from strand.options import (
    FLAG,
    FUNCTION,
    GRAVITY,
    LIST,
    REALS,
    TEXT,
    Kind,
    choice,
    count,
    finite,
    instance,
    non_negative,
    optional,
    read,
    vector,
)
from strand.simulation import checkpoint, contact, obstacles
from strand.simulation.arguments import SimulationTable, check, indices, spread
from strand.simulation.clamps import Clamps
from strand.simulation.network import Network, Rod
from strand.simulation.published_stop import PublishedStop
from strand.simulation.recording import Recording
from strand.simulation.shell import ShellControls

SolverError = _strand.SolverError

# What a plane takes away: a direction's component and the spin of every edge.
_PLANES = {"yz": 0, "xz": 1, "xy": 2}
UNSTABLE = (
    "solve: the equilibrium found is not stable; a small push (load_node), or a start that is a"
    " little bent, leads to a stable one"
)
_BATCH = 1_000_000  #: steps that are taken at once, at most
_OBSTACLE = instance(obstacles.Obstacle, "obstacles, as of strand.simulation.obstacles")


def _axes(value: str) -> str:
    if not isinstance(value, str) or not value or set(value) - set("xyz"):
        raise ValueError
    return value


_AXES = Kind("some of x, y, z", _axes)


class Simulation(ShellControls):
    """Steps a network in time, or solves for its equilibrium.

    dt: s, the longest step. method: "bdf2" (second order, damps what dt does not resolve),
    "backward_euler" (first order, damps more), "midpoint" (second order, keeps energy, but what dt
    does not resolve can make it explode), "symplectic_euler", "verlet" (explicit: small steps
    only). The energy of every implicit step is watched: one that makes energy is taken again,
    shorter if need be, and a motion that explodes raises SolverError; `energy_made` tells.
    gravity: m/s^2; `medium_density` (kg/m^3) gives buoyancy; `viscosity` (Pa s) a drag per length
    and speed. plane: "xz" and the like lock the third direction and all spins. twist: False leaves
    twisting out. curvature: "angle" or "tangent"; average: "energies", or "curvatures" as in the
    papers (model/README.md: not for edges that get twisted far against their neighbours).
    frozen_mid_edge: mid-edge normals as in the papers, only with `stop`. tolerance: a step has
    converged where a further iteration would change less than that part of what the step changes
    (in statics: of the displacements). stop: a PublishedStop instead of it.
    """

    def __init__(
        self,
        network: Network,
        *,
        dt: float = 1e-3,
        method: str = "bdf2",
        gravity: ArrayLike = GRAVITY,
        medium_density: float = 0.0,
        viscosity: float = 0.0,
        plane: str | None = None,
        twist: bool = True,
        curvature: str = "angle",
        average: str = "energies",
        rest_straight: bool = False,
        frozen_mid_edge: bool = False,
        tolerance: float = 1e-7,
        stop: PublishedStop | None = None,
        max_iterations: int = 50,
        least_dt: float = 1e-9,
    ) -> None:
        given = check(SimulationTable, locals())
        read("network", network, instance(Network, "a strand.simulation.Network"))
        read("stop", stop, instance(PublishedStop | None, "a PublishedStop, or None"))
        read("frozen_mid_edge", frozen_mid_edge, FLAG)
        self.network = network
        network.close()
        keep_twist = twist and plane is None
        self.core = checked(
            _strand.System.make,
            network.core,
            network.material(),
            network.shell_material(),
            network.membranes,
            curvature,
            average,
            keep_twist,
            rest_straight,
            frozen_mid_edge,
        )
        for joint, (EI, GJ) in network.joint_stiffness().items():
            checked(self.core.set_joint_stiffness, joint, EI, GJ)
        self._node_dofs = np.array(self.core.node_dofs)[: network.node_count]
        self._edge_dofs = np.array(self.core.edge_dofs, dtype=int)[: network.edge_count]
        self._clamps = Clamps(network, self.core)
        self._said: set[int] = set()  # nodes that something has been said of
        self._scene = checkpoint.scene(network, self.core, given)
        if plane is not None:
            self._lock((self._node_dofs + _PLANES[plane]).tolist())
        if not keep_twist:
            self._lock(self._edge_dofs.tolist())
        self._gravity = checked(
            self.core.add_gravity,
            np.asarray(gravity, float),
            network.padded(network.area),
            medium_density,
        )
        if viscosity:
            checked(self.core.add_drag, viscosity)
        self._newton = _strand.NewtonOptions()
        self._newton.tolerance, self._newton.max_iterations = tolerance, max_iterations
        if stop is not None:
            self._newton.stop_as_published(stop.force, stop.reduction, stop.speed * dt)
        self._stepper = checked(_strand.TimeStepper, method, dt, least_dt, self._newton)
        self.dt = dt
        self._loads = None
        self._load_values = np.zeros(self.core.size)
        self._drives: list[Callable[[float], None]] = []
        self._recordings: list[Recording] = []
        self.obstacles: list[obstacles.Obstacle] = []  #: all of them
        self.contacts: list = []  #: what add_floor, add_obstacles and add_contact have returned

    # Where it is.

    @property
    def time(self) -> float:
        """s."""
        return self.core.time

    @property
    def positions(self) -> np.ndarray:
        """Of the nodes (N x 3, m)."""
        return self.core.positions()[: len(self._node_dofs)]

    @property
    def velocities(self) -> np.ndarray:
        """Of the nodes (N x 3, m/s)."""
        return self.core.velocity[self._node_dofs[:, None] + np.arange(3)]

    @property
    def directors(self) -> np.ndarray:
        """m1 of the edges (E x 3)."""
        return self.core.directors()[: len(self._edge_dofs)]

    @property
    def angles(self) -> np.ndarray:
        """Of the edges against parallel transport since the start (rad, any number of turns)."""
        return self.core.q[self._edge_dofs]

    @property
    def twist(self) -> np.ndarray:
        """Of the joints (rad, any number of turns)."""
        return self.core.twist

    @property
    def kinetic_energy(self) -> float:
        """J."""
        return self.core.kinetic_energy

    @property
    def potential_energy(self) -> float:
        """Elastic energy and that of all loads with a potential, J."""
        self.core.evaluate()
        return self.core.potential_energy

    @property
    def energy_made(self) -> float:
        """J that time stepping has made since the start; negative: what it has damped.

        What kinetic and potential energy have grown by, less the work of weight, loads, drives,
        friction and drag. Of implicit methods; explicit ones that explode end with an error.
        """
        return self.core.energy_made

    @property
    def reactions(self) -> np.ndarray:
        """What holds the locked nodes, with their clamps, against the static forces (N x 3, N)."""
        self.core.evaluate()
        gradient = self.core.gradient
        reactions = gradient[self._node_dofs[:, None] + np.arange(3)]
        self._clamps.reactions(gradient, reactions)
        return reactions

    @property
    def clamp_moments(self) -> np.ndarray:
        """Moments (N x 3, N m) that clamps bear beside the reactions, about their nodes."""
        self.core.evaluate()
        return self._clamps.moments(self.core.gradient, len(self._node_dofs))

    # What holds and drives it.

    def fix_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Holds nodes where they are, in the directions given."""
        self._lock(self._dofs(node, axes))
        self._said.update(self._nodes(node))

    def fix_edge(self, edge: int | Iterable[int]) -> None:
        """Holds edges: both their nodes, and their spin."""
        for each in indices("edge", edge):
            self.fix_node(self.network.edge_nodes[self._edge(each)].tolist())
            self.fix_spin(each)

    def fix_spin(self, edge: int | Iterable[int]) -> None:
        """Holds the spin of edges about themselves."""
        self._lock(self.spin_dofs(edge))

    def release_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Lets go of nodes."""
        self._said.update(self._nodes(node))
        checked(self.core.lock, self._dofs(node, axes), False)

    def release_spin(self, edge: int | Iterable[int]) -> None:
        checked(self.core.lock, self.spin_dofs(edge), False)

    def move_node(self, node: int | Iterable[int], path: Callable[[float], ArrayLike]) -> None:
        """Drives nodes along `path(t)`: displacement (m) from where they are now.

        A clamp goes with its node, that of a shell's side with the mean of an edge's two nodes.
        """
        dofs = self._dofs(node, "xyz")
        read("path", path, FUNCTION)
        self._lock(dofs)
        start, nodes = self.core.q[dofs].reshape(-1, 3), self._nodes(node)
        self._clamps.anchor(nodes)
        self._said.update(nodes)

        def drive(time: float) -> None:
            moved = spread("path", path(time), start.shape)
            checked(self.core.drive, dofs, (start + moved).ravel())
            self._clamps.displace(nodes, moved)

        self._drives.append(drive)

    def turn_clamp(self, rod: Rod, end: str, turn: Callable[[float], ArrayLike]) -> None:
        """Turns the clamp at the "start" or "end" of a rod about its node.

        `turn(t)`: rotation vector (axis times angle, rad, in global axes) from where it is now;
        along the rod it twists it.
        """
        read("rod", rod, instance(Rod, "a rod of the network"))
        self._clamps.turn(
            rod.index, read("end", end, choice("start", "end")), read("turn", turn, FUNCTION)
        )
        self._drives.append(lambda time: None)  # steps one by one

    def turn_edge(self, edge: int | Iterable[int], angle: Callable[[float], float]) -> None:
        """Drives the spin of edges: `angle(t)` (rad) from where they are now.

        Where an edge also changes direction, its angle is that against parallel transport from step
        to step, as of `angles`: a direction that goes once round a cone of half-angle a turns the
        edge by a further 2 pi (1 - cos a).
        """
        dofs = self.spin_dofs(edge)
        read("angle", angle, FUNCTION)
        self._lock(dofs)
        start = self.core.q[dofs]

        def drive(time: float) -> None:
            checked(self.core.drive, dofs, start + read("angle", angle(time), finite("rad")))

        self._drives.append(drive)

    def drive(self, function: Callable[[float], None]) -> None:
        """Calls `function(t)` before every step with the time it ends at, to set what changes."""
        self._drives.append(read("function", function, FUNCTION))

    # What acts on it.

    def set_gravity(self, gravity: ArrayLike) -> None:
        """m/s^2."""
        self._gravity.set(np.array(read("gravity", gravity, vector(3, "m/s^2"))))

    def load_node(self, node: int | Iterable[int], force: ArrayLike) -> None:
        """A constant force (N) on each of the nodes; replaces an earlier one."""
        dofs = self._dofs(node, "xyz")
        self._set_loads(dofs, np.tile(read("force", force, vector(3, "N")), len(dofs) // 3))

    def load_spin(self, edge: int | Iterable[int], moment: float) -> None:
        """A constant moment (N m) about each of the edges; replaces an earlier one."""
        self._set_loads(self.spin_dofs(edge), read("moment", moment, finite("N m")))

    def add_force(
        self, nodes: Sequence[int], function: Callable, conservative: bool = False
    ) -> None:
        """A force of your own on the nodes.

        `function(x, v, t, dv_dx)` gets their positions and velocities (flat, 3 per node), the time
        and dv/dx (1/s), and returns (potential, force, jacobian): J (0 if there is none), N, and
        the derivative of the force by x, with v moving along at dv_dx. `conservative`: the force is
        minus the gradient of the potential.
        """
        force = read("function", function, FUNCTION)
        checked(self.core.add_force, self._dofs(nodes, "xyz"), conservative, force)

    def add_aerodynamic_drag(
        self,
        density: float,
        coefficient: float,
        flow: ArrayLike = (0.0, 0.0, 0.0),
        published: bool = False,
    ) -> None:
        """Pressure of a fluid on all shells: its density (kg/m^3), C_D, its velocity (m/s).

        published: with twice the derivative, as MAT-DiSMech's code has it; for its stop rule.
        """
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        checked(self.core.add_aerodynamic_drag, density, coefficient, velocity, published)

    def add_resistive_drag(
        self, tangential: float, normal: float, flow: ArrayLike = (0.0, 0.0, 0.0)
    ) -> None:
        """Resistive force theory on all rods: drag per length and speed along and across (Pa s)."""
        velocity = np.array(read("flow", flow, vector(3, "m/s")))
        checked(self.core.add_resistive_drag, tangential, normal, velocity)

    def add_mass(self, node: int, mass: float) -> None:
        """A point mass (kg). It has no weight of its own: see `load_node`."""
        checked(self.core.add_mass, node, mass)

    def set_velocities(self, velocities: ArrayLike) -> None:
        """Of the nodes (N x 3, m/s); locked ones stay at rest."""
        velocities = read("velocities", velocities, REALS)
        if velocities.shape != (len(self._node_dofs), 3):
            raise StrandError(
                f"velocities: got shape {velocities.shape}, allowed: ({len(self._node_dofs)}, 3)"
            )
        values = self.core.velocity
        values[self._node_dofs[:, None] + np.arange(3)] = velocities
        checked(self.core.set_velocity, values)

    def add_floor(self, height: float = 0.0, **options) -> _strand.ObstacleContact:
        """A horizontal floor at z = `height` (m); options as of `add_obstacles`."""
        level = read("height", height, finite("m"))
        return self.add_obstacles([obstacles.plane((0, 0, level), (0, 0, 1))], **options)

    def add_obstacles(
        self,
        shapes: Sequence[obstacles.Obstacle],
        *,
        friction: float = 0.0,
        law: str = "anchored",
        tolerance: float | None = None,
        stiffness: float | None = None,
        tangential_stiffness: float | None = None,
        slip_tolerance: float = 1e-3,
        node_radius: ArrayLike | None = None,
        nodes_alone: bool = False,
    ) -> _strand.ObstacleContact:
        """Contact with rigid obstacles (strand.simulation.obstacles).

        Edges of rods and triangles of shells meet an obstacle with the point of theirs that is
        nearest to it; planes and hollow obstacles are met by the nodes, which is the same. Raises
        StrandError where any of them starts with its middle inside an obstacle, unless it hangs on
        a locked node there.

        friction: Coulomb's coefficient. law: "anchored" sticks without creep; "regularised" is the
        papers', which creeps below `slip_tolerance` (m/s). tolerance: m, the gap at which forces
        begin (a tenth of the smallest radius). stiffness: N/m of the penalty; by default one that
        carries a hundred times the heaviest node, raised where something lies deeper than half the
        tolerance; it hardens so that no blow leads deeper than the radius. tangential_stiffness:
        N/m of sticking (twenty times the stiffness). node_radius: m, one or one per node, instead
        of the rods' own; an edge is as thick as the thinner of its ends. nodes_alone: edges and
        faces pass through obstacles, as in published codes. The contact returned tells of the last
        step, as it was solved (midpoint: in its middle): the smallest gap (m), how many contacts,
        and the sums of normal_force and friction_force (N).
        """
        radius = contact.node_radius(self.network, len(self._node_dofs), node_radius)
        penalty = self._penalty(stiffness, tolerance)
        if tangential_stiffness is None:
            tangential_stiffness = 20 * penalty[0]
        slip = tangential_stiffness if read("law", law, TEXT) == "anchored" else slip_tolerance
        cores = [read("shapes", shape, _OBSTACLE).core for shape in read("shapes", shapes, LIST)]
        alone = read("nodes_alone", nodes_alone, FLAG)
        added = checked(
            self.core.add_obstacles, cores, radius, penalty, (law, friction, slip), alone
        )
        self.obstacles += shapes
        self.contacts.append(added)
        return added

    def add_contact(
        self,
        *,
        friction: float = 0.0,
        tolerance: float | None = None,
        stiffness: float | None = None,
        slip_tolerance: float = 1e-3,
    ) -> _strand.RodContact:
        """Contact of all rods and shells with each other and themselves.

        Options as of `add_obstacles`. Friction is the papers' regularised law. Nothing passes
        through anything, however large the step. Raises StrandError where bodies intersect at the
        start.
        """
        added = checked(
            self.core.add_rod_contact,
            self.network.padded(self.network.radius),
            self._penalty(stiffness, tolerance),
            ("regularised", friction, slip_tolerance),
            self.network.thickness,
        )
        self.contacts.append(added)
        return added

    # Actuation.

    def set_natural_curvature(self, joints: Sequence[int], curvature: ArrayLike) -> None:
        """Natural integrated curvatures of joints about m1 and m2 (n x 2 or 2, rad).

        As seen from the joint's first edge, along the joint: where the edge points against it, from
        (-t, m1, -m2). The second edge sees them turned by the twist that the joint is drawn with.
        """
        places = indices("joints", joints)
        rows = spread("curvature", curvature, (len(places), 2))
        checked(self.core.set_natural_curvature, places, rows)

    def set_natural_twist(self, joints: Sequence[int], twist: ArrayLike) -> None:
        """Natural twist of joints (rad)."""
        places = indices("joints", joints)
        values = spread("twist", twist, (len(places),))
        checked(self.core.set_natural_twist, places, values)

    def set_rest_length(self, edges: Sequence[int], length: ArrayLike) -> None:
        """Natural length of edges (m)."""
        places = indices("edges", edges)
        values = spread("length", length, (len(places),))
        checked(self.core.set_rest_length, places, values)

    # Running.

    def step(self):
        """Advances by dt, in several steps where one does not converge. Returns a report.

        Raises SolverError where even the least step fails: the state is then the last good one.
        """
        self._hold_clamps()
        drive = self._drive if self._drives else None
        report = self._stepper.step(self.core, drive)
        self._advance_recordings(1)
        return report

    def run(self, duration: float, each: Callable[["Simulation"], None] | None = None):
        """Advances by `duration` (s), rounded to whole steps; calls `each(self)` after each one."""
        left = round(read("duration", duration, non_negative("s")) / self.dt)
        read("each", each, optional(FUNCTION))
        self._hold_clamps()
        report = _strand.StepReport()
        while left > 0:
            if self._drives or each is not None:
                steps = 1
                report += self.step()
            else:
                self._recordings = [one for one in self._recordings if one.is_open]
                steps = min([left, _BATCH, *(one.steps_left for one in self._recordings)])
                report += self._stepper.steps(self.core, steps)
                self._advance_recordings(steps)
            left -= steps
            if each is not None:
                each(self)
        return report

    def record(
        self,
        path: str | Path,
        every: float | None = None,
        series: Sequence[str] = ("velocity",),
        flush: float = 30.0,
    ) -> Recording:
        """Records to a .csv, .npz or .pvd (ParaView) file from now on: `with sim.record(...): ...`

        One sample now, and one after every `every` s (rounded to whole steps; left out: each step):
        positions, directors and `series`: velocity, reaction, spin, kinetic_energy,
        potential_energy. flush: s of the clock, after which the file is brought up to date, whole,
        so that it survives whatever ends the run.
        """
        recording = Recording(self, path, every, series, flush)
        self._recordings.append(recording)
        return recording

    def solve(self, steps: int = 1, ramp: Callable[[float], None] | None = None):
        """Finds the equilibrium. `ramp(load)` is called before each of the `steps` with 1/steps
        to 1, to raise loads or move what is driven. Returns a report; raises SolverError. Warns
        where the equilibrium is not stable (a column that stands straight above its buckling load):
        `report.stable` is then False, and the smallest push leads away from it."""
        steps = read("steps", steps, count(1, _BATCH))
        read("ramp", ramp, optional(FUNCTION))
        self._hold_clamps()

        def at_load(load: float) -> None:
            if ramp is not None:
                ramp(load)
            self._drive(self.time)

        report = _strand.solve_statics(self.core, self._newton, steps, at_load)
        if not report.stable:
            warnings.warn(UNSTABLE, stacklevel=2)
        return report

    # Checkpoints.

    def save(self, path: str | Path) -> None:
        """Writes all that the state holds; a run continues from it bitwise the same."""
        with whole(path) as beside, beside.open("wb") as file:
            scene = checkpoint.of_scene(self._scene)
            stepper = {name: getattr(self._stepper, name) for name in checkpoint.OF_STEPPER}
            np.savez(file, **stepper, **self.core.save(), **scene)

    def load(self, path: str | Path) -> None:
        """Takes over a state saved from a simulation of the same scene.

        Raises StrandError that names what of the scene differs; its dt and tolerance may.
        """
        state = checkpoint.read(path)
        checkpoint.compare(path, state, self._scene)
        checked(self.core.load, state)
        for name, kind in checkpoint.OF_STEPPER.items():
            setattr(self._stepper, name, kind(state[name]))

    def _hold_clamps(self) -> None:
        """A clamp holds its node, unless something else has been said of it."""
        if free := [node for node in self._clamps.owners if node not in self._said]:
            self.fix_node(free)

    def _drive(self, time: float) -> None:
        for drive in self._drives:
            drive(time)
        self._clamps.follow(time)

    def node_dofs(self, node: int | Iterable[int], axes: str = "xyz") -> list[int]:
        """Degrees of freedom of nodes, as the core counts them."""
        return self._dofs(node, axes)

    def spin_dofs(self, edge: int | Iterable[int]) -> list[int]:
        """Degrees of freedom of edges' spins, as the core counts them."""
        return [int(self._edge_dofs[self._edge(each)]) for each in indices("edge", edge)]

    def _advance_recordings(self, steps: int) -> None:
        for recording in self._recordings:
            if recording.is_open:
                recording.advance(self, steps)

    def _lock(self, dofs: list[int]) -> None:
        checked(self.core.lock, dofs, True)

    def _set_loads(self, dofs: list[int], values: ArrayLike) -> None:
        if self._loads is None:
            self._loads = self.core.add_load()
        self._load_values[dofs] = values
        checked(self._loads.set, self._load_values)

    def _nodes(self, node: int | Iterable[int]) -> list[int]:
        count, nodes = len(self._node_dofs), indices("node", node)
        for each in nodes:
            if not -count <= each < count:
                raise StrandError(f"node: got '{each}', allowed: 0 to {count - 1}")
        return [each % count for each in nodes]

    def _dofs(self, node: int | Iterable[int], axes: str) -> list[int]:
        axes, nodes = read("axes", axes, _AXES), self._nodes(node)
        return [int(self._node_dofs[each]) + "xyz".index(a) for each in nodes for a in axes]

    def _penalty(
        self, stiffness: float | None, tolerance: float | None
    ) -> tuple[float, float, float]:
        mass = self.core.mass[self._node_dofs]
        return contact.penalty(self.network, mass, stiffness, tolerance)

    def _edge(self, edge: int) -> int:
        count = len(self._edge_dofs)
        if not -count <= edge < count:
            raise StrandError(f"edge: got '{edge}', allowed: 0 to {count - 1}")
        return edge
