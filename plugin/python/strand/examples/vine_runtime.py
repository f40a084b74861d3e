"""A robot grows against a circle and along it (Jitosho et al., ICRA 2021, the cost test).

Stiffness, damping and inertia are the joints' and bodies', as published: with other numbers of
bodies it is another robot.
"""

from pathlib import Path

from strand.examples.figures import Progress
from strand.examples.frames import Frames
from strand.examples.vine_scene import Scene, report
from strand.validation.report import Report
from strand.vine import published

SCENE = Scene(
    "Growing robot against a circle",
    published.runtime,
    bodies=30,
    steps=published.RUNTIME_STEPS,
    rate=published.RUNTIME_RATE,
    tip=(556.04473245, -58.38413759),
    near=1e-6,
    reference="runtime30_state.csv.gz",
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
    return report(SCENE, "vine_runtime", progress, frames, compat, bodies, state)
