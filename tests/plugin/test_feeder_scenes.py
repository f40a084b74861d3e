"""Fed cables in scenes: guides that they leave, what users add and set, runs without a drive."""

import importlib.util
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_discrete, numbered

import strand
import strand.replay
from strand import Cable, StrandError, sweep
from strand.mujoco_versions import HAS_DISCRETE
from strand.sweep.prepare import prepared

G = 9.81
LOAD = 5.0  # kg
PER_LENGTH = 1500 * np.pi * 0.004**2  # kg/m
BEST = "discrete" if HAS_DISCRETE else "implicitfast"
CRANE = '<body name="crane" pos="0 0 10" euler="0 90 0">{}</body>'
BOX = '<geom type="box" size=".1 .1 .1"/>'


def scene(bodies: str, integrator: str = BEST, timestep: float = 2e-3) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    spec.option.integrator, spec.option.timestep = numbered(integrator), timestep
    return spec


def rope(length: float, links: int, fed: float, **options: object) -> Cable:
    size = {} if "section" in options else {"radius": 0.004}
    given = dict(EI=0.01, GJ=0.01, density=1500) | size | options
    return Cable(strand.straight(length, links), start="feed", fed=fed, **given)


def with_load(spec: mujoco.MjSpec, links: int, length: float, servo: float = 1e4) -> mujoco.MjModel:
    """Hangs a load on the end of a rope, and drives it by a velocity servo."""
    load = spec.body(f"cable_link{links - 1}").add_body(name="load", pos=[length / links, 0, 0])
    load.add_geom(size=[0.08, 0, 0], mass=LOAD)
    drive = spec.add_actuator(target="cable_feed", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.set_to_velocity(kv=servo)
    return spec.compile()


def excluded(model: mujoco.MjModel, body: str) -> set[str]:
    """Names of the bodies that do not collide with a body."""
    number, found = model.body(body).id, set()
    for pair in model.exclude_signature:
        first, second = divmod(int(pair), 1 << 16)
        if number in (first, second):
            found.add(model.body(first + second - number).name)
    return found


# Guides.


@pytest.mark.parametrize("mouth", [0.0, 0.1, 0.104])
@pytest.mark.parametrize(
    "guide",
    [BOX, f'<body name="hull">{BOX}</body>', f'<joint type="slide" axis="0 1 0"/>{BOX}'],
    ids=["own geom", "fixed body", "body that moves"],
)
def test_a_cable_leaves_its_guide_without_a_blow(guide: str, mouth: float) -> None:
    """From the middle of a box, and from its surface: the mouth carries what is outside."""
    spec = scene(CRANE.format(guide))
    strand.attach(spec, rope(4.0, 12, 1.0), body="crane", pos=(mouth, 0, 0))
    model = with_load(spec, 12, 4.0)
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    forces, expected = [], []
    while data.time < 2:
        data.ctrl[0], before, length = 0.5 * min(data.time, 1), feeder.speed, feeder.length
        mujoco.mj_step(model, data)
        assert data.ncon == 0
        acceleration = (feeder.speed - before) / model.opt.timestep
        feeder.update()
        forces.append(feeder.force)
        expected.append((LOAD + PER_LENGTH * length) * (G - acceleration))
    np.testing.assert_allclose(forces[5:], expected[5:], rtol=2e-3)
    assert feeder.length == pytest.approx(1.75, abs=0.01)


def test_what_is_fixed_to_the_guide_elsewhere_still_collides() -> None:
    plate = '<body name="plate" pos=".2 0 0"><geom type="box" size=".02 .2 .2"/></body>'
    leg = '<body name="leg" pos="0 .5 0"><geom type="box" size=".1 .1 .1"/></body>'
    spec = scene('<geom type="plane" size="9 9 .1"/>' + CRANE.format(BOX + plate + leg))
    strand.attach(spec, rope(4.0, 10, 1.0), body="crane")
    model = spec.compile()
    links = {f"cable_link{k}" for k in range(10)}
    assert links <= excluded(model, "crane")
    assert links <= excluded(model, "plate")  # .2 m from the mouth: links of .4 m start behind it
    assert not links & excluded(model, "leg")
    assert not links & excluded(model, "world")


def test_a_guide_of_the_world_is_refused_at_its_mouth() -> None:
    """The floor is of the world as well, so that contact with it cannot be excluded."""
    spec = scene(BOX + '<geom type="box" size="9 9 .1" pos="0 0 -9"/>')
    with pytest.raises(StrandError, match=r"body: got 'world, with a geom at the mouth .* guide"):
        strand.attach(spec, rope(4.0, 10, 1.0))
    strand.attach(spec, rope(4.0, 10, 1.0), pos=(0, 0, 1))
    spec = scene(BOX.replace("/>", ' contype="2" conaffinity="2"/>'))
    strand.attach(spec, rope(4.0, 10, 1.0))


# The force at the mouth.


@pytest.mark.parametrize("servo", [1e3, 1e4, 1e5])
@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "implicit"])
def test_the_force_is_that_of_the_step_with_any_integrator(integrator: str, servo: float) -> None:
    """Implicit integrators leave in qacc what they compute before they solve for the servo."""
    spec = scene(CRANE.format(""), integrator)
    strand.attach(spec, rope(6.0, 18, 2.0), body="crane")
    model = with_load(spec, 18, 6.0, servo)
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    forces, expected = [], []
    while data.time < 1:
        data.ctrl[0], before, length = 0.5 * data.time, feeder.speed, feeder.length
        mujoco.mj_step(model, data)
        acceleration = (feeder.speed - before) / model.opt.timestep
        feeder.update()
        forces.append(feeder.force)
        expected.append((LOAD + PER_LENGTH * length) * (G - acceleration))
    assert acceleration == pytest.approx(0.5, rel=0.01)
    np.testing.assert_allclose(forces[50:], expected[50:], rtol=1e-3)


