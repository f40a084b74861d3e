"""What can be opened: MJCF, old MJCF, MJB, cables, scenes of the core, robots, recordings."""

import os
import tomllib
from pathlib import Path

import mujoco

from strand.cable.cable import Cable
from strand.cable.cable_file import load_cable
from strand.draw.stage import set_surroundings
from strand.errors import StrandError
from strand.legacy import load_model
from strand.scene import file as scene_file
from strand.scene.vine import VineScene
from strand.viewer import film
from strand.viewer.opened import Drive, Opened
from strand.viewer.recording import read_recording

_ALLOWED = (
    "a model (.xml, .mjb), a cable (.cable.toml), a scene of the core or of a robot (.toml, .py), "
    "or a recording (.npz)"
)


def open_file(path: str | os.PathLike) -> Opened:
    """What a file describes.

    Models without a light get sky and a light, which do not change their physics. Raises
    StrandError that names the file and, for XML and TOML, the line.
    """
    file = Path(path)
    if not file.is_file():
        raise StrandError(f"file: got '{file}', which does not exist, allowed: {_ALLOWED}")
    suffix = file.suffix.lower()
    if suffix == ".npz":
        return _recording(file)
    if is_core_scene(file):
        return _core_scene(file)
    try:
        model = _model(file)
    except StrandError:
        raise
    except ValueError as error:  # MuJoCo's, which names the line
        raise StrandError(f"{file}: {str(error).strip()}") from None
    return Opened.feeding(model, file.name)


def of_cable(cable: Cable, title: str = "cable", drive: Drive | None = None) -> Opened:
    """A cable on its own, with floor, light and sky. drive: as for strand.view."""
    return Opened.feeding(_model_of_cable(cable), title, drive)


def is_core_scene(path: str | os.PathLike) -> bool:
    """Whether a file describes a scene of the core or of a growing robot."""
    return Path(path).suffix.lower() in (".py", ".toml") and not is_cable_file(path)


def is_cable_file(path: str | os.PathLike) -> bool:
    """Whether a TOML file describes a cable; also if it cannot be read."""
    if Path(path).suffix.lower() != ".toml":
        return False
    try:
        return "shape" in tomllib.loads(Path(path).read_text())
    except (OSError, ValueError):
        return True  # its reader names the line


def _model_of_cable(cable: Cable) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(cable.generate("cable", True)[0])


def _model(file: Path) -> mujoco.MjModel:
    suffix = file.suffix.lower()
    if suffix == ".mjb":
        return mujoco.MjModel.from_binary_path(str(file))
    if suffix == ".toml":
        return _model_of_cable(load_cable(file))
    if suffix != ".xml":
        raise StrandError(f"file: got '{file}', allowed: {_ALLOWED}")
    try:
        spec = mujoco.MjSpec.from_file(str(file))
        if not spec.lights:
            set_surroundings(spec)
        return spec.compile()
    except ValueError as error:
        try:
            return load_model(file)  # has cables of older versions
        except (StrandError, ValueError):
            raise error from None


def _core_scene(file: Path) -> Opened:
    scene = scene_file.load(file)
    if isinstance(scene, VineScene):
        return film.of_robot(scene.robot, scene.rate, file.name)
    return film.of_simulation(scene.simulation, file.name)


def _recording(file: Path) -> Opened:
    one = read_recording(file)
    return film.of_samples(
        one.times, one.positions, one.edges, one.radius, one.triangles, title=file.name
    )
