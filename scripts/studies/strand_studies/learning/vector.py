"""Many worlds as one vector environment of Gymnasium, on MuJoCo Warp."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from strand.errors import StrandError
from strand_studies.learning.batch import Batch, BatchState
from strand_studies.learning.observation import Observation
from strand_studies.manipulation.scene import Scene

_FIGURES = ("success", "broken", "progress")


class CableVectorEnv(gymnasium.vector.VectorEnv[Observation, np.ndarray, np.ndarray]):
    """A scene in `num_envs` worlds.

    scene and further arguments: those of Batch. Where an episode ends, the same step starts the
    next one (AutoresetMode.SAME_STEP): the observation is its first one, and info has the last one
    as "final_obs" and what was known of it as "final_info", as in Gymnasium's own vector
    environments.

    Raises StrandError if an argument is invalid, or Warp is not installed.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(self, scene: str | Scene, num_envs: int = 1, **arguments: Any) -> None:
        self.batch = Batch(scene, num_envs, **arguments)
        self.num_envs = num_envs
        self.metadata = type(self).metadata | {"render_fps": round(1 / self.batch.period)}
        self.single_observation_space = self.batch.observation_space
        self.single_action_space = self.batch.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.state: BatchState | None = None

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts episodes.

        seed: as of Batch.reset. options: "reset_mask", one flag per world, where to (default: all);
        seeds of other worlds are not used. The other worlds go on undisturbed.
        """
        super().reset(seed=None)
        given = dict(options or {})
        mask = given.pop("reset_mask", None)
        if given:
            raise StrandError(f"options: got {', '.join(given)}, allowed: reset_mask")
        if mask is None or self.state is None:
            self.state = self.batch.reset(seed)
        else:
            if seed is not None:
                self.batch.seed(seed, mask)
            self.state = self.batch.restart(self.state, mask)
        return _copied(self.state.observation), _info(self.state, np.full(self.num_envs, True))

    def step(
        self, actions: np.ndarray
    ) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One period in every world.

        info: "success", "broken", "progress", "figures", "values", arrays with one row per world.
        """
        if self.state is None:
            raise gymnasium.error.ResetNeeded("step: got no running episode, allowed: after reset")
        last = self.state = self.batch.step(self.state, actions)
        ended, info = last.ended, {}
        if ended.any():
            self.state = self.batch.restart(last, ended)
            info = {
                "final_obs": _rows(last.observation, ended),
                "_final_obs": ended.copy(),
                "final_info": _info(last, ended),
                "_final_info": ended.copy(),
            }
        info |= _info(self.state, np.full(self.num_envs, True))
        arrays = last.reward.copy(), last.terminated.copy(), last.truncated.copy()
        return _copied(self.state.observation), *arrays, info


def _info(state: BatchState, mask: np.ndarray) -> dict[str, Any]:
    """Arrays by name; under "_" + name whether each world has it, as Gymnasium wants."""
    found: dict[str, Any] = {}
    for name in _FIGURES:
        found |= {name: getattr(state, name).copy(), f"_{name}": mask.copy()}
    for name, group in (("figures", state.figures), ("values", state.values)):
        inner: dict[str, np.ndarray] = {}
        for key, value in group.items():
            inner |= {key: value.copy(), f"_{key}": mask.copy()}
        found |= {name: inner, f"_{name}": mask.copy()}
    return found


def _rows(seen: Observation, mask: np.ndarray) -> np.ndarray:
    """An array of observations of single worlds, None where the mask is false."""
    rows = np.full(len(mask), None, dtype=object)
    for k in np.flatnonzero(mask):
        rows[k] = {name: part[k].copy() for name, part in seen.items()}
    return rows


def _copied(seen: Observation) -> Observation:
    return {name: part.copy() for name, part in seen.items()}
