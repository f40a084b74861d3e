"""Learns a policy on many worlds, and records how its returns rise."""

import csv
import dataclasses
import io
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from strand.draw.plotting import save_figure
from strand.draw.report import Report
from strand.errors import StrandError
from strand.io.files import write_text
from strand.io.options import count, positive, read, within
from strand_studies.learning import episode, policies
from strand_studies.learning.batch import Batch
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.observation import Observation
from strand_studies.learning.trained import Trained, held
from strand_studies.learning.vector import CableVectorEnv

if TYPE_CHECKING:
    from strand_studies.learning.ppo import Settings

INSTALL = 'pip install "strand[ppo]"'
CURVE, PLOT, POLICY = "curve.csv", "curve.png", "policy.npz"
SEEDS = range(1000, 1016)  #: of the episodes that judge a policy


@dataclasses.dataclass(frozen=True)
class Ended:
    """An episode that has ended."""

    steps: int  #: of all worlds since the start of the training
    rewards: float  #: their sum
    progress: float  #: at the end
    success: bool
    broken: bool


class Watched(gymnasium.vector.VectorWrapper):
    """Flattens observations, and notes the episodes that end. A cut becomes an end.

    The returns are sums over episodes of a fixed duration; PPO of skrl takes the value of what
    follows a cut, which is another episode here, or goes on across it.

    The first episodes, which are not noted, are cut after different times, `limit` (steps) at the
    latest. Else all worlds would always be in the same phase of their episodes, and PPO would
    learn the end of the task and forget its start, in turn.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv, limit: int) -> None:
        super().__init__(env)
        space = env.single_observation_space
        self.single_observation_space = gymnasium.spaces.flatten_space(space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._parts = list(space)
        self.ended: list[Ended] = []
        self._rewards, self._calls = np.zeros(env.num_envs), 0
        self._first_cut = np.arange(1, env.num_envs + 1) * limit // env.num_envs

    def reset(self, **options: Any) -> tuple[np.ndarray, dict[str, Any]]:
        seen, info = self.env.reset(**options)
        return self._flat(seen), info

    def step(self, actions: np.ndarray) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        seen, reward, terminated, truncated, info = self.env.step(actions)
        self._rewards += reward
        self._calls += 1
        ended = terminated | truncated
        for k in np.flatnonzero(ended & (self._calls > self._first_cut)):
            last = info["final_info"]
            told = [last[name][k].item() for name in ("progress", "success", "broken")]
            steps = self._calls * self.num_envs
            self.ended.append(Ended(steps, float(self._rewards[k]), *told))
        due = (self._calls == self._first_cut) & ~ended
        if due.any():
            seen, _ = self.env.reset(options={"reset_mask": due})
        ended |= due
        self._rewards[ended] = 0.0
        return self._flat(seen), reward, ended, np.zeros_like(ended), info

    def _flat(self, seen: Observation) -> np.ndarray:
        """Observations (worlds, n) as gymnasium.spaces.flatten orders them."""
        parts = [seen[name].reshape(self.num_envs, -1) for name in self._parts]
        return np.concatenate(parts, axis=1)


def returns(batch: Batch, policy: Trained | None, seeds: Iterable[int]) -> list[float]:
    """Returns of episodes with the mean actions of a policy; None: with even random ones.

    The same scene, stiffness and times, but in C, one episode after the other.
    """
    fixed = {name: each for name, each in batch.nominal.items() if name not in batch.drawn}
    env = CableEnv(
        batch.scene,
        ranges={name: (value, value) for name, value in fixed.items()},
        seconds=batch.seconds,
    )
    times = round(batch.period / env.period)

    def random(env: CableEnv) -> policies.Policy:
        return held(policies.random(env), times)

    make = random if policy is None else policy.start
    return [episode.run(env, make, seed).rewards for seed in seeds]


def settings(**chosen: float) -> "Settings":
    """Settings of PPO. Raises StrandError if one is invalid, or skrl or JAX is not installed."""
    try:
        from strand_studies.learning.ppo import Settings
    except ImportError as error:
        raise StrandError(f"{error.name}: not installed; {INSTALL} installs it") from None
    for name, value in chosen.items():
        read(name, value, _ALLOWED[name])
    return Settings(**chosen)


_ALLOWED: dict[str, Any] = {
    "rollout": count(1),
    "learning_rate": positive("1"),
    "discount": within("a number from 0 to 1", lambda value: 0 <= value <= 1),
}


def run(
    env: CableVectorEnv,
    folder: Path,
    steps: int,
    seed: int,
    chosen: "Settings",
    progress: Callable[[str], None] | None = None,
) -> Report:
    """Learns a policy, judges it in C, and saves all in a folder."""
    begin = time.process_time()
    policy, curve = train(env, steps, seed, chosen, progress)
    cpu = time.process_time() - begin
    random, learned = (returns(env.batch, each, SEEDS) for each in (None, policy))
    save(folder, policy, curve, random, learned)
    means = [float(np.mean(each)) for each in (random, learned)]
    row = {
        "scene": policy.scene,
        "worlds": env.num_envs,
        "steps": -(-steps // env.num_envs) * env.num_envs,
        "episodes": len(curve),
        "random": round(means[0], 3),
        "learned": round(means[1], 3),
        "broken": sum(each.broken for each in curve),
        "CPU s": round(cpu),
        "passed": means[1] > means[0],
    }
    report = Report("train", f"PPO on {policy.scene}", [row])
    report.judged = "learned > random"
    report.reported = {}
    report.note = (
        f"random, learned: mean return of {len(SEEDS)} episodes in C. broken: episodes of the "
        f"training that broke down.\nWritten: {folder / POLICY}, {CURVE}, {PLOT}."
    )
    return report


def train(
    env: CableVectorEnv,
    steps: int,
    seed: int,
    chosen: "Settings",
    progress: Callable[[str], None] | None = None,
) -> tuple[Trained, list[Ended]]:
    """Learns for at least `steps` steps, those of all worlds together.

    Returns the policy, and the episodes on the way, with the random actions of the learner. Raises
    StrandError for a single world, and for rollouts too short for the minibatches.
    """
    if env.num_envs < 2:
        raise StrandError(f"worlds: got {env.num_envs}, allowed: an integer >= 2")
    least = -(-2 * chosen.minibatches // env.num_envs)  # a minibatch has a variance
    if chosen.rollout < least:
        raise StrandError(
            f"rollout: got {chosen.rollout}, allowed with {env.num_envs} worlds: >= {least}"
        )
    from strand_studies.learning.ppo import Learner

    watched = Watched(env, env.batch.limit)
    calls, begin = -(-steps // env.num_envs), time.perf_counter()
    learner = Learner(watched, chosen, calls, seed)
    for call in range(calls):
        learner.advance()
        if progress:
            recent = [each.rewards for each in watched.ended[-2 * env.num_envs :]]
            shown = f"{np.mean(recent):.3f}" if recent else "-"
            rate = (call + 1) * env.num_envs / (time.perf_counter() - begin)
            progress(f"{call + 1} of {calls}, return {shown}, {rate:.0f} steps/s")
    batch = env.batch
    return learner.policy(batch.scene.name, batch.period, batch.coarse), watched.ended


def save(
    folder: Path, policy: Trained, curve: list[Ended], random: list[float], learned: list[float]
) -> None:
    """Writes the policy, and the curve as CSV and as a plot with the returns before and after."""
    policy.save(folder / POLICY)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["steps", "return", "progress", "success", "broken"])
    for each in curve:
        numbers = [f"{each.rewards:.6g}", f"{each.progress:.6g}"]
        writer.writerow([each.steps, *numbers, int(each.success), int(each.broken)])
    write_text(folder / CURVE, text.getvalue())
    save_figure(folder / PLOT, _drawn(policy, curve, random, learned))


def _drawn(policy: Trained, curve: list[Ended], random: list[float], learned: list[float]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    steps, rewards = np.reshape([(each.steps, each.rewards) for each in curve], (-1, 2)).T
    count = max(1, min(16, len(curve) // 2))
    axes.plot(steps, rewards, ".", markersize=3, color="0.7", label="episode")
    if curve:
        means = np.convolve(rewards, np.full(count, 1 / count), mode="valid")
        axes.plot(steps[count - 1 :], means, color="C0", label=f"mean of {count} episodes")
    for runs, name, color in ((random, "random actions", "C3"), (learned, "learned policy", "C2")):
        mean = np.mean(runs)
        axes.axhline(mean, color=color, linestyle="--", label=f"{name}, in C: {mean:.2f}")
    axes.set(title=policy.scene, xlabel="steps of all worlds", ylabel="return of an episode")
    axes.legend(fontsize="small")
    return figure
