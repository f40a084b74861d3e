"""Adds cables to the MJCF text of a scene and leaves the rest of the text as it is.

MuJoCo's own text of a changed scene would not do: it rounds to six digits and omits settings of the
compiler. One of them is robosuite's inertiagrouprange, without which visual geoms have mass.
"""

import os
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import mujoco

from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.cable.generation import attach
from strand.errors import checked

_VISIBLE = "1"  # robosuite draws geoms of this group, and hides those of group 0
_PLUGIN = "strand.cable"
_INSTANCES = f"extension/plugin[@plugin='{_PLUGIN}']/instance"
_Key = tuple[str | None, ...]


class Placed(NamedTuple):
    """A cable and its place in a scene, with the arguments of `strand.attach`."""

    cable: Cable | str | os.PathLike  #: or the path of its TOML file
    body: str = "world"  #: that carries the cable
    pos: Sequence[float] = (0.0, 0.0, 0.0)  #: m, in the frame of the body
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0)  #: w x y z


def cables_in(text: str) -> set[str]:
    """Names of the instances of the plugin in a scene."""
    return {each.get("name", "") for each in ET.fromstring(text).iterfind(_INSTANCES)}


def instance_name(placed: Placed) -> str:
    """Name of the plugin instance of a cable."""
    cable = placed.cable
    return f"{(cable if isinstance(cable, Cable) else load_cable(cable)).prefix}rod"


def with_cables(text: str, cables: Iterable[Placed]) -> str:
    """The text of a scene with cables.

    Raises StrandError if a cable is invalid or does not fit the scene.
    """
    spec = checked(mujoco.MjSpec.from_string, text)
    for placed in cables:
        attach(spec, *placed)
    checked(spec.compile)  # or else keyframes would be written without the cable's coordinates
    scene, changed = ET.fromstring(text), ET.fromstring(spec.to_xml())
    known = {_key(element) for element in scene.iter()}
    _add_bodies(scene, changed, known)
    for name in ("default", "contact", "equality", "deformable"):
        added = _new(changed.iterfind(f"{name}/*"), known)
        if added:
            _section(scene, name).extend(added)
    plugin = ET.SubElement(_section(scene, "extension"), "plugin", plugin=_PLUGIN)
    plugin.extend(_new(changed.iterfind(_INSTANCES), known))
    for keys in changed.findall("keyframe"):  # they have the cables' coordinates
        for old in scene.findall("keyframe"):
            scene.remove(old)
        scene.append(keys)
    _section(scene, "option").set("tolerance", repr(spec.option.tolerance))
    return ET.tostring(scene, encoding="unicode")


def _key(element: ET.Element) -> _Key:
    """What tells apart the elements that cables consist of."""
    names = ("class",) if element.tag == "default" else ("name", "body1", "body2")
    return (element.tag, *map(element.get, names))


def _new(elements: Iterable[ET.Element], known: set[_Key]) -> list[ET.Element]:
    """The elements of cables. Everything without a name belongs to the scene."""
    keys = ((each, _key(each)) for each in elements)
    return [each for each, key in keys if any(key[1:]) and key not in known]


def _section(scene: ET.Element, name: str) -> ET.Element:
    found = scene.find(name)
    return ET.SubElement(scene, name) if found is None else found


def _add_bodies(scene: ET.Element, changed: ET.Element, known: set[_Key]) -> None:
    """Adds new bodies, and new sites that hold cables, to the world and the bodies of the scene."""
    owners = {body.get("name"): body for body in scene.iterfind("worldbody//body")}
    pairs = [(_section(scene, "worldbody"), world) for world in changed.iterfind("worldbody")]
    pairs += [
        (owners[name], body)
        for body in changed.iterfind("worldbody//body")
        if (name := body.get("name")) in owners
    ]
    for owner, body in pairs:
        added = _new((each for each in body if each.tag in ("body", "site")), known)
        owner.extend(added)
        for geom in (geom for each in added for geom in each.iter("geom")):
            geom.attrib.setdefault("group", _VISIBLE)
