"""Recordings of `strand simulate` as replays."""

import zipfile
from pathlib import Path

import numpy as np

from strand.errors import StrandError
from strand.io.options import optional, positive, read
from strand.replay.camera import Angles
from strand.replay.networks import CORE_COLORS, check_color, network_parts
from strand.replay.page import check_viser
from strand.replay.replay import Replay

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
    try:
        with np.load(path) as arrays:
            times, positions, edges, radius = (
                arrays[name] for name in ("time", "positions", "edges", "radius")
            )
            triangles = arrays.get("triangles", np.zeros((0, 3), dtype=int))
            ribs = arrays.get("ribs", [])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        allowed = f"a recording of strand simulate ({error})"
        raise StrandError(f"file: got '{path}', allowed: {allowed}") from None
    if not (len(times) and np.isfinite(positions).all()):
        allowed = "a recording with samples, all finite"
        raise StrandError(f"file: got '{path}', allowed: {allowed}")
    since = times - times[0]
    frame = np.floor(since * rate + _SLACK)
    chosen = (np.diff(frame, prepend=-1) > 0) & (since <= end * (1 + _SLACK))
    kept = np.setdiff1d(np.arange(len(edges)), ribs)
    parts, scale = network_parts(positions[chosen], edges[kept], radius[kept], triangles, color)
    return Replay(tuple(parts), since[chosen], 1 / rate, Angles(), path.name, scale)
