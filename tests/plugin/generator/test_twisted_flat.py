"""Flat sections that are twisted within a link: the recipe says how much too stiffly they bend."""

import re

import mujoco
import numpy as np
import pytest

import strand

LENGTH = 0.4  # m


def flat(links: int, turns: float, **options) -> strand.Cable:
    size = {"section": "box", "width": 0.012, "height": 0.003}  # 16 times as stiff across
    return strand.Cable(
        strand.straight(LENGTH, links),
        **size,
        young=2e7,
        poisson=0.4,
        density=300,
        start="fixed",
        rest_twist=2 * np.pi * turns,
        **options,
    )


@pytest.mark.parametrize(
    ("links", "turns", "factor"), [(20, 1, 1.4), (20, 0.5, None), (40, 1, None), (40, 2, 1.4)]
)
def test_the_recipe_says_how_much_too_stiff(links: int, turns: float, factor: float | None) -> None:
    found = re.search(
        r"as if ([\d.]+) times as stiff \(with (\d+) links", str(flat(links, turns).recipe())
    )
    if factor is None:
        assert found is None or float(found[1]) <= 1.1
        return
    assert found is not None
    assert float(found[1]) == factor
    finer = str(flat(int(found[2]), turns).recipe())
    assert "times as stiff" not in finer


@pytest.mark.parametrize(("links", "factor"), [(20, 1.37), (80, 1.02)])
def test_it_is_that_much_too_stiff(links: int, factor: float) -> None:
    """A cantilever that is twisted by a whole turn, against the integral of its compliance."""
    cable = flat(links, 1, loss_time=0.2, collide=False, gravity=(0, 0, 0), timestep=2e-3)
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    tip = model.body(f"cable_link{links - 1}").id
    bend = 2e7 * 0.012 * 0.003**3 / 12
    force = 0.05 * bend / LENGTH**2
    arm = np.array([LENGTH / links / 2, 0, 0])
    while data.time < 3.0:
        data.xfrc_applied[tip, 2] = force
        data.xfrc_applied[tip, 3:] = np.cross(data.xmat[tip].reshape(3, 3) @ arm, [0, 0, force])
        mujoco.mj_step(model, data)
    s = np.linspace(0, LENGTH, 2001)
    angle = 2 * np.pi * s / LENGTH
    compliance = (np.cos(angle) ** 2 + np.sin(angle) ** 2 / 16) / bend
    expected = np.trapezoid(force * (LENGTH - s) ** 2 * compliance, s)
    found = strand.profile(model, data).nodes[-1, 2]
    assert expected / found == pytest.approx(factor, rel=0.03)
