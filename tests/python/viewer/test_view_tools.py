"""What the viewer does beside playing: drives, natural shapes, files of shapes, comparisons."""

import csv
import dataclasses
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image
from support.display import ON_XVFB, staged
from support.engine import needs_flex

import strand
from strand import Cable, StrandError, materials
from strand.viewer import recent, shape_file
from strand.viewer.side_by_side import side_by_side

pytestmark = ON_XVFB

SCENES = Path(__file__).parents[3] / "assets" / "scenes"
SIZE = (480, 360)
FRAME = 1 / 60  # s


@pytest.fixture(autouse=True)
def recent_files_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def cable(**changes: object) -> Cable:
    given = dict(start="fixed", gravity=(0, 0, 0)) | changes
    return Cable(strand.straight(0.5, 20), radius=0.003, young=5e7, poisson=0.4, **given)


def built(one: Cable) -> tuple[mujoco.MjModel, mujoco.MjData]:
    return staged(one)


def show(model: mujoco.MjModel, data: mujoco.MjData, *script: str, **options: object) -> None:
    strand.view(model, data, script="\n".join(script), size=SIZE, **options)


def test_a_drive_is_called_before_each_step() -> None:
    model, data = built(cable())
    times = []
    show(model, data, "frames 6", drive=lambda _, now: times.append(now.time))
    np.testing.assert_allclose(times, np.arange(len(times)) * model.opt.timestep, atol=1e-12)
    assert len(times) == round(data.time / model.opt.timestep)


def test_an_error_of_a_drive_pauses_and_is_shown() -> None:
    model, data = built(cable())

    def drive(_: mujoco.MjModel, now: mujoco.MjData) -> None:
        if now.time > 0.05:
            raise RuntimeError("the hand is gone")

    show(model, data, "frames 30", drive=drive)
    assert 0.05 < data.time < 0.06
    with pytest.raises(StrandError, match="drive"):
        strand.view(SCENES / "water_hose.cable.toml", drive=drive, frames=1)


def test_a_cable_is_shown_directly(tmp_path: Path) -> None:
    strand.view(cable(), frames=2, picture=tmp_path / "a.png", size=SIZE)
    assert (tmp_path / "a.png").exists()


def test_cameras(tmp_path: Path) -> None:
    model, data = built(cable())
    spec = mujoco.MjSpec.from_string(strand.generate(cable(), stage=True))
    spec.worldbody.add_camera(name="side", pos=[0.25, -0.8, 0.1], xyaxes=[1, 0, 0, 0, 0, 1])
    seen = mujoco.MjvCamera()
    seen.lookat[:], seen.distance, seen.azimuth, seen.elevation = (0.25, 0, 0), 0.5, 90, 0
    pictures = {}
    for name, shown, camera in (
        ("all", model, None),
        ("near", model, seen),
        ("side", spec.compile(), "side"),
    ):
        file = tmp_path / f"{name}.png"
        strand.view(shown, camera=camera, frames=1, picture=file, size=SIZE, panel=False)
        pictures[name] = np.array(Image.open(file)).astype(float)
    blue = {name: wide_of(one) for name, one in pictures.items()}
    tangent = np.tan(np.radians(45 / 2)) * SIZE[0] / SIZE[1]
    assert blue["near"] == pytest.approx(0.5 / (2 * 0.5 * tangent), abs=0.03)
    assert blue["side"] == pytest.approx(0.5 / (2 * 0.8 * tangent), abs=0.03)
    assert 0.3 < blue["all"] < 0.8
    with pytest.raises(StrandError, match="side"):
        strand.view(spec.compile(), camera="front", frames=1)
    seen.type = mujoco.mjtCamera.mjCAMERA_TRACKING
    with pytest.raises(StrandError, match="camera"):
        strand.view(model, data, camera=seen, frames=1)


