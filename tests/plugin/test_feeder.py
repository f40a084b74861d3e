"""Cables that are fed out of a guide and back in, against statics, balances and closed forms."""

import copy
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from support.engine import DISCRETE, needs_discrete, numbered

import strand
from strand import Cable, StrandError
from strand.mujoco_versions import HAS_DISCRETE

G = 9.81
DOWN, ALONG = (0.0, 0, -1), (1.0, 0, 0)
SERVO = 1e5  # N s/m
BEST = "discrete" if HAS_DISCRETE else "implicitfast"  # Euler does not bear such a servo


def winch(
    links: int,
    length: float,
    fed: float,
    *,
    towards: tuple[float, float, float] = DOWN,
    EI: float = 1e-3,
    load: float = 5.0,
    timestep: float = 2e-3,
    integrator: str | None = None,
    servo: float = SERVO,
    gravity: float = -G,
    free: bool = False,
    **options: object,
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable out of the world or a free body, with a load on its end and a velocity servo."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = timestep, [0, 0, gravity]
    spec.option.integrator = numbered(integrator or BEST)
    if free:
        drone = spec.worldbody.add_body(name="drone")
        drone.add_freejoint()
        drone.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.2, 0.2, 0.05], mass=2, contype=0, conaffinity=0
        )
    nodes = np.linspace(0, length, links + 1)[:, None] * towards
    stiffness = {} if "young" in options else {"EI": EI, "GJ": 0.8 * EI}
    given = stiffness | dict(radius=0.004, density=1500, start="feed", fed=fed) | options
    strand.attach(spec, Cable(nodes, **given), body="drone" if free else "world")
    end = spec.body(f"cable_link{links - 1}").add_body(name="load", pos=[length / links, 0, 0])
    ball = end.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.05, 0, 0], mass=load)
    ball.contype = ball.conaffinity = 0
    drive = spec.add_actuator(target="cable_feed", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.set_to_velocity(kv=servo)
    model = spec.compile()
    return model, mujoco.MjData(model)


def there_and_back(speed: float, seconds: float) -> Callable[[float], float]:
    """This speed for half of the time, and the opposite one, with ramps of .5 s."""

    def at(time: float) -> float:
        half, sign = seconds / 2, 1 if time < seconds / 2 else -1
        since = time % half
        return sign * speed * min(2 * since, 2 * (half - since), 1)

    return at


def drive_force(model: mujoco.MjModel, data: mujoco.MjData, dof: int) -> float:
    """What actuators and constraints exerted on a joint in the last step (N)."""
    momentum = np.empty(model.nv)
    mujoco.mj_mulM(model, data, momentum, data.qacc)
    return float(momentum[dof] + data.qfrc_bias[dof] - data.qfrc_passive[dof])


def test_the_tension_of_a_winch_is_continuous_both_ways() -> None:
    """20 m through 60 nodes: the force at the mouth carries and accelerates what is outside."""
    model, data = winch(60, 20.0, 2.0)
    feeder = strand.Feeder(model, data)
    per_length, seconds = feeder.mass / feeder.length, 18.0
    speed = there_and_back(2.0, seconds)
    forces, expected, work, fed = [], [], 0.0, []
    while data.time < seconds:
        data.ctrl[0] = speed(data.time)
        length, before = feeder.length, feeder.speed
        mujoco.mj_step(model, data)
        dof = model.joint("cable_feed").dofadr[0]
        work += drive_force(model, data, dof) * (before + feeder.speed) / 2 * model.opt.timestep
        acceleration = data.qacc[dof]
        feeder.update()
        forces.append(feeder.force)
        expected.append((per_length * length + 5) * (G - acceleration))
        fed.append(length)
        total = model.body_mass.sum()
        assert total == pytest.approx(5 + 20 * per_length, rel=1e-9)
        assert model.dof_armature[dof] == pytest.approx(
            per_length * (20 - feeder.length), abs=0.01 * per_length
        )
    assert max(fed) > 15 and min(fed) == pytest.approx(2, abs=1e-3)
    np.testing.assert_allclose(forces[5:], expected[5:], rtol=1e-3)
    assert feeder.length == pytest.approx(2, abs=0.02)
    assert abs(work) < 1e-3 * (5 * G * 14)  # down and up again
    assert not any(warning.number for warning in data.warning)


def cantilever(links: int, fed: float, integrator: str | None = None) -> tuple[float, float]:
    """Deflection and feed force of a loaded horizontal cantilever, by those of a slender beam."""
    EI, load = 2.0, 0.02
    model, data = winch(
        links, 1.0, fed, towards=ALONG, EI=EI, load=load, integrator=integrator, radius=0.003,
        density=300, loss_time=0.05, servo=0.0,
    )  # fmt: skip
    model.dof_damping[model.joint("cable_feed").dofadr] = 1e5
    feeder = strand.Feeder(model, data)
    for _ in range(2000):
        mujoco.mj_step(model, data)
        feeder.update()
    weight, S = feeder.mass / feeder.length * G, feeder.length
    deflection = load * G * S**3 / (3 * EI) + weight * S**4 / (8 * EI)
    moment = load * G * S + weight * S**2 / 2
    tip = data.xpos[model.body("load").id, 2]
    return -tip / deflection, feeder.force / (moment**2 / (2 * EI))


@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "Euler"])
def test_a_fed_cantilever_bends_as_one_of_its_length(integrator: str) -> None:
    """At any length, also between nodes; second order in the length of links."""
    for fed in (0.31, 0.45, 0.4625):
        errors = [abs(cantilever(links, fed, integrator)[0] - 1) for links in (10, 20, 40)]
        assert errors[0] < 0.09 and errors[1] < 0.025 and errors[2] < 0.007, (fed, errors)


