"""The stop rule of a published code."""

from dataclasses import dataclass

from strand.io.options import non_negative, read


@dataclass(frozen=True)
class PublishedStop:
    """When MAT-DiSMech's code stops, to reproduce its figures: any of the three is enough.

    The first two are looked at before the last Newton step; steps are whole, without a line search
    or collision detection. For a rod of millimetres 1e-4 N is much: results are off by 3e-5 m.
    """

    force: float = 1e-4  #: N, norm of the residual
    reduction: float = 1e-4  #: of that norm, as a part of the first one's
    speed: float = 1e-2  #: m/s, largest move of a node over dt

    def __post_init__(self) -> None:
        for name, unit in (("force", "N"), ("reduction", "1"), ("speed", "m/s")):
            read(name, getattr(self, name), non_negative(unit))
