"""Writes cables as MJCF and adds them to scenes."""

import os
from collections.abc import Sequence

import mujoco
import numpy as np

from strand import _strand, adapter
from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.errors import StrandError, checked
from strand.io import options
from strand.io.files import check_output, not_binary, write_text
from strand.io.options import vector


def _given(cable: Cable | str | os.PathLike) -> Cable:
    """The cable itself, or the cable read from a file."""
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
    """The MJCF text of a cable.

    cable: a strand.Cable, or the path of a cable's TOML file.
    path: file to which the text is also written; None (default): none.
    backend: "cable" (default), a chain with the plugin strand.cable; or "flex", the 1D flex of
        MuJoCo 4.
    stage: adds a floor, light and sky, for a model that is opened on its own. Default False, unlike
        `strand generate`: text made in Python is usually measured or becomes part of a scene that
        has a floor.

    Raises StrandError, which names the invalid argument.
    """
    if path is not None:
        check_output("path", path)
        not_binary("path", path)
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
    """Adds a cable to a scene.

    spec: the scene.
    cable: a strand.Cable, or the path of a cable's TOML file. Each cable of a scene needs a
        different prefix.
    body: the body that carries the cable, or its name (default "world"). Ends that are "fixed" or
        "ball" are attached to it, and a start with "feed" comes out of it.
    pos, quat: pose (m; w x y z) in the frame of `body` of the frame that the cable is drawn in
        (default: the frame of `body`).

    Ends with "weld" or "pin" name another body, to which they are attached in the pose at qpos0, or
    a site, to which the cable's end moves, directed along the x axis of the site. The scene keeps
    its integrator, time step and gravity; the solver tolerance is changed to what light links need.

    Returns the recipe, which states what was chosen (str() describes it). Raises StrandError and
    leaves the scene unchanged if an argument is invalid.
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
