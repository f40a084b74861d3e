"""Cables of every kind for the tests on MuJoCo Warp, and the same state in C and in Warp."""

import mujoco
import numpy as np
import pytest

import strand
import strand.warp
from strand import straight
from strand.mujoco_versions import HAS_DISCRETE

ROUND = {"young": 1e7, "poisson": 0.4, "radius": 0.004}
BOX = {"young": 1e7, "poisson": 0.4, "section": "box", "width": 0.012, "height": 0.004}
LINKS = 24
LAW = {"law": "mujoco_3"}


def cable(options: dict, nodes: np.ndarray | None = None, **more: object) -> strand.Cable:
    return strand.Cable(straight(1, LINKS) if nodes is None else nodes, **options, **more)


def ring(options: dict, **more: object) -> strand.Cable:
    return cable(options, strand.ring(0.2, LINKS), closed=True, **more)


def branched() -> strand.Cable:
    arm = strand.Branch(cable(ROUND, straight(0.5, 12)), name="a", at=0.5, angle=1.0)
    ball = strand.Branch(cable(BOX, straight(0.5, 12)), name="b", at=0.25, angle=1.0, junction=0.0)
    return cable(ROUND, branches=[arm, ball])


#: Each with the full turns in its history.
KINDS = {
    "one tree": (cable(ROUND, pieces="none"), 0),
    "pieces": (cable(ROUND, pieces=6), 0),
    "pieces, box": (cable(BOX, pieces=6), 0),
    "long": (cable(ROUND, straight(1, 60)), 0),
    "box": (cable(BOX), 0),
    "stretches": (cable(ROUND, stretches=[strand.Stretch(0.2, 0.5, young=3e7)]), 0),
    "naturally curved": (cable(ROUND, strand.arc(1, 2, LINKS)), 0),
    "box, helix, turns": (cable(BOX, strand.helix(0.1, 0.05, 2, 40)), 3),
    "angle": (cable(ROUND, curvature="angle"), 0),
    "angle, box": (cable(BOX, curvature="angle"), 1),
    "tangent": (cable(ROUND, curvature="tangent"), 0),
    "tangent, box": (cable(BOX, curvature="tangent"), 0),
    "smooth4": (cable(ROUND, curvature="smooth4"), 0),
    "smooth4, box": (cable(BOX, curvature="smooth4"), 0),
    "ring, straight at rest": (ring(ROUND, rest="straight"), 2),
    "ring, box": (ring(BOX), 0),
    "clamps": (cable(ROUND, start="fixed", end="mocap", clamp="node"), 0),
    "clamps, box": (cable(BOX, start="fixed", end="fixed", clamp="node"), 0),
    "clamped link": (cable(BOX, start="fixed", clamp="link"), 0),
    "natural twist": (cable(BOX, rest_twist=5.0), 0),
    "branches": (branched(), 0),
    "quasistatic": (cable(ROUND, twist="quasistatic", start="fixed", end="fixed"), 1),
    "quasistatic, pieces": (cable(ROUND, twist="quasistatic", pieces=6), 1),
    "quasistatic, ring": (ring(ROUND, rest="straight", twist="quasistatic"), 2),
    "quasistatic, box": (cable(BOX, twist="quasistatic", start="fixed", end="fixed"), 1),
    "quasistatic, curved": (cable(ROUND, strand.arc(1, 2, LINKS), twist="quasistatic"), 0),
    "quasistatic, box, pieces": (
        cable(BOX, strand.arc(1, 2, LINKS), twist="quasistatic", pieces=6),
        1,
    ),
    "quasistatic, helix": (cable(BOX, strand.helix(0.1, 0.05, 2, 40), twist="quasistatic"), 0),
    "quasistatic, box, ring": (ring(BOX, twist="quasistatic"), 3),
    "quasistatic, box, smooth4": (
        cable(BOX, strand.arc(1, 2, LINKS), twist="quasistatic", curvature="smooth4"),
        0,
    ),
    "quasistatic, box, tangent": (cable(BOX, twist="quasistatic", curvature="tangent"), 0),
    "quasistatic, box, clamps": (
        cable(BOX, start="fixed", end="mocap", clamp="node", twist="quasistatic"),
        0,
    ),
    "quasistatic, natural twist": (cable(BOX, rest_twist=5.0, twist="quasistatic"), 0),
    "quasistatic, 120 links": (cable(BOX, strand.arc(1, 2, 120), twist="quasistatic"), 0),
    "MuJoCo 3's law": (cable(ROUND, keys=LAW), 0),
    "MuJoCo 3's law, box, helix": (cable(BOX, strand.helix(0.1, 0.05, 2, 40), keys=LAW), 1),
    "MuJoCo 3's law, straight at rest": (
        cable(ROUND, strand.arc(1, 2, LINKS), keys=LAW, rest="straight", pieces=6),
        0,
    ),
}


def mjcf(described: strand.Cable) -> str:
    """Skips a test of pieces where MuJoCo cannot have them."""
    if isinstance(described.pieces, int) and not HAS_DISCRETE:
        pytest.skip("pieces need the integrator discrete")
    return described.to_mjcf()


def load(described: strand.Cable) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(mjcf(described))


def bent(model: mujoco.MjModel, angle: float, turns: int = 0) -> mujoco.MjData:
    """A state of random joint angles (rad), with full turns in the history of five joints."""
    data = mujoco.MjData(model)
    change = np.random.default_rng(0).normal(size=model.nv) * angle
    mujoco.mj_integratePos(model, data.qpos, change, 1.0)
    data.qpos[:] = data.qpos.astype(np.float32)
    for first in model.plugin_stateadr:
        data.plugin_state[first : first + 5] += 2 * np.pi * turns
    mujoco.mj_forward(model, data)
    return data
