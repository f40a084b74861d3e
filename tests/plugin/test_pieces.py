"""Cables that are cut through links into several kinematic trees behave as in one tree."""

import dataclasses

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from support import cables, differences
from support.engine import DISCRETE, needs_discrete, needs_pieces, numbered

import strand
from strand import StrandError

pytestmark = needs_pieces

MATERIAL = {"young": 1e8, "poisson": 0.4, "radius": 0.004, "density": 1100.0}
each_integrator = pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast"])
PLAIN = {"stabilize": False, "whip_damping": 0.0, "collide": False}


def cable(nodes: np.ndarray, pieces: str | int = 4, **fields) -> strand.Cable:
    return strand.Cable(nodes, pieces=pieces, **(MATERIAL | fields))


def cuts(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Distances (m) between the halves of the links that are cut."""
    gaps = []
    for equality in range(model.neq):
        if "_cut" not in model.eq(equality).name:
            continue
        bodies = model.eq_obj1id[equality], model.eq_obj2id[equality]
        anchor = model.eq_data[equality][:3]
        near, far = (data.xpos[b] + data.xmat[b].reshape(3, 3) @ anchor for b in bodies)
        gaps.append(np.linalg.norm(near - far))
    return np.array(gaps)


def test_links_keep_their_names_geoms_sites_and_mass() -> None:
    nodes = strand.arc(1.0, 1.0, 21)
    model, data = cables.load(cable(nodes, start="fixed"))
    whole, _ = cables.load(cable(nodes, "none", start="fixed"))
    names = [model.eq(e).name.removeprefix("cable_") for e in range(model.neq)]
    assert names == ["cut4", "cut8", "cut13", "cut17"]
    held, _ = cables.load(cable(nodes, start="fixed", end="mocap"))
    names = [held.eq(e).name.removeprefix("cable_") for e in range(held.neq)]
    assert names == ["cut4", "give4", "cut8", "cut13", "give13", "cut17", "give17", "hold_end"]
    assert data.xpos[cables.link_bodies(model)] == pytest.approx(nodes[:-1], abs=1e-12)
    for kind in ("geom", "site"):
        names = [
            [getattr(m, kind)(i).name for i in range(getattr(m, f"n{kind}"))]
            for m in (model, whole)
        ]
        assert sorted(name for name in names[0] if "_far" not in name) == sorted(names[1])
    far = model.body("cable_link4_far")
    assert model.geom("cable_geom4_far").bodyid == far.id  # against drag: does not collide
    assert not model.geom("cable_geom4_far").contype + model.geom("cable_geom4_far").conaffinity
    assert far.mass[0] == pytest.approx(whole.body("cable_link4").mass[0] / 3)
    for of_one, of_other in zip(
        cables.total_inertia(model, data),
        cables.total_inertia(whole, cables.load(cable(nodes, "none", start="fixed"))[1]),
        strict=True,
    ):
        np.testing.assert_allclose(of_one, of_other, rtol=1e-12, atol=1e-15)


SHAPES = {
    "straight": strand.straight(1.0, 15),
    "arc": strand.arc(1.0, 2.0, 15),
    "helix": strand.helix(0.1, 0.1, 2, 16),
}
SECTIONS = {
    "circle": {},
    "box": {"section": "box", "width": 0.01, "height": 0.004},
}


@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
@pytest.mark.parametrize("rest", ("drawn", "straight"))
@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_torque_is_minus_the_gradient(shape: str, section: str, rest: str, twist: str) -> None:
    """Also if the halves of a link are moved apart and turned against each other."""
    described = cable(
        SHAPES[shape],
        twist=twist,
        rest=rest,
        rest_twist=0.7,
        start="fixed",
        **SECTIONS[section],
        **PLAIN,
    )
    model, data = cables.load(described)
    differences.disturb(model, data, seed=3)
    mujoco.mj_kinematics(model, data)
    assert cuts(model, data).min() > 0.01
    expected = differences.force(model, data)
    assert differences.relative_error(differences.torque(model, data), expected) < 1e-6


@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
@pytest.mark.parametrize(("links", "pieces"), [(6, 6), (7, 3), (24, 8), (25, 4)])
def test_the_torque_of_a_ring_is_minus_the_gradient(links: int, pieces: int, twist: str) -> None:
    described = cable(
        strand.ring(0.2, links),
        pieces,
        closed=True,
        twist=twist,
        rest="straight",
        rest_twist=0.5,
        **PLAIN,
    )
    model, data = cables.load(described)
    assert data.xpos[cables.link_bodies(model)] == pytest.approx(described.nodes[:-1], abs=1e-12)
    differences.disturb(model, data, seed=links)
    expected = differences.force(model, data)
    assert differences.relative_error(differences.torque(model, data), expected) < 1e-6


RESTING = {
    "cantilever": {"nodes": strand.straight(1.0, 24), "start": "fixed"},
    "pinned": {"nodes": strand.arc(1.0, 1.0, 24), "start": "ball", "end": "mocap"},
    "helix": {"nodes": strand.helix(0.05, 0.05, 2, 24), "start": "fixed"},
    "arch": {"nodes": strand.arc(1.0, 3.0, 24), "start": "fixed", "end": "fixed"},
    "mixed": {"nodes": strand.arc(1.0, 1.0, 24), "start": "mocap", "twist": "quasistatic"},
    "box": {
        "nodes": strand.arc(1.0, 1.0, 24),
        "start": "fixed",
        "loss_time": 3.0,  # of its softer axis, to settle in time about the stiffer one, too
        **SECTIONS["box"],
    },
}


@each_integrator
@pytest.mark.parametrize("name", RESTING)
def test_it_rests_where_a_single_tree_does(name: str, integrator: str) -> None:
    profiles = []
    fields = {"collide": False, "loss_time": 0.3, "integrator": integrator} | RESTING[name]
    for pieces in (5, "none"):
        described = cable(pieces=pieces, **fields)
        model, data = cables.load(described)
        cables.settle(model, data, seconds=60, speed=1e-8)
        profiles.append(strand.profile(model, data))
        if pieces != "none":
            assert cuts(model, data).max() < 1e-4 / 24
    split, whole = profiles
    assert np.abs(split.nodes - whole.nodes).max() < 1e-5
    assert split.energy == pytest.approx(whole.energy, rel=1e-4)
    scale = np.abs(whole.moment).max()
    np.testing.assert_allclose(split.moment, whole.moment, atol=1e-3 * scale)
    for force in ("force", "start_force", "end_force"):
        np.testing.assert_allclose(getattr(split, force), getattr(whole, force), atol=2e-4)
    for moment in ("start_moment", "end_moment"):
        np.testing.assert_allclose(getattr(split, moment), getattr(whole, moment), atol=2e-4)


@each_integrator
def test_the_tension_of_a_hanging_cable_is_the_weight_below(integrator: str) -> None:
    described = cable(
        strand.straight(1.0, 24),
        start="fixed",
        loss_time=0.1,
        integrator=integrator,
        quat=(np.sqrt(0.5), 0, np.sqrt(0.5), 0),
        pos=(0, 0, 2),
    )
    model, data = cables.load(described)
    cables.settle(model, data)
    weight = 9.81 * model.body_mass.sum()
    below = 1 - np.arange(25) / 24
    assert strand.profile(model, data).tension == pytest.approx(weight * below, abs=1e-6 * weight)


@each_integrator
def test_six_turns_pass_through_twenty_cuts(integrator: str) -> None:
    described = cable(
        strand.straight(1.0, 63),
        3,
        start="fixed",
        end="mocap",
        gravity=(0, 0, 0),
        loss_time=0.1,
        collide=False,
        max_tension=1.0,
        integrator=integrator,
        shear=1e8,
        poisson=None,
    )
    model, data = cables.load(described)
    assert sum("_cut" in model.eq(e).name for e in range(model.neq)) == 20
    turns = 0.0
    while turns < 6:
        turns += model.opt.timestep
        half = np.pi * turns
        data.mocap_quat[0] = [np.cos(half), np.sin(half), 0, 0]
        mujoco.mj_step(model, data)
    cables.settle(model, data, data.time + 30)
    GJ = 1e8 * np.pi / 2 * described.radius**4
    assert strand.readout(model, data).twist == pytest.approx(12 * np.pi, rel=1e-3)
    torque = strand.profile(model, data).torque
    assert torque == pytest.approx(np.full(len(torque), 12 * np.pi * GJ), rel=1e-2)


@each_integrator
@pytest.mark.parametrize("fluid", [(1000.0, 1e-3, 0.0), (1.2, 1.8e-5, 10.0), (0.0, 5.0, 0.0)])
def test_a_fluid_acts_on_every_link_once(
    fluid: tuple[float, float, float], integrator: str
) -> None:
    """MuJoCo's drag on a falling cable, in water, wind and syrup."""
    ends = []
    for pieces in (5, "none"):
        spec = mujoco.MjSpec()
        option = spec.option
        option.integrator = numbered(integrator)
        option.density, option.viscosity, option.wind[1] = fluid
        strand.attach(spec, cable(strand.straight(1.0, 30), pieces, whip_damping=0.0))
        model = spec.compile()
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 100)
        ends.append(strand.profile(model, data).nodes)
    moved = np.abs(ends[1] - strand.straight(1.0, 30)).max()
    assert moved > 4e-3
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-3 * moved)


