"""Planar obstacles (strand.vine) as MuJoCo geoms."""

import xml.etree.ElementTree as ET

import numpy as np
from numpy.typing import ArrayLike

from strand.vine import Obstacle

_SQUARE = 1e-9  # largest cosine of a corner that counts as a right angle


def write(
    obstacle: Obstacle, parent: ET.Element, asset: ET.Element, name: str, height: float
) -> ET.Element:
    """Adds an obstacle's geom to a body, and its mesh, if it has one, to the assets.

    A disc becomes a cylinder, a rectangle a box, any other polygon a mesh. height: m, half of it
    above the plane.
    """
    geom = ET.SubElement(parent, "geom", name=name)
    if obstacle.shape == "circle":
        geom.set("type", "cylinder")
        geom.set("size", text((obstacle.radius, height / 2)))
        geom.set("pos", text((*obstacle.centre, 0)))
        return geom
    corners = np.asarray(obstacle.vertices)
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(edges, axis=1)
    cosines = np.sum(edges * np.roll(edges, -1, axis=0), axis=1) / (lengths * np.roll(lengths, -1))
    if len(corners) == 4 and (np.abs(cosines) < _SQUARE).all():
        geom.set("type", "box")
        geom.set("size", text((*lengths[:2] / 2, height / 2)))
        geom.set("pos", text((*corners.mean(axis=0), 0)))
        geom.set("quat", text(turn(np.arctan2(edges[0, 1], edges[0, 0]))))
        return geom
    # MuJoCo uses the convex hull of the vertices, so that no faces are needed.
    prism = [[*corner, z] for z in (-height / 2, height / 2) for corner in corners]
    ET.SubElement(asset, "mesh", name=name, vertex=text(np.ravel(prism)), inertia="convex")
    geom.set("type", "mesh")
    geom.set("mesh", name)
    return geom


def text(numbers: ArrayLike) -> str:
    """Numbers as an MJCF attribute, without rounding."""
    return " ".join(repr(float(number)) for number in np.atleast_1d(numbers))


def turn(angle: float) -> tuple[float, float, float, float]:
    """The quaternion of a rotation about z."""
    return (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))
