"""What a picture needs around a cable: floor, sky, lights, a camera."""

import functools
import subprocess
import sys
from collections.abc import Callable, Sequence

import mujoco
import numpy as np

from strand.picture import SIZE

WIDTH, HEIGHT = SIZE  #: pixels of a picture, if no others are asked for
_FINER = 2  # times: pictures are drawn so much larger and then reduced
_LARGEST = 8192  # pixels that a side is drawn with at most
_SAMPLES = 8  #: of antialiasing


def set_stage(spec: mujoco.MjSpec, floor: float | None = 0.0, collide: bool = True) -> None:
    """Adds sky, lights and a floor at the height `floor` (m); None: no floor."""
    quality = spec.visual
    quality.global_.offwidth, quality.global_.offheight = WIDTH, HEIGHT
    quality.quality.offsamples = _SAMPLES
    quality.quality.shadowsize = 8192
    quality.headlight.ambient = [0.38, 0.38, 0.40]
    quality.headlight.diffuse = [0.22, 0.22, 0.22]
    quality.headlight.specular = [0.05, 0.05, 0.05]
    quality.rgba.haze = [0.86, 0.90, 0.94, 1]
    quality.map.shadowclip = 5.0
    _add_sky(spec)
    if floor is not None:
        _add_floor(spec, floor, collide)
    spec.worldbody.add_light(
        pos=[-1.2, -2.2, 4.0],
        dir=[0.33, 0.55, -1.0],
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        diffuse=[0.62, 0.60, 0.56],
        specular=[0.25, 0.25, 0.25],
        castshadow=True,
    )


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
    lookat: Sequence[float], distance: float, azimuth: float, elevation: float
) -> mujoco.MjvCamera:
    """A camera at `distance` (m) from the point it looks at; angles in degrees."""
    view = mujoco.MjvCamera()
    view.lookat[:] = lookat
    view.distance, view.azimuth, view.elevation = distance, azimuth, elevation
    return view


def centre(data: mujoco.MjData) -> np.ndarray:
    """The middle (m) of the box about all bodies."""
    return (data.xpos[1:].min(axis=0) + data.xpos[1:].max(axis=0)) / 2


class Photographer:
    """Takes pictures of one simulation. Raises RuntimeError where nothing can be rendered.

    They are drawn `finer` times as large and reduced, beside what the graphics library does
    against jagged edges; 1 is twice as fast.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        width: int = WIDTH,
        height: int = HEIGHT,
        max_geoms: int = 10_000,
        finer: int = _FINER,
    ) -> None:
        self._finer = max(1, min(finer, _LARGEST // max(width, height)))
        self._height, self._fovy = height, np.radians(model.vis.global_.fovy)
        drawn = self._finer * width, self._finer * height
        buffer = model.vis.global_
        buffer.offwidth = max(buffer.offwidth, drawn[0])
        buffer.offheight = max(buffer.offheight, drawn[1])
        try:
            self._renderer = mujoco.Renderer(model, drawn[1], drawn[0], max_geoms)
        except Exception as error:
            raise RuntimeError(f"MuJoCo cannot render here: {error}") from error

    def __enter__(self) -> "Photographer":
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.close()

    def take(
        self,
        data: mujoco.MjData,
        view: mujoco.MjvCamera,
        add: Callable[[mujoco.MjvScene], None] | None = None,
    ) -> np.ndarray:
        """One picture, shape (height, width, 3), bytes. `add` puts more geoms into the scene."""
        self._renderer.update_scene(data, view)
        if add is not None:
            add(self._renderer.scene)
        return _reduce(self._renderer.render(), self._finer)

    def metres_per_pixel(self, view: mujoco.MjvCamera) -> float:
        """At the depth of the point that a camera looks at."""
        return 2 * view.distance * np.tan(self._fovy / 2) / self._height


def _reduce(picture: np.ndarray, times: int) -> np.ndarray:
    if times == 1:
        return picture
    from PIL import Image

    return np.array(Image.fromarray(picture).reduce(times))


@functools.cache
def can_render() -> bool:
    """True where MuJoCo renders without a display.

    Tried in a process of its own: without a display some OpenGL libraries abort.
    """
    trial = "import mujoco; mujoco.Renderer(mujoco.MjSpec().compile(), 16, 16).close()"
    done = subprocess.run([sys.executable, "-c", trial], capture_output=True, check=False)
    return done.returncode == 0
