"""The old elements `<composite type="rope">` and `type="loop"`, which MuJoCo 3 dropped.

They were chains of rigid elements, not rods: neighbours are joined by two hinges across the chain
and, optionally, a hinge and a slide along it, with springs and dampers as given in the file. They
are converted to the bodies, joints and geoms that MuJoCo 2.3.7 generated, with the same names.
"""

import dataclasses
import math
import re

from strand.legacy.bodies import number, tag, vector
from strand.legacy.composite import (
    GEOM,
    IDLE_JOINT,
    JOINT,
    SKIN,
    Kinds,
    check_attributes,
    check_names,
    counts,
    numbers,
)
from strand.legacy.defaults import Defaults
from strand.legacy.tree import Tree
from strand.legacy.xml_source import Element

ROPES = ("rope", "loop")
GEOM_TYPES = ("sphere", "capsule", "ellipsoid")

_ROPE = ("prefix", "type", "count", "spacing", "solrefsmooth", "solimpsmooth")
_IDLE_ROPE = ("offset", "flatinertia")
_KINDS = ("main", "twist", "stretch")
_IDLE_CHILDREN: dict[str, Kinds] = {
    "site": {"size": (float, 3), "group": (int, 1), "material": (str, 1), "rgba": (float, 4)},
    "skin": SKIN,
    "pin": {"coord": (int, 2)},
}
_INDENT = "  "
# Of the connect that closes a loop, and of the equalities that keep twist and stretch at zero.
_CLOSURE = {"solref": "0.01 1", "solimp": "0.99 0.99 0.001 0.5 2"}
_HELD = {"solref": "0.02 1", "solimp": "0.9 0.95 0.001 0.5 2"}


@dataclasses.dataclass
class LegacyRope:
    """A rope or loop as its element describes it. Attributes are kept as the text in the file."""

    element: Element
    kind: str  #: rope or loop
    prefix: str
    count: int  #: of elements
    root: int  #: index of the element that is the enclosing body
    spacing: float  #: m, between elements
    geom: dict[str, str]
    joints: dict[str, dict[str, str]]  #: attributes of the joints of each kind
    closure: dict[str, str]  #: solref, solimp of a loop's connect
    ignored: list[str]  #: attributes and elements that never had an effect

    @property
    def turn(self) -> float:
        """Angle between the directions of neighbouring elements (rad)."""
        return 2 * math.pi / self.count if self.kind == "loop" else 0.0

    def name(self, kind: str, index: int) -> str:
        return f"{self.prefix}{kind}{index}"


def read_rope(tree: Tree, element: Element) -> LegacyRope:
    """Reads a rope or loop.

    Raises StrandError, which names file, line, attribute, value and the allowed values.
    """
    ignored = check_names(element, _ROPE, _IDLE_ROPE)
    prefix, (count, *_) = element.get("prefix"), counts(element, "elements")
    if count < 2:
        element.reject("count", repr(element.get("count")), "at least 2 elements")
    geom: dict[str, str] = {}
    joints: dict[str, dict[str, str]] = {"main": {}}
    for child in tree.children(element):
        if child.tag == "geom":
            ignored += check_attributes(child, GEOM, {})
            geom = dict(child.attributes)
            if geom.get("type", "sphere") not in GEOM_TYPES:
                child.reject("type", repr(geom["type"]), ", ".join(GEOM_TYPES))
        elif child.tag == "joint":
            kind = child.get("kind")
            if kind not in _KINDS:
                child.reject("kind", repr(kind), ", ".join(_KINDS))
            ignored += check_attributes(child, JOINT, IDLE_JOINT)
            kept = {name: text for name, text in child.attributes.items() if name in JOINT}
            joints[kind] = {name: text for name, text in kept.items() if name != "kind"}
        elif child.tag == "tendon":
            ignored.append(f"<tendon> of {element.get('type')}")
        elif child.tag in _IDLE_CHILDREN:
            check_attributes(child, _IDLE_CHILDREN[child.tag], {})
            ignored.append(f"<{child.tag}> of {element.get('type')}")
        else:
            allowed = ", ".join(("joint", "geom", "tendon", *_IDLE_CHILDREN))
            child.reject(f"element in {element.get('type')}", f"<{child.tag}>", allowed)
    spacing = numbers(element, "spacing", 1) or [0.0]
    closure = {
        name: element.get(name + "smooth", text)
        for name, text in _CLOSURE.items()
        if numbers(element, name + "smooth", 5) or text
    }
    return LegacyRope(
        element=element,
        kind=element.get("type"),
        prefix=prefix,
        count=count,
        root=_root(tree, element, prefix, count),
        spacing=spacing[0],
        geom=geom,
        joints=joints,
        closure=closure,
        ignored=ignored,
    )


def _root(tree: Tree, element: Element, prefix: str, count: int) -> int:
    """The index of the element that is the body around the composite, from that body's name."""
    body = tree.parent(element)
    name = body.get("name") if body is not None and body.tag == "body" else ""
    found = re.match(re.escape(prefix) + r"B\s*(\d+)", name)
    if not found or int(found[1]) >= count:
        kind = element.get("type")
        allowed = f"{prefix}B0 to {prefix}B{count - 1}: which element of the {kind} it is"
        element.reject(f"name of the body around the {kind}", repr(name), allowed)
    return int(found[1])


