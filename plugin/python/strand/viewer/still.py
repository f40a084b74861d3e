"""strand.render: a picture of a model, for publications."""

import copy
import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.draw.heat import HeatScale, edge_curvature
from strand.draw.picture import annotate, check_size, label_room, time_text
from strand.draw.rod_render import RodPainter, View, save_png, view_of
from strand.draw.stage import Photographer, middle, whole_view
from strand.errors import StrandError
from strand.io.files import check_output
from strand.io.options import FLAG, choice, instance, read, vector
from strand.readout.link_values import QUANTITIES, LinkValues, body_values, given_values
from strand.readout.readout import check_pair
from strand.scene import file as scene_file
from strand.scene.vine import VineScene
from strand.simulation.network_drawing import drawn_edges, take_picture
from strand.simulation.simulation import Simulation
from strand.viewer.cameras import camera_of
from strand.viewer.opening import is_core_scene, of_cable, open_file
from strand.viewer.recording import read_recording
from strand.vine.drawing import Painter

_CORE = ("none", "curvature")  # colours outside MuJoCo

#: What can be shown.
Shown: TypeAlias = "mujoco.MjModel | Cable | Simulation | str | os.PathLike"


def render(
    shown: Shown,
    data: mujoco.MjData | None = None,
    *,
    size: tuple[int, int] = (1920, 1080),
    color: str | LinkValues = "none",
    range: tuple[float, float] | None = None,
    camera: mujoco.MjvCamera | str | None = None,
    labels: bool = True,
    legend: bool = True,
    picture: str | os.PathLike | None = None,
) -> np.ndarray:
    """A picture of a model as it is: RGB (height, width, 3), uint8. It needs no display.

    shown: an MjModel; a strand.Cable; a strand.simulation.Simulation; or a path as for strand.view:
        of a model, a cable, a scene of the core or of a growing robot, at its start; or of a
        recording, at its end.
    data: the MjData of an MjModel (default: a new one). It is not changed.
    size: width and height (pixels; default 1920 x 1080, at most 8192 each).
    color: colours links of cables by "curvature", "twist", "moment", "bending" or "torsion"
        (stresses), "tension", "stress" (von Mises) or "contact" (force), or by numbers of your own,
        a strand.LinkValues (default "none"). Outside MuJoCo: "curvature".
    range: of the colours, least and most, in SI units (default: that of the picture, with 0).
    camera: a mujoco.MjvCamera, or the name of a camera of the model (default: one that shows
        everything).
    labels: time, and a scale bar at the depth of the point that the camera looks at; cameras of the
        model look at the middle of everything (default True).
    legend: of the colours, with the range (default True).
    picture: PNG file to write, completely or not at all (default: none).

    Raises StrandError if an argument is invalid, if the quantity is not known, or if rendering is
    impossible.
    """
    style = _Style(check_size(size), color, range, camera, labels, legend)
    style.check()
    if picture is not None:
        if not str(picture).lower().endswith(".png"):
            raise StrandError(f"picture: got '{picture}', allowed: a path that ends in .png")
        check_output("picture", picture)
    pixels = _draw(shown, data, style)
    if picture is not None:
        save_png(picture, pixels)
    return pixels


@dataclasses.dataclass(frozen=True)
class _Style:
    """Arguments of render, for all that can be shown."""

    size: tuple[int, int]
    color: str | LinkValues
    range: tuple[float, float] | None
    camera: mujoco.MjvCamera | str | None
    labels: bool
    legend: bool

    def check(self) -> None:
        if not isinstance(self.color, LinkValues):
            read("color", self.color, choice("none", *QUANTITIES))
        read("labels", self.labels, FLAG)
        read("legend", self.legend, FLAG)
        cameras = mujoco.MjvCamera | str | None
        read("camera", self.camera, instance(cameras, "a mujoco.MjvCamera, a name or None"))
        if self.range is None:
            return
        if self.color == "none":
            raise StrandError("range: got numbers without a color, allowed: with a color")
        least, most = read("range", self.range, vector(2, "SI"))
        if not least < most:
            raise StrandError(f"range: got {self.range!r}, allowed: the smaller number first")

    @property
    def free(self) -> tuple[float, float]:
        """Parts of the picture's height that labels take at the bottom and at the top."""
        return label_room(self.size, self.labels, self.legend and self.color != "none")

    def scale(self, values: np.ndarray) -> HeatScale:
        """The colours of values, of which NaN are not shown."""
        color = self.color
        quantity = color if isinstance(color, LinkValues) else QUANTITIES[color]
        known = np.append(values[~np.isnan(values)], 0.0)
        least, most = (known.min(), known.max()) if self.range is None else self.range
        return HeatScale(quantity.name, quantity.unit, float(least), float(most))


