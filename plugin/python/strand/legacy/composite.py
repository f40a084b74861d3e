"""Reads the old element `<composite type="cable">`, with the checks of MuJoCo 3.17."""

import dataclasses
import math
import re
from typing import Any, TypeAlias

import numpy as np

from strand.legacy.tree import Tree
from strand.legacy.xml_source import Element

PLUGIN = "mujoco.elasticity.cable"
PLUGIN_KEYS = ("twist", "bend", "flat", "vmax", "law")

GEOM_TYPES = ("capsule", "cylinder", "box")
_CURVES = ("s", "cos(s)", "sin(s)", "0")
_INITIAL = ("none", "free", "ball")
_BOOL = ("true", "false")

#: Attribute: type of value, and largest number of values.
Kinds: TypeAlias = dict[str, tuple[type[Any], int]]

GEOM: Kinds = {
    "type": (str, 1),
    "size": (float, 3),
    "contype": (int, 1),
    "conaffinity": (int, 1),
    "condim": (int, 1),
    "group": (int, 1),
    "priority": (int, 1),
    "friction": (float, 3),
    "solmix": (float, 1),
    "solref": (float, 2),
    "solimp": (float, 5),
    "margin": (float, 1),
    "gap": (float, 1),
    "material": (str, 1),
    "rgba": (float, 4),
    "mass": (float, 1),
    "density": (float, 1),
    "adhesion": (float, 1),
    "surfacevel": (float, 6),
}
_SITE: Kinds = {"size": (float, 3), "group": (int, 1), "material": (str, 1), "rgba": (float, 4)}
JOINT: Kinds = {
    "kind": (str, 1),
    "group": (int, 1),
    "stiffness": (float, 1),
    "range": (float, 2),
    "margin": (float, 1),
    "armature": (float, 1),
    "damping": (float, 1),
    "frictionloss": (float, 1),
    "solreflimit": (float, 2),
    "solimplimit": (float, 5),
    "solreffriction": (float, 2),
    "solimpfriction": (float, 5),
}
# Attributes that MuJoCo 3.17 reads, without effect on a cable's joints.
IDLE_JOINT: Kinds = {
    "type": (str, 1),
    "axis": (float, 3),
    "limited": (str, 1),
    "solreffix": (float, 2),
    "solimpfix": (float, 5),
}
SKIN: Kinds = {
    "texcoord": (str, 1),
    "material": (str, 1),
    "rgba": (float, 4),
    "inflate": (float, 1),
    "subgrid": (int, 1),
    "group": (int, 1),
}
_CABLE = ("prefix", "type", "count", "offset", "quat", "curve", "initial", "size", "vertex")
# Attributes of the element in older versions of MuJoCo, without effect on cables.
_IDLE_CABLE = ("flatinertia", "solrefsmooth", "solimpsmooth")
_CHILDREN = ("joint", "geom", "site", "skin", "plugin")


@dataclasses.dataclass
class LegacyCable:
    """A cable as the old element describes it. Attributes are kept as the text in the file."""

    element: Element
    prefix: str
    vertices: np.ndarray  #: (n + 1, 3), float32 as in MuJoCo (m)
    offset: list[float]  #: m
    initial: str  #: joint of the first link: none, free or ball
    geom: dict[str, str]
    size: list[float]  #: of the geom (m)
    joint: dict[str, str]
    site: dict[str, str]
    skin: dict[str, str]
    plugin: Element | None  #: the elasticity; None for a cable without
    ignored: list[str]  #: attributes and elements that never had an effect

    @property
    def links(self) -> int:
        return len(self.vertices) - 1

    def link_name(self, kind: str, index: int) -> str:
        """Name of a body (kind "B") or joint ("J") of the cable."""
        last = index == self.links - 1
        number = "first" if index == 0 else "last" if last else str(index)
        return f"{self.prefix}{kind}_{number}"

    @property
    def skin_subgrid(self) -> int:
        return max(0, int(self.skin.get("subgrid", "0")))


