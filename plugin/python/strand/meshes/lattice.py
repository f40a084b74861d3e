"""Triangles between the vertices of a lattice."""

import numpy as np

#: Vertices (N, 3) in m and triangles (T, 3).
Mesh = tuple[np.ndarray, np.ndarray]


def split_cells(number: np.ndarray) -> np.ndarray:
    """Two triangles for each cell of a lattice, split from (a + 1, b) to (a, b + 1); shape (T, 3).

    number: index of the vertex at each lattice point (A, B), -1 for none; triangles that lack a
    vertex are omitted. They are counter-clockwise if the second direction is counter-clockwise from
    the first.
    """
    corner, first, second = number[:-1, :-1], number[1:, :-1], number[:-1, 1:]
    lower = np.stack([corner, first, second], axis=-1)
    upper = np.stack([first, number[1:, 1:], second], axis=-1)
    triangles = np.stack([lower, upper], axis=2).reshape(-1, 3)
    return triangles[(triangles >= 0).all(axis=1)]


def numbered(present: np.ndarray) -> np.ndarray:
    """Consecutive indices of the vertices of a lattice; -1 where `present` is False."""
    return np.where(present, np.cumsum(present).reshape(present.shape) - 1, -1)


def flat(points: np.ndarray) -> np.ndarray:
    """Points (N, 2) of the plane z = 0 as points in space, shape (N, 3)."""
    return np.column_stack([points, np.zeros(len(points))])
