"""Warp and MuJoCo Warp, which are imported on use."""

import importlib
import re
from importlib import metadata
from types import ModuleType
from typing import NamedTuple

from strand.errors import StrandError

#: What to type. mujoco-warp alone requires the package mujoco, whose files overwrite mujoco-core's.
INSTALL = (
    'pip install "warp-lang>=1.15" absl-py "etils[epath]" && '
    'pip install --no-deps "mujoco-warp>=4.0"'
)

_OLDEST = {"warp-lang": (1, 15), "mujoco-warp": (4, 0)}  #: the first versions that work


class Packages(NamedTuple):
    """The modules."""

    warp: ModuleType
    mujoco_warp: ModuleType


def load() -> Packages:
    """Imports Warp and MuJoCo Warp.

    Raises StrandError, which says what to install, if one is missing or too old, or if mujoco and
    mujoco-core are installed in different versions.
    """
    _check_versions()
    try:
        return Packages(importlib.import_module("warp"), importlib.import_module("mujoco_warp"))
    except ImportError as error:
        raise StrandError(
            f"MuJoCo Warp: got an installation that cannot be imported ({error}), allowed: one "
            f"with all that it needs: {INSTALL}"
        ) from None


def _check_versions() -> None:
    for name, oldest in _OLDEST.items():
        found = _installed(name)
        if found is None:
            raise StrandError(
                f"{name}: got none installed, allowed: {_text(oldest)} or newer: {INSTALL}"
            )
        if _numbers(found) < oldest:
            raise StrandError(f"{name}: got {found}, allowed: {_text(oldest)} or newer: {INSTALL}")
    both = [_installed(name) for name in ("mujoco", "mujoco-core")]
    if None not in both and both[0] != both[1]:
        raise StrandError(
            f"MuJoCo: got mujoco {both[0]} beside mujoco-core {both[1]}, allowed: one of them, or "
            "equal versions: pip uninstall mujoco, then "
            f"pip install --force-reinstall --no-deps mujoco-core=={both[1]}"
        )


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
