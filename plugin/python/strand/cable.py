"""Describes cables, writes them as MJCF, and puts them into scenes."""

import dataclasses
import os
from collections.abc import Sequence

import mujoco
import numpy as np

from strand import _strand, adapter, options
from strand.errors import StrandError
from strand.files import write_text
from strand.options import FLAG, INTEGER, KEYS, LIST, NODES, TEXT, choice, number, numbers, option

BACKENDS = ("cable", "flex")
ENDS = ("free", "fixed", "ball", "weld", "pin", "mocap")

_EI = options.optional(numbers(1, 2, "one number or two, > 0 (N m^2)"))
_POSITIVE = {
    unit: options.optional(number(f"> 0 ({unit})")) for unit in ("N m^2", "Pa", "m", "s", "1")
}


@dataclasses.dataclass
class Stretch:
    """A stretch of the cable with a stiffness of its own, from `begin` to `end` m of arclength.

    What is not given is as in the rest of the cable.
    """

    begin: float
    end: float
    EI: float | Sequence[float] | None = None
    GJ: float | None = None
    young: float | None = None
    shear: float | None = None
    poisson: float | None = None


@dataclasses.dataclass
class Cable:
    """A cable: a chain of links between nodes, with an elastic rod's stiffness. SI units.

    `strand generate --schema` lists all options with their meaning; a file's tables have the same
    names. EI and GJ, or young and one of shear and poisson, must be given.
    """

    nodes: np.ndarray = option(None, "shape", "n + 1 points, m; links lie between them", NODES)
    EI: float | Sequence[float] | None = option(
        None, "material", "bending stiffness: one, or two about the links' y and z axes", _EI
    )
    GJ: float | None = option(None, "material", "twisting stiffness", _POSITIVE["N m^2"])
    radius: float = option(0.005, "section", "of circle and tube", number("> 0 (m)"))
    density: float = option(1000.0, "material", "mass per volume", number("> 0 (kg/m^3)"))
    prefix: str = option("cable_", "", "goes before the names of bodies, joints, sites", TEXT)
    normal: Sequence[float] | None = option(
        None,
        "shape",
        "y axis of the first link (made orthogonal); left out: y, or z along y",
        options.optional(numbers(3, 3, "three numbers, not along the first link")),
    )
    pos: Sequence[float] = option(
        (0.0, 0.0, 0.0), "shape", "start pose: the shape is moved here", numbers(3, 3, "three, m")
    )
    quat: Sequence[float] = option(
        (1.0, 0.0, 0.0, 0.0),
        "shape",
        "start pose: and turned so (w x y z)",
        numbers(4, 4, "four numbers, not all zero"),
    )
    closed: bool = option(False, "shape", "the last node is the first: a closed cable", FLAG)
    section: str = option(
        "circle", "section", "outline of the section", choice("circle", "tube", "box", "ellipse")
    )
    inner_radius: float = option(0.0, "section", "of a tube", number("> 0, < radius (m)"))
    width: float = option(0.0, "section", "of box, ellipse, along y", number("> 0 (m)"))
    height: float = option(0.0, "section", "of box, ellipse, along z", number("> 0 (m)"))
    young: float | None = option(None, "material", "Young's modulus", _POSITIVE["Pa"])
    shear: float | None = option(None, "material", "shear modulus", _POSITIVE["Pa"])
    poisson: float | None = option(
        None, "material", "Poisson's ratio", options.optional(number("> -1 and <= 0.5"))
    )
    stretches: Sequence[Stretch] = option(
        (),
        "stretches",
        "stretches with a stiffness of their own: begin, end (m), EI, GJ, ...",
        LIST,
    )
    rest: str = option(
        "drawn",
        "elasticity",
        "stress-free shape: as drawn, or straight",
        choice("drawn", "straight"),
    )
    rest_twist: float = option(
        0.0, "elasticity", "natural twist added along the cable", number("finite (rad)")
    )
    twist: str = option(
        "auto",
        "elasticity",
        "dynamic: every link's own spin counts; auto: where EI has two values",
        choice("auto", "quasistatic", "dynamic"),
    )
    curvature: str = option(
        "angle",
        "elasticity",
        "measure of curvature: phi / l or 2 tan(phi/2) / l",
        choice("angle", "tangent"),
    )
    damping: float | None = option(
        None, "damping", "of each joint", options.optional(number(">= 0 (N m s/rad)"))
    )
    loss_time: float | None = option(
        None,
        "damping",
        "viscous to elastic stiffness (Kelvin-Voigt): joints get loss_time EI / l",
        options.optional(number(">= 0 (s)")),
    )
    damping_ratio: float | None = option(
        None,
        "damping",
        "of the first bending mode of the straight cable with these ends",
        options.optional(number(">= 0")),
    )
    root: str = option(
        "auto",
        "ends",
        "where the kinematic tree starts; auto: at the one end held, else the middle (faster)",
        choice("auto", "end", "middle"),
    )
    start: str = option(
        "free",
        "ends",
        "fixed, ball: held where drawn by what carries the cable; weld, pin: by start_to",
        choice(*ENDS),
    )
    end: str = option("free", "ends", "the same for the last node", choice(*ENDS))
    start_to: str = option(
        "",
        "ends",
        "body, or site with x along the cable, that a welded or pinned start is at",
        TEXT,
    )
    end_to: str = option("", "ends", "the same for the end", TEXT)
    clamp: str = option(
        "node",
        "ends",
        "what fixed, weld, mocap hold: the direction at the node, or the whole link",
        choice("node", "link"),
    )
    collide: bool = option(True, "contact", "touches anything", FLAG)
    self_contact: bool = option(True, "contact", "touches itself and other cables", FLAG)
    friction: float | Sequence[float] = option(
        0.6,
        "contact",
        "sliding, spinning (m), rolling (m)",
        numbers(1, 3, "1 to 3 numbers >= 0"),
    )
    condim: int = option(3, "contact", "dimension of the friction cone: 1, 3, 4 or 6", INTEGER)
    contype: int = option(1, "contact", "bit mask of MuJoCo's contact filter", INTEGER)
    conaffinity: int = option(1, "contact", "bit mask of MuJoCo's contact filter", INTEGER)
    margin: float = option(0.0, "contact", "distance at which contacts begin", number(">= 0 (m)"))
    rgba: Sequence[float] = option(
        (0.15, 0.35, 0.65, 1.0), "look", "colour", numbers(4, 4, "four numbers from 0 to 1")
    )
    color: Sequence[float] | None = option(
        None,
        "look",
        "von Mises stresses (Pa) that are drawn blue and red",
        options.optional(numbers(2, 2, "two stresses, 0 <= lower < upper (Pa)")),
    )
    group: int | None = option(
        None,
        "look",
        "geom group; left out: 0, or 3 (hidden) beside a skin",
        options.optional(INTEGER),
    )
    skin: bool = option(False, "look", "draw a smooth tube", FLAG)
    integrator: str = option(
        "auto",
        "simulation",
        "auto: discrete, which solves constraints and damping together; before MuJoCo 3.13: Euler",
        choice("auto", "Euler", "implicitfast", "discrete"),
    )
    timestep: float | None = option(
        None, "simulation", "left out: the step recommended", _POSITIVE["s"]
    )
    stabilize: bool = option(
        True, "simulation", "numerical stiffness for large steps (plugin/mujoco/README.md)", FLAG
    )
    gravity: Sequence[float] = option(
        (0.0, 0.0, -9.81), "simulation", "m/s^2", numbers(3, 3, "three numbers (m/s^2)")
    )
    keys: dict[str, str | float] = option(
        dict, "keys", "further keys of the plugin strand.cable (holds, ...)", KEYS, factory=True
    )

    def to_mjcf(self, backend: str = "cable") -> str:
        """The cable as MJCF text. Raises StrandError that names the field at fault.

        backend: "cable", a chain of links that the plugin strand.cable drives; or "flex", MuJoCo
        4's 1D flex, which needs no plugin and cannot be everything that a chain can.
        """
        return self.generate(backend)[0]

    def recipe(self, backend: str = "cable") -> str:
        """In words: root, twist, integrator, step and numerical stiffness as chosen."""
        return self.generate(backend)[1]

    def generate(self, backend: str = "cable") -> tuple[str, str]:
        """MJCF text and recipe together."""
        if options.read("backend", backend, choice(*BACKENDS)) == "flex":
            from strand import flex

            return flex.generate(self)
        try:
            return adapter.load().generate(self._description())
        except ValueError as error:
            raise StrandError(str(error)) from None

    def _description(self) -> _strand.CableDescription:
        """For C++. Every value is checked for its type here, for its range there."""
        if self.nodes is None:
            raise StrandError("nodes: got nothing, allowed: an array of shape (n + 1, 3)")
        value = {
            field.name: options.read(
                field.name, getattr(self, field.name), field.metadata["option"]
            )
            for field in dataclasses.fields(self)
        }
        return describe(value)


