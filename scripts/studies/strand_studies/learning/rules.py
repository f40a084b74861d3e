"""What a step pays, and when an episode ends: for one world, or for arrays of worlds."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from strand.errors import StrandError
from strand.io.options import choice, finite, read
from strand_studies.learning import arguments

REWARDS = ("dense", "sparse")


class Verdict(NamedTuple):
    """Of a step: numbers and truth values, or arrays of them."""

    reward: Any
    finished: Any  #: the task has been done for long enough
    cut: Any  #: the time is over, and it is not finished


@dataclasses.dataclass(frozen=True)
class Rules:
    """The rules of an episode. Times are numbers of steps.

    dense: steps pay the increase of the progress. bonus: paid when the task is done. hold: for how
    long it has to be done. limit: after which the episode is cut.
    """

    dense: bool
    bonus: float
    hold: int
    limit: int

    @classmethod
    def of(cls, reward: str, bonus: float, hold: float, seconds: float, period: float) -> "Rules":
        """The rules with times in seconds. Raises StrandError if one is invalid."""
        return cls(
            read("reward", reward, choice(*REWARDS)) == "dense",
            read("bonus", bonus, finite("reward")),
            arguments.periods("hold", hold, period, least=0),
            arguments.periods("seconds", seconds, period, least=period),
        )

    def judge(self, gained: Any, done: Any, steps: Any) -> Verdict:
        """gained: increase of the progress. done: number of steps for which the task has been done
        without a break. steps: since the start."""
        finished = done >= self.hold
        reward = self.dense * gained + self.bonus * finished
        return Verdict(reward, finished, (steps >= self.limit) & np.logical_not(finished))

    def lost(self, progress: Any) -> Any:
        """The reward where a simulation has broken down."""
        return -progress if self.dense else 0.0 * progress


def check_period(period: float | None, control_period: float) -> int:
    """The number of control periods in a period. Raises StrandError if it is not a whole one."""
    if period is None:
        return 1
    times = round(read("period", period, finite("s")) / control_period)
    if times < 1 or abs(times * control_period - period) > 1e-9:
        raise StrandError(
            f"period: got {period!r}, allowed: a multiple of the control period, {control_period:g}"
        )
    return times
