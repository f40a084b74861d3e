"""A manipulation scene as an environment of Gymnasium.

An action is in force for one control period of the scene. An episode ends (`terminated`) when the
task has been done without a break for the time `hold`, or when the simulation has broken down; it
is cut (`truncated`) when its time is over.
"""

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import mujoco
import numpy as np

from strand.draw.picture import check_size
from strand.errors import StrandError
from strand.io.options import choice, count, optional, read
from strand_studies.learning import arguments
from strand_studies.learning.motors import Motors
from strand_studies.learning.observation import Observation, Observer
from strand_studies.learning.rules import Rules
from strand_studies.learning.tasks import TASKS, Task
from strand_studies.manipulation import overlap
from strand_studies.manipulation.run import warnings_heard
from strand_studies.manipulation.scene import Scene

SIZE = (480, 360)  #: pixels: of rendered pictures


class CableEnv(gymnasium.Env[Observation, np.ndarray]):
    """A scene with the actions of `motors` and the observations of `observation`.

    scene: its name, or a scene of your own. task: what the environment adds to it (default: that
    of TASKS by the name of the scene; without one rewards are sparse).

    reward: "dense" (the increase of the task's progress, from 0 to 1, in each step) or "sparse"
    (none). bonus: added when the task is done. hold: time (s) for which it has to be done.
    seconds: time after which an episode is cut (default: the scene's duration).

    randomize: each episode draws the scene's ranges anew; else it has their middle values.
    episodes_per_model: how many episodes keep a drawn model, which costs less; a reset with a seed
    always draws. ranges: other bounds of the scene's ranges, by name. grasp: "friction" or "weld",
    in scenes that have both.

    render_mode: None or "rgb_array". width, height: pixels.

    Raises StrandError if an argument is invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(
        self,
        scene: str | Scene,
        *,
        task: Task | None = None,
        reward: str = "dense",
        bonus: float = 1.0,
        hold: float = 0.5,
        seconds: float | None = None,
        randomize: bool = True,
        episodes_per_model: int = 1,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        grasp: str | None = None,
        render_mode: str | None = None,
        width: int = SIZE[0],
        height: int = SIZE[1],
    ) -> None:
        read("render_mode", render_mode, optional(choice("rgb_array")))
        read("episodes_per_model", episodes_per_model, count(1))
        self._base = arguments.scene_of(scene, grasp, ranges or {})
        self.name = self._base.name
        self.task = task or TASKS.get(self.name, Task())
        self._randomize, self._models_last = randomize, episodes_per_model
        self.period = period = self._base.control_period  #: s: of a step
        duration = self._base.duration if seconds is None else seconds
        self._rules = Rules.of(reward, bonus, hold, duration, period)
        self.render_mode, self.size = render_mode, check_size((width, height))
        self.metadata = type(self).metadata | {"render_fps": round(1 / period)}
        self._set_up()

    def _set_up(self) -> None:
        """The nominal model, which gives the spaces."""
        self._photographer: Any = None
        self._nodes: int | None = None
        self._episodes_left, self._ended = 0, True
        self._build(self._base.draw(None))
        self._nodes = self._observer.nodes
        self.observation_space = self._observer.space()
        size = (self.model.nu,)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, size, dtype=np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode.

        options: "randomize" (as in the constructor, for this episode), "values" (by name: those of
        the scene's ranges that are not drawn). With the same seed and options, and the same actions
        thereafter, an episode is bitwise the same.
        """
        super().reset(seed=seed)
        values = self._choose(seed, dict(options or {}))
        if values != self.values:
            self._build(values)
        mujoco.mj_resetData(self.model, self.data)
        mujoco.mj_fwdPosition(self.model, self.data)
        self._steps = self._done = 0
        self._ended = False
        self._seen = self._observer.read()
        self._figures, success = self._judge()
        self._progress = self._progress_of(self._figures)
        return _copied(self._seen), self._info(success)

    def step(self, action: np.ndarray) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One control period.

        info: "success" (the task is done now), "figures" (of the scene's `measure`), "progress",
        "values" (of the scene's ranges), "overlap" (the deepest of the cable so far, by its radius;
        beyond 1 it may have gone through something), "broken" and "why".

        Actions beyond [-1, 1] are clipped. Where the simulation breaks down (a warning of the
        engine or the plugin, or numbers beyond the bounds of the observations), "broken" is true,
        the observation and the figures are those before the step, and a dense reward takes back
        all progress. Raises StrandError if the action contains numbers that are not finite.
        """
        if self._ended:
            raise gymnasium.error.ResetNeeded("step: got no running episode, allowed: after reset")
        self.scene.apply(self.model, self.data, self.motors.controls(action))
        with warnings_heard() as warnings:
            mujoco.mj_step(self.model, self.data, round(self.period / self.model.opt.timestep))
        self._steps += 1
        seen = self._observer.read()
        if warnings or not self.observation_space.contains(seen):
            return self._broken(warnings)
        self._seen = seen
        self._figures, success = self._judge()
        self._done = self._done + 1 if success else 0
        before, self._progress = self._progress, self._progress_of(self._figures)
        reward, *ended = self._rules.judge(self._progress - before, self._done, self._steps)
        finished, cut = map(bool, ended)
        self._ended = finished or cut
        return _copied(seen), float(reward), finished, cut, self._info(success)

    def _broken(self, warnings: list[str]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._ended = True
        lost = self._rules.lost(self._progress)
        why = warnings[0] if warnings else "numbers beyond the bounds of the observations"
        return _copied(self._seen), lost, True, False, self._info(False, why)

    def render(self) -> np.ndarray | None:
        """A picture (height, width, 3), uint8, of the present state."""
        if self.render_mode is None:
            gymnasium.logger.warn('render: got render_mode None, allowed: render_mode="rgb_array"')
            return None
        from strand.draw.stage import Photographer, camera

        if self._photographer is None:
            # Finer ones take five times as long with software rendering, and look alike when small.
            quality = self.model.vis.quality
            quality.shadowsize, quality.offsamples = 2048, 4
            self._photographer = Photographer(self.model, *self.size, finer=1)
        return self._photographer.take(self.data, camera(*self.scene.view))

    def close(self) -> None:
        if self._photographer is not None:
            self._photographer.__exit__()
            self._photographer = None

    def observation_names(self) -> list[str]:
        """Names of the numbers of `gymnasium.spaces.flatten(observation_space, observation)`."""
        named = self._observer.names()
        return [name for part in self.observation_space for name in named[part]]

    def _choose(self, seed: int | None, options: dict[str, Any]) -> dict[str, float]:
        """The values of the scene's ranges in the next episode."""
        randomize = options.pop("randomize", self._randomize)
        nominal = self._base.draw(None)
        values = arguments.fixed(options.pop("values", {}), nominal)
        if options:
            raise StrandError(f"options: got {', '.join(options)}, allowed: randomize, values")
        if not randomize:
            self._episodes_left = 0
            return nominal | values
        if seed is not None or self._episodes_left == 0:
            self._episodes_left = self._models_last
            self._drawn = self._base.draw(self.np_random)
        self._episodes_left -= 1
        return self._drawn | values

    def _build(self, values: dict[str, float]) -> None:
        """The model with these values of the scene's ranges."""
        self.close()
        self.scene = arguments.at_values(self._base, values)
        self.model = self.scene.build().compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_fwdPosition(self.model, self.data)
        self.motors = Motors(self.model)
        self._observer = Observer(self.model, self.data, self.task, self._nodes)
        self.values = values

    def _judge(self) -> tuple[dict[str, float], bool]:
        """The figures of the present state, and whether the task is done."""
        figures = self.scene.measure(self.model, self.data)
        measured = copy.copy(self.scene)
        measured.measure = lambda model, data: figures  # `success` would measure a second time
        return figures, bool(measured.success(self.model, self.data))

    def _progress_of(self, figures: Mapping[str, float]) -> float:
        return float(self.task.progress(figures)) if self.task.progress else 0.0

    def _info(self, success: bool, broken: str = "") -> dict[str, Any]:
        return {
            "success": success,
            "broken": bool(broken),
            "why": broken,
            "progress": self._progress,
            "figures": dict(self._figures),
            "overlap": overlap.deepest(self.model, self.data),
            "values": dict(self.values),
        }


def _copied(seen: Observation) -> Observation:
    return {name: part.copy() for name, part in seen.items()}
