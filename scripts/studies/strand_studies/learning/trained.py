"""A policy that has been learned: a network of numpy, in one file."""

import dataclasses
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import gymnasium
import numpy as np

from strand.errors import StrandError
from strand.io.files import whole

if TYPE_CHECKING:
    from strand_studies.learning.environment import CableEnv
    from strand_studies.learning.observation import Observation
    from strand_studies.learning.policies import Policy

SCALE_LIMIT = 5.0  #: standard deviations at which scaled observations are clipped


def held(policy: "Policy", times: int) -> "Policy":
    """A policy whose actions are in force for several control periods."""
    calls, action = 0, np.zeros(0)

    def act(seen: "Observation") -> np.ndarray:
        nonlocal calls, action
        if calls % times == 0:
            action = policy(seen)
        calls += 1
        return action

    return act


@dataclasses.dataclass(frozen=True)
class Trained:
    """Layers with tanh on a scaled observation. The last tanh gives the action.

    scene: for which it was trained. period: time (s) for which an action is in force. coarse: with
    fewer links. mean, deviation: of the numbers in the flattened observation. weights (inputs,
    outputs), biases: of each layer.
    """

    scene: str
    period: float
    coarse: bool
    mean: np.ndarray
    deviation: np.ndarray
    weights: list[np.ndarray]
    biases: list[np.ndarray]

    def action(self, flat: np.ndarray) -> np.ndarray:
        """Actions (..., nu) for flattened observations (..., n)."""
        scaled = (flat - self.mean) / (self.deviation + 1e-8)
        values = np.clip(scaled, -SCALE_LIMIT, SCALE_LIMIT)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            values = np.tanh(values @ weight + bias)
        return values.astype(np.float32)

    def start(self, env: "CableEnv") -> "Policy":
        """The policy in an environment; an action is in force for the period of the training.

        Raises StrandError if the environment's observations have another size.
        """
        size = gymnasium.spaces.flatdim(env.observation_space)
        if size != len(self.mean):
            raise StrandError(
                f"policy: got one for observations of {len(self.mean)} numbers (scene "
                f"{self.scene}{', coarse' * self.coarse}), allowed: {size}, as here"
            )

        def act(seen: "Observation") -> np.ndarray:
            return self.action(gymnasium.spaces.flatten(env.observation_space, seen))

        return held(act, max(1, round(self.period / env.period)))

    def save(self, path: Path) -> None:
        named = {f"weight{k}": each for k, each in enumerate(self.weights)}
        named |= {f"bias{k}": each for k, each in enumerate(self.biases)}
        named |= {name: np.array(getattr(self, name)) for name in _PLAIN}
        with whole(path) as beside, beside.open("wb") as file:
            np.savez(file, **named)


_PLAIN = ("scene", "period", "coarse", "mean", "deviation")


def load(path: Path) -> Trained:
    """A policy that `save` has written. Raises StrandError if the file has none."""
    try:
        with np.load(path, allow_pickle=False) as found:
            count = sum(name.startswith("weight") for name in found)
            layers = [[found[f"{kind}{k}"] for k in range(count)] for kind in ("weight", "bias")]
            plain = [found[name] for name in _PLAIN]
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise StrandError(
            f"policy: got '{path}', allowed: a file of `strand learn train` "
            f"({type(error).__name__}: {error})"
        ) from None
    return Trained(str(plain[0]), float(plain[1]), bool(plain[2]), *plain[3:], *layers)
