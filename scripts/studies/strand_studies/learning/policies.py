"""Policies: functions of the observation that return an action.

A maker starts a policy: a function that gets the environment at the start of every episode, after
its reset, and returns the policy for this episode. So a policy may have a memory, or look at the
simulation, as the scripted one does.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from strand.errors import StrandError
from strand.sweep import function
from strand_studies.learning import trained
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.observation import Observation
from strand_studies.manipulation.scene import Controller, Idle

Policy = Callable[[Observation], np.ndarray]
Maker = Callable[[CableEnv], Policy]


def scripted(env: CableEnv) -> Policy:
    """The scene's own controller, which sees the simulation rather than the observation."""
    return _controlled(env, env.scene.controller(env.model, env.data))


def idle(env: CableEnv) -> Policy:
    """All controls are zero: hands, drums and bases rest, rotors stand still."""
    return _controlled(env, Idle())


def random(env: CableEnv) -> Policy:
    """Actions drawn evenly, from the environment's generator."""
    generator = np.random.default_rng(env.np_random.integers(2**32))
    size = env.action_space.shape
    return lambda seen: generator.uniform(-1, 1, size).astype(np.float32)


POLICIES: dict[str, Maker] = {"scripted": scripted, "idle": idle, "random": random}


def find(text: str) -> Maker:
    """A maker by its name, by MODULE:FUNCTION or FILE.py:FUNCTION, or FILE.npz, a trained policy.

    Modules and files in the current folder are found. Raises StrandError if there is none.
    """
    if text.endswith(".npz"):
        return trained.load(Path(text)).start
    if ":" not in text:
        if text not in POLICIES:
            allowed = f"{', '.join(POLICIES)}, MODULE:FUNCTION, FILE.py:FUNCTION, FILE.npz"
            raise StrandError(f"policy: got {text!r}, allowed: {allowed}")
        return POLICIES[text]
    return function.load(text, Path.cwd(), field="policy")


def _controlled(env: CableEnv, controller: Controller) -> Policy:
    return lambda seen: env.motors.action(controller.act(env.data))