def _draw(shown: Shown, data: mujoco.MjData | None, style: _Style) -> np.ndarray:
    if isinstance(shown, mujoco.MjModel):
        return _of_model(shown, mujoco.MjData(shown) if data is None else data, style)
    if data is not None:
        raise StrandError("data: got MjData without an MjModel, allowed: with an MjModel")
    if isinstance(shown, Cable):
        opened = of_cable(shown)
        return _of_model(opened.model, opened.data, style)
    if isinstance(shown, Simulation):
        return _of_simulation(shown, style)
    if isinstance(shown, str | os.PathLike):
        return _of_file(Path(shown), style)
    allowed = "an MjModel, a Cable, a Simulation, or a path"
    raise StrandError(f"shown: got {type(shown).__name__}, allowed: {allowed}")


def _of_file(path: Path, style: _Style) -> np.ndarray:
    if path.is_file() and is_core_scene(path):
        scene = scene_file.load(path)
        if isinstance(scene, VineScene):
            return _of_robot(scene, style)
        return _of_simulation(scene.simulation, style)
    if path.is_file() and path.suffix.lower() == ".npz":
        return _of_recording(path, style)
    opened = open_file(path)
    return _of_model(opened.model, opened.data, style)


# Models of MuJoCo.


def _of_model(model: mujoco.MjModel, data: mujoco.MjData, style: _Style) -> np.ndarray:
    check_pair(model, data)
    solved = copy.copy(data)
    mujoco.mj_forward(model, solved)
    option, paint, scale = mujoco.MjvOption(), None, None
    if style.color != "none":
        values = _values(model, data, solved, style.color)
        scale = style.scale(values)
        paint = _painter(model, values, scale, option)
    if style.camera is None:
        view = whole_view(model, solved, style.size, style.free)
    else:
        view = camera_of(model, style.camera)
    room = max(10_000, 2 * model.ngeom)
    with Photographer(model, *style.size, max_geoms=room) as photographer:
        pixels = photographer.take(solved, view, paint, option)
        fixed = view.type == mujoco.mjtCamera.mjCAMERA_FIXED
        seen = middle(model, solved) if fixed else view.lookat
        per_pixel = photographer.metres_per_pixel(seen) if style.labels else None
    text = time_text(data.time) if style.labels else ""
    return annotate(pixels, text, per_pixel, scale if style.legend else None)


def _values(
    model: mujoco.MjModel, data: mujoco.MjData, solved: mujoco.MjData, color: str | LinkValues
) -> np.ndarray:
    """Of links, by body (nbody,). solved: a copy of the data with current kinematics."""
    if isinstance(color, LinkValues):
        return given_values(model, solved, color)
    return body_values(model, data, color)


def _painter(
    model: mujoco.MjModel, values: np.ndarray, scale: HeatScale, option: mujoco.MjvOption
) -> Callable[[mujoco.MjvScene], None]:
    """A function that colours the links in a scene by their values, and hides their skins.

    values: by body (nbody,), NaN: not a link. option: of the scene; is changed, so that it has the
    links.
    """
    links = ~np.isnan(values)
    concealed = _show_links(model, links, option)
    rgba = scale.colors(np.where(links, values, 0))
    skins = [skin for skin in np.arange(model.nskin) if _is_on(model, links, skin)]
    kind_of_geom, kind_of_skin = int(mujoco.mjtObj.mjOBJ_GEOM), int(mujoco.mjtObj.mjOBJ_SKIN)
    hidden = {(kind_of_geom, geom) for geom in np.flatnonzero(concealed).tolist()}
    hidden |= {(kind_of_skin, int(skin)) for skin in skins}

    def paint(scene: mujoco.MjvScene) -> None:
        for geom in scene.geoms[: scene.ngeom]:
            is_geom = geom.objtype == kind_of_geom and geom.objid >= 0
            body = model.geom_bodyid[geom.objid] if is_geom else 0
            if links[body]:
                _paint(geom, rgba[body])
            elif (geom.objtype, geom.objid) in hidden:
                _hide(geom)

    return paint


