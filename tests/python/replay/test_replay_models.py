"""Replays of MuJoCo's models: everything that MuJoCo draws is where MuJoCo draws it."""

import importlib.util

import mujoco
import numpy as np
import pytest
from support.engine import needs_flex
from support.replays import KINDS, Page

import strand
import strand.replay
from strand import Cable, StrandError
from strand.replay import Recorder, record
from strand.replay.parts import Ground, Instances, Part, Skin, Surface

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("viser") is None, reason="viser is missing: pip install viser"
)


def hanging(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable of 20 links of 25 mm along x, held at its start, above a floor."""
    cable = Cable(
        strand.straight(0.5, 20), EI=1e-3, GJ=1e-3, radius=0.003, start="fixed", **changes
    )
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    return model, mujoco.MjData(model)


def drawn(model: mujoco.MjModel, **options: object) -> dict[str, Part]:
    return {part.name: part for part in record(model, seconds=0.1, **options).parts}


def page(model: mujoco.MjModel) -> Page:
    return Page(record(model, seconds=0.1).html())


def reach(part: Instances) -> np.ndarray:
    """Half lengths (N, 3) of the copies' boxes."""
    low, high = part.mesh[0].min(axis=0), part.mesh[0].max(axis=0)
    return part.scales[0] * (high - low) / 2


def test_every_kind_of_geom_is_drawn() -> None:
    model = mujoco.MjModel.from_xml_string(KINDS)
    parts = drawn(model)
    names = {"floor", "boxes", "cylinders", "ellipsoids", "capsules", "roof", "hills", "spheres"}
    assert set(parts) == names
    halves = {
        "boxes": [0.1, 0.2, 0.3],
        "cylinders": [0.1, 0.1, 0.3],
        "ellipsoids": [0.1, 0.2, 0.3],
        "capsules": [0.1, 0.1, 0.4],
        "spheres": [0.25, 0.25, 0.25],
        "hills": [0.4, 0.3, 0.1],
    }
    for name, expected in halves.items():
        np.testing.assert_allclose(reach(parts[name]), [expected], rtol=0.01, err_msg=name)
    floor = parts["floor"]
    assert isinstance(floor, Ground) and floor.size == (2, 4)
    np.testing.assert_allclose(floor.poses, [[0, 0, -1, 1, 0, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(floor.rgba, [0.2, 0.4, 0.6, 1], rtol=1e-6)
    mesh = parts["roof"]  # MuJoCo has moved and turned it into its principal axes
    corners = mesh.points()
    for corner in ([4, 0, 0], [4.2, 0, 0], [4, 0.2, 0], [4, 0, 0.2]):
        assert (corners.min(axis=0) - 1e-6 <= corner).all()
    assert len(page(model).created()) >= len(names)


def test_groups_can_be_chosen() -> None:
    model = mujoco.MjModel.from_xml_string(KINDS)
    assert set(drawn(model, groups=[3])) == {"boxes"}


def test_meshes_have_sharp_edges() -> None:
    """Browsers smooth over shared vertices, so the tetrahedron's four become twelve."""
    model = mujoco.MjModel.from_xml_string(KINDS)
    vertices, faces = drawn(model)["roof"].mesh
    assert len(vertices) == 12 and len(faces) == 4


def test_colours_are_those_of_the_model() -> None:
    model = mujoco.MjModel.from_xml_string(KINDS)
    parts = drawn(model)
    np.testing.assert_allclose(parts["boxes"].rgba, [[[0.9, 0.1, 0.1, 1]]], rtol=1e-6)
    np.testing.assert_allclose(parts["ellipsoids"].rgba, [[[0.5, 0.5, 0.5, 1]]], rtol=1e-6)
    made = page(model).created()
    assert made["/cylinders"]["batched_opacities"].tolist() == [0.5]
    assert made["/boxes"]["batched_opacities"] is None
    # Viser takes colours of copies as linear: 0.9 and 0.1 in sRGB.
    assert made["/boxes"]["batched_colors"].tolist() == [201, 3, 3]
    assert made["/floor"]["plane_color"] == [51, 102, 153]


def test_colours_that_change_are_followed() -> None:
    model = mujoco.MjModel.from_xml_string(KINDS)
    data, recorder, box = mujoco.MjData(model), Recorder(model, fps=10), model.geom("box").id
    for red in (0.0, 1.0, 1.0):
        model.geom_rgba[box] = [red, 0, 1, 1]
        recorder.capture(data)
        data.time += 0.1
    times, colors = Page(recorder.replay().html()).values("/boxes", "batched_colors")
    np.testing.assert_allclose(times, [0, 0.1])
    assert [color.tolist() for color in colors] == [[0, 0, 255], [255, 0, 255]]


def test_a_texture_gives_the_floor_its_mean_colour() -> None:
    floor = drawn(hanging()[0])["floor"]
    assert floor.size == (0, 0)
    assert (np.abs(floor.rgba[:3] - 0.80) < 0.03).all()


def test_a_floor_without_a_border_is_where_everything_is() -> None:
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" pos="0 0 2"/>
        <geom size=".5" pos="300.3 -40 3"/></worldbody></mujoco>"""
    )
    shown = page(model)
    places = [one["position"] for _, one in shown.messages if one["type"] == "SetPositionMessage"
              and one["name"] == "/floor"]  # fmt: skip
    np.testing.assert_allclose(places, [[300, -40, 2]], atol=1e-4)
    made = shown.created()["/floor"]
    assert made["width"] == made["height"] > 50 and made["section_size"] == 1.0


def test_parts_of_one_name_get_names_of_their_own() -> None:
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><geom name="a/b" type="plane" size="1 1 1"/>
        <geom name="a_b" type="plane" size="1 1 1" pos="0 0 1"/></worldbody></mujoco>"""
    )
    assert {"/a_b", "/a_b_2"} <= set(page(model).created())


def test_a_cable_with_quantities_as_colours() -> None:
    model, data = hanging(skin=True)
    assert {type(part).__name__ for part in record(model, data, seconds=0.2).parts} == {
        "Ground",
        "Skin",
    }
    replay = record(model, data, seconds=0.4, color="curvature")
    assert replay.scale.name == "curvature" and replay.scale.least == 0
    links = next(part for part in replay.parts if part.name == "capsules")
    expected = strand.profile(model, data).curvature
    assert replay.scale.most >= expected.max() > 0
    bent = np.append(expected, 0).argmax()
    np.testing.assert_allclose(
        links.rgba[-1, bent], replay.scale.colors([expected.max()])[0], atol=0.02
    )
    text = replay.html()
    assert "curvature<div" in text and replay.scale.ends()[1] in text
    with pytest.raises(StrandError, match="color: got 'colour', allowed: none, curvature"):
        record(model, data, seconds=0.1, color="colour")
    with pytest.raises(StrandError, match="without a cable"):
        record(mujoco.MjModel.from_xml_string(KINDS), seconds=0.1, color="twist")


def test_the_model_is_unchanged_and_the_data_are_stepped() -> None:
    (model, data), (other, alone) = hanging(), hanging()
    before = bytes(_binary(model))
    record(model, data, seconds=0.3, color="moment")
    steps = round(data.time / model.opt.timestep)
    for _ in range(steps):
        mujoco.mj_step(other, alone)
    assert bytes(_binary(model)) == before
    for field in ("qpos", "qvel", "qacc", "xpos", "time", "plugin_state", "warning"):
        assert str(getattr(data, field)) == str(getattr(alone, field)), field
    assert (data.qpos == alone.qpos).all() and (data.qvel == alone.qvel).all()


def _binary(model: mujoco.MjModel) -> np.ndarray:
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer


# Skins, flexes and tendons.


def test_skins_are_bent_as_by_mujoco() -> None:
    model, data = hanging(skin=True)
    replay = record(model, data, seconds=0.5)
    (skin,) = (part for part in replay.parts if isinstance(part, Skin))
    mujoco.mj_kinematics(model, data)
    scene = mujoco.MjvScene(model, 100)
    mujoco.mjv_updateSkin(model, data, scene)
    count = len(skin.mesh[0])
    expected = scene.skinvert[: 3 * count].reshape(-1, 3)
    found = sum(
        skin.weights[:, bone, None] * moved(skin.mesh[0], skin.first[bone], skin.poses[-1, bone])
        for bone in range(len(skin.first))
    )
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1, rtol=1e-6)
    assert ((skin.weights > 0).sum(axis=1) <= 4).all()
    np.testing.assert_allclose(found, expected, atol=1e-6)
    shown = Page(replay.html())
    bones = [one for _, one in shown.messages if one["type"] == "SetBonePositionMessage"]
    last = [one["position"] for one in bones if one["bone_index"] == len(skin.first) - 1][-1]
    scale = shown.created()["/floor"]["cell_size"] / 0.01
    np.testing.assert_allclose(np.array(last) / scale, skin.poses[-1, -1, :3], atol=2e-5)


def moved(points: np.ndarray, first: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Points that a bone takes from its first pose (7,) to another."""
    turns = np.zeros((2, 9))
    for turn, pose in zip(turns, (first, now), strict=True):
        mujoco.mju_quat2Mat(turn, pose[3:].astype(float))
    before, after = turns.reshape(2, 3, 3)
    return (points - first[:3]) @ before @ after.T + now[:3]


def test_tendons_are_drawn_along_their_paths() -> None:
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody>
        <site name="a" pos="-.5 0 0"/><site name="b" pos="0 0 1"/>
        <geom name="wheel" type="cylinder" size=".2 .1" euler="90 0 0" pos="0 0 .6"/>
        <body pos=".5 0 0"><joint name="z" type="slide" axis="0 0 1"/>
        <geom size=".05" mass="1"/><site name="c"/></body></worldbody>
        <tendon><spatial name="rope" width=".01" rgba=".1 .2 .3 1">
        <site site="a"/><geom geom="wheel"/><site site="c"/></spatial>
        <fixed name="other"><joint joint="z" coef="1"/></fixed></tendon></mujoco>"""
    )
    data, recorder = mujoco.MjData(model), Recorder(model, fps=10)
    lengths = []
    for height in (0.0, 2.0):  # about the wheel, and straight
        data.qpos[0] = height
        mujoco.mj_forward(model, data)
        lengths.append(data.ten_length[0])
        recorder.capture(data)
        data.time += 1.0
    parts = {part.name: part for part in recorder.replay().parts}
    rope = parts["rope"]
    assert "other" not in parts
    np.testing.assert_allclose(rope.scales[:, :, :2], 0.01, rtol=1e-6)
    drawn_length = rope.scales[:, :, 2].sum(axis=1)
    assert drawn_length[1] == pytest.approx(lengths[1], rel=1e-5)
    assert 0.97 * lengths[0] < drawn_length[0] <= lengths[0]  # a chord of the wheel
    np.testing.assert_allclose(rope.rgba[0, 0], [0.1, 0.2, 0.3, 1], rtol=1e-6)
    ends = parts["rope_joints"].positions
    assert np.abs(ends[1] - [0.5, 0, 2.0]).max(axis=1).min() < 1e-6


@needs_flex
def test_rods_of_a_flex_are_tubes() -> None:
    cable = Cable(strand.straight(0.5, 10), EI=1e-3, GJ=1e-3, radius=0.004, start="fixed")
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf("flex"))
    data = mujoco.MjData(model)
    made = record(model, data, seconds=0.3).parts
    (tubes,) = (part for part in made if isinstance(part, Instances) and "joints" not in part.name)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_flex(model, data)
    links = model.flex_elem.reshape(-1, 2)
    assert len(links) >= 10
    middles = data.flexvert_xpos[links].mean(axis=1)
    np.testing.assert_allclose(tubes.positions[-1], middles, atol=1e-6)
    np.testing.assert_allclose(tubes.scales[..., :2], model.flex_radius[0], rtol=1e-6)


@pytest.mark.parametrize(("dim", "count"), [(2, "4 4 1"), (3, "3 3 3")])
def test_sheets_and_solids_of_flexes_are_surfaces(dim: int, count: str) -> None:
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><worldbody><flexcomp name="soft" type="grid" dim="{dim}" count="{count}"
        spacing=".1 .1 .1" mass="1" radius=".01" rgba=".1 .6 .2 1" pos="0 0 1"/>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    (surface,) = record(model, data, seconds=0.1).parts
    assert isinstance(surface, Surface) and surface.name == "soft"
    mujoco.mj_kinematics(model, data)
    mujoco.mj_flex(model, data)
    np.testing.assert_allclose(surface.vertices[-1], data.flexvert_xpos, atol=1e-6)
    assert len(surface.triangles) == {2: 18, 3: 48}[dim]
    np.testing.assert_allclose(surface.rgba, [0.1, 0.6, 0.2, 1], rtol=1e-6)
