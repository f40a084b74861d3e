"""A winch: a cable wound on a driven drum lifts a weight.

Forty links press on the drum and on one another at the same time. With `implicitfast` at 2 ms, four
times the step that is recommended there, they hop and the rope slips, unless contacts are firm at
the surface and stiffen slowly.
"""

import mujoco
import numpy as np
import pytest
from support.touch import RUBBER, STICKY, each_recipe, scene, start, steps

import strand

pytestmark = pytest.mark.slow

DRUM, RADIUS, MASS = 0.06, 0.003, 5.0
PER_TURN, TURNS, HANGING = 16, 3, 8  #: links
PITCH = 2.5 * RADIUS
FIRM = {"contact_solref": (0.004, 2), "contact_solimp": (0.9, 0.9999, RADIUS / 20)}


def wound() -> np.ndarray:
    """Nodes (n + 1, 3): links whose middles touch the drum (axis y), then straight down."""
    turn = 2 * np.pi / PER_TURN
    away = DRUM + RADIUS
    angles = turn * (np.arange(PER_TURN * TURNS + 1) - PER_TURN * TURNS - 0.5)
    coil = -np.stack([np.cos(angles), 0 * angles, np.sin(angles)], axis=1)
    coil *= away / np.cos(turn / 2)
    coil[:, 1] = PITCH * angles / (2 * np.pi)
    link = 2 * away * np.tan(turn / 2)
    down = coil[-1] + link * np.outer(np.arange(1, HANGING + 1), [0, 0, -1])
    return np.concatenate([coil, down])


@each_recipe
def test_a_winch_lifts_a_weight(integrator: str, timestep: float) -> None:
    """The weight rises by the cable length that is wound up; no link is pulled into the drum."""
    nodes = wound()
    x, y, z = nodes[-1]
    world = f"""<body name="drum"><joint name="drum" axis="0 1 0" damping="1"/>
        <geom name="drum" type="cylinder" size="{DRUM} .05" quat="1 1 0 0" mass="2"/></body>
      <body name="weight" pos="{x} {y} {z}"><freejoint/>
        <geom type="box" size=".05 .05 .05" pos="0 0 -.06" mass="{MASS}"/></body>"""
    spec = scene(integrator, timestep, world, option=STICKY)
    actuator = spec.add_actuator(name="drum", target="drum", trntype=mujoco.mjtTrn.mjTRN_JOINT)
    actuator.set_to_position(kp=2000, kv=50)
    ends = {"start": "weld", "start_to": "drum", "end": "weld", "end_to": "weight"}
    cable = strand.Cable(
        nodes,
        radius=RADIUS,
        rest="straight",
        **(FIRM if (integrator, timestep) == ("implicitfast", 0.002) else {}),
        **ends,
        **RUBBER,
    )
    strand.attach(spec, cable)
    model, data = start(spec)
    drum = model.geom("drum").id
    before, deepest = None, 0.0
    for _ in steps(model, 1.7):
        if before is None and data.time >= 0.5 - 1e-9:
            before = data.body("weight").xpos[2], data.joint("drum").qpos[0]
        turned = np.clip((data.time - 0.5) / 1.0, 0, 1)
        data.ctrl[0] = 1.0 - np.cos(np.pi * turned)
        mujoco.mj_step(model, data)
        if before:
            on_drum = (data.contact.geom == drum).any(axis=1)
            deepest = max(deepest, -data.contact.dist[on_drum].min(initial=np.inf))
    assert data.warning.number.sum() == 0
    rise = data.body("weight").xpos[2] - before[0]
    angle = data.joint("drum").qpos[0] - before[1]
    assert angle > 1.9
    link = np.linalg.norm(nodes[1] - nodes[0])
    per_angle = link * PER_TURN / (2 * np.pi)
    assert rise == pytest.approx(per_angle * angle, rel=0.015)
    assert deepest < 0.1 * RADIUS
