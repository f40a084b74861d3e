"""Flat cables, far stiffer about one axis than about the other, swing about the softer one as fast
and with as much damping as they should, whatever stabilises the stiffer one."""

import mujoco
import numpy as np
import pytest
from support.touch import each_recipe, scene, start, steps

import strand

LENGTH, LINKS, MASS = 0.2, 20, 0.05
EI = 0.04  #: N m^2, about the softer axis


def swing(spec: mujoco.MjSpec, stiffer: float, soft: str, **options) -> tuple[float, float]:
    """Angular frequency (rad/s) and damping ratio of a small mass on the end of a cantilever that
    is released, with `stiffer` times EI about the other axis."""
    body = spec.worldbody.add_body(name="mass", pos=(LENGTH, 0, 0))
    body.add_freejoint()
    body.add_geom(size=(0.005, 0, 0), mass=MASS, contype=0, conaffinity=0)
    cable = strand.Cable(
        strand.straight(LENGTH, LINKS),
        EI=(EI, stiffer * EI) if soft == "y" else (stiffer * EI, EI),
        GJ=EI,
        radius=0.002,
        normal=(0, 1, 0) if soft == "y" else (0, 0, -1),
        start="fixed",
        end="weld",
        end_to="mass",
        collide=False,
        **options,
    )
    strand.attach(spec, cable)
    model, data = start(spec)
    height = []
    for _ in steps(model, 2.0):
        mujoco.mj_step(model, data)
        height.append(data.body("mass").xpos[2])
    above = np.array(height) + MASS * 9.81 * LENGTH**3 / (3 * EI)
    peaks = np.flatnonzero((above[1:-1] > above[:-2]) & (above[1:-1] >= above[2:])) + 1
    period = np.diff(peaks).mean() * model.opt.timestep
    decay = np.log(above[peaks[0]] / above[peaks[-1]]) / (len(peaks) - 1)
    return 2 * np.pi / period, decay / (2 * np.pi)


EXPECTED = np.sqrt(3 * EI / LENGTH**3 / MASS)  #: rad/s; the cable weighs a two hundredth


@each_recipe
@pytest.mark.parametrize("soft", ["y", "z"])
@pytest.mark.parametrize("stiffer", [4, 25, 400])
def test_it_swings_about_its_softer_axis(
    integrator: str, timestep: float, soft: str, stiffer: float
) -> None:
    """Damping is that of backward Euler. The stiffness across counts as inertia, twice if the
    integrator is not `discrete`: that is what the recipe says, and why it names smaller steps."""
    frequency, damping = swing(scene(integrator, timestep), stiffer, soft)
    inertia = (1 if integrator == "discrete" else 2) * (timestep * EXPECTED) ** 2 * stiffer
    slowed = EXPECTED / np.sqrt(1 + inertia)
    assert frequency == pytest.approx(slowed, rel=0.02)
    assert 0 < damping < 1.1 * timestep * EXPECTED / 2


@each_recipe
def test_damping_ratio_and_loss_time_are_those_about_the_softer_axis(
    integrator: str, timestep: float
) -> None:
    loss_time = 0.2 / EXPECTED  # it contains what the step damps
    _, damping = swing(scene(integrator, timestep), 25, "y", loss_time=loss_time)
    assert damping == pytest.approx(0.1, rel=0.2)


def test_the_recipe_says_by_how_much_the_step_slows_it() -> None:
    def text(width: float, timestep: float) -> str:
        ribbon = strand.Cable(
            strand.straight(LENGTH, LINKS),
            section="box",
            width=width,
            height=0.001,
            young=2e9,
            poisson=0.3,
            density=1400,
            start="fixed",
            timestep=timestep,
        )
        return ribbon.recipe().text

    said = text(0.02, 0.002)
    assert "slowed, its first mode by" in said
    step = float(said.split("(steps of ")[1].split(" ms")[0])
    assert "slowed" not in text(0.02, 0.9e-3 * step)
    assert "slowed" not in text(0.0015, 0.002)
