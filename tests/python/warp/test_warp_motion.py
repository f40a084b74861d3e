"""Motion on MuJoCo Warp against C, worlds that do not disturb each other, and their reset."""

import dataclasses

import mujoco
import numpy as np
import pytest
from support.warp import RUN_TO_RUN, needs_warp
from warp_cables import BOX, LAW, ROUND, bent, cable, load, ring

import strand
import strand.warp
from strand.mujoco_versions import HAS_DISCRETE

pytestmark = [needs_warp, pytest.mark.slow]
STEPS = 200
FLOOR = '<geom type="plane" size="5 5 0.1" pos="0 0 -0.05"/>'

MOVING = {
    "one tree": cable(ROUND, strand.straight(1, 20), start="fixed"),
    "free": cable(BOX, strand.straight(1, 20)),
    "pieces": cable(ROUND, start="fixed"),
    "pieces, box": cable(BOX, strand.arc(1, 2, 30), start="fixed"),
    "long": cable(ROUND, strand.straight(1, 60), start="fixed"),
    "both ends": cable(ROUND, strand.arc(1, 2, 20), start="fixed", end="fixed"),
    "ring": ring(ROUND),
    "implicitfast": cable(ROUND, strand.straight(1, 20), start="fixed", integrator="implicitfast"),
    "quasistatic": cable(ROUND, strand.straight(1, 20), start="fixed", twist="quasistatic"),
    "quasistatic, box": cable(BOX, strand.arc(1, 2, 20), start="fixed", twist="quasistatic"),
    "MuJoCo 3's law": cable(ROUND, strand.straight(1, 20), start="fixed", keys=LAW),
}


def run(model: mujoco.MjModel, data: mujoco.MjData) -> strand.Profile:
    mujoco.mj_step(model, data, STEPS)
    return strand.profile(model, data)


@pytest.mark.parametrize("kind", MOVING)
def test_motion_is_that_of_c(kind: str) -> None:
    """Within 5e-6 of the length with the same constants, 1e-4 with those of the model.

    With Euler, the motion of a cable that falls taut between two ends depends on how soft they are.
    """
    model = load(MOVING[kind])
    worlds = strand.warp.put(model, 2)
    worlds.step(STEPS)
    nodes = worlds.nodes()[1]
    references = [(strand.warp.softened(model), 5e-6), (model, 1e-4)]
    if kind == "both ends" and not HAS_DISCRETE:
        references = [(strand.warp.softened(model), 1e-4)]
    for reference, tolerance in references:
        data = mujoco.MjData(reference)
        profile = run(reference, data)
        length = profile.node_arclength[-1]
        assert np.abs(nodes - profile.nodes).max() < tolerance * length
    if kind != "free":
        assert np.abs(nodes - MOVING[kind].nodes).max() > 0.01 * length


def test_a_cable_falls_on_the_floor_as_in_c() -> None:
    for links in (20, 24):
        text = cable(ROUND, strand.straight(1, links)).to_mjcf()
        text = text.replace("<worldbody>", f"<worldbody>{FLOOR}", 1)
        model = mujoco.MjModel.from_xml_string(text)
        worlds = strand.warp.put(model, 1)
        worlds.step(STEPS)
        data = mujoco.MjData(model)
        assert worlds.nodes()[0] == pytest.approx(run(model, data).nodes, abs=1e-4)
        assert data.ncon > links


def test_turns_are_counted_as_in_c() -> None:
    """A torque turns the end of a soft cable by several turns."""
    soft = {"EI": 0.1, "GJ": 1e-4, "radius": 0.01}
    model = load(cable(soft, strand.straight(1, 12), start="fixed", gravity=(0, 0, 0)))
    data = mujoco.MjData(model)
    data.xfrc_applied[model.body("cable_link11").id, 3] = 0.16
    mujoco.mj_forward(model, data)
    worlds = strand.warp.put(model, 2, data=data)
    worlds.step(STEPS)
    profile = run(model, data)
    assert profile.twist.sum() > 3 * 2 * np.pi
    assert profile.twist.max() > np.pi
    assert worlds.twists()[0] == pytest.approx(profile.twist, rel=1e-4)


#: With Euler and its own step it diverges from the state of `start`, in C, too.
STIFF = cable(BOX, start="fixed", timestep=None if HAS_DISCRETE else 5e-4)


