"""Standard deviations of the residuals in fits of growing robots."""

import dataclasses

import numpy as np

from strand.vine.fit.model import numbers


@dataclasses.dataclass(frozen=True)
class VineNoise:
    """Standard deviations of residuals, whose inverses are the weights of the least squares. SI
    units.

    points: of measured x and y (2, m).
    momentum, angular_momentum: of a body in a step (N s; N m s).
    position, angle: of a body in a step (m; rad).
    gap: of the tip while it touches (m); small, so that it acts as a constraint.

    The defaults are the published weights: the cost is the sum of
    1/2 x^2 + 0.05 y^2 + 5e4 (r^2 + s^2), with errors x, y of points (mm), r of the bodies' momenta
    (kg mm/s, kg mm^2/s) and s of their positions (mm, rad) in each step, where a weight w is
    1 / (2 sigma^2). They are the same number in different units and not a measured noise; give
    other values if they are known. Source: the authors' program (charm-lab/Vine_Simulator,
    src/fitting/objective.jl); the paper prints equal weights.

    `gap` is not published: in the published fit the tip touches exactly, which corresponds to
    1e-6 m. But the position of a wall is known only as accurately as the film shows it (measured
    tips of the published film are 0.3 to 1.3 mm off), and an exact wall turns its error into an
    error of the tip.
    """

    points: tuple[float, float] = (1e-3, 1e-3 * 10**0.5)  #: m
    momentum: float = 1e-3 * 1e5**-0.5  #: N s
    angular_momentum: float = 1e-6 * 1e5**-0.5  #: N m s
    position: float = 1e-3 * 1e5**-0.5  #: m
    angle: float = 1e5**-0.5  #: rad
    gap: float = 1e-4  #: m

    def __post_init__(self) -> None:
        points = numbers("points", self.points, (2,), above=0)
        object.__setattr__(self, "points", points)
        for field in dataclasses.fields(self)[1:]:
            numbers(field.name, np.asarray(getattr(self, field.name)), (), above=0)

    def loosened(self, factor: float) -> "VineNoise":
        """The noise with that of dynamics and contact multiplied by `factor`."""
        return dataclasses.replace(
            self,
            **{
                field.name: factor * getattr(self, field.name)
                for field in dataclasses.fields(self)[1:]
            },
        )
