"""Brings a cable to rest in MuJoCo."""

import contextlib
from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from strand.errors import StrandError

Progress = Callable[[str], None] | None
Watcher = Callable[[mujoco.MjModel, mujoco.MjData], None]

#: Speed (rad/s or m/s) below which a cable counts as at rest.
AT_REST = 1e-5


_watchers: list[Watcher] = []


@contextlib.contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Within this context the watcher is called after every `step`."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def joint_damping(EI: float, link_length: float, relaxation_time: float) -> float:
    """Damping of each joint (N m s/rad) with which bending relaxes in `relaxation_time` s."""
    return relaxation_time * EI / link_length


def set_joint_damping(model: mujoco.MjModel, damping: float) -> None:
    """Sets the damping of all ball joints (N m s/rad)."""
    for joint in range(model.njnt):
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            first = model.jnt_dofadr[joint]
            model.dof_damping[first : first + 3] = damping


def step(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> None:
    """Takes `count` time steps. Raises StrandError if MuJoCo warns (the simulation diverged)."""
    mujoco.mj_step(model, data, count)
    if data.warning.number.any():
        raise StrandError(f"simulation: diverged at {data.time:.3f} s; try a smaller time step")
    for watcher in _watchers:
        watcher(model, data)


def settle(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    drive: Callable[[], None] = lambda: None,
    steps: int = 10,
    time_limit: float = 1000.0,
    at_rest: float = AT_REST,
) -> None:
    """Steps until max |qvel| < `at_rest`. `drive` is called before every block of `steps` steps.

    Raises StrandError if that takes longer than `time_limit` s of simulated time.
    """
    deadline = data.time + time_limit
    while True:
        drive()
        step(model, data, steps)
        speed = float(np.abs(data.qvel).max())
        if speed < at_rest:
            return
        if data.time > deadline:
            raise StrandError(f"simulation: max |qvel| is {speed:.1e} after {time_limit:g} s")
