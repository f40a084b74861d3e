"""Rods, shells and loads as geoms in a scene of MuJoCo's renderer."""

from collections.abc import Mapping

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand.draw.drawing_input import array, cells, colors, parts, radii

_STRIPE = 0.3  # radius of the material director's line, in radii of the rod
_STRIPE_RGBA = np.array([0.96, 0.93, 0.75, 1], np.float32)
_BALL_RGBA = np.array([0.42, 0.43, 0.45, 1], np.float32)
_PALER = 0.4  # fraction of white in the colour of a triangle's back
_THROUGH = 0.45  # fraction of the light on one side of a triangle that is visible on the other
_LINE_PIXELS = 1.5
_LINE_RGBA = np.array([0.3, 0.3, 0.3, 0.4], np.float32)  # factor of the triangle's colour
_LIFT = 1.5e-3  # offset of lines towards the camera, as a fraction of the distance to it

_CAPSULE, _LINE = mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_LINE
_SPHERE, _TRIANGLE = mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_TRIANGLE
_ONES, _ZEROS, _UPRIGHT = np.ones(3), np.zeros(3), np.eye(3).ravel()


def next_geom(
    scene: mujoco.MjvScene,
    kind: mujoco.mjtGeom,
    size: np.ndarray,
    pos: np.ndarray,
    turned: np.ndarray,
    rgba: np.ndarray,
) -> mujoco.MjvGeom:
    """Adds a geom to the scene. turned: the nine numbers of its rotation matrix."""
    geom = scene.geoms[scene.ngeom]
    mujoco.mjv_initGeom(geom, kind, size, pos, turned, rgba)
    geom.category = mujoco.mjtCatBit.mjCAT_DYNAMIC  # decoration would cast no shadow
    scene.ngeom += 1
    return geom


def _add_connectors(
    scene: mujoco.MjvScene,
    kind: mujoco.mjtGeom,
    ends: np.ndarray,
    widths: np.ndarray,
    rgba: np.ndarray,
) -> None:
    for (begin, end), width, shade in zip(ends, widths, rgba, strict=True):
        geom = next_geom(scene, kind, _ZEROS, _ZEROS, _UPRIGHT, shade)
        mujoco.mjv_connector(geom, kind, width, begin, end)


class Rods:
    """Capsules along edges (E, 2) between `nodes` nodes; arguments as in RodPainter."""

    def __init__(
        self,
        nodes: int,
        edges: np.ndarray,
        radius: float | np.ndarray,
        color: ArrayLike | None,
        rod: ArrayLike | None,
    ) -> None:
        self._edges = cells("edges", edges, 2, nodes)
        self.radius = radii("radius", radius, len(self._edges))
        part = parts("rod", rod, self._edges, nodes)
        self._rgba = colors("color", color, part)
        self.count = np.max(part, initial=-1) + 1
        self.geoms = 2 * len(self._edges)

    def add(
        self,
        scene: mujoco.MjvScene,
        points: np.ndarray,
        scale: float,
        directors: np.ndarray | None,
    ) -> None:
        """Adds the rods at points. Directors, unless None, are drawn as a line along each edge."""
        radius, ends = scale * self.radius, points[self._edges]
        _add_connectors(scene, _CAPSULE, ends, radius, self._rgba)
        if directors is None:
            return
        m1 = array("directors", directors, (len(self._edges), 3))
        lines = ends + ((1 - _STRIPE / 2) * radius[:, np.newaxis] * m1)[:, np.newaxis]
        rgba = np.broadcast_to(_STRIPE_RGBA, (len(lines), 4))
        _add_connectors(scene, _CAPSULE, lines, _STRIPE * radius, rgba)


class Balls:
    """Balls with given radii (m) at some of `nodes` nodes."""

    def __init__(self, nodes: int, balls: Mapping[int, float]) -> None:
        places = np.array(list(balls), dtype=int)[:, np.newaxis]
        self._nodes = cells("balls", places, 1, nodes)[:, 0]
        self.radius = radii("balls", list(balls.values()), len(balls))
        self.geoms = len(balls)

    def add(self, scene: mujoco.MjvScene, points: np.ndarray, scale: float) -> None:
        for point, radius in zip(points[self._nodes], scale * self.radius, strict=True):
            next_geom(scene, _SPHERE, radius * _ONES, point, _UPRIGHT, _BALL_RGBA)


class Triangles:
    """Shells of `nodes` nodes, visible from both sides, with lines along the edges.

    corners: (T, 3), counter-clockwise around the normals; the back is paler. first_part: index of
    the first colour of the palette.
    """

    def __init__(
        self, nodes: int, corners: np.ndarray, color: ArrayLike | None, first_part: int
    ) -> None:
        self._corners = corners = cells("triangles", corners, 3, nodes)
        part = first_part + parts("triangles", None, corners, nodes)
        self._front = colors("triangle_color", color, part)
        self._back = self._front + _PALER * np.array([1, 1, 1, 0], np.float32) * (1 - self._front)
        pairs = np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        self._edges, first = np.unique(pairs, axis=0, return_index=True)
        self._line_rgba = _LINE_RGBA * self._front[first // 3]
        self.geoms = len(corners) + len(self._edges)

    def add(self, scene: mujoco.MjvScene, points: np.ndarray) -> None:
        eye = np.mean([camera.pos for camera in scene.camera], axis=0)
        corner, second, third = np.moveaxis(points[self._corners], 1, 0)
        u, v = second - corner, third - corner
        normal = np.cross(u, v)
        # The renderer lights only the side of the normal, which must therefore face the camera.
        away = np.einsum("ij,ij->i", eye - corner, normal)[:, np.newaxis] < 0
        u, v, normal = np.where(away, (v, u, -normal), (u, v, normal))
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
        # A triangle's sides are the first two columns of its matrix.
        matrices = np.stack([u, v, normal], axis=-1).reshape(-1, 9)
        rgba = np.where(away, self._back, self._front)
        suns = [light.dir for light in scene.lights[: scene.nlight] if not light.headlight]
        glow = _THROUGH * sum(np.maximum(normal @ sun, 0) for sun in suns)
        for origin, matrix, shade, own in zip(corner, matrices, rgba, glow, strict=True):
            next_geom(scene, _TRIANGLE, _ONES, origin, matrix, shade).emission = own
        ends = (points + _LIFT * (eye - points))[self._edges]
        widths = np.full(len(ends), _LINE_PIXELS)
        _add_connectors(scene, _LINE, ends, widths, self._line_rgba)
