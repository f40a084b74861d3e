"""The versions of robosuite and MuJoCo that work together."""

import importlib.metadata
import re

import mujoco

#: What to type for versions that work together.
INSTALL = "pip install robosuite==1.5.2 mujoco==3.3.7"
_ROBOSUITE, _MUJOCO = (1, 5, 2), (3, 3, 7)  # the newest pair that is known to work


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:3]))


def check_versions() -> None:
    """Raises ImportError if the installed robosuite fails with the MuJoCo of this process.

    robosuite itself stops with an AssertionError without words, since it compares types of joints
    in a way that newer versions of MuJoCo do not support.
    """
    try:
        installed = importlib.metadata.version("robosuite")
    except importlib.metadata.PackageNotFoundError:
        return
    running = mujoco.mj_versionString()
    if _numbers(installed) <= _ROBOSUITE and _numbers(running) > _MUJOCO:
        raise ImportError(
            f"robosuite {installed} does not work with MuJoCo {running}: {INSTALL}, in a virtual "
            "environment of its own"
        )
