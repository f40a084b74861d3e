"""Writes growing robots to files and adds them to scenes."""

import dataclasses
import os
from collections.abc import Sequence

import mujoco

from strand.errors import StrandError
from strand.io import options
from strand.io.files import write_text
from strand.io.options import vector
from strand.mujoco_versions import is_discrete
from strand.vine.mjcf import mjcf
from strand.vine.mjcf.robot import VineRobot


def generate(robot: VineRobot, path: str | os.PathLike | None = None) -> str:
    """The robot as MJCF text.

    path: file to which the text is also written, under a temporary name first; None (default):
    none.
    """
    text = robot.to_mjcf()
    if path is not None:
        write_text(path, text)
    return text


def attach(
    spec: mujoco.MjSpec,
    robot: VineRobot,
    body: str | mujoco.MjsBody = "world",
    pos: Sequence[float] = (0.0, 0.0, 0.0),
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
) -> None:
    """Adds a robot and its obstacles to a scene.

    spec: the scene.
    robot: the robot. Each robot of a scene needs a different prefix.
    body: the body that carries the robot, or its name (default "world").
    pos, quat: pose (m; w x y z) in the frame of `body` (default: the frame of `body`).

    The scene keeps its integrator, time step and gravity; the robot's constraints are tuned for
    these. Raises StrandError and leaves the scene unchanged if an argument is invalid.
    """
    if not isinstance(spec, mujoco.MjSpec):
        raise StrandError(f"spec: got {type(spec).__name__}, allowed: a mujoco.MjSpec")
    if not isinstance(robot, VineRobot):
        raise StrandError(f"robot: got {type(robot).__name__}, allowed: a VineRobot")
    name = body if isinstance(body, str) else getattr(body, "name", None)
    carrier = spec.body(name) if name else None
    if carrier is None:
        raise StrandError(f"body: got {body!r}, allowed: a body of the scene with a name")
    prefix = options.read("prefix", robot.prefix, options.TEXT)
    if not prefix or spec.body(f"{prefix}plane") is not None:
        raise StrandError(f"prefix: got {prefix!r}, allowed: one that no robot of the scene has")
    place = options.read("pos", pos, vector(3, "m"))
    turned = options.read("quat", quat, vector(4, "1"))
    if not any(turned):
        raise StrandError(f"quat: got {quat!r}, allowed: four numbers, not all zero")
    fitted = dataclasses.replace(
        robot,
        prefix="",
        timestep=spec.option.timestep,
        # Selects the tuning of the constraints.
        integrator="discrete" if is_discrete(spec.option) else "Euler",
    )
    child = mujoco.MjSpec.from_string(mjcf.write(fitted.read(), options=False))
    frame = carrier.add_frame(pos=place, quat=turned)
    frame.attach_body(child.body("plane"), prefix, "")