def test_the_force_before_a_step_is_that_of_the_state() -> None:
    spec = scene(CRANE.format(""))
    strand.attach(spec, rope(6.0, 18, 2.0), body="crane")
    model = with_load(spec, 18, 6.0)
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    mujoco.mj_forward(model, data)
    falls = data.qacc[model.joint("cable_feed").dofadr[0]]  # the servo lets go at rest
    carried = LOAD + PER_LENGTH * feeder.length
    assert feeder.force == pytest.approx(carried * (G - falls), rel=1e-5)


# What users set and add.

RIG = """
<mujoco>
  <option timestep=".002"/>
  <worldbody>
    <light name="light" pos="0 0 3"/>
    <camera name="camera" pos="0 -3 1"/>
    <body name="crane" pos="0 0 3" euler="0 90 0"/>
    <body name="box" pos=".5 0 .1">
      <freejoint/> <geom type="box" size=".1 .1 .1" mass="2"/> <site name="top"/>
    </body>
    <body name="arm" pos="2 0 1">
      <joint name="turn" axis="0 1 0"/> <geom size=".1"/> <site name="hand" pos="0 0 -.1"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="line" stiffness="1"> <site site="top"/> <site site="hand"/> </spatial>
  </tendon>
  <actuator> <position joint="turn" kp="10" dampratio="1"/> </actuator>
</mujoco>
"""
#: What mj_setConst computes and masses do not decide.
SET_BY_USERS = (
    "eq_data", "tendon_length0", "tendon_lengthspring", "actuator_length0", "actuator_biasprm",
    "cam_pos0", "cam_mat0", "light_pos0", "light_dir0", "geom_rbound", "geom_aabb",
)  # fmt: skip


