"""strand.view: shows a model in a window."""

import contextlib
import copy
import dataclasses
import os
from collections.abc import Callable
from typing import TypeAlias

import mujoco
import numpy as np

from strand._strand import ViewRequest, ViewScene
from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.draw.picture import check_size
from strand.draw.rod_render import film_writer, save_png
from strand.errors import StrandError
from strand.readout.link_values import given_values
from strand.simulation.simulation import Simulation
from strand.viewer import film, library
from strand.viewer.cameras import camera_of
from strand.viewer.display import display
from strand.viewer.opened import Drive, Given, Opened, given_now, noted
from strand.viewer.opening import is_cable_file, of_cable, open_file
from strand.viewer.recent import recent_files, remember
from strand.viewer.side_by_side import side_by_side

_FPS = 60.0  # of films: each frame is 1/60 s

#: What can be shown.
Shown: TypeAlias = "mujoco.MjModel | Cable | Simulation | Opened | str | os.PathLike"


def view(
    model: Shown,
    data: mujoco.MjData | None = None,
    *,
    drive: Drive | None = None,
    compare: bool = False,
    camera: mujoco.MjvCamera | str | None = None,
    color: str | Given = "none",
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

    model: an MjModel; a strand.Cable; a strand.simulation.Simulation, which is run as it is played;
        an Opened, made of one of these; or the path of a model (.xml, .mjb), a cable
        (.cable.toml), a scene of the core or of a growing robot (.toml, .py), or a recording
        (.npz).
    data: the MjData of an MjModel, which is simulated in place (default: a new one).
    drive: function of model and data that is called before each step, e.g. to set data.ctrl, in
        the simulation's thread; an error of it pauses and is shown (default: none). For an MjModel
        that feeds cables it also updates their strand.Feeders; those of files and of a Cable are
        fed in any case.
    compare: a Cable or cable file is shown as a chain, as a flex and in the core, side by side and
        without surroundings, with plots of the distances between them (default False).
    camera: a mujoco.MjvCamera, free or fixed, or the name of a camera of the model (default: one
        that shows everything).
    color: colours links of cables by "curvature", "twist", "moment", "bending", "torsion" or
        "stress" (von Mises; stresses), "tension" or "contact" (forces) (default "none"), or by
        numbers of your own: a strand.LinkValues, or a function without arguments that returns one
        and is called for each frame, e.g. the `link_values` of a materials.FatigueMonitor that
        `drive` updates.
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
    invalid, if there is no display, or, at the end of frames or a script, if a file was not opened
    or written.
    """
    shown = _compared(model) if compare else _shown(model, data, drive)
    if not 0 < speed < np.inf:
        raise StrandError(f"speed: got {speed!r}, allowed: a finite number > 0")
    if not 0 <= scale <= 8:
        raise StrandError(f"scale: got {scale!r}, allowed: 0 to 8")
    user = not (frames or script)
    if video is not None and user:
        raise StrandError("video: got a path, allowed: with frames or a script")
    if frames < 0:
        raise StrandError(f"frames: got {frames!r}, allowed: 0 or more")
    color, shown = _colored(color, shown)
    request = ViewRequest()
    problems: list[str] = []  # of files; the window shows them, too
    request.scene = shown.scene(problems)
    request.file = os.fspath(model) if isinstance(model, str | os.PathLike) else ""
    request.width, request.height = check_size(size)
    request.color, request.speed, request.scale = color, speed, scale
    if camera is not None:
        _look(request, camera_of(shown.model, camera))
    request.paused, request.panel = paused, panel
    request.frames, request.script, request.realtime = frames, script, realtime
    request.picture = os.fspath(picture) if picture is not None else ""
    if user:
        request.recent = recent_files()
    if user and request.file:
        remember(request.file)
    alive = [shown]  # models that the window may still use

    def load(file: str) -> ViewScene | str:
        try:
            opened = open_file(file)
        except Exception as error:  # of any reader: shown in the window
            problems.append(f"open: {error}")
            return f"{error}"
        alive.append(opened)
        if user:
            remember(file)
        return opened.scene(problems)

    with contextlib.ExitStack() as stack:
        stack.enter_context(display((request.width, request.height), not user))
        record = None if video is None else _recorder(stack.enter_context(film_writer(video, _FPS)))
        try:
            library.load().view(request, load, noted(problems, _save), record)
        except ValueError as error:
            raise StrandError(str(error)) from None
    if problems and not user:
        raise StrandError("\n".join(problems))


def _colored(color: str | Given, shown: Opened) -> tuple[str, Opened]:
    """The key of the colours, and what is shown with its numbers."""
    if isinstance(color, str):
        if color == "given":
            raise StrandError("color: got 'given', allowed: a strand.LinkValues, or a function")
        return color, shown
    data = copy.copy(shown.data)
    mujoco.mj_kinematics(shown.model, data)
    given_values(shown.model, data, given_now(color))  # raises if they do not fit
    return "given", dataclasses.replace(shown, given=color)


def _look(request: ViewRequest, view: mujoco.MjvCamera) -> None:
    if view.type == mujoco.mjtCamera.mjCAMERA_FIXED:
        request.fixed_camera = view.fixedcamid
        return
    if view.type != mujoco.mjtCamera.mjCAMERA_FREE:
        raise StrandError(f"camera: got a camera of type {view.type}, allowed: free or fixed")
    request.camera = [*view.lookat.tolist(), view.distance, view.azimuth, view.elevation]


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


def _compared(model: Shown) -> Opened:
    if isinstance(model, Cable):
        return side_by_side(model)
    if isinstance(model, str | os.PathLike) and is_cable_file(model):
        return side_by_side(load_cable(model), os.path.basename(model))
    raise StrandError(f"compare: got {model!r}, allowed: a Cable or the path of a cable file")


def _shown(model: Shown, data: mujoco.MjData | None, drive: Drive | None) -> Opened:
    if isinstance(model, Opened):
        return model
    if not isinstance(model, mujoco.MjModel):
        if drive is not None and not isinstance(model, Cable):
            raise StrandError("drive: got a function, allowed: with an MjModel or a Cable")
        if data is not None:
            raise StrandError("data: got MjData without an MjModel, allowed: with an MjModel")
        if isinstance(model, Cable):
            return of_cable(model, drive=drive)
        if isinstance(model, Simulation):
            return film.of_simulation(model, "simulation")
        if isinstance(model, str | os.PathLike):
            return open_file(model)
        allowed = "an MjModel, a Cable, a Simulation, or a path"
        raise StrandError(f"model: got {type(model).__name__}, allowed: {allowed}")
    if data is not None and not isinstance(data, mujoco.MjData):
        raise StrandError(f"data: got {type(data).__name__}, allowed: an MjData")
    return Opened(model, mujoco.MjData(model) if data is None else data, "model", None, drive)


def _save(file: str, pixels: bytes, width: int, height: int) -> str:
    try:
        save_png(file, np.frombuffer(pixels, np.uint8).reshape(height, width, 3))
    except Exception as error:  # of the file system: shown in the window
        return f"picture: got '{file}', {error}"
    return ""
