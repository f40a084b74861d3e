"""Scenes of the core, growing robots and recordings as films: positions that the window plays."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import mujoco
import numpy as np

from strand._strand import Film, SolverError
from strand.draw.drawing_input import colors, parts
from strand.draw.rod_render import Facets, Obstacle
from strand.draw.stage import set_stage
from strand.simulation.obstacle_drawing import beside, drawn, facets, rigid
from strand.simulation.simulation import Simulation
from strand.viewer.opened import Opened
from strand.vine.robot import Robot

#: Time (s), positions of the nodes (N, 3; m), poses of the solids (K, 7; m, w x y z), values of the
#: plots.
Sample: TypeAlias = tuple[float, np.ndarray, np.ndarray, list[float]]

_STRING_RGBA = np.array([[0.85, 0.6, 0.1, 1.0]], np.float32)
_STRING = 0.2  # radius of a tendon, in radii of the thinnest part
_LONGEST = 2000  # links that a growing robot can have in the window


class _Network:
    """The drawn parts of a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        network = simulation.network
        shown = np.full(network.edge_count, True)
        shown[network.core.ribs] = False
        edges, triangles = network.edge_nodes[shown], network.triangles
        radius, count = network.radius[shown], len(simulation.positions)
        rods = parts("rods", None, edges, count)
        shells = len(np.unique(rods)) + parts("shells", None, triangles, count)
        edge_rgba, triangle_rgba = colors("rods", None, rods), colors("shells", None, shells)
        # Obstacle meshes and tendons follow the nodes of the network.
        self._meshes = list(network.obstacle_meshes)
        for mesh in self._facets():
            triangles = np.vstack([triangles, np.asarray(mesh.triangles) + count])
            rgba = np.tile(np.asarray(mesh.rgba, np.float32), (len(mesh.triangles), 1))
            triangle_rgba = np.vstack([triangle_rgba, rgba])
            count += len(mesh.vertices)
        widths = [*network.radius, *network.thickness]
        for path in self._strings():
            links = count + np.column_stack([np.arange(len(path) - 1), np.arange(1, len(path))])
            edges, count = np.vstack([edges, links]), count + len(path)
            radius = np.append(radius, np.full(len(links), _STRING * min(widths, default=5e-3)))
            edge_rgba = np.vstack([edge_rgba, np.repeat(_STRING_RGBA, len(links), axis=0)])
        self.edges, self.radius, self.edge_rgba = edges, radius, edge_rgba
        self.triangles, self.triangle_rgba = triangles, triangle_rgba
        self._first = simulation.positions

    def _facets(self) -> list[Facets]:
        places = [self._simulation.mesh_vertices(mesh) for mesh in self._meshes]
        return [mesh for mesh in facets(self._meshes, places) if isinstance(mesh, Facets)]

    def _strings(self) -> list[np.ndarray]:
        where = self._simulation.positions, self._simulation.directors
        return [tendon.points(*where) for tendon in self._simulation.tendons]

    def floor(self) -> float | None:
        shapes, poses = self._simulation.obstacles, self._simulation.obstacle_poses
        return drawn(shapes, poses, self._first)["floor"]

    def solids(self) -> list[Obstacle]:
        """Obstacles and rigid bodies at their present poses."""
        simulation = self._simulation
        shapes, poses = simulation.obstacles, simulation.obstacle_poses
        bodies = rigid(simulation.network.bodies, simulation.positions)
        return [*beside(shapes, poses, self._first), *bodies]

    def sample(self) -> Sample:
        meshes = [np.asarray(mesh.vertices) for mesh in self._facets()]
        places = [self._simulation.positions, *meshes, *self._strings()]
        return self._simulation.time, np.vstack(places), _poses(self.solids()), []


def of_simulation(simulation: Simulation, title: str) -> Opened:
    """A simulation, which is run as the film is played. It stays where the film ended."""
    shown = _Network(simulation)
    every = _steps(simulation.dt)

    def following() -> Iterator[Sample | str]:
        while True:
            try:
                simulation.run(every * simulation.dt)
            except SolverError as error:
                yield f"t = {simulation.time:.6g} s: {error}"
                return
            yield shown.sample()

    film = Film(
        shown.sample(),
        shown.edges,
        shown.radius.tolist(),
        shown.edge_rgba,
        shown.triangles,
        shown.triangle_rgba,
        careful(following()),
    )
    model = stage(shown.solids(), shown.floor(), every * simulation.dt)
    return Opened(model, mujoco.MjData(model), title, film)