def wide_of(picture: np.ndarray) -> float:
    """Part of the picture's width in which there is the cable's blue."""
    blue = picture[..., 2] > 1.5 * picture[..., 0]
    columns = np.flatnonzero(blue.any(axis=0))
    return (columns[-1] - columns[0] + 1) / picture.shape[1]


def test_a_state_that_diverges_again_and_again_does_not_stop_the_window() -> None:
    """MuJoCo resets it, so that the time of the next frame is never reached."""
    model, data = built(cable())

    def push(_: mujoco.MjModel, now: mujoco.MjData) -> None:
        if now.time > 0.01:
            now.qvel[:] = 1e12

    show(model, data, "frames 5", drive=push)
    assert data.time < 3 * FRAME


def test_natural_curvature_and_twist_change_while_it_runs() -> None:
    """Without loads the cable takes its natural shape."""
    model, data = built(cable(loss_time=0.05))
    ramp = [line for k in range(1, 9) for line in (f"set rest_curvature {k / 2}", "frames 3")]
    show(model, data, *ramp, "frames 150")
    # Read with the model's own natural shape, which is put back at the end.
    np.testing.assert_allclose(strand.profile(model, data).curvature, 4, rtol=0.15)
    mujoco.mj_step(model, data, 3000)
    assert strand.profile(model, data).curvature.max() < 0.4
    model, data = built(cable(end="mocap"))
    show(model, data, "set rest_twist 5", "frames 3")
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    assert strand.energy(model, data) == 0


def read_nodes(file: Path) -> list[dict[str, str]]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def test_the_shape_is_saved(tmp_path: Path) -> None:
    # Without a joint at the clamp, and without cuts, which open by 1e-6 of the length.
    one = cable(gravity=(0, 0, -9.81), clamp="link", pieces="none")
    model, data = built(one)
    names = ("s.csv", "s.cable.toml", "s.xml")
    show(model, data, "frames 10", "key space", "frames 1",
         *(f"shape {tmp_path / name}" for name in names))  # fmt: skip
    shape = strand.profile(model, data).nodes
    rows = read_nodes(tmp_path / "s.csv")
    nodes = np.array([[float(row[f"{axis}_m"]) for axis in "xyz"] for row in rows])
    np.testing.assert_allclose(nodes, shape, atol=1e-12)
    assert rows[0]["cable"] == "cable_rod" and float(rows[-1]["arclength_m"]) == pytest.approx(0.5)
    saved = strand.load_cable(tmp_path / "s.cable.toml")
    np.testing.assert_allclose(saved.nodes, shape, atol=1e-12)
    model_of_file = mujoco.MjModel.from_xml_path(str(tmp_path / "s.xml"))
    for other in (saved, None):
        again = model_of_file if other is None else built(other)[0]
        assert again.body_mass.sum() == pytest.approx(model.body_mass.sum(), rel=0.02)
        there = mujoco.MjData(again)
        mujoco.mj_forward(again, there)
        # Naturally straight, as the cable was: the same energy in the same shape.
        assert strand.energy(again, there) == pytest.approx(strand.energy(model, data), rel=1e-6)


@pytest.mark.parametrize(
    "section",
    [
        {"radius": 0.004},
        {"section": "tube", "radius": 0.004, "inner_radius": 0.003},
        {"section": "box", "width": 0.012, "height": 0.003},
        {"section": "box", "width": 0.004, "height": 0.004},
        {"section": "ellipse", "width": 0.012, "height": 0.003},
        {"section": "ellipse", "width": 0.003, "height": 0.004},
        {"section": "ellipse", "width": 0.002, "height": 0.006},
    ],
)
def test_the_section_is_saved(section: dict, tmp_path: Path) -> None:
    given = dict(young=5e7, poisson=0.4, density=1200, start="fixed", clamp="link", pieces="none")
    model, data = built(Cable(strand.straight(0.5, 20), **given, **section))
    mujoco.mj_step(model, data, 100)
    files = tmp_path / "s.cable.toml", tmp_path / "s.xml"
    for file in files:
        shape_file.save(str(file), model, data)
    saved = strand.load_cable(files[0])
    assert {name: getattr(saved, name) for name in section} == pytest.approx(section)
    assert saved.density == pytest.approx(1200)
    before = strand.profile(model, data)
    for again in (built(saved)[0], mujoco.MjModel.from_xml_path(str(files[1]))):
        there = mujoco.MjData(again)
        mujoco.mj_forward(again, there)
        stress = strand.profile(again, there).bending_stress
        np.testing.assert_allclose(stress, before.bending_stress, rtol=1e-5)


