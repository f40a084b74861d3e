"""Checks of the arguments of painters. Errors name the argument."""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from strand.draw.plotting import COLORS
from strand.errors import StrandError


def array(
    name: str, given: ArrayLike, shape: tuple[int | None, ...], stacked: bool = False
) -> np.ndarray:
    """Finite numbers of a shape, in which None is any length > 0.

    stacked: a stack of such arrays, shape (n, *shape); one array becomes a stack of one.
    """
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{name}: got {given!r}, allowed: numbers of shape {shape}") from None
    if stacked and values.ndim == len(shape):
        values = values[np.newaxis]
    tail = values.shape[1:] if stacked else values.shape
    fits = [n == m or (m is None and n > 0) for n, m in zip(tail, shape, strict=False)]
    if len(tail) != len(shape) or not all(fits) or (stacked and len(values) == 0):
        raise StrandError(f"{name}: got shape {np.shape(given)}, allowed: {shape}")
    if not np.isfinite(values).all():
        raise StrandError(f"{name}: got nan or inf, allowed: finite numbers")
    return values


def cells(name: str, given: np.ndarray, corners: int, nodes: int) -> np.ndarray:
    """Indices of nodes, shape (number of cells, corners), checked."""
    indices = np.asarray(given)
    rows = indices.ndim == 2 and indices.shape[1] == corners
    if not rows or not np.issubdtype(indices.dtype, np.integer):
        got = f"{indices.dtype} {indices.shape}"
        raise StrandError(f"{name}: got {got}, allowed: integers (number, {corners})")
    if indices.size and (indices.min() < 0 or indices.max() >= nodes):
        wrong = indices[((indices < 0) | (indices >= nodes)).any(axis=1)][0]
        raise StrandError(f"{name}: got {wrong.tolist()}, allowed: nodes 0 to {nodes - 1}")
    return indices


def radii(name: str, given: ArrayLike, count: int) -> np.ndarray:
    """Radii (count,), from one number for all, or one each."""
    values = array(name, np.full(count, given) if np.ndim(given) == 0 else given, (count,))
    if not (values > 0).all():
        raise StrandError(f"{name}: got {values.min()}, allowed: numbers > 0")
    return values


def parts(name: str, given: ArrayLike | None, corners: np.ndarray, nodes: int) -> np.ndarray:
    """The part of each cell: as given, or, if None, the connected parts numbered from 0."""
    if given is not None:
        if np.shape(given) != (len(corners),):
            raise StrandError(f"{name}: got shape {np.shape(given)}, allowed: ({len(corners)},)")
        return np.asarray(given)
    steps = np.stack([corners[:, :-1].ravel(), corners[:, 1:].ravel()])
    links = scipy.sparse.coo_array((np.ones(steps.shape[1]), steps), shape=(nodes, nodes))
    part = scipy.sparse.csgraph.connected_components(links, directed=False)[1][corners[:, 0]]
    return np.unique(part, return_inverse=True)[1]


def colors(name: str, color: ArrayLike | None, part: np.ndarray) -> np.ndarray:
    """RGBA of every cell, float32 (cells, 4).

    color: one RGB(A) for all, one each, or None: one colour of the palette per part.
    """
    import matplotlib.colors

    if color is None:
        palette = matplotlib.colors.to_rgba_array(COLORS)
        return palette[part % len(palette)].astype(np.float32)
    try:
        values = np.asarray(color, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{name}: got {color!r}, allowed: RGB(A), one or one each") from None
    if values.shape not in [(*n, c) for n in ((), (len(part),)) for c in (3, 4)]:
        raise StrandError(f"{name}: got shape {values.shape}, allowed: RGB(A), one or one each")
    if not ((values >= 0) & (values <= 1)).all():
        raise StrandError(f"{name}: got numbers out of range, allowed: 0 to 1")
    rgba = np.ones((len(part), 4), dtype=np.float32)
    rgba[:, : values.shape[-1]] = values
    return rgba
