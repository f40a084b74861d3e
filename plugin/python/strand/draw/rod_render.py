"""Pictures and films of rods and shells, drawn by MuJoCo's renderer from positions only."""

import contextlib
import dataclasses
import functools
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand.draw.drawing_input import array
from strand.draw.heat import HeatScale
from strand.draw.lens import Lens
from strand.draw.picture import SIZE, annotate, check_size, time_text
from strand.draw.scene_geoms import Balls, Rods, Triangles, next_geom
from strand.draw.stage import Photographer, camera, set_stage
from strand.errors import StrandError
from strand.io.files import whole, write_bytes

_MARGIN = 1.08  # factor of the distance at which everything just fits
_FEW = 300  # largest number of shapes that are drawn with fine tessellation
_FOVY = 24.0  # degrees; narrow, so that balls at the border look round

#: Numbers in a row.
Numbers: TypeAlias = Sequence[float] | np.ndarray

#: How many numbers each kind of obstacle has in its size.
_KINDS = {"plane": 2, "sphere": 1, "capsule": 2, "cylinder": 2, "box": 3}


@dataclasses.dataclass(frozen=True)
class View:
    """The position of the camera. By default the picture shows everything except obstacles."""

    azimuth: float = 125.0  #: degrees
    elevation: float = -22.0  #: degrees, negative from above
    lookat: Numbers | None = None  #: m
    distance: float | None = None  #: m, from lookat


def view_of(seen: mujoco.MjvCamera) -> View:
    """The view that shows as much as a free camera of MuJoCo, whose opening angle is 45 degrees, at
    the depth of the point that it looks at."""
    farther = np.tan(np.radians(45.0) / 2) / np.tan(np.radians(_FOVY) / 2)
    return View(seen.azimuth, seen.elevation, seen.lookat.copy(), farther * seen.distance)


@dataclasses.dataclass(frozen=True)
class Obstacle:
    """A shape that is drawn in addition to rods and shells.

    size: as in MJCF (m). plane: half lengths along x and y; sphere: radius; capsule and cylinder:
    radius, half length along z; box: half lengths.
    """

    kind: str
    size: Numbers
    pos: Numbers = (0.0, 0.0, 0.0)  #: m
    quat: Numbers = (1.0, 0.0, 0.0, 0.0)  #: w, x, y, z
    rgba: Numbers = (0.62, 0.64, 0.68, 1.0)


@dataclasses.dataclass(frozen=True)
class Facets:
    """Triangles that are drawn in addition to rods and shells: vertices (N x 3, m) and their
    indices (T x 3)."""

    vertices: np.ndarray
    triangles: np.ndarray
    rgba: Numbers = (0.62, 0.64, 0.68, 1.0)


