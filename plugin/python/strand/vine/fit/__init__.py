"""Fits of growing ("vine") robots to measured points: stiffness, damping and trajectory.

    fit_oscillation   a free oscillation: single shooting, no process noise (oscillation.py)
    fit_growth        growth along an obstacle: batch, all states unknown (growth.py)

Both use the singular values of the residuals' Jacobian to tell whether K and C can be identified
from the data (result.py).
"""

from strand.vine.fit.growth import fit_growth
from strand.vine.fit.model import VineModel
from strand.vine.fit.noise import VineNoise
from strand.vine.fit.oscillation import fit_oscillation, rollout
from strand.vine.fit.points import MeasuredPoints, interpolation_matrix, read_points
from strand.vine.fit.result import Estimate, Identifiability, VineFit

__all__ = [
    "Estimate",
    "Identifiability",
    "MeasuredPoints",
    "VineFit",
    "VineModel",
    "VineNoise",
    "fit_growth",
    "fit_oscillation",
    "interpolation_matrix",
    "read_points",
    "rollout",
]
