"""A diverging cable is named with a remedy; a cable that only moves fast is not."""

import copy

import mujoco
import numpy as np
import pytest
from support.engine import HAS_QUADRATIC_DAMPING, needs_discrete, needs_pieces, numbered
from support.touch import FLOOR, INTEGRATORS, RUBBER, UPRIGHT, each_recipe, scene, start, steps

import strand


def hanging(
    integrator: str, timestep: float, *prefixes: str, **options
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Cables 1 m long side by side, without any option that announces the pull."""
    spec = scene(integrator, timestep)
    for i, prefix in enumerate(prefixes):
        described = {"young": 2e9, "poisson": 0.3, "radius": 0.002, "density": 1100} | options
        cable = strand.Cable(
            strand.straight(1.0, 40), start="fixed", prefix=prefix, collide=False, **described
        )
        strand.attach(spec, cable, pos=(0, i, 2), quat=UPRIGHT)
    return start(spec)


def pull(model: mujoco.MjModel, data: mujoco.MjData, prefix: str, mass: float = 50) -> None:
    """Pulls for 0.1 s with a weight on the last link and a push in the middle."""
    data.body(f"{prefix}link39").xfrc_applied[2] = -mass * 9.81
    data.body(f"{prefix}link20").xfrc_applied[0] = 0.02 * mass * 9.81
    for _ in steps(model, 0.1):
        mujoco.mj_step(model, data)


@each_recipe
def test_the_cable_that_diverges_is_named(
    integrator: str, timestep: float, engine_warnings: list[str]
) -> None:
    model, data = hanging(integrator, timestep, "left_", "right_")
    pull(model, data, "right_")
    said = [text for text in engine_warnings if "cable" in text]
    assert len(said) == 1
    assert (
        "cable 'right_rod' diverges: a joint turned by more than half a turn in a time step"
        in said[0]
    )
    assert "smaller time step" in said[0]
    assert "max_tension" in said[0]
    assert engine_warnings.index(said[0]) == 0  # before MuJoCo's own
    assert any("QACC" in text for text in engine_warnings)
    engine_warnings.clear()


@needs_discrete
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
def test_an_integrator_that_it_was_not_made_for_is_named(
    integrator: str, engine_warnings: list[str]
) -> None:
    def swung(made_for: str) -> mujoco.MjData:
        cable = strand.Cable(
            strand.straight(0.6, 24), radius=0.004, start="fixed", integrator=made_for, **RUBBER
        )
        model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
        model.opt.integrator = numbered(integrator)
        model.opt.timestep = 0.002
        data = mujoco.MjData(model)
        for _ in steps(model, 0.2):
            mujoco.mj_step(model, data)
        return data

    assert swung("implicitfast").warning.number.sum() == 0
    swung("discrete")
    said = [text for text in engine_warnings if "cable" in text]
    assert len(said) == 1 and "it was made for the integrator discrete" in said[0]
    engine_warnings.clear()


@needs_pieces  # whose cuts are constraints
@pytest.mark.parametrize("option", ['solver="CG"', 'iterations="5"'])
def test_a_solver_that_does_not_solve_is_named(option: str, engine_warnings: list[str]) -> None:
    def dropped(option: str) -> mujoco.MjData:
        spec = scene("implicitfast", 0.001, FLOOR, option=option)
        cable = strand.Cable(strand.arc(1.0, 3.0, 40), radius=0.004, **RUBBER)
        recipe = strand.attach(spec, cable, pos=(0, 0, 0.3))
        assert ("use option solver Newton" in str(recipe)) == bool(option)
        model, data = start(spec)
        for _ in steps(model, 0.4):
            mujoco.mj_step(model, data)
        return data

    assert dropped("").warning.number.sum() == 0
    dropped(option)
    said = [text for text in engine_warnings if "cable" in text]
    assert len(said) == 1 and "Use option solver Newton, iterations 100" in said[0]
    engine_warnings.clear()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_it_warns_once_per_reset(integrator: str, engine_warnings: list[str]) -> None:
    model, data = hanging(integrator, 0.002, "rope_")
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    twin = copy.copy(data)
    for _ in range(2):
        pull(model, data, "rope_")
        assert sum("'rope_rod'" in text for text in engine_warnings) == 1
        engine_warnings.clear()
        mujoco.mj_resetData(model, data)
    pull(model, twin, "rope_")  # copied earlier: another mjData gets its own warning
    assert sum("'rope_rod'" in text for text in engine_warnings) == 1
    warned = copy.copy(twin)
    engine_warnings.clear()
    mujoco.mj_step(model, warned)
    assert not any("'rope_rod'" in text for text in engine_warnings)
    engine_warnings.clear()


@each_recipe
def test_max_tension_prevents_it(integrator: str, timestep: float) -> None:
    model, data = hanging(integrator, timestep, "rope_", max_tension=50 * 9.81 * 1.1)
    pull(model, data, "rope_")
    assert data.warning.number.sum() == 0


@each_recipe
def test_a_whip_that_cracks_is_no_divergence(integrator: str, timestep: float) -> None:
    """The softest cable of the tests, released from the horizontal: its free end turns fastest."""
    spec = scene(integrator, timestep)
    soft = strand.Cable(
        strand.straight(1.0, 60), EI=1e-5, GJ=1e-5, radius=0.003, start="fixed", collide=False
    )
    strand.attach(spec, soft, pos=(0, 0, 2))
    model, data = start(spec)
    fastest = 0.0
    for _ in steps(model, 2.0):
        mujoco.mj_step(model, data)
        fastest = max(fastest, np.abs(data.qvel).max())
    assert fastest > (10 if HAS_QUADRATIC_DAMPING else 5)  # rad/s
    assert data.warning.number.sum() == 0


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_spin_about_the_axis_is_no_divergence(integrator: str, engine_warnings: list[str]) -> None:
    """A link's own spin, which quasistatic twist leaves free, is not counted; bending is."""
    model, data = hanging(integrator, 0.002, "rope_", twist="quasistatic", pieces="none")
    joint = data.joint("rope_joint20")
    joint.qvel[0] = 4 / model.opt.timestep
    mujoco.mj_forward(model, data)
    assert engine_warnings == []
    joint.qvel[:] = 0, 4 / model.opt.timestep, 0
    mujoco.mj_forward(model, data)
    assert len(engine_warnings) == 1
    engine_warnings.clear()


@each_recipe
@pytest.mark.parametrize("held", [True, False])
def test_a_weight_that_the_scene_ties_to_the_end_is_said(
    integrator: str, timestep: float, held: bool, engine_warnings: list[str]
) -> None:
    """A body that is tied to a cable which nothing holds does not hang on it."""
    spec = scene(
        integrator,
        timestep,
        '<body pos="0 0 .97"><freejoint/><site name="eye" pos="0 0 .03"/>'
        '<geom size=".02" mass="2" contype="0" conaffinity="0"/></body>',
    )
    wire = strand.Cable(
        strand.straight(1.0, 40),
        young=1e9,
        poisson=0.3,
        radius=0.001,
        density=200,
        start="fixed" if held else "free",
    )
    recipe = strand.attach(spec, wire, pos=(0, 0, 2), quat=UPRIGHT)
    spec.add_equality(
        type=mujoco.mjtEq.mjEQ_CONNECT,
        objtype=mujoco.mjtObj.mjOBJ_SITE,
        name1="cable_site_end",
        name2="eye",
        solref=recipe.hold_solref,
        solimp=recipe.hold_solimp,
    )
    mujoco.mj_step(*start(spec), 2)
    said = [text for text in engine_warnings if "what hangs on it weigh 19.6 N" in text]
    assert len(said) == len(engine_warnings) == held
    assert all("max_tension = 59 or more" in text for text in said)
    engine_warnings.clear()


@each_recipe
@pytest.mark.parametrize("pieces", ["auto", "none"])
def test_a_load_that_the_chain_does_not_carry_is_said(
    integrator: str, timestep: float, pieces: str, engine_warnings: list[str]
) -> None:
    """A body on the last link, which the generator could not know, shakes a light cable."""

    def loaded(**options: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
        spec = scene(integrator, timestep)
        wire = {"young": 1e9, "poisson": 0.3, "radius": 0.001, "density": 200, "pieces": pieces}
        cable = strand.Cable(strand.straight(1.0, 40), start="fixed", **(wire | options))
        strand.attach(spec, cable, pos=(0, 0, 2), quat=UPRIGHT)
        hook = spec.body("cable_link39").add_body(name="hook", pos=[0.025, 0, 0])
        hook.add_geom(size=[0.02, 0, 0], mass=2, contype=0, conaffinity=0)
        return start(spec)

    def run(model: mujoco.MjModel, data: mujoco.MjData) -> float:
        """The largest speed (m/s) of the hook, which starts with .3 m/s."""
        speeds = []
        data.qvel[:] = 0
        data.body("hook").xfrc_applied[0] = 6.0
        for _ in steps(model, 0.1):
            mujoco.mj_step(model, data)
        data.body("hook").xfrc_applied[0] = 0
        for _ in steps(model, 2.0):
            mujoco.mj_step(model, data)
            speeds.append(np.linalg.norm(data.body("hook").cvel[3:]))
        return float(max(speeds))

    mujoco.mj_step(*loaded(), 2)
    said = [text for text in engine_warnings if "weigh 19.6 N, but taut it is stable up to" in text]
    assert len(said) == 1 and "max_tension = 59 or more" in said[0]
    engine_warnings.clear()
    assert run(*loaded(max_tension=59)) < 0.5
    assert not engine_warnings
