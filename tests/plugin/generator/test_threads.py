"""Threads: links with less inertia than MuJoCo accepts."""

import mujoco
import numpy as np
import pytest
from support import cables
from support.engine import needs_discrete

import strand
from strand import StrandError

LEAST = 1e-14 if mujoco.mj_version() >= 4000000 else 1e-12  # kg m^2
YOUNG, POISSON, RHO, LOSS = 1e9, 0.4, 1200.0, 0.1


def thread(radius: float, length: float, links: int = 20, **fields) -> strand.Cable:
    own = {"young": YOUNG, "poisson": POISSON, "density": RHO, "loss_time": LOSS}
    nodes = strand.straight(length, links)
    return strand.Cable(nodes, radius=radius, start="fixed", collide=False, **(own | fields))


@pytest.mark.parametrize("radius", (5e-5, 1e-4))
@pytest.mark.parametrize("ends", ({}, {"end": "mocap", "root": "middle"}))
def test_mass_is_exact_and_the_recipe_reports_raised_inertia(radius: float, ends: dict) -> None:
    described = thread(radius, 0.06, **ends)
    model, data = cables.load(described)
    mass = RHO * np.pi * radius**2 * 0.06
    assert model.body_mass.sum() == pytest.approx(mass, rel=1e-12)
    bodies = cables.link_bodies(model)
    assert model.body_inertia[bodies].min() == LEAST
    factor = LEAST / (mass / 20 * radius**2 / 2)
    assert f"raised up to {factor:.3g} times, to the {LEAST:.0e} kg m^2" in str(described.recipe())
    scene = mujoco.MjSpec()
    assert "raised up to" in str(strand.attach(scene, described))
    attached = scene.compile()
    assert attached.body_mass.sum() == pytest.approx(mass, rel=1e-12)
    cables.run(model, data, 0.3)
    assert np.isfinite(data.qpos).all()


def test_the_inertia_of_ordinary_cables_is_not_raised() -> None:
    assert "raised" not in str(thread(0.003, 0.6).recipe())


@needs_discrete
@pytest.mark.parametrize("radius", (5e-5, 1e-4))
def test_at_rest_it_hangs_like_a_cable_a_hundred_times_larger(radius: float) -> None:
    """With equal q L^3 / EI both have the same shape: the raised inertia adds no weight."""
    length, scale = 0.06, 100
    shapes = []
    for size in (1, scale):
        # q L^3 / EI is proportional to rho g L^3 / (E r^2).
        described = thread(radius * size, length * size, young=YOUNG * size, twist="quasistatic")
        model, data = cables.load(described)
        cables.settle(model, data, seconds=300, speed=1e-7)
        nodes = [data.site(f"cable_node{k}").xpos for k in range(21)]
        shapes.append(np.array(nodes) / (length * size))
    assert -shapes[0][-1, 2] > 0.05
    assert np.abs(shapes[0] - shapes[1]).max() < 1e-4


def test_links_lighter_than_any_body() -> None:
    with pytest.raises(StrandError, match=r"density: got 'a link of .* kg', allowed: .* at least"):
        thread(1e-7, 0.001).to_mjcf()


def test_a_thread_too_stiff_for_its_weight_and_step() -> None:
    stiff = thread(1e-4, 0.06, young=1e16, integrator="implicitfast", timestep=1e-3)
    with pytest.raises(StrandError, match=r"timestep: got '0.001.* with implicitfast, .*armature"):
        stiff.to_mjcf()
    with pytest.raises(StrandError, match="timestep: got"):
        stiff.timestep = None
        stiff.to_mjcf()
