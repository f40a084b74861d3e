"""A robot grows up to a wall and along it; the published film of it is fitted.

Stiffness and damping cannot be identified from that film (Jitosho et al., ICRA 2021), and no values
are published: each frame consists of two coefficients and a height, and the singular values of the
residuals' Jacobian show it. The fit is judged by the positions of the points. The contact tolerance
is .1 mm, since measured tips are .3 to 1.3 mm off the stated wall. With a tolerance of 1e-6 m the
tip's error is .84 mm.
"""

from pathlib import Path

from strand.draw.report import Report
from strand.vine import published, rotated_box
from strand.vine.fit import VineModel, fit_growth, read_points
from strand_studies.published.figures import Progress, figure
from strand_studies.published.frames import Frames
from strand_studies.published.vine_scene import Scene, data_file

SCENE = Scene(
    "vine_wall",
    "Growth into a wall",
    published.wall,
    bodies=10,
    steps=published.WALL_STEPS,
    rate=published.WALL_RATE,
)
FILM = "growth_into_wall_measured_points.csv"
LEFT_OUT = "STRAND_DATA is not set: the published film is not fitted"
START = {"stiffness": 0.05, "damping": 1e-5}  #: N m, N m s, as published
TIP, ALL = 0.83, 1.1  #: mm


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    bodies: int | None = None,
    state: Path | None = None,
) -> Report:
    """Runs the scene, and fits the published film if it is available; `full` changes nothing."""
    made = SCENE.run(full, progress, frames, False, bodies, state)
    path = data_file(FILM, "vine")
    if path is None:
        made.note = LEFT_OUT
        return made
    if progress:
        progress("fit to the published film")
    made.results += fitted(path)
    return made


def fitted(path: Path) -> list[dict]:
    model = VineModel(
        5,
        published.OSCILLATING_HALF_LENGTH,
        1e-3,
        2e-4,
        1 / 90,
        base_heading=published.WALL_HEADING,
        diameter=0.024,
    )
    growth = published.WALL_RATE / model.pairs
    fit = fit_growth(read_points(path), model, growth, rotated_box(*published.WALL), **START)
    large, small = fit.identifiability.singular_values
    name = "film: mean absolute error of the tip"
    return [
        figure(f"{name}, x", 1e3 * fit.tip_mae[0], "mm", 0.0, "at most", TIP),
        figure(f"{name}, y", 1e3 * fit.tip_mae[1], "mm"),
        figure("film: rms of all points", 1e3 * fit.rms, "mm", 0.0, "at most", ALL),
        figure("film: larger singular value of K and C", large, "1"),
        figure("film: smaller singular value of K and C", small, "1"),
        figure("film: K and C are identifiable", fit.identifiable, "1", 0.0, "they are not", 0.0),
    ]
