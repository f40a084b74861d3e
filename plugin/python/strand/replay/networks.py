"""Simulations of the core, growing robots and recordings, frame by frame."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from strand.draw.drawing_input import colors
from strand.draw.drawing_input import parts as connected
from strand.draw.heat import HeatScale, edge_curvature
from strand.draw.rod_render import Obstacle
from strand.errors import StrandError
from strand.replay import shapes
from strand.replay.camera import Angles
from strand.replay.looks import heat_scale
from strand.replay.parts import Ground, Instances, Part, Surface, still, tubes
from strand.simulation.network_drawing import drawn_edges
from strand.simulation.obstacle_drawing import beside, drawn, rigid
from strand.simulation.simulation import Simulation
from strand.vine.robot import Robot

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

CORE_COLORS = ("none", "curvature")  #: outside MuJoCo

_GREY = np.array([0.62, 0.64, 0.68, 1.0])
_FLOOR = np.array([0.78, 0.80, 0.82, 1.0])
_STRING_RGBA = np.array([0.85, 0.6, 0.1, 1.0])
_STRING = 0.2  # radius of a tendon, in radii of the thinnest part


@dataclasses.dataclass(frozen=True)
class _Frame:
    nodes: np.ndarray  # (N, 3)
    meshes: list[np.ndarray]  # vertices of obstacle meshes
    # More may be added during the run:
    tendons: dict[int, np.ndarray]  # points
    solids: dict[tuple[str, int], Obstacle]


class NetworkScene:
    """The drawn parts of a simulation: all but ribs."""

    angles = Angles()

    def __init__(self, simulation: Simulation, color: str) -> None:
        check_color(color, *CORE_COLORS)
        self._simulation, self._color = simulation, color
        self._first = simulation.positions

    def time(self, simulation: Simulation) -> float:
        if simulation is not self._simulation:
            raise StrandError(f"state: got {simulation!r}, allowed: the simulation itself")
        return simulation.time

    def take(self, simulation: Simulation) -> _Frame:
        where = simulation.positions, simulation.directors
        if not np.isfinite(where[0]).all():
            got = f"NaN or infinity in its positions at t = {simulation.time:.6g} s"
            raise StrandError(f"simulation: got {got}, allowed: finite numbers")
        return _Frame(
            where[0].astype(np.float32),
            [simulation.mesh_vertices(mesh) for mesh in simulation.network.obstacle_meshes],
            dict(enumerate(one.points(*where).astype(np.float32) for one in simulation.tendons)),
            self._solids(simulation),
        )

    def _solids(self, simulation: Simulation) -> dict[tuple[str, int], Obstacle]:
        """Obstacles, except floors that rest, and rigid bodies."""
        bodies = rigid(simulation.network.bodies, simulation.positions)
        found = {("body", k): body for k, body in enumerate(bodies)}
        shapes_, poses = simulation.obstacles, simulation.obstacle_poses
        for k in range(len(shapes_)):
            for shape in beside(shapes_[k : k + 1], poses[k : k + 1], self._first):
                found["obstacle", k] = shape
        return found

    def parts(self, frames: Sequence[_Frame]) -> tuple[list[Part], HeatScale | None]:
        network = self._simulation.network
        shown = drawn_edges(network)
        nodes = np.stack([one.nodes for one in frames])
        edges, radius = network.edge_nodes[shown], network.radius[shown]
        parts, scale = network_parts(nodes, edges, radius, network.triangles, self._color)
        parts += [*self._meshes(frames), *self._strings(frames), *self._floor()]
        for solids in _courses([one.solids for one in frames]):
            parts += _solid(solids)
        return parts, scale

    def _meshes(self, frames: Sequence[_Frame]) -> Iterator[Surface]:
        for k, mesh in enumerate(self._simulation.network.obstacle_meshes):
            vertices = still(np.stack([one.meshes[k] for one in frames]).astype(np.float32))
            yield Surface("obstacle", vertices, np.asarray(mesh.triangles), _GREY)

    def _strings(self, frames: Sequence[_Frame]) -> Iterator[Instances]:
        network = self._simulation.network
        width = _STRING * min([*network.radius, *network.thickness], default=5e-3)
        for points in _courses([one.tendons for one in frames]):
            yield from _line("tendon", np.stack(points), width, _STRING_RGBA)

    def _floor(self) -> Iterator[Ground]:
        shapes_, poses = self._simulation.obstacles, self._simulation.obstacle_poses
        height = drawn(shapes_, poses, self._first)["floor"]
        if height is not None:
            yield _ground(height)


def check_color(color: str, *allowed: str) -> None:
    """Raises StrandError unless outside MuJoCo colours can show this."""
    if color not in allowed:
        raise StrandError(f"color: got {color!r}, allowed here: {', '.join(allowed)}")


def network_parts(
    nodes: np.ndarray, edges: np.ndarray, radius: np.ndarray, triangles: np.ndarray, color: str
) -> tuple[list[Part], HeatScale | None]:
    """Rods and shells, and the scale of the rods' colours.

    nodes: (T, N, 3; m). edges: (E, 2), of these radii (E,) (m). triangles: (M, 3). color: "none",
    a colour for each connected part; or "curvature", of rods.
    """
    count, scale = nodes.shape[1], None
    rods, shells = (
        connected(name, None, cells, count) if len(cells) else np.zeros(0, dtype=int)
        for name, cells in (("edges", edges), ("triangles", triangles))
    )
    rgba = colors("edges", None, rods)[None]
    if color == "curvature" and len(edges):
        values = np.stack([edge_curvature(one.astype(float), edges) for one in nodes])
        scale = heat_scale(color, values)
        rgba = scale.colors(values.ravel()).reshape(*values.shape, 4)
    pieces = shapes.ball(len(edges)), shapes.tube(len(edges))
    parts: list[Part] = [*tubes("rods", nodes, edges, radius, rgba, pieces)]
    for shell in np.unique(shells):
        cells = triangles[shells == shell]
        used, places = np.unique(cells, return_inverse=True)
        own = colors("triangles", None, np.array([len(np.unique(rods)) + shell]))[0]
        vertices = still(nodes[:, used].astype(np.float32))
        parts.append(Surface("shell", vertices, places.reshape(cells.shape), own))
    return parts, scale


class RobotScene:
    """A growing robot among walls as high as it is."""

    angles = Angles()

    def __init__(self, robot: Robot, color: str) -> None:
        check_color(color, "none")
        self._robot = robot

    def time(self, robot: Robot) -> float:
        return robot.time

    def take(self, robot: Robot) -> np.ndarray:
        return robot.line.astype(np.float32)

    def parts(self, frames: Sequence[np.ndarray]) -> tuple[list[Part], None]:
        longest, height = max(map(len, frames)), self._robot.diameter / 2
        lines = [np.vstack([one, np.repeat(one[-1:], longest - len(one), 0)]) for one in frames]
        points = np.pad(np.stack(lines), ((0, 0), (0, 0), (0, 1)))  # links to come: of length 0
        rgba = colors("robot", None, np.array([0]))[0]
        line = _line("robot", points, height, rgba)
        return [*line, *self._walls(height), _ground(-height)], None

    def _walls(self, height: float) -> Iterator[Part]:
        import trimesh

        for obstacle in self._robot.obstacles:
            if obstacle.shape == "circle":
                solid = Obstacle("cylinder", [obstacle.radius, height], [*obstacle.centre, 0])
                yield from _solid([solid])
                continue
            corners = np.asarray(obstacle.vertices)
            flat = np.pad(corners, ((0, 0), (0, 1)), constant_values=height)
            hull = trimesh.convex.convex_hull(np.vstack([flat, flat * [1, 1, -1]]))
            vertices, triangles = shapes.creased(hull.vertices, hull.faces)
            yield Surface("wall", vertices[None].astype(np.float32), triangles, _GREY)


def _line(name: str, points: np.ndarray, width: float, rgba: np.ndarray) -> Iterator[Instances]:
    """A rod through points (T, P, 3; m) of one radius (m) and colour."""
    count = points.shape[1] - 1
    links = np.column_stack([np.arange(count), np.arange(1, count + 1)])
    pieces = shapes.ball(count), shapes.tube(count)
    look = np.tile(rgba, (1, count, 1))
    yield from tubes(name, points, links, np.full(count, width), look, pieces)


def _courses(frames: Sequence[Mapping[_Key, _Value]]) -> Iterator[list[_Value]]:
    """The values of each key in all frames; before a key is there, its first value."""
    last: dict[_Key, _Value] = {}
    for one in reversed(frames):
        last |= one
    for key, value in last.items():
        yield [value := one.get(key, value) for one in frames]


def _solid(frames: Sequence[Obstacle]) -> Iterator[Part]:
    """An obstacle or a body, whose kind and size are the same in all frames."""
    solid = frames[0]
    poses = np.array([[*one.pos, *_unit(one.quat)] for one in frames])
    if solid.kind == "plane":
        size = 2 * float(solid.size[0]), 2 * float(solid.size[1])
        yield Ground("wall", size, still(poses), np.asarray(solid.rgba))
        return
    mesh, scale = _shape(solid)
    moving = still(poses.astype(np.float32)[:, None])
    rgba = np.asarray(solid.rgba, np.float32)[None, None]
    scales = np.array([[scale]], np.float32)
    yield Instances(solid.kind, mesh, moving[..., :3], moving[..., 3:], scales, rgba)


def _shape(solid: Obstacle) -> tuple[shapes.Mesh, list[float]]:
    size = [float(each) for each in solid.size]
    if solid.kind == "capsule":
        return shapes.capsule(size[0], size[1], 1), [1.0] * 3
    if solid.kind == "cylinder":
        return shapes.cylinder(1), [size[0], size[0], size[1]]
    if solid.kind == "box":
        return shapes.box(), size
    return shapes.ball(1), [size[0]] * 3


def _ground(height: float) -> Ground:
    return Ground("floor", (0.0, 0.0), np.array([[0, 0, height, 1, 0, 0, 0]]), _FLOOR)


def _unit(quat: Sequence[float] | np.ndarray) -> np.ndarray:
    values = np.asarray(quat, dtype=float)
    return values / np.linalg.norm(values)
