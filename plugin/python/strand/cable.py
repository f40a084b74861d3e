"""Describes cables and writes them as MJCF."""

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from strand import _strand, adapter
from strand.errors import StrandError

ENDS = ("free", "fixed", "mocap", "weld")
ROOTS = ("end", "middle")
INTEGRATORS = ("Euler", "implicitfast", "discrete")


def _shape(make, *arguments) -> np.ndarray:
    try:
        return make(*arguments)
    except (ValueError, TypeError) as error:
        raise StrandError(str(error)) from None


def straight(length: float, segments: int) -> np.ndarray:
    """Nodes along x from the origin, shape (segments + 1, 3), m."""
    return _shape(_strand.straight_nodes, length, segments)


def arc(length: float, angle: float, segments: int) -> np.ndarray:
    """Nodes of a planar arc of `length` m that starts along x and turns by `angle` rad towards y.

    Every link is length / segments long. Shape (segments + 1, 3), m.
    """
    return _shape(_strand.arc_nodes, length, angle, segments)


def ring(radius: float, segments: int, overlap: int = 0) -> np.ndarray:
    """Nodes of a ring of circumference 2 pi radius m about the origin, in the xy plane.

    `overlap` further links lie over the first ones. Shape (segments + overlap + 1, 3), m.
    """
    return _shape(_strand.ring_nodes, radius, segments, overlap)


@dataclasses.dataclass
class Cable:
    """A cable: a chain of links between nodes, with an elastic rod's stiffness. SI units.

    nodes: shape (n + 1, 3), m. EI: N m^2, one number or two (about the links' y and z axes).
    GJ: N m^2. radius: m. density: kg/m^3. damping: of each joint, N m s/rad.
    start, end: "free", "fixed" (to the world), "mocap" (driven by a mocap body: the first link
    itself where the tree is rooted there, else `<prefix>start`, `<prefix>end`) or "weld" (to the
    body named in weld_start, weld_end, which must be in the scene).
    root: where the kinematic tree starts, "end" or "middle" (faster where both ends are held).
    keys: further keys of the plugin (curvature, twist, rest, rest_twist, holds, color, ...).
    stabilize: numerical stiffness or damping for large steps (plugin/mujoco/README.md).
    integrator: "discrete" (solves constraints and damping together), "implicitfast" or "Euler".
    """

    nodes: np.ndarray
    EI: float | Sequence[float]
    GJ: float
    radius: float = 0.005
    density: float = 1000.0
    prefix: str = "cable_"
    normal: Sequence[float] = (0.0, 1.0, 0.0)
    closed: bool = False
    root: str = "end"
    start: str = "free"
    end: str = "free"
    weld_start: str = ""
    weld_end: str = ""
    damping: float = 0.0
    stabilize: bool = True
    integrator: str = "discrete"
    timestep: float = 0.002
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    collide: bool = True
    friction: float = 0.6
    rgba: Sequence[float] = (0.15, 0.35, 0.65, 1.0)
    keys: dict[str, str | float] = dataclasses.field(default_factory=dict)

    def to_mjcf(self) -> str:
        """The cable as MJCF text. Raises StrandError that names the field at fault."""
        try:
            return adapter.load().generate(self._description())
        except ValueError as error:
            raise StrandError(str(error)) from None

    def _description(self) -> _strand.CableDescription:
        nodes = _numbers("nodes", self.nodes)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise StrandError(f"nodes: got an array of shape {nodes.shape}, allowed: (n + 1, 3)")
        if len(nodes) < 3:
            raise StrandError(f"nodes: got '{len(nodes)}', allowed: at least 3 (two links)")
        EI = np.atleast_1d(_numbers("EI", self.EI))
        if EI.shape not in ((1,), (2,)):
            raise StrandError(f"EI: got {self.EI!r}, allowed: one number or two (N m^2)")
        description = _strand.CableDescription()
        description.nodes = nodes
        description.EI = [float(EI[0]), float(EI[-1])]
        description.root = _choice("root", self.root, ROOTS, _strand.Root)
        description.ends = [
            _choice(name, value, ENDS, _strand.EndCondition)
            for name, value in (("start", self.start), ("end", self.end))
        ]
        description.weld_to = [self.weld_start, self.weld_end]
        description.integrator = _choice(
            "integrator", self.integrator, INTEGRATORS, _strand.Integrator
        )
        description.keys = _key_texts(self.keys)
        normal = _numbers("normal", self.normal)
        if normal.shape != (3,):
            raise StrandError(f"normal: got {self.normal!r}, allowed: three numbers")
        description.normal = normal
        plain = ("GJ", "radius", "density", "prefix", "closed", "damping", "stabilize")
        for name in (*plain, "timestep", "gravity", "collide", "friction", "rgba"):
            try:
                setattr(description, name, getattr(self, name))
            except TypeError:
                value = getattr(self, name)
                raise StrandError(f"{name}: got {value!r}, allowed: see strand.Cable") from None
        return description


def _choice(field: str, value: str, allowed: Sequence[str], enum):
    if value not in allowed:
        raise StrandError(f"{field}: got {value!r}, allowed: {', '.join(allowed)}")
    return getattr(enum, value)


def _numbers(field: str, value) -> np.ndarray:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{field}: got {value!r}, allowed: numbers") from None


def _key_texts(keys) -> list[tuple[str, str]]:
    try:
        return [(str(name), _key_text(value)) for name, value in keys.items()]
    except (AttributeError, TypeError, ValueError):
        allowed = "names of strand.cable's keys with a text, a number or numbers"
        raise StrandError(f"keys: got {keys!r}, allowed: {allowed}") from None


def _key_text(value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(repr(float(number)) for number in np.atleast_1d(value))


def generate(cable: Cable, path: str | os.PathLike | None = None) -> str:
    """The cable as MJCF text, also written to `path` (beside it first, then renamed)."""
    mjcf = cable.to_mjcf()
    if path is not None:
        write_text(path, mjcf)
    return mjcf


def write_text(path: str | os.PathLike, text: str) -> None:
    """Writes a file whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike, content: bytes) -> None:
    """Writes a file whole or not at all: beside it first, then renamed."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StrandError(
            f"output: got {str(path)!r}, allowed: a writable file ({error})"
        ) from None
