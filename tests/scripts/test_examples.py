"""The examples: each runs without a warning and does what its description says."""

import functools
import itertools
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest
from PIL import Image
from support.engine import needs_discrete

import strand
from strand.draw.picture import SIZE
from strand.draw.stage import can_render

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "scripts" / "examples"
PICTURES = ROOT / "assets" / "images" / "examples"
sys.path.append(str(FOLDER))

import _stage  # noqa: E402

pytestmark = needs_discrete


@functools.cache
def played(name: str, seconds: float | None = None) -> _stage.Run:
    return _stage.play(_stage.load(name), seconds)


def cable(run: _stage.Run) -> strand.Profile:
    return strand.profile(run.model, run.data)


@pytest.mark.parametrize("name", _stage.EXAMPLES)
def test_runs_without_warnings(name: str) -> None:
    run = played(name)
    assert run.warnings == 0
    assert np.isfinite(run.data.qpos).all()
    text = _stage.load(name).report(run)
    print(f"{name}: {text}; {run.realtime:.1f} times real time")
    assert len(text.splitlines()) == 1


def test_all_are_listed_and_shown() -> None:
    files = {file.stem for file in FOLDER.glob("*.py")} - {"_stage"}
    assert files == {*_stage.EXAMPLES, "arm", "robosuite_cable"}
    readme = (ROOT / "README.md").read_text()
    for name in _stage.EXAMPLES:
        assert (PICTURES / f"{name}.png").stat().st_size < 60_000
        assert f"assets/images/examples/{name}.png" in readme
        assert f"scripts/examples/{name}.py" in readme


def standing(model: mujoco.MjModel) -> np.ndarray:
    """Corners of boxes and feet of posts that stand on the floor, (points, 3) in m."""
    points = []
    for geom in map(model.geom, range(model.ngeom)):
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, geom.quat)
        box = model.geom_aabb[geom.id]
        signs = np.array(list(itertools.product((-1, 1), repeat=3)))
        corners = geom.pos + (box[:3] + signs * box[3:]) @ turn.reshape(3, 3).T
        if geom.bodyid[0] == 0 and geom.type[0] != mujoco.mjtGeom.mjGEOM_PLANE:
            points += [corner for corner in corners if abs(corner[2]) < 0.01]
    return np.array(points).reshape(-1, 3)


@pytest.mark.parametrize("name", _stage.EXAMPLES)
def test_objects_on_the_floor_are_fully_in_the_picture(name: str) -> None:
    """Pinhole camera: x right, y up, both as fractions of half the picture's height."""
    example = _stage.load(name)
    model = example.build()
    lookat, distance, azimuth, elevation = example.CAMERA
    azimuth, elevation = np.radians((azimuth, elevation))
    ahead = np.array([np.cos(azimuth), np.sin(azimuth), np.tan(elevation)]) * np.cos(elevation)
    right = np.array([np.sin(azimuth), -np.cos(azimuth), 0.0])
    half = np.tan(np.radians(model.vis.global_.fovy) / 2)
    points = standing(model)
    off = points - (np.array(lookat) - distance * ahead)
    place = off @ np.array([right, np.cross(right, ahead)]).T / (half * (off @ ahead))[:, None]
    width = np.divide(*SIZE)
    assert (np.abs(place) < (width, 1)).all(), place


