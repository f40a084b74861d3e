"""Pictures and films of networks of rods, drawn by MuJoCo's renderer from positions alone."""

import dataclasses
import io
import os
from collections.abc import Iterable, Sequence

import matplotlib.colors
import mujoco
import numpy as np
import scipy.sparse.csgraph

from strand.demo.stage import HEIGHT, WIDTH, Photographer, camera, set_stage
from strand.errors import StrandError
from strand.files import whole, write_bytes
from strand.plotting import COLORS

_MARGIN = 1.08  # of the distance at which everything just fits
_STRIPE = 0.3  # radius of the material director's line, in radii of the rod
_STRIPE_RGBA = (0.96, 0.93, 0.75, 1.0)

#: How many numbers each kind of obstacle has in its size.
_KINDS = {"plane": 2, "sphere": 1, "capsule": 2, "box": 3}


@dataclasses.dataclass(frozen=True)
class View:
    """Where the camera is. What is left out makes the picture show all rods."""

    azimuth: float = 125.0  #: degrees
    elevation: float = -22.0  #: degrees, negative from above
    lookat: Sequence[float] | None = None  #: m
    distance: float | None = None  #: m, from lookat


@dataclasses.dataclass(frozen=True)
class Obstacle:
    """A shape beside the rods; sizes as in MJCF (m).

    plane: half lengths along x and y; sphere: radius; capsule: radius, half length along z;
    box: half lengths.
    """

    kind: str
    size: Sequence[float]
    pos: Sequence[float] = (0.0, 0.0, 0.0)  #: m
    quat: Sequence[float] = (1.0, 0.0, 0.0, 0.0)  #: w, x, y, z
    rgba: Sequence[float] = (0.62, 0.64, 0.68, 1.0)


class RodPainter:
    """Draws one network of rods at any positions, from one camera.

    `bounds`, shape (N, 3) or (T, N, 3), are the positions (m) that the picture has room for.
    `edges` (E, 2) are indices of nodes, `radius` (m) is one or (E,). `color` is one RGB(A) or one
    per edge; without it every rod has its own: `rod` (E,) counts them, or they are the connected
    parts. `floor` is a height (m). Raises StrandError for what makes no sense, RuntimeError where
    nothing can be rendered. To be closed, or used in a `with`.
    """

    def __init__(
        self,
        bounds: np.ndarray,
        edges: np.ndarray,
        radius: float | np.ndarray,
        *,
        color: Sequence | np.ndarray | None = None,
        rod: np.ndarray | None = None,
        size: tuple[int, int] = (WIDTH, HEIGHT),
        view: View | None = None,
        floor: float | None = None,
        obstacles: Sequence[Obstacle] = (),
    ) -> None:
        bounds = _array("bounds", bounds, (None, 3), stacked=True)
        self._nodes = bounds.shape[-2]
        self._edges = _edges(edges, self._nodes)
        count = len(self._edges)
        self._radius = _radii(radius, count)
        self._rgba = _colors(color, rod, self._edges, self._nodes)
        lower, upper = bounds.min(axis=(0, 1)), bounds.max(axis=(0, 1))
        self._centre = (lower + upper) / 2
        # Drawn at the size of a metre about the origin: then light, shadows, tiles and the
        # renderer's single precision are as good for a hair as for a rope.
        self._scale = 1 / max(np.max(upper - lower), 2 * self._radius.max(initial=1e-6))
        self._obstacles = [self._obstacle(shape) for shape in obstacles]
        model = _model(size, None if floor is None else self._scale * (floor - self._centre[2]))
        self._view = self._camera(view or View(), bounds, size, np.radians(model.vis.global_.fovy))
        self._data = mujoco.MjData(model)
        mujoco.mj_forward(model, self._data)
        geoms = model.ngeom + 2 * count + len(obstacles)
        self._photographer = Photographer(model, *size, max_geoms=geoms + 100)

    def __enter__(self) -> "RodPainter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._photographer.__exit__()

    def picture(self, positions: np.ndarray, directors: np.ndarray | None = None) -> np.ndarray:
        """The rods at positions (N, 3) (m), as RGB of shape (height, width, 3), bytes.

        `directors` (E, 3), the material directors m1, are drawn as a line along each rod.
        """
        points = self._drawn(_array("positions", positions, (self._nodes, 3)))
        radii = self._scale * self._radius
        ends = points[self._edges]
        lines = None
        if directors is not None:
            directors = _array("directors", directors, (len(self._edges), 3))
            lines = ends + ((1 - _STRIPE / 2) * radii[:, np.newaxis] * directors)[:, np.newaxis]

        def add(scene: mujoco.MjvScene) -> None:
            _add_capsules(scene, ends, radii, self._rgba)
            if lines is not None:
                rgba = np.broadcast_to(np.float32(_STRIPE_RGBA), (len(lines), 4))
                _add_capsules(scene, lines, _STRIPE * radii, rgba)
            for shape in self._obstacles:
                _next_geom(scene, *shape)

        return self._photographer.take(self._data, self._view, add)

    def _drawn(self, points: np.ndarray) -> np.ndarray:
        return self._scale * (points - self._centre)

    def _obstacle(self, shape: Obstacle) -> tuple:
        if shape.kind not in _KINDS:
            raise StrandError(f"kind: got {shape.kind!r}, allowed: {', '.join(_KINDS)}")
        size = _array(f"size of a {shape.kind}", shape.size, (_KINDS[shape.kind],))
        if not (size > 0).all():
            raise StrandError(f"size of a {shape.kind}: got {shape.size}, allowed: numbers > 0")
        quat = _array("quat", shape.quat, (4,))
        if not quat.any():
            raise StrandError(f"quat: got {shape.quat}, allowed: one that is not zero")
        turned = np.zeros(9)
        mujoco.mju_quat2Mat(turned, quat / np.linalg.norm(quat))
        return (
            getattr(mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}"),
            np.append(self._scale * size, (0.0, 0.0))[:3],
            self._drawn(_array("pos", shape.pos, (3,))),
            turned,
            np.float32(_array("rgba", shape.rgba, (4,))),
        )

    def _camera(
        self, view: View, bounds: np.ndarray, size: tuple[int, int], fovy: float
    ) -> mujoco.MjvCamera:
        azimuth, elevation = np.radians([view.azimuth, view.elevation])
        right = np.array([np.sin(azimuth), -np.cos(azimuth), 0])
        forward = np.array([-right[1], right[0], 0]) * np.cos(elevation)
        forward[2] = np.sin(elevation)
        lookat = self._centre if view.lookat is None else _array("lookat", view.lookat, (3,))
        distance = view.distance
        if distance is not None and not 0 < distance < np.inf:
            raise StrandError(f"distance: got {distance!r}, allowed: a finite number > 0")
        if distance is None:
            points, distance = bounds - lookat, 0.0
            half_height = np.tan(fovy / 2)
            halves = {half_height * size[0] / size[1]: right, half_height: np.cross(right, forward)}
            for half, across in halves.items():
                needed = np.abs(points @ across) / half - points @ forward
                room = self._radius.max(initial=0) * np.hypot(1, 1 / half)
                distance = max(distance, _MARGIN * (needed.max() + room))
        drawn = self._drawn(lookat)
        return camera(drawn, self._scale * distance, view.azimuth, view.elevation)


