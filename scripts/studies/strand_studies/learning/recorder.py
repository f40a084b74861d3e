"""Writes episodes to a dataset in LeRobot's format v3.0; the package lerobot is not needed."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from strand.draw.rod_render import film
from strand.errors import StrandError
from strand.io.files import make_directory, whole, write_text
from strand_studies.learning import dataset_format as layout
from strand_studies.learning import dataset_stats as statistics

_ALLOWED = "an empty or new folder, or a dataset that was recorded the same way"


@dataclasses.dataclass(frozen=True)
class Frames:
    """An episode of T steps: what was seen before each step, and what came of it."""

    state: np.ndarray  #: (T, n)
    action: np.ndarray  #: (T, m)
    reward: np.ndarray  #: (T,)
    done: np.ndarray  #: (T,): the last step
    success: np.ndarray  #: (T,): the task is done after the step
    pictures: Sequence[np.ndarray] = ()  #: T of shape (height, width, 3), uint8; or none


class Recorder:
    """Adds episodes to a dataset, which is made unless it exists.

    folder: of the dataset. features: as of `dataset_format.features`. fps: frames per second.
    robot: the type of robot that the dataset names.

    An episode counts from the moment at which meta/info.json is replaced, the last of its files.
    What a stopped recorder has left of an episode is deleted when the dataset is opened again. Only
    one recorder may write to a dataset at a time.

    Raises StrandError if the folder has anything else in it, or a dataset with other features,
    another frame rate or robot, or files that are missing.
    """

    def __init__(self, folder: str | Path, features: layout.Features, fps: int, robot: str) -> None:
        self._folder, self._features = Path(folder), features
        self._fps, self._robot = fps, robot
        self.episodes = self.frames = 0
        self._tasks: list[str] = []
        self._stats: list[statistics.Stats] = []
        make_directory("folder", self._folder)
        if any(self._folder.iterdir()):
            self._open()

    def add(self, frames: Frames, task: str) -> None:
        """Adds an episode. task: what it does, as a sentence.

        Raises StrandError if the arrays do not fit the features or are not finite.
        """
        self._check(frames)
        if not self.episodes:  # so that the folder is known if this stops
            self._write_info()
        length, episode = len(frames.state), self.episodes
        tasks = self._tasks if task in self._tasks else [*self._tasks, task]
        columns = self._columns(frames, tasks.index(task))
        stats = {name: statistics.of_numbers(values) for name, values in columns.items()}
        _write(self._place(layout.DATA), layout.frame_table(self._features, columns))
        if frames.pictures:
            stats[layout.IMAGE] = statistics.of_pictures(frames.pictures)
            path = self._place(layout.VIDEOS)
            path.parent.mkdir(parents=True, exist_ok=True)
            film(path, frames.pictures, self._fps)
        seconds = length / self._fps if frames.pictures else None
        row = layout.episode_table(episode, task, self.frames, length, seconds, stats)
        _write(self._place(layout.EPISODES), row)
        _write(self._folder / layout.TASKS, layout.task_table(tasks))
        self._tasks, self._stats = tasks, [*self._stats, stats]
        self.episodes, self.frames = episode + 1, self.frames + length
        self._write_totals()

    def _columns(self, frames: Frames, task: int) -> dict[str, np.ndarray]:
        """The numbers of all features, in their order, without the pictures."""
        length = len(frames.state)
        order = np.arange(length)
        found = {
            "observation.state": frames.state,
            "action": frames.action,
            "next.reward": frames.reward,
            "next.done": frames.done,
            "next.success": frames.success,
            "timestamp": order / self._fps,
            "frame_index": order,
            "episode_index": np.full(length, self.episodes),
            "index": self.frames + order,
            "task_index": np.full(length, task),
        }
        return {name: v.astype(self._features[name]["dtype"]) for name, v in found.items()}

    def _check(self, frames: Frames) -> None:
        length = len(frames.state)
        if not length:
            raise StrandError("frames: got none, allowed: one or more")
        widths = {name: self._features[f]["shape"][0] for name, f in _VECTORS.items()}
        for name in ("state", "action", "reward", "done", "success"):
            values = np.asarray(getattr(frames, name))
            shape = (length, widths[name]) if name in widths else (length,)
            if values.shape != shape:
                raise StrandError(f"{name}: got shape {values.shape}, allowed: {shape}")
            if not np.isfinite(values).all():
                raise StrandError(f"{name}: got numbers that are not finite, allowed: finite ones")
        wanted = length if layout.IMAGE in self._features else 0
        if len(frames.pictures) != wanted:
            raise StrandError(f"pictures: got {len(frames.pictures)}, allowed: {wanted}")

    def _place(self, pattern: str) -> Path:
        return layout.place(self._folder, pattern, self.episodes)

    def _write_totals(self) -> None:
        whole_stats = {
            name: {key: value.tolist() for key, value in figures.items()}
            for name, figures in statistics.merged(self._stats).items()
        }
        write_text(self._folder / layout.STATS, _json(whole_stats))
        self._write_info()

    def _write_info(self) -> None:
        counts = self.episodes, self.frames, len(self._tasks)
        path = self._folder / layout.INFO
        path.parent.mkdir(exist_ok=True)
        write_text(path, _json(self._info(*counts)))

    def _info(self, episodes: int, frames: int, tasks: int) -> dict[str, Any]:
        return layout.info(self._features, self._fps, self._robot, episodes, frames, tasks)

    def _open(self) -> None:
        """Takes over an existing dataset."""
        try:
            known = json.loads((self._folder / layout.INFO).read_text())
            counts = [known[f"total_{what}"] for what in ("episodes", "frames", "tasks")]
            wanted = self._info(*counts)
            if wrong := [key for key, value in wanted.items() if known.get(key) != value]:
                raise ValueError(f"another {', '.join(wrong)}")
            self.episodes, self.frames, tasks = counts
            rows = [self._read_row(episode) for episode in range(self.episodes)]
            named = self._read_tasks() if tasks else []
            if sum(row["length"] for row in rows) != self.frames or len(named) < tasks:
                raise ValueError("frames or tasks are missing")
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            raise StrandError(
                f"folder: got '{self._folder}', allowed: {_ALLOWED} "
                f"({type(error).__name__}: {error})"
            ) from None
        self._tasks = named[:tasks]  # a stopped recorder may have added one
        self._stats = [_stats_of(row) for row in rows]
        for pattern in (layout.DATA, layout.EPISODES, layout.VIDEOS):
            path = self._place(pattern)
            for left in (path, *path.parent.glob(f".*.{path.name}")):  # whole or not
                left.unlink(missing_ok=True)

    def _read_tasks(self) -> list[str]:
        return pq.read_table(self._folder / layout.TASKS).column("task").to_pylist()

    def _read_row(self, episode: int) -> dict[str, Any]:
        """The row of an episode, whose files are there."""
        row = pq.read_table(layout.place(self._folder, layout.EPISODES, episode)).to_pylist()[0]
        data = pq.read_metadata(layout.place(self._folder, layout.DATA, episode))
        if data.num_rows != row["length"] or row["episode_index"] != episode:
            raise ValueError(f"episode {episode} has {data.num_rows} frames, not {row['length']}")
        if layout.IMAGE in self._features:
            layout.place(self._folder, layout.VIDEOS, episode).stat()
        return row


_VECTORS = {"state": "observation.state", "action": "action"}  # fields of Frames with features


def _stats_of(row: dict[str, Any]) -> statistics.Stats:
    found: statistics.Stats = {}
    for key, value in row.items():
        if key.startswith("stats/"):
            name, figure = key.removeprefix("stats/").rsplit("/", 1)
            found.setdefault(name, {})[figure] = np.array(value)
    return found


def _write(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as beside:
        pq.write_table(table, beside, compression="snappy")


def _json(content: Any) -> str:
    return json.dumps(content, indent=4, allow_nan=False) + "\n"
