"""The LeRobot dataset format v3.0: its files, features and tables.

Source: https://huggingface.co/docs/lerobot/lerobot-dataset-v3 and the reader of lerobot 0.6.1.

    meta/info.json                                   the features, the counts, the frame rate
    meta/stats.json                                  statistics of every feature
    meta/tasks.parquet                               the tasks and their indices
    meta/episodes/chunk-000/file-000.parquet         one row per episode
    data/chunk-000/file-000.parquet                  one row per frame
    videos/FEATURE/chunk-000/file-000.mp4

The format lets a file have many episodes. Here every episode has files of its own, so that adding
one changes no file with data.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

VERSION = "v3.0"
FILES_PER_CHUNK = 1000
INFO, STATS, TASKS = "meta/info.json", "meta/stats.json", "meta/tasks.parquet"
DATA = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
EPISODES = "meta/episodes/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
VIDEOS = "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4"
IMAGE = "observation.images.scene"  #: the feature with the pictures

Features = dict[str, dict[str, Any]]


def features(
    state: Sequence[str], action: Sequence[str], fps: int, size: tuple[int, int] | None
) -> Features:
    """The features of a dataset, as info.json has them.

    state, action: names of the numbers in the observation and the action. size: width and height
    (pixels) of the pictures; None: without.
    """
    found = {
        "observation.state": _feature("float32", len(state), list(state)),
        "action": _feature("float32", len(action), list(action)),
        "next.reward": _feature("float32"),
        "next.done": _feature("bool"),
        "next.success": _feature("bool"),
        "timestamp": _feature("float32"),
        "frame_index": _feature("int64"),
        "episode_index": _feature("int64"),
        "index": _feature("int64"),
        "task_index": _feature("int64"),
    }
    return found if size is None else found | {IMAGE: _video(fps, size)}


def _feature(dtype: str, length: int = 1, names: list[str] | None = None) -> dict[str, Any]:
    return {"dtype": dtype, "shape": [length], "names": names}


def _video(fps: int, size: tuple[int, int]) -> dict[str, Any]:
    width, height = size
    return {
        "dtype": "video",
        "shape": [height, width, 3],
        "names": ["height", "width", "channels"],
        "info": {
            "video.height": height,
            "video.width": width,
            "video.channels": 3,
            "video.fps": fps,
            "video.codec": "h264",
            "video.pix_fmt": "yuv420p",
            "is_depth_map": False,
            "has_audio": False,
        },
    }


def info(
    shapes: Features, fps: int, robot: str, episodes: int, frames: int, tasks: int
) -> dict[str, Any]:
    """The content of info.json."""
    videos = any(feature["dtype"] == "video" for feature in shapes.values())
    return {
        "codebase_version": VERSION,
        "fps": fps,
        "features": shapes,
        "total_episodes": episodes,
        "total_frames": frames,
        "total_tasks": tasks,
        "chunks_size": FILES_PER_CHUNK,
        "data_files_size_in_mb": 100,
        "video_files_size_in_mb": 200,
        "data_path": DATA,
        "video_path": VIDEOS if videos else None,
        "robot_type": robot,
        "splits": {"train": f"0:{episodes}"} if episodes else {},
    }


def place(folder: Path, pattern: str, episode: int) -> Path:
    """The file of an episode."""
    chunk, file = divmod(episode, FILES_PER_CHUNK)
    return folder / pattern.format(chunk_index=chunk, file_index=file, video_key=IMAGE)


def frame_table(shapes: Features, columns: dict[str, np.ndarray]) -> pa.Table:
    """The frames of an episode. columns: (frames,) or (frames, n), by the name of the feature."""
    arrays = {}
    for name, feature in shapes.items():
        if feature["dtype"] == "video":
            continue
        kind = pa.type_for_alias(feature["dtype"])
        flat = pa.array(np.ravel(columns[name]), kind)
        length = feature["shape"][0]
        # The format has plain numbers instead of lists of one.
        arrays[name] = flat if length == 1 else pa.FixedSizeListArray.from_arrays(flat, length)
    return pa.table(arrays)


def episode_table(
    episode: int, task: str, begin: int, length: int, video_seconds: float | None, stats: dict
) -> pa.Table:
    """The row of an episode. begin: index of its first frame. video_seconds: None without video."""
    chunk, file = divmod(episode, FILES_PER_CHUNK)
    where = {"chunk_index": chunk, "file_index": file}
    row: dict[str, Any] = {"episode_index": episode, "tasks": [task], "length": length}
    row |= {f"data/{key}": value for key, value in where.items()}
    row |= {"dataset_from_index": begin, "dataset_to_index": begin + length}
    if video_seconds is not None:
        row |= {f"videos/{IMAGE}/{key}": value for key, value in where.items()}
        row |= {f"videos/{IMAGE}/from_timestamp": 0.0}
        row |= {f"videos/{IMAGE}/to_timestamp": video_seconds}
    for name, figures in stats.items():
        row |= {f"stats/{name}/{key}": value.tolist() for key, value in figures.items()}
    row |= {f"meta/episodes/{key}": value for key, value in where.items()}
    return pa.table({key: pa.array([value]) for key, value in row.items()})


def task_table(tasks: Sequence[str]) -> pa.Table:
    """The tasks, whose texts are the index of the table when pandas reads it."""
    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), "task": list(tasks)})
    kinds = {"task_index": ("int64", "int64"), "task": ("unicode", "object")}
    columns = [
        {
            "name": name,
            "field_name": name,
            "pandas_type": kind,
            "numpy_type": numpy,
            "metadata": None,
        }
        for name, (kind, numpy) in kinds.items()
    ]
    described = {"index_columns": ["task"], "column_indexes": [], "columns": columns}
    return table.replace_schema_metadata({"pandas": json.dumps(described)})