def rope_text(rope: LegacyRope, defaults: Defaults, indent: str, in_class: bool) -> str:
    """The root's geom and the bodies on both sides of it. in_class: a childclass applies there."""
    in_main = {"class": "main"} if in_class else {}
    lines = [tag("geom", in_main | _geom(rope, rope.root, defaults))]
    for step in (1, -1):
        end = rope.count if step > 0 else -1
        indices = range(rope.root + step, end, step)
        for depth, index in enumerate(indices):
            outer = indent + _INDENT * depth
            body = _body(rope, index, step)
            if in_class and depth == 0:
                body["childclass"] = "main"
            lines.append(outer + tag("body", body, ">"))
            lines += [outer + _INDENT + joint for joint in _joints(rope, index, step, defaults)]
            lines.append(outer + _INDENT + tag("geom", _geom(rope, index, defaults)))
        lines += [indent + _INDENT * depth + "</body>" for depth in reversed(range(len(indices)))]
    return "\n".join(lines)


def _body(rope: LegacyRope, index: int, step: int) -> dict[str, str]:
    body = {"name": rope.name("B", index)}
    if not rope.turn:
        return body | {"pos": vector((step * rope.spacing, 0, 0))}
    half = rope.turn / 2
    # Distance between the middles of two neighbouring sides of a polygon.
    reach = rope.spacing * math.cos(half)
    place = (step * reach * math.cos(half), reach * math.sin(half), 0)
    return body | {
        "pos": vector(place),
        "quat": vector((math.cos(half), 0, 0, step * math.sin(half))),
    }


def _joints(rope: LegacyRope, index: int, step: int, defaults: Defaults) -> list[str]:
    kinds = [
        ("main", f"J0_{index}", "hinge", (0, 1, 0)),
        ("main", f"J1_{index}", "hinge", (0, 0, 1)),
    ]
    kinds.append(("twist", f"JT{index}", "hinge", (1, 0, 0)))
    kinds.append(("stretch", f"JS{index}", "slide", (1, 0, 0)))
    lines = []
    for kind, name, joint_type, axis in kinds:
        if kind not in rope.joints:
            continue
        joint = {
            "type": joint_type,
            "pos": vector((-step * rope.spacing / 2, 0, 0)),
            "axis": vector(axis),
            "group": "3",
        } | rope.joints[kind]
        lines.append(tag("joint", {"name": rope.prefix + name} | defaults.complete("joint", joint)))
    return lines


def _geom(rope: LegacyRope, index: int, defaults: Defaults) -> dict[str, str]:
    """The geom of an element, turned along the rope, since MuJoCo's capsules lie along z."""
    turned = {
        "type": "sphere",
        "pos": "0 0 0",
        "quat": vector((math.sqrt(0.5), 0, math.sqrt(0.5), 0)),
    }
    geom = defaults.complete("geom", turned | rope.geom)
    if defaults.sets("geom", "mass") and "mass" not in geom:
        geom["mass"] = number(_volume(rope) * float(rope.geom.get("density", "1000")))
    return {"name": rope.name("G", index)} | geom


def _volume(rope: LegacyRope) -> float:
    """Volume of an element's geom (m^3)."""
    size = [float(word) for word in rope.geom.get("size", "0").split()] + [0.0, 0.0]
    kind = rope.geom.get("type", "sphere")
    axes = size[:3] if kind == "ellipsoid" else size[:1] * 3
    straight = 2 * math.pi * size[0] ** 2 * size[1] if kind == "capsule" else 0.0
    return 4 / 3 * math.pi * math.prod(axes) + straight


def equalities(rope: LegacyRope, defaults: Defaults) -> list[str]:
    """The equalities that close a loop and softly keep the joints along a rope at zero."""
    order = [*range(rope.root + 1, rope.count), *range(rope.root - 1, -1, -1)]
    held = [
        tag("joint", defaults.complete("equality", {"joint1": rope.name(name, index)} | _HELD))
        for index in order
        for kind, name in (("twist", "JT"), ("stretch", "JS"))
        if kind in rope.joints
    ]
    if rope.kind == "rope":
        return held
    ends = {"body1": rope.name("B", 0), "body2": rope.name("B", rope.count - 1)}
    anchor = {"anchor": vector((-rope.spacing / 2, 0, 0))}
    return [*held, tag("connect", defaults.complete("equality", ends | anchor | rope.closure))]


def exclusions(rope: LegacyRope) -> list[str]:
    """The exclusion of contact between the first and the last element of a loop."""
    ends = {"body1": rope.name("B", 0), "body2": rope.name("B", rope.count - 1)}
    return [tag("exclude", ends)] if rope.kind == "loop" else []


def describe(rope: LegacyRope) -> str:
    """A text that describes the converted rope."""
    name = rope.kind + (f" {rope.prefix!r}" if rope.prefix else "")
    return (
        f"{rope.element.where()}: {name}: {rope.count} bodies from {rope.name('B', rope.root)}, "
        f"joints {', '.join(rope.joints)}, springs and dampers as written; it is not a rod: for a "
        "stiffness in N m^2 use a strand.Cable"
    )
