"""Recordings of a run: samples of its state as CSV, NPZ, or for ParaView (.pvd)."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.files import check_output
from strand.io.options import LIST, choice, optional, positive, read
from strand.simulation.clock import Clock

if TYPE_CHECKING:
    from strand.simulation.simulation import Simulation


class _Series(NamedTuple):
    unit: str
    place: str  #: "network", "node" or "edge"
    components: int
    read: Callable[["Simulation"], Any]


class _Poses(NamedTuple):
    """Two series for each of several things: its place (m) and its rotation vector (rad)."""

    thing: str
    things: str
    place: str
    count: Callable[["Simulation"], int]
    read: Callable[["Simulation", int], np.ndarray]  #: 2 x 3


def _body_pose(simulation: "Simulation", index: int) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    centre, axes = simulation.pose(simulation.network.bodies[index])
    return np.stack([centre, Rotation.from_matrix(axes).as_rotvec()])


def _obstacle_pose(simulation: "Simulation", index: int) -> np.ndarray:
    return simulation.obstacle_poses[index].reshape(2, 3)


#: What can be recorded in addition to positions and directors.
SERIES: dict[str, _Series | _Poses] = {
    "velocity": _Series("m/s", "node", 3, lambda simulation: simulation.velocities),
    "reaction": _Series("N", "node", 3, lambda simulation: simulation.reactions),
    "spin": _Series("rad", "edge", 1, lambda simulation: simulation.angles),
    "kinetic_energy": _Series("J", "network", 1, lambda simulation: simulation.kinetic_energy),
    "potential_energy": _Series("J", "network", 1, lambda simulation: simulation.potential_energy),
    "body_pose": _Poses(
        "body", "bodies", "position", lambda simulation: len(simulation.network.bodies), _body_pose
    ),
    "obstacle_pose": _Poses(
        "obstacle",
        "obstacles",
        "displacement",
        lambda simulation: len(simulation.obstacles),
        _obstacle_pose,
    ),
}


class Recording:
    """A recording of a running simulation to a file; made by `Simulation.record`.

    The file is written when the recording is closed, and every `flush` s of wall-clock time with
    the samples so far. It is complete each time, however the process ends. A `with` statement
    closes the recording at its end, and on Ctrl-C or SolverError; after any other error the file
    stays as last flushed.
    """

    def __init__(
        self,
        simulation: "Simulation",
        path: str | Path,
        every: float | None,
        series: Sequence[str],
        flush: float,
    ) -> None:
        check_output("path", path)
        for name in read("series", series, LIST):
            read("series", name, choice(*SERIES))
        every = read("every", every, optional(positive("s"))) or simulation.dt
        self._interval = max(1, round(every / simulation.dt))
        chosen: dict[str, _Series] = {}
        for name in series:
            chosen |= _series(name, simulation)
        self._series = list(chosen.values())
        network = simulation.network
        self._recorder: _strand.Recorder | None = checked(
            _strand.Recorder.open,
            str(path),
            len(simulation.positions),
            network.edge_nodes.tolist(),
            network.radius.tolist(),
            [(name, *one[:3]) for name, one in chosen.items()],
            network.triangles.tolist(),
            network.core.ribs,
        )
        self._flushes = Clock(read("flush", flush, positive("s")))
        self.steps_left = self._interval  #: to the next sample
        self.sample(simulation)

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or issubclass(kind, KeyboardInterrupt | _strand.SolverError):
            self.close()
        self._recorder = None

    @property
    def is_open(self) -> bool:
        return self._recorder is not None

    def _open(self) -> _strand.Recorder:
        if self._recorder is None:
            raise StrandError("recording: got one that is closed, allowed: one that is open")
        return self._recorder

    def sample(self, simulation: "Simulation") -> None:
        """Records the current state as one sample."""
        values = [np.ravel(one.read(simulation)).astype(float) for one in self._series]
        where = simulation.positions, simulation.directors
        checked(self._open().add, simulation.time, *map(np.ascontiguousarray, where), values)

    def advance(self, simulation: "Simulation", steps: int) -> None:
        """Takes samples and flushes when due. Called after `steps` steps of the simulation."""
        self.steps_left -= steps
        if self.steps_left <= 0:
            self.steps_left = self._interval
            self.sample(simulation)
        if self._flushes.due():
            with self._flushes.work():
                checked(self._open().flush)

    def close(self) -> None:
        """Writes the file and ends the recording."""
        if self._recorder is not None:
            checked(self._recorder.close)
            self._recorder = None


def _series(name: str, simulation: "Simulation") -> dict[str, _Series]:
    """The series that a name of SERIES denotes, by their names in the file."""
    one = SERIES[name]
    if isinstance(one, _Series):
        return {name: one}
    if one.count(simulation) == 0:
        raise StrandError(f"series: got {name}, allowed: only if {one.things} were added")
    series = {}
    for index in range(one.count(simulation)):
        for part, (what, unit) in enumerate(((one.place, "m"), ("rotation", "rad"))):
            read_part = partial(_part_of, one.read, index, part)
            series[f"{one.thing}{index}_{what}"] = _Series(unit, "network", 3, read_part)
    return series


def _part_of(
    pose: Callable[["Simulation", int], np.ndarray], index: int, part: int, simulation: "Simulation"
) -> np.ndarray:
    return pose(simulation, index)[part]
