"""Meshes of balls, capsules, cylinders, boxes and height fields."""

import functools
from typing import TypeAlias

import numpy as np
import scipy

#: Vertices (V, 3; m) and triangles (F, 3).
Mesh: TypeAlias = tuple[np.ndarray, np.ndarray]

_FEW = 200  # copies up to which round shapes are fine
_CREASE = 35.0  # degrees: edges that are sharper are drawn sharp


def ball(copies: int) -> Mesh:
    """A ball of radius 1, coarser if it has many copies."""
    return _ball(3 if copies <= _FEW else 2)


def cylinder(copies: int) -> Mesh:
    """A cylinder along z of radius 1, from -1 to 1."""
    return _cylinder(32 if copies <= _FEW else 16)


def tube(copies: int) -> Mesh:
    """A cylinder along z of radius 1 and length 1 without ends."""
    return _turned(np.ones(2), np.array([-0.5, 0.5]), 24 if copies <= _FEW else 12)


def _turned(radius: np.ndarray, z: np.ndarray, sides: int) -> Mesh:
    """The surface of a line (n,), from below upwards, that is turned about z."""
    angle = np.arange(sides) * 2 * np.pi / sides
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(sides)])
    rings = radius[:, None, None] * circle + z[:, None, None] * [0, 0, 1.0]
    corner = np.arange(len(z) * sides).reshape(len(z), sides)
    following = np.roll(corner, -1, axis=1)
    a, b, c, d = (some.ravel() for some in (corner[:-1], following[:-1], following[1:], corner[1:]))
    return rings.reshape(-1, 3), np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])


@functools.cache
def box() -> Mesh:
    """A box from -1 to 1 along each axis."""
    import trimesh

    made = trimesh.creation.box(extents=(2, 2, 2))
    return creased(made.vertices, made.faces)


def capsule(radius: float, half: float, copies: int) -> Mesh:
    """A capsule along z. half: half the length (m) of its cylinder."""
    sides, rings = (24, 7) if copies <= _FEW else (12, 4)
    angle = np.linspace(0, np.pi / 2, rings)
    z = np.concatenate([-half - radius * np.cos(angle), half + radius * np.sin(angle)])
    r = radius * np.concatenate([np.sin(angle), np.cos(angle)])
    return _turned(r, z, sides)


@functools.cache
def _ball(subdivisions: int) -> Mesh:
    import trimesh

    made = trimesh.creation.icosphere(subdivisions=subdivisions)
    return np.array(made.vertices), np.array(made.faces)


@functools.cache
def _cylinder(sides: int) -> Mesh:
    import trimesh

    made = trimesh.creation.cylinder(radius=1, height=2, sections=sides)
    return creased(made.vertices, made.faces)


def creased(vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    """The mesh with vertices at sharp edges doubled: browsers smooth over shared vertices."""
    import trimesh

    size = float(np.ptp(vertices, axis=0).max(initial=0)) or 1.0
    whole = trimesh.Trimesh(vertices / size, triangles, process=False)
    whole.merge_vertices()
    count, flat = len(whole.faces), whole.face_adjacency_angles < np.radians(_CREASE)
    smooth = whole.face_adjacency[flat]
    graph = scipy.sparse.coo_array((np.ones(len(smooth)), smooth.T), shape=(count, count))
    face = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
    pairs = np.column_stack([whole.faces.ravel(), np.repeat(face, 3)])
    split, corners = np.unique(pairs, axis=0, return_inverse=True)
    return size * np.array(whole.vertices)[split[:, 0]], corners.reshape(-1, 3)


def height_field(heights: np.ndarray, size: np.ndarray) -> Mesh:
    """The upper side of MuJoCo's height field.

    heights: (rows along y, columns along x), 0 to 1. size: half lengths along x and y, height (m).
    """
    rows, columns = heights.shape
    x, y = np.linspace(-size[0], size[0], columns), np.linspace(-size[1], size[1], rows)
    across, along = np.meshgrid(x, y)
    vertices = np.stack([across, along, size[2] * heights], axis=-1).reshape(-1, 3)
    corner = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (
        some.ravel()
        for some in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1])
    )
    return vertices, np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