def render(
    positions: np.ndarray,
    edges: np.ndarray,
    radius: float | np.ndarray,
    directors: np.ndarray | None = None,
    **options,
) -> np.ndarray:
    """One picture of a network, RGB of shape (height, width, 3). Options as in RodPainter."""
    with RodPainter(positions, edges, radius, **options) as painter:
        return painter.picture(positions, directors)


def save_png(path: str | os.PathLike, picture: np.ndarray) -> None:
    """Writes a picture (height, width, 3) as PNG, whole or not at all."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format="png")
    write_bytes(path, buffer.getvalue())


def film(path: str | os.PathLike, frames: Iterable[np.ndarray], fps: float = 30.0) -> None:
    """Writes pictures as an MP4 (H.264) of `fps` pictures per second, whole or not at all.

    All have one shape (height, width, 3), both even, and are taken from `frames` one by one.
    """
    import imageio_ffmpeg

    if not str(path).lower().endswith(".mp4"):
        raise StrandError(f"output: got {str(path)!r}, allowed: a path that ends in .mp4")
    if not 0 < fps < np.inf:
        raise StrandError(f"fps: got {fps!r}, allowed: a finite number > 0")
    shape = writer = None
    with whole(path) as beside:
        # ffmpeg tells why it cannot write in many words, this in few.
        beside.touch()
        try:
            for k, frame in enumerate(frames):
                shape = shape or np.shape(frame)
                _check_frame(k, frame, shape)
                if writer is None:
                    writer = imageio_ffmpeg.write_frames(
                        str(beside), shape[1::-1], fps=fps, quality=8, macro_block_size=2
                    )
                    writer.send(None)
                writer.send(np.ascontiguousarray(frame))
        finally:
            if writer is not None:
                writer.close()
        if writer is None:
            raise StrandError("frames: got none, allowed: one or more")


def _check_frame(k: int, frame: np.ndarray, shape: tuple) -> None:
    even = len(shape) == 3 and shape[2] == 3 and shape[0] % 2 == shape[1] % 2 == 0
    if not even or np.shape(frame) != shape or frame.dtype != np.uint8:
        allowed = "bytes, (height, width, 3), both even, of the first one's shape"
        raise StrandError(f"frame {k}: got shape {np.shape(frame)}, allowed: {allowed}")


def _model(size: tuple[int, int], floor: float | None) -> mujoco.MjModel:
    if len(size) != 2 or not all(isinstance(n, int) and 0 < n <= 8192 for n in size):
        raise StrandError(f"size: got {size!r}, allowed: width and height from 1 to 8192 pixels")
    spec = mujoco.MjSpec()
    set_stage(spec, floor)
    spec.visual.global_.offwidth, spec.visual.global_.offheight = size
    # Coarser than the stage's: in software, hundreds of capsules take seconds to draw otherwise.
    spec.visual.quality.numslices, spec.visual.quality.numstacks = 24, 10
    spec.stat.center, spec.stat.extent = [0, 0, 0], 1.0
    return spec.compile()


def _next_geom(scene: mujoco.MjvScene, kind, size, pos, turned, rgba) -> mujoco.MjvGeom:
    geom = scene.geoms[scene.ngeom]
    mujoco.mjv_initGeom(geom, kind, size, pos, turned, rgba)
    geom.category = mujoco.mjtCatBit.mjCAT_DYNAMIC  # decoration would cast no shadow
    scene.ngeom += 1
    return geom


def _add_capsules(
    scene: mujoco.MjvScene, ends: np.ndarray, radii: np.ndarray, rgba: np.ndarray
) -> None:
    capsule, zeros, turned = mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.eye(3).ravel()
    for (begin, end), radius, shade in zip(ends, radii, rgba, strict=True):
        geom = _next_geom(scene, capsule, zeros, zeros, turned, shade)
        mujoco.mjv_connector(geom, capsule, radius, begin, end)


def _array(name: str, given, shape: tuple, stacked: bool = False) -> np.ndarray:
    """Finite numbers of that shape (None: any length above 0), or a stack of such."""
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{name}: got {given!r}, allowed: numbers of shape {shape}") from None
    if stacked and values.ndim == len(shape):
        values = values[np.newaxis]
    tail = values.shape[1:] if stacked else values.shape
    fits = [n == m or (m is None and n > 0) for n, m in zip(tail, shape, strict=False)]
    if len(tail) != len(shape) or not all(fits) or (stacked and len(values) == 0):
        raise StrandError(f"{name}: got shape {np.shape(given)}, allowed: {shape}")
    if not np.isfinite(values).all():
        raise StrandError(f"{name}: got nan or inf, allowed: finite numbers")
    return values


def _edges(edges: np.ndarray, nodes: int) -> np.ndarray:
    edges = np.asarray(edges)
    if edges.ndim != 2 or edges.shape[1] != 2 or not np.issubdtype(edges.dtype, np.integer):
        raise StrandError(f"edges: got {edges.dtype} {edges.shape}, allowed: integers (E, 2)")
    if edges.size and (edges.min() < 0 or edges.max() >= nodes):
        wrong = edges[((edges < 0) | (edges >= nodes)).any(axis=1)][0]
        raise StrandError(f"edges: got {wrong.tolist()}, allowed: nodes 0 to {nodes - 1}")
    return edges


def _radii(radius: float | np.ndarray, count: int) -> np.ndarray:
    radii = _array("radius", [radius] * count if np.ndim(radius) == 0 else radius, (count,))
    if not (radii > 0).all():
        raise StrandError(f"radius: got {radii.min()}, allowed: numbers > 0")
    return radii


def _colors(color, rod: np.ndarray | None, edges: np.ndarray, nodes: int) -> np.ndarray:
    """RGBA of every edge, float32 of shape (E, 4)."""
    if color is None:
        if rod is None:
            links = scipy.sparse.coo_array((np.ones(len(edges)), edges.T), shape=(nodes, nodes))
            rod = scipy.sparse.csgraph.connected_components(links, directed=False)[1][edges[:, 0]]
        if np.shape(rod) != (len(edges),):
            raise StrandError(f"rod: got shape {np.shape(rod)}, allowed: ({len(edges)},)")
        palette = matplotlib.colors.to_rgba_array(COLORS)
        return np.float32(palette[np.asarray(rod) % len(palette)])
    try:
        values = np.asarray(color, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"color: got {color!r}, allowed: RGB(A), one or per edge") from None
    if values.shape not in [(*n, c) for n in ((), (len(edges),)) for c in (3, 4)]:
        raise StrandError(f"color: got shape {values.shape}, allowed: RGB(A), one or per edge")
    if not ((values >= 0) & (values <= 1)).all():
        raise StrandError("color: got numbers out of range, allowed: 0 to 1")
    rgba = np.ones((len(edges), 4), dtype=np.float32)
    rgba[:, : values.shape[-1]] = values
    return rgba
