"""Writes cables as MJCF and puts them into scenes."""

import os
from collections.abc import Sequence

import mujoco
import numpy as np

from strand import _strand, adapter
from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.errors import StrandError, checked
from strand.io import options
from strand.io.files import check_output, write_text
from strand.io.options import vector


def _given(cable: Cable | str | os.PathLike) -> Cable:
    """The cable, or the one of a file."""
    if isinstance(cable, str | os.PathLike):
        return load_cable(cable)
    if not isinstance(cable, Cable):
        raise StrandError(
            f"cable: got {type(cable).__name__}, allowed: a strand.Cable, or a TOML file's path"
        )
    return cable


def generate(
    cable: Cable | str | os.PathLike,
    path: str | os.PathLike | None = None,
    backend: str = "cable",
    stage: bool = False,
) -> str:
    """A cable, or that of a TOML file, as MJCF text, also written to `path`.

    backend: "cable", a chain with the plugin strand.cable; or "flex", MuJoCo 4's 1D flex.
    stage: adds a floor, light and sky, for a model that is opened on its own; `strand generate`
    does so by default. Here the default is the cable alone, since text made in Python mostly goes
    into a scene that has a floor, or is measured. Raises StrandError that names the argument at
    fault.
    """
    if path is not None:
        check_output("path", path)
    mjcf = _given(cable).generate(backend, stage)[0]
    if path is not None:
        write_text(path, mjcf)
    return mjcf


def attach(
    spec: mujoco.MjSpec,
    cable: Cable | str | os.PathLike,
    body: str | mujoco.MjsBody = "world",
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
) -> _strand.Recipe:
    """Adds a cable to a scene, drawn in the frame of `body` moved by `pos` (m) and `quat`.

    cable: a strand.Cable, or the path of a cable's TOML file.

    Ends that are "fixed" or "ball" are held by `body`; "weld" and "pin" name another body (the
    cable is held to it as drawn, at qpos0) or a site (the cable's end goes there, along its x
    axis). Every cable of a scene needs a prefix of its own. The scene keeps its integrator, time
    step and gravity; its solver's tolerance becomes one that light links need. Returns what was
    chosen for these (str() says it in words). Raises StrandError and leaves the scene as it was.
    """
    name = body if isinstance(body, str) else getattr(body, "name", None)
    if not isinstance(spec, mujoco.MjSpec):
        raise StrandError(f"spec: got {type(spec).__name__}, allowed: a mujoco.MjSpec")
    if not name:
        raise StrandError(f"body: got {body!r}, allowed: a body of the scene with a name")
    described = _given(cable).description()
    outer = options.read("pos", pos, vector(3, "m"))
    turn = options.read("quat", quat, vector(4, "w x y z, not all zero"))
    if not np.linalg.norm(turn) > 0:
        raise StrandError(f"quat: got {quat!r}, allowed: four numbers, not all zero")
    place, rotation = np.empty(3), np.empty(4)
    unit = np.array(turn) / np.linalg.norm(turn)
    mujoco.mju_mulPose(place, rotation, np.array(outer), unit, described.pos, described.quat)
    described.pos, described.quat = place, rotation.tolist()
    return checked(adapter.load().attach, described, spec._address, name)