def of_robot(robot: Robot, rate: Callable[[float], float], title: str) -> Opened:
    """A growing robot, which grows as the film is played, at `rate` of the time (m/s of s)."""
    every = _steps(robot.dt)

    def sample() -> Sample:
        line = robot.line[: _LONGEST + 1]
        points = np.zeros((_LONGEST + 1, 3))
        points[: len(line), :2] = line
        points[len(line) :, :2] = line[-1]  # links to come, of length 0
        return robot.time, points, np.zeros((0, 7)), []

    def following() -> Iterator[Sample | str]:
        while len(robot.line) <= _LONGEST + 1:
            for _ in range(every):
                report = robot.step(rate(robot.time))
                if not report.ok:
                    yield f"t = {robot.time:.6g} s: {robot.describe(report)}"
                    return
            yield sample()
        yield f"t = {robot.time:.6g} s: the window shows no more than {_LONGEST} links"

    links = np.column_stack([np.arange(_LONGEST), np.arange(1, _LONGEST + 1)]).astype(np.int32)
    rgba = colors("robot", None, np.zeros(_LONGEST, dtype=int))
    radius = [robot.diameter / 2] * _LONGEST
    none, no_colors = np.zeros((0, 3), dtype=int), np.zeros((0, 4), np.float32)
    film = Film(sample(), links, radius, rgba, none, no_colors, careful(following()))
    model = _walls(robot, every * robot.dt)
    return Opened(model, mujoco.MjData(model), title, film)


def of_samples(
    times: np.ndarray,
    positions: np.ndarray,
    edges: np.ndarray,
    radius: np.ndarray,
    triangles: np.ndarray | None = None,
    title: str = "recording",
) -> Opened:
    """A recording: positions (T, N, 3; m) of the nodes at `times` (s).

    edges: (E, 2) nodes, with their radius (E,) (m). triangles: (M, 3) nodes (default: none).
    """
    corners = np.zeros((0, 3), dtype=int) if triangles is None else triangles
    count, no_poses = positions.shape[1], np.zeros((0, 7))
    rods, shells = parts("edges", None, edges, count), parts("triangles", None, corners, count)
    samples: Iterator[Sample] = (
        (time, points, no_poses, []) for time, points in zip(times.tolist(), positions, strict=True)
    )
    film = Film(
        next(samples),
        edges,
        radius.tolist(),
        colors("edges", None, rods),
        corners,
        colors("triangles", None, len(np.unique(rods)) + shells),
        careful(samples),
    )
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    model = stage([], None, step)
    return Opened(model, mujoco.MjData(model), title, film)


def _steps(dt: float) -> int:
    """Steps of dt (s) from sample to sample: two samples for each frame of the window."""
    return max(1, round(1 / 120 / dt))


def careful(samples: Iterator[Sample | str]) -> Callable[[], Sample | str | None]:
    """A function for the window, which must not raise."""

    def following() -> Sample | str | None:
        try:
            return next(samples, None)
        except Exception as error:
            return f"{error}"

    return following


def _poses(solids: Sequence[Obstacle]) -> np.ndarray:
    rows = [np.append(solid.pos, _unit(np.asarray(solid.quat, dtype=float))) for solid in solids]
    return np.array(rows).reshape(-1, 7)


def _unit(quat: np.ndarray) -> np.ndarray:
    return quat / np.linalg.norm(quat)


def stage(solids: Sequence[Obstacle], floor: float | None, step: float) -> mujoco.MjModel:
    """Floor, light, sky, and the solids as mocap bodies."""
    spec = mujoco.MjSpec()
    set_stage(spec, floor)
    spec.option.timestep = step
    for solid in solids:
        body = spec.worldbody.add_body(mocap=True, pos=solid.pos, quat=_unit(np.array(solid.quat)))
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{solid.kind.upper()}")
        size = np.append(solid.size, (0.05, 0.0, 0.0))[:3]
        body.add_geom(type=kind, size=size, rgba=solid.rgba, contype=0, conaffinity=0)
    return spec.compile()


def _walls(robot: Robot, step: float) -> mujoco.MjModel:
    """The stage of a robot: a floor, and its obstacles as walls as high as it is."""
    spec = mujoco.MjSpec()
    height = robot.diameter / 2
    set_stage(spec, -height)
    spec.option.timestep = step
    look = {"rgba": Obstacle("sphere", [1.0]).rgba, "contype": 0, "conaffinity": 0}
    for number, obstacle in enumerate(robot.obstacles):
        if obstacle.shape == "circle":
            size, pos = [obstacle.radius, height, 0], [*obstacle.centre, 0]
            kind = mujoco.mjtGeom.mjGEOM_CYLINDER
            spec.worldbody.add_geom(type=kind, size=size, pos=pos, **look)
            continue
        corners = np.asarray(obstacle.vertices)
        mesh = spec.add_mesh(name=f"wall{number}")
        sides = (np.column_stack([corners, np.full(len(corners), z)]) for z in (-height, height))
        mesh.uservert = np.vstack(list(sides)).ravel()
        kind = mujoco.mjtGeom.mjGEOM_MESH
        spec.worldbody.add_geom(type=kind, meshname=mesh.name, **look)
    return spec.compile()
