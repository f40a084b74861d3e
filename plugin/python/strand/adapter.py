"""Chooses the adapter built for the MuJoCo of this process, and loads it."""

import functools
import importlib
import warnings
from pathlib import Path

from strand._strand import Adapter

_FOLDER = Path(__file__).parent / "adapters"
_PREFIX, _SUFFIX = "libstrand_mujoco_", ".so"

# Versions of MuJoCo that work but should not be used, and why.
_DOUBTFUL = {
    "4.0.0": "MuJoCo 4.0.0 computes a wrong sparse Cholesky factor; 4.0.1 has it right: "
    "pip install mujoco-core==4.0.1",
}


def path(version: str) -> Path:
    """Where the adapter for a MuJoCo version is, if this package carries one."""
    return _FOLDER / f"{_PREFIX}{version}{_SUFFIX}"


def carried() -> list[str]:
    """The MuJoCo versions that this package carries an adapter for, oldest first."""
    names = (file.name for file in _FOLDER.glob(f"{_PREFIX}*{_SUFFIX}"))
    versions = (name.removeprefix(_PREFIX).removesuffix(_SUFFIX) for name in names)
    return sorted(versions, key=lambda version: tuple(map(int, version.split("."))))


@functools.cache
def load() -> Adapter:
    """Loads the adapter for the MuJoCo of this process; a second call finds the same one."""
    version = _mujoco_version()
    file = path(version)
    if not file.exists():
        raise ImportError(
            f"no adapter for MuJoCo {version}: this build of Strand carries {', '.join(carried())}."
            " Install one of those, or build for yours, in Strand's source folder: "
            f"pip install . --config-settings=cmake.define.STRAND_MUJOCO_VERSIONS={version}"
        )
    if version in _DOUBTFUL:
        warnings.warn(_DOUBTFUL[version], RuntimeWarning, stacklevel=3)
    return Adapter(str(file))


def _mujoco_version() -> str:
    try:
        return importlib.import_module("mujoco").mj_versionString()
    except (ModuleNotFoundError, AttributeError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name != "mujoco":
            raise
        raise ImportError(
            "Strand needs MuJoCo, which is not installed: pip install mujoco-core==4.0.1 "
            "(or mujoco==3.17.0)"
        ) from None
