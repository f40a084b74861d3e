"""The same cable as a chain, as a flex and in the core: shape at rest, first frequency, a step."""

import dataclasses
from collections.abc import Callable

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.flex.rod import FlexRod
from strand.simulation import Network, Simulation
from strand.simulation.cable_network import core_curvature
from strand_studies import relax
from strand_studies.beam import second_moment
from strand_studies.compare.equilibrium import nodes_at_rest
from strand_studies.published.figures import sinusoid
from strand_studies.validation.linearized import Linearized
from strand_studies.validation.vibration import BETA_L

REST = 1e-5  #: speed (m/s) of a cable at rest, over L times the slowest frequency
DAMPING = 0.1  #: loss time, over the time scale of the slowest motion
TIME_LIMIT = 300.0  #: over the same
RIGID = 0.05  #: frequencies below this times sqrt(EI / m L^4) are those of a rigid motion
STILL = 0.01  #: largest motion of nodes, in link lengths per rad, of a mode of pure twist
DIFFERENCED = 121  #: largest number of nodes of a flex whose lowest mode differences resolve
AMPLITUDE, PERIODS, STEPS_A_PERIOD = 1e-5, 2.2, 400  #: of L, 1, 1: of the core's timed mode
STATIC_STEPS, STATIC_DT = 10, 0.2  #: 1; over the time scale of the slowest motion


def scales(rod: FlexRod) -> tuple[float, float]:
    """Frequency scales (rad/s): sqrt(EI / m L^4), and the slowest motion with gravity."""
    length = float(rod.link_length.sum())
    bending = np.sqrt(rod.EI * length / rod.link_mass.sum()) / length**2
    swing = float(np.linalg.norm(rod.gravity)) / length
    return bending, float(np.hypot(BETA_L[0] ** 2 * bending, np.sqrt(swing)))


def with_branches(cable: Cable, change: Callable[[Cable], Cable]) -> Cable:
    """The cable after a change, which its branches undergo, too."""
    branches = [
        dataclasses.replace(branch, cable=change(branch.cable)) for branch in cable.branches
    ]
    return dataclasses.replace(change(cable), branches=branches)


