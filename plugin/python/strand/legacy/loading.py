"""Loads models with old cables directly."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from strand.errors import StrandError

if TYPE_CHECKING:
    import mujoco

    from strand.legacy.converter import Conversion

_CHILD_PREFIX = "strand_converted_"


def load_model(
    path: str | os.PathLike, law: str = "strand", backend: str = "cable"
) -> "mujoco.MjModel":
    """Loads a MuJoCo model with old cables: `<composite type="cable">` (also "rope" and "loop") and
    the plugin `mujoco.elasticity.cable` are converted in memory. The file is not changed.

    path: the model's file; or, if it starts with `<`, the model itself, whose includes are then
        searched in the current folder.
    law: torque law: "strand" (default), or "old": that of MuJoCo 3, for exact repeatability.
    backend: "cable" (default): the old bodies with strand.cable; "flex": the 1D flex of MuJoCo 4,
        for straight round cables.

    `strand.legacy.convert(path).report()` describes what is converted and what is dropped. Raises
    StrandError, which names file, line and reason, if a cable is invalid, and MuJoCo's ValueError
    for other errors.
    """
    import mujoco

    from strand.legacy.conversion import convert

    if not isinstance(path, str | os.PathLike):
        raise StrandError(f"path: got {path!r}, allowed: a path, or the model itself as a text")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        conversion = convert(
            "model", os.getcwd(), _CHILD_PREFIX, path.strip().encode(), law, backend
        )
        text = _text(conversion) if conversion.changed else path
        return mujoco.MjModel.from_xml_string(text, conversion.children)
    folder = os.path.abspath(Path(path).parent)
    conversion = convert(path, folder, _CHILD_PREFIX, None, law, backend)
    if not conversion.changed:
        return mujoco.MjModel.from_xml_path(os.fspath(path))
    return mujoco.MjModel.from_xml_string(_text(conversion), conversion.children)


def _text(conversion: "Conversion") -> str:
    return conversion.text.decode(errors="replace")  # comments may have bytes that are not text
