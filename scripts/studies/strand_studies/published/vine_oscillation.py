"""A bent robot is released (Jitosho et al., ICRA 2021): its motion, and K and C fitted to films.

The authors' film is not public, so films are synthesised here: the published step's motion, with
noise of known size on every coordinate of 21 points. The Cramer-Rao bound, the best accuracy of an
unbiased fit, is printed beside the estimates: with 1 mm of noise it is a fifth of C.
"""

from pathlib import Path

import numpy as np

from strand.draw.report import Report
from strand.vine import published
from strand.vine.fit import MeasuredPoints, VineModel, fit_oscillation, interpolation_matrix
from strand_studies.published.figures import Progress, figure
from strand_studies.published.frames import Frames
from strand_studies.published.vine_scene import Scene

SCENE = Scene(
    "vine_oscillation",
    "Free oscillation of a robot",
    published.oscillation,
    bodies=10,
    steps=published.OSCILLATION_STEPS,
    rate=0.0,
    near=1e-6,
    reference="oscillation10_synthetic_state.csv.gz",
)
STIFFNESS, DAMPING = 0.5, 30e-6  #: N m, N m s
START = {"stiffness": 0.3, "damping": 1e-5}
POINTS = 21
NOISES = (1e-3, 3e-5)  #: m
DEVIATIONS, CLOSE = 3, 0.02  #: of the bound; relative, at the smaller noise


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
    bodies: int | None = None,
    state: Path | None = None,
) -> Report:
    """Fits one film of each noise level; `full`: ten."""
    made = SCENE.run(full, progress, frames, compat, bodies, state)
    for noise in NOISES:
        for seed in range(10 if full else 1):
            if progress:
                progress(f"fit to a film, {1e3 * noise:g} mm, {seed + 1}")
            made.results += fitted(noise, seed)
    return made


def film(noise: float, seed: int) -> MeasuredPoints:
    """21 points along the body in every state, with Gaussian noise (m) on each coordinate."""
    trajectory = published.oscillation(compat=True).run(SCENE.steps)
    bodies = np.array(trajectory.q)
    headings = bodies[:, :, 2]
    ends = published.OSCILLATING_HALF_LENGTH * np.stack([np.cos(headings), np.sin(headings)], -1)
    positions = interpolation_matrix(SCENE.bodies, POINTS) @ (bodies[:, :, :2] + ends)
    positions += noise * np.random.default_rng(seed).normal(size=positions.shape)
    return MeasuredPoints(trajectory.time, positions)


def fitted(noise: float, seed: int) -> list[dict]:
    model = VineModel(SCENE.bodies // 2, published.OSCILLATING_HALF_LENGTH, 1e-3, 2e-4, 0.01)
    fit = fit_oscillation(film(noise, seed), model, **START)
    rows = []
    for name, found, true in (("K", fit.stiffness, STIFFNESS), ("C", fit.damping, DAMPING)):
        what = f"{1e3 * noise:g} mm of noise, film {seed + 1}: {name}"
        allowed = DEVIATIONS * found.deviation
        if noise == min(NOISES):
            allowed = min(allowed, CLOSE * true)
        unit = "N m" if name == "K" else "N m s"
        rows.append(figure(what, found.value, unit, true, "of the film", allowed))
        rows.append(figure(f"{what}, bound", 100 * found.deviation / true, "%"))
    return rows
