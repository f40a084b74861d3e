"""The description of a growing ("vine") robot for MuJoCo. SI units."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from strand import vine
from strand.errors import StrandError
from strand.io import options
from strand.io.options import (
    FLAG,
    INTEGER,
    LIST,
    TEXT,
    Kind,
    choice,
    count,
    key,
    non_negative,
    optional,
    positive,
    vector,
)
from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE
from strand.vine.mjcf.chain import Chain
from strand.vine.mjcf.mjcf import write

#: Largest number of pairs that MuJoCo's MJCF reader can nest. A pair that telescopes has two
#: bodies, with growth "tip" one.
MOST_PAIRS = {"telescoping": 230, "tip": 460}

_INTEGRATORS = (*["discrete"] * HAS_DISCRETE, "Euler", "implicitfast", "implicit")


def _per_pair(allowed: str, fits: Callable[[np.ndarray], Any]) -> Kind[np.ndarray]:
    def read(value: Any) -> np.ndarray:
        if isinstance(value, (str, bool)):
            raise TypeError
        found = np.atleast_1d(np.asarray(value, dtype=float))
        if found.ndim != 1 or not (np.isfinite(found) & fits(found)).all():
            raise ValueError
        return found

    return Kind(f"a number, or one per pair, {allowed}", read)


def _positive(unit: str) -> Kind[np.ndarray]:
    return _per_pair(f"> 0 ({unit})", lambda value: value > 0)


def _non_negative(unit: str) -> Kind[np.ndarray]:
    return _per_pair(f">= 0 ({unit})", lambda value: value >= 0)


_ANGLE = _per_pair("finite (rad)", lambda value: True)
PerPair: TypeAlias = float | Sequence[float]


@dataclasses.dataclass(eq=False)
class VineRobot:
    """A planar growing robot: pairs of bodies that slide along each other, joined by pins.

    It is the robot that strand.vine solves exactly, with the same parameters, for MuJoCo scenes.

    A pair has two equal bodies of length 2 half_length, whose centres are at the distance s, the
    extension; the pair is s + 2 half_length long. Parameters of pairs are one number per pair, or
    one number for all:

    pairs: number of pairs; with growth "tip" the largest number. At most 230, or 460 with "tip".
    half_length: half the length of each body (m).
    mass, inertia: of each body, inertia about its centre (kg; kg m^2).
    stiffness: of the joint at each pair's proximal end (N m).
    damping: of these joints (N m s; default 0).
    diameter: of the robot (m; default 0.024).
    natural_angle: of each joint, without load (rad; default 0).
    start_angle: of each joint at the start (rad; default: natural_angle).
    start_length: of the robot (m). Default: 4 half_length for each pair; with growth "tip": 4
        half_length of the first.
    base, base_heading: position (m) and heading (rad) of the base in the robot's plane (default 0).
    growth: "telescoping" (default): every pair grows (Jitosho et al., ICRA 2021), so that the
        deployed body moves forward. "tip": a pair is one segment, 4 half_length long; segments that
        are not yet deployed are collapsed at the tip, where alone the robot grows, and the deployed
        body is at rest.
    shape: what collides: "sphere" (default), spheres at the pairs' distal ends, as published; or
        "capsule", the whole body.
    friction: Coulomb coefficient (default 0).
    contype, conaffinity: bit masks of MuJoCo's contact filter. Defaults 2 and 1: vine robots do not
        touch each other.
    obstacles: of strand.vine, in the robot's plane (default none).
    pos, quat: pose of the plane (m; w x y z), whose z is the normal (default: world).
    prefix: precedes all names (default "vine_").
    timestep, integrator, gravity: options of the robot's own model: s (default 0.002), name
        (default "discrete"; before MuJoCo 3.13 "Euler"), m/s^2 (default 0). The constraints are
        tuned for timestep and integrator.
    rgba: colour.
    visible: draws the body when only spheres collide (default True).
    """

    pairs: int = key(None, "number of pairs; growing at the tip: at most", count(1))
    half_length: PerPair = key(None, "of each body", _positive("m"))
    mass: PerPair = key(None, "of each body", _positive("kg"))
    inertia: PerPair = key(None, "of each body about its centre", _positive("kg m^2"))
    stiffness: PerPair = key(None, "of each joint", _non_negative("N m"))
    damping: PerPair = key(0.0, "of each joint", _non_negative("N m s"))
    diameter: float = key(0.024, "of the body", positive("m"))
    natural_angle: PerPair = key(0.0, "of each joint, without load", _ANGLE)
    start_angle: PerPair | None = key(
        None, "of each joint, at the start; left out: natural_angle", optional(_ANGLE)
    )
    start_length: float | None = key(
        None, "left out: 4 half_length for every pair, or for one", optional(positive("m"))
    )
    base: Sequence[float] = key((0.0, 0.0), "position of the base in its plane", vector(2, "m"))
    base_heading: float = key(0.0, "the base's heading", options.finite("rad"))
    growth: str = key("telescoping", "where it grows", choice("telescoping", "tip"))
    shape: str = key(
        "sphere",
        "what collides: spheres at the pairs' distal ends, as published, or the whole body",
        choice("sphere", "capsule"),
    )
    friction: float = key(0.0, "coefficient, 0: frictionless", non_negative("1"))
    contype: int = key(2, "bit mask; the default touches no vine robot", INTEGER)
    conaffinity: int = key(1, "bit mask of MuJoCo's contact filter", INTEGER)
    obstacles: Sequence[vine.Obstacle] = key((), "of strand.vine, in its plane", LIST)
    pos: Sequence[float] = key((0.0, 0.0, 0.0), "of the plane's origin", vector(3, "m"))
    quat: Sequence[float] = key(
        (1.0, 0.0, 0.0, 0.0), "of the plane (w x y z): its z is normal", vector(4, "1")
    )
    prefix: str = key("vine_", "precedes all names", TEXT)
    timestep: float = key(0.002, "of its own model; constraints are tuned for it", positive("s"))
    integrator: str = key(BEST_INTEGRATOR, "of its own model", choice(*_INTEGRATORS))
    gravity: Sequence[float] = key((0.0, 0.0, 0.0), "of its own model", vector(3, "m/s^2"))
    rgba: Sequence[float] = key((0.85, 0.45, 0.2, 1.0), "colour", vector(4, "1"))
    visible: bool = key(True, "draws the body if only spheres collide", FLAG)

    @classmethod
    def from_chain(cls, chain: vine.Chain, **others: Any) -> "VineRobot":
        """The robot of a chain of the exact solver (vine.chain, vine.uniform_chain).

        If it telescopes, joint stiffnesses and masses remain those of the chain, as in the paper,
        also for a chain of a material, which keeps EI and mass per length in vine.Robot.

        others: any other fields. They override those of the chain.
        """
        if not isinstance(chain, vine.Chain):
            raise StrandError(f"chain: got {type(chain).__name__}, allowed: a vine.Chain")
        per_pair = ("half_length", "mass", "inertia", "stiffness", "damping", "natural_angle")
        fields: dict[str, Any] = {
            name: np.array(getattr(chain, name))[: chain.pairs] for name in per_pair
        }
        fields |= {"base": chain.base, "base_heading": chain.base_heading}
        return cls(chain.pairs, **fields | others)

    def to_mjcf(self) -> str:
        """The robot and its obstacles as a complete model, in MJCF text.

        The body named prefix + "plane" can be attached to any scene. Raises StrandError, which
        names the invalid field.
        """
        return write(self.read())

    def read(self) -> Chain:
        """Checks every field and expands parameters to one number per pair."""
        value: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            value[field.name] = options.read(
                field.name, getattr(self, field.name), field.metadata["option"]
            )
        pairs = value["pairs"]
        if pairs > MOST_PAIRS[value["growth"]]:
            raise StrandError(f"pairs: got {pairs}, allowed: 1 to {MOST_PAIRS[value['growth']]}")
        if value["start_angle"] is None:
            value["start_angle"] = value["natural_angle"]
        for name, item in value.items():
            if isinstance(item, np.ndarray):
                value[name] = _spread(name, item, pairs)
        for obstacle in value["obstacles"]:
            if not isinstance(obstacle, vine.Obstacle):
                raise StrandError(f"obstacles: got {obstacle!r}, allowed: vine.circle(...), ...")
        if not np.linalg.norm(value["quat"]) > 0:
            raise StrandError(f"quat: got {self.quat!r}, allowed: four numbers, not all zero")
        value["extension"] = _extensions(value)
        del value["start_length"]
        return Chain(**value)


def _spread(name: str, values: np.ndarray, pairs: int) -> np.ndarray:
    if len(values) not in (1, pairs):
        raise StrandError(f"{name}: got {len(values)} numbers, allowed: one, or {pairs}")
    return np.broadcast_to(values, (pairs,)).copy()


def _extensions(value: dict[str, Any]) -> np.ndarray:
    """Extensions of the pairs at the start (m)."""
    half, length = value["half_length"], value["start_length"]
    if value["growth"] == "tip":
        segment = 4 * half
        if length is None:
            length = segment[0]
        if length > segment.sum() * (1 + 1e-12):
            raise StrandError(f"start_length: got {length}, allowed: up to {segment.sum()} (m)")
        return tip_extensions(segment, length)
    if length is None:
        return 2 * half
    extension = (length - 2 * half.sum()) * half / half.sum()
    if not (extension > 0).all():
        raise StrandError(f"start_length: got {length}, allowed: > {2 * half.sum()} (m)")
    return extension


def tip_extensions(segment: np.ndarray, length: float) -> np.ndarray:
    """Deployed length of each segment (m) when the robot is `length` m long."""
    return np.clip(length - (np.cumsum(segment) - segment), 0, segment)
