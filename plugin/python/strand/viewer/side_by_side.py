"""One cable as a chain, as a flex and in the core, side by side, with their distances."""

import dataclasses
from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from strand import adapter
from strand._strand import Film, FilmPlot, SolverError
from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.readout.readout import look_up
from strand.simulation.cable_network import cable_network
from strand.viewer.film import Sample, careful, stage
from strand.viewer.opened import Opened

_SAMPLE = 1 / 120  # s: two samples for each frame of the window
_APART = 0.25  # distance between neighbours, in lengths of the cable
_CORE_DT = 2.5e-3  # s
_LOOK = {
    "chain": ("blue", (0.10, 0.37, 0.64)),
    "flex": ("orange", (0.90, 0.36, 0.13)),
    "core": ("green", (0.18, 0.55, 0.30)),
}

#: Time (s) and nodes (n + 1, 3; m) of a simulation.
_Now = Callable[[], tuple[float, np.ndarray]]


def side_by_side(cable: Cable, title: str = "cable") -> Opened:
    """A film of a cable without surroundings: chain, flex (in front) and core (behind).

    A way that does not support this cable is left out, and the title says why. Plots show how far
    nodes are from those of the chain (largest distance, m), and the heights of the ends. Raises
    StrandError if the cable has branches, or if there is nothing to compare the chain with.
    """
    if len(cable.branches):
        raise StrandError(f"branches: got {len(cable.branches)}, allowed to compare: none")
    ways, problems = {"chain": _mujoco(cable, "cable")}, []
    for name, make in (("flex", lambda: _mujoco(cable, "flex")), ("core", lambda: _core(cable))):
        try:
            ways[name] = make()
        except (StrandError, ValueError) as error:
            problems.append(f"{name}: {str(error).strip()}")
    if len(ways) == 1:
        raise StrandError(f"got a cable that only a chain supports ({'; '.join(problems)})")
    shown = _Shapes(cable, ways)
    nodes = len(cable.nodes)
    rgb = np.array([_LOOK[name][1] for name in ways])
    film = Film(
        shown.sample(),
        _links(nodes, len(ways)),
        [float(np.max(cable.radius))] * (len(ways) * (nodes - 1)),
        np.repeat(np.column_stack([rgb, np.ones(len(ways))]), nodes - 1, axis=0),
        np.zeros((0, 3), dtype=int),
        np.zeros((0, 4), np.float32),
        careful(shown.following()),
        _plots(list(ways)),
    )
    model = stage([], None, _SAMPLE)
    names = ", ".join(f"{name} {_LOOK[name][0]}" for name in ways)
    return Opened(model, mujoco.MjData(model), "\n".join([f"{title}: {names}", *problems]), film)


class _Way:
    """One of the simulations: its nodes at any later time, between two steps by interpolation."""

    def __init__(self, name: str, now: _Now, step: Callable[[], object]) -> None:
        self._name, self._now, self._step = name, now, step
        self._before = self._after = now()

    def nodes(self, time: float) -> np.ndarray:
        """Nodes (n + 1, 3; m). Raises StrandError if the simulation diverges."""
        while self._after[0] < time:
            self._step()
            self._before, self._after = self._after, self._now()
            if self._after[0] <= self._before[0]:
                raise StrandError(f"{self._name}: diverges at t = {self._before[0]:.4g} s")
        (begin, first), (end, last) = self._before, self._after
        part = (time - begin) / (end - begin) if end > begin else 1.0
        return first + part * (last - first)


def _mujoco(cable: Cable, backend: str) -> _Way:
    model = mujoco.MjModel.from_xml_string(cable.generate(backend)[0])
    data = mujoco.MjData(model)
    sites = [model.site(f"{cable.prefix}node{k}").id for k in range(len(cable.nodes))]

    def now() -> tuple[float, np.ndarray]:
        mujoco.mj_kinematics(model, data)
        return data.time, data.site_xpos[sites]

    return _Way(backend, now, lambda: mujoco.mj_step(model, data))


def _core(cable: Cable) -> _Way:
    """The core damps bending by its material: by the loss time of the chain's joints."""
    loss_time = _loss_time(cable)
    damped = dataclasses.replace(cable, damping=None, damping_ratio=None, loss_time=loss_time)
    network = cable_network(damped)
    simulation, nodes = network.simulation(dt=_CORE_DT), network.nodes[""]
    return _Way("core", lambda: (simulation.time, simulation.positions[nodes]), simulation.step)


def _loss_time(cable: Cable) -> float:
    """Ratio (s) of viscous to elastic stiffness of the chain's joints, by their median."""
    model = mujoco.MjModel.from_xml_string(cable.generate()[0])
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rod = look_up(model, data, 0, adapter.load().profile)
    inner = [body for _, body in rod.joint_body if model.body_dofnum[body] == 3]
    damping = np.median(model.dof_damping[model.body_dofadr[inner]]) if inner else 0.0
    EI = look_up(model, data, 0, adapter.load().constants).EI
    return float(damping * np.median(rod.span) / np.median(EI))


class _Shapes:
    """The shapes at one time after the other."""

    def __init__(self, cable: Cable, ways: dict[str, _Way]) -> None:
        self._ways, self._offsets = ways, _offsets(cable, ways)
        self._count = 0

    def sample(self) -> Sample:
        time = self._count * _SAMPLE
        self._count += 1
        shapes = [way.nodes(time) for way in self._ways.values()]
        distances = [float(np.linalg.norm(one - shapes[0], axis=1).max()) for one in shapes[1:]]
        heights = [float(one[-1, 2]) for one in shapes]
        points = np.concatenate(np.array(shapes) + self._offsets[:, np.newaxis])
        return time, points, np.zeros((0, 7)), [*distances, *heights]

    def following(self) -> Iterator[Sample | str]:
        while True:
            try:
                yield self.sample()
            except (StrandError, SolverError) as error:
                yield f"{error}"
                return


def _plots(names: list[str]) -> list[FilmPlot]:
    distances = [FilmPlot(f"{name} from chain", "m") for name in names[1:]]
    return distances + [FilmPlot(f"end of {name}, z", "m") for name in names]


def _links(nodes: int, ways: int) -> np.ndarray:
    one = np.column_stack([np.arange(nodes - 1), np.arange(1, nodes)])
    return np.vstack([one + k * nodes for k in range(ways)])


def _offsets(cable: Cable, ways: dict[str, _Way]) -> np.ndarray:
    """Displacements (ways, 3; m), horizontal and across the cable."""
    nodes = np.asarray(cable.nodes)
    length = np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum()
    wide = np.ptp(nodes, axis=0)
    across = np.array([0.0, 1.0, 0.0]) if wide[0] >= wide[1] else np.array([1.0, 0.0, 0.0])
    places = {"chain": 0.0, "flex": -1.0, "core": 1.0}
    return np.array([places[name] * _APART * length * across for name in ways])
