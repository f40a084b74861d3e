"""A network in time and at rest."""

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
    FUNCTION,
    GRAVITY,
    REALS,
    count,
    instance,
    non_negative,
    optional,
    read,
)
from strand.simulation import checkpoint
from strand.simulation.actuation import NO_TWIST, Actuation
from strand.simulation.arguments import SimulationTable, check
from strand.simulation.body_controls import BodyControls
from strand.simulation.clamps import Clamps
from strand.simulation.compat import MatDismech, preset
from strand.simulation.contact import Contact, ContactControls
from strand.simulation.loads import Loads
from strand.simulation.network import Network
from strand.simulation.obstacle_paths import Driven
from strand.simulation.obstacles import Obstacle
from strand.simulation.placement import Placement
from strand.simulation.recording import Recording
from strand.simulation.shell import ShellControls
from strand.simulation.supports import Supports
from strand.simulation.tendon import Tendon, TendonControls

SolverError = _strand.SolverError

# What a plane takes away: a direction's component and the spin of every edge.
_PLANES = {"yz": 0, "xz": 1, "xy": 2}
UNSTABLE = (
    "solve: the equilibrium found is not stable; a small push (load_node), or a start that is a"
    " little bent, leads to a stable one"
)
EXPLICIT = "symplectic_euler", "verlet"
_BATCH = 1_000_000  #: steps that are taken at once, at most


