"""Cables and their arguments."""

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from strand import _strand, adapter
from strand.cable import library
from strand.errors import StrandError, checked
from strand.io import options
from strand.io.options import FLAG, NODES, Kind, choice

BACKENDS = ("cable", "flex")
_NEEDED: Any = None  # rejected if no other value is given


class Documented(NamedTuple):
    """A key of a cable file: its table ("": top level), meaning, allowed values, default."""

    table: str
    doc: str
    allowed: str
    default: Any  #: None: not given


def _frozen(value: Any) -> Any:
    """Converts lists to tuples, since all cables share the default."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


#: The options of a cable by name. They and their defaults are listed once, in C++:
#: plugin/mujoco/cable_file/options.cc and plugin/mujoco/description/description.h.
OPTIONS = {
    name: Documented(table, doc, allowed, _frozen(default))
    for table, keys in _strand.cable_options()
    for name, doc, allowed, default in keys
} | {
    "stretches": Documented("", "stretches with different properties", "a list of stretches", ()),
    "branches": Documented("", "cables that start at nodes of this one", "a list of branches", ()),
    "keys": Documented(
        "",
        "additional keys of the plugin strand.cable (holds, ...)",
        "key names of strand.cable, each with a text, a number or several numbers",
        {},
    ),
    "material": Documented(
        "material",
        "a real cable, which fills the arguments that are not given: section, density, stiffness, "
        "friction, damping",
        "a name of strand.materials.names()",
        None,
    ),
}


def _default(name: str) -> Any:
    """The default of an option, as the field of a dataclass."""
    return OPTIONS[name].default


@dataclasses.dataclass(frozen=True)
class _Unless:
    """The default of a field, unless the cable's material has another value."""

    value: Any

    def __repr__(self) -> str:
        return repr(self.value)


def _default_or_material(name: str) -> Any:
    """The default of an option that a material fills, until the cable is constructed."""
    return _Unless(_default(name))


@dataclasses.dataclass
class Stretch:
    """A stretch of the cable, from `begin` to `end` (m of arclength), with different properties.

    Omitted properties are those of the rest of the cable. Raises StrandError, which names the
    invalid field, on construction if a value is invalid, and when a cable uses the stretch if it
    does not fit that cable.
    """

    begin: float
    end: float
    EI: float | Sequence[float] | None = None
    GJ: float | None = None
    young: float | None = None
    shear: float | None = None
    poisson: float | None = None
    radius: float | None = None
    density: float | None = None

    def __post_init__(self) -> None:
        values = {
            name: _read(f"stretches.{name}", getattr(self, name), allowed)
            for name, _, allowed, _ in _strand.stretch_options()
            if getattr(self, name) is not None
        }
        alone = checked(_strand.describe_cable, {"stretches": [values]}, np.zeros((3, 3)))
        checked(_strand.check_values, alone)