def test_a_section_that_the_geoms_do_not_show_is_not_saved(tmp_path: Path) -> None:
    keys = {"section": "circle 0.002"}
    flat = Cable(strand.straight(0.5, 20), 1e-3, 1e-3, section="box", width=0.012, height=0.003)
    model, data = built(dataclasses.replace(flat, keys=keys))
    with pytest.raises(StrandError, match="section: got geoms that are not the section, allowed: "):
        shape_file.save(str(tmp_path / "s.xml"), model, data)


def test_shapes_that_cannot_be_saved_are_errors_at_the_end(tmp_path: Path) -> None:
    harness = SCENES / "wire_harness.cable.toml"
    names = ("a.txt", "several.cable.toml", "none/a.csv", "harness.csv")
    script = "\n".join(f"shape {tmp_path / name}" for name in names)
    with pytest.raises(StrandError) as caught:
        strand.view(harness, script=script + "\nframes 1", size=SIZE)
    assert ["a.txt" in str(caught.value), str(caught.value).count("\n")] == [True, 2]
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["harness.csv"]
    assert len({row["cable"] for row in read_nodes(tmp_path / "harness.csv")}) > 1
    scene = next(SCENES.glob("*.scene.toml"))
    script = f"shape {tmp_path / 'film.csv'}\nshape {tmp_path / 'film.xml'}\nframes 1"
    with pytest.raises(StrandError, match=r"^shape: got '.*film\.xml'"):
        strand.view(scene, script=script, size=SIZE)
    assert len(read_nodes(tmp_path / "film.csv")) > 3
    assert not (tmp_path / "film.xml").exists()


@pytest.mark.parametrize("command", ["shot none/a.png", "open none.xml", "shape none/a.csv"])
def test_a_script_whose_files_fail_ends_with_an_error(tmp_path: Path, command: str) -> None:
    word, _, name = command.partition(" ")
    script = f"frames 1\n{word} {tmp_path / name}\nframes 1"
    with pytest.raises(StrandError, match="none"):
        strand.view(cable(), script=script, size=SIZE)


def test_recent_files(tmp_path: Path) -> None:
    assert recent.recent_files() == []
    files = [tmp_path / f"{k}.xml" for k in range(12)]
    for file in files:
        file.touch()
        recent.remember(file)
    assert recent.recent_files() == [str(file) for file in files[:3:-1]]
    recent.remember(files[6])
    files[7].unlink()
    assert recent.recent_files()[:2] == [str(files[6]), str(files[11])]
    assert len(recent.recent_files()) == 7
    # Only what a user opens is remembered.
    strand.view(SCENES / "water_hose.cable.toml", frames=1, size=SIZE)
    assert len(recent.recent_files()) == 7


@needs_flex
def test_side_by_side(tmp_path: Path) -> None:
    """Chain, flex and core are near each other, and the flex is left out where it cannot be."""
    one = cable(gravity=(0, 0, -9.81), damping_ratio=0.1)
    opened = side_by_side(one)
    assert all(name in opened.title for name in ("chain blue", "flex orange", "core green"))
    strand.view(one, compare=True, frames=12, picture=tmp_path / "a.png", size=SIZE)
    stretched = cable(stretches=[strand.Stretch(begin=0, end=0.1, young=1e8)])
    assert "flex: stretches" in side_by_side(stretched).title
    strand.view(SCENES / "water_hose.cable.toml", compare=True, frames=2, size=SIZE)
    for wrong, words in [(SCENES / "wire_harness.cable.toml", "branches"), ("a.xml", "compare")]:
        with pytest.raises(StrandError, match=words):
            strand.view(wrong, compare=True, frames=1)
    with pytest.raises(StrandError, match="compare"):
        strand.view(built(one)[0], compare=True, frames=1)


