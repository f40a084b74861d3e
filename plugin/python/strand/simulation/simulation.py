"""Simulation of a network: time stepping and equilibria."""

import dataclasses
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.files import whole
from strand.io.options import (
    FLAG,
    FUNCTION,
    GRAVITY,
    REALS,
    count,
    instance,
    non_negative,
    optional,
    positive,
    read,
)
from strand.simulation import checkpoint
from strand.simulation.actuation import NO_TWIST, Actuation
from strand.simulation.arguments import CENTRED, EXPLICIT, SimulationTable, check
from strand.simulation.body_controls import BodyControls
from strand.simulation.clamps import Clamps
from strand.simulation.compat import MatDismech, preset
from strand.simulation.contact import Contact, ContactControls
from strand.simulation.drives import Drives
from strand.simulation.feed import Feed, FeedControls
from strand.simulation.loads import Loads
from strand.simulation.network import Network
from strand.simulation.obstacle_paths import Driven
from strand.simulation.obstacles import Obstacle
from strand.simulation.placement import Placement
from strand.simulation.recording import Recording
from strand.simulation.shell import ShellControls
from strand.simulation.slip import add_slips
from strand.simulation.supports import Guide, Supports
from strand.simulation.tendon import Tendon, TendonControls

SolverError = _strand.SolverError

# The component of nodes that motion in a plane locks, beside the spin of every edge.
_PLANES = {"yz": 0, "xz": 1, "xy": 2}
UNSTABLE = (
    "solve: the equilibrium found is not stable; a small load (load_node), or a slightly bent"
    " start, leads to a stable one"
)
#: Arguments that cannot be changed later.
_FIXED = {field.name for field in dataclasses.fields(SimulationTable)} - {"dt"} | {"compat"}
_BATCH = 1_000_000  #: most steps in one call of the core


