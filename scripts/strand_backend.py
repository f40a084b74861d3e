"""The build backend: scikit-build-core, with the MuJoCo versions in the wheel's file name.

They are the wheel's build tag, found from the adapters in the wheel, so that the name is right
however the versions were chosen: strand-0.1.0-1_mujoco_4.0.1-cp311-cp311-linux_x86_64.whl.
"""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from scikit_build_core.build import (  # noqa: F401
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from scikit_build_core.build import build_wheel as _build_wheel

_ADAPTER = re.compile(r"strand/adapters/libstrand_mujoco_([0-9.]+)\.so")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None) -> str:
    wheel = Path(
        wheel_directory, _build_wheel(wheel_directory, config_settings, metadata_directory)
    )
    versions = _mujoco_versions(wheel)
    if not versions:
        return wheel.name
    build = "_".join(["1_mujoco", *versions])
    command = [sys.executable, "-m", "wheel", "tags", "--remove", f"--build={build}", str(wheel)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _mujoco_versions(wheel: Path) -> list[str]:
    """The MuJoCo versions of the adapters in the wheel, oldest first."""
    with zipfile.ZipFile(wheel) as archive:
        found = [match[1] for name in archive.namelist() if (match := _ADAPTER.fullmatch(name))]
    return sorted(found, key=lambda version: tuple(map(int, version.split("."))))