def numbers(element: Element, name: str, most: int, least: int = 0) -> list[float]:
    """The numbers of an attribute; an empty list if it is not given."""
    return _values(element, name, float, most, least)


def counts(element: Element, of: str) -> list[int]:
    """The attribute count of a chain: N, or N 1 1."""
    count = [int(n) for n in _values(element, "count", int, 3)] or [1]
    if min(count) < 1 or max(count[1:], default=1) > 1:
        element.reject("count", repr(element.get("count")), f"N 1 1: number of {of}, N > 1")
    return count


def read_composite(tree: Tree, element: Element) -> LegacyCable:
    """Reads a cable composite.

    Raises StrandError, which names file, line, attribute, value and the allowed values.
    """
    kind = element.get("type")
    if kind != "cable":
        element.reject(
            "composite type", repr(kind), "cable, rope, loop (no other composite is converted)"
        )
    ignored = check_names(element, _CABLE, _IDLE_CABLE)
    children: dict[str, Element] = {}
    for child in tree.children(element):
        if child.tag not in _CHILDREN:
            child.reject("element in composite", f"<{child.tag}>", ", ".join(_CHILDREN))
        if child.tag in children and child.tag != "plugin":
            child.reject("composite", f"<{child.tag}> twice", "once")
        children.setdefault(child.tag, child)
    geom = children.get("geom", element)
    joint = children.get("joint")
    if joint and joint.get("kind") != "main":
        joint.reject("kind", repr(joint.get("kind")), "main")
    for part, known, idle in (
        (children.get("geom"), GEOM, {}),
        (joint, JOINT, IDLE_JOINT),
        (children.get("site"), _SITE, {}),
        (children.get("skin"), SKIN, {}),
    ):
        if part:
            ignored += check_attributes(part, known, idle)
    initial = element.get("initial", "ball")
    if initial == "fixed":  # in MuJoCo's own coil.xml; versions that accept it use a ball joint
        initial = "ball"
        ignored.append("initial fixed")
    if initial not in _INITIAL:
        element.reject("initial", repr(initial), ", ".join(_INITIAL))
    _check_skin(children.get("skin"))

    def attributes(tag: str) -> dict[str, str]:
        return dict(children[tag].attributes) if tag in children else {}

    return LegacyCable(
        element=element,
        prefix=element.get("prefix"),
        vertices=_vertices(element),
        offset=numbers(element, "offset", 3, 3) or [0.0, 0.0, 0.0],
        initial=initial,
        geom=attributes("geom"),
        size=_geom_size(geom, attributes("geom").get("type")),
        joint={name: attributes("joint")[name] for name in attributes("joint") if name in JOINT},
        site=attributes("site"),
        skin=attributes("skin"),
        plugin=children.get("plugin"),
        ignored=ignored,
    )


def _values(element: Element, name: str, kind: type[Any], most: int, least: int = 0) -> list[Any]:
    text = element.get(name)
    words = text.split()
    try:
        values = [kind(word) for word in words]
    except ValueError:
        values = [math.nan]
    bounded = least <= len(values) <= most or not values
    if not bounded or not all(math.isfinite(value) for value in values):
        word = "whole number" if kind is int else "number"
        count = f"{most} {word}s" if least == most else f"up to {most} {word}s"
        element.reject(name, repr(text), count if most > 1 else f"one {word}")
    return values


def check_names(element: Element, known: tuple[str, ...], idle: tuple[str, ...]) -> list[str]:
    for name in element.attributes:
        if name not in known and name not in idle:
            element.reject(f"attribute of <{element.tag}>", name, ", ".join(known))
    return [f"{name} of <{element.tag}>" for name in element.attributes if name in idle]


def check_attributes(element: Element, known: Kinds, idle: Kinds) -> list[str]:
    ignored = check_names(element, tuple(known), tuple(idle))
    for name in element.attributes:
        kind, most = (known | idle)[name]
        if kind is not str:
            _values(element, name, kind, most)
    return ignored


