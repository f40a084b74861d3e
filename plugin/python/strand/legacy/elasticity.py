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

from strand.legacy.bodies import number, vector
from strand.legacy.composite import PLUGIN, PLUGIN_KEYS, first_number
from strand.legacy.xml_source import Element

_FLOOR = 1e-9  # replaces zero stiffness, as a fraction of the largest stiffness
_SAME = 1e-6  # relative difference of equal lengths due to single-precision vertices


@dataclasses.dataclass(frozen=True)
class Section:
    """Second moments of area about y and z, and torsion constant, as in the old plugin (m^4)."""

    y: float
    z: float
    torsion: float
    radius: float = 0.0  #: of a round section (m)
    half_sizes: tuple[float, float] = (0.0, 0.0)  #: of a box, along y and z (m)


#: Torque laws: the value of strand.cable's key `law` for each name in the options.
LAWS = {"strand": "strand", "old": "mujoco_3"}

NO_SECTION = Section(0.0, 0.0, 0.0)


def round_section(radius: float) -> Section:
    moment = math.pi * radius**4 / 4
    return Section(moment, moment, 2 * moment, radius=radius)


def box_section(half_y: float, half_z: float) -> Section:
    # Roark's formula for the torsion of a rectangle, as in the old plugin.
    a, b = max(half_y, half_z), min(half_y, half_z)
    ratio = b / a
    torsion = a * b**3 * (16 / 3 - 3.36 * ratio * (1 - ratio**4 / 12))
    return Section(
        y=(2 * half_z) ** 3 * 2 * half_y / 12,
        z=(2 * half_y) ** 3 * 2 * half_z / 12,
        torsion=torsion,
        half_sizes=(half_y, half_z),
    )


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
    bend = [
        (moduli.bend * s.y * scale, moduli.bend * s.z * scale)
        for s, scale in _joints(sections, lengths)
    ]
    twist = [moduli.twist * s.torsion * scale for s, scale in _joints(sections, lengths)]
    largest = max([0.0, *twist, *(value for pair in bend for value in pair)])
    if largest == 0:
        return {}
    keys = _stiffness(moduli, sections, lengths, bend, twist, _FLOOR * largest)
    keys["twist"] = "dynamic"
    if moduli.law == LAWS["old"]:
        keys["law"] = moduli.law
    if moduli.flat:
        keys["rest"] = "straight"
    if moduli.vmax and sections[0] != NO_SECTION:
        keys["color"] = vector((0, moduli.vmax / _section_modulus(sections[0])))
    return keys


def _joints(sections: list[Section], lengths: list[float]) -> list[tuple[Section, float]]:
    """Section of each joint, and the factor that corrects for strand.cable's mean length."""
    return [
        (sections[i], (lengths[i - 1] + lengths[i]) / (2 * lengths[i - 1]))
        for i in range(1, len(sections))
    ]


def _stiffness(moduli, sections, lengths, bend, twist, floor) -> dict[str, str]:
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


def _section_modulus(section: Section) -> float:
    """Ratio of bending moment to surface stress, in the weaker direction (m^3)."""
    if section.radius:
        return section.y / section.radius
    half_y, half_z = section.half_sizes
    return min(section.y / half_z, section.z / half_y)


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
