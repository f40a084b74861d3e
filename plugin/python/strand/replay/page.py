"""The page (HTML) of a replay, made by viser, whose program for the browser is part of the page."""

import contextlib
import html
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from strand.draw.heat import HeatScale
from strand.errors import StrandError
from strand.replay.camera import Sight
from strand.replay.parts import Ground, Instances, Part, Skin, Surface, row, turned

if TYPE_CHECKING:
    import viser

INSTALL = 'pip install "strand[replay]"'

_WIDE = 40.0  # width of a plane without a border, in sizes of the scene
_CELLS = 10  # small squares of a floor along a large one
_GRAIN = 2.0**-17  # positions are rounded to this part of the scene's size, to make pages small
_TURN = 2.0**-15  # and quaternions to this
_STOPS = 17  # colours of the legend
_LINE, _SECTION = 0.93, 0.82  # brightness of the floor's lines


def check_viser() -> None:
    """Raises StrandError, with what to install, if viser is missing or too old."""
    try:
        import viser
    except ImportError as error:
        raise StrandError(f"viser: not installed ({error}), allowed: with it; {INSTALL}") from None
    if not hasattr(viser.ViserServer, "get_scene_serializer"):
        raise StrandError(f"viser: got {viser.__version__}, allowed: 1.1 or newer; {INSTALL}")


def page(
    parts: Sequence[Part],
    times: np.ndarray,
    hold: float,
    sight: Sight,
    title: str = "",
    scale: HeatScale | None = None,
) -> str:
    """A page that plays parts at these times (T,) (s).

    hold: time (s) that the last frame stays. scale: of colours, for a legend.
    """
    check_viser()
    with _server() as server:
        camera = server.initial_camera
        camera.position = sight.scale * sight.position
        camera.look_at = sight.scale * sight.look_at
        camera.fov = float(sight.fov)
        server.scene.configure_default_lights(cast_shadow=True)
        handles = [
            _ADD[type(part)](server.scene, f"/{name}", part, sight)
            for name, part in zip(_names(parts), parts, strict=True)
        ]
        serializer = server.get_scene_serializer()
        for k in range(1, len(times)):
            serializer.insert_sleep(float(times[k] - times[k - 1]))
            for part, handle in zip(parts, handles, strict=True):
                _update(part, handle, k, sight)
        serializer.insert_sleep(hold if len(times) > 1 else 0.0)
        text = serializer.as_html()
    text = re.sub(r"<title>.*?</title>", lambda _: _title(title), text, count=1)
    before, end, after = text.rpartition("</body>")
    return before + (legend(scale) if scale else "") + end + after


@contextlib.contextmanager
def _server() -> "Iterator[viser.ViserServer]":
    """A server that only this process can reach, for the time of the block. It prints nothing."""
    import rich
    import viser

    console = rich.get_console()
    quiet, console.quiet = console.quiet, True
    try:
        server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
        try:
            yield server
        finally:
            server.stop()
    finally:
        console.quiet = quiet


def _title(text: str) -> str:
    return f"<title>{html.escape(text or 'strand')}</title>"


def legend(scale: HeatScale) -> str:
    """The colours from the least to the largest value, in the upper right corner of the page."""
    colors = _bytes(scale.colors(np.linspace(scale.least, scale.most, _STOPS))[:, :3])
    bar = ",".join(f"rgb{_tuple(color)}" for color in colors)
    least, most = map(html.escape, scale.ends())
    plate = "position:fixed;top:1em;right:1em;width:13em;padding:.5em;pointer-events:none;"
    plate += "background:#ffffffbe;border-radius:.5em;font:14px sans-serif;color:#1d2733"
    line = f"height:1em;margin:.3em 0;background:linear-gradient(to right,{bar})"
    return (
        f'<div style="{plate}">{html.escape(scale.name)}<div style="{line}"></div>'
        f'{least}<span style="float:right">{most}</span></div>'
    )


def _names(parts: Sequence[Part]) -> list[str]:
    """A name for each part, without "/", which would make it the child of another."""
    names: list[str] = []
    for part in parts:
        plain = part.name.replace("/", "_") or "part"
        more = (f"{plain}_{k}" for k in itertools.count(2))
        names.append(next(name for name in itertools.chain([plain], more) if name not in names))
    return names


def _update(part: Part, handle: Any, k: int, sight: Sight) -> None:
    """Sets frame k. Viser leaves out what has not changed."""
    if isinstance(part, Instances):
        for name, value in _instances(part, k, sight).items():
            setattr(handle, name, value)
    elif isinstance(part, Surface) and len(part.vertices) > 1:
        handle.vertices = _rounded(part.vertices[k], sight)
    elif isinstance(part, Skin) and len(part.poses) > 1:
        _move_bones(handle, part.poses[k], sight)
    elif isinstance(part, Ground) and len(part.poses) > 1:
        handle.position, handle.wxyz = sight.scale * part.poses[k, :3], part.poses[k, 3:]


