"""Scenes by their names."""

import importlib

from strand.errors import StrandError
from strand_studies.manipulation.names import SCENES
from strand_studies.manipulation.scene import Scene


def load(name: str) -> Scene:
    """A scene by its name. Raises StrandError if there is none."""
    if name not in SCENES:
        raise StrandError(f"name: got {name!r}, allowed: {', '.join(SCENES)}")
    module = importlib.import_module(f"strand_studies.manipulation.{name}")
    return getattr(module, SCENES[name][0])()
