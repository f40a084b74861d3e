"""A cable that is dragged along the floor pulls with its friction, and its links stay on the floor.

MuJoCo's friction is associated: it would part surfaces that slide, so that links hop, and the hand
that holds the end would feel several times the friction.
"""

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, RUBBER, STICKY, each_recipe, scene, start, steps

import strand

FRICTION, LENGTH = 0.5, 1.0
RAMP, FIRST, END = 0.5, 0.6, 0.8  #: s: the hand's start, and when forces are averaged
ROUND = {"radius": 0.004}
STRIP = {"section": "box", "width": 0.012, "height": 0.003}
UPRIGHT = {"section": "box", "width": 0.003, "height": 0.012}


def dragging_force(
    integrator: str, timestep: float, speed: float, option: str = STICKY, **cable: object
) -> float:
    """Mean force along the cable while a hand pulls it, in multiples of the friction mu N. The hand
    carries some of the weight: it holds its end as high as that of a cable on a rigid floor."""
    thickness = cable.get("height") or 2 * cable["radius"]
    spec = scene(integrator, timestep, FLOOR, option=option)
    shape = strand.straight(LENGTH, int(cable.pop("links", 40)))
    rope = strand.Cable(shape, friction=FRICTION, start="mocap", **RUBBER, **cable)
    strand.attach(spec, rope, pos=(0, 0, thickness / 2))
    model, data = start(spec)
    hold, forces = model.equality("cable_hold_start").id, []
    for _ in steps(model, END):
        data.mocap_pos[0, 0] -= speed * timestep * min(1, data.time / RAMP)
        mujoco.mj_step(model, data)
        if data.time > FIRST:
            forces.append(data.efc_force[: data.ne][data.efc_id[: data.ne] == hold][:3])
    assert data.warning.number.sum() == 0
    along, _, lifted = np.abs(np.mean(forces, axis=0))
    weight = 9.81 * model.body_mass.sum()
    assert lifted < 0.055 * weight
    return along / (FRICTION * (weight - lifted))


@each_recipe
@pytest.mark.parametrize(
    "cable",
    [ROUND, {**ROUND, "links": 20}, {"radius": 0.01}, STRIP, UPRIGHT],
    ids=["4", "20 links", "10", "strip", "upright"],
)
def test_a_dragged_cable_pulls_with_its_friction(
    integrator: str, timestep: float, cable: dict
) -> None:
    for speed in (0.02, 0.1, 0.5, 3):
        assert dragging_force(integrator, timestep, speed, **cable) == pytest.approx(1, abs=1e-3)


@each_recipe
@pytest.mark.parametrize("links", (10, 20, 40))
@pytest.mark.parametrize("acceleration", (6.0, 15.0, 30.0))
def test_a_hand_that_accelerates(
    integrator: str, timestep: float, links: int, acceleration: float
) -> None:
    """The links stay on the floor, and the hand feels friction and inertia. It carries half of the
    first link, whose weight does not rub."""
    spec = scene(integrator, timestep, FLOOR, option=STICKY)
    shape = strand.straight(LENGTH, links)
    rope = strand.Cable(shape, friction=FRICTION, start="mocap", **RUBBER, **ROUND)
    strand.attach(spec, rope, pos=(0, 0, ROUND["radius"]))
    model, data = start(spec)
    hold, forces = model.equality("cable_hold_start").id, []
    highest = 0.0
    for _ in steps(model, 3.0 / acceleration):
        data.mocap_pos[0, 0] -= acceleration * data.time * timestep
        mujoco.mj_step(model, data)
        highest = max(highest, data.geom_xpos[1:, 2].max())
        if data.time > 0.03:
            forces.append(data.efc_force[: data.ne][data.efc_id[: data.ne] == hold][:3])
    along, _, lifted = np.abs(np.mean(forces, axis=0))
    mass = model.body_mass.sum()
    expected = FRICTION * (9.81 * mass - lifted) + mass * acceleration
    assert along == pytest.approx(expected, rel=0.003)
    assert highest < 1.06 * ROUND["radius"]


@each_recipe
def test_dragging_a_thin_cable(integrator: str, timestep: float) -> None:
    for radius in (1e-4, 5e-4):
        force = dragging_force(integrator, timestep, 0.1, radius=radius)
        assert force == pytest.approx(1, abs=1e-3)


@each_recipe
def test_with_the_options_of_a_plain_scene(integrator: str, timestep: float) -> None:
    """With pyramids as friction cones, and as soft along the surface as into it."""
    force = dragging_force(integrator, timestep, 0.5, option="", **ROUND)
    assert force == pytest.approx(1, abs=0.03)


def thrown(
    integrator: str, timestep: float, axis: int, speed: float
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable that lay on the floor and slides along an axis of the world."""
    spec = scene(integrator, timestep, FLOOR, option=STICKY)
    rope = strand.Cable(strand.straight(LENGTH, 40), friction=FRICTION, **ROUND, **RUBBER)
    strand.attach(spec, rope, pos=(0, 0, 0.004))
    model, data = start(spec)
    for _ in steps(model, 0.2):
        mujoco.mj_step(model, data)
    pieces = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    data.qvel[pieces + axis] = speed
    return model, data


@each_recipe
@pytest.mark.parametrize("speed", (1.0, 5.0))
def test_a_thrown_cable_is_slowed_by_its_friction(
    integrator: str, timestep: float, speed: float
) -> None:
    """Along itself it slides; no link leaves the floor."""
    model, data = thrown(integrator, timestep, 0, speed)
    capsules = model.geom_type == mujoco.mjtGeom.mjGEOM_CAPSULE
    speeds, highest = [], 0.0
    for _ in steps(model, 0.15):
        mujoco.mj_step(model, data)
        mujoco.mj_subtreeVel(model, data)
        speeds.append(data.subtree_linvel[0, 0])
        highest = max(highest, data.geom_xpos[capsules, 2].max())
    first = len(steps(model, 0.05))  # by which the jump of the velocity is forgotten
    slowed = (speeds[first] - speeds[-1]) / (timestep * (len(speeds) - 1 - first))
    assert slowed == pytest.approx(FRICTION * 9.81, rel=0.01)
    assert highest < 0.004 + 5e-5


@each_recipe
def test_a_cable_pushed_sideways_ends_up_rolling(integrator: str, timestep: float) -> None:
    """At two thirds of its speed, as a cylinder that slides at first."""
    model, data = thrown(integrator, timestep, 1, 0.3)
    for _ in steps(model, 0.08):  # it slides for .02 s
        mujoco.mj_step(model, data)
    mujoco.mj_subtreeVel(model, data)
    assert data.subtree_linvel[0, 1] == pytest.approx(0.2, rel=0.01)