def _rounded(places: np.ndarray, sight: Sight) -> np.ndarray:
    """Positions (m) of which fewer digits must be written."""
    grain = _GRAIN * 2.0 ** np.floor(np.log2(sight.size))
    return (np.round(places / grain) * grain).astype(np.float32)


def _turns(quats: np.ndarray) -> np.ndarray:
    return (np.round(quats / _TURN) * _TURN).astype(np.float32)


def _instances(part: Instances, k: int, sight: Sight) -> dict[str, Any]:
    rgba = row(part.rgba, k)
    look = {
        "batched_positions": _rounded(row(part.positions, k), sight),
        "batched_wxyzs": _turns(row(part.quats, k)),
        "batched_scales": row(part.scales, k),
        "batched_colors": _bytes(_linear(rgba[:, :3])),
    }
    if (part.rgba[..., 3] < 1).any():
        look["batched_opacities"] = rgba[:, 3]
    return look


def _add_instances(scene: "viser.SceneApi", name: str, part: Instances, sight: Sight) -> Any:
    vertices, triangles = part.mesh
    return scene.add_batched_meshes_simple(
        name, vertices, triangles, lod="off", scale=sight.scale, **_instances(part, 0, sight)
    )


def _add_surface(scene: "viser.SceneApi", name: str, part: Surface, sight: Sight) -> Any:
    return scene.add_mesh_simple(
        name,
        _rounded(part.vertices[0], sight),
        part.triangles,
        side="double",
        scale=sight.scale,
        **_look(part.rgba),
    )


def _add_skin(scene: "viser.SceneApi", name: str, part: Skin, sight: Sight) -> Any:
    # Bones are not scaled with their mesh, so both are given scaled.
    vertices, triangles = part.mesh
    handle = scene.add_mesh_skinned(
        name,
        sight.scale * vertices,
        triangles,
        bone_positions=sight.scale * part.first[:, :3],
        bone_wxyzs=part.first[:, 3:],
        skin_weights=part.weights,
        side="double",
        **_look(part.rgba),
    )
    _move_bones(handle, part.poses[0], sight)
    return handle


def _move_bones(handle: Any, poses: np.ndarray, sight: Sight) -> None:
    places = sight.scale * _rounded(poses[:, :3], sight)
    for bone, place, turn in zip(handle.bones, places, _turns(poses[:, 3:]), strict=True):
        bone.position, bone.wxyz = place, turn


def _add_ground(scene: "viser.SceneApi", name: str, part: Ground, sight: Sight) -> Any:
    section = 10.0 ** np.floor(np.log10(sight.size))
    place, turn = part.poses[0, :3], part.poses[0, 3:]
    if not any(part.size):  # it is where everything is, with its lines where they were
        back = turned(turn * [1, -1, -1, -1], sight.look_at - place)
        place = place + turned(turn, section * np.round(back / section) * [1, 1, 0])
    wide = [sight.scale * (side or _WIDE * sight.size) for side in part.size]
    color = _bytes(part.rgba[:3])
    return scene.add_grid(
        name,
        width=wide[0],
        height=wide[1],
        plane="xy",
        cell_size=sight.scale * section / _CELLS,
        section_size=sight.scale * section,
        cell_color=_tuple(_LINE * color),
        section_color=_tuple(_SECTION * color),
        plane_color=_tuple(color),
        plane_opacity=float(part.rgba[3]),
        fade_distance=sight.scale * _WIDE * sight.size,
        shadow_opacity=0.3,
        position=sight.scale * place,
        wxyz=turn,
    )


_ADD: dict[type, Any] = {
    Instances: _add_instances,
    Surface: _add_surface,
    Skin: _add_skin,
    Ground: _add_ground,
}


def _look(rgba: np.ndarray) -> dict[str, Any]:
    opacity = None if rgba[3] >= 1 else float(rgba[3])
    return {"color": _tuple(_bytes(rgba[:3])), "opacity": opacity}


def _linear(color: np.ndarray) -> np.ndarray:
    """Viser takes the colours of copies as linear, and all others as sRGB, as MuJoCo does."""
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def _bytes(color: np.ndarray) -> np.ndarray:
    return np.clip(np.round(255 * color), 0, 255).astype(np.uint8)


def _tuple(color: np.ndarray) -> tuple[int, int, int]:
    red, green, blue = color.astype(int).tolist()
    return red, green, blue
