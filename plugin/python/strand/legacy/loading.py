"""Models with old cables, loaded as they are."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from strand.errors import StrandError

if TYPE_CHECKING:
    import mujoco

_CHILD_PREFIX = "strand_converted_"


def load_model(
    path: str | os.PathLike, law: str = "strand", backend: str = "cable"
) -> "mujoco.MjModel":
    """Loads a MuJoCo model from a file, with `<composite type="cable">` and the plugin
    `mujoco.elasticity.cable` converted on the fly; the file stays as it is. A string that starts
    with `<` is the model itself; what it includes is looked for in the current folder.

    law: "strand", or "old": the torques of MuJoCo 3, for exact repeatability.
    backend: "cable": the old bodies with strand.cable; "flex": MuJoCo 4's 1D flex, for straight
    round cables.

    Says nothing: `strand.legacy.convert(path).report()` tells what was converted and what was lost.
    Throws StrandError with file, line and reason for a bad cable, and MuJoCo's ValueError for the
    rest.
    """
    import mujoco

    from strand.legacy.conversion import convert

    if not isinstance(path, str | os.PathLike):
        raise StrandError(f"path: got {path!r}, allowed: a path, or the model itself as a text")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        conversion = convert(
            "model", os.getcwd(), _CHILD_PREFIX, path.strip().encode(), law, backend
        )
        text = conversion.text.decode() if conversion.changed else path
        return mujoco.MjModel.from_xml_string(text, conversion.children)
    folder = os.path.abspath(Path(path).parent)
    conversion = convert(path, folder, _CHILD_PREFIX, None, law, backend)
    if not conversion.changed:
        return mujoco.MjModel.from_xml_path(os.fspath(path))
    return mujoco.MjModel.from_xml_string(conversion.text.decode(), conversion.children)
