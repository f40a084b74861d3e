"""Stills: what is drawn, in which colours, with which labels."""

import os
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image
from support import cables
from support.pictures import drawn, hues

import strand
from strand import Cable, StrandError
from strand.draw.picture import label_room
from strand.draw.stage import camera, whole_view
from strand.simulation import Network, Simulation

pytestmark = drawn

SCENES = Path(__file__).parents[3] / "assets" / "scenes"
SIZE = (320, 240)
SIDE = camera((0.25, 0, 0.5), 0.9, 90, 0)  # from the front: x to the right, z up
BARE = {"size": SIZE, "labels": False, "legend": False}
STANDING = """
<body name="block" pos="0.25 0 0.5"><geom name="block" type="box" size=".02 .02 .02"
  group="{group}"/></body>
<camera name="side" pos="0.25 -0.9 0.5" xyaxes="1 0 0 0 0 1"/>"""


def cantilever(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable of 20 links at a height of 0.5 m, bent by its weight, fixed at x = 0."""
    given = dict(start="fixed", damping=0.05, pos=(0, 0, 0.5), radius=0.006) | changes
    cable = Cable(strand.straight(0.5, 20), young=5e7, poisson=0.4, density=1000, **given)
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    data = mujoco.MjData(model)
    cables.run(model, data, 0.3)
    return model, data


def beside(text: str) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The cantilever without gravity in a scene with more."""
    cable = Cable(
        strand.straight(0.5, 20), radius=0.006, EI=0.1, GJ=0.1, gravity=(0, 0, 0), pos=(0, 0, 0.5)
    )
    return cables.load(cable, text)


def places(picture: np.ndarray, channel: int) -> np.ndarray:
    """Rows and columns of the pixels in a strong colour, whose largest channel this is."""
    values = picture.astype(int)
    strong = values.max(axis=2) - values.min(axis=2) > 90
    return np.argwhere(strong & (values.argmax(axis=2) == channel))


def changed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Rows and columns of the pixels that differ."""
    return np.argwhere((first != second).any(axis=2))


def test_it_has_the_size_and_shows_the_cable() -> None:
    model, data = cantilever()
    assert strand.render(model, data).shape == (1080, 1920, 3)
    picture = strand.render(model, data, size=SIZE)
    assert picture.shape == (240, 320, 3) and picture.dtype == np.uint8


def test_state_and_model_are_not_changed() -> None:
    model, data = cantilever(skin=True)
    buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    kinds = mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_USER
    state = np.zeros(mujoco.mj_stateSize(model, kinds))
    mujoco.mj_getState(model, data, state, kinds)
    view, forces, bodies = camera((0, 0, 0), 1, 2, 3), data.cfrc_int.copy(), data.xpos.copy()
    strand.render(model, data, size=(2000, 1500), color="contact", camera=view)
    after, same = np.zeros_like(state), np.zeros_like(buffer)
    mujoco.mj_getState(model, data, after, kinds)
    mujoco.mj_saveModel(model, None, same)
    assert (state == after).all() and (buffer == same).all()
    assert (data.cfrc_int == forces).all() and (data.xpos == bodies).all()
    assert (view.distance, view.azimuth, view.elevation) == (1, 2, 3)


def test_it_shows_the_state_even_if_nothing_else_is_computed() -> None:
    model, data = cantilever()
    fresh = mujoco.MjData(model)
    fresh.qpos[:], fresh.time = data.qpos, data.time
    first, second = (strand.render(model, one, camera=SIDE, **BARE) for one in (data, fresh))
    assert np.abs(first.astype(int) - second).max() <= 2


def test_labels_and_legend_are_in_their_corners() -> None:
    model, data = cantilever()
    look = {"size": SIZE, "camera": SIDE, "color": "moment"}
    bare = strand.render(model, data, labels=False, legend=False, **look)
    labels = changed(bare, strand.render(model, data, legend=False, **look))
    assert (labels[:, 1] < 0.4 * SIZE[0]).all()
    assert {*(labels[:, 0] < 0.15 * SIZE[1])} == {True, False}
    assert not ((labels[:, 0] > 0.15 * SIZE[1]) & (labels[:, 0] < 0.8 * SIZE[1])).any()
    legend = changed(bare, strand.render(model, data, labels=False, **look))
    assert (legend[:, 1] > 0.5 * SIZE[0]).all() and (legend[:, 0] > 0.7 * SIZE[1]).all()
    plain = strand.render(model, data, size=SIZE, camera=SIDE, labels=False)
    assert (plain == strand.render(model, data, camera=SIDE, **BARE)).all()  # no legend


@pytest.mark.parametrize("size", [(320, 240), (480, 200), (160, 480)])
def test_everything_is_between_the_labels(size: tuple[int, int]) -> None:
    model, data = cantilever()
    labelled = strand.render(model, data, size=size, color="moment")
    view = whole_view(model, data, size, label_room(size, labels=True, legend=True))
    look = {"size": size, "color": "moment", "camera": view}
    assert (labelled == strand.render(model, data, **look)).all()
    bare = strand.render(model, data, labels=False, legend=False, **look)
    for channel in (0, 2):
        pixels = places(bare, channel)
        assert len(pixels) > 5
        assert (labelled[tuple(pixels.T)] == bare[tuple(pixels.T)]).all()
        assert (pixels > 0).all() and (pixels < np.array(size[::-1]) - 1).all()


def test_the_cantilever_is_red_at_its_clamp() -> None:
    model, data = cantilever()
    for color in ("moment", "curvature", "bending", "stress"):
        picture = strand.render(model, data, color=color, camera=SIDE, **BARE)
        red, blue = places(picture, 0), places(picture, 2)
        assert len(red) > 10 and len(blue) > 10
        assert red[:, 1].max() < blue[:, 1].min()
        assert red[:, 1].min() < 0.3 * SIZE[0]
    assert hues(strand.render(model, data, camera=SIDE, **BARE)) == {2}


def test_the_tension_of_a_hanging_cable_is_larger_at_the_top() -> None:
    down = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    model, data = cantilever(quat=down, pos=(0.25, 0, 0.75))
    picture = strand.render(model, data, color="tension", camera=SIDE, **BARE)
    red, blue = places(picture, 0), places(picture, 2)
    assert len(red) > 10 and len(blue) > 10
    assert red[:, 0].max() < blue[:, 0].min()


def test_links_that_touch_have_the_colour_of_their_contact() -> None:
    rail = """<worldbody><geom type="cylinder" size=".02 .1" pos=".25 0 .47" euler="90 0 0"/>"""
    cable = Cable(strand.straight(0.5, 20), radius=0.006, EI=1, GJ=1, damping=0.5, pos=(0, 0, 0.5))
    text = strand.generate(cable, stage=True).replace("<worldbody>", rail, 1)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    cables.run(model, data, 0.1)
    assert data.ncon
    picture = strand.render(model, data, color="contact", camera=SIDE, **BARE)
    red = places(picture, 0)
    assert len(red) > 5 and len(places(picture, 2)) > 50
    assert np.abs(red[:, 1] - SIZE[0] / 2).max() < 0.1 * SIZE[0]


def test_a_fixed_range_keeps_the_colours() -> None:
    model, data = cantilever()
    look = {"color": "moment", "camera": SIDE}
    moment = strand.profile(model, data).moment
    most = float(np.linalg.norm(moment, axis=1).max())
    usual = strand.render(model, data, **look, **BARE)
    assert (usual == strand.render(model, data, range=(0, most), **look, **BARE)).all()
    wide = strand.render(model, data, range=(0, 100 * most), **look, **BARE)
    assert hues(wide) == {2}
    narrow = strand.render(model, data, range=(-2, -1), **look, **BARE)
    assert hues(narrow) == {0}


def test_links_are_shown_instead_of_their_skin() -> None:
    model, data = cantilever(skin=True, rgba=(0.1, 0.9, 0.1, 1))
    assert hues(strand.render(model, data, camera=SIDE, **BARE)) == {1}
    look = {"color": "moment", "camera": SIDE} | BARE
    assert {0, 2} <= hues(strand.render(model, data, **look))
    assert hues(strand.render(model, data, range=(0, 1e3), **look)) == {2}


def test_links_are_seen_where_the_plugin_colours_them_itself() -> None:
    """It covers the links with geoms in colours of its own range, here red all along."""
    model, data = cantilever(keys={"color": (0.0, 1e-3)})
    assert hues(strand.render(model, data, camera=SIDE, **BARE)) == {0}
    looks = {"color": "moment", "camera": SIDE} | BARE
    plain = strand.render(*cantilever(), **looks)
    colored = strand.render(model, data, **looks)
    assert len(places(colored, 2)) > 0.8 * len(places(plain, 2)) > 0


def test_other_geoms_of_a_concealed_group_stay_concealed() -> None:
    cable = Cable(
        strand.straight(0.5, 20), radius=0.006, EI=1, GJ=1, gravity=(0, 0, 0), skin=True,
        pos=(0, 0, 0.5),
    )  # fmt: skip
    pictures = [
        strand.render(*cables.load(cable, text), color="moment", camera=SIDE, **BARE)
        for text in ("", STANDING.format(group=3), STANDING.format(group=0))
    ]
    assert len(changed(*pictures[:2])) == 0
    assert len(changed(pictures[0], pictures[2])) > 50


def test_named_and_other_cameras() -> None:
    model, data = beside(STANDING.format(group=0))
    given = mujoco.MjvCamera()
    given.type, given.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    named = strand.render(model, data, camera="side", **BARE)
    assert (named == strand.render(model, data, camera=given, **BARE)).all()
    assert np.abs(named.astype(int) - strand.render(model, data, camera=SIDE, **BARE)).max() < 60
    bar, same = (strand.render(model, data, size=SIZE, camera=each) for each in ("side", SIDE))
    bottom = np.s_[-40:, : SIZE[0] // 2]
    assert np.abs(bar[bottom].astype(int) - same[bottom]).mean() < 3  # the same length of the bar
    given.type, given.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
    given.distance = 0.9
    strand.render(model, data, camera=given, size=SIZE)


def test_a_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    model, data = cantilever()
    file = tmp_path / "a.png"
    picture = strand.render(model, data, size=SIZE, picture=file)
    assert (np.array(Image.open(file)) == picture).all()
    before = file.read_bytes()
    with pytest.raises(StrandError, match="camera"):
        strand.render(model, data, size=SIZE, camera="none", picture=file)
    assert file.read_bytes() == before and [*tmp_path.iterdir()] == [file]
    with pytest.raises(StrandError, match=r"picture: got '.*', allowed: a writable file"):
        strand.render(model, data, picture=tmp_path / "no" / "a.png")
    with pytest.raises(StrandError, match=r"picture: got 'a\.jpg', allowed: .*\.png"):
        strand.render(model, data, picture="a.jpg")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(color="heat"), "color: got 'heat', allowed: none, curvature, .*contact"),
        (dict(camera="side"), r"camera: got 'side', allowed: .*\(none\)"),
        (dict(camera=3), "camera: got 3, allowed: a mujoco.MjvCamera"),
        (dict(size=(0, 10)), "size: got .*, allowed: width and height from 1 to 8192"),
        (dict(size=(10, 9000)), "size: got .*, allowed: width and height from 1 to 8192"),
        (dict(range=(0, 1)), "range: got .*, allowed: with a color"),
        (dict(range=(1, 1), color="moment"), "range: got .*, allowed: the smaller"),
        (dict(range=(0, np.inf), color="moment"), "range: got .*, allowed: 2 finite numbers"),
        (dict(range=1, color="moment"), "range: got 1, allowed: 2 finite numbers"),
        (dict(labels="no"), "labels: got 'no', allowed: true or false"),
    ],
)
def test_bad_arguments(options: dict, message: str) -> None:
    with pytest.raises(StrandError, match=message):
        strand.render(*cantilever(), **options)


def test_cameras_of_another_model_are_rejected() -> None:
    given = mujoco.MjvCamera()
    for kind, name in (("FIXED", "fixedcamid"), ("TRACKING", "trackbodyid"), ("USER", "")):
        given.type = getattr(mujoco.mjtCamera, f"mjCAMERA_{kind}")
        if name:
            setattr(given, name, 99)
        with pytest.raises(StrandError, match="camera: got a camera of type"):
            strand.render(*cantilever(), camera=given)


def test_what_cannot_be_shown_or_is_not_known() -> None:
    model, data = cantilever()
    with pytest.raises(StrandError, match="shown: got int, allowed: an MjModel, a Cable"):
        strand.render(3)
    with pytest.raises(StrandError, match="data: got MjData without an MjModel"):
        strand.render("a.xml", data)
    other = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    )
    with pytest.raises(StrandError, match="data: got data of another model"):
        strand.render(other, data)
    with pytest.raises(StrandError, match="color: got 'moment' without a cable"):
        strand.render(other, color="moment")
    assert strand.render(other, size=SIZE).shape == (240, 320, 3)
    model.opt.density = 1.2
    with pytest.raises(StrandError, match=r"color: got 'tension', allowed: .*does not report"):
        strand.render(model, data, color="tension")
    text = Cable(strand.straight(0.5, 5), EI=1, GJ=1).to_mjcf()
    bare = mujoco.MjModel.from_xml_string(re.sub(r"<geom[^>]*/>", "", text, count=2))
    for color in ("stress", "bending"):
        with pytest.raises(StrandError, match=rf"color: got '{color}', allowed: .*\(radius: got"):
            strand.render(bare, color=color)


def loop() -> Simulation:
    """A rod whose middle is bent, at a height of 0.3 m."""
    network = Network()
    x = np.linspace(0, 0.6, 31)
    bent = 0.3 + 0.1 * np.exp(-(((x - 0.3) / 0.08) ** 2))
    nodes = np.column_stack([x, 0 * x, bent])
    network.rod(nodes, radius=0.008, young=1e6, density=1000)
    return Simulation(network, dt=1e-3)


def test_simulations_are_shown_where_they_are() -> None:
    simulation = loop()
    before = simulation.core.save()
    side = camera((0.3, 0, 0.3), 0.9, 90, 0)
    picture = strand.render(simulation, camera=side, color="curvature", **BARE)
    red, blue = places(picture, 0), places(picture, 2)
    assert len(red) > 10 and len(blue) > 10
    assert np.abs(red[:, 1] - SIZE[0] / 2).max() < 0.3 * SIZE[0]
    # As a camera of MuJoCo: 0.6 m of the 0.9 m * 8 / 6 of the picture's width at 45 degrees.
    wide = 2 * 0.9 * np.tan(np.radians(22.5)) * 4 / 3
    both = np.vstack([red, blue])[:, 1]
    assert np.ptp(both) == pytest.approx(0.6 / wide * SIZE[0], rel=0.08)
    labelled = strand.render(simulation, camera=side, color="curvature", size=SIZE)
    assert (changed(picture, labelled)[:, 1] > SIZE[0] / 2).any()
    after = simulation.core.save()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    with pytest.raises(StrandError, match="color: got 'moment', allowed: none, curvature"):
        strand.render(simulation, color="moment")
    with pytest.raises(StrandError, match="camera: got 'side', allowed: a free camera"):
        strand.render(simulation, camera="side")


def test_files_are_shown(tmp_path: Path) -> None:
    hose = strand.render(SCENES / "water_hose.cable.toml", color="curvature", size=SIZE)
    assert 0 in hues(hose)
    sheet = strand.render(SCENES / "sheet_on_a_ball.scene.toml", size=SIZE)
    assert 2 in hues(sheet)
    with pytest.raises(StrandError, match="color: got 'curvature', allowed: none without rods"):
        strand.render(SCENES / "sheet_on_a_ball.scene.toml", color="curvature")
    vine = SCENES / "vine_at_a_wall.scene.toml"
    assert strand.render(vine, size=SIZE).shape == (240, 320, 3)
    for options in (dict(color="curvature"), dict(camera="side")):
        with pytest.raises(StrandError, match="one for a growing robot"):
            strand.render(vine, **options)
    with pytest.raises(StrandError, match="which does not exist"):
        strand.render(tmp_path / "a.xml")


def test_recordings_are_shown_at_their_end(tmp_path: Path) -> None:
    simulation, file = loop(), tmp_path / "a.npz"
    with simulation.record(file, every=0.01):
        simulation.run(0.02)
    options = {"color": "curvature", "size": SIZE}
    assert (strand.render(file, **options) == strand.render(simulation, **options)).all()


def test_no_display_is_needed(tmp_path: Path) -> None:
    hose, file = SCENES / "water_hose.cable.toml", tmp_path / "hose.png"
    code = f"import strand; strand.render({str(hose)!r}, size=(64, 48), picture={str(file)!r})"
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MUJOCO_GL", "PYOPENGL_PLATFORM")
    }
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Image.open(file).size == (64, 48)