def test_command_line(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "hanging.py"), "--seconds", "0.1"]
    file = tmp_path / "hanging.png"
    if can_render():
        command += ["--frame", str(file), "--size", "400x300"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "times real time" in done.stdout
    assert file.exists() == can_render()
    if file.exists():
        assert Image.open(file).size == (400, 300)


def test_the_viewer_opens_at_the_camera_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(strand, "view", lambda model, **given: shown.append((model, given)))
    pulley = _stage.load("pulley")
    _stage._view(pulley)
    ((model, given),) = shown
    assert model.nu == pulley.build().nu and given["drive"] is pulley.drive
    seen = given["camera"]
    assert [*seen.lookat] == [*pulley.CAMERA[0]]
    assert (seen.distance, seen.azimuth, seen.elevation) == pulley.CAMERA[1:]


@pytest.mark.parametrize("name", _stage.EXAMPLES)
def test_no_cable_starts_inside_something(name: str, capfd: pytest.CaptureFixture) -> None:
    example = _stage.load(name)
    model = example.build()
    data = mujoco.MjData(model)
    for _ in range(2):
        getattr(example, "drive", lambda model, data: None)(model, data)
        mujoco.mj_step(model, data)
    assert "WARNING" not in capfd.readouterr().err


def test_warnings_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = _stage.load("hanging")
    monkeypatch.setitem(sys.modules, "__main__", hanging)
    monkeypatch.setattr(sys, "argv", ["hanging.py", "--seconds", "0.02"])
    monkeypatch.setattr(_stage.Run, "warnings", 3)
    with pytest.raises(SystemExit) as stop:
        _stage.main()
    assert "3 times" in str(stop.value)


def test_posts_carry_the_hanging_cable() -> None:
    run, hanging = played("hanging"), _stage.load("hanging")
    found = cable(run)
    lift = found.start_force[2] + found.end_force[2]
    assert lift == pytest.approx(hanging.weight(), rel=5e-3)
    # In a catenary the horizontal tension is the smallest one, and is the same everywhere.
    assert found.force[1:-1, 0] == pytest.approx(found.tension.min(), rel=5e-3)


def test_hands_hold_both_ends() -> None:
    run, hands = played("hands"), _stage.load("hands")
    assert hands.slip(run) < 1e-3
    assert abs(cable(run).twist.sum()) > 0.5
    span = np.linalg.norm(run.data.site("left_grip").xpos - run.data.site("right_grip").xpos)
    assert span < 0.7 * cable(run).node_arclength[-1]


def test_pulley_lifts_by_friction() -> None:
    run, pulley = played("pulley"), _stage.load("pulley")
    tension = cable(run).tension
    assert tension[0] == pytest.approx(9.81 * pulley.HEAVY, rel=0.05)
    assert tension[-1] == pytest.approx(9.81 * pulley.LIGHT, rel=0.05)
    turned = (pulley.RADIUS + pulley.THICK) * run.data.joint("wheel").qpos[0]
    assert run.sensors[-1, 2] - run.sensors[0, 2] == pytest.approx(turned, rel=0.06)


def test_rope_lies_in_coils_on_the_floor() -> None:
    run, coiling = played("coiling"), _stage.load("coiling")
    found = cable(run)
    assert coiling.coils(found) > 1.5
    assert found.nodes[:, 2].min() > coiling.RADIUS - 1e-3
    lying = (found.nodes[:, 2] < 6 * coiling.RADIUS).mean()
    assert lying > 0.7
    assert np.abs(found.nodes[:, :2]).max() < 4 * coiling.CIRCLE


def test_spring_bounces_at_the_frequency_of_the_formula() -> None:
    run, spring = played("spring"), _stage.load("spring")
    # The links make the coil stiffer than the formula, and so does the guide, which keeps the end
    # from turning.
    stiffer = np.sqrt(1 + 0.06 * (10 / spring.LINKS) ** 2 + 0.015)
    assert spring.frequency(run) == pytest.approx(stiffer * spring.formula(), rel=0.01)


def test_ring_hangs_closed_on_the_peg() -> None:
    run, ring = played("ring"), _stage.load("ring")
    nodes = cable(run).nodes
    assert np.linalg.norm(nodes[0] - nodes[-1]) < 1e-4
    top = nodes[:, 2].max()
    assert top == pytest.approx(0.6 + 0.02 + ring.CABLE.radius, abs=3e-3)
    assert np.ptp(nodes[:, 2]) > np.ptp(nodes[:, 0])


def test_ribbon_takes_the_torque_of_its_twist() -> None:
    run, ribbon = played("ribbon"), _stage.load("ribbon")
    found = cable(run)
    assert found.twist.sum() == pytest.approx(2 * np.pi, rel=0.01)
    assert abs(found.end_moment[0]) == pytest.approx(ribbon.formula(), rel=0.06)


def test_bundle_stays_together() -> None:
    run, bundle = played("bundle"), _stage.load("bundle")
    nodes = np.array([strand.profile(run.model, run.data, k).nodes for k in range(3)])
    for x in bundle.PLACES:
        for line in nodes:
            k = np.abs(line[:, 0] - x).argmin()
            place = line[k, 1:] - (0, bundle.HEIGHT)
            assert np.linalg.norm(place) < bundle.INNER
    assert nodes[:, -1, 2].max() < bundle.HEIGHT - 0.2
    assert "3 pairs" in bundle.report(run)


def test_grasped_cable_does_not_slip() -> None:
    run, grasp = played("grasp"), _stage.load("grasp")
    assert run.data.joint("lift").qpos[0] > 0.95 * grasp.LIFT
    assert grasp.slip(run) < 3.5e-3


def test_hook_carries_the_cable_by_its_middle() -> None:
    middle = _stage.load("middle")
    force, apart = middle.hook(played("middle", 1.5))
    assert force == pytest.approx(middle.WEIGHT, rel=0.05)
    assert apart < 1e-4
    assert middle.hook(played("middle"))[1] < 1e-3


def test_harness_pulls_as_statics_says() -> None:
    """But for friction of .01 in clips that turn the wires by half a radian, and for corners of
    links in these clips."""
    run, harness = played("harness"), _stage.load("harness")
    for found, expected in harness.pulls(run).values():
        assert found == pytest.approx(expected, rel=0.01)


def test_cord_breaks_first_where_its_sleeve_ends() -> None:
    run, fatigue = played("fatigue"), _stage.load("fatigue")
    life = fatigue.flexed(run).life()
    link = fatigue.LENGTH / fatigue.LINKS
    assert life.arclength == pytest.approx(fatigue.SLEEVE, abs=1.01 * link)
    assert 5e3 < 2 * life.repeats < 1e5
    # Without a sleeve it would break at the clamp, and sooner. A long elastica that is clamped at
    # the angle a to its tension T has the curvature 2 sin(a / 2) sqrt(T / EI) there.
    bare = SimpleNamespace(**vars(fatigue) | {"build": lambda: fatigue.build(stiffer=1.0)})
    unprotected = fatigue.flexed(_stage.play(bare)).life()
    assert unprotected.arclength < link
    cord = fatigue.CORD
    curvature = 2 * np.sin(fatigue.SWING / 2) * np.sqrt(9.81 * fatigue.LOAD / cord.EI)
    endured = strand.materials.SNCurve(cord.fatigue).cycles(cord.strain_radius * curvature)
    assert unprotected.repeats == pytest.approx(endured, rel=0.15)
    assert unprotected.repeats < 0.1 * life.repeats


def test_copper_wire_stays_a_hook() -> None:
    """Springback at every joint is M / EI; the moment is that at which all of the copper yields."""
    run, hook = played("hook"), _stage.load("hook")
    before, after = hook.held(), cable(run)
    EI, yields = hook.WIRE.EI, hook.first_yield()
    lost = (before.moment - after.moment)[:, 1] / EI
    spring = (before.curvature_binormal - after.curvature_binormal)[:, 1]
    np.testing.assert_allclose(spring, lost, atol=0.02 * lost.max())
    np.testing.assert_allclose(after.set_curvature, before.set_curvature, atol=0.02)
    k = lost.argmax()
    plastic = 16 / (3 * np.pi) * yields  # of a circle, without hardening
    h = hook.HARDENING[1]
    bent = before.curvature_binormal[k, 1]
    limit = plastic + h / (1 + h) * (bent - plastic)
    assert 0.9 * limit < lost[k] < 1.01 * limit
    assert 150 < hook.turn(after.set_curvature[:, 0], after) < 170
    assert np.abs(after.nodes[:, 1]).max() < 1e-3  # drawing the finger out does not bend it


def test_winch_pulls_by_what_hangs_on_its_rope() -> None:
    """Continuously in both directions, but where the load touches the floor: down at 5.5 s, up
    again at 10.5 s. The rope swings sideways after that, and pulls up and down by 1 %."""
    run, winch = played("winch"), _stage.load("winch")
    assert winch.mismatch(run, 0) < 2e-3
    assert winch.mismatch(run, 3) < 0.03
    pull = winch.tension(run)
    for move in (0, 3):
        k = np.flatnonzero(winch.hangs(run, move))
        k = k[:-1][np.diff(k) == 1]
        assert len(k) > 0.95 * 5 / winch.STEP
        assert np.abs(pull[k + 1] / pull[k] - 1).max() < 0.01
    weight = winch.ROPE.mass_per_length * (winch.UP + winch.DOWN) * winch.GRAVITY
    assert winch.slack(run) == pytest.approx(weight, rel=0.05)
    work, gained = winch.lifting(run)
    assert gained > winch.GRAVITY * winch.LOAD * winch.DOWN
    assert work == pytest.approx(gained, rel=1e-3)


def test_winch_winds_all_of_its_rope() -> None:
    run, winch = played("winch"), _stage.load("winch")
    whole = winch.ROPE.cable["density"] * np.pi * winch.ROPE.radius**2 * winch.LENGTH
    assert winch.rope_mass(run) == pytest.approx(whole, rel=1e-9)
    outside = winch.sensed(run, "outside")
    assert np.ptp(outside) == pytest.approx(winch.DOWN + winch.SLACK, abs=5e-3)
    assert outside[-1] == pytest.approx(winch.UP, abs=2e-3)
    turned = winch.RADIUS * run.data.joint("drum").qpos[0]
    assert turned == pytest.approx(run.data.joint("cable_feed").qpos[0] - winch.UP, abs=1e-6)
    turns = [run.model.geom(f"turn{k}").rgba[3] for k in range(winch.TURNS)]
    assert sum(turns) == np.ceil((winch.LENGTH - winch.UP) / (2 * np.pi * winch.RADIUS))


def test_winch_puts_its_load_down_gently() -> None:
    run, winch = played("winch"), _stage.load("winch")
    base = winch.sensed(run, "load")[:, 2] - winch.SLING - 2 * winch.SIZE[2]
    assert base.min() > -1e-3
    touched = np.flatnonzero(winch.sensed(run, "floor"))
    assert base[touched[0] : touched[-1]].max() < 1e-3  # does not bounce


def test_winch_starts_again_after_a_reset() -> None:
    winch = _stage.load("winch")
    model = winch.build()
    data = mujoco.MjData(model)

    def state(seconds: float) -> np.ndarray:
        for _ in range(round(seconds / winch.STEP)):
            winch.drive(model, data)
            mujoco.mj_step(model, data)
        return np.concatenate([data.qpos, data.qvel])

    once = state(0.2)
    state(1.4)  # some links are handed over
    mujoco.mj_resetData(model, data)
    np.testing.assert_array_equal(state(0.2), once)


def test_arm_drags_its_cable() -> None:
    run, arm = played("arm", 4.0), _stage.load("arm")
    assert run.warnings == 0
    assert arm.slip(run) < 1e-4
    heights = arm.nodes(run)[:, 2]
    assert heights.min() > arm.RADIUS - 1e-3
    assert (heights < 2 * arm.RADIUS).mean() > 0.2
    print(f"{arm.report(run)}; {run.realtime:.1f} times real time")


def test_pieces_move_like_the_whole_cable() -> None:
    arm = _stage.load("arm")
    whole = SimpleNamespace(build=lambda: arm.build(pieces=1), drive=arm.drive)
    apart = arm.nodes(_stage.play(whole, 1.0)) - arm.nodes(played("arm", 1.0))
    assert np.linalg.norm(apart, axis=1).max() < 5e-3