@each_integrator
@pytest.mark.parametrize("links", (24, 48))
def test_it_vibrates_like_a_single_tree(links: int, integrator: str) -> None:
    """The periods of the first three bending modes of a cantilever, by the spectrum of its tip."""
    periods = []
    for pieces in (8, "none"):
        described = cable(
            strand.straight(0.3, links),
            pieces,
            start="fixed",
            collide=False,
            gravity=(0, 0, 0),
            timestep=4e-4,
            integrator=integrator,
            whip_damping=0.0,
        )
        model, data = cables.load(described)
        last, end, tip = data.body(f"cable_link{links - 1}"), data.site("cable_site_end"), []
        for step in range(7500):
            last.xfrc_applied[2] = 1e-3 * (step < 5)
            mujoco.mj_step(model, data)
            tip.append(end.xpos[2])
        periods.append(_peaks(np.array(tip) * np.hanning(len(tip)), model.opt.timestep))
    assert periods[0] == pytest.approx(periods[1], rel=2e-3)


def _peaks(signal: np.ndarray, timestep: float) -> np.ndarray:
    """The three lowest frequencies (Hz) of a signal, by parabolas through the spectrum's peaks."""
    spectrum = np.log(np.abs(np.fft.rfft(signal, 8 * len(signal))) + 1e-300)
    inner = spectrum[1:-1]
    tops = np.flatnonzero((inner > spectrum[:-2]) & (inner > spectrum[2:])) + 1
    tops = [
        top for top in tops if spectrum[top] > spectrum[max(0, top - 40) : top + 40].max() - 1e-9
    ]
    strongest = sorted(tops, key=lambda top: -spectrum[top])[:3]
    found = []
    for top in sorted(strongest):
        a, b, c = spectrum[top - 1 : top + 2]
        found.append((top + (a - c) / (2 * (a - 2 * b + c))) / (8 * len(signal) * timestep))
    return np.array(found)


