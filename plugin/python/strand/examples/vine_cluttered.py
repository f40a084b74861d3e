"""A robot grows between boxes (Jitosho et al., ICRA 2021).

Their program has 50 bodies, the paper says 40. The way is sensitive: a heading of 1e-4 rad more
moves the tip by 5 mm at the end.
"""

from pathlib import Path

from strand.examples.figures import Progress
from strand.examples.frames import Frames
from strand.examples.vine_scene import Scene, report
from strand.validation.report import Report
from strand.vine import published

SCENE = Scene(
    "Growing robot between boxes",
    published.cluttered,
    bodies=50,
    steps=published.CLUTTERED_STEPS,
    rate=published.CLUTTERED_RATE,
    tip=(512.90820544, -711.79089273),
    near=1e-3,
    reference="cluttered50_code_state.csv.gz",
)


def run(
    full: bool = False,
    progress: Progress = None,
    frames: Frames | None = None,
    compat: bool = False,
    bodies: int | None = None,
    state: Path | None = None,
) -> Report:
    """Always in full."""
    return report(SCENE, "vine_cluttered", progress, frames, compat, bodies, state)
