"""The viewer on a virtual display: what scripted clicks, drags and keys do to the simulation."""

from collections.abc import Sequence
from pathlib import Path
from time import sleep

import imageio_ffmpeg
import mujoco
import numpy as np
import pytest
from PIL import Image
from support.display import ON_XVFB, staged

import strand
from strand import Cable, StrandError
from strand.simulation import Network, Simulation
from strand.viewer import library, opening

pytestmark = ON_XVFB

SCENES = Path(__file__).parents[3] / "assets" / "scenes"
SIZE = (480, 360)  # small, since a processor draws it
FRAME = 1 / 60  # s


def cantilever(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable, held at its start, along x."""
    given = dict(start="fixed", gravity=(0, 0, 0), damping=0.0) | changes
    cable = Cable(strand.straight(0.5, 20), radius=0.003, young=5e7, poisson=0.4, **given)
    return staged(cable)


def show(model: mujoco.MjModel, data: mujoco.MjData, *script: str, **options: object) -> None:
    strand.view(model, data, script="\n".join(script), size=SIZE, **options)


def picture(path: Path) -> np.ndarray:
    return np.array(Image.open(path)).astype(float)


def tip(data: mujoco.MjData) -> np.ndarray:
    return data.xpos[-1].copy()


def test_time_passes_as_without_the_viewer() -> None:
    (model, data), (_, alone) = cantilever(gravity=(0, 0, -9.81)), cantilever(gravity=(0, 0, -9.81))
    show(model, data, "frames 20")
    steps = round(data.time / model.opt.timestep)
    assert abs(data.time - 20 * FRAME) <= 1.5 * FRAME
    mujoco.mj_step(model, alone, steps)
    mujoco.mj_forward(model, alone)
    np.testing.assert_allclose(data.qpos, alone.qpos, rtol=0, atol=1e-9)


def test_keys_pause_reset_step_and_rewind() -> None:
    model, data = cantilever(gravity=(0, 0, -9.81))
    show(model, data, "frames 10", "key space", "frames 10")
    paused = data.time
    assert 8 * FRAME < paused < 12 * FRAME
    show(model, data, "key right", "frames 2", paused=True)
    assert data.time == pytest.approx(paused + model.opt.timestep)
    show(model, data, "key backspace", "frames 2", paused=True)
    assert data.time == 0
    show(model, data, "frames 50", *["key left", "frames 1"] * 10)
    assert 30 * FRAME < data.time < 45 * FRAME
    again = mujoco.MjData(model)
    mujoco.mj_step(model, again, round(data.time / model.opt.timestep))
    np.testing.assert_allclose(data.qpos, again.qpos, rtol=0, atol=1e-9)


def test_a_dragged_body_follows_the_mouse_and_is_let_go() -> None:
    model, data = cantilever(damping=1e-4)
    # The camera looks along y at the cable, which is across the scene's middle.
    script = ["key tab", "frames 2", "drag pull 366 180 366 90 60", "frames 1"]
    show(model, data, *script)
    assert tip(data)[2] > 0.02
    assert not data.xfrc_applied.any()
    model, data = cantilever(damping=1e-4)
    show(model, data, "key tab", "frames 2", "drag pull 366 180 366 270 60", "frames 1")
    assert tip(data)[2] < -0.02


def test_dragging_without_the_control_key_moves_only_the_camera(tmp_path: Path) -> None:
    model, data = cantilever()
    before = tip(data)
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png", "c.png")]
    show(model, data, "frames 3", shots[0], "frames 2", shots[1], "drag left 400 180 430 120",
         "frames 1", shots[2])  # fmt: skip
    mujoco.mj_forward(model, data)
    assert np.abs(tip(data) - before)[1:].max() < 1e-9
    first, same, turned = (picture(tmp_path / name) for name in ("a.png", "b.png", "c.png"))
    panel = 300 * SIZE[0] // 480
    assert np.abs(first - same)[:, panel:].mean() < 0.5
    assert np.abs(first - turned)[:, panel:].mean() > 2


def test_the_middle_button_zooms(tmp_path: Path) -> None:
    model, data = cantilever()
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png")]
    show(model, data, "key tab", "frames 2", shots[0], "drag middle 240 180 240 260", "frames 1",
         shots[1])  # fmt: skip
    first, zoomed = (picture(tmp_path / name) for name in ("a.png", "b.png"))
    assert np.abs(first - zoomed).mean() > 2


def test_four_times_EI_doubles_the_frequency() -> None:
    """Released bent, the tip is at the same place at half the time."""

    def released(frames: int, *script: str, timestep: float) -> float:
        model, data = cantilever(pieces="none")  # so that the joints give the shape
        model.opt.timestep = timestep
        for joint in range(1, model.njnt):
            data.qpos[model.jnt_qposadr[joint] :][:4] = [np.cos(0.01), 0, np.sin(0.01), 0]
        mujoco.mj_forward(model, data)
        show(model, data, *script, f"frames {frames}", "key space", "frames 1")
        assert data.time == pytest.approx(frames * FRAME, abs=1.1 * FRAME)
        return tip(data)[2] / data.time * data.time

    slow = released(24, timestep=2e-3)
    fast = released(12, "set EI 4", "set GJ 4", timestep=1e-3)
    plain = released(12, timestep=1e-3)
    assert fast == pytest.approx(slow, rel=0.05)
    assert abs(plain - slow) > 0.2 * abs(slow)


def test_the_model_is_left_as_it_was() -> None:
    model, data = cantilever(gravity=(0, 0, -9.81))
    friction, stiffness = model.geom_friction.copy(), model.jnt_stiffness.copy()
    before = strand.energy(model, data)
    show(model, data, "set gravity -1.6", "set friction 2", "set EI 3", "frames 2", "key backspace",
         "frames 2")  # fmt: skip
    assert model.opt.gravity[2] == -9.81
    assert (model.geom_friction == friction).all() and (model.jnt_stiffness == stiffness).all()
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    assert strand.energy(model, data) == before


def test_colours_show_the_quantity(tmp_path: Path) -> None:
    model, data = cantilever(gravity=(0, 0, -9.81))
    names = ("none", "curvature", "moment", "bending", "stress", "tension", "contact")
    shots = [line for name in names for line in (f"color {name}", f"shot {tmp_path / name}.png")]
    show(model, data, "frames 20", "key space", "key tab", "frames 2", *shots)
    plain, *colored = (picture(tmp_path / f"{name}.png") for name in names)
    for name, shown in zip(names[1:], colored, strict=True):
        assert np.abs(shown - plain).max() > 100, name
    red = [(shown[..., 0] > 1.8 * np.maximum(shown[..., 2], 20)).sum() for shown in colored]
    assert min(red[:4]) > 10  # the most bent links, and the end of the legend


def test_a_broken_file_shows_its_error_and_leaves_the_scene(tmp_path: Path) -> None:
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco>\n<worldbody>\n<geom size='x'/></worldbody></mujoco>")
    model, data = cantilever()
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png")]
    with pytest.raises(StrandError, match=r"(?s)^open: .*broken\.xml: .*line 3"):
        show(model, data, "frames 3", shots[0], f"open {broken}", "frames 3", shots[1], "frames 5")
    assert data.time > 8 * FRAME  # still playing
    first, second = (picture(tmp_path / name) for name in ("a.png", "b.png"))
    assert np.abs(first - second)[:60].mean() > 10 * np.abs(first - second)[120:240].mean()
    with pytest.raises(StrandError, match=r"(?s)broken\.xml: .*line 3"):
        strand.view(broken, frames=1)


def test_another_file_can_be_opened(tmp_path: Path) -> None:
    model, data = cantilever()
    file = SCENES / "water_hose.cable.toml"
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png")]
    show(model, data, "frames 2", shots[0], f"open {file}", "frames 2", shots[1])
    first, second = (picture(tmp_path / name) for name in ("a.png", "b.png"))
    assert np.abs(first - second).mean() > 3


def test_an_error_of_a_step_stops_the_simulation() -> None:
    """MuJoCo's errors would end the process."""
    xml = """<mujoco><size memory="40K"/><option timestep=".005"/><worldbody>
    <geom type="plane" size="0 0 1"/><replicate count="12" offset="0 0 .085"><body pos="0 0 .1">
    <freejoint/><geom type="box" size=".1 .1 .04"/></body></replicate></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_step(model, mujoco.MjData(model), 100)
    show(model, data, "frames 60")
    assert data.time == 0  # reset, and paused


def test_a_film_has_all_frames(tmp_path: Path) -> None:
    model, data = cantilever(gravity=(0, 0, -9.81))
    strand.view(model, data, frames=12, video=tmp_path / "a.mp4", size=(321, 241), panel=False)
    count, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "a.mp4"))
    assert count in (12, 13) and seconds == pytest.approx(count * FRAME, abs=0.01)
    resized = "frames 2\nresize 200 200\nframes 9"
    with pytest.raises(StrandError, match="video: frame"):
        strand.view(model, data, script=resized, video=tmp_path / "b.mp4", size=SIZE)
    assert not (tmp_path / "b.mp4").exists()
    with pytest.raises(StrandError, match="frames or a script"):
        strand.view(model, data, video=tmp_path / "c.mp4")


def test_the_window_does_not_wait_for_slow_steps() -> None:
    """If it did, each frame would take at least a step."""
    simulation, frames = swinging(), 45
    simulation.drive(lambda time: sleep(0.3))
    strand.view(simulation, frames=frames, realtime=True, size=SIZE, panel=False)
    assert simulation.time < frames / 3 * simulation.dt


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("frames", "line 1"),
        ("frames 2\nclick 3", "line 2"),
        ("key shift", "space"),
        ("set EI much", "much"),
        ("frames -3", "1 to 1000000"),
        ("set mass 3", "gravity"),
        ("color heat", "curvature"),
        ("drag with 1 2 3 4", "pull"),
        ("dance", "allowed"),
    ],
)
def test_bad_scripts(script: str, words: str) -> None:
    model, data = cantilever()
    with pytest.raises(StrandError, match=words):
        strand.view(model, data, script=script, size=SIZE)


def test_bad_arguments() -> None:
    model, data = cantilever()
    for options, words in [
        (dict(speed=0), "speed"),
        (dict(frames=-1), "frames"),
        (dict(scale=-1), "scale"),
        (dict(color="heat", frames=1), "color"),
        (dict(size=(0, 3)), "size"),
    ]:
        with pytest.raises(StrandError, match=words):
            strand.view(model, data, **options)
    for wrong, words in [("none.xml", "none.xml"), (data, "MjData"), (SCENES, "scenes")]:
        with pytest.raises(StrandError, match=words):
            strand.view(wrong, frames=1)
    with pytest.raises(StrandError, match="data"):
        strand.view(SCENES / "water_hose.cable.toml", data, frames=1)
    with pytest.raises(StrandError, match="DISPLAY"):
        strand.view(model, data)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library, "_FOLDER", tmp_path)
    library.load.cache_clear()
    with pytest.raises(StrandError, match="libimgui-dev"):
        strand.view(*cantilever(), frames=1)
    library.load.cache_clear()


def test_models_without_light_get_one_and_keep_their_physics(tmp_path: Path) -> None:
    dark = tmp_path / "dark.xml"
    dark.write_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
                    "</mujoco>")  # fmt: skip
    opened = opening.open_file(dark)
    assert opened.model.nlight == 1 and opened.model.ngeom == 1 and opened.model.nv == 6
    lit = tmp_path / "lit.xml"
    lit.write_text("<mujoco><worldbody><light pos='0 0 3'/><geom size='.1'/></worldbody></mujoco>")
    assert opening.open_file(lit).model.ntex == 0


def swinging(duration: float = 0.0) -> Simulation:
    """A rod in the core that swings about its start."""
    network = Network()
    network.rod(strand.straight(0.5, 20), radius=0.004, young=1e7, density=1100.0)
    simulation = Simulation(network, dt=5e-3)
    simulation.fix_node(0)
    if duration:
        simulation.run(duration)
    return simulation


def test_a_simulation_of_the_core_runs_as_it_is_played() -> None:
    simulation = swinging()
    strand.view(simulation, frames=30, size=SIZE)
    assert simulation.time == pytest.approx(30 * FRAME, abs=2 * FRAME)
    np.testing.assert_array_equal(simulation.positions, swinging(simulation.time).positions)


def test_a_film_is_rewound_and_played_again(tmp_path: Path) -> None:
    """What is recorded is played, not simulated again."""
    simulation = swinging()
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png", "c.png")]
    script = ["key tab", "frames 10", "key space", "frames 1", shots[0], "key space", "frames 20",
              "key backspace", "frames 1", shots[1], "key space", "frames 1", "key space",
              "frames 9", "key space", "frames 1", shots[2]]  # fmt: skip
    strand.view(simulation, script="\n".join(script), size=SIZE)
    early, start, again = (picture(tmp_path / name) for name in ("a.png", "b.png", "c.png"))
    assert simulation.time == pytest.approx(30 * FRAME, abs=3 * FRAME)
    assert np.abs(early - start).max() > 100
    assert np.abs(early - again).mean() < np.abs(early - start).mean()


def test_recordings_open(tmp_path: Path) -> None:
    simulation = swinging()
    with simulation.record(tmp_path / "run.npz", every=0.02):
        simulation.run(0.5)
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png")]
    script = [shots[0], "frames 25", shots[1], "frames 60"]
    strand.view(tmp_path / "run.npz", script="\n".join(script), size=SIZE)
    first, later = (picture(tmp_path / name) for name in ("a.png", "b.png"))
    assert np.abs(first - later).max() > 100
    (tmp_path / "cut.npz").write_bytes((tmp_path / "run.npz").read_bytes()[:999])
    with pytest.raises(StrandError, match=r"cut\.npz"):
        strand.view(tmp_path / "cut.npz", frames=1)


def test_a_failing_simulation_stops_with_words(tmp_path: Path) -> None:
    simulation = swinging()

    def drive(time: float) -> None:
        if time > 0.2:
            raise StrandError("the hand is gone")

    simulation.drive(drive)
    shots = [f"shot {tmp_path / name}" for name in ("a.png", "b.png")]
    script = ["key tab", "frames 3", shots[0], "frames 30", shots[1], "frames 3"]
    strand.view(simulation, script="\n".join(script), size=SIZE)
    first, second = (picture(tmp_path / name) for name in ("a.png", "b.png"))
    assert simulation.time < 0.3
    assert np.abs(first - second)[:40].mean() > 5  # the message


def random_script(generator: np.random.Generator, commands: int) -> Sequence[str]:
    x, y = (lambda: generator.integers(0, SIZE[0])), (lambda: generator.integers(0, SIZE[1]))
    keys = ["space", "right", "left", "backspace", "tab", "f1", "f", "a", "c", "plus", "minus"]
    buttons = ["left", "right", "middle", "pull", "turn"]
    makers = [
        lambda: f"click {x()} {y()}",
        lambda: f"click {x()} {y()} double",
        lambda: f"drag {generator.choice(buttons)} {x()} {y()} {x()} {y()} 4",
        lambda: f"key {generator.choice(keys)}",
        lambda: f"wheel {x()} {y()} {generator.integers(-3, 4)}",
        lambda: f"set EI {10 ** generator.uniform(-1, 1):.3f}",
        lambda: f"resize {generator.integers(200, 600)} {generator.integers(150, 500)}",
        lambda: f"frames {generator.integers(1, 4)}",
        lambda: f"open {SCENES / generator.choice(['water_hose.cable.toml', 'no.xml'])}",
    ]
    return [makers[generator.integers(len(makers))]() for _ in range(commands)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_input(seed: int) -> None:
    """Nothing but the file that is not there is an error, at the end."""
    model, data = cantilever(gravity=(0, 0, -9.81))
    try:
        show(model, data, *random_script(np.random.default_rng(seed), 60))
    except StrandError as error:
        for line in str(error).splitlines():
            assert "no.xml', which does not exist" in line
    assert np.isfinite(data.qpos).all()
