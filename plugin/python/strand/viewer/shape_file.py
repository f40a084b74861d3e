"""Saves the shape that is shown: nodes as CSV, or a cable of this shape as TOML or MJCF."""

import copy
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from strand import adapter
from strand._strand import RodProfile
from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.io.files import write_text
from strand.readout.profile import profile
from strand.readout.readout import instances, look_up

_ALLOWED = "NAME.csv, NAME.cable.toml or NAME.xml"
_ROUND = (mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_CYLINDER)
_SIZES = {
    "circle": ("radius",),
    "tube": ("radius", "inner_radius"),
    "box": ("width", "height"),
    "ellipse": ("width", "height"),
}
_EQUAL = 1e-6  # relative difference below which joints and links count as equal


def save(file: str, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Saves the cables in `data`.

    file: .csv: nodes of all cables; .cable.toml, .xml: the model's only cable, not held. It has
    its EI, GJ, mass and section, and is naturally straight if that is, otherwise
    free of stress in this shape.

    Raises StrandError if there is no cable, or if a cable differs along its length.
    """
    if file.endswith(".csv"):
        _write_nodes(file, _nodes(model, data))
    elif file.endswith(".cable.toml"):
        write_text(file, _toml(_cable(model, data)))
    elif file.endswith(".xml"):
        write_text(file, _cable(model, data).generate("cable", True)[0])
    else:
        raise StrandError(f"shape: got '{file}', allowed: {_ALLOWED}")


def save_points(file: str, points: np.ndarray) -> None:
    """Saves the nodes (N, 3; m) of a film as CSV. Raises StrandError for other files."""
    if Path(file).suffix != ".csv":
        raise StrandError(f"shape: got '{file}', allowed for this scene: NAME.csv")
    _write_nodes(file, iter([("scene", [""] * len(points), points)]))


def _nodes(
    model: mujoco.MjModel, data: mujoco.MjData
) -> Iterator[tuple[str, list[float] | list[str], np.ndarray]]:
    for name in _names(model):
        one = profile(model, data, name)
        yield name, one.node_arclength.tolist(), one.nodes


def _names(model: mujoco.MjModel) -> list[str]:
    names = instances(model)
    if not names:
        raise StrandError("shape: got a model without cables, allowed: with strand.cable")
    return names


def _write_nodes(
    file: str, cables: Iterator[tuple[str, list[float] | list[str], np.ndarray]]
) -> None:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["cable", "node", "arclength_m", "x_m", "y_m", "z_m"])
    for name, arclength, nodes in cables:
        for k, (along, node) in enumerate(zip(arclength, nodes.tolist(), strict=True)):
            rows.writerow([name, k, along, *node])
    write_text(file, text.getvalue())


def _cable(model: mujoco.MjModel, data: mujoco.MjData) -> Cable:
    names = _names(model)
    if len(names) != 1:
        raise StrandError(f"shape: got {len(names)} cables, allowed: one (NAME.csv saves all)")
    solved = copy.copy(data)
    one = profile(model, data, names[0])
    mujoco.mj_forward(model, solved)
    rod = look_up(model, solved, names[0], adapter.load().profile)
    constants = look_up(model, solved, names[0], adapter.load().constants)
    nodes = one.nodes.copy()
    if one.closed:
        nodes[-1] = nodes[0]
    EI = _equal("EI", np.reshape(constants.EI, (-1, 2)))
    section, area = _section(model, rod)
    turned = EI[0] == EI[1] and "radius" in section  # about its axis, it is the same cable
    mass = model.body_mass[list({*rod.body, *rod.far_body})].sum()
    return Cable(
        nodes,
        EI=float(EI[0]) if EI[0] == EI[1] else EI.tolist(),
        GJ=float(_equal("GJ", np.array(constants.GJ))),
        **section,
        density=float(mass / (area * one.node_arclength[-1])),
        normal=None if turned else solved.xmat[rod.body[0]].reshape(3, 3)[:, 1].tolist(),
        closed=one.closed,
        rest="straight" if constants.rest_straight else "drawn",
        gravity=model.opt.gravity.tolist(),
    )


def _equal(name: str, values: np.ndarray) -> np.ndarray:
    """The value of all joints or links."""
    if np.any(np.ptp(values, axis=0) > _EQUAL * np.abs(values).max()):
        raise StrandError(f"{name}: got a cable that differs along its length, allowed: NAME.csv")
    return values[0]


def _section(model: mujoco.MjModel, rod: RodProfile) -> tuple[dict[str, Any], float]:
    """The section of all links: its shape and sizes (m) as fields of a cable, and its area (m^2).

    The links' geoms give the outline, the plugin's area says what is inside.
    """
    first = model.body_geomadr[rod.body]
    if np.any(first < 0) or not rod.area:
        raise StrandError("shape: got links without geoms, allowed: NAME.csv")
    kind = int(_equal("section", model.geom_type[first]))
    area = float(_equal("section", np.array(rod.area)))
    if kind in _ROUND:
        radius = float(_equal("radius", model.geom_size[first, 0]))
        full = np.pi * radius**2
        if area > (1 - _EQUAL) * full:
            return {"radius": radius}, full
        inner = float(np.sqrt((full - area) / np.pi))
        return {"section": "tube", "radius": radius, "inner_radius": inner}, area
    half = _equal("section", model.geom_size[first, 1:])
    # The generator draws an ellipse as a box between two capsules, the second of them outwards.
    if kind == mujoco.mjtGeom.mjGEOM_BOX and np.all(model.body_geomnum[rod.body] == 3):
        last = first + 2
        half = _equal("section", model.geom_pos[last, 1:] + model.geom_size[last, :1])
    width, height = (2 * half).tolist()
    for section, share in (("box", 1.0), ("ellipse", np.pi / 4)):
        if abs(area / (share * width * height) - 1) < _EQUAL:
            return {"section": section, "width": width, "height": height}, area
    raise StrandError("section: got geoms that are not the section, allowed: NAME.csv")


def _toml(cable: Cable) -> str:
    """The text of a cable file."""
    points = ",\n".join(f"  {node}" for node in np.asarray(cable.nodes).tolist())
    sizes = "".join(f"{name} = {getattr(cable, name)}\n" for name in _SIZES[cable.section])
    normal = "" if cable.normal is None else f"normal = {list(cable.normal)}\n"
    return (
        f'[shape]\ntype = "points"\npoints = [\n{points},\n]\n'
        f"closed = {str(cable.closed).lower()}\n{normal}\n"
        f'[section]\nsection = "{cable.section}"\n{sizes}\n'
        f"[material]\nEI = {cable.EI}\nGJ = {cable.GJ}\ndensity = {cable.density}\n\n"
        f'[elasticity]\nrest = "{cable.rest}"\n\n'
        f"[simulation]\ngravity = {list(cable.gravity)}\n"
    )