def _show_links(model: mujoco.MjModel, links: np.ndarray, option: mujoco.MjvOption) -> np.ndarray:
    """Shows the groups of geoms in which links are. Returns the other geoms that were concealed
    before, (ngeom,).

    links: which bodies are links, (nbody,).
    """
    groups = model.geom_group.clip(0, len(option.geomgroup) - 1)
    of_links = links[model.geom_bodyid]
    concealed = ~of_links & (option.geomgroup[groups] == 0)
    option.geomgroup[groups[of_links]] = 1
    return concealed


def _is_on(model: mujoco.MjModel, links: np.ndarray, skin: int) -> bool:
    """True if one of the links moves the skin."""
    first, count = model.skin_boneadr[skin], model.skin_bonenum[skin]
    return bool(links[model.skin_bonebodyid[first : first + count]].any())


def _paint(geom: mujoco.MjvGeom, rgba: np.ndarray) -> None:
    geom.rgba[:] = rgba
    geom.matid = -1
    if hasattr(geom, "texid"):  # since MuJoCo 4
        geom.texid = -1


def _hide(geom: mujoco.MjvGeom) -> None:
    geom.rgba[3] = 0
    geom.category = mujoco.mjtCatBit.mjCAT_DECOR  # without a shadow


# Outside MuJoCo.


def _of_simulation(simulation: Simulation, style: _Style) -> np.ndarray:
    network = simulation.network
    edges = network.edge_nodes[drawn_edges(network)]
    color, scale = _curvature(style, simulation.positions, edges)
    looks = {"size": style.size, "free": style.free, "view": _view(style)}
    return take_picture(simulation, labels=style.labels, scale=scale, color=color, **looks)


def _of_recording(path: Path, style: _Style) -> np.ndarray:
    one = read_recording(path)
    positions, edges = one.positions[-1], one.edges
    color, scale = _curvature(style, positions, edges)
    looks: dict[str, Any] = {"size": style.size, "free": style.free, "view": _view(style)}
    if len(one.triangles):
        looks["triangles"] = one.triangles
    with RodPainter(positions, edges, one.radius, color=color, **looks) as painter:
        shown = float(one.times[-1]) if style.labels else None
        return painter.picture(positions, time=shown, scale_bar=style.labels, scale=scale)


def _of_robot(scene: VineScene, style: _Style) -> np.ndarray:
    robot, alone = scene.robot, "for a growing robot, which is drawn from above"
    if style.color != "none":
        raise StrandError(f"color: got {style.color!r}, allowed: none {alone}")
    if style.camera is not None:
        raise StrandError(f"camera: got {style.camera!r}, allowed: None {alone}")
    painter = Painter([robot.line], robot.diameter, robot.obstacles, style.size)
    return painter.picture(robot.line, robot.contacts, robot.time if style.labels else None)


def _curvature(
    style: _Style, positions: np.ndarray, edges: np.ndarray
) -> tuple[np.ndarray | None, HeatScale | None]:
    """Colours of the edges (E, 4), and the legend."""
    if style.color not in _CORE:
        allowed = f"{', '.join(_CORE)} outside MuJoCo"
        raise StrandError(f"color: got {style.color!r}, allowed: {allowed}")
    if style.color == "none":
        return None, None
    if not len(edges):
        raise StrandError(f"color: got {style.color!r}, allowed: none without rods")
    values = edge_curvature(positions, edges)
    scale = style.scale(values)
    return scale.colors(values), scale if style.legend else None


def _view(style: _Style) -> View | None:
    given = style.camera
    if given is None:
        return None
    if isinstance(given, str) or given.type != mujoco.mjtCamera.mjCAMERA_FREE:
        got = repr(given) if isinstance(given, str) else f"a camera of type {given.type}"
        raise StrandError(f"camera: got {got}, allowed: a free camera outside MuJoCo")
    return view_of(given)