class RodPainter:
    """Draws a network of rods and shells at any positions, from a fixed camera.

    bounds: positions (N, 3) or (T, N, 3) (m) that must fit into the picture.
    edges: indices of nodes (E, 2).
    radius: of the edges (m), one number or (E,).
    color: one RGB(A), or one per edge. Default: a different colour for each rod.
    rod: the rod of each edge (E,). Default: the connected parts.
    triangles: indices of nodes (M, 3), counter-clockwise around the normals (default none).
    triangle_color: one RGB(A), or one per triangle. Default: a different colour for each shell.
    balls: radii (m) of balls at nodes, to mark loads (default none).
    size: width and height (pixels).
    view: the camera (default View()).
    focus: points (K, 3) (m) that must fit into the picture instead of the bounds (default None).
    free: parts of the picture's height at its bottom and top in which nothing of this is to be, for
        labels (default none).
    finer: factor of supersampling, as in Photographer (default 2).
    floor: height of a floor (m; default: no floor).
    obstacles: Obstacle and Facets (default none).

    Use it in a `with` statement, or call `close`. Raises StrandError if an argument is invalid, and
    if rendering is impossible.
    """

    def __init__(
        self,
        bounds: np.ndarray,
        edges: np.ndarray,
        radius: float | np.ndarray,
        *,
        color: ArrayLike | None = None,
        rod: np.ndarray | None = None,
        triangles: np.ndarray | None = None,
        triangle_color: ArrayLike | None = None,
        balls: Mapping[int, float] | None = None,
        size: tuple[int, int] = SIZE,
        view: View | None = None,
        focus: np.ndarray | None = None,
        free: tuple[float, float] = (0.0, 0.0),
        finer: int = 2,
        floor: float | None = None,
        obstacles: Sequence[Obstacle | Facets] = (),
    ) -> None:
        size = check_size(size)
        bounds = array("bounds", bounds, (None, 3), stacked=True)
        self._nodes = bounds.shape[-2]
        self._rods = Rods(self._nodes, edges, radius, color, rod)
        none = np.zeros((0, 3), dtype=int)
        corners = none if triangles is None else triangles
        self._shells = Triangles(self._nodes, corners, triangle_color, self._rods.count)
        self._balls = Balls(self._nodes, balls or {})
        self._thickest = max(shape.radius.max(initial=0) for shape in (self._rods, self._balls))
        lower, upper = bounds.min(axis=(0, 1)), bounds.max(axis=(0, 1))
        self._centre = (lower + upper) / 2
        # Scaled to the size of a metre about the origin, so that light, shadows, tiles and the
        # renderer's single precision suit a hair as well as a rope.
        self._scale = 1 / max(np.max(upper - lower), 2 * max(self._thickest, 1e-6))
        self._obstacles = [self._obstacle(shape) for shape in obstacles]
        drawn = sum(shape.geoms for shape in (self._rods, self._shells, self._balls))
        height = None if floor is None else self._scale * (floor - self._centre[2])
        model = _model(height, drawn - self._shells.geoms)
        shown = bounds if focus is None else array("focus", focus, (None, 3))
        self._view = self._camera(view or View(), shown.reshape(-1, 3), size, free)
        self._data = mujoco.MjData(model)
        mujoco.mj_forward(model, self._data)
        geoms = model.ngeom + drawn + sum(count for count, _ in self._obstacles)
        self._photographer = Photographer(model, *size, max_geoms=geoms + 100, finer=finer)

    def __enter__(self) -> "RodPainter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._photographer.__exit__()

    def picture(
        self,
        positions: np.ndarray,
        directors: np.ndarray | None = None,
        *,
        obstacles: Sequence[Obstacle | Facets] | None = None,
        time: float | None = None,
        note: str = "",
        scale_bar: bool = False,
        scale: HeatScale | None = None,
    ) -> np.ndarray:
        """A picture, RGB of shape (height, width, 3), uint8.

        positions: of the nodes (N, 3) (m).
        directors: material directors m1 (E, 3), drawn as a line along each rod (default: no line).
        obstacles: at their current poses, no more than at first (default: those given at first).
        time, note: written into the picture (s; default none).
        scale_bar: adds a scale bar, valid at the depth of the point that the camera looks at.
        scale: of colours, adds a legend (default none).
        """
        points = self._drawn(array("positions", positions, (self._nodes, 3)))
        shapes = self._obstacles
        if obstacles is not None:
            shapes = [self._obstacle(shape) for shape in obstacles]

        def add(scene: mujoco.MjvScene) -> None:
            self._rods.add(scene, points, self._scale, directors)
            self._shells.add(scene, points)
            self._balls.add(scene, points, self._scale)
            for _, add_shape in shapes:
                add_shape(scene)

        picture = self._photographer.take(self._data, self._view, add)
        words = [*([] if time is None else [time_text(time)]), *([note] if note else [])]
        per_pixel = self._photographer.metres_per_pixel(self._view.lookat) if scale_bar else None
        return annotate(picture, "   ".join(words), per_pixel and per_pixel / self._scale, scale)

    def _drawn(self, points: np.ndarray) -> np.ndarray:
        return self._scale * (points - self._centre)

    def _obstacle(self, shape: Obstacle | Facets) -> tuple[int, Callable[[mujoco.MjvScene], None]]:
        """The number of geoms of a shape, and a function that adds them."""
        if isinstance(shape, Facets):
            points = self._drawn(array("vertices", shape.vertices, (None, 3)))
            facets = Triangles(len(points), shape.triangles, shape.rgba, 0)
            return facets.geoms, functools.partial(facets.add, points=points)
        geom = self._geom(shape)
        return 1, lambda scene: next_geom(scene, *geom)

    def _geom(self, shape: Obstacle) -> tuple[Any, ...]:
        if shape.kind not in _KINDS:
            raise StrandError(f"kind: got {shape.kind!r}, allowed: {', '.join(_KINDS)}")
        size = array(f"size of a {shape.kind}", shape.size, (_KINDS[shape.kind],))
        if not (size > 0).all():
            raise StrandError(f"size of a {shape.kind}: got {shape.size}, allowed: numbers > 0")
        quat = array("quat", shape.quat, (4,))
        if not quat.any():
            raise StrandError(f"quat: got {shape.quat}, allowed: four numbers, not all zero")
        turned = np.zeros(9)
        mujoco.mju_quat2Mat(turned, quat / np.linalg.norm(quat))
        return (
            getattr(mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}"),
            np.append(self._scale * size, (0.0, 0.0))[:3],
            self._drawn(array("pos", shape.pos, (3,))),
            turned,
            array("rgba", shape.rgba, (4,)).astype(np.float32),
        )

    def _camera(
        self,
        view: View,
        points: np.ndarray,
        size: tuple[int, int],
        free: tuple[float, float],
    ) -> mujoco.MjvCamera:
        if view.distance is not None and not 0 < view.distance < np.inf:
            raise StrandError(f"distance: got {view.distance!r}, allowed: a finite number > 0")
        lens, room = Lens(view.azimuth, view.elevation, _FOVY, size, free), self._thickest
        given = view.lookat
        lookat = lens.middle(points, room) if given is None else array("lookat", given, (3,))
        distance = view.distance
        if distance is None:
            distance = _MARGIN * lens.distance(points, lookat, room)
        drawn = self._drawn(lookat)
        return camera(drawn, self._scale * distance, view.azimuth, view.elevation)


