"""The stopping rule of a published code."""

from dataclasses import dataclass

from strand.io.options import non_negative, read


@dataclass(frozen=True)
class PublishedStop:
    """The stopping rule of MAT-DiSMech's code, to reproduce its figures.

    A step ends as soon as one of three criteria holds:

    force: norm of the residual (N; default 1e-4).
    reduction: norm of the residual as a fraction of the first one (default 1e-4).
    speed: largest displacement of a node in an iteration, over dt (m/s; default 1e-2).

    The first two are evaluated before the last Newton step. Newton steps are full, without line
    search or collision detection. For a rod of a few millimetres 1e-4 N is large: positions are off
    by 3e-5 m.
    """

    force: float = 1e-4  #: N
    reduction: float = 1e-4  #: 1
    speed: float = 1e-2  #: m/s

    def __post_init__(self) -> None:
        for name, unit in (("force", "N"), ("reduction", "1"), ("speed", "m/s")):
            read(name, getattr(self, name), non_negative(unit))
