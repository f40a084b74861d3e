"""The surroundings of a displayed cable: floor, sky, lights, camera."""

import functools
import importlib
import itertools
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from strand import _strand
from strand.draw.lens import Lens
from strand.draw.picture import LARGEST, SIZE, check_size
from strand.errors import StrandError

if TYPE_CHECKING:
    from strand.cable.cable import Cable

WIDTH, HEIGHT = SIZE  #: default size of a picture (pixels)
_FINER = 2  # default factor of supersampling
_SAMPLES = 8  #: of antialiasing
_SHADOW = 8192  #: pixels of the shadows' map, for pictures of the default size
_CLEARANCE = 0.05  #: distance of the floor below a held cable's reach, in lengths of the cable
_MARGIN = 1.05  #: factor of the distance at which everything just fits
_PLATFORMS = ("egl", "osmesa", "glfw")  #: values of MUJOCO_GL; the first two need no display


def set_stage(spec: mujoco.MjSpec, floor: float | None = 0.0, collide: bool = True) -> None:
    """Adds sky, lights and a floor.

    floor: height (m; default 0); None: no floor. collide: the floor has contact (default True).
    """
    set_surroundings(spec)
    if floor is not None:
        _add_floor(spec, floor, collide)


def set_surroundings(spec: mujoco.MjSpec) -> None:
    """Adds sky and lights, which do not change the physics."""
    quality = spec.visual
    quality.global_.offwidth, quality.global_.offheight = WIDTH, HEIGHT
    quality.quality.offsamples = _SAMPLES
    quality.quality.shadowsize = _SHADOW
    quality.headlight.ambient = [0.38, 0.38, 0.40]
    quality.headlight.diffuse = [0.22, 0.22, 0.22]
    quality.headlight.specular = [0.05, 0.05, 0.05]
    quality.rgba.haze = [0.86, 0.90, 0.94, 1]
    quality.map.shadowclip = 5.0
    _add_sky(spec)
    spec.worldbody.add_light(
        pos=[-1.2, -2.2, 4.0],
        dir=[0.33, 0.55, -1.0],
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        diffuse=[0.62, 0.60, 0.56],
        specular=[0.25, 0.25, 0.25],
        castshadow=True,
    )


def add_stage(mjcf: str, floor: float) -> str:
    """MJCF text with sky, lights and a floor at the height `floor` (m) added."""
    spec = mujoco.MjSpec()
    set_stage(spec, floor)
    spec.compile()
    sections = [each for each in ET.fromstring(spec.to_xml()) if each.tag in _STAGE_SECTIONS]
    for each in sections:
        ET.indent(each, level=1)
    text = "".join(f"  {ET.tostring(each, encoding='unicode').rstrip()}\n" for each in sections)
    before, closing, after = mjcf.rpartition("</mujoco>")
    return f"{before}{text}{closing}{after}"


_STAGE_SECTIONS = ("visual", "asset", "worldbody")  # MJCF merges repeated sections


def floor_height(cable: "Cable") -> float:
    """Height (m) of a floor for a single cable: 0, or lower if the cable needs the room.

    A free cable can rest on the floor. A held cable never reaches it: with one held end it stays
    within its length of that end; with two held ends, within the ellipsoid that has them as foci.
    Branches reach further by their lengths.
    """
    whole, *branches = [arm.nodes for arm in _strand.cable_arms(cable.description())]
    room = max(_room(one) for one in (cable, *(branch.cable for branch in cable.branches)))
    ends = ((cable.start, whole[0]), (cable.end, whole[-1]))
    held = [place for kind, place in ends if kind != "free"]
    if not held:
        return min(0.0, min(nodes[:, 2].min() for nodes in (whole, *branches)) - room)
    length = _length(whole)
    reach = length if len(held) == 1 else _half_height(held[0], held[1], length)
    reach += sum(map(_length, branches))
    return min(0.0, np.mean(held, axis=0)[2] - reach - room - _CLEARANCE * length)


def _length(nodes: np.ndarray) -> float:
    return np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum()


def _room(cable: "Cable") -> float:
    """Distance (m) from the axis at which a cable touches."""
    return 1.01 * _outer_radius(cable) + cable.margin