def render(
    positions: np.ndarray,
    edges: np.ndarray,
    radius: float | np.ndarray,
    directors: np.ndarray | None = None,
    **options: Any,
) -> np.ndarray:
    """A single picture of a network, RGB of shape (height, width, 3). Options as in RodPainter."""
    with RodPainter(positions, edges, radius, **options) as painter:
        return painter.picture(positions, directors)


def save_png(path: str | os.PathLike, picture: np.ndarray) -> None:
    """Writes a picture (height, width, 3) as PNG, completely or not at all."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format="png")
    write_bytes(path, buffer.getvalue())


def film(path: str | os.PathLike, frames: Iterable[np.ndarray], fps: float = 30.0) -> None:
    """Writes pictures as an MP4 film (H.264), completely or not at all.

    frames: pictures of the same shape (height, width, 3), uint8, height and width even. They are
    taken from the iterable one by one. fps: pictures per second (default 30).
    """
    with film_writer(path, fps) as add:
        for frame in frames:
            add(frame)


@contextlib.contextmanager
def film_writer(
    path: str | os.PathLike, fps: float = 30.0
) -> Iterator[Callable[[np.ndarray], None]]:
    """Gives a function that adds a picture to a film; path, pictures and fps as for `film`."""
    import imageio_ffmpeg

    if not str(path).lower().endswith(".mp4"):
        raise StrandError(f"output: got {str(path)!r}, allowed: a path that ends in .mp4")
    if not 0 < fps < np.inf:
        raise StrandError(f"fps: got {fps!r}, allowed: a finite number > 0")
    with whole(path) as beside:
        # Raises a short error if the file cannot be written, before ffmpeg raises a long one.
        beside.touch()
        shape: tuple[int, ...] = ()
        count = 0
        writer = None

        def add(frame: np.ndarray) -> None:
            nonlocal shape, count, writer
            shape = shape or np.shape(frame)
            _check_frame(count, frame, shape)
            if writer is None:
                writer = imageio_ffmpeg.write_frames(
                    str(beside), shape[1::-1], fps=fps, quality=8, macro_block_size=2
                )
                writer.send(None)
            writer.send(np.ascontiguousarray(frame))
            count += 1

        try:
            yield add
        finally:
            if writer is not None:
                writer.close()
        if writer is None:
            raise StrandError("frames: got none, allowed: one or more")


def _check_frame(k: int, frame: np.ndarray, shape: tuple[int, ...]) -> None:
    even = len(shape) == 3 and shape[2] == 3 and shape[0] % 2 == shape[1] % 2 == 0
    if not even or np.shape(frame) != shape or frame.dtype != np.uint8:
        allowed = "bytes (height, width, 3), height and width even, of the first frame's shape"
        raise StrandError(f"frame {k}: got shape {np.shape(frame)}, allowed: {allowed}")


def _model(floor: float | None, drawn: int) -> mujoco.MjModel:
    """The stage, for `drawn` round shapes."""
    spec = mujoco.MjSpec()
    set_stage(spec, floor)
    # Coarser than the default: software rendering of hundreds of capsules would take seconds.
    quality = spec.visual.quality
    quality.numslices, quality.numstacks = (48, 24) if drawn < _FEW else (24, 10)
    spec.visual.global_.fovy = _FOVY
    spec.stat.center, spec.stat.extent = [0, 0, 0], 1.0
    return spec.compile()
