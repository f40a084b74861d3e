"""Frames of a legacy cable's links: the moving frame of MuJoCo's composite.

The first link's normal lies in the plane of the first two links. Each vertex then rotates it about
the vertex's binormal. If the first two links are aligned, this plane is undefined: MuJoCo computed
a quaternion from the tangent alone, for this and all further links. The conversion reproduces this,
since users' code and keyframes depend on the orientations.
"""

import dataclasses
import math

import numpy as np

_TINY = 1e-14  # MuJoCo does not normalise shorter vectors

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


@dataclasses.dataclass
class Link:
    """One link: its length, and its pose in the frame of the previous link (the first link: in the
    frame of the body that carries the cable, without the cable's offset)."""

    length: float  #: m
    pos: Vector  #: m
    quat: Quaternion


def links(vertices: np.ndarray) -> list[Link]:
    """The links between the vertices (n + 1, 3), float32 in m."""
    # MuJoCo subtracts in single precision.
    edges: list[Vector] = [(float(x), float(y), float(z)) for x, y, z in np.diff(vertices, axis=0)]
    tangents = [_unit(edge) for edge in edges]
    first = tangents[1] if len(edges) > 1 else (0.0, 0.0, 0.0)
    normal = _unit(_cross(_unit(_cross(tangents[0], first)), tangents[0]))
    made: list[Link] = []
    previous: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for index, (edge, tangent) in enumerate(zip(edges, tangents, strict=True)):
        if index:
            normal = _unit(_carry(normal, tangents[index - 1], tangent))
        binormal = _unit(_cross(tangent, normal))
        quat = _quaternion(tangent, normal, binormal)
        if index:
            inverse = (previous[0], -previous[1], -previous[2], -previous[3])
            link = Link(_length(edge), (made[-1].length, 0.0, 0.0), _product(inverse, quat))
        else:
            x, y, z = map(float, vertices[0])
            link = Link(_length(edge), (x, y, z), quat)
        made.append(link)
        previous = quat
    return made


def _cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _length(a: Vector) -> float:
    return math.sqrt(_dot(a, a))


def _unit(a: Vector) -> Vector:
    length = _length(a)
    if length < _TINY:
        return a
    return (a[0] / length, a[1] / length, a[2] / length)


def _carry(normal: Vector, before: Vector, after: Vector) -> Vector:
    """The normal, rotated by the smallest rotation from one tangent to the next."""
    binormal = _cross(before, after)
    angle = math.atan2(_length(binormal), _dot(before, after))
    axis = _unit(binormal)
    if angle == 0 or not any(normal):
        return normal
    # Rodrigues' formula.
    cosine, sine = math.cos(angle), math.sin(angle)
    across, along = _cross(axis, normal), _dot(axis, normal) * (1 - cosine)
    parts = zip(normal, across, axis, strict=True)
    x, y, z = (cosine * n + sine * c + along * a for n, c, a in parts)
    return (x, y, z)


def _quaternion(x: Vector, y: Vector, z: Vector) -> Quaternion:
    """The quaternion of the frame with these axes, from the largest of its four components. Axes
    may be zero if the first two links are aligned."""
    squares = (
        1 + x[0] + y[1] + z[2],
        1 + x[0] - y[1] - z[2],
        1 - x[0] + y[1] - z[2],
        1 - x[0] - y[1] + z[2],
    )
    sums = {
        (0, 1): y[2] - z[1],
        (0, 2): z[0] - x[2],
        (0, 3): x[1] - y[0],
        (1, 2): y[0] + x[1],
        (1, 3): z[0] + x[2],
        (2, 3): z[1] + y[2],
    }
    if x[0] + y[1] + z[2] > 0:
        largest = 0
    elif x[0] > y[1] and x[0] > z[2]:
        largest = 1
    else:
        largest = 2 if y[1] > z[2] else 3
    root = math.sqrt(squares[largest])
    parts = [
        root / 2 if i == largest else sums[min(i, largest), max(i, largest)] / (2 * root)
        for i in range(4)
    ]
    norm = math.sqrt(sum(part * part for part in parts))
    return (parts[0] / norm, parts[1] / norm, parts[2] / norm, parts[3] / norm)


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
