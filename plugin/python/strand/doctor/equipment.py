"""Findings on pictures, windows and films."""

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from strand import _strand
from strand.doctor.finding import Finding, pip
from strand.doctor.trials import Trial
from strand.doctor.wheels import installed

PLATFORMS = ("egl", "osmesa", "glfw")  #: values of MUJOCO_GL


def viewers() -> list[str]:
    """Versions of MuJoCo for which this package has a viewer."""
    files = Path(_strand.__file__).parent.glob("viewers/libstrand_viewer_*.so")
    return sorted(file.stem.removeprefix("libstrand_viewer_") for file in files)


def examine_rendering(works: Mapping[str, bool]) -> Finding:
    """works: for each value of MUJOCO_GL whether MuJoCo can render with it."""
    given = os.environ.get("MUJOCO_GL")
    good = [name for name in PLATFORMS if works[name]]
    said = f"MUJOCO_GL={given}" if given else "MUJOCO_GL is not set"
    line = f"{said}; works with {', '.join(good) or 'none of ' + ', '.join(PLATFORMS)}"
    if given in good or (good and not given):
        return Finding("rendering", line)
    if good:
        return Finding("rendering", line, "problem", f"export MUJOCO_GL={good[0]}")
    lacking = [name for name in ("pyopengl", "glfw") if installed(name) is None]
    apt = "sudo apt-get install libegl1 libosmesa6"
    return Finding("rendering", line, "problem", pip("install", *lacking) if lacking else apt)


def examine_viewer(window: Trial) -> list[Finding]:
    """window: what opening a window gave."""
    carried = viewers()
    names = f"for MuJoCo {', '.join(carried)}" if carried else "not in this build"
    if window.values is not None:
        return [Finding("viewer", f"{names}; a window opens"), _display()]
    line = f"{names}; no window opens: {window.reason}"
    return [Finding("viewer", line, "problem", window.mend), _display()]


def _display() -> Finding:
    given = [name for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
    server = shutil.which("Xvfb")
    said = [f"{name}={os.environ[name]}" for name in given] or ["no display"]
    said.append(f"Xvfb is {server}" if server else "Xvfb is missing")
    if given or server:
        return Finding("display", "; ".join(said))
    return Finding("display", "; ".join(said), "missing", "sudo apt-get install xvfb")


def examine_films() -> Finding:
    """Looks for ffmpeg, which imageio-ffmpeg brings along."""
    with contextlib.suppress(ImportError, RuntimeError, OSError):
        import imageio_ffmpeg

        return Finding("ffmpeg", imageio_ffmpeg.get_ffmpeg_exe())
    mend = pip("install", "--force-reinstall", "imageio-ffmpeg")
    return Finding("ffmpeg", "missing: no films", "problem", mend)
