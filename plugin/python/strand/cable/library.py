"""Cables, hoses and wires that people use: their properties, each with its source.

`strand.materials.names()` and `strand.materials.get(name)` read strand/materials/cables.toml. It is
read here, since cables are made from it without MuJoCo.
"""

import dataclasses
import difflib
import functools
import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from strand import _strand
from strand.errors import StrandError

_FILE = Path(__file__).parents[1] / "materials" / "cables.toml"
#: What the first word of a source says of a value. "computed" is from other values of the entry.
KINDS = ("measured", "datasheet", "standard", "literature", "computed", "estimated")


@dataclasses.dataclass(frozen=True)
class Part:
    """Equal parts of a cable with several: its strands, the insulation of its cores, its jacket."""

    name: str
    diameter: float  #: m
    young: float  #: Pa
    poisson: float
    density: float  #: kg/m^3
    source: str  #: as in RealCable.sources
    count: int = 1
    inner_diameter: float = 0.0  #: m
    from_axis: float = 0.0  #: m: root mean square distance of the parts from the cable's axis

    @property
    def area(self) -> float:
        """Section of one part (m^2)."""
        return _ring_area(self.diameter / 2, self.inner_diameter / 2)

    @property
    def second_moment(self) -> float:
        """Second moment of area of one part about its own axis (m^4)."""
        return _ring_second_moment(self.diameter / 2, self.inner_diameter / 2)


@dataclasses.dataclass(frozen=True)
class RealCable:
    """A cable, hose or wire that people use. What is not known is None.

    EI and GJ of cables with several parts are recommended for parts that slide without friction,
    those of fibre ropes for something in between: `sources` says which. Their bounds are for
    parts that slide and parts that stick to each other, or the range of the modulus.
    """

    name: str
    title: str
    cable: Mapping[str, Any]  #: arguments of strand.Cable: section, density, stiffness, ...
    mass_per_length: float  #: kg/m
    EI_bounds: tuple[float, float]  #: N m^2
    GJ_bounds: tuple[float, float]  #: N m^2
    uncertainty: float  #: factor by which the recommended EI and GJ may be wrong, either way
    #: of each value, by the name of the field or argument: a word of KINDS, ": " and a text, with
    #: [names] of references
    sources: Mapping[str, str]
    references: Mapping[str, str]  #: the texts that the names in `sources` stand for
    parts: tuple[Part, ...] = ()  #: which EI, GJ and their bounds are computed from
    min_bend_radius: float | None = None  #: m, of the centre line
    working_load: float | None = None  #: N: tension in use
    breaking_load: float | None = None  #: N
    yield_stress: float | None = None  #: Pa, of the metal in it
    #: m: the strain of the metal in it is the curvature times this radius, that of a strand.
    strain_radius: float | None = None
    #: Amplitudes of that strain (1) and the cycles to failure, from the largest amplitude.
    fatigue: tuple[tuple[float, float], ...] = ()

    @property
    def radius(self) -> float:
        """Outer radius (m)."""
        return self.cable["radius"]

    @property
    def EI(self) -> float:
        """Recommended bending stiffness (N m^2)."""
        return self.cable.get("EI") or self.cable["young"] * self._second_moment

    @property
    def GJ(self) -> float:
        """Recommended torsional stiffness (N m^2)."""
        return self.cable.get("GJ") or 2 * self._shear * self._second_moment

    @property
    def area(self) -> float:
        """Section that the density refers to (m^2)."""
        return _ring_area(self.radius, self.cable.get("inner_radius", 0.0))

    @property
    def origin(self) -> str:
        """Kind of the source of the bending stiffness: one of KINDS."""
        return kind(self.sources["EI" if "EI" in self.cable else "young"])

    @property
    def plastic(self) -> dict[str, Any]:
        """Arguments of strand.Cable with which its metal yields.

        `yield_stress` of a bare wire; else `bend_elements` and `twist_elements` of the wires in it,
        which slide on each other and carry their shares of EI and GJ. Raises StrandError if the
        library does not know its metal.
        """
        if self.yield_stress is None:
            raise StrandError(f"material: got {self.name!r}, allowed: one with a yield_stress")
        if not self.parts:
            return {"yield_stress": self.yield_stress}
        modulus = max(part.young for part in self.parts)
        found: dict[str, list[tuple[float, float]]] = {"bend_elements": [], "twist_elements": []}
        for part in (part for part in self.parts if part.young == modulus):
            wire = _strand.circle_section(part.diameter / 2)
            EI = part.young * part.second_moment
            GJ = EI / (1 + part.poisson)
            slip = _strand.slip_of(wire, wire, (EI, EI), GJ, self.yield_stress)
            for key, pairs, share in (
                ("bend_elements", slip.bend, part.count * EI / self.EI),
                ("twist_elements", slip.twist, part.count * GJ / self.GJ),
            ):
                found[key] += [(share * each, strain) for each, strain in pairs]
        return {key: _flat(pairs) for key, pairs in found.items()}

    @property
    def _second_moment(self) -> float:
        return _ring_second_moment(self.radius, self.cable.get("inner_radius", 0.0))

    @property
    def _shear(self) -> float:
        given = self.cable.get("shear")
        return given or self.cable["young"] / (2 * (1 + self.cable["poisson"]))


def _flat(pairs: list[tuple[float, float]]) -> list[float]:
    """Pairs of shares and strains in a row; a sum of shares that rounding made exceed 1 is 1."""
    most = max(1.0, sum(share for share, _ in pairs))
    return [number for share, strain in pairs for number in (share / most, strain)]


def names() -> list[str]:
    """Names of the cables in the library."""
    return list(_entries())


def get(name: str) -> RealCable:
    """A cable of the library. Raises StrandError, which lists the nearest names, if it has none."""
    known = _entries()
    if isinstance(name, str) and name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, 3, 0.4) if isinstance(name, str) else []
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise StrandError(f"material: got {name!r}, allowed: {', '.join(known)}{hint}")


def kind(source: str) -> str:
    """What kind of source it is: its first word, one of KINDS."""
    return source.partition(":")[0]


def _ring_area(outer: float, inner: float) -> float:
    return math.pi * (outer**2 - inner**2)


def _ring_second_moment(outer: float, inner: float) -> float:
    return math.pi / 4 * (outer**4 - inner**4)


@functools.cache
def _entries() -> dict[str, RealCable]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    references = tables.pop("references")
    return {name: _entry(name, table, references) for name, table in tables.items()}


def _entry(name: str, table: dict[str, Any], references: dict[str, str]) -> RealCable:
    def resolved(source: str) -> str:
        return re.sub(r"\{(\w+)\}", r"[\1]", source)

    bounds, limits = table["bounds"], table.get("limits", {})
    fatigue = tuple((strain, cycles) for strain, cycles in limits.pop("fatigue", ()))
    parts = [part | {"source": resolved(part["source"])} for part in table.get("parts", ())]
    sources = {key: resolved(source) for key, source in table["sources"].items()}
    texts = [*sources.values(), *(part["source"] for part in parts)]
    cited = {key: text for key, text in references.items() if f"[{key}]" in " ".join(texts)}
    return RealCable(
        name=name,
        title=table["title"],
        cable=MappingProxyType(table["cable"]),
        mass_per_length=table["mass_per_length"],
        EI_bounds=tuple(bounds["EI"]),
        GJ_bounds=tuple(bounds["GJ"]),
        uncertainty=bounds["uncertainty"],
        sources=MappingProxyType(sources),
        references=MappingProxyType(cited),
        parts=tuple(Part(**part) for part in parts),
        fatigue=fatigue,
        **limits,
    )