class Simulation(
    Placement,
    Supports,
    Loads,
    ContactControls,
    Actuation,
    ShellControls,
    BodyControls,
    TendonControls,
    FeedControls,
):
    """Advances a network in time, or finds its equilibrium.

    network: a Network. All its rods, shells and bodies must have been added.
    dt: the longest time step (s; default 1e-3).
    method: "bdf2" (default; second order, damps motion that dt does not resolve), "backward_euler"
        (first order, damps more), "midpoint" (second order, conserves energy, but can diverge if
        dt does not resolve a motion), or the explicit "symplectic_euler" and "verlet", which need
        small steps.
    gravity: m/s^2 (default (0, 0, -9.81)).
    medium_density: density of the surrounding medium (kg/m^3; default 0), whose buoyancy acts on
        rods and shells, not on bodies.
    viscosity: viscous drag on rods, force per length and speed (Pa s; default 0).
    plane: "xy", "xz" or "yz": restricts the motion to this plane by locking the third direction and
        all spins. Default None: no restriction.
    twist: False omits twisting, for rods that are naturally straight and have the same EI about m1
        and m2 (default True).
    curvature: measure of curvature by the turning angle phi: "angle" (phi, default), "tangent"
        (2 tan(phi / 2)), or "smooth4", "smooth": "angle" with terms of neighbouring joints, correct
        to order 4 or 6 in the length of edges (model/README.md), for rods that are straight at rest
        and have the same EI about m1 and m2.
    average: joints bend as the section midway between their two edges, "middle" (default). Or what
        is averaged over both edges: "curvatures", as in the papers, which fails if neighbouring
        edges are twisted far against each other; or "energies", which bend flat rods too stiffly
        that are twisted by some degrees per edge, but serve joints that yield or slip, and rods
        without `twist`; these use them also by default (model/stencil/bend.h).
    junctions: how three or more edges that are connected (Network.connect) are joined: "hub"
        (default), each bends and twists over half its length against a stiff hub; or "pairs", any
        two by a joint of the rods' stiffness, as in the DisMech papers, which stiffens a rod over
        the length of an edge.
    rest_straight: rods are straight at rest; False (default): their rest shape is the initial one.
    tolerance: a step has converged when a further iteration would change less than this fraction of
        the change in the step (statics: of the displacements). Default 1e-7.
    compat: solves as a published code does, to reproduce its figures: "mat_dismech", or a
        MatDismech with other numbers. Default None.
    max_iterations: most Newton iterations in one step (default 50), without repetitions with the
        same matrix.
    least_dt: shortest time step (s; default 1e-9); steps that do not converge are halved down to
        it, at most 300 times within dt.

    The energy of every implicit step is checked: a step that creates energy is repeated, with a
    shorter dt if necessary, and a diverging motion raises SolverError (see `energy_made`). Raises
    StrandError if an argument is invalid.
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
        average: str = "middle",
        junctions: str = "hub",
        rest_straight: bool = False,
        tolerance: float = 1e-7,
        compat: str | MatDismech | None = None,
        max_iterations: int = 50,
        least_dt: float = 1e-9,
    ) -> None:
        given = check(SimulationTable, locals())
        read("network", network, instance(Network, "a strand.simulation.Network"))
        self._compat = preset(compat)
        self.network = network
        network.close()
        keep_twist = twist and plane is None
        slips = network.slips()
        if average == "middle" and any(slips):
            average = "energies"
        parameters = checked(
            _strand.SystemParameters,
            **network.materials(),
            curvature=curvature,
            average=average,
            junctions=junctions,
            twist=keep_twist,
            rest_straight=rest_straight,
            frozen_mid_edge=self._compat is not None and network.has_mid_edges,
        )
        self.core = checked(_strand.System, network.core, parameters)
        self._smooth = curvature if curvature.startswith("smooth") else ""
        for joint, (EI, GJ) in network.joint_stiffness().items():
            if self._smooth and EI[0] != EI[1]:
                raise StrandError(
                    f"curvature: got {curvature!r}, allowed: angle or tangent, since "
                    f"joint {joint} has two bending stiffnesses"
                )
            checked(self.core.set_joint_stiffness, joint, EI, GJ)
        self._slips = []
        if any(slips):
            edges = np.array(network.core.joint_edges(), dtype=int).reshape(-1, 2)
            if not keep_twist and plane is None:
                raise StrandError("twist: got False with rods that yield, allowed: True")
            self._slips = add_slips(edges, slips, self.core)
        self._node_dofs = np.array(self.core.node_dofs)[: network.node_count]
        self._edge_dofs = np.array(self.core.edge_dofs, dtype=int)[: network.edge_count]
        self._clamps = Clamps(network, self.core)
        self._supported: set[int] = set()
        self._clamped: set[int] = set()
        self._guides: list[Guide] = []
        self._scene = checkpoint.scene(network, self.core, given)
        self._drives = Drives(self.core, centred=method in CENTRED)
        self._absent = set()
        if plane is not None:
            self._absent.update((self._node_dofs + _PLANES[plane]).tolist())
        self._twists = keep_twist or plane is not None
        if not self._twists and not self.core.isotropic_straight:
            raise StrandError(f"twist: got False, {NO_TWIST}")
        if not keep_twist:
            self._absent.update(self.core.edge_dofs)
        self._lock(sorted(self._absent))
        self._gravity = checked(
            self.core.add_gravity,
            np.asarray(gravity, float),
            network.padded(network.area),
            medium_density,
        )
        if viscosity:
            checked(self.core.add_drag, viscosity)
        if method in EXPLICIT and network.material_damping:
            raise StrandError(
                f"method: got '{method}' with material_damping, allowed: bdf2, backward_euler,"
                " midpoint"
            )
        self._newton = _strand.NewtonOptions(tolerance=tolerance, max_iterations=max_iterations)
        self._published = self._compat.stop(dt) if self._compat else None
        self._stepper = checked(
            _strand.TimeStepper,
            method=method,
            dt=dt,
            least_dt=least_dt,
            newton=self._newton,
            published=self._published,
        )
        self._loads = None
        self._load_values = np.zeros(self.core.size)
        self._fed: set[int] = set()  # joints
        self.feeds: list[Feed] = []  #: in the order in which they were added
        self._recordings: list[Recording] = []
        self.obstacles: list[Obstacle] = []  #: in the order in which they were added
        self._driven_obstacles: list[Driven] = []
        self.tendons: list[Tendon] = []  #: in the order in which they were added
        self.contacts: list[Contact] = []  #: all contacts added; with bodies, add_contact adds two

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED:
            how = ", or by set_gravity" if name == "gravity" else ""
            raise StrandError(f"{name}: got an assignment, allowed: when constructed{how}")
        super().__setattr__(name, value)

    @property
    def dt(self) -> float:
        """The longest time step (s). It can be changed between steps, but not while recording."""
        return self._stepper.dt

    @dt.setter
    def dt(self, dt: float) -> None:
        dt = read("dt", dt, positive("s"))
        if any(recording.is_open for recording in self._recordings):
            raise StrandError("dt: got a change while recording, allowed: before or after")
        self._stepper.dt = dt

    # State.

    @property
    def time(self) -> float:
        """Time of the simulation (s)."""
        return self.core.time

    @property
    def positions(self) -> np.ndarray:
        """Positions of the nodes (N x 3, m)."""
        return self.core.positions()[: len(self._node_dofs)]

    @property
    def velocities(self) -> np.ndarray:
        """Velocities of the nodes (N x 3, m/s)."""
        return self.core.velocity[self._node_dofs[:, None] + np.arange(3)]

    @property
    def directors(self) -> np.ndarray:
        """Material directors m1 of the edges (E x 3), unit vectors."""
        return self.core.directors()[: len(self._edge_dofs)]

    @property
    def angles(self) -> np.ndarray:
        """Spin angles of the edges relative to parallel transport since the start (E, rad, any
        number of turns). They start at the angles that `place` has set."""
        return self.core.q[self._edge_dofs]

    @property
    def twist(self) -> np.ndarray:
        """Twist of the joints (rad, any number of turns)."""
        return self.core.twist

    @property
    def permanent_set(self) -> np.ndarray:
        """Permanent set of the joints against their natural shape (joints, 3): curvatures about m1
        and m2 (1/m) and twist (rad/m); 0 where nothing yields or slips."""
        permanent = np.zeros((self.network.core.joints, 3))
        for joints, force in self._slips:
            permanent[joints] = force.set()
        return permanent

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy (J)."""
        return self.core.kinetic_energy

    @property
    def potential_energy(self) -> float:
        """Elastic energy plus the potential energy of all conservative loads (J)."""
        return self.core.potential_energy

    @property
    def energy_made(self) -> float:
        """Energy that the time stepping has created since the start (J); < 0: it has damped.

        It is the growth of kinetic and potential energy minus the work of weight, loads, drives,
        friction and drag. For implicit methods only; explicit methods raise an error if they
        diverge.
        """
        return self.core.energy_made

    @property
    def reactions(self) -> np.ndarray:
        """Forces of supports on the nodes that they hold (N x 3, N): fixes, drives, clamps, guides.
        They balance the static forces there; damping and drag are not counted. Elsewhere 0."""
        self._fix_clamps()
        gradient = self.core.gradient
        dofs = self._node_dofs[:, None] + np.arange(3)
        reactions = np.where(self.core.locked[dofs], gradient[dofs], 0)
        for guide in self._guides:
            if not guide.held:
                reactions[guide.node] += guide.force
        self._clamps.reactions(gradient, reactions)
        return reactions

    @property
    def clamp_moments(self) -> np.ndarray:
        """Moments of the clamps about their nodes, in addition to `reactions` (N x 3, N m)."""
        return self._clamps.moments(self.core.gradient, len(self._node_dofs))

    def set_velocities(self, velocities: ArrayLike) -> None:
        """Sets the velocities of the nodes (N x 3, m/s); locked nodes stay at rest."""
        velocities = read("velocities", velocities, REALS)
        if velocities.shape != (len(self._node_dofs), 3):
            raise StrandError(
                f"velocities: got shape {velocities.shape}, allowed: ({len(self._node_dofs)}, 3)"
            )
        values = self.core.velocity
        values[self._node_dofs[:, None] + np.arange(3)] = velocities
        checked(self.core.set_velocity, values)

    # Running.

    def step(self) -> _strand.StepReport:
        """Advances by dt, in several shorter steps if one does not converge.

        Returns a report with the number of steps, iterations and rejections. Raises SolverError if
        the shortest step fails; the state is then the last valid one.
        """
        self._hold_clamps()
        drive = self._drive if self._is_driven() else None
        report = checked(self._stepper.step, self.core, drive)
        self._advance_recordings(1)
        return report

    def run(
        self, duration: float, each: Callable[["Simulation"], None] | None = None
    ) -> _strand.StepReport:
        """Advances by several steps.

        duration: s, rounded to whole steps. each: function that is called as each(simulation) after
        each step (default None). Returns a report and raises SolverError as `step`.
        """
        left = round(read("duration", duration, non_negative("s")) / self.dt)
        read("each", each, optional(FUNCTION))
        self._hold_clamps()
        report = _strand.StepReport()
        while left > 0:
            if each is not None or self._is_driven():
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
        """Starts recording to a file: `with simulation.record(...): ...`

        path: a .csv, .npz or .pvd (ParaView) file.
        every: time between samples (s), rounded to whole steps; None (default): each step. The
            first sample is taken at once.
        series: what is recorded in addition to positions and directors: any of velocity (default),
            reaction, spin, kinetic_energy, potential_energy, body_pose (of each body the centre of
            mass, m, and the rotation vector from the shape's axes to the world's, rad),
            obstacle_pose (as `obstacle_poses`).
        flush: wall-clock time (s; default 30) after which the file is rewritten with all samples so
            far. The file is always complete, so that it survives a crash of the run.
        """
        recording = Recording(self, path, every, series, flush)
        self._recordings.append(recording)
        return recording

    def solve(
        self,
        steps: int = 1,
        ramp: Callable[[float], None] | None = None,
        *,
        nearby: bool = False,
    ) -> _strand.SolveReport:
        """Finds the equilibrium.

        steps: number of load steps (default 1).
        ramp: function that is called before each load step as ramp(load), with load from 1 / steps
            to 1, to raise loads or move supports (default None).
        nearby: Newton's method alone, which soon fails where there is no equilibrium near the
            present shape: to follow a path of equilibria to its end (default False).

        Where Newton's method does not find it from the present shape, as that of a soft rod that a
        body bends down, the simulation moves towards it first, without momentum; with friction,
        the equilibrium depends on that path. Contacts that do not exist yet form without friction,
        so that what stands by friction alone, as an arch on a floor or a rod against a wall, needs
        a `step()` before, or a `run`. Time does not advance.

        Returns a report. Raises SolverError if no equilibrium is found; the shape is then that of
        the last load step that has one. Warns if the equilibrium is not stable, as that of a
        straight column above its buckling load: `report.stable` is then False, and the smallest
        perturbation leads away from it.
        """
        steps = read("steps", steps, count(1, _BATCH))
        read("ramp", ramp, optional(FUNCTION))
        nearby = read("nearby", nearby, FLAG)
        self._hold_clamps()

        def at_load(load: float) -> None:
            if ramp is not None:
                ramp(load)
            self._drive(self.time)

        report = _strand.solve_statics(
            self.core, self._newton, steps, at_load, self._published, nearby
        )
        if not report.stable:
            warnings.warn(UNSTABLE, stacklevel=2)
        return report

    # Checkpoints.

    def save(self, path: str | Path) -> None:
        """Writes a checkpoint, the complete state. A run that loads it continues bitwise equal.

        path: the file to write (NumPy's .npz format, whatever its name).
        """
        with whole(path) as beside, beside.open("wb") as file:
            scene: dict[str, Any] = checkpoint.of_scene(self._scene)
            stepper = {name: getattr(self._stepper, name) for name in checkpoint.OF_STEPPER}
            np.savez(file, **stepper, **self.core.save(), **scene)

    def load(self, path: str | Path) -> None:
        """Reads a checkpoint that `save` wrote for a simulation of the same scene.

        Only dt, the options of the solver, loads, supports, added masses, drag and natural shapes
        may differ. Raises StrandError, which names the first difference, for another scene, and if
        the file is not a checkpoint.
        """
        state = checkpoint.read(path)
        checkpoint.compare(path, state, self._scene)
        self._hold_clamps()  # before loading: locking resets the state's memory of earlier steps
        for feed in self.feeds:
            feed.begin(state["time"])
        checked(self.core.load, state)
        for feed in self.feeds:
            feed.begin(self.time)  # again, since it reads positions
        for driven in self._driven_obstacles:
            driven.forget()
        for name, kind in checkpoint.OF_STEPPER.items():
            setattr(self._stepper, name, kind(state[name]))

    def _drive(self, time: float) -> None:
        super()._drive(time)
        self._drive_obstacles(time)
        for tendon in self.tendons:
            tendon.follow(time, self._drives.time_of_loads(time))

    def _is_driven(self) -> bool:
        """True if something must be set before each step, so that steps are taken one by one."""
        tendons = any(tendon.is_driven for tendon in self.tendons)
        return bool(self._drives) or tendons or self._obstacles_move()

    def _advance_recordings(self, steps: int) -> None:
        for recording in self._recordings:
            if recording.is_open:
                recording.advance(self, steps)
