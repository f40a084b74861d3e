"""Stress colours: overlay geoms in the scene, while mjModel stays unchanged. Also the sizes."""

import mujoco
import numpy as np
import pytest
from support import cables

import strand

LINKS, LENGTH, ANGLE, RADIUS, YOUNG = 10, 0.5, 1.2, 0.01, 1e7
EI = YOUNG * np.pi * RADIUS**4 / 4
STRESS = YOUNG * RADIUS * ANGLE / LENGTH
SENSOR = "</mujoco>"


def bent(color: str | None, **fields) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A uniformly bent rod: the same bending stress in every link."""
    keys = {"rest": "straight"} | ({"color": color} if color else {})
    described = strand.Cable(
        strand.arc(LENGTH, ANGLE, LINKS), EI, EI / 1.5, radius=RADIUS, keys=keys, **fields
    )
    return cables.load(described)


def draw(model: mujoco.MjModel, data: mujoco.MjData, room: int = 1000, group: bool = True):
    scene = mujoco.MjvScene(model, room)
    option = mujoco.MjvOption()
    option.geomgroup[0] = group
    category = mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), category, scene)
    return scene.geoms[: scene.ngeom]


def overlay(model: mujoco.MjModel, data: mujoco.MjData) -> list[mujoco.MjvGeom]:
    """The capsules that are larger than the links' own geoms."""
    capsules = [g for g in draw(model, data) if g.type == mujoco.mjtGeom.mjGEOM_CAPSULE]
    return [geom for geom in capsules if geom.size[0] > 1.01 * RADIUS]


def model_bytes(model: mujoco.MjModel) -> bytes:
    buffer = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer.tobytes()


def test_one_overlay_per_link() -> None:
    plain, colored = bent(None), bent("0 1e6")
    assert overlay(*plain) == []
    assert overlay(*bent("none")) == []
    found = overlay(*colored)
    assert len(found) == LINKS
    assert len(draw(*colored)) == len(draw(*plain)) + LINKS
    model, data = colored
    positions = np.array([geom.pos for geom in found])
    geoms = model.body_geomadr[cables.link_bodies(model)]
    assert positions == pytest.approx(data.geom_xpos[geoms], abs=1e-6)
    for geom in found:
        assert geom.size[0] == pytest.approx(1.02 * RADIUS, rel=1e-5)
        assert RADIUS < geom.size[0] < 1.1 * RADIUS


@pytest.mark.parametrize(
    ("lower", "upper", "rgb"),
    [
        (0, 2 * STRESS, (0.45, 0.80, 0.36)),
        (0, 4 * STRESS, (0.16, 0.68, 0.78)),
        (0, 8 * STRESS, (0.175, 0.52, 0.78)),
        (0, 4 / 3 * STRESS, (0.97, 0.76, 0.20)),
        (2 * STRESS, 3 * STRESS, (0.19, 0.36, 0.78)),
        (0, STRESS / 2, (0.85, 0.22, 0.16)),
    ],
)
def test_colors_show_the_outer_fibre_stress(lower: float, upper: float, rgb) -> None:
    for geom in overlay(*bent(f"{lower} {upper}")):
        assert geom.rgba == pytest.approx([*rgb, 1], abs=1e-3)


def test_drawing_does_not_change_the_model() -> None:
    model, data = bent("0 1e6")
    before, state, force = model_bytes(model), data.qpos.copy(), data.qfrc_passive.copy()
    draw(model, data)
    assert model_bytes(model) == before
    assert np.array_equal(data.qpos, state)
    assert np.array_equal(data.qfrc_passive, force)
    mujoco.mj_forward(model, data)
    assert np.array_equal(data.qfrc_passive, force)


@pytest.mark.parametrize("room", (1, LINKS, LINKS + 3))
def test_a_full_scene_gets_no_more_geoms(room: int, engine_warnings: list[str]) -> None:
    assert len(draw(*bent("0 1e6"), room=room)) <= room
    engine_warnings.clear()


def test_a_hidden_group_has_no_overlay() -> None:
    model, data = bent("0 1e6")
    assert len(draw(model, data, group=False)) == len(draw(*bent(None), group=False))


def test_a_broken_pose_is_not_drawn() -> None:
    model, data = bent("0 1e6")
    plain = len(draw(*bent(None)))
    data.xmat[model.body("cable_link3").id] = np.nan
    assert len(draw(model, data)) == plain


@pytest.mark.parametrize("root", ("end", "middle"))
@pytest.mark.parametrize("links", (2, 17, 100))
def test_sizes_grow_with_the_number_of_links(links: int, root: str) -> None:
    described = strand.Cable(strand.straight(1.0, links), 1.0, 1.0, radius=1e-3, root=root)
    model = cables.load(described)[0]
    assert model.npluginstate == 9 * links + 4  # twists; motion; the change of the material
    assert model.nv == 6 + 3 * (links - 1)
    assert model.nbody == links + 1
    assert model.ngeom == links
    assert model.nexclude == links - 1
    assert (model.neq, model.nsensordata, model.nplugin) == (0, 0, 1)
    depth = max(chain_depth(model, body) for body in range(model.nbody))
    assert depth == (links if root == "end" else links // 2 + 1)


def chain_depth(model: mujoco.MjModel, body: int) -> int:
    return 0 if body == 0 else 1 + chain_depth(model, model.body_parentid[body])