class Simulation(
    Placement,
    Supports,
    Loads,
    ContactControls,
    Actuation,
    ShellControls,
    BodyControls,
    TendonControls,
):
    """Steps a network in time, or solves for its equilibrium.

    dt: s, the longest step. method: "bdf2" (second order, damps what dt does not resolve),
    "backward_euler" (first order, damps more), "midpoint" (second order, keeps energy, but what dt
    does not resolve can make it explode), "symplectic_euler", "verlet" (explicit: small steps
    only). The energy of every implicit step is watched: one that makes energy is taken again,
    shorter if need be, and a motion that explodes raises SolverError; `energy_made` tells. gravity:
    m/s^2; `medium_density` (kg/m^3) gives buoyancy; `viscosity` (Pa s) a drag per length and speed.
    plane: "xz" and the like lock the third direction and all spins. twist: False leaves twisting
    out, of rods that bend alike to all sides. curvature: "angle" or "tangent"; average: "energies",
    or "curvatures" as in the papers (model/README.md: not for edges that get twisted far against
    their neighbours). tolerance: a step has converged where a further iteration would change less
    than that fraction of what the step changes (in statics: of the displacements). compat:
    "mat_dismech", or a MatDismech with numbers of its own, solves as that code does, to reproduce
    its figures.
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
        parameters = checked(
            _strand.SystemParameters,
            **network.materials(),
            curvature=curvature,
            average=average,
            twist=keep_twist,
            rest_straight=rest_straight,
            frozen_mid_edge=self._compat is not None and network.has_mid_edges,
        )
        self.core = checked(_strand.System, network.core, parameters)
        for joint, (EI, GJ) in network.joint_stiffness().items():
            checked(self.core.set_joint_stiffness, joint, EI, GJ)
        self._node_dofs = np.array(self.core.node_dofs)[: network.node_count]
        self._edge_dofs = np.array(self.core.edge_dofs, dtype=int)[: network.edge_count]
        self._clamps = Clamps(network, self.core)
        self._said: set[int] = set()  # nodes that something has been said of
        self._scene = checkpoint.scene(network, self.core, given)
        if plane is not None:
            self._lock((self._node_dofs + _PLANES[plane]).tolist())
        self._twists = keep_twist or plane is not None
        if not self._twists and not self.core.isotropic_straight:
            raise StrandError(f"twist: got False, {NO_TWIST}")
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
        self.dt = dt
        self._loads = None
        self._load_values = np.zeros(self.core.size)
        self._drives: list[Callable[[float], None]] = []
        self._driven: set[int] = set()  # degrees of freedom
        self._recordings: list[Recording] = []
        self.obstacles: list[Obstacle] = []  #: all of them
        self._driven_obstacles: list[Driven] = []
        self.tendons: list[Tendon] = []  #: all of them
        self.contacts: list[
            Contact
        ] = []  #: what add_floor, add_obstacles and add_contact have returned

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
        """Of the edges against parallel transport since the start, where `place` may have twisted
        them (rad, any number of turns)."""
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
        gradient = self.core.gradient
        reactions = gradient[self._node_dofs[:, None] + np.arange(3)]
        self._clamps.reactions(gradient, reactions)
        return reactions

    @property
    def clamp_moments(self) -> np.ndarray:
        """Moments (N x 3, N m) that clamps bear beside the reactions, about their nodes."""
        return self._clamps.moments(self.core.gradient, len(self._node_dofs))

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

    # Running.

    def step(self) -> _strand.StepReport:
        """Advances by dt, in several steps where one does not converge. Returns a report.

        Raises SolverError where even the least step fails: the state is then the last good one.
        """
        self._hold_clamps()
        drive = self._drive if self._is_driven() else None
        report = checked(self._stepper.step, self.core, drive)
        self._advance_recordings(1)
        return report

    def run(
        self, duration: float, each: Callable[["Simulation"], None] | None = None
    ) -> _strand.StepReport:
        """Advances by `duration` (s), rounded to whole steps; calls `each(self)` after each one."""
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
        """Records to a .csv, .npz or .pvd (ParaView) file from now on: `with sim.record(...): ...`

        One sample now, and one after every `every` s (rounded to whole steps; left out: each step):
        positions, directors and `series`: velocity, reaction, spin, kinetic_energy,
        potential_energy, obstacle_pose (as of `obstacle_poses`). flush: s of the clock, after which
        the file is brought up to date, whole, so that it survives whatever ends the run.
        """
        recording = Recording(self, path, every, series, flush)
        self._recordings.append(recording)
        return recording

    def solve(
        self, steps: int = 1, ramp: Callable[[float], None] | None = None
    ) -> _strand.SolveReport:
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

        report = _strand.solve_statics(self.core, self._newton, steps, at_load, self._published)
        if not report.stable:
            warnings.warn(UNSTABLE, stacklevel=2)
        return report

    # Checkpoints.

    def save(self, path: str | Path) -> None:
        """Writes all that the state holds; a run continues from it bitwise the same."""
        with whole(path) as beside, beside.open("wb") as file:
            scene: dict[str, Any] = checkpoint.of_scene(self._scene)
            stepper = {name: getattr(self._stepper, name) for name in checkpoint.OF_STEPPER}
            np.savez(file, **stepper, **self.core.save(), **scene)

    def load(self, path: str | Path) -> None:
        """Takes over a state saved from a simulation of the same scene.

        Raises StrandError that names what of the scene differs; its dt and tolerance may.
        """
        state = checkpoint.read(path)
        checkpoint.compare(path, state, self._scene)
        self._hold_clamps()  # later it would make a state forget the step before it
        checked(self.core.load, state)
        for driven in self._driven_obstacles:
            driven.forget()
        for name, kind in checkpoint.OF_STEPPER.items():
            setattr(self._stepper, name, kind(state[name]))

    def _drive(self, time: float) -> None:
        super()._drive(time)
        self._drive_obstacles(time)
        for tendon in self.tendons:
            tendon.follow(time)

    def _is_driven(self) -> bool:
        """Whether something has to be set before each step."""
        tendons = any(tendon.is_driven for tendon in self.tendons)
        return bool(self._drives) or tendons or self._obstacles_move()

    def _advance_recordings(self, steps: int) -> None:
        for recording in self._recordings:
            if recording.is_open:
                recording.advance(self, steps)