def _check_skin(skin: Element | None) -> None:
    if skin is None:
        return
    if skin.get("texcoord", "false") not in _BOOL:
        skin.reject("texcoord", repr(skin.get("texcoord")), "true or false")
    if not 0 <= int(skin.get("group", "0")) <= 5:
        skin.reject("group", skin.get("group"), "0 to 5")


def _geom_size(geom: Element, kind: str | None) -> list[float]:
    if kind not in GEOM_TYPES:
        geom.reject("type of the cable's geom", repr(kind), ", ".join(GEOM_TYPES))
    size = numbers(geom, "size", 3)
    used = size[1:] if kind == "box" else size[:1]
    if len(used) != (2 if kind == "box" else 1) or min(used) <= 0:
        allowed = "x y z, with y and z > 0" if kind == "box" else "the radius, > 0"
        geom.reject("size of the cable's geom", repr(geom.get("size")), allowed + " (m)")
    return size


def _vertices(element: Element) -> np.ndarray:
    count = counts(element, "vertices")
    vertex = numbers(element, "vertex", 10**9)
    if vertex:
        if count[0] > 1:
            element.reject("count", repr(element.get("count")), "count or vertex, not both")
        if len(vertex) % 3:
            element.reject("vertex", f"{len(vertex)} numbers", "three numbers per vertex")
        vertices = np.array(vertex, np.float32).reshape(-1, 3)
    else:
        vertices = _curve(element, count[0])
    if len(vertices) < 2:
        element.reject("count", str(len(vertices)), "at least 2 vertices")
    steps = np.linalg.norm(np.diff(vertices, axis=0), axis=1)
    if steps.min() < 1e-14:
        index = int(steps.argmin())
        element.reject(
            "vertex" if vertex else "curve and size",
            f"vertices {index} and {index + 1} at one place",
            "vertices apart from each other",
        )
    return vertices


def _curve(element: Element, count: int) -> np.ndarray:
    """The vertices of a curve, of which x, y, z are each s, cos(s), sin(s) or 0."""
    words = element.get("curve").split()
    if len(words) > 3 or not all(word in _CURVES for word in words):
        element.reject("curve", repr(element.get("curve")), f"up to three of {', '.join(_CURVES)}")
    # Omitted numbers have MuJoCo's defaults.
    given = numbers(element, "size", 3)
    size = given + [1.0, 0.0, 0.0][len(given) :]
    if sum(length * length for length in size) < 1e-30:
        element.reject("size", repr(element.get("size")), "length, radius, half turns: not all 0")
    quat = numbers(element, "quat", 4, 4) or [1.0, 0.0, 0.0, 0.0]
    vertices = np.zeros((count, 3), np.float32)
    for index in range(count):
        angle = math.pi * index * size[2] / max(count - 1, 1)
        value = {
            "s": index * size[0] / max(count - 1, 1),
            "cos(s)": size[1] * math.cos(angle),
            "sin(s)": size[1] * math.sin(angle),
            "0": 0.0,
        }
        point = [value[word] for word in words] + [0.0] * (3 - len(words))
        vertices[index] = _turned(point, quat)
    return vertices


def _turned(v: list[float], quat: list[float]) -> list[float]:
    """v rotated by a quaternion as in MuJoCo, where a quaternion that is not unit also scales."""
    if not any(v) or quat == [1.0, 0.0, 0.0, 0.0]:
        return v
    w, x, y, z = quat
    t = (
        w * v[0] + y * v[2] - z * v[1],
        w * v[1] + z * v[0] - x * v[2],
        w * v[2] + x * v[1] - y * v[0],
    )
    return [
        v[0] + 2 * (y * t[2] - z * t[1]),
        v[1] + 2 * (z * t[0] - x * t[2]),
        v[2] + 2 * (x * t[1] - y * t[0]),
    ]


def first_number(text: str) -> float | None:
    """A modulus as the old plugin read it: 0 for an empty text, else the first number.

    None if that is not a number.
    """
    words = re.sub(r"\s+", " ", text).split()
    if not words:
        return 0.0
    try:
        return float(words[0])
    except ValueError:
        return None
