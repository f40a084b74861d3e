"""Speculative contacts, which models of cables have by default: nothing sinks in within a step."""

import mujoco
import numpy as np
import pytest
from support.engine import DISCRETE, needs_speculation
from support.touch import FLOOR, RUBBER, each_recipe, lowest, scene, start, steps

import strand
from strand.mujoco_versions import SPECULATIVE

pytestmark = needs_speculation

RADIUS, BAR = 4e-3, 3e-3  # m


def enabled(option: mujoco.MjOption) -> bool:
    return bool(option.enableflags & SPECULATIVE)


def test_models_of_cables_that_collide_have_them() -> None:
    material = {"EI": 1e-3, "GJ": 1e-3, "radius": 0.004, "density": 1200}
    nodes = strand.straight(0.5, 10)
    branch = strand.Branch(strand.Cable(nodes, **material), name="arm", at=0.25, angle=1.0)
    for collide, branches in ((True, []), (False, [branch]), (False, [])):
        cable = strand.Cable(nodes, collide=collide, branches=branches, **material)
        expected = collide or bool(branches)
        model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
        assert enabled(model.opt) == expected
        assert (model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC) == expected
        spec = mujoco.MjSpec()
        recipe = strand.attach(spec, cable)
        assert enabled(spec.compile().opt) == expected
        assert ("flag speculative" in str(recipe)) == collide


def test_the_flag_is_the_scenes_to_clear() -> None:
    spec = scene("implicitfast", 0.002, FLOOR)
    strand.attach(spec, strand.Cable(strand.straight(0.5, 10), radius=0.002, **RUBBER))
    assert enabled(spec.option)
    spec.option.enableflags &= ~SPECULATIVE
    assert not enabled(spec.compile().opt)


@pytest.mark.parametrize("integrator", [DISCRETE, "implicitfast", "Euler"])
@pytest.mark.parametrize("speed", [3.0, 6.0])  # m/s; without the flag it passes above 2.5 m/s
def test_a_cable_thrown_at_a_bar_is_caught(integrator: str, speed: float) -> None:
    bar = f'<geom type="capsule" fromto="0 -.5 0 0 .5 0" size="{BAR}"/>'
    spec = scene(integrator, 0.002, bar, "0 0 0")
    cable = strand.Cable(strand.straight(0.6, 24), EI=5e-3, GJ=5e-3, radius=RADIUS, density=1200)
    strand.attach(spec, cable, pos=(-0.31, 0, 0.2))
    model, data = start(spec)
    free = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    data.qvel[free + 2] = -speed
    for _ in steps(model, 0.5 / speed):
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    nodes = strand.profile(model, data).nodes
    middle = nodes[np.abs(nodes[:, 0]) < 0.05]
    assert middle[:, 2].max() > 0.5 * (RADIUS + BAR)  # it lies over the bar
    assert nodes[[0, -1], 2].max() < -0.1


@each_recipe
@pytest.mark.parametrize("radius", (0.0007, 0.0015, 0.003, 0.006))
@pytest.mark.parametrize("height", (0.3, 0.31, 1.0))
def test_a_fall_ends_at_the_surface(
    integrator: str, timestep: float, radius: float, height: float
) -> None:
    """MuJoCo predicts contacts of what moves farther than its size in a step. What is slower may
    sink in by its radius; the steps in which contact stops it add a quarter."""
    spec = scene(integrator, timestep, FLOOR)
    cable = strand.Cable(strand.straight(0.8, 12), radius=radius, **RUBBER)
    strand.attach(spec, cable, pos=(0, 0, height + radius))
    model, data = start(spec)
    depth = 0.0
    for _ in steps(model, 0.8):
        mujoco.mj_step(model, data)
        depth = max(depth, -lowest(model, data))
    assert depth < 1.3 * radius
    assert -lowest(model, data) < 0.01 * radius
    assert data.warning.number.sum() == 0


@pytest.mark.parametrize("height, inside", [(0.003, False), (0.0005, True)])
def test_a_contact_that_is_predicted_is_not_inside(
    height: float, inside: bool, engine_warnings: list[str]
) -> None:
    """A cable that starts with a speed above the floor, or inside it."""
    radius = 0.002
    spec = scene("discrete", 0.002, FLOOR)
    strand.attach(
        spec, strand.Cable(strand.straight(0.4, 10), radius=radius, **RUBBER), pos=(0, 0, height)
    )
    model = spec.compile()
    data = mujoco.MjData(model)
    free = model.jnt_dofadr[model.jnt_type == mujoco.mjtJoint.mjJNT_FREE]
    data.qvel[free + 2] = -5
    mujoco.mj_step(model, data)
    assert data.contact.dist.min() < -0.25 * 2 * radius
    assert ["mm inside geom 'floor'" in text for text in engine_warnings] == [True] * inside
    engine_warnings.clear()
