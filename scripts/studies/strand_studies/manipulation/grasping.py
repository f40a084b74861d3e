"""Parts of scripts: where a hand is to take a cable at a node, to carry it, to put it down."""

from collections.abc import Callable, Sequence

import mujoco
import numpy as np

from strand_studies.manipulation.gripper import TIP, Hand
from strand_studies.manipulation.script import Stage, Targets

Look = Callable[[mujoco.MjData], Targets]  #: targets that depend on where things are
OPENING = -5.0  # N


def heading(data: mujoco.MjData, site: str) -> float:
    """Direction (rad) of a site's x axis, seen from above."""
    along = data.site(site).xmat.reshape(3, 3)[:, 0]
    return float(np.arctan2(along[1], along[0]))


def nearest(angle: float, now: float, period: float = 2 * np.pi) -> float:
    """The angle (rad) that is nearest to `now` among those that differ by multiples of `period`."""
    return angle - period * round((angle - now) / period)


def above(hand: Hand, site: str, height: float) -> Look:
    """The open hand goes over a site at a height (m), a finger on either side of the cable."""

    def look(data: mujoco.MjData) -> Targets:
        yaw = nearest(heading(data, site), hand.yaw(data), np.pi)  # both ways round are the same
        return hand.at([*data.site(site).xpos[:2], height], yaw=yaw)

    return look


def take(
    hand: Hand, site: str, high: float, low: float, grip: float, hasten: float = 1.0
) -> list[Stage]:
    """The hand goes to a site, closes, and lifts it to the height `high` (m).

    low: height (m) at which it closes. grip: N. hasten: factor by which it is faster.
    """
    return [
        Stage(0.8 / hasten, above(hand, site, high)),
        Stage(0.4 / hasten, above(hand, site, low)),
        Stage(0.2, hand.at(grip=grip)),
        Stage(0.4 / hasten, lambda data: hand.at([*hand.place(data)[:2], high])),
    ]


def put(
    hand: Hand,
    site: str,
    target: Sequence[float] | np.ndarray,
    yaw: float,
    heights: tuple[float, float],
    hasten: float = 1.0,
    turn: float = 0.0,
) -> list[Stage]:
    """The hand carries the held site over a target (m), turns it to `yaw`, and puts it down.

    heights: of the hand (m), over the target and as it opens. turn: of all angles (rad) by which
    the hand may turn to get there, it takes the one that is nearest to this.
    """
    high, low = heights

    def carry(data: mujoco.MjData) -> Targets:
        angle = nearest(yaw - heading(data, site), turn)
        return hand.at([*target[:2], high], yaw=hand.yaw(data) + angle)

    return [
        Stage(0.8 / hasten, carry),
        Stage(0.5 / hasten, hand.at([*target[:2], low])),
        Stage(0.2, hand.at(grip=OPENING)),
        Stage(0.2, hand.at([*target[:2], high])),
    ]


def on_table(height: float = 0.0) -> float:
    """Height (m) of a hand whose fingers almost touch a table at a height (m)."""
    return height + TIP + 0.001
