"""The skin: a smooth tube with the outline of the section, moved by the links."""

import itertools
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support import cables, differences

import strand
from strand.draw.stage import can_render

RADIUS = 0.01
NODES = strand.arc(0.5, 1.5, 10)


def make(**fields) -> tuple[mujoco.MjModel, mujoco.MjData]:
    fields = {"nodes": NODES, "EI": 0.02, "GJ": 0.02, "radius": RADIUS} | fields
    return cables.load(strand.Cable(**fields, skin=True))


def vertices(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Positions of the skin's vertices as rendered: weighted poses of the bones."""
    out = np.zeros((model.nskinvert, 3))
    for bone in range(model.nskinbone):
        body = model.skin_bonebodyid[bone]
        begin = model.skin_bonevertadr[bone]
        part = slice(begin, begin + model.skin_bonevertnum[bone])
        ids, weights = model.skin_bonevertid[part], model.skin_bonevertweight[part]
        bind = np.empty(9)
        mujoco.mju_quat2Mat(bind, model.skin_bonebindquat[bone].astype(float))
        local = (model.skin_vert[ids] - model.skin_bonebindpos[bone]) @ bind.reshape(3, 3)
        placed = data.xpos[body] + local @ data.xmat[body].reshape(3, 3).T
        np.add.at(out, ids, weights[:, None] * placed)
    return out


def distance_to_links(model: mujoco.MjModel, data: mujoco.MjData, points: np.ndarray) -> np.ndarray:
    nodes = np.array([data.site(f"cable_node{k}").xpos for k in range(len(NODES))])
    nearest = np.full(len(points), np.inf)
    for a, b in itertools.pairwise(nodes):
        s = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - a - s[:, None] * (b - a), axis=1))
    return nearest


@pytest.mark.parametrize("root", ("end", "middle"))
def test_every_link_is_a_bone_and_vertices_lie_at_the_radius(root: str) -> None:
    model, data = make(root=root)
    assert (model.nskin, model.skin_bonenum[0]) == (1, 10)
    assert sorted(model.skin_bonebodyid) == sorted(cables.link_bodies(model))
    total = np.zeros(model.nskinvert)
    np.add.at(total, model.skin_bonevertid, model.skin_bonevertweight)
    assert total == pytest.approx(1, abs=1e-6)
    drawn = vertices(model, data)
    assert drawn == pytest.approx(model.skin_vert, abs=1e-6)
    assert distance_to_links(model, data, drawn) == pytest.approx(RADIUS, rel=0.06)
    assert set(model.geom_group) == {3}


def test_it_moves_with_the_cable() -> None:
    model, data = make(gravity=(0, 0, 0))
    differences.disturb(model, data, seed=1, size=0.15)
    mujoco.mj_forward(model, data)
    moved = vertices(model, data)
    assert np.abs(moved - model.skin_vert).max() > 0.05
    assert distance_to_links(model, data, moved) == pytest.approx(RADIUS, rel=0.15)


@pytest.mark.parametrize(
    ("fields", "y", "z"),
    [
        ({"section": "box", "width": 0.02, "height": 0.006}, 0.01, 0.003),
        ({"section": "ellipse", "width": 0.02, "height": 0.006}, 0.01, 0.003),
        ({"section": "tube", "inner_radius": 0.005}, RADIUS, RADIUS),
    ],
)
def test_it_has_the_outline_of_the_section(fields: dict, y: float, z: float) -> None:
    model, _ = make(nodes=strand.straight(1.0, 5), **fields)
    assert np.abs(model.skin_vert).max(axis=0) == pytest.approx([1.0, y, z], rel=1e-5)


def test_faces_look_outwards() -> None:
    model, _ = make(nodes=strand.straight(1.0, 5))
    corners = model.skin_vert[model.skin_face]
    volume = np.einsum(
        "ij,ij->", np.cross(corners[:, 0], corners[:, 1]).astype(float), corners[:, 2]
    )
    polygon = 8 * np.sin(2 * np.pi / 16) * RADIUS**2  # sixteen points around
    assert volume / 6 == pytest.approx(polygon, rel=1e-3)


def test_a_picture_of_it(tmp_path: Path) -> None:
    if not can_render():
        pytest.skip("MuJoCo cannot render here")
    model, data = make(rgba=(0.9, 0.1, 0.1, 1))
    with mujoco.Renderer(model, 120, 160) as renderer:
        view = mujoco.MjvCamera()
        view.lookat[:], view.distance, view.elevation = NODES.mean(axis=0), 0.6, -60
        renderer.update_scene(data, view)
        picture = renderer.render().astype(int)
    red = picture[..., 0] - picture[..., 1:].max(axis=2) > 40
    assert 100 < red.sum() < 0.3 * red.size
