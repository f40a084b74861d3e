"""PPO, of the library skrl with JAX, on a vector environment.

Schulman et al., Proximal Policy Optimization Algorithms (2017), https://arxiv.org/abs/1707.06347.
"""

import dataclasses
from typing import Any

import flax.linen as nn
import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import skrl
from skrl.agents.jax.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.jax import wrap_env
from skrl.memories.jax import RandomMemory
from skrl.models.jax import DeterministicMixin, GaussianMixin, Model
from skrl.resources.preprocessors.jax import RunningStandardScaler
from skrl.trainers.jax import StepTrainer, StepTrainerCfg
from skrl.utils import set_seed

from strand_studies.learning.trained import SCALE_LIMIT, Trained

HIDDEN = (64, 64)  #: widths of both networks
DEVIATION = 0.6  #: of actions, at the start


@dataclasses.dataclass(frozen=True)
class Settings:
    """What PPO needs; the defaults are those of PPO_CFG, but for these."""

    rollout: int = 20  #: steps of every world between updates
    epochs: int = 8
    minibatches: int = 8
    learning_rate: float = 1e-3
    discount: float = 0.8
    entropy: float = 0.0  #: its weight in the loss


class _Policy(GaussianMixin, Model):  # type: ignore[misc]
    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        GaussianMixin.__init__(self)

    @nn.compact
    def __call__(self, inputs: dict[str, Any], role: str) -> tuple[Any, dict[str, Any]]:
        size, start = self.num_actions, float(np.log(DEVIATION))
        mean = nn.tanh(_layers(inputs["observations"], size, last=0.01))
        return mean, {"log_std": self.param("log_std", lambda _: jnp.full(size, start))}


class _Value(DeterministicMixin, Model):  # type: ignore[misc]
    def __init__(self, **spaces: Any) -> None:
        Model.__init__(self, **spaces)
        DeterministicMixin.__init__(self)

    @nn.compact
    def __call__(self, inputs: dict[str, Any], role: str) -> tuple[Any, dict[str, Any]]:
        return _layers(inputs["observations"], 1, last=1.0), {}


def _layers(values: Any, size: int, last: float) -> Any:
    """HIDDEN layers with tanh, and a linear one whose weights start at about `last`."""
    for width in HIDDEN:
        values = nn.tanh(nn.Dense(width, kernel_init=nn.initializers.orthogonal(2**0.5))(values))
    return nn.Dense(size, kernel_init=nn.initializers.orthogonal(last))(values)


class Learner:
    """PPO on an environment whose observations are vectors."""

    def __init__(
        self, env: gymnasium.vector.VectorEnv, settings: Settings, steps: int, seed: int
    ) -> None:
        """steps: how many times `advance` will be called."""
        skrl.config.jax.backend = "jax"
        skrl.logger.setLevel("WARNING")
        set_seed(seed)
        self._env = wrap_env(env, wrapper="gymnasium")
        spaces = {
            "observation_space": self._env.observation_space,
            "state_space": self._env.state_space,
            "action_space": self._env.action_space,
            "device": self._env.device,
        }
        models = {"policy": _Policy(**spaces), "value": _Value(**spaces)}
        for role, model in models.items():
            model.init_state_dict(role=role)
        memory = RandomMemory(memory_size=settings.rollout, num_envs=self._env.num_envs)
        self._agent = PPO(models=models, memory=memory, cfg=_configured(settings, spaces), **spaces)
        trainer = StepTrainerCfg(
            timesteps=steps, headless=True, disable_progressbar=True,
            close_environment_at_exit=False,
        )  # fmt: skip
        self._trainer = StepTrainer(env=self._env, agents=self._agent, cfg=trainer)
        self._taken, self._steps = 0, steps

    def advance(self) -> None:
        """One step of all worlds, and an update when a rollout is complete."""
        self._trainer.train(timestep=self._taken, timesteps=self._steps)
        self._taken += 1

    def policy(self, scene: str, period: float, coarse: bool) -> Trained:
        """The policy as it is now, with its mean actions."""
        parameters = jax.device_get(self._agent.policy.state_dict.params)
        layers = [parameters["params"][f"Dense_{k}"] for k in range(len(HIDDEN) + 1)]
        scaler = self._agent._observation_preprocessor
        return Trained(
            scene,
            period,
            coarse,
            np.asarray(scaler.running_mean),
            np.sqrt(np.asarray(scaler.running_variance)),
            [np.asarray(layer["kernel"]) for layer in layers],
            [np.asarray(layer["bias"]) for layer in layers],
        )


def _configured(settings: Settings, spaces: dict[str, Any]) -> PPO_CFG:
    return PPO_CFG(
        rollouts=settings.rollout,
        learning_epochs=settings.epochs,
        mini_batches=settings.minibatches,
        discount_factor=settings.discount,
        learning_rate=settings.learning_rate,
        entropy_loss_scale=settings.entropy,
        observation_preprocessor=RunningStandardScaler,
        observation_preprocessor_kwargs={
            "size": spaces["observation_space"],
            "clip_threshold": SCALE_LIMIT,
            "device": spaces["device"],
        },
        value_preprocessor=RunningStandardScaler,
        value_preprocessor_kwargs={"size": 1, "device": spaces["device"]},
        experiment={"write_interval": 0, "checkpoint_interval": 0},
    )
