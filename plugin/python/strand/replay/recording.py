"""Recordings of `strand simulate` as replays."""

from pathlib import Path

import numpy as np

from strand.io.options import optional, positive, read
from strand.replay.camera import Angles
from strand.replay.networks import CORE_COLORS, check_color, network_parts
from strand.replay.page import check_viser
from strand.replay.replay import Replay
from strand.viewer.recording import read_recording

_SLACK = 1e-6  # of a frame


def of_recording(
    path: Path, *, seconds: float | None = None, fps: float = 30.0, color: str = "none"
) -> Replay:
    """The replay of a recording (.npz). Rods and shells are shown, but no obstacles.

    seconds: from the start (default: all). fps: most frames per second (default 30). color: "none"
    (default) or "curvature".

    Raises StrandError if an argument or the file is invalid, or if viser is not installed.
    """
    rate = read("fps", fps, positive("frames per second"))
    end = read("seconds", seconds, optional(positive("s"))) or np.inf
    check_color(color, *CORE_COLORS)
    check_viser()
    one = read_recording(path)
    since = one.times - one.times[0]
    frame = np.floor(since * rate + _SLACK)
    chosen = (np.diff(frame, prepend=-1) > 0) & (since <= end * (1 + _SLACK))
    parts, scale = network_parts(one.positions[chosen], one.edges, one.radius, one.triangles, color)
    return Replay(tuple(parts), since[chosen], 1 / rate, Angles(), path.name, scale)
