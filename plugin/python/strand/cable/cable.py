"""Cables and their arguments."""

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from strand import _strand, adapter
from strand.errors import checked
from strand.io import options
from strand.io.options import FLAG, GRAVITY, NODES, Kind, choice, numbers

BACKENDS = ("cable", "flex")


class Documented(NamedTuple):
    """A key of a cable file: its table ("": top level), its meaning, its allowed values."""

    table: str
    doc: str
    allowed: str


#: The options of a cable by name. They are defined in plugin/mujoco/cable_file/options.cc only.
OPTIONS = {
    name: Documented(table, doc, allowed)
    for table, keys in _strand.cable_options()
    for name, doc, allowed in keys
} | {
    "stretches": Documented("", "stretches with different properties", "a list of stretches"),
    "keys": Documented(
        "",
        "additional keys of the plugin strand.cable (holds, ...)",
        "key names of strand.cable, each with a text, a number or several numbers",
    ),
}


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
            for name, _, allowed in _strand.stretch_options()
            if getattr(self, name) is not None
        }
        alone = checked(_strand.describe_cable, {"stretches": [values]}, np.zeros((3, 3)))
        checked(_strand.check_values, alone)


@dataclasses.dataclass
class Cable:
    """A cable: a chain of links between nodes, with the stiffness of an elastic rod. SI units.

    Required: nodes, and either EI and GJ, or young with shear or poisson. `radius` and `density`
    are one number, two numbers (start and end, linear in between), or one number per link. Keys of
    cable files (strand.load_cable) have the same names.

    Raises StrandError, which names the field, its value and the allowed values. Arguments are
    checked on construction; fields that are set later are checked when the cable is used.
    """

    nodes: np.ndarray = None  #: shape (n + 1, 3), m; links lie between them
    EI: float | Sequence[float] | None = None
    GJ: float | None = None
    radius: float | Sequence[float] = 0.005
    density: float | Sequence[float] = 1000.0
    prefix: str = "cable_"
    normal: Sequence[float] | None = None
    pos: Sequence[float] = (0.0, 0.0, 0.0)
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    closed: bool = False
    section: str = "circle"
    inner_radius: float = 0.0
    width: float = 0.0
    height: float = 0.0
    young: float | None = None
    shear: float | None = None
    poisson: float | None = None
    stretches: Sequence[Stretch] = ()
    rest: str = "drawn"
    rest_twist: float = 0.0
    twist: str = "auto"
    curvature: str = "angle"
    damping: float | None = None
    loss_time: float | None = None
    damping_ratio: float | None = None
    whip_damping: float = 1.0
    root: str = "auto"
    start: str = "free"
    end: str = "free"
    start_to: str = ""
    end_to: str = ""
    clamp: str = "node"
    collide: bool = True
    self_contact: bool = True
    friction: float | Sequence[float] = 0.6
    condim: int = 3
    contype: int = 1
    conaffinity: int = 1
    margin: float = 0.0
    priority: int = 1
    contact_solref: Sequence[float] | None = None
    contact_solimp: Sequence[float] | None = None
    rgba: Sequence[float] = (0.15, 0.35, 0.65, 1.0)
    color: Sequence[float] | None = None
    group: int | None = None
    skin: bool = False
    integrator: str = "auto"
    timestep: float | None = None
    stabilize: bool = True
    max_tension: float | None = None
    gravity: Sequence[float] = GRAVITY
    keys: dict[str, str | float | Sequence[float]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        checked(_strand.check_cable, self.description())

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
        options.read("color", self.color, options.optional(_COLOR))
        tables: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "nodes" or (value is None and field.default is None):
                continue
            option = OPTIONS[field.name]
            table = tables.setdefault(option.table, {}) if option.table else tables
            table[field.name] = _read(field.name, value, option.allowed)
        return checked(_strand.describe_cable, tables, nodes)


def _documentation(described: type, keys: Mapping[str, tuple[str, str]]) -> str:
    """The class docstring and a line for each field: meaning, allowed values, default."""
    lines = []
    for field in dataclasses.fields(described):
        doc, allowed = keys[field.name]
        lines.append(f"{field.name}: {doc}. Allowed: {allowed}. {_default(field)}")
    return "\n\n".join([inspect.cleandoc(described.__doc__), "Arguments:", *lines])


def _default(field: dataclasses.Field) -> str:
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
    Stretch, {name: (doc, allowed) for name, doc, allowed in _strand.stretch_options()}
)


def _stresses(value: Any) -> list[float]:
    lower, upper = numbers(2, 2, "").read(value)
    if not 0 <= lower < upper < np.inf:
        raise ValueError
    return [lower, upper]


_COLOR = Kind(OPTIONS["color"].allowed, _stresses)


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
    if isinstance(value, dict):
        return {str(name): _as_toml(item) for name, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_as_toml(item) for item in value]
    if not isinstance(value, (bool, int, float, str)):
        raise TypeError
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise TypeError
    return value
