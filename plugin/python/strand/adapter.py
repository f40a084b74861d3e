"""Selects the adapter built for the MuJoCo version of this process and loads it."""

import functools
import importlib
import os
import re
import sys
import warnings
from pathlib import Path

from strand import _strand
from strand._strand import Adapter

#: Beside the extension, which an editable installation keeps apart from these sources.
_FOLDER = Path(_strand.__file__).parent / "adapters"
_PREFIX, _SUFFIX = "libstrand_mujoco_", ".so"

#: MuJoCo versions that work but should not be used, with the reason.
DISCOURAGED = {
    "4.0.0": "MuJoCo 4.0.0 computes a wrong sparse Cholesky factor; 4.0.1 fixes this: "
    "pip install mujoco-core==4.0.1",
}


def path(version: str) -> Path:
    """Path of the adapter for a MuJoCo version. The file exists only if this package has one."""
    return _FOLDER / f"{_PREFIX}{version}{_SUFFIX}"


def carried() -> list[str]:
    """MuJoCo versions for which this package has an adapter, oldest first."""
    names = (file.name for file in _FOLDER.glob(f"{_PREFIX}*{_SUFFIX}"))
    versions = (name.removeprefix(_PREFIX).removesuffix(_SUFFIX) for name in names)
    return sorted(versions, key=lambda version: tuple(map(int, version.split("."))))


def mujoco_needed() -> ImportError:
    """The error for a function that needs MuJoCo when MuJoCo is not installed."""
    return ImportError(
        "this part of Strand needs MuJoCo, which is not installed: "
        "pip install mujoco-core==4.0.1 (or mujoco==3.17.0)",
        name="mujoco",
    )


def load_if_installed() -> Adapter | None:
    """The adapter for the MuJoCo of this process, or None if MuJoCo is not installed.

    `strand doctor` gets None, too: it looks at a MuJoCo that may crash the process that imports it.
    Raises ImportError if this package has no adapter for the installed MuJoCo, or if importing
    MuJoCo fails.
    """
    if _runs_doctor():
        return None
    try:
        return load()
    except ImportError as error:
        if error.name == "mujoco":
            return None
        raise


@functools.cache
def load() -> Adapter:
    """Loads the adapter for the MuJoCo of this process. Later calls return the same adapter."""
    version = _mujoco_version()
    file = path(version)
    if not file.exists():
        raise ImportError(
            f"no adapter for MuJoCo {version}: this build of Strand has {', '.join(carried())}."
            " Install one of those, or build for yours in Strand's source folder: "
            f"pip install . --config-settings=cmake.define.STRAND_MUJOCO_VERSIONS={version}"
        )
    if version in DISCOURAGED:
        warnings.warn(DISCOURAGED[version], RuntimeWarning, stacklevel=3)
    return Adapter(str(file))


def runs_as_module() -> bool:
    """True while `python -m strand` imports the package, before __main__ can catch errors."""
    named = any(re.fullmatch(r"(-\w*m)?strand(\.\w+)*", word) for word in sys.orig_argv)
    return sys.argv[:1] == ["-m"] and named


def _runs_doctor() -> bool:
    """True in the command `strand doctor`, also as `python -m strand doctor`."""
    command = Path(sys.argv[0]).stem == "strand" if sys.argv else False
    return sys.argv[1:2] == ["doctor"] and (command or runs_as_module())


def _mujoco_version() -> str:
    try:
        mujoco = importlib.import_module("mujoco")
    except Exception as error:
        if getattr(error, "name", None) == "mujoco":
            raise mujoco_needed() from None
        # On import MuJoCo loads the OpenGL backend that MUJOCO_GL names. It also refuses to be
        # imported if the versions of `mujoco` and `mujoco-core` differ.
        if (platform := os.environ.get("MUJOCO_GL")) is None or "mujoco-core" in str(error):
            raise
        raise ImportError(
            f"MUJOCO_GL: got '{platform}', allowed: egl, osmesa or glfw, whichever is "
            f"installed ({error}); type: unset MUJOCO_GL"
        ) from None
    if not hasattr(mujoco, "mj_versionString"):
        raise mujoco_needed()
    return mujoco.mj_versionString()