@dataclasses.dataclass
class Cable:
    """A cable: a chain of links between nodes, with the stiffness of an elastic rod. SI units.

    Required: nodes, and a material, or EI and GJ, or young with shear or poisson. `radius` and
    `density` are one number, two numbers (start and end, linear in between), or one number per
    link. Keys of cable files (strand.load_cable) have the same names.

    A material (strand.materials.get) fills fields on construction; dataclasses.replace keeps them.
    None of its stiffness is used if EI, GJ, young, shear or poisson is given, none of its damping
    if damping, loss_time or damping_ratio is given, and no length of its section if section is.

    Raises StrandError, which names the field, its value and the allowed values. Arguments are
    checked on construction; fields that are set later are checked when the cable is used.
    """

    nodes: np.ndarray = _NEEDED  #: shape (n + 1, 3), m; links lie between them
    EI: float | Sequence[float] | None = _default("EI")
    GJ: float | None = _default("GJ")
    radius: float | Sequence[float] = _default_or_material("radius")
    density: float | Sequence[float] = _default_or_material("density")
    prefix: str = _default("prefix")
    normal: Sequence[float] | None = _default("normal")
    pos: Sequence[float] = _default("pos")
    quat: Sequence[float] = _default("quat")
    closed: bool = _default("closed")
    section: str = _default_or_material("section")
    inner_radius: float = _default_or_material("inner_radius")
    width: float = _default_or_material("width")
    height: float = _default_or_material("height")
    young: float | None = _default("young")
    shear: float | None = _default("shear")
    poisson: float | None = _default("poisson")
    yield_stress: float | None = _default("yield_stress")
    hardening: float | Sequence[float] | None = _default("hardening")
    bend_elements: Sequence[float] | None = _default("bend_elements")
    twist_elements: Sequence[float] | None = _default("twist_elements")
    stretches: Sequence[Stretch] = _default("stretches")
    branches: Sequence["Branch"] = _default("branches")
    rest: str = _default("rest")
    rest_twist: float = _default("rest_twist")
    twist: str = _default("twist")
    curvature: str = _default("curvature")
    damping: float | None = _default("damping")
    loss_time: float | None = _default("loss_time")
    damping_ratio: float | None = _default("damping_ratio")
    whip_damping: float = _default("whip_damping")
    root: str = _default("root")
    start: str = _default("start")
    end: str = _default("end")
    start_to: str = _default("start_to")
    end_to: str = _default("end_to")
    clamp: str = _default("clamp")
    fed: float | None = _default("fed")
    collide: bool = _default("collide")
    self_contact: bool = _default("self_contact")
    friction: float | Sequence[float] = _default_or_material("friction")
    condim: int = _default("condim")
    contype: int = _default("contype")
    conaffinity: int = _default("conaffinity")
    margin: float = _default("margin")
    priority: int = _default("priority")
    contact_solref: Sequence[float] | None = _default("contact_solref")
    contact_solimp: Sequence[float] | None = _default("contact_solimp")
    rgba: Sequence[float] = _default("rgba")
    color: Sequence[float] | None = _default("color")
    group: int | None = _default("group")
    skin: bool = _default("skin")
    integrator: str = _default("integrator")
    pieces: str | int = _default("pieces")
    timestep: float | None = _default("timestep")
    stabilize: bool = _default("stabilize")
    max_tension: float | None = _default("max_tension")
    gravity: Sequence[float] = _default("gravity")
    keys: dict[str, str | float | Sequence[float]] = dataclasses.field(default_factory=dict)
    material: str | None = _default("material")

    def __post_init__(self) -> None:
        self._fill()
        checked(_strand.check_cable, self.description())

    def _fill(self) -> None:
        """Sets the fields that are not given to the material's values, or to their defaults."""
        entry = None if self.material is None else library.get(self.material)
        if entry and entry.parts and self.yield_stress is not None:
            raise StrandError(
                f"yield_stress: got {self.yield_stress!r} with material {self.material!r}, whose "
                "metal does not fill the section, allowed: nothing; "
                f"**strand.materials.get({self.material!r}).plastic has the elements of its wires"
            )
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        missing = {k: v for k, v in values.items() if v is None or isinstance(v, _Unless)}
        given = sorted(values.keys() - missing.keys())
        known = {} if entry is None else _strand.library_keys(entry.name, given)
        for name, default in missing.items():
            setattr(self, name, known.get(name, getattr(default, "value", None)))

    def to_mjcf(self, backend: str = "cable") -> str:
        """The cable as MJCF text.

        backend: "cable" (default), a chain of links with the plugin strand.cable; or "flex", the
        1D flex of MuJoCo 4, which needs no plugin but supports fewer options.

        Raises StrandError, which names the invalid field.
        """
        return self.generate(backend)[0]

    def recipe(self, backend: str = "cable") -> "_strand.Recipe | str":
        """The chosen root, twist, integrator, time step and softness; str() describes them.

        backend: "cable" (default) or "flex", as for `to_mjcf`.
        """
        return self.generate(backend)[1]

    def generate(
        self, backend: str = "cable", stage: bool = False
    ) -> "tuple[str, _strand.Recipe | str]":
        """MJCF text and recipe together.

        backend: "cable" (default) or "flex", as for `to_mjcf`.
        stage: adds a floor, light and sky (default False).
        """
        recipe: _strand.Recipe | str
        if options.read("backend", backend, choice(*BACKENDS)) == "flex":
            from strand import flex

            mjcf, recipe = flex.generate(self)
        else:
            mjcf, recipe = checked(adapter.load().generate, self.description())
        if options.read("stage", stage, FLAG):
            from strand.draw.stage import add_stage, floor_height

            mjcf = add_stage(mjcf, floor_height(self))
        return mjcf, recipe

    def description(self) -> _strand.CableDescription:
        """The C++ description of the cable. Raises StrandError if a value is invalid."""
        nodes = options.read("nodes", self.nodes, NODES)
        return checked(_strand.describe_cable, self.arguments(), nodes)

    def arguments(self) -> dict[str, Any]:
        """The values that describe the cable to C++, without its nodes."""
        return {
            field.name: _read(field.name, value, OPTIONS[field.name].allowed)
            for field in dataclasses.fields(self)
            if field.name not in ("nodes", "material")
            and ((value := getattr(self, field.name)) is not None or field.default is not None)
        }

    @classmethod
    def from_description(cls, described: _strand.CableDescription) -> "Cable":
        """The cable of a description of the extension."""
        arguments = _strand.cable_arguments(described)
        return cls(described.nodes, **_typed(arguments))


