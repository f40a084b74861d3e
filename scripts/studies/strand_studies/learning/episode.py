"""Runs a policy for one episode."""

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from strand_studies.learning.environment import CableEnv
from strand_studies.learning.observation import Observation
from strand_studies.learning.policies import Maker


class Step(NamedTuple):
    """What a policy has seen and done, and what came of it."""

    seen: Observation
    action: np.ndarray  #: as it was in force, from -1 to 1
    reward: float
    done: bool  #: the last one
    success: bool  #: the task is done, after the step


Watch = Callable[[CableEnv, Step], None]


@dataclasses.dataclass(frozen=True)
class Episode:
    """An episode that has ended."""

    seed: int
    success: bool  #: the task is done at the end
    broken: bool  #: the simulation has broken down
    overlap: float  #: the deepest of the cable, by its radius
    rewards: float  #: their sum
    seconds: float  #: simulated
    cpu: float  #: s, of environment and policy


def run(
    env: CableEnv,
    make: Maker,
    seed: int,
    watch: Sequence[Watch] = (),
    before: Sequence[Callable[[CableEnv], None]] = (),
) -> Episode:
    """Runs an episode to its end.

    watch, before: functions that are called after, and before, every step; their time does not
    count.
    """
    begin = time.process_time()
    seen, _ = env.reset(seed=seed)
    policy = make(env)
    cpu = time.process_time() - begin
    rewards, steps, ended = 0.0, 0, False
    while not ended:
        for look in before:
            look(env)
        begin = time.process_time()
        action = policy(seen)
        after, reward, terminated, truncated, info = env.step(action)
        cpu += time.process_time() - begin
        rewards, steps, ended = rewards + reward, steps + 1, terminated or truncated
        for see in watch:
            see(env, Step(seen, np.clip(action, -1, 1), reward, ended, info["success"]))
        seen = after
    seconds = steps * env.period
    ending = info["success"], info["broken"], info["overlap"]
    return Episode(seed, *ending, rewards, seconds, cpu)
