"""Records episodes of a policy: one row per seed."""

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from strand.draw.report import Report
from strand.errors import StrandError
from strand_studies.learning import dataset_format as layout
from strand_studies.learning import episode
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.episode import Episode, Step
from strand_studies.learning.policies import Maker
from strand_studies.learning.recorder import Frames, Recorder
from strand_studies.manipulation.names import SCENES


def open_recorder(folder: str | Path, env: CableEnv) -> Recorder:
    """A recorder for the episodes of an environment, with pictures if it renders them.

    The observation is flattened (`gymnasium.spaces.flatten`). Raises StrandError as Recorder does,
    and for pictures with odd sides.
    """
    if env.render_mode is not None and any(side % 2 for side in env.size):
        raise StrandError(f"size: got {env.size}, allowed: even numbers")
    fps = env.metadata["render_fps"]
    size = None if env.render_mode is None else env.size
    shapes = layout.features(env.observation_names(), env.motors.names, fps, size)
    return Recorder(folder, shapes, fps, f"strand_{env.name}")


def run(
    env: CableEnv,
    make: Maker,
    seeds: Iterable[int],
    recorder: Recorder,
    only_successes: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Runs and records an episode for every seed; those that break down are left out.

    only_successes: leave out those without success, too.
    """
    rows = []
    task = SCENES[env.name][1] if env.name in SCENES else env.name
    for seed in seeds:
        if progress:
            progress(f"seed {seed}")
        frames = _Frames()
        done = episode.run(env, make, seed, before=[frames.before], watch=[frames.after])
        kept = not done.broken and (done.success or not only_successes)
        if kept:
            recorder.add(frames.stacked(env), task)
        rows.append(_row(done, frames, kept))
    report = Report("record", f"{env.name}: {recorder.episodes} episodes in the dataset", rows)
    report.judged = "broken is False"
    report.reported = {}
    recorded = sum(row["recorded"] for row in rows)
    report.note = (
        f"{recorded} of {len(rows)} episodes recorded; the dataset has {recorder.frames} frames"
    )
    return report


def _row(done: Episode, frames: "_Frames", kept: bool) -> dict[str, Any]:
    return {
        "seed": done.seed,
        "success": done.success,
        "return": round(done.rewards, 3),
        "frames": len(frames.steps),
        "recorded": kept,
        "broken": done.broken,
        "passed": not done.broken,
    }


@dataclasses.dataclass
class _Frames:
    """Collects the steps of an episode, and the pictures before them."""

    steps: list[Step] = dataclasses.field(default_factory=list)
    pictures: list[np.ndarray] = dataclasses.field(default_factory=list)

    def before(self, env: CableEnv) -> None:
        if env.render_mode is not None:
            self.pictures.append(env.render())

    def after(self, env: CableEnv, step: Step) -> None:
        self.steps.append(step)

    def stacked(self, env: CableEnv) -> Frames:
        space, steps = env.observation_space, self.steps
        return Frames(
            np.stack([gymnasium.spaces.flatten(space, step.seen) for step in steps]),
            np.stack([step.action for step in steps]),
            np.array([step.reward for step in steps]),
            np.array([step.done for step in steps]),
            np.array([step.success for step in steps]),
            self.pictures,
        )
