"""Models with old cables, loaded as they are."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import mujoco


def load_model(path: str | os.PathLike) -> "mujoco.MjModel":
    """Loads a MuJoCo model from a file, with `<composite type="cable">` and the plugin
    `mujoco.elasticity.cable` converted on the fly; the file stays as it is.

    Says nothing: `strand.legacy.convert(path)` tells what was converted and what was lost. Throws
    StrandError with file, line and reason for a bad cable, and MuJoCo's ValueError for the rest.
    """
    import mujoco

    from strand.legacy.conversion import convert

    conversion = convert(path, os.path.abspath(Path(path).parent), "strand_converted_")
    if not conversion.changed:
        return mujoco.MjModel.from_xml_path(os.fspath(path))
    return mujoco.MjModel.from_xml_string(conversion.text.decode(), conversion.children)
