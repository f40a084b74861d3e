"""Expands a legacy cable into the bodies, joints, geoms and sites that MuJoCo 3.17 generated."""

import dataclasses
import itertools
import math
from collections.abc import Iterable

from strand.legacy.centreline import Link, links
from strand.legacy.composite import LegacyCable
from strand.legacy.defaults import Defaults
from strand.legacy.xml_source import escape

_INDENT = "  "


@dataclasses.dataclass
class Expansion:
    """A cable and its links, which the new text contains."""

    cable: LegacyCable
    links: list[Link]
    named: bool = True  #: False if another cable already has the same names
    instance: str = ""  #: name of the plugin's instance; empty for a cable without elasticity


def expand(cable: LegacyCable) -> Expansion:
    return Expansion(cable, links(cable.vertices))


def number(value: float) -> str:
    """A number as the shortest text that preserves its value."""
    value = float(value) + 0.0  # no -0
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def vector(values: Iterable[float]) -> str:
    return " ".join(map(number, values))


def tag(name: str, attributes: dict[str, str], end: str = "/>") -> str:
    return "<" + " ".join([name] + [f'{k}="{escape(v)}"' for k, v in attributes.items()]) + end


def body_text(expansion: Expansion, defaults: Defaults, indent: str, in_class: bool) -> str:
    """The first link's body with all others inside. in_class: a childclass applies around it."""
    cable = expansion.cable
    lines: list[str] = []
    for index, link in enumerate(expansion.links):
        inner = indent + _INDENT * (index + 1)
        lines += [inner[len(_INDENT) :] + tag("body", _body(expansion, index, in_class), ">")]
        lines += [inner + element for element in _elements(expansion, defaults, index, link)]
    lines += [indent + _INDENT * index + "</body>" for index in reversed(range(cable.links))]
    return "\n".join(lines)[len(indent) :]


def _named(expansion: Expansion, name: str) -> dict[str, str]:
    return {"name": name} if expansion.named else {}


def _body(expansion: Expansion, index: int, in_class: bool) -> dict[str, str]:
    link, cable = expansion.links[index], expansion.cable
    offset = cable.offset if index == 0 else (0.0, 0.0, 0.0)
    body = _named(expansion, cable.link_name("B", index))
    if index == 0 and in_class:
        body["childclass"] = "main"
    body["pos"] = vector(a + b for a, b in zip(offset, link.pos, strict=True))
    if link.quat != (1.0, 0.0, 0.0, 0.0):
        body["quat"] = vector(link.quat)
    return body


def _elements(expansion: Expansion, defaults: Defaults, index: int, link: Link) -> list[str]:
    cable = expansion.cable
    first, last = index == 0, index == cable.links - 1
    elements = []
    if not first or cable.initial != "none":
        joint = defaults.complete("joint", joint_attributes(cable, index))
        name = _named(expansion, cable.link_name("J", index))
        elements.append(tag("joint", name | joint))
    geom = geom_attributes(cable, link.length, defaults)
    elements.append(tag("geom", _named(expansion, f"{cable.prefix}G{index}") | geom))
    if first or last:
        site = site_attributes(cable, link.length if last else 0.0, defaults)
        end = "first" if first else "last"
        elements.append(tag("site", _named(expansion, f"{cable.prefix}S_{end}") | site))
    if expansion.instance:
        plugin = {"plugin": "strand.cable", "instance": expansion.instance}
        elements.append(tag("plugin", plugin))
    return elements


def joint_attributes(cable: LegacyCable, index: int) -> dict[str, str]:
    free = index == 0 and cable.initial == "free"
    # MuJoCo removed these attributes from the free joint and kept the others.
    dropped = ("kind", "damping", "armature", "frictionloss") if free else ("kind",)
    kept = {name: text for name, text in cable.joint.items() if name not in dropped}
    return {"type": "free" if free else "ball", "group": "3"} | kept


def geom_attributes(cable: LegacyCable, length: float, defaults: Defaults) -> dict[str, str]:
    geom = defaults.complete("geom", _geom(cable, length))
    if defaults.sets("geom", "mass") and "mass" not in geom:
        geom["mass"] = number(_mass(cable, length))
    return geom


def _geom(cable: LegacyCable, length: float) -> dict[str, str]:
    if cable.geom["type"] == "box":
        shape = {
            "pos": vector((length / 2, 0, 0)),
            "size": vector((length / 2, *cable.size[1:])),
        }
    else:
        shape = {"fromto": vector((0, 0, 0, length, 0, 0)), "size": number(cable.size[0])}
    group = {"group": "0"} if "group" in cable.geom else {}
    return (
        {"type": cable.geom["type"]}
        | shape
        | group
        | {name: text for name, text in cable.geom.items() if name not in ("type", "size")}
    )


def site_attributes(cable: LegacyCable, x: float, defaults: Defaults) -> dict[str, str]:
    """Attributes of a site at x along its link (m)."""
    site = {"group": "3"} | cable.site
    return defaults.complete("site", ({"pos": vector((x, 0, 0))} if x else {}) | site)


def _mass(cable: LegacyCable, length: float) -> float:
    """Mass of a link's geom from its density (kg)."""
    if cable.geom["type"] == "box":
        volume = 4 * length * cable.size[1] * cable.size[2]
    else:
        radius = cable.size[0]
        caps = 4 / 3 * math.pi * radius**3 if cable.geom["type"] == "capsule" else 0.0
        volume = math.pi * radius**2 * length + caps
    return volume * float(cable.geom.get("density", "1000"))


def exclusions(expansion: Expansion) -> list[str]:
    """Contact exclusions between neighbouring links."""
    cable = expansion.cable
    names = [cable.link_name("B", index) for index in range(cable.links)]
    return [tag("exclude", {"body1": a, "body2": b}) for a, b in itertools.pairwise(names)]
