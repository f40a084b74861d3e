"""Linear theory of a free elastic rod that swims by a travelling wave of natural curvature."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Swimmer:
    """A rod along x from 0 to `length`, of small slopes, whose natural curvature is

    kappa(x, t) = curvature * cos(w t - k x), w = 2 pi frequency, k = 2 pi / wave_length.

    Resistive force theory, with drag per length and speed. The shape y = Re(Y exp(i w t)) satisfies

    EI (y'''' - kappa'') + drag_across y_t + m y_tt = 0, with y'' = kappa, y''' = kappa' at the ends

    (C. H. Wiggins and R. E. Goldstein, Phys. Rev. Lett. 80, 3879, 1998, with natural curvature and
    mass). Along x the mean drag is balanced to second order of the slope. SI units.
    """

    length: float
    bending_stiffness: float
    mass_per_length: float
    drag_along: float
    drag_across: float
    curvature: float
    wave_length: float
    frequency: float

    @property
    def speed(self) -> float:
        """Mean velocity along x, m/s: against the wave if drag across is larger than along."""
        nodes, weights = np.polynomial.legendre.leggauss(64)
        places = self.length * (nodes + 1) / 2
        rate = 1j * self._w * self.displacement(places)
        slope = self.displacement(places, 1)
        return self._balance(
            (rate.conj() * slope).real @ weights / 4, abs(slope) ** 2 @ weights / 4
        )

    @property
    def endless_speed(self) -> float:
        """The speed far from the ends (J. Gray, G. J. Hancock, J. Exp. Biol. 32, 802, 1955)."""
        slope = self._k * abs(self._endless)
        return self._balance(-self._w / self._k * slope**2 / 2, slope**2 / 2)

    def displacement(self, places: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Y at places x (m), or its derivative by x."""
        return self._mode(places, derivative) @ self._amplitudes + self._wave(places, derivative)

    def _balance(self, thrust: float, steepness: float) -> float:
        """Speed (m/s) from `thrust` and `steepness`, the means of y_t y' and of y'^2."""
        more = self.drag_across - self.drag_along
        return more * thrust / (self.drag_along + more * steepness)

    @property
    def _w(self) -> float:
        return 2 * np.pi * self.frequency

    @property
    def _k(self) -> float:
        return 2 * np.pi / self.wave_length

    @property
    def _resistance(self) -> complex:
        return 1j * self._w * self.drag_across - self._w**2 * self.mass_per_length

    @property
    def _endless(self) -> complex:
        """Amplitude of an endless rod; -k^2 times it is just below the natural curvature."""
        stiffness = self.bending_stiffness * self._k**2
        return -stiffness * self.curvature / (stiffness * self._k**2 + self._resistance)

    def _wave(self, places: np.ndarray, derivative: int) -> np.ndarray:
        return self._endless * (-1j * self._k) ** derivative * np.exp(-1j * self._k * places)

    def _mode(self, places: np.ndarray, derivative: int) -> np.ndarray:
        """The four homogeneous solutions, (places, 4), each scaled to at most 1."""
        root = (-self._resistance / self.bending_stiffness) ** 0.25 * 1j ** np.arange(4)
        start = np.where(root.real > 0, self.length, 0.0)
        return root**derivative * np.exp(root * (np.asarray(places)[:, None] - start))

    @cached_property
    def _amplitudes(self) -> np.ndarray:
        """Amplitudes of the modes, for zero moment and zero shear force at the ends."""
        ends = np.array([0.0, self.length])
        natural = self.curvature * np.exp(-1j * self._k * ends)
        moment = natural - self._wave(ends, 2)
        shear = -1j * self._k * natural - self._wave(ends, 3)
        modes = np.vstack([self._mode(ends, 2), self._mode(ends, 3)])
        return np.linalg.solve(modes, np.concatenate([moment, shear]))
