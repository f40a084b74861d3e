"""Tries things in processes of their own, since a broken installation may crash them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from typing import Any, NamedTuple

_TIMEOUT = 120.0  # s
_EXCEPTION = re.compile(r"^[\w.]*(Error|Exception)(: |$)")

_STEP = """
import json, strand, mujoco
cable = strand.Cable(strand.straight(length=0.5, segments=10), EI=1e-3, GJ=1e-3, start="fixed")
model = mujoco.MjModel.from_xml_string(strand.generate(cable))
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
mujoco.mj_forward(model, data)
print(json.dumps({"mujoco": mujoco.mj_versionString(), "adapter": strand.adapter_path(),
                  "energy": strand.energy(model, data), "file": mujoco.__file__,
                  "discrete": hasattr(mujoco.mjtIntegrator, "mjINT_DISCRETE")}))
"""
_RENDER = """
import json
from strand.draw import stage
print(json.dumps({"works": stage.can_render()}))
"""
_WINDOW = """
import json, os, tempfile, strand
from strand.viewer import library
library.load()
cable = strand.Cable(strand.straight(length=0.5, segments=10), EI=1e-3, GJ=1e-3, start="fixed")
with tempfile.TemporaryDirectory() as folder:
    strand.view(cable, frames=1, size=(320, 240), picture=os.path.join(folder, "a.png"))
print(json.dumps({}))
"""
_WARP = """
import json, warp
device = warp.get_device()
print(json.dumps({"device": f"the GPU {device.name}" if device.is_cuda else "the CPU device"}))
"""


class Trial(NamedTuple):
    """What a process said."""

    values: dict[str, Any] | None  #: None: it failed
    reason: str = ""  #: why
    mend: str = ""  #: the command that its message names


def step() -> Trial:
    """Imports Strand and simulates one step of a cable."""
    return _tried(_STEP, {})


def render(platform: str) -> bool:
    """True if MuJoCo can render with this value of MUJOCO_GL."""
    values = _tried(_RENDER, {"MUJOCO_GL": platform, "PYOPENGL_PLATFORM": None}).values
    return bool(values and values["works"])


def window() -> Trial:
    """Opens the viewer for one frame: on a virtual display if there is one, or else the user's."""
    hidden = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY")) if shutil.which("Xvfb") else {}
    return _tried(_WINDOW, hidden)


def warp() -> Trial:
    """Imports Warp and asks for its default device."""
    return _tried(_WARP, {})


def _tried(code: str, changed: dict[str, str | None]) -> Trial:
    """Runs Python code, which prints JSON in its last line.

    changed: environment variables; None: removed.
    """
    whole = os.environ | changed
    environment = {name: value for name, value in whole.items() if value is not None}
    command = [sys.executable, "-P", "-c", code]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        return Trial(None, f"not finished after {_TIMEOUT:g} s")
    if done.returncode == 0:
        return Trial(json.loads(done.stdout.splitlines()[-1]))
    return _failed(done)


def _failed(done: subprocess.CompletedProcess) -> Trial:
    message = _message(done.stderr) or f"exit code {done.returncode}"
    if done.returncode < 0:
        message = f"ended by {signal.Signals(-done.returncode).name}: {message}"
    reason, _, mend = message.partition("type: ")
    return Trial(None, reason.rstrip("; "), mend)


def _message(output: str) -> str:
    """The message of the exception that ended a process, in one line; or else its last line."""
    lines = output.strip().splitlines()
    starts = [k for k, line in enumerate(lines) if _EXCEPTION.match(line)]
    text = " ".join(" ".join(lines[starts[-1] if starts else -1 :]).split())
    return _EXCEPTION.sub("", text)