def describe(value: dict) -> _strand.CableDescription:
    """The options, read, as C++ has them."""
    if len(value["nodes"]) < 3:  # an empty array has no address to hand on
        raise StrandError(f"nodes: got '{len(value['nodes'])}', allowed: at least 3 (two links)")
    cable = _strand.CableDescription()
    plain = ("prefix", "nodes", "quat", "closed", "density", "rest_twist", "rgba", "group")
    _set(cable, value, *plain, "skin", "timestep", "stabilize", "gravity")
    cable.pos = np.array(value["pos"])
    cable.normal = None if value["normal"] is None else np.array(value["normal"])
    _set(cable.section, value, "radius", "inner_radius", "width", "height")
    cable.section.shape = getattr(_strand.SectionShape, value["section"])
    contact = ("collide", "self_contact", "friction", "condim", "contype", "conaffinity", "margin")
    _set(cable.contact, value, *contact)
    cable.stiffness = _stiffness(value)
    cable.stretches = [_stretch(stretch) for stretch in value["stretches"]]
    cable.damping.joint = value["damping"]
    cable.damping.loss_time = value["loss_time"]
    cable.damping.ratio = value["damping_ratio"]
    cable.ends = [getattr(_strand.EndCondition, value[side]) for side in ("start", "end")]
    cable.end_to = [value["start_to"], value["end_to"]]
    cable.rest = getattr(_strand.RestShape, value["rest"])
    for name in ("root", "clamp", "twist", "curvature", "integrator"):
        setattr(cable, name, getattr(getattr(_strand, name.capitalize()), value[name]))
    keys = []
    if value["color"] is not None:
        keys.append(("color", " ".join(map(repr, value["color"]))))
    cable.keys = keys + value["keys"]
    return cable


