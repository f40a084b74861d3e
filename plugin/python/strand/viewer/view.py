"""strand.view: shows a model in a window."""

import contextlib
import os
from collections.abc import Callable
from typing import TypeAlias

import mujoco
import numpy as np

from strand._strand import ViewRequest, ViewScene
from strand.draw.picture import check_size
from strand.draw.rod_render import film_writer, save_png
from strand.errors import StrandError
from strand.simulation.simulation import Simulation
from strand.viewer import film, library
from strand.viewer.display import display
from strand.viewer.opened import Opened
from strand.viewer.opening import open_file

_FPS = 60.0  # of films: each frame is 1/60 s

#: What can be shown.
Shown: TypeAlias = "mujoco.MjModel | Simulation | str | os.PathLike"


def view(
    model: Shown,
    data: mujoco.MjData | None = None,
    *,
    color: str = "none",
    speed: float = 1.0,
    paused: bool = False,
    panel: bool = True,
    size: tuple[int, int] = (1280, 960),
    scale: float = 0.0,
    frames: int = 0,
    script: str = "",
    realtime: bool = False,
    picture: str | os.PathLike | None = None,
    video: str | os.PathLike | None = None,
) -> None:
    """Shows a model in a window until it is closed, and simulates it. F1 in the window lists keys.

    model: an MjModel; a strand.simulation.Simulation, which is run as it is played; or the path of
        a model (.xml, .mjb), a cable (.cable.toml), a scene of the core or of a growing robot
        (.toml, .py), or a recording (.npz).
    data: the MjData of an MjModel, which is simulated in place (default: a new one).
    color: colours links of cables by "curvature", "twist", "moment", "bending" or "torsion"
        (stresses) or "contact" (force) (default "none").
    speed: simulated seconds per second (default 1). paused: starts paused (default False).
    panel: shows the panel at the left (default True). size: of the window (pixels). scale: of texts
        (default 0: that of the monitor).
    frames: draws this many frames, 1/60 s of simulated time each, and returns (default 0: until
        the window is closed).
    script: input instead of the user's, one command per line, as on the viewer's page of the
        documentation (default "": none). Frames and scripts work without a display if Xvfb is
        installed.
    realtime: frames and scripts take the clock's time (default False).
    picture: PNG file for the last frame, and for the key p (default: none; screenshot.png).
    video: MP4 film of all frames, 60 per second, with `frames` or a script (default: none).

    The model's own parameters are put back at the end. Raises StrandError if an argument is
    invalid, or if there is no display.
    """
    shown = _shown(model, data)
    if not 0 < speed < np.inf:
        raise StrandError(f"speed: got {speed!r}, allowed: a finite number > 0")
    if not 0 <= scale <= 8:
        raise StrandError(f"scale: got {scale!r}, allowed: 0 to 8")
    if frames < 0:
        raise StrandError(f"frames: got {frames!r}, allowed: 0 or more")
    request = ViewRequest()
    request.scene = shown.scene()
    request.file = os.fspath(model) if isinstance(model, str | os.PathLike) else ""
    request.width, request.height = check_size(size)
    request.color, request.speed, request.scale = color, speed, scale
    request.paused, request.panel = paused, panel
    request.frames, request.script, request.realtime = frames, script, realtime
    request.picture = os.fspath(picture) if picture is not None else ""
    if video is not None and not (frames or script):
        raise StrandError("video: got a path, allowed: with frames or a script")
    alive = [shown]  # models that the window may still use

    def load(file: str) -> ViewScene | str:
        try:
            opened = open_file(file)
        except Exception as error:  # of any reader: shown in the window
            return f"{error}"
        alive.append(opened)
        return opened.scene()

    with contextlib.ExitStack() as stack:
        stack.enter_context(display((request.width, request.height), bool(frames or script)))
        record = None if video is None else _recorder(stack.enter_context(film_writer(video, _FPS)))
        try:
            library.load().view(request, load, _save, record)
        except ValueError as error:
            raise StrandError(str(error)) from None


def _recorder(add: Callable[[np.ndarray], None]) -> Callable[[bytes, int, int], str]:
    """The window's function for each frame of a film, whose sides must be even."""

    def record(pixels: bytes, width: int, height: int) -> str:
        frame = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
        try:
            add(frame[: height // 2 * 2, : width // 2 * 2])
        except Exception as error:  # also of ffmpeg
            return f"video: {error}"
        return ""

    return record


def _shown(model: Shown, data: mujoco.MjData | None) -> Opened:
    if not isinstance(model, mujoco.MjModel):
        if data is not None:
            raise StrandError("data: got MjData without an MjModel, allowed: with an MjModel")
        if isinstance(model, Simulation):
            return film.of_simulation(model, "simulation")
        if isinstance(model, str | os.PathLike):
            return open_file(model)
        allowed = "an MjModel, a Simulation, or a path"
        raise StrandError(f"model: got {type(model).__name__}, allowed: {allowed}")
    if data is not None and not isinstance(data, mujoco.MjData):
        raise StrandError(f"data: got {type(data).__name__}, allowed: an MjData")
    return Opened(model, mujoco.MjData(model) if data is None else data, "model")


def _save(file: str, pixels: bytes, width: int, height: int) -> str:
    try:
        save_png(file, np.frombuffer(pixels, np.uint8).reshape(height, width, 3))
    except Exception as error:  # of the file system: shown in the window
        return f"picture: got '{file}', {error}"
    return ""
