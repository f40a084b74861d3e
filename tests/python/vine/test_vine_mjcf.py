"""Growing robots as MJCF: the model, comparison with the exact solution, other scenes."""

import dataclasses
import functools

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_discrete

from strand import StrandError, vine
from strand.vine.mjcf import VineController, VineRobot, attach, generate

PAIRS, DT, RATE = 15, 0.002, 0.04

#: The published runtime example of 30 bodies, in SI units.
CHAIN = vine.chain(PAIRS, 0.1 / PAIRS, mass=1e-3, inertia=2e-4, stiffness=0.5, damping=3e-5)
DISC = vine.circle((0.47, 0.025), 0.06)
RUNTIME = VineRobot.from_chain(CHAIN, obstacles=[DISC])
SHORT = VineRobot(pairs=4, half_length=0.02, mass=1e-3, inertia=2e-4, stiffness=0.5, damping=3e-5)


def load(robot: VineRobot):
    model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
    data = mujoco.MjData(model)
    return model, data, VineController(model, data, robot.prefix)


def centres(model, data) -> np.ndarray:
    """Centres of all bodies, proximal first (2 pairs, 2), m."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    names = [f"vine_{side}{i}" for i in range(PAIRS) for side in "ab"]
    return data.xipos[[model.body(name).id for name in names], :2].copy()


#: The exact solver with default options, with contact at points only, and with the published step.
EXACT = {
    "converged": {},
    "points": {"segment_contact": False},
    "published": {
        "mode": "single_qp",
        "implicit_bending": False,
        "corner_normal": "published",
    },
}
#: What touches in MuJoCo: the whole body, or the pairs' ends.
SHAPES = {"converged": "capsule", "points": "sphere", "published": "sphere"}


@functools.cache
def exact(mode: str) -> np.ndarray:
    """Centres (steps + 1, 2 pairs, 2) at 2 ms, m."""
    robot = vine.Robot(CHAIN, [DISC], dt=DT, **EXACT[mode])
    return np.array(robot.run(round(3.99 / DT), growth=RATE).q)[:, :, :2]


@pytest.mark.parametrize("integrator", [DISCRETE, "Euler", "implicitfast"])
@pytest.mark.parametrize("mode", EXACT)
def test_it_moves_like_the_exact_solution(mode: str, integrator: str) -> None:
    """Within 0.03 mm on average if bending is implicit in both or in neither, else 0.13 mm.

    With MuJoCo's usual constraints (solref 0.02 1, solimp 0.9 0.95) the difference is 2.7 mm,
    mostly because growth lags; with those of the same stiffness but critical damping it is up to
    0.5 mm.
    """
    model, data, controller = load(
        dataclasses.replace(RUNTIME, integrator=integrator, shape=SHAPES[mode])
    )
    controller.set_growth(RATE)
    deviations, depth = [], 0.0
    for expected in exact(mode)[1:]:
        controller.step()
        depth = min(depth, data.contact.dist.min(initial=0.0))
        deviations.append(np.linalg.norm(centres(model, data) - expected, axis=1))
    alike = (mode != "published") == (integrator == "discrete")
    assert np.mean(deviations) < (0.06e-3 if alike else 0.2e-3)
    assert np.max(deviations) < 1e-3
    assert depth > -0.3e-3
    assert controller.length == pytest.approx(0.4 + 3.99 * RATE, abs=2e-6)


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
def test_contents_of_the_model(shape: str) -> None:
    robot = dataclasses.replace(SHORT, shape=shape, start_angle=[0.1, 0, 0, 0], prefix="r_")
    model, data, controller = load(robot)
    assert (model.nq, model.neq) == (8, 4)
    assert model.body_mass.sum() == pytest.approx(8e-3)
    assert model.opt.timestep == 0.002 and not model.opt.gravity.any()
    for k in range(4):
        assert model.body(f"r_a{k}").inertia[2] == 200e-6
        assert model.joint(f"r_hinge{k}").stiffness[0] == 0.5
    touching = np.flatnonzero(model.geom_contype)
    names = {model.geom(k).name for k in touching}
    spheres = {f"r_end{k}" for k in range(4)}
    bodies = {f"r_{side}{k}" for side in ("inner", "outer") for k in range(4)}
    assert names == (spheres if shape == "sphere" else bodies)
    assert (model.geom_condim[touching] == 1).all()
    mujoco.mj_forward(model, data)
    length = 4 * 4 * 0.02
    assert controller.length == pytest.approx(length)
    np.testing.assert_allclose(controller.tip, length * np.array([np.cos(0.1), np.sin(0.1), 0]))


def test_more_pairs_give_the_same_robot() -> None:
    """Deflection under a weight: q L^4 / (8 EI), up to the finite number of joints."""
    bent = []
    for pairs in (8, 16):
        material = vine.Material(EI=0.05, bending_damping=0.02, mass_per_length=0.02)
        chain = vine.uniform_chain(material, 0.5, pairs)
        robot = VineRobot.from_chain(chain, gravity=(0, -9.81, 0))
        model, _, controller = load(robot)
        assert model.body_mass.sum() == pytest.approx(0.01)
        controller.step(3000)
        bent.append(-controller.tip[1])
    exact_deflection = 0.02 * 9.81 * 0.5**4 / (8 * 0.05)
    np.testing.assert_allclose(bent, exact_deflection, rtol=0.02)


def test_growth_follows_commands() -> None:
    _, _, controller = load(SHORT)
    controller.set_growth([0.01, 0.02, 0.03, -0.01])
    controller.step(500)
    np.testing.assert_allclose(controller.extensions, [0.05, 0.06, 0.07, 0.03], atol=1e-6)
    assert controller.commanded_length == pytest.approx(controller.length, abs=1e-6)
    controller.retract(1.0)
    controller.step(500)
    np.testing.assert_allclose(controller.extensions, 0, atol=1e-6)
    assert controller.at_limit and controller.length == pytest.approx(0.16, abs=1e-6)


def test_natural_angles_steer() -> None:
    model, data, controller = load(dataclasses.replace(SHORT, damping=0.02))
    controller.steer([0.1, -0.2, 0.3, 0.0])
    controller.step(4000)
    np.testing.assert_allclose(controller.angles, [0.1, -0.2, 0.3, 0.0], atol=1e-3)
    controller.steer(0.0)
    controller.step(4000)
    np.testing.assert_allclose(controller.angles, 0, atol=1e-3)
    mujoco.mj_resetData(model, data)
    controller.reset()
    assert controller.length == pytest.approx(0.32)


@pytest.mark.parametrize(
    "obstacle",
    [
        vine.circle((0.4, 0.0), 0.04),
        vine.box((0.36, -0.05), (0.1, 0.1)),
        vine.rotated_box((0.41, 0.0), np.pi / 2, 0.2, 0.1),
        vine.polygon([(0.36, -0.05), (0.36, 0.05), (0.5, 0.0)]),
    ],
)
def test_obstacles_are_placed_as_specified(obstacle) -> None:
    """The tip touches their faces at x = 0.36, minus its radius, and pushes as hard as it can."""
    robot = dataclasses.replace(
        SHORT, obstacles=[obstacle], pos=(1, 2, 3), quat=(0.5, 0.5, 0.5, 0.5), stiffness=5.0
    )
    model, data, controller = load(robot)
    controller.set_growth(0.02)
    while not data.ncon:
        controller.step()
        assert data.time < 2
    assert controller.length == pytest.approx(0.36 - 0.012, abs=1e-4)
    # The plane's x axis is the world's y axis.
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(controller.tip, [1, 2 + controller.length, 3], atol=1e-6)


@needs_discrete
def test_friction_slows_sliding() -> None:
    """As the robot grows, the base carries mu times the force that presses it on the wall below."""
    wall = [vine.box((-0.1, -0.1), (1.0, 0.1 - 0.012))]
    for friction in (0.0, 0.4):
        robot = dataclasses.replace(
            SHORT, friction=friction, obstacles=wall, stiffness=0, gravity=(0.0, -9.81, 0.0)
        )
        model, data, controller = load(robot)
        controller.set_growth(0.02)
        controller.step(500)
        mujoco.mj_rnePostConstraint(model, data)
        force = np.empty(6)
        pressed = 0.0
        for k in range(data.ncon):
            mujoco.mj_contactForce(model, data, k, force)
            pressed += force[0]
        assert pressed == pytest.approx(8e-3 * 9.81, rel=0.15)
        borne = data.cfrc_int[model.body("vine_base").id, 3]
        assert borne == pytest.approx(friction * pressed, rel=0.02, abs=1e-4)


def test_it_can_be_attached_to_any_scene() -> None:
    scene = (
        '<mujoco><option timestep="0.004" integrator="implicitfast" gravity="0 0 0"/><worldbody>'
        '<body name="shelf" pos="0 0 1"><geom type="box" size="0.1 0.1 0.01"/></body>'
        "</worldbody></mujoco>"
    )
    spec = mujoco.MjSpec.from_string(scene)
    one, two = (dataclasses.replace(SHORT, prefix=prefix) for prefix in ("one_", "two_"))
    attach(spec, one, "shelf", pos=(0, 0, 0.1))
    attach(spec, two, "world", quat=(np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    with pytest.raises(StrandError, match="prefix: got 'one_', allowed: one that no robot"):
        attach(spec, one)
    model = spec.compile()
    data = mujoco.MjData(model)
    assert model.opt.timestep == 0.004
    first, second = VineController(model, data, "one_"), VineController(model, data, "two_")
    first.set_growth(0.04)
    for _ in range(250):
        first.apply()
        second.apply()
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(first.tip, [0.36, 0, 1.1], atol=1e-5)
    np.testing.assert_allclose(second.tip, [0, 0.32, 0], atol=1e-5)


def test_mjcf_attaches_it_with_its_own_prefix(tmp_path) -> None:
    generate(dataclasses.replace(SHORT, growth="tip", obstacles=[DISC]), tmp_path / "r.xml")
    (tmp_path / "scene.xml").write_text(
        '<mujoco><asset><model name="r" file="r.xml"/></asset><worldbody><frame pos="0 1 0">'
        '<attach model="r" body="vine_plane" prefix="left_"/></frame></worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "scene.xml"))
    data = mujoco.MjData(model)
    controller = VineController(model, data, "left_vine_")
    controller.set_growth(0.1)
    controller.step(500)
    assert controller.length == pytest.approx(0.18, abs=1e-5)


@pytest.mark.parametrize("growth", ["telescoping", "tip"])
def test_the_number_of_pairs_is_the_given_one(growth: str) -> None:
    most = {"telescoping": 230, "tip": 460}[growth]
    robot = dataclasses.replace(SHORT, pairs=most, growth=growth)
    assert mujoco.MjModel.from_xml_string(robot.to_mjcf()).nq == 2 * most
    with pytest.raises(StrandError, match=f"pairs: got {most + 1}, allowed: 1 to {most}"):
        dataclasses.replace(robot, pairs=most + 1).to_mjcf()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"pairs": 0}, "pairs: got 0, allowed: an integer, at least 1"),
        ({"half_length": None}, "half_length: got None, allowed: a number, or one per pair, > 0"),
        ({"half_length": -1.0}, "half_length: got -1.0, allowed: a number, or one per pair, > 0"),
        ({"mass": [1.0, 2.0]}, "mass: got 2 numbers, allowed: one, or 4"),
        ({"inertia": np.nan}, "inertia: got nan"),
        ({"stiffness": "1"}, "stiffness: got '1'"),
        ({"diameter": 0}, "diameter: got 0, allowed: a number > 0 (m)"),
        ({"growth": "root"}, "growth: got 'root', allowed: telescoping, tip"),
        ({"start_length": 0.1}, "start_length: got 0.1, allowed: > 0.16 (m)"),
        ({"growth": "tip", "start_length": 1.0}, "start_length: got 1.0, allowed: up to 0.32 (m)"),
        ({"obstacles": [3]}, "obstacles: got 3, allowed: vine.circle(...)"),
        ({"quat": (0, 0, 0, 0)}, "quat: got (0, 0, 0, 0), allowed: four numbers, not all zero"),
        ({"friction": -1}, "friction: got -1, allowed: a number >= 0"),
    ],
)
def test_bad_descriptions_name_the_field(fields: dict, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        dataclasses.replace(SHORT, **fields).to_mjcf()
    assert str(caught.value).startswith(words)


def test_bad_commands_name_the_field() -> None:
    model, data, controller = load(SHORT)
    calls = {
        "rate: got [1, 2], allowed: 4 finite numbers (m/s)": lambda: controller.set_growth([1, 2]),
        "rate: got nan": lambda: controller.set_growth(np.nan),
        "speed: got -1": lambda: controller.retract(-1),
        "angle: got [1], allowed: 4 finite numbers (rad)": lambda: controller.steer([1]),
        "dt: got 0": lambda: controller.apply(0),
        "steps: got 0": lambda: controller.step(0),
        "prefix: got 'other_', allowed: that of a VineRobot in the model (there is no"
        " 'other_slide0')": lambda: VineController(model, data, "other_"),
        "model: got MjData": lambda: VineController(data, data),
        "data: got MjModel": lambda: VineController(model, model),
        "body: got 'no', allowed: a body of the scene": lambda: attach(
            mujoco.MjSpec(), SHORT, "no"
        ),
        "chain: got int, allowed: a vine.Chain": lambda: VineRobot.from_chain(3),
        "robot: got int": lambda: attach(mujoco.MjSpec(), 3),
    }
    for words, call in calls.items():
        with pytest.raises(StrandError) as caught:
            call()
        assert str(caught.value).startswith(words)
