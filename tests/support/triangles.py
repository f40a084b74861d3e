"""Measures of triangle meshes."""

import numpy as np


def normals(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Normals of triangles, twice as long as their areas are large."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def area(vertices: np.ndarray, triangles: np.ndarray) -> float:
    return np.linalg.norm(normals(vertices, triangles), axis=1).sum() / 2


def least_angle(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """The smallest angle of any triangle, in degrees."""
    cosines = []
    for k in range(3):
        corner, u, v = (vertices[np.roll(triangles, -k, axis=1)[:, j]] for j in range(3))
        u, v = u - corner, v - corner
        cosines.append((u * v).sum(axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1))
    return float(np.degrees(np.arccos(np.max(cosines))))


def half_edges(triangles: np.ndarray) -> np.ndarray:
    """The sides of all triangles, in the direction of the triangles' orientation."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def edges(triangles: np.ndarray) -> np.ndarray:
    return np.unique(np.sort(half_edges(triangles), axis=1), axis=0)


def edge_lengths(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    ends = vertices[edges(triangles)]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)


def rim(triangles: np.ndarray) -> np.ndarray:
    """Edges of only one triangle, in its direction."""
    sides = half_edges(triangles)
    known = {tuple(side) for side in sides.tolist()}
    return np.array([side for side in sides.tolist() if tuple(side[::-1]) not in known])


def assert_disc(vertices: np.ndarray, triangles: np.ndarray) -> None:
    """Checks for one piece with one rim and a consistent orientation of all triangles."""
    assert vertices.shape == (len(vertices), 3) and triangles.shape == (len(triangles), 3)
    np.testing.assert_array_equal(np.unique(triangles), np.arange(len(vertices)))
    sides = half_edges(triangles)
    assert len(np.unique(sides, axis=0)) == len(sides)  # each direction of an edge once
    assert len(vertices) - len(edges(triangles)) + len(triangles) == 1
    following = dict(rim(triangles).tolist())
    assert sorted(following) == sorted(following.values())
    assert len(following) == len(rim(triangles))
    loop = [next(iter(following))]
    while following[loop[-1]] != loop[0]:
        loop.append(following[loop[-1]])
    assert len(loop) == len(following)
