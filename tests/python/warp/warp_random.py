"""Random cables of all kinds for the tests on MuJoCo Warp, and random states of theirs."""

import mujoco
import numpy as np
from warp_cables import LAW

import strand
from strand.readout.readout import instances

SECTIONS = (
    {"section": "circle", "radius": 0.004},
    {"section": "tube", "radius": 0.005, "inner_radius": 0.004},
    {"section": "box", "width": 0.012, "height": 0.004},
    {"section": "ellipse", "width": 0.009, "height": 0.004},
)
ENDS = ("free", "free", "free", "fixed", "mocap", "ball")
EXTRAS = ("none", "none", "none", "stretch", "twisted", "held", "branched", "law")


def draw(number: int) -> tuple[strand.Cable, int]:
    """Cable `number`, and the full turns in its history."""
    rng = np.random.default_rng([7, number])
    nodes, closed = _nodes(rng)
    options = SECTIONS[rng.integers(4)] | {"young": 1e7, "poisson": rng.uniform(0.2, 0.45)}
    options["curvature"] = str(rng.choice(("auto", "angle", "tangent", "smooth4")))
    options["twist"] = str(rng.choice(("dynamic", "quasistatic")))
    options["rest"] = str(rng.choice(("drawn", "drawn", "straight")))
    if not closed:
        options["pieces"] = ("auto", "none", 6)[rng.integers(3)]
        options["start"], options["end"] = (str(rng.choice(ENDS)) for _ in range(2))
        options["clamp"] = str(rng.choice(("node", "link")))
    options |= _extra(rng, nodes, closed)
    made = strand.Cable(nodes, closed=closed, collide=False, **options)
    return made, int(rng.integers(3))


def _nodes(rng: np.random.Generator) -> tuple[np.ndarray, bool]:
    """Of 8 to 40 links, and whether they close."""
    links, shape = int(rng.integers(8, 41)), rng.integers(5)
    if shape < 2:
        return strand.ring(rng.uniform(0.05, 0.5), links), True
    open_ones = strand.straight(1, links), strand.arc(1, rng.uniform(0.5, 4), links)
    return (*open_ones, strand.helix(0.1, 0.05, 2, links))[shape - 2], False


def _extra(rng: np.random.Generator, nodes: np.ndarray, closed: bool) -> dict:
    length = np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum()
    extra = rng.choice(EXTRAS)
    if extra == "stretch":
        young = rng.uniform(3e6, 3e7)
        return {"stretches": [strand.Stretch(0.2 * length, 0.5 * length, young=young)]}
    if extra == "held":
        return {"keys": {"holds": f"cable_link{len(nodes) // 2}"}, "twist": "quasistatic"}
    if extra == "law":
        return {"keys": LAW, "curvature": "auto", "twist": "dynamic"}
    if extra == "twisted" and not closed:
        return {"rest_twist": rng.uniform(-5, 5)}
    if extra == "branched" and not closed:
        arm = strand.Cable(strand.straight(0.3, 8), young=1e7, poisson=0.4, radius=0.004)
        return {"branches": [strand.Branch(arm, name="arm", at=0.5 * length, angle=1.0)]}
    return {}


def turned(model: mujoco.MjModel, turns: int) -> mujoco.MjData:
    """The reference state, with full turns in the history of five joints."""
    data = mujoco.MjData(model)
    for first in model.plugin_stateadr:
        data.plugin_state[first : first + 5] += 2 * np.pi * turns
    mujoco.mj_forward(model, data)
    return data


def accept_twists(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """The history becomes the twists of the last evaluation, as in a step."""
    for instance, name in enumerate(instances(model)):
        first, twists = model.plugin_stateadr[instance], strand.profile(model, data, name).twist
        data.plugin_state[first : first + len(twists)] = twists
