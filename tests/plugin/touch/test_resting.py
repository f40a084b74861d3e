"""Objects resting on a cable, and a falling cable: none sinks in."""

import mujoco
import numpy as np
import pytest
from support.touch import FLOOR, RUBBER, each_recipe, lowest, scene, start, steps

import strand


@each_recipe
@pytest.mark.parametrize("radius", (0.001, 0.0025, 0.004, 0.005, 0.01))
@pytest.mark.parametrize("height", (0.3, 0.304))  # impacts at other times within a step
def test_a_dropped_cable_stops_at_the_floor(
    integrator: str, timestep: float, radius: float, height: float
) -> None:
    spec = scene(integrator, timestep, FLOOR)
    cable = strand.Cable(strand.straight(1.0, 20), radius=radius, **RUBBER)
    strand.attach(spec, cable, pos=(0, 0, height + radius))
    model, data = start(spec)
    speed = np.sqrt(2 * 9.81 * height)
    deepest = 0.0
    for _ in steps(model, 1.0):
        mujoco.mj_step(model, data)
        deepest = max(deepest, -lowest(model, data))
    # The depth of one step's motion occurs before there is a contact.
    assert deepest < speed * timestep + 0.1 * radius
    assert -lowest(model, data) < 0.01 * radius
    assert np.abs(data.qvel).max() < 0.01
    assert data.warning.number.sum() == 0


@each_recipe
@pytest.mark.parametrize(("radius", "load"), [(0.001, 8.0), (0.004, 1.0), (0.004, 32.0)])
def test_a_box_stands_on_two_cables(
    integrator: str, timestep: float, radius: float, load: float
) -> None:
    """Up to 1 kg on the length of a link."""
    box = f"""<body name="box" pos="0 0 {2 * radius + 0.05}"><freejoint/>
      <geom type="box" size=".2 .1 .05" mass="{load}"/></body>"""
    spec = scene(integrator, timestep, FLOOR + box)
    for prefix, y in (("a_", -0.05), ("b_", 0.05)):
        cable = strand.Cable(strand.straight(1.0, 40), radius=radius, prefix=prefix, **RUBBER)
        strand.attach(spec, cable, pos=(-0.5, y, radius))
    model, data = start(spec)
    mujoco.mj_step(model, data, len(steps(model, 1.0)))
    below = data.body("box").xpos[2] - 0.05
    assert below == pytest.approx(2 * radius, abs=0.1 * radius)
    assert data.warning.number.sum() == 0


def test_geoms_are_named_and_the_recipe_reports_their_softness() -> None:
    spec = scene("implicitfast", 0.002, FLOOR)
    cable = strand.Cable(strand.straight(1.0, 10), radius=0.01, **RUBBER)
    recipe = strand.attach(spec, cable, pos=(0, 0, 0.01))
    model, _ = start(spec)
    geom = model.geom("cable_geom3")
    assert geom.bodyid[0] == model.body("cable_link3").id
    assert geom.solref == pytest.approx(recipe.contact_solref)
    assert geom.solimp == pytest.approx(recipe.contact_solimp)
    assert geom.priority[0] == 1
    assert "solref 0.004 2.739, solimp 0.1 0.9999" in str(recipe) and "cone elliptic" in str(recipe)
    assert "solver Newton" not in str(recipe)
    assert spec.option.tolerance == 1e-12
    spec = scene("implicitfast", 0.002, FLOOR, option='solver="CG"')
    assert "use option solver Newton" in str(strand.attach(spec, cable, pos=(0, 0, 0.01)))


def test_a_thin_box_section_has_names_for_each_of_its_geoms() -> None:
    cable = strand.Cable(
        strand.straight(1.0, 4), section="ellipse", width=0.02, height=0.01, EI=1, GJ=1
    )
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf())
    for suffix in ("", "_lower", "_upper"):
        assert model.geom(f"cable_geom0{suffix}").bodyid[0] == model.body("cable_link0").id
