"""Recipes: integrator, step and numerical stiffness, reported as text and present in the model."""

import mujoco
import pytest
from support import cables
from support.engine import DISCRETE, needs_discrete

import strand
from strand.mujoco_versions import BEST_INTEGRATOR, HAS_DISCRETE

NODES = strand.straight(1.0, 20)


def make(**fields) -> strand.Cable:
    return strand.Cable(
        NODES, **({"EI": 0.5, "GJ": 0.3, "start": "fixed", "curvature": "angle"} | fields)
    )


@pytest.mark.parametrize("integrator", ("auto", DISCRETE, "Euler", "implicit", "implicitfast"))
@pytest.mark.parametrize("stabilize", (True, False))
def test_recipe_is_in_the_model_and_in_words(integrator: str, stabilize: bool) -> None:
    described = make(
        integrator=integrator, stabilize=stabilize, damping=0.01, timestep=0.001, pieces="none"
    )
    model, _ = cables.load(described)
    recipe = described.recipe()
    text = str(recipe)
    chosen = BEST_INTEGRATOR if integrator == "auto" else integrator
    lacks = f" (MuJoCo {mujoco.mj_versionString()} has no discrete)"
    said = chosen + (lacks if integrator == "auto" and not HAS_DISCRETE else "")
    assert f"root at link 0; twist dynamic; curvature angle; integrator {said}, step 1 ms" in text
    assert (recipe.root, recipe.twist, recipe.integrator) == (0, "dynamic", chosen)
    assert recipe.timestep == model.opt.timestep
    joint = model.joint("cable_joint5")
    bend = 0.5 / 0.05
    discrete = chosen == "discrete"
    assert joint.stiffness[0] == pytest.approx(bend if stabilize else 0)
    assert joint.damping[0] == pytest.approx(0.01, rel=1e-12) or not HAS_DISCRETE
    if stabilize and not discrete:
        inertia = 2 * 0.001 * (joint.damping[0] + 0.001 * bend)
        assert inertia <= joint.armature[0] < 1.2 * inertia  # and that of the tension
        assert "armature of backward Euler" in text
    else:
        assert joint.armature[0] == 0
    if not stabilize:
        assert "a small step" in text


@needs_discrete
@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
def test_numerical_stiffness_is_the_larger_of_bending_and_twisting(twist: str) -> None:
    for GJ, stiffness in ((2.0, 2.0), (0.3, 0.5)):
        model, _ = cables.load(make(GJ=GJ, twist=twist))
        assert model.joint("cable_joint5").stiffness[0] == pytest.approx(stiffness / 0.05)


def test_the_default_step_is_the_recommended_one() -> None:
    recommended = cables.load(make())[0].opt.timestep
    assert 1e-5 < recommended <= 0.002
    finer = strand.Cable(strand.straight(1.0, 80), 0.5, 0.3, start="fixed")
    assert cables.load(finer)[0].opt.timestep < recommended
    assert "are recommended" not in str(make(timestep=recommended).recipe())
    coarse = make(timestep=2 * recommended).recipe()
    assert "are recommended" in str(coarse)
    assert (coarse.timestep, coarse.recommended_timestep) == (2 * recommended, recommended)


@pytest.mark.parametrize("integrator", (DISCRETE, "implicitfast", "Euler"))
def test_a_stiff_cable_takes_the_recommended_step(integrator: str) -> None:
    """An undamped steel cable falls and swings; with stabilize=False it diverges."""
    fields = {"EI": None, "GJ": None, "young": 2e11, "poisson": 0.3, "radius": 0.002}
    described = make(density=7800, integrator=integrator, **fields)
    model, data = cables.load(described)
    mujoco.mj_step(model, data, 500)
    assert data.warning.number.sum() == 0
    assert strand.energy(model, data) < model.body_mass.sum() * 9.81
    described.stabilize = False
    model, data = cables.load(described)
    mujoco.set_mju_user_warning(lambda text: None)
    mujoco.mj_step(model, data, 500)
    assert data.warning.number.sum() > 0
