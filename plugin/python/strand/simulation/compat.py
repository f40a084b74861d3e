"""Published codes, to reproduce their figures."""

from dataclasses import dataclass

from strand import _strand
from strand.errors import StrandError
from strand.io.options import non_negative, read


@dataclass(frozen=True)
class MatDismech:
    """How MAT-DiSMech's code solves, to reproduce its figures; `compat="mat_dismech"` for short.

    A step ends when one of three numbers is small; the first two are evaluated before the last
    Newton step. Steps are full, without line search or collision detection, and the energy is not
    watched. For a rod of millimetres 1e-4 N is much: results are off by 3e-5 m. In addition,
    mid-edge normals are frozen within an iteration, and the derivative of aerodynamic drag is twice
    its value.
    """

    force: float = 1e-4  #: N, norm of the residual
    reduction: float = 1e-4  #: of that norm, as a fraction of the first one
    speed: float = 1e-2  #: m/s, largest move of a node over dt

    def __post_init__(self) -> None:
        for name, unit in (("force", "N"), ("reduction", "1"), ("speed", "m/s")):
            read(name, getattr(self, name), non_negative(unit))

    def stop(self, dt: float) -> _strand.PublishedStop:
        """The stop rule, for steps of dt (s)."""
        return _strand.PublishedStop(
            force=self.force, reduction=self.reduction, change=self.speed * dt
        )


#: By the names that Simulation's argument `compat` takes.
PRESETS = {"mat_dismech": MatDismech()}


def preset(compat: str | MatDismech | None) -> MatDismech | None:
    """The code that `compat` names. Raises StrandError on an unknown one."""
    if compat is None or isinstance(compat, MatDismech):
        return compat
    if isinstance(compat, str) and compat in PRESETS:
        return PRESETS[compat]
    raise StrandError(
        f"compat: got {compat!r}, allowed: {', '.join(PRESETS)}, a MatDismech, or None"
    )