@pytest.mark.parametrize("floor", (False, True))
@pytest.mark.parametrize(
    ("integrator", "timestep"),
    [
        pytest.param("discrete", 0.001, marks=needs_discrete),
        pytest.param("discrete", 0.01, marks=needs_discrete),
        ("implicitfast", 0.0005),
        ("implicitfast", 0.001),
    ],
)
@pytest.mark.parametrize("young", (5e6, 1e9))
def test_long_cables_are_stable(
    young: float, timestep: float, floor: bool, integrator: str
) -> None:
    described = cable(
        strand.straight(1.0, 100),
        8,
        young=young,
        timestep=timestep,
        integrator=integrator,
        start="free" if floor else "fixed",
        pos=(0, 0, 0.3),
    )
    extra = '<geom type="plane" size="3 3 .1"/>' if floor else ""
    model, data = cables.load(described, extra)
    mujoco.mj_step(model, data, round(2 / timestep))
    assert data.warning.number.sum() == 0
    if floor:
        heights = data.geom_xpos[model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE, 2]
        assert heights == pytest.approx(np.full(100, 0.004), abs=4e-5)


def test_copies_and_rollouts_are_exact() -> None:
    model, data = cables.load(cable(strand.straight(1.0, 24), start="fixed", twist="dynamic"))
    mujoco.mj_step(model, data, 50)
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_WARMSTART
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    mujoco.mj_step(model, data, 20)
    again = mujoco.MjData(model)
    mujoco.mj_setState(model, again, state, kind)
    mujoco.mj_step(model, again, 20)
    np.testing.assert_array_equal(again.qpos, data.qpos)
    np.testing.assert_array_equal(again.plugin_state, data.plugin_state)


def test_the_hand_holds_only_the_first_piece() -> None:
    scene = mujoco.MjSpec.from_string(
        '<mujoco><option integrator="implicitfast"/><worldbody><body name="arm">'
        '<joint axis="0 1 0"/><geom size=".05"/></body></worldbody></mujoco>'
    )
    chosen = strand.attach(scene, cable(strand.straight(1.0, 40), 8, start="fixed"), "arm")
    assert chosen.pieces == 8
    model = scene.compile()
    roots = [model.body_rootid[body] for body in cables.link_bodies(model)]
    arm = model.body("arm").id
    assert roots.count(arm) == 9 and roots[:9] == [arm] * 9
    assert len(set(roots)) == 5


