"""Cables that are mounted on walls: the wall does not touch the link that it holds."""

import mujoco
import numpy as np
import pytest

import strand
from strand import Cable

LENGTH = 0.5  # m
HOLDERS = ("world", "post")


def scene(holder: str, wall: bool) -> mujoco.MjSpec:
    """A wall with its face at x = 0, and a site there; in the world or in a body."""
    geom = '<geom type="box" size=".02 .06 .2" pos="-.02 0 1"/>' if wall else ""
    mounted = f'{geom}<site name="hook" pos="0 0 1"/>'
    body = mounted if holder == "world" else f'<body name="post">{mounted}</body>'
    spec = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    spec.option.timestep = 0.002
    return spec


def hang(holder: str, wall: bool, links: int, radius: float, start: str) -> np.ndarray:
    """Nodes (m) after 2 s."""
    held = {"start_to": "hook"} if start in ("weld", "pin") else {}
    cable = Cable(strand.straight(LENGTH, links), EI=6e-3, GJ=4e-3, radius=radius, density=600,
                  start=start, loss_time=0.05, **held)  # fmt: skip
    spec = scene(holder, wall)
    if held:
        strand.attach(spec, cable, pos=(0, 0, 1))
    else:
        strand.attach(spec, cable, body=holder, pos=(0, 0, 1))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1000)
    return strand.profile(model, data).nodes


@pytest.mark.parametrize("start", ("fixed", "weld"))
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(("links", "radius"), ((10, 0.006), (20, 0.004), (60, 0.005)))
def test_a_wall_does_not_hold_the_cable_by_friction(
    links: int, radius: float, holder: str, start: str
) -> None:
    alone = hang(holder, False, links, radius, start)
    mounted = hang(holder, True, links, radius, start)
    assert alone[-1, 2] < 0.9  # it sags, and stays clear of the wall
    np.testing.assert_allclose(mounted, alone, atol=1e-6)


def test_the_rest_of_the_cable_touches_the_world() -> None:
    """A rope tied to the floor's edge lies on the floor, also at its first link."""
    spec = mujoco.MjSpec.from_string(
        '<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>'
    )
    spec.option.timestep = 0.002
    radius = 0.005
    cable = Cable(strand.straight(0.4, 16), EI=1e-3, GJ=1e-3, radius=radius, start="ball")
    strand.attach(spec, cable, pos=(0, 0, 1.05 * radius))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 1500)
    nodes = strand.profile(model, data).nodes
    np.testing.assert_allclose(nodes[:, 2], radius, atol=0.06 * radius)