def test_a_bent_cable_pushes_itself_out_of_the_guide() -> None:
    """By M^2 / (2 EI), to first order in the length of links."""
    for fed in (0.6, 0.61, 0.645):
        force = cantilever(40, fed)[1]
        assert force == pytest.approx(1, abs=0.09), fed


def test_forces_are_the_gradient_of_the_energy() -> None:
    """Also by the length outside, which changes the stiffness of the joints at the mouth."""
    model, data = winch(8, 0.8, 0.44, EI=0.3, load=0.1, gravity=0.0)
    feeder = strand.Feeder(model, data)
    random = np.random.default_rng(2)
    free = [0, 1, 2, 3, *range(4 + 3 * 3, model.nv)]  # the joints inside do not turn
    turns = np.zeros(model.nv)
    turns[free] = 0.2 * random.standard_normal(len(free))
    turns[3] = 0.013
    start = data.qpos.copy()

    def energy(step: np.ndarray) -> float:
        data.qpos[:] = start
        mujoco.mj_integratePos(model, data.qpos, turns, 1)
        mujoco.mj_integratePos(model, data.qpos, step, 1)
        mujoco.mj_forward(model, data)
        return strand.energy(model, data)

    energy(np.zeros(model.nv))
    assert feeder.length == pytest.approx(0.453)
    force = data.qfrc_passive.copy()
    scale = np.abs(force).max()
    for dof in free:
        step = 1e-5 * np.eye(model.nv)[dof]
        slope = (energy(step) - energy(-step)) / 2e-5
        assert force[dof] == pytest.approx(-slope, abs=1e-6 * scale), dof
    assert abs(force[3]) > 0.1


def test_a_cable_leaves_and_enters_the_guide_without_popping() -> None:
    """Fed slowly, the end of a stiff cable follows the statics of its length."""
    model, data = winch(
        20, 1.0, 0.3, towards=ALONG, EI=2.0, load=0.02, density=300, loss_time=0.005, radius=0.003
    )
    feeder = strand.Feeder(model, data)
    for _ in range(1500):
        mujoco.mj_step(model, data)
        feeder.update()
    lengths, tips = [], []
    speed = there_and_back(0.1, 6.0)
    begin = data.time
    while data.time < begin + 6:
        data.ctrl[0] = speed(data.time - begin)
        mujoco.mj_step(model, data)
        feeder.update()
        lengths.append(feeder.length)
        tips.append(data.xpos[model.body("load").id, 2])
    half = len(tips) // 2
    out, back = np.array([lengths[:half], tips[:half]]), np.array([lengths[half:], tips[half:]])
    again = np.interp(out[0, 200:], back[0, ::-1], back[1, ::-1])
    assert np.ptp(lengths) > 0.2
    assert np.abs(again - out[1, 200:]).max() < 0.03 * np.abs(tips).max()
    assert np.abs(np.diff(tips, 2)).max() < 3e-4 * np.abs(tips).max()


