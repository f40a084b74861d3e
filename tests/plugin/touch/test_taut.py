"""Cables under tension: stable, held at their ends, with the frequency of a string."""

import mujoco
import numpy as np
import pytest
from support.engine import needs_discrete
from support.touch import UPRIGHT, each_recipe, scene, start, steps

import strand

FREE, SLIDING = "<freejoint/>", '<joint type="slide" axis="0 0 1"/>'
WEIGHT = """<body name="weight" pos="0 0 1">{joint}
  <geom type="box" size=".05 .05 .05" pos="0 0 -.06" mass="{mass}"/></body>"""
#: how far (m) a weight of 10 kg may hang below the end of a cable of 1 mm, with steps of 2 ms
GIVE = {"discrete": 3e-4, "implicitfast": 3e-3}


def hung(
    integrator: str, timestep: float, radius: float, young: float, mass: float, joint: str = FREE
) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A weight on 1 m of cable."""
    spec = scene(integrator, timestep, WEIGHT.format(mass=mass, joint=joint))
    cable = strand.Cable(
        strand.straight(1.0, 40),
        young=young,
        poisson=0.3,
        radius=radius,
        density=1100,
        start="fixed",
        end="weld",
        end_to="weight",
        collide=False,
    )
    recipe = strand.attach(spec, cable, pos=(0, 0, 2), quat=UPRIGHT)
    assert recipe.max_tension >= mass * 9.81
    return start(spec)


@each_recipe
@pytest.mark.parametrize("mass", (1.0, 10.0, 50.0))
@pytest.mark.parametrize(
    ("radius", "young"), [(0.0005, 2e11), (0.001, 1e8), (0.002, 2e9), (0.004, 2e11)]
)
def test_a_weight_hangs_and_swings(
    integrator: str,
    timestep: float,
    radius: float,
    young: float,
    mass: float,
    engine_warnings: list[str],
) -> None:
    model, data = hung(integrator, timestep, radius, young, mass)
    middle = model.body("cable_link20").id
    gaps = []
    for _ in steps(model, 1.0):
        data.xfrc_applied[middle, 0] = 0.02 * mass * 9.81 if data.time < 0.2 else 0
        mujoco.mj_step(model, data)
        gaps.append(np.linalg.norm(data.site("cable_node40").xpos - data.body("weight").xpos))
    assert data.warning.number.sum() == 0 and not engine_warnings
    # Links are rigid; the hold yields with the square root of the load, inversely to the radius.
    give = GIVE[integrator] * timestep / 0.002 * 0.001 / radius * np.sqrt(mass / 10)
    assert np.mean(gaps[len(gaps) // 2 :]) < give
    assert np.abs(data.qvel).max() < 100


@each_recipe
def test_the_frequency_of_a_string(integrator: str, timestep: float) -> None:
    """If the step resolves it: f = sqrt(T / m) / 2 L, between a fixed end and a heavy slider."""
    radius, mass, young = 0.004, 8.0, 1e7
    model, data = hung(integrator, timestep, radius, young, mass, SLIDING)
    middle = model.body("cable_link20").id
    line = 1100 * np.pi * radius**2
    tension = mass * 9.81 + line * 9.81 / 2
    bending = young * np.pi * radius**4 / 4 / tension  # clamped ends add 2 sqrt(EI / T) / L
    expected = np.sqrt(tension / line) / 2 * (1 + 2 * np.sqrt(bending))
    places = []
    for _ in steps(model, 1.0):
        data.xfrc_applied[middle, 0] = 0.05 if data.time < 0.02 else 0
        mujoco.mj_step(model, data)
        places.append(data.xpos[middle, 0])
    swing = np.array(places[round(0.05 / timestep) :])
    swing -= swing.mean()
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    crossings = up + swing[up] / (swing[up] - swing[up + 1])
    frequency = (len(crossings) - 1) / (crossings[-1] - crossings[0]) / timestep
    assert frequency == pytest.approx(expected, rel=0.01)


@each_recipe
def test_two_arms_that_pull_too_hard(integrator: str, timestep: float) -> None:
    """Two carts are driven apart by 500 N each."""
    carts = "".join(
        f"""<body name="{name}" pos="{x} 0 1"><joint name="{name}" type="slide" axis="1 0 0"/>
          <geom type="box" size=".05 .05 .05" pos="{shift} 0 0" mass="51"/></body>"""
        for name, x, shift in (("left", 0, -0.06), ("right", 1, 0.06))
    )
    spec = scene(integrator, timestep, carts)
    for name in ("left", "right"):
        spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    cable = strand.Cable(
        strand.straight(1.0, 40),
        young=2e9,
        poisson=0.3,
        radius=0.002,
        start="weld",
        start_to="left",
        end="weld",
        end_to="right",
    )
    strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    for _ in steps(model, 2.0):
        data.ctrl[:] = np.array([-500, 500]) * min(1.0, data.time)
        mujoco.mj_step(model, data)
    assert data.warning.number.sum() == 0
    apart = data.body("right").xpos[0] - data.body("left").xpos[0]
    assert apart == pytest.approx(1.0, abs=0.01)
    assert np.abs(data.qvel).max() < 5


@needs_discrete
@pytest.mark.parametrize("timestep", [0.001, 0.002])
@pytest.mark.parametrize("pieces", ["auto", "none"])
@pytest.mark.parametrize("pull, shakes", [(0.00005, False), (0.001, True)])
def test_ends_that_are_moved_apart_too_far(
    timestep: float, pieces: str, pull: float, shakes: bool, engine_warnings: list[str]
) -> None:
    """Links do not stretch, and holds hardly do: a millimetre too far shakes the cable."""
    cable = strand.Cable(
        strand.straight(1.0, 40),
        young=1e8,
        poisson=0.45,
        radius=0.004,
        density=1200,
        start="mocap",
        end="mocap",
        pieces=pieces,
    )
    spec = scene("discrete", timestep)
    strand.attach(spec, cable, pos=(0, 0, 1))
    model, data = start(spec)
    speeds = []
    for _ in steps(model, 2.0):
        data.mocap_pos[-1, 0] = 1 + pull * min(1.0, 2 * data.time)
        mujoco.mj_step(model, data)
        speeds.append(np.abs(data.qvel).max())
    said = [text for text in engine_warnings if "cable 'cable_rod' is pulled with" in text]
    assert len(said) == shakes
    assert (max(speeds[len(speeds) // 2 :]) > 20) == shakes
    engine_warnings.clear()


def test_max_tension_is_an_option() -> None:
    spec = scene("implicitfast", 0.002)
    cable = strand.Cable(strand.straight(1.0, 40), EI=1e-2, GJ=1e-2, max_tension=123.0)
    recipe = strand.attach(spec, cable)
    assert recipe.max_tension == 123
    assert "stable up to 123 N of tension (max_tension)" in str(recipe)
