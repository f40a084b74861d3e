"""Selects and loads the viewer library built for the MuJoCo version of this process."""

import functools
from pathlib import Path

from strand import _strand, adapter
from strand._strand import Viewer
from strand.errors import StrandError

_FOLDER = Path(_strand.__file__).parent / "viewers"


@functools.cache
def load() -> Viewer:
    """The viewer for the MuJoCo of this process. Raises StrandError, with what to install."""
    cables = adapter.load()
    file = _FOLDER / f"libstrand_viewer_{cables.mujoco_version}.so"
    if not file.exists():
        raise StrandError(
            "the viewer is not in this build of Strand; type: sudo apt-get install libimgui-dev "
            "libglfw3-dev libgl-dev && pip install . in Strand's source folder"
        )
    try:
        return Viewer(str(file), cables.address)
    except ImportError as error:
        if "glfw" not in str(error) and "libGL" not in str(error):
            raise
        raise StrandError(
            f"the viewer cannot be loaded ({error}); type: sudo apt-get install libglfw3 libgl1"
        ) from None