@needs_flex
def test_distances_side_by_side_are_small() -> None:
    """Of what the plots show: 0 at first, and a few percent of the fall after a while."""
    from strand.viewer import side_by_side as module

    one = cable(gravity=(0, 0, -9.81), loss_time=0.02)
    ways = {"chain": module._mujoco(one, "cable"), "flex": module._mujoco(one, "flex"),
            "core": module._core(one)}  # fmt: skip
    shapes = module._Shapes(one, ways)
    samples = [shapes.sample() for _ in range(40)]
    time, points, _, values = samples[-1]
    assert time == pytest.approx(39 / 120) and points.shape == (63, 3)
    assert samples[0][3][:2] == pytest.approx([0, 0], abs=1e-12)
    fall = -values[2]
    assert fall > 0.02 and max(values[:2]) < 0.1 * fall


def colored(model: mujoco.MjModel, data: mujoco.MjData, color: object, picture: Path) -> np.ndarray:
    show(model, data, "frames 2", color=color, paused=True, panel=False, picture=picture)
    return np.asarray(Image.open(picture), float)


def test_links_have_the_colours_of_given_numbers(tmp_path: Path) -> None:
    """The half of the links with the larger numbers is red, and a function is asked again."""
    model, data = built(cable())
    parts = []
    for half in (range(10), range(10, 20)):
        values = [float(k in half) for k in range(20)]
        given = strand.LinkValues("wear", "", {0: values})
        pixels = colored(model, data, given, tmp_path / "a.png")
        red = (pixels[..., 0] > 150) & (pixels[..., 1] < 90) & (pixels[..., 2] < 90)
        parts.append(np.argwhere(red[: SIZE[1] * 3 // 4])[:, 1].mean())  # above the legend
    assert abs(parts[1] - parts[0]) > SIZE[0] / 6
    calls = []

    def now() -> strand.LinkValues:
        calls.append(len(calls))
        return strand.LinkValues("wear", "", {0: np.arange(20.0)})

    show(model, data, "frames 8", color=now)
    assert len(calls) >= 8


def test_damage_of_a_cable_that_is_bent_grows_in_the_window(tmp_path: Path) -> None:
    model, data = built(cable())
    monitor = materials.FatigueMonitor(model, data, sn=[(1.0, 1e3), (0.01, 1e6)])

    def drive(_: mujoco.MjModel, one: mujoco.MjData) -> None:
        one.xfrc_applied[model.body("cable_link19").id, 2] = 0.05 * np.sin(40 * one.time)
        monitor.update()

    plain = colored(model, data, "none", tmp_path / "plain.png")
    show(
        model,
        data,
        "frames 60",
        drive=drive,
        color=monitor.link_values,
        picture=tmp_path / "worn.png",
    )
    assert monitor.damage.max() > 0
    assert np.abs(np.asarray(Image.open(tmp_path / "worn.png"), float) - plain).max() > 100


def test_colours_that_cannot_be_shown_are_refused() -> None:
    model, data = built(cable())
    for color, message in (
        ("given", "color: got 'given', allowed: a strand.LinkValues"),
        (3, "color: got int, allowed: a string, a strand.LinkValues"),
        (lambda: None, "color: got NoneType"),
        (strand.LinkValues("wear", "", {0: [1.0]}), r"values\[0\]: got an array \(1,\)"),
        ("heat", "color: got 'heat', allowed: none, curvature, .*, contact$"),
    ):
        with pytest.raises(StrandError, match=message):
            show(model, data, "frames 1", color=color)
