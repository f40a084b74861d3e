"""How exact a fit of a growing robot takes what it knows: standard deviations of residuals."""

import dataclasses

import numpy as np

from strand.vine.fit.model import numbers


@dataclasses.dataclass(frozen=True)
class VineNoise:
    """Standard deviations; weights of the least squares are their inverses. SI units.

    The defaults are the published weights: cost sum 1/2 x^2 + 0.05 y^2 + 5e4 (r^2 + s^2) of errors
    x, y of points (mm), r of bodies' momenta (kg mm/s, kg mm^2/s) and s of their positions (mm,
    rad) in each step, where a weight w is 1 / (2 sigma^2). They are one number for different units
    and no measured noise; state others where they are known. Source: the authors' program
    (charm-lab/Vine_Simulator, src/fitting/objective.jl); the paper prints equal weights.

    `gap` is not published: there the tip touches exactly, which 1e-6 m comes to. But a wall is
    known no better than the film that shows it (measured tips of the published one are 0.3 to
    1.3 mm off), and an exact wall turns its error into one of the tip.
    """

    points: tuple[float, float] = (1e-3, 1e-3 * 10**0.5)  #: of measured x and y (m)
    momentum: float = 1e-3 * 1e5**-0.5  #: of a body in a step (N s)
    angular_momentum: float = 1e-6 * 1e5**-0.5  #: (N m s)
    position: float = 1e-3 * 1e5**-0.5  #: (m)
    angle: float = 1e5**-0.5  #: (rad)
    gap: float = 1e-4  #: of the touching tip: small, it stands for a constraint (m)

    def __post_init__(self) -> None:
        points = numbers("points", self.points, (2,), above=0)
        object.__setattr__(self, "points", points)
        for field in dataclasses.fields(self)[1:]:
            numbers(field.name, np.asarray(getattr(self, field.name)), (), above=0)

    def loosened(self, factor: float) -> "VineNoise":
        """Dynamics and contact that many times less exact; points as they are."""
        return dataclasses.replace(
            self,
            **{
                field.name: factor * getattr(self, field.name)
                for field in dataclasses.fields(self)[1:]
            },
        )
