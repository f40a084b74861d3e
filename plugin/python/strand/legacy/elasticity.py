"""Converts the old plugin's moduli to keys of strand.cable with the same linear stiffness.

In mujoco.elasticity.cable the joint between links i - 1 and i had the bending stiffness E I / l,
with the section of the first geom of link i and the length l of link i - 1. In strand.cable the
length of a joint is the mean of both links, so that stiffnesses are scaled if the lengths differ.
The spin of every link was dynamic: twist = dynamic. Torques agree to first order in the joints'
angles. Beyond first order the old torques did not derive from an energy, since they used the
rotation vector as the angles; with law = mujoco_3 strand.cable reproduces them.
"""

import dataclasses
import math

from strand import _strand
from strand.legacy.bodies import number, vector
from strand.legacy.composite import PLUGIN, PLUGIN_KEYS, first_number
from strand.legacy.xml_source import Element

_FLOOR = _strand.mujoco_3_floor  # replaces zero stiffness; a fraction of the largest stiffness
_SAME = 1e-6  # relative difference of equal lengths due to single-precision vertices


#: Torque laws: the value of strand.cable's key `law` for each name in the options.
LAWS = {"strand": "strand", "old": "mujoco_3"}


@dataclasses.dataclass(frozen=True)
class Section:
    """The section of a link as the old plugin read it: a circle, a box, or none."""

    radius: float = 0.0  #: m
    half_sizes: tuple[float, float] = (0.0, 0.0)  #: of a box, along y and z (m)

    @property
    def exists(self) -> bool:
        return self.radius > 0 or self.half_sizes[0] > 0

    @property
    def properties(self) -> _strand.Section:
        """Second moments of area, torsion constant (m^4) and the like."""
        if self.radius:
            return _strand.circle_section(self.radius)
        return _strand.roark_rectangle_section(*self.half_sizes)

    def stiffness(self, moduli: "Moduli") -> tuple[tuple[float, float], float]:
        """EI about y and z, and GJ (N m^2)."""
        if not self.exists:
            return (0.0, 0.0), 0.0
        return _strand.rod_stiffness(moduli.bend, moduli.twist, self.properties)


@dataclasses.dataclass
class Moduli:
    """The configuration of an instance of the old plugin."""

    bend: float = 0.0  #: Young's modulus (Pa)
    twist: float = 0.0  #: shear modulus (Pa)
    flat: bool = False  #: straight at rest
    vmax: float = 0.0  #: moment per joint (N m) that is drawn red; 0: no colours
    law: str = "strand"  #: one of the values of LAWS

    @property
    def rigid(self) -> bool:
        return self.bend > 0 or self.twist > 0


def read_moduli(element: Element, law: str) -> Moduli:
    """Reads the <config> children of a <plugin> or <instance>. Raises StrandError if invalid.

    law: used if the children do not set it; one of the values of LAWS. (With Strand the old plugin
    name accepts this key, too.)
    """
    texts: dict[str, str] = {}
    for child in element.children:
        if child.tag != "config" or child.get("key") not in PLUGIN_KEYS:
            got = f"<{child.tag}> {child.get('key')}".strip()
            child.reject(f"configuration of {PLUGIN}", got, f"<config> {', '.join(PLUGIN_KEYS)}")
        texts[child.get("key")] = child.get("value")
        if child.get("key") == "flat":
            continue
        if child.get("key") == "law":
            if child.get("value") not in LAWS.values():
                child.reject("law", repr(child.get("value")), ", ".join(LAWS.values()))
            continue
        value = first_number(child.get("value"))
        if value is None or not 0 <= value < math.inf:
            child.reject(child.get("key"), repr(child.get("value")), "a finite number >= 0")
    values = {key: first_number(texts.get(key, "")) or 0.0 for key in ("bend", "twist", "vmax")}
    return Moduli(flat=texts.get("flat") == "true", law=texts.get("law", law), **values)


def rod_keys(moduli: Moduli, sections: list[Section], lengths: list[float]) -> dict[str, str]:
    """Keys of the instance of strand.cable for a chain of links; empty if all stiffness is 0."""
    bend, twist = [], []
    for section, before, own in zip(sections[1:], lengths, lengths[1:], strict=False):
        factor = _strand.mujoco_3_length_factor(before, own)
        (about_y, about_z), turning = section.stiffness(moduli)
        bend.append((about_y * factor, about_z * factor))
        twist.append(turning * factor)
    largest = max([0.0, *twist, *(value for pair in bend for value in pair)])
    if largest == 0:
        return {}
    keys = _stiffness(moduli, sections, lengths, bend, twist, _FLOOR * largest)
    keys["twist"] = "dynamic"
    if moduli.law == LAWS["old"]:
        keys["law"] = moduli.law
    if moduli.flat:
        keys["rest"] = "straight"
    if moduli.vmax and sections[0].exists:
        keys["color"] = vector((0, moduli.vmax / sections[0].properties.bending_modulus))
    return keys


def _stiffness(
    moduli: Moduli,
    sections: list[Section],
    lengths: list[float],
    bend: list[tuple[float, float]],
    twist: list[float],
    floor: float,
) -> dict[str, str]:
    even = max(lengths) - min(lengths) <= _SAME * max(lengths)
    if even and sections[0].radius and len(set(sections)) == 1:
        # Round, with equal links: moduli, so that the stiffness follows changes of the geoms.
        least = _FLOOR * max(moduli.bend, moduli.twist)
        return {
            "young": number(max(moduli.bend, least)),
            "shear": number(max(moduli.twist, least)),
        }
    pairs = [(max(y, floor), max(z, floor)) for y, z in bend]
    twists = [max(value, floor) for value in twist]
    if even and len(set(sections[1:])) == 1:
        pairs, twists = pairs[:1], twists[:1]
    return {
        "EI": " ".join(vector(pair) for pair in pairs),
        "GJ": vector(twists),
    }


def describe(keys: dict[str, str]) -> str:
    """The keys as a text; long lists are shortened."""
    words = []
    for key, value in keys.items():
        items = value.split()
        words.append(f"{key} " + (value if len(items) < 4 else f"{items[0]} ... {items[-1]}"))
    return ", ".join(words)


def lost_moduli(where: str, moduli: Moduli) -> list[str]:
    """Differences between strand.cable and the old plugin for these moduli."""
    lost = []
    for key, value in (("bend", moduli.bend), ("twist", moduli.twist)):
        if value == 0:
            lost.append(f"{where}: {key} 0: replaced by 1e-9 of the other")
    if moduli.vmax:
        lost.append(
            f"{where}: vmax: colours now show the von Mises stress (Pa), with the same red for a "
            "link under pure bending"
        )
    return lost