@dataclasses.dataclass
class Branch:
    """A cable that starts at a node of another cable, to which a junction joins it.

    Moments pass through a junction unless it is a ball joint (`junction=0`), and any number of
    branches may start at the same node. The names of a branch's bodies, joints, sites and plugin
    instance begin with the cable's prefix, the branch's name and "_". Its cable is drawn from its
    first node, has no start condition, pose, prefix or branches of its own, and keeps the
    integrator, step and gravity of the whole. Branches on branches are listed with the others, with
    `on`.
    """

    cable: Cable = _NEEDED
    name: str = _NEEDED
    at: float = _NEEDED
    on: str = ""
    angle: float | None = None
    azimuth: float = 0.0
    junction: str | float | Sequence[float] = "rigid"

    def arguments(self) -> dict[str, Any]:
        """The arguments that describe the branch to C++."""
        options.read("cable", self.cable, options.instance(Cable, "a strand.Cable"))
        values = {
            name: _read(f"branches.{name}", getattr(self, name), allowed)
            for name, _, allowed, _ in _strand.branch_options()
            if getattr(self, name) is not None
        }
        cable = self.cable.arguments()
        cable["nodes"] = np.asarray(self.cable.nodes, dtype=float).tolist()
        del cable["prefix"]  # that of the whole cable and the branch's name
        return values | {"cable": cable}

    @classmethod
    def from_arguments(cls, arguments: dict[str, Any]) -> "Branch":
        """The inverse of `arguments`."""
        cable = arguments.pop("cable")
        nodes = np.array(cable.pop("nodes"))
        return cls(cable=Cable(nodes, **_typed(cable)), **arguments)


def _typed(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a cable that C++ returned, with stretches and branches as their types."""
    stretches = [Stretch(**stretch) for stretch in arguments.pop("stretches")]
    branches = [Branch.from_arguments(branch) for branch in arguments.pop("branches")]
    return arguments | {"stretches": stretches, "branches": branches}


def _documentation(described: type, keys: Mapping[str, tuple[str, str]]) -> str:
    """The class docstring and a line for each field: meaning, allowed values, default."""
    lines = []
    for field in dataclasses.fields(described):
        doc, allowed = keys[field.name]
        lines.append(f"{field.name}: {doc}. Allowed: {allowed}. {_default_in_words(field)}")
    return "\n\n".join([inspect.cleandoc(described.__doc__ or ""), "Arguments:", *lines])


def _default_in_words(field: dataclasses.Field) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"Default: {field.default_factory()!r}"
    if field.default is dataclasses.MISSING or field.name == "nodes":
        return "Required"
    return "Default: not given" if field.default is None else f"Default: {field.default!r}"


_DOCUMENTED_NODES = "the end points of the links, shape (n + 1, 3)", "3 rows or more (m)"
Cable.__doc__ = _documentation(
    Cable,
    {"nodes": _DOCUMENTED_NODES} | {name: (o.doc, o.allowed) for name, o in OPTIONS.items()},
)
Stretch.__doc__ = _documentation(
    Stretch, {name: (doc, allowed) for name, doc, allowed, _ in _strand.stretch_options()}
)
Branch.__doc__ = _documentation(
    Branch,
    {"cable": ("the cable", "a strand.Cable")}
    | {name: (doc, allowed) for name, doc, allowed, _ in _strand.branch_options()},
)


def _read(field: str, value: Any, allowed: str) -> Any:
    """The value in the form that C++ takes. Raises StrandError, which names the field."""
    return options.read(field, value, Kind(allowed, _as_toml))


def _as_toml(value: Any) -> Any:
    """The value in the types that TOML has. Raises TypeError if TOML has no such type."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _as_toml(value.tolist())
    if isinstance(value, Stretch):
        return {
            name: _as_toml(given)
            for name, given in dataclasses.asdict(value).items()
            if given is not None
        }
    if isinstance(value, Branch):
        return value.arguments()
    if isinstance(value, dict):
        return {str(name): _as_toml(item) for name, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_as_toml(item) for item in value]
    if not isinstance(value, (bool, int, float, str)):
        raise TypeError
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise TypeError
    return value