def test_auto_splits_where_that_is_faster_or_more_stable() -> None:
    def chosen(links: int, **fields) -> int:
        return cable(strand.straight(1.0, links), "auto", **fields).recipe().pieces

    assert chosen(11) == 0 and chosen(12) == 5
    assert chosen(11, start="fixed") == 0 and chosen(12, start="fixed") == 5
    assert chosen(7, start="fixed", end="mocap") == 0
    assert chosen(8, start="fixed", end="mocap") == 4 and chosen(17, start="mocap", end="ball") == 5
    assert chosen(24, start="fixed", end="mocap", collide=False) == 8
    assert chosen(50, collide=False) == 0
    assert chosen(50, start="fixed", collide=False) == 8
    assert chosen(200, root="middle") == 0
    assert chosen(200, integrator="implicitfast") == 5
    assert chosen(23, integrator="implicit") == 0 and chosen(24, integrator="implicit") == 5
    assert chosen(50, start="fixed", max_tension=1000.0, radius=0.0005) == 0


def test_the_choice_is_said() -> None:
    described = cable(strand.straight(1.0, 50), "auto", start="fixed")
    assert "trees of 5 links" in str(described.recipe())
    taut = dataclasses.replace(described, max_tension=1000.0, radius=0.0005)
    assert "tension would open the cuts" in str(taut.recipe())
    assert "which tension opens by" in str(dataclasses.replace(taut, pieces=8).recipe())


@pytest.mark.parametrize("pieces", (1, 0, -3, 2.5, "many", True))
def test_a_bad_value_is_named(pieces: object) -> None:
    with pytest.raises(StrandError, match=r"pieces: got .*allowed: auto, none, or an integer >= 2"):
        cable(strand.straight(1.0, 10), pieces)


def test_rk4_needs_one_tree() -> None:
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    words = r"pieces: got '5 with RK4', allowed: auto or none; pieces need .* another integrator"
    with pytest.raises(StrandError, match=words):
        strand.attach(spec, cable(strand.straight(1.0, 10), 5))
    assert strand.attach(spec, cable(strand.straight(1.0, 50), "auto")).pieces == 0


@pytest.mark.parametrize("links", (3, 4, 5, 6, 7, 1000))
def test_any_number_of_links(links: int) -> None:
    model, data = cables.load(cable(strand.straight(0.01 * links, links), 2, start="fixed"))
    mujoco.mj_step(model, data, 3)
    assert data.warning.number.sum() == 0
    assert strand.profile(model, data).nodes.shape == (links + 1, 3)


def test_long_cables_are_cut_although_their_cuts_open() -> None:
    """One tree of 300 links takes forty times as long. It hangs in damped rest."""
    down = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    described = strand.Cable(
        strand.straight(1.0, 300),
        young=1e7,
        poisson=0.4,
        radius=0.003,
        density=1100,
        start="fixed",
        quat=down,
        timestep=0.005,
        damping_ratio=0.5,
    )
    recipe = described.recipe()
    assert recipe.pieces == 5
    assert "which tension opens by up to" in str(recipe)
    model, data = cables.load(described)
    cables.run(model, data, 3.0)
    assert -1.0005 < strand.profile(model, data).nodes[-1, 2] < -1


@pytest.mark.parametrize("how", ["eq_active", "equality", "constraint"])
def test_cuts_that_are_switched_off_are_reported(how: str, engine_warnings: list[str]) -> None:
    """A cable comes apart there; letting go of an end alone is no fault."""
    model, data = cables.load(
        cable(strand.straight(0.4, 20), start="weld", start_to="world", collide=False)
    )
    assert len(cuts(model, data)) > 0
    data.eq_active[model.eq("cable_hold_start").id] = 0
    mujoco.mj_step(model, data, 20)
    assert engine_warnings == []
    if how == "eq_active":
        data.eq_active[:] = 0
    else:
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{how.upper()}")
    mujoco.mj_step(model, data, 30)
    (warning,) = engine_warnings
    assert "cable 'cable_rod' comes apart: equality 'cable_" in warning
    assert "_cut" in warning
    engine_warnings.clear()


@needs_discrete
def test_discrete_without_springs_is_reported(engine_warnings: list[str]) -> None:
    """The integrator stabilises cables by the joints' springs."""
    model, _ = cables.load(cable(strand.straight(0.4, 20), start="fixed"))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SPRING
    mujoco.mj_step(model, mujoco.MjData(model), 2)
    assert "option flag spring disables" in engine_warnings[0]
    engine_warnings.clear()