def _set(target, value: dict, *names: str) -> None:
    for name in names:
        setattr(target, name, value[name])


def _stiffness(value: dict) -> _strand.Stiffness:
    stiffness = _strand.Stiffness()
    EI = value["EI"]
    stiffness.EI = None if EI is None else [EI[0], EI[-1]]
    _set(stiffness, value, "GJ", "young", "shear", "poisson")
    return stiffness


def _stretch(stretch: Stretch | dict) -> _strand.Stretch:
    try:
        given = dataclasses.asdict(stretch if isinstance(stretch, Stretch) else Stretch(**stretch))
    except TypeError as error:
        allowed = ", ".join(field.name for field in dataclasses.fields(Stretch))
        raise StrandError(f"stretches: got {stretch!r} ({error}), allowed: {allowed}") from None
    kinds = {field.name: field.metadata["option"] for field in dataclasses.fields(Cable)}
    kinds["begin"] = kinds["end"] = number("an arclength (m)")
    value = {name: options.read(f"stretches.{name}", x, kinds[name]) for name, x in given.items()}
    described = _strand.Stretch()
    described.begin, described.end = value["begin"], value["end"]
    described.stiffness = _stiffness(value)
    return described


def generate(cable: Cable, path: str | os.PathLike | None = None, backend: str = "cable") -> str:
    """The cable as MJCF text, also written to `path` (beside it first, then renamed)."""
    mjcf = cable.to_mjcf(backend)
    if path is not None:
        write_text(path, mjcf)
    return mjcf


def attach(
    spec: mujoco.MjSpec,
    cable: Cable,
    body: str | mujoco.MjsBody = "world",
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
) -> str:
    """Adds a cable to a scene, drawn in the frame of `body` moved by `pos` (m) and `quat`.

    Ends that are "fixed" or "ball" are held by `body`; "weld" and "pin" name another body (the
    cable is held to it as drawn, at qpos0) or a site (the cable's end goes there, along its x
    axis). Every cable of a scene needs a prefix of its own. The scene keeps its integrator, time
    step and gravity; the text returned says what was chosen for them. Raises StrandError and
    leaves the scene as it was.
    """
    name = body if isinstance(body, str) else getattr(body, "name", None)
    if not isinstance(spec, mujoco.MjSpec):
        raise StrandError(f"spec: got {type(spec).__name__}, allowed: a mujoco.MjSpec")
    if not name:
        raise StrandError(f"body: got {body!r}, allowed: a body of the scene with a name")
    described = cable._description()
    outer = options.read("pos", pos, numbers(3, 3, "three numbers (m)"))
    turn = options.read("quat", quat, numbers(4, 4, "four numbers, not all zero"))
    if not np.linalg.norm(turn) > 0:
        raise StrandError(f"quat: got {quat!r}, allowed: four numbers, not all zero")
    place, rotation = np.empty(3), np.empty(4)
    unit = np.array(turn) / np.linalg.norm(turn)
    mujoco.mju_mulPose(place, rotation, np.array(outer), unit, described.pos, described.quat)
    described.pos, described.quat = place, rotation.tolist()
    try:
        return adapter.load().attach(described, spec._address, name)
    except ValueError as error:
        raise StrandError(str(error)) from None
