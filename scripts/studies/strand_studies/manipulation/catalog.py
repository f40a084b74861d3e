"""Scenes by their names."""

import importlib

from strand.errors import StrandError
from strand.io import options
from strand_studies.manipulation.names import GRASPS, SCENES
from strand_studies.manipulation.scene import Scene


def load(name: str) -> Scene:
    """A scene by its name. Raises StrandError if there is none."""
    if name not in SCENES:
        raise StrandError(f"name: got {name!r}, allowed: {', '.join(SCENES)}")
    module = importlib.import_module(f"strand_studies.manipulation.{name}")
    return getattr(module, SCENES[name][0])()


def choose_grasp(scene: Scene, grasp: str | None) -> None:
    """Lets the hands of a scene hold by "friction" or by "weld"; None: as they do by themselves.

    Raises StrandError for anything else, and for a scene without this choice.
    """
    if grasp is None:
        return
    if scene.name not in GRASPS:
        raise StrandError(f"grasp: got {grasp!r}, allowed: with {', '.join(GRASPS)} only")
    scene.grasp = options.read("grasp", grasp, options.choice("friction", "weld"))
