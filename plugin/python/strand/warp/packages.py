"""Warp and MuJoCo Warp, which are imported on use."""

import importlib
import shlex
from importlib import metadata
from types import ModuleType
from typing import NamedTuple

import mujoco

from strand import warp_versions
from strand.errors import StrandError
from strand.warp_versions import OLDEST_WARP, numbers, text

#: What to type.
INSTALL = " && ".join(
    shlex.join(["pip", "install", *words])
    for words in warp_versions.installs(mujoco.mj_versionString())
)


class Packages(NamedTuple):
    """The modules."""

    warp: ModuleType
    mujoco_warp: ModuleType


def load() -> Packages:
    """Imports Warp and MuJoCo Warp.

    Raises StrandError, which says what to install, if one is missing or of a version that does not
    work with this MuJoCo, or if mujoco and mujoco-core are installed in different versions.
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
    running = mujoco.mj_versionString()
    line = warp_versions.line(running)
    if line is None:
        raise StrandError(
            f"MuJoCo: got {running}, allowed with MuJoCo Warp: {warp_versions.MUJOCO}"
        )
    warp = _needed("warp-lang", f"{text(OLDEST_WARP)} or newer")
    if numbers(warp) < OLDEST_WARP:
        raise StrandError(
            f"warp-lang: got {warp}, allowed: {text(OLDEST_WARP)} or newer: {INSTALL}"
        )
    allowed = f"{line.allowed} (with MuJoCo {running})"
    mujoco_warp = _needed("mujoco-warp", allowed)
    if not line.has(mujoco_warp):
        raise StrandError(f"mujoco-warp: got {mujoco_warp}, allowed: {allowed}: {INSTALL}")
    both = [_installed(name) for name in ("mujoco", "mujoco-core")]
    if None not in both and both[0] != both[1]:
        raise StrandError(
            f"MuJoCo: got mujoco {both[0]} beside mujoco-core {both[1]}, allowed: one of them, or "
            "equal versions: pip uninstall mujoco, then "
            f"pip install --force-reinstall --no-deps mujoco-core=={both[1]}"
        )


def _needed(name: str, allowed: str) -> str:
    """The installed version."""
    found = _installed(name)
    if found is None:
        raise StrandError(f"{name}: got none installed, allowed: {allowed}: {INSTALL}")
    return found


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