def outside_energy(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Kinetic, elastic and potential energy; what is inside is at the height of the mouth, 0."""
    mujoco.mj_forward(model, data)
    momentum = np.empty(model.nv)
    mujoco.mj_mulM(model, data, momentum, data.qvel)
    potential = G * model.body_mass @ data.xipos[:, 2]
    return float(momentum @ data.qvel / 2 + potential + strand.energy(model, data))


@needs_discrete
def test_hoisting_a_swinging_load_keeps_the_energy() -> None:
    model, data = winch(40, 4.0, 3.0, load=0.2, EI=1e-4, damping=0.0, whip_damping=0.0)
    model.dof_damping[:] = 0
    feeder = strand.Feeder(model, data)
    data.qvel[1] = 0.3 * np.sqrt(G / 3)
    start = outside_energy(model, data)
    speed, work, seconds = there_and_back(-0.6, 7.0), 0.0, 7.0
    dof = model.joint("cable_feed").dofadr[0]
    exchanged, worst, widest = 0.0, 0.0, 0.0
    while data.time < seconds:
        data.ctrl[0], before = speed(data.time), feeder.speed
        mujoco.mj_step(model, data)
        work += drive_force(model, data, dof) * (before + feeder.speed) / 2 * model.opt.timestep
        feeder.update()
        exchanged = max(exchanged, abs(work))
        worst = max(worst, abs(outside_energy(model, data) - start - work))
        widest = max(widest, abs(data.xpos[model.body("load").id, 0]))
    assert exchanged > 3 and widest > 0.5
    assert worst < 0.02 * exchanged


def test_a_hoisted_pendulum_swings_as_one_of_varying_length() -> None:
    """Against L a'' + 2 L' a' + g sin a = 0; the core has the same test."""
    model, data = winch(40, 4.0, 3.0, load=1.0, EI=1e-5, density=100, radius=0.002, max_tension=20)
    feeder, speed = strand.Feeder(model, data), there_and_back(-0.4, 7.0)
    data.qvel[1] = rate = 0.3 * np.sqrt(G / 3)
    times, places, lengths = [], [], []
    while data.time < 7:
        data.ctrl[0] = speed(data.time)
        mujoco.mj_step(model, data)
        feeder.update()
        times.append(data.time)
        places.append(data.xpos[model.body("load").id, 0])
        lengths.append(feeder.length)

    def swing(time: float, state: np.ndarray) -> list[float]:
        length = np.interp(time, times, lengths)
        turns = 2 * speed(time) * state[1] + G * np.sin(state[0])
        return [state[1], -turns / length]

    found = solve_ivp(swing, (0, 7), [0, rate], t_eval=times[:-1], rtol=1e-8, max_step=0.01)
    expected = -np.array(lengths[:-1]) * np.sin(found.y[0])
    assert np.ptp(lengths) > 1
    np.testing.assert_allclose(places[:-1], expected, atol=0.02 * np.abs(expected).max())


def test_a_free_reel_keeps_its_momentum() -> None:
    """A body that pays a cable out moves the other way, and its weight does not change."""
    model, data = winch(12, 1.2, 0.2, free=True, gravity=0.0, load=0.3, servo=1e3)
    feeder = strand.Feeder(model, data)
    data.qvel[3:6] = [0.1, 0.4, 0.0]
    mujoco.mj_forward(model, data)

    def momentum() -> np.ndarray:
        mujoco.mj_subtreeVel(model, data)
        mujoco.mj_comPos(model, data)
        return model.body_subtreemass[0] * data.subtree_linvel[0]

    mujoco.mj_forward(model, data)
    start, mass = momentum().copy(), model.body_mass.sum()
    while feeder.length < 0.8 and data.time < 5:
        data.ctrl[0] = 0.3 * min(data.time, 1)
        mujoco.mj_step(model, data)
        feeder.update()
    mujoco.mj_forward(model, data)
    assert feeder.length >= 0.8
    assert model.body_mass.sum() == pytest.approx(mass, rel=1e-9)
    assert np.abs(momentum() - start).max() < 0.01 * mass * 0.3


@needs_discrete
def test_what_lies_on_the_floor_does_not_pull() -> None:
    """The force at the mouth is the weight of what hangs; a drum on an equality is the drive."""
    spec = mujoco.MjSpec.from_string(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body name='drum' pos='0 1 1'>"
        "<joint name='drum' axis='0 1 0' damping='50'/><geom size='.1'/></body></worldbody>"
        "</mujoco>"
    )
    spec.option.integrator, spec.option.timestep = numbered(BEST), 2e-3
    nodes = np.linspace(0, 2, 81)[:, None] * DOWN + [0, 0, 0.5]
    rope = Cable(nodes, EI=1e-4, GJ=1e-4, radius=0.004, density=1500, start="feed", fed=0.4)
    strand.attach(spec, rope)
    wound = spec.add_equality(type=mujoco.mjtEq.mjEQ_JOINT, objtype=mujoco.mjtObj.mjOBJ_JOINT)
    wound.name1, wound.name2 = "cable_feed", "drum"
    wound.data[:2], wound.solref[:2], wound.solimp[:2] = [0, 0.1], [0.004, 1], [0.999, 0.9999]
    drive = spec.add_actuator(target="drum", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    drive.set_to_velocity(kv=1e4)
    model = spec.compile()
    data = mujoco.MjData(model)
    feeder = strand.Feeder(model, data)
    while data.time < 6:
        data.ctrl[0] = 3.0 if data.time < 3 else 0.0
        mujoco.mj_step(model, data)
        feeder.update()
    assert feeder.length == pytest.approx(1.3, abs=0.02)
    hanging = 0.5 * feeder.mass / feeder.length * G
    assert feeder.force == pytest.approx(hanging, rel=0.05)  # 5 % are the bend at the floor


def test_links_inside_neither_collide_nor_show() -> None:
    model, data = winch(10, 1.0, 0.45, load=0.1)
    feeder = strand.Feeder(model, data)
    geoms = [model.body(f"cable_link{k}").geomadr[0] for k in range(10)]
    np.testing.assert_array_equal(model.geom_contype[geoms], [0] * 6 + [1] * 4)
    np.testing.assert_array_equal(model.geom_rgba[geoms, 3] > 0, [False] * 5 + [True] * 5)
    data.qpos[model.joint("cable_feed").qposadr] = 0.95
    feeder.prepare()
    np.testing.assert_array_equal(model.geom_contype[geoms], [0] + [1] * 9)
    bodies = model.geom_bodyid[geoms]
    np.testing.assert_allclose(model.body_ipos[bodies[1:], 0], 0.05)  # of whole links
    mujoco.mj_resetData(model, data)
    feeder.prepare()
    np.testing.assert_array_equal(model.geom_contype[geoms], [0] * 6 + [1] * 4)


def test_a_state_is_taken_up_again_bitwise() -> None:
    model, data = winch(10, 1.0, 0.45, load=0.1)
    feeder = strand.Feeder(model, data)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))

    def run(steps: int) -> np.ndarray:
        for _ in range(steps):
            data.ctrl[0] = 0.4
            mujoco.mj_step(model, data)
            feeder.update()
        return np.concatenate([data.qpos, data.qvel])

    run(300)
    mujoco.mj_getState(model, data, state, kind)
    once = run(300)
    mujoco.mj_setState(model, data, state, kind)
    feeder.prepare()
    np.testing.assert_array_equal(run(300), once)


def test_a_second_feeder_and_another_stiffness_do_not_add_up() -> None:
    model, data = winch(10, 1.0, 0.45, load=0.1)
    strand.Feeder(model, data)
    once = [model.jnt_stiffness.copy(), model.dof_armature.copy(), model.body_mass.copy()]
    strand.Feeder(model, data)
    for before, field in zip(once, ("jnt_stiffness", "dof_armature", "body_mass"), strict=True):
        np.testing.assert_allclose(getattr(model, field), before, rtol=1e-12)
    strand.set_material(model, data, EI=100.0)
    feeder = strand.Feeder(model, data)
    for _ in range(500):
        data.ctrl[0] = 0.5
        mujoco.mj_step(model, data)
        feeder.update()
    assert not any(warning.number for warning in data.warning)


@pytest.mark.parametrize("drum", [0.0, 0.3])
@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast"])
def test_a_copy_of_a_model_that_feeds_goes_on_like_it(drum: float, integrator: str) -> None:
    model, data = winch(20, 1.0, 0.45, load=0.1, integrator=integrator)
    model.dof_armature[model.joint("cable_feed").dofadr] += drum
    feeder = strand.Feeder(model, data)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))

    def run(model, data, feeder) -> np.ndarray:
        for _ in range(500):
            data.ctrl[0] = 0.3
            mujoco.mj_step(model, data)
            feeder.update()
        return np.concatenate([data.qpos, data.qvel, [feeder.force]])

    run(model, data, feeder)
    mujoco.mj_getState(model, data, state, kind)
    copied = copy.copy(model)
    other = mujoco.MjData(copied)
    mujoco.mj_setState(copied, other, state, kind)
    expected = run(model, data, feeder)
    np.testing.assert_allclose(
        run(copied, other, strand.Feeder(copied, other)), expected, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("timestep", [1e-3, 1e-2])
@pytest.mark.parametrize("young", [1e7, 1e9, 1e11])
def test_stiff_and_soft_cables_are_fed_stably(young: float, timestep: float) -> None:
    given = dict(young=young, poisson=0.3, radius=0.002, max_tension=5)
    model, data = winch(20, 1.0, 0.3, load=0.05, timestep=timestep, towards=ALONG, **given)
    feeder = strand.Feeder(model, data)
    speed = there_and_back(0.4, 4.0)
    while data.time < 4:
        data.ctrl[0] = speed(data.time)
        mujoco.mj_step(model, data)
        feeder.update()
    assert not any(warning.number for warning in data.warning)
    assert feeder.length == pytest.approx(0.3, abs=0.02)
    assert np.isfinite(data.qpos).all()


def test_feeding_faster_than_a_link_a_step_is_an_error() -> None:
    model, data = winch(10, 1.0, 0.45)
    feeder = strand.Feeder(model, data)
    data.qpos[model.joint("cable_feed").qposadr] += 0.11
    with pytest.raises(StrandError, match=r"feed: got 0\.11 m in a step, allowed: .* \(0\.1 m\)"):
        feeder.update()


def test_a_model_without_a_feeder_warns(engine_warnings: list[str]) -> None:
    model, data = winch(10, 1.0, 0.45)
    mujoco.mj_step(model, data, 2)
    assert "nothing holds the links inside: make a strand.Feeder" in engine_warnings.pop()


def test_only_fed_cables_have_a_feeder() -> None:
    cable = Cable(strand.straight(1, 10), EI=0.01, GJ=0.01, start="fixed")
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    with pytest.raises(StrandError, match="cable: got 0, allowed: a cable with start = feed"):
        strand.Feeder(model, mujoco.MjData(model))


def test_rollouts_refuse_fed_cables() -> None:
    model, _ = winch(10, 1.0, 0.45)
    with pytest.raises(StrandError, match="model: got the cable 'cable_rod' with start = feed"):
        strand.rollout(model, worlds=2, steps=10)


def test_the_damping_of_fed_cables_is_refused() -> None:
    """A Feeder would undo the change, link by link."""
    model, data = winch(20, 2.0, 1.0)
    before = model.dof_damping.copy()
    with pytest.raises(StrandError, match=r"cable: got 0 with start = feed, allowed: .* not fed"):
        strand.set_damping(model, data, 2.0)
    np.testing.assert_array_equal(model.dof_damping, before)


def test_bodies_on_links_that_go_inside_are_refused() -> None:
    spec = mujoco.MjSpec()
    strand.attach(spec, Cable(strand.straight(1, 10), EI=0.01, GJ=0.01, start="feed", fed=0.5))
    spec.body("cable_link7").add_body(name="hook").add_geom(size=[0.02, 0, 0])
    model = spec.compile()
    with pytest.raises(StrandError, match="cable: got body 'hook' on link 'cable_link7', allowed"):
        strand.Feeder(model, mujoco.MjData(model))


BENT = [[0, 0, 0], [0.1, 0, 0], [0.2, 0.05, 0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fed": 0.05}, r"fed: got '0\.05', allowed: 0\.1 to 1 \(m\)"),
        ({"fed": 1.2}, r"fed: got '1\.2', allowed: 0\.1 to 1 \(m\)"),
        (
            {"nodes": BENT},
            "nodes: got 'a bend or unequal links', allowed: a straight line of equal",
        ),
        ({"radius": [0.004, 0.005]}, "start: got 'feed of a cable that varies"),
        ({"pieces": 6}, "pieces: got '6', allowed: auto or none with start = feed"),
        ({"root": "middle"}, "root: got 'middle', allowed: auto or end with start = feed"),
        ({"twist": "quasistatic"}, "twist: got 'quasistatic', allowed: dynamic or auto"),
        ({"curvature": "smooth"}, "curvature: got 'smooth', allowed: angle, tangent or auto"),
        ({"clamp": "link"}, "clamp: got 'link', allowed: node with start = feed"),
        ({"skin": True}, "skin: got 'true', allowed: false with start = feed"),
        ({"yield_stress": 1e8}, "start: got 'feed of a cable that yields"),
        ({"start": "fixed", "fed": 0.5}, "fed: got '0.5', allowed: nothing without start = feed"),
        ({"start": "free", "end": "feed"}, "end: got 'feed', allowed: feed at the start only"),
        ({"end": "fixed"}, "end: got 'fixed', allowed: free, ball or pin with start = feed"),
        ({"end": "mocap"}, "end: got 'mocap', allowed: free, ball or pin with start = feed"),
        ({"end": "weld", "end_to": "box"}, "end: got 'weld', allowed: free, ball or pin with"),
    ],
)
def test_what_cannot_be_fed_is_named(options: dict[str, object], message: str) -> None:
    given = {"nodes": strand.straight(1.0, 10), "EI": 0.01, "GJ": 0.01, "start": "feed"} | options
    with pytest.raises(StrandError, match=message):
        Cable(**given)