def _half_height(focus: np.ndarray, other: np.ndarray, length: float) -> float:
    """Half the height (m) of the ellipsoid of points whose distances to the two foci add up to
    `length` (m)."""
    half_axis = (other - focus) / 2
    return np.sqrt(max(length**2 / 4 - half_axis @ half_axis + half_axis[2] ** 2, 0.0))


def _outer_radius(cable: "Cable") -> float:
    if cable.section in ("box", "ellipse"):
        return np.hypot(cable.width, cable.height) / 2
    return float(np.max(cable.radius))


def _add_sky(spec: mujoco.MjSpec) -> None:
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.93, 0.95, 0.97],
        rgb2=[0.62, 0.71, 0.80],
        width=512,
        height=512,
    )


def _add_floor(spec: mujoco.MjSpec, height: float, collide: bool) -> None:
    spec.add_texture(
        name="tiles",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        mark=mujoco.mjtMark.mjMARK_EDGE,
        rgb1=[0.80, 0.82, 0.84],
        rgb2=[0.76, 0.78, 0.80],
        markrgb=[0.88, 0.89, 0.90],
        width=512,
        height=512,
    )
    tiles = spec.add_material(name="tiles", texrepeat=[2, 2], texuniform=True)
    tiles.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    spec.worldbody.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0, 0, 0.05],
        pos=[0, 0, height],
        material="tiles",
        contype=int(collide),
        conaffinity=int(collide),
    )


def camera(
    lookat: Sequence[float] | np.ndarray, distance: float, azimuth: float, elevation: float
) -> mujoco.MjvCamera:
    """A camera at `distance` (m) from the point it looks at; angles in degrees."""
    view = mujoco.MjvCamera()
    view.lookat[:] = lookat
    view.distance, view.azimuth, view.elevation = distance, azimuth, elevation
    return view


def whole_view(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    size: tuple[int, int],
    free: tuple[float, float] = (0.0, 0.0),
) -> mujoco.MjvCamera:
    """A free camera that shows all geoms but planes, and flexes, in a picture of `size` (pixels).

    It looks in the model's own direction. If there is nothing else, it is the model's own camera.
    free: parts of the picture's height at its bottom and top that are left to labels (default
    none).
    """
    view = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, view)
    points = _extent(model, data)
    if len(points):
        lens = Lens(view.azimuth, view.elevation, model.vis.global_.fovy, size, free)
        view.lookat[:] = lens.middle(points)
        view.distance = _MARGIN * lens.distance(points, view.lookat)
    return view


