"""Scripts: controllers that follow a list of stages, each with targets of some actuators."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence

import mujoco
import numpy as np

Targets = Mapping[str, float]


@dataclasses.dataclass(frozen=True)
class Stage:
    """Within `seconds`, the named actuators go smoothly to their targets; the others stay.

    even: they go at a constant speed instead: for stages that join without a stop.
    A target is a position for actuators that integrate their control (m or rad), else the control
    itself. A function of the data is evaluated as the stage begins: it looks where things are.
    """

    seconds: float
    targets: Targets | Callable[[mujoco.MjData], Targets] = dataclasses.field(default_factory=dict)
    even: bool = False


def smooth(s: float) -> float:
    """From 0 to 1 with zero speed and acceleration at both ends."""
    s = min(max(s, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


class Script:
    """Follows stages one after the other, and stays at the last targets.

    period: time (s) between two calls of `act`.
    """

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, stages: Sequence[Stage], period: float
    ) -> None:
        self._ids = {model.actuator(k).name: k for k in range(model.nu)}
        self._state = np.array(model.actuator_actadr)
        self._integrates = model.actuator_dyntype == mujoco.mjtDyn.mjDYN_INTEGRATOR
        self._range = np.where(
            model.actuator_ctrllimited.astype(bool)[:, None],
            model.actuator_ctrlrange,
            [-np.inf, np.inf],
        )
        self._stages, self._period = list(stages), period
        self._begin = data.time
        self._from = self._to = self._now(data)
        self._seconds, self._even = 0.0, False

    def ended(self, data: mujoco.MjData) -> bool:
        return not self._stages and data.time >= self._begin + self._seconds - 1e-9

    def act(self, data: mujoco.MjData) -> np.ndarray:
        """Controls, shape (nu,): velocities of integrating actuators, values of the others."""
        due = data.time + self._period  # when the next call comes
        while self._stages and data.time >= self._begin + self._seconds - 1e-9:
            self._enter(self._stages.pop(0), data)
        part = 1.0 if not self._seconds else (due - self._begin) / self._seconds
        part = min(part, 1.0) if self._even else smooth(part)
        goal = self._from + part * (self._to - self._from)
        speed = (goal - self._now(data)) / self._period
        return np.clip(np.where(self._integrates, speed, goal), *self._range.T)

    def _enter(self, stage: Stage, data: mujoco.MjData) -> None:
        self._begin += self._seconds
        self._seconds, self._even = stage.seconds, stage.even
        self._from, self._to = self._to, self._to.copy()
        targets = stage.targets(data) if callable(stage.targets) else stage.targets
        for name, value in targets.items():
            self._to[self._ids[name]] = value

    def _now(self, data: mujoco.MjData) -> np.ndarray:
        """Present targets: states of integrating actuators, controls of the others."""
        now = np.array(data.ctrl)
        now[self._integrates] = data.act[self._state[self._integrates]]
        return now