def rig() -> mujoco.MjModel:
    """A rope of .1 m links with a hook, which a connect can tie to a box."""
    spec = mujoco.MjSpec.from_string(RIG)
    spec.option.integrator = numbered(BEST)
    holds = strand.attach(spec, rope(4.0, 40, 1.5), body="crane")
    hook = spec.body("cable_link39").add_body(name="hook", pos=[0.1, 0, 0])
    hook.add_geom(size=[0.02, 0, 0], mass=0.3, contype=0, conaffinity=0)
    for kind in (mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtEq.mjEQ_WELD):
        tie = spec.add_equality(type=kind, objtype=mujoco.mjtObj.mjOBJ_BODY, active=False)
        tie.name1, tie.name2 = "hook", "box"
        tie.solref, tie.solimp = holds.hold_solref, holds.hold_solimp
    drive = spec.add_actuator(target="cable_feed", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.set_to_velocity(kv=1e4)
    return spec.compile()


def test_what_was_set_at_run_time_survives_a_hand_over() -> None:
    model = rig()
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    random = np.random.default_rng(3)
    for name in SET_BY_USERS:
        field = getattr(model, name)
        field += 0.1 * random.random(field.shape) * (field != 0)
    before = {name: getattr(model, name).copy() for name in SET_BY_USERS}
    weights = model.body_invweight0.copy(), model.dof_invweight0.copy()
    data.qpos[model.joint("cable_feed").qposadr] += 0.3
    feeder.prepare()
    for name in SET_BY_USERS:
        np.testing.assert_array_equal(getattr(model, name), before[name], err_msg=name)
    fresh = rig()
    for name in ("body_mass", "body_inertia", "body_ipos", "dof_armature"):
        getattr(fresh, name)[:] = getattr(model, name)
    mujoco.mj_setConst(fresh, mujoco.MjData(fresh))
    for name, old in zip(("body_invweight0", "dof_invweight0"), weights, strict=True):
        assert not np.allclose(getattr(model, name), old, rtol=0.1)  # they depend on masses
        np.testing.assert_allclose(getattr(model, name), getattr(fresh, name), rtol=1e-9)


@needs_discrete
def test_a_box_that_is_hooked_on_is_lifted() -> None:
    """The anchor is set when the hook is above the box; hand-overs follow."""
    model = rig()
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    box, drive = model.joint(model.body("box").jntadr[0]).qposadr[0], model.nu - 1

    def run(speed: float, seconds: float) -> None:
        end = data.time + seconds
        while data.time < end:
            data.ctrl[drive] = speed
            mujoco.mj_step(model, data)
            feeder.update()

    run(0, 1)
    data.qpos[box : box + 3] = data.body("hook").xpos - [0, 0, 0.15]
    data.qvel[model.body("box").dofadr[0] :][:6] = 0
    mujoco.mj_forward(model, data)
    model.eq_data[0, :6] = [0, 0, 0, 0, 0, 0.15]
    data.eq_active[0] = 1
    run(-0.3, 1)
    run(0, 1)
    assert model.eq_data[0, 5] == 0.15
    gap = data.body("hook").xpos - data.body("box").xpos
    np.testing.assert_allclose(gap, [0, 0, 0.15], atol=2e-3)
    assert feeder.length == pytest.approx(1.2, abs=0.01)
    assert feeder.force == pytest.approx((2.3 + PER_LENGTH * feeder.length) * G, rel=0.02)


def marked(link: int, **options: object) -> mujoco.MjModel:
    spec = scene(CRANE.format(""))
    strand.attach(spec, rope(4.0, 40, 1.0), body="crane")
    given = {"name": "mark", "size": [0.01, 0, 0], "rgba": [1, 0, 0, 0.5]} | options
    spec.body(f"cable_link{link}").add_geom(**given)
    return spec.compile()


@pytest.mark.parametrize("contype", [0, 1, 4])
def test_geoms_on_the_last_link_are_left_alone(contype: int) -> None:
    model = marked(39, contype=contype, conaffinity=contype)
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    data.qpos[model.joint("cable_feed").qposadr] = 2.0
    feeder.prepare()
    for _ in range(10):
        mujoco.mj_step(model, data)
        feeder.update()
    mark, own = model.geom("mark"), model.geom("cable_geom39")
    assert mark.contype[0] == mark.conaffinity[0] == contype
    np.testing.assert_allclose(mark.rgba, [1, 0, 0, 0.5])
    links = [model.body(f"cable_link{k}").id for k in range(40)]
    assert set(model.body_contype[links[25:39]]) == {own.contype[0]}  # not the mark's as well
    assert set(model.geom_contype[model.body_geomadr[links[25:39]]]) == {own.contype[0]}
    assert not model.body_contype[links[:20]].any()


@pytest.mark.parametrize("link", [10, 35])
@pytest.mark.parametrize("contype", [0, 1])
def test_geoms_on_links_that_go_inside_are_refused(link: int, contype: int) -> None:
    model = marked(link, contype=contype, conaffinity=contype)
    message = f"cable: got geom 'mark' on link 'cable_link{link}', allowed: geoms of your own on"
    with pytest.raises(StrandError, match=message):
        strand.Feeder(model, mujoco.MjData(model))


@pytest.mark.parametrize("section", [{"section": "box"}, {"section": "ellipse"}])
def test_links_of_several_geoms_are_switched_as_a_whole(section: dict[str, str]) -> None:
    spec = scene(CRANE.format(""))
    cable = rope(1.0, 10, 0.45, width=0.01, height=0.004, **section)
    strand.attach(spec, cable, body="crane")
    spec.body("cable_link9").add_geom(name="mark", size=[0.01, 0, 0], contype=0, conaffinity=0)
    model = spec.compile()
    strand.Feeder(model, mujoco.MjData(model))
    for k in range(10):
        body = model.body(f"cable_link{k}")
        geoms = body.geomadr[0] + np.arange(body.geomnum[0] - (k == 9))
        assert set(model.geom_contype[geoms]) == {int(k > 5)}, k
        assert set(model.geom_rgba[geoms, 3] > 0) == {k > 4}, k


# Runs by the library.

FED = """
[shape]
type = "straight"
length = 0.4
segments = 8
[section]
radius = 0.004
[material]
EI = 0.01
GJ = 0.01
density = 1500
[ends]
start = "feed"
[simulation]
gravity = [2.0, 0.0, 0.0]
"""
#: The same, with the length outside.
SHORT = FED.replace('start = "feed"', 'start = "feed"\nfed = 0.1')


needs_viser = pytest.mark.skipif(
    importlib.util.find_spec("viser") is None, reason="viser is missing: pip install viser"
)


@needs_viser
def test_files_with_fed_cables_are_replayed(tmp_path: Path) -> None:
    """The cable runs out by its weight, link by link, to its end."""
    (tmp_path / "rope.cable.toml").write_text(SHORT)
    for color in ("none", "tension"):
        replay = strand.replay.record(
            tmp_path / "rope.cable.toml", seconds=1.2, fps=50, color=color
        )
        links = [part.rgba for part in replay.parts if part.name.startswith("capsules")]
        whole = [np.broadcast_to(rgba, (len(replay.times), *rgba.shape[1:])) for rgba in links]
        shown = (np.concatenate(whole, axis=1)[..., 3] > 0).sum(axis=1)
        assert shown[0] == 2 and shown[-1] == 8 and np.isin(np.diff(shown), [0, 1]).all()


@needs_viser
def test_a_model_that_feeds_is_replayed_with_its_feeder(tmp_path: Path) -> None:
    (tmp_path / "rope.cable.toml").write_text(SHORT)
    cable = strand.load_cable(tmp_path / "rope.cable.toml")
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    with pytest.raises(
        StrandError, match="drive: got nothing for the cable 'cable_rod' with start"
    ):
        strand.replay.record(model, seconds=0.1)
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    strand.replay.record(model, data, seconds=0.1, drive=lambda *_: feeder.update())


@pytest.mark.parametrize("backend", ["plugin", "core"])
def test_sweeps_refuse_fed_cables(tmp_path: Path, backend: str) -> None:
    (tmp_path / "rope.cable.toml").write_text(SHORT)
    (tmp_path / "sweep.toml").write_text(
        f'[run]\ncable = "rope.cable.toml"\nresults = ["end_x"]\nseconds = 0.1\n'
        f'backend = "{backend}"\n'
        '[parameters.EI]\npath = "material.EI"\ngrid = [0.01]\n'
    )
    spec = sweep.load(tmp_path / "sweep.toml")
    with pytest.raises(StrandError, match="start: got 'feed', allowed in a sweep: an end that"):
        prepared(spec.task)({"EI": 0.01})