def middle(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """The middle (3, m) of what whole_view shows; the origin if that is nothing."""
    points = _extent(model, data)
    return (points.min(axis=0) + points.max(axis=0)) / 2 if len(points) else np.zeros(3)


def _extent(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Corners (n, 3; m) of boxes around the visible geoms but planes, and vertices of flexes."""
    shown = (model.geom_rbound > 0) & (model.geom_rgba[:, 3] > 0)
    centres, half = np.split(model.geom_aabb[shown], 2, axis=1)
    signs = np.array(list(itertools.product((-1, 1), repeat=3)))
    places = centres[:, np.newaxis] + signs * half[:, np.newaxis]
    turned = places @ data.geom_xmat[shown].reshape(-1, 3, 3).transpose(0, 2, 1)
    corners = data.geom_xpos[shown][:, np.newaxis] + turned
    return np.vstack([corners.reshape(-1, 3), data.flexvert_xpos])


def centre(data: mujoco.MjData) -> np.ndarray:
    """The centre (m) of the bounding box of all bodies."""
    return (data.xpos[1:].min(axis=0) + data.xpos[1:].max(axis=0)) / 2


class Photographer:
    """Takes pictures of a simulation.

    width, height: pixels (default 1280 x 960).
    max_geoms: largest number of geoms in the scene (default 10000).
    finer: factor of supersampling, in addition to the antialiasing of the graphics library (default
        2); 1 is twice as fast.

    Raises StrandError if rendering is impossible.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        width: int = WIDTH,
        height: int = HEIGHT,
        max_geoms: int = 10_000,
        finer: int = _FINER,
    ) -> None:
        width, height = check_size((width, height))
        if not os.environ.get("MUJOCO_GL"):
            choose_platform()
        self._finer = max(1, min(finer, LARGEST // max(width, height)))
        self._height = height
        drawn = self._finer * width, self._finer * height
        buffer, quality = model.vis.global_, model.vis.quality
        own = buffer.offwidth, buffer.offheight, quality.shadowsize
        buffer.offwidth, buffer.offheight = map(max, own, drawn)
        # Smaller pictures need no finer shadows, which take half of their time.
        while quality.shadowsize * _FINER * WIDTH >= 2 * _SHADOW * max(drawn):
            quality.shadowsize //= 2
        try:
            self._renderer = mujoco.Renderer(model, drawn[1], drawn[0], max_geoms)
        except Exception as error:  # of MuJoCo, PyOpenGL or the driver
            raise StrandError(_advice(f" ({error})")) from error
        finally:
            buffer.offwidth, buffer.offheight, quality.shadowsize = own

    def __enter__(self) -> "Photographer":
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.close()

    def take(
        self,
        data: mujoco.MjData,
        view: mujoco.MjvCamera,
        add: Callable[[mujoco.MjvScene], None] | None = None,
        option: mujoco.MjvOption | None = None,
    ) -> np.ndarray:
        """A picture (height, width, 3), uint8.

        add: function that adds geoms to the scene, or changes it (default none). option: what is
        shown (default: MuJoCo's).
        """
        self._renderer.update_scene(data, view, option)
        if add is not None:
            add(self._renderer.scene)
        return _reduce(self._renderer.render(), self._finer)

    def metres_per_pixel(self, point: np.ndarray) -> float | None:
        """Size of a pixel (m) of the last picture at the depth of a point (3, m); None if the point
        is behind the camera."""
        eye = self._renderer.scene.camera[0]
        depth = 1.0 if eye.orthographic else (point - eye.pos) @ eye.forward / eye.frustum_near
        size = (eye.frustum_top - eye.frustum_bottom) * depth / self._height
        return float(size) if size > 0 else None


def _reduce(picture: np.ndarray, times: int) -> np.ndarray:
    if times == 1:
        return picture
    from PIL import Image

    return np.array(Image.fromarray(picture).reduce(times))


def can_render() -> bool:
    """True if MuJoCo can render with MUJOCO_GL or, if that is not set, EGL, OSMesa or GLFW."""
    return _platform() is not None


def choose_platform() -> None:
    """Makes MuJoCo render with MUJOCO_GL or, if that is not set, with EGL, OSMesa or GLFW.

    Raises StrandError, with a command that helps, if rendering is impossible.
    """
    if _platform() is None:
        raise StrandError(_advice())


@functools.cache
def _platform() -> str | None:
    """Selects and sets the value of MUJOCO_GL for MuJoCo's rendering; None if nothing works."""
    if given := os.environ.get("MUJOCO_GL"):
        return given if _renders(given) else None
    found = next(filter(_renders, _PLATFORMS), None)
    if found is not None:
        os.environ["MUJOCO_GL"] = found
        # MuJoCo reads the variable once, on import.
        importlib.reload(sys.modules[mujoco.Renderer.__module__].gl_context)
    return found


def _advice(reason: str = "") -> str:
    """The reason why rendering is impossible, and a command that helps."""
    given = os.environ.get("MUJOCO_GL")
    works = next((name for name in _PLATFORMS if name != given and _renders(name)), None)
    line = f"export MUJOCO_GL={works}" if works else "sudo apt-get install libegl1 libosmesa6"
    return (
        f"MUJOCO_GL: got '{given or 'nothing'}', allowed: a platform with which MuJoCo can render "
        f"here{reason}; type: {line}"
    )


@functools.cache
def _renders(platform: str) -> bool:
    """Tries a platform in a subprocess, since some OpenGL libraries abort without a display."""
    trial = "import mujoco; mujoco.Renderer(mujoco.MjSpec().compile(), 16, 16).close()"
    environment = os.environ | {"MUJOCO_GL": platform}
    environment.pop("PYOPENGL_PLATFORM", None)  # MuJoCo sets it, and then requires this value
    command = [sys.executable, "-c", trial]
    return not subprocess.run(command, capture_output=True, check=False, env=environment).returncode