class MuJoCo:
    """A chain ("cable") or a flex ("flex"), from the MJCF generator."""

    def __init__(self, backend: str, cable: Cable, rod: FlexRod) -> None:
        self.backend, self.name, self._cable, self._rod = backend, backend, cable, rod
        self._model = mujoco.MjModel.from_xml_string(cable.to_mjcf(backend))
        self.timestep = self._model.opt.timestep
        self._data = mujoco.MjData(self._model)
        other = self._other()
        self._sites = [other.site(f"{cable.prefix}node{k}").id for k in range(len(rod.nodes))]

    def _other(self, **options) -> mujoco.MjModel:
        """A model for shapes and modes: in one tree, whose modes need no constraints."""
        changed = with_branches(
            self._cable, lambda one: dataclasses.replace(one, pieces="none", **options)
        )
        return mujoco.MjModel.from_xml_string(changed.to_mjcf(self.backend))

    def shape(self, start: np.ndarray | None = None) -> np.ndarray:
        """Nodes (n + 1, 3), m, in equilibrium.

        A chain's are found by Newton's method, since its steps cost the cube of the links; a flex's
        in a simulation that starts from the nodes `start`. Raises StrandError if that takes longer
        than the time limit.
        """
        slow = scales(self._rod)[1]
        if self.backend == "cable":
            return nodes_at_rest(self._other(twist="dynamic"), self._sites, slow)
        damped = {"damping": None, "damping_ratio": None, "loss_time": DAMPING / slow}
        model = self._other(**damped)
        data = mujoco.MjData(model)
        if start is not None:
            self._place(model, data, start)
        return self._simulated(model, data, slow)

    def _place(self, model: mujoco.MjModel, data: mujoco.MjData, nodes: np.ndarray) -> None:
        """Moves a flex's free nodes to the given positions."""
        step = self._slides(model, nodes - self._rod.nodes)
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)

    def _slides(self, model: mujoco.MjModel, motion: np.ndarray) -> np.ndarray:
        """The motion (n + 1, 3), m, of a flex's nodes as a vector (nv,) of its free nodes."""
        step = np.zeros(model.nv)
        for k, along in enumerate(motion):
            name = f"{self._cable.prefix}node{k}"
            body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
            if body >= 0:
                first = model.body_dofadr[body]
                step[first : first + 3] = along
        return step

    def _simulated(self, model: mujoco.MjModel, data: mujoco.MjData, slow: float) -> np.ndarray:
        """Nodes (m) at the end of a motion with a drag -2 omega M v.

        The drag is critical for the slowest motion, so that all others decay as fast. The cable is
        at rest when nodes have been slow for a quarter period of the slowest motion.
        """
        limit = REST * float(self._rod.link_length.sum()) * slow * model.opt.timestep
        quiet, before, drag = 0.0, self._nodes(data), np.zeros(model.nv)
        while quiet < np.pi / 2 / slow:
            mujoco.mj_mulM(model, data, drag, data.qvel)
            data.qfrc_applied[:] = -2 * slow * drag
            relax.step(model, data, 1)
            nodes = self._nodes(data)
            still = np.linalg.norm(nodes - before, axis=1).max() < limit
            quiet = quiet + model.opt.timestep if still and data.time > 1 / slow else 0.0
            before = nodes
            if data.time > TIME_LIMIT / slow:
                raise StrandError(f"the cable is not at rest after {data.time:.3g} s")
        return before

    def _nodes(self, data: mujoco.MjData) -> np.ndarray:
        return data.site_xpos[self._sites]

    def mode(self, near: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """First frequency (rad/s) about the rest shape without gravity, and the nodes' motion.

        It is the lower of two Rayleigh quotients, that of the mode found by finite differences and
        that of the motion `near`, since the first frequency is the least quotient of any motion.
        With many links, finite differences of a flex do not resolve its lowest mode, and only
        `near` is used.
        """
        model = self._other(gravity=(0, 0, 0), twist="dynamic", damping=0.0, loss_time=None,
                            damping_ratio=None, stabilize=False)  # fmt: skip
        trials, data = [], mujoco.MjData(model)
        if near is None or len(near) <= DIFFERENCED:
            frequencies, shapes = Linearized(model).modes()
            elastic = shapes.T[frequencies > RIGID * scales(self._rod)[0]]
            trials.append(next(of for of in elastic if self._bends(model, data, of)))
        if near is not None:
            trials.append(self._slides(model, near))
        return min((self._quotient(model, data, trial) for trial in trials), key=lambda of: of[0])

    def _bends(self, model, data, shape: np.ndarray) -> bool:
        """Whether a mode moves nodes: with raised inertia, twist can be slower than bending."""
        step = AMPLITUDE * shape / np.abs(shape).max()
        motion = self._moved(model, data, step)[0] - self._moved(model, data, 0 * step)[0]
        return np.abs(motion).max() > STILL * AMPLITUDE * self._rod.link_length.min()

    def _quotient(self, model, data, shape: np.ndarray) -> tuple[float, np.ndarray]:
        """Rayleigh's quotient as a frequency (rad/s), and the motion of the nodes."""
        shape = shape / np.abs(shape).max()  # mass-normalised modes of light cables are too large
        ahead, behind = (self._moved(model, data, side * shape) for side in (1e-6, -1e-6))
        motion = ahead[0] - behind[0]
        shape = shape * AMPLITUDE * float(self._rod.link_length.sum()) * 2e-6 / np.abs(motion).max()
        ahead, behind = (self._moved(model, data, side * shape) for side in (1, -1))
        square = shape @ (behind[1] - ahead[1]) / 2 / (shape @ self._inertia(model, data, shape))
        return float(np.sqrt(max(square, 0))), motion / np.abs(motion).max()

    def _moved(self, model, data, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Nodes (m) and generalised forces a step away from the rest shape."""
        data.qpos[:] = model.qpos0
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        return self._nodes(data), data.qfrc_passive - data.qfrc_bias

    def _inertia(self, model, data, shape: np.ndarray) -> np.ndarray:
        self._moved(model, data, 0 * shape)
        product = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, product, shape)
        return product

    def prepare(self) -> None:
        """Resets the cable to its initial shape for timing."""
        mujoco.mj_resetData(self._model, self._data)
        mujoco.mj_step(self._model, self._data)

    def step(self, count: int) -> None:
        relax.step(self._model, self._data, count)


class Core:
    """The standalone core: a round rod with the chain's EI, GJ and mass, whose edges stretch."""

    name = "core"

    def __init__(self, cable: Cable, rod: FlexRod) -> None:
        _check(cable)
        self._cable, self._rod, self.timestep = cable, rod, rod.timestep
        self._clocked: Simulation | None = None

    def _build(self, gravity: np.ndarray, **options) -> tuple[Simulation, list[int]]:
        rod, radius, network = self._rod, self._rod.radius, Network()
        moment, area = second_moment(radius), np.pi * radius**2
        young = rod.EI / moment
        length = float(rod.link_length.sum())
        added = network.rod(
            rod.nodes,
            young=young,
            poisson=0.5,
            radius=radius,
            density=float(rod.link_mass.sum()) / (length * area),
            torsion_constant=rod.GJ / (young / 3),
        )
        ends = {
            "start": (added.nodes[0], added.edges[0]),
            "end": (added.nodes[-1], added.edges[-1]),
        }
        for side in ends:
            if getattr(self._cable, side) == "fixed" and self._cable.clamp == "node":
                network.clamp(added, side)
        straight = self._cable.rest == "straight"
        simulation = Simulation(
            network,
            gravity=gravity,
            curvature=core_curvature(self._cable),
            rest_straight=straight,
            **options,
        )
        for side, (node, edge) in ends.items():
            kind = getattr(self._cable, side)
            if kind == "fixed" and self._cable.clamp == "link":
                simulation.fix_edge(edge)
            elif kind != "free":
                simulation.fix_node(node)
        if "fixed" not in (self._cable.start, self._cable.end):
            simulation.fix_spin(added.edges[0])  # otherwise the rod could spin freely
        return simulation, added.nodes

    def shape(self, start: np.ndarray | None = None) -> np.ndarray:
        """Nodes (n + 1, 3), m, in equilibrium, reached by the damping of large implicit steps.

        The simulation starts from the cable's initial shape; `start` is not used. Raises
        StrandError if that takes longer than the time limit.
        """
        slow = scales(self._rod)[1]
        dt = STATIC_DT / slow
        simulation, nodes = self._build(self._rod.gravity, dt=dt, method="backward_euler",
                                        tolerance=1e-9)  # fmt: skip
        limit = REST * float(self._rod.link_length.sum()) * slow
        while simulation.time < TIME_LIMIT / slow:
            simulation.run(STATIC_STEPS * dt)
            if np.abs(simulation.velocities).max() < limit:
                return simulation.positions[nodes]
        raise StrandError(f"the cable is not at rest after {simulation.time:.3g} s")

    def mode(self, near: tuple[float, np.ndarray]) -> float:
        """First frequency (rad/s) about the rest shape, timed after a push in the mode `near`."""
        frequency, motion = near
        dt = 2 * np.pi / frequency / STEPS_A_PERIOD
        simulation, nodes = self._build(np.zeros(3), dt=dt, method="midpoint")
        length = float(self._rod.link_length.sum())
        velocities = np.zeros_like(simulation.velocities)
        velocities[nodes] = AMPLITUDE * length * frequency * motion
        simulation.set_velocities(velocities)
        weights = self._rod.node_mass[:, None] * motion
        start, path = simulation.positions[nodes], []

        def watch(moved: Simulation) -> None:
            path.append(np.sum(weights * (moved.positions[nodes] - start)))

        watch(simulation)
        simulation.run(PERIODS * STEPS_A_PERIOD * dt, watch)
        path = np.array(path) / np.abs(path).max()
        return float(2 * np.pi / sinusoid(path, dt, 2 * np.pi / frequency)[0])

    def prepare(self) -> None:
        """Resets the cable to its initial shape for timing."""
        self._clocked, _ = self._build(self._rod.gravity, dt=self.timestep, method="backward_euler")
        self._clocked.step()

    def step(self, count: int) -> None:
        self._clocked.run(count * self.timestep)


def _check(cable: Cable) -> None:
    """Raises StrandError for cables that the comparison does not build in the core."""
    plain_values = {"stretches": (), "rest_twist": 0, "closed": False, "keys": ()}
    for field, plain in plain_values.items():
        value = getattr(cable, field)
        if value != plain and not (plain == () and not len(value)):
            raise StrandError(
                f"{field}: got {value!r}, allowed in the comparison's core: {plain!r}"
            )
    if cable.section not in ("circle", "tube"):
        raise StrandError(
            f"section: got {cable.section!r}, allowed in the comparison's core: circle, tube"
        )
    for field in ("radius", "density"):
        if np.size(value := getattr(cable, field)) != 1:
            raise StrandError(
                f"{field}: got {value!r}, allowed in the comparison's core: one number"
            )
    if cable.EI is not None and np.ptp(np.atleast_1d(cable.EI)):
        raise StrandError(f"EI: got {cable.EI!r}, allowed in the comparison's core: one number")