def start() -> tuple[strand.warp.Worlds, mujoco.MjModel, mujoco.MjData]:
    model = load(STIFF)
    data = bent(model, 0.01, 1)
    return strand.warp.put(model, 4, data=data), model, data


def state(worlds: strand.warp.Worlds) -> list[np.ndarray]:
    return [worlds.d.qpos.numpy().copy(), worlds.d.qvel.numpy().copy(), worlds.twists()]


def push(worlds: strand.warp.Worlds, world: int) -> None:
    velocity = worlds.d.qvel.numpy()
    velocity[world, 3] += 1.0
    worlds.d.qvel.assign(velocity)


def test_worlds_do_not_disturb_each_other() -> None:
    quiet, disturbed = start()[0], start()[0]
    push(disturbed, 3)
    disturbed.cables.scale(EI=(1, 1, 2, 1))
    for worlds in (quiet, disturbed):
        worlds.step(20)
    for before, after in zip(state(quiet), state(disturbed), strict=True):
        run_to_run = 3 * RUN_TO_RUN * float(np.abs(before[:2]).max())  # some of it is amplified
        assert after[:2] == pytest.approx(before[:2], abs=max(1e-7, run_to_run))
        assert np.abs(after[2:] - before[2:]).max(axis=1).min() > 1e-4


def test_reset_of_one_world() -> None:
    worlds, _, _ = start()
    worlds.step(5)
    before = state(worlds)
    strand.warp.reset(worlds, np.arange(4) == 3)
    after = state(worlds)
    for old, new in zip(before, after, strict=True):
        assert np.array_equal(old[:3], new[:3])
    fresh = strand.warp.put(load(STIFF), 1)
    for new, expected in zip(after, state(fresh), strict=True):
        assert new[3] == pytest.approx(expected[0], abs=1e-6)
    assert np.abs(before[2][3]).max() > 5 > np.abs(after[2][3]).max()


def test_a_reset_world_runs_like_a_new_one() -> None:
    worlds, fresh = start()[0], strand.warp.put(load(STIFF), 1)
    worlds.step(5)
    worlds.reset([False, False, False, True])
    for each in (worlds, fresh):
        each.step(20)
    assert worlds.nodes()[3] == pytest.approx(fresh.nodes()[0], abs=1e-6)


def test_a_world_that_diverges_leaves_the_others() -> None:
    worlds, quiet = start()[0], start()[0]
    position = worlds.d.qpos.numpy()
    position[2] = np.nan
    worlds.d.qpos.assign(position)
    for each in (worlds, quiet):
        each.step(5)
    others = [0, 1, 3]
    assert np.abs(worlds.nodes()[others] - quiet.nodes()[others]).max() <= RUN_TO_RUN
    assert np.isfinite(worlds.twists()).all()  # of the history, so that a reset suffices
    worlds.reset([False, False, True, False])
    worlds.step(5)
    assert np.isfinite(worlds.nodes()).all()


def test_a_softened_model_is_a_copy() -> None:
    model = load(cable(ROUND, end="mocap"))
    own = model.eq_solimp.copy(), model.eq_data.copy(), model.geom_solimp.copy()
    soft = strand.warp.softened(model)
    assert soft.eq_solimp[:, :2].max() == 0.99 == soft.geom_solimp[:, 1].max()
    assert (soft.eq_data[:, 10] == 1).all()
    changed = model.eq_solimp, model.eq_data, model.geom_solimp
    assert all(np.array_equal(a, b) for a, b in zip(own, changed, strict=True))


def test_several_cables_have_places_of_their_own() -> None:
    text = cable(ROUND, strand.straight(1, 8), start="fixed").to_mjcf()
    spec = mujoco.MjSpec.from_string(text)
    other = dataclasses.replace(cable(BOX, strand.straight(0.5, 6)), prefix="other_", pos=(0, 1, 0))
    strand.attach(spec, other)
    model = spec.compile()
    worlds = strand.warp.put(model, 2, GJ=2.0)
    worlds.cables.scale(EI=(1, 3), cable="other_rod")
    assert worlds.cables.names == ["cable_rod", "other_rod"]
    assert worlds.cables.factors()[0].tolist() == [[1, 1], [1, 3]]
    assert worlds.nodes(1).shape == (2, 7, 3)
    assert worlds.nodes("other_rod")[0, 0] == pytest.approx((0, 1, 0), abs=1e-6)
