"""What the environment of each scene adds to it: progress, goal, and bodies to observe.

The progress is a number from 0 to 1 made from the figures of the scene's `measure`; more is nearer
to success. It judges the cable and what it is tied to, not where the hands are, so that no hand is
paid for being somewhere. The progress of scenes for many worlds also takes figures that are arrays.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np

import strand
from strand_studies.manipulation import handover, hose, knot, lay, plug, routing, winch

Figures = Mapping[str, Any]
Goal = Callable[[mujoco.MjModel, mujoco.MjData], np.ndarray]


@dataclasses.dataclass(frozen=True)
class Task:
    """A task as an environment sees it."""

    progress: Callable[[Figures], Any] | None = None  #: None: sparse rewards only
    bodies: tuple[str, ...] = ()  #: names of bodies whose poses and velocities are observed
    goal: Goal | None = None  #: rows of the observation "goal"; None: it has none


def near(distance: Any, scale: float) -> Any:
    """1 at no distance, 1/e at the scale, 0 at infinity."""
    return np.exp(-distance / scale)


def part(value: Any, whole: Any) -> Any:
    """The part that has been done, from 0 to 1."""
    return np.clip(value / whole, 0, 1)


def _routing(f: Figures) -> float:
    return 0.75 * part(f["clips"], len(routing.CLIPS)) + 0.25 * near(f["farthest"], 0.1)


def _plug(f: Figures) -> float:
    apart = np.hypot(f["depth"] - plug.DEPTH, f["aside"])
    return near(apart, 0.1) * (0.7 + 0.3 * f["latched"])


def _lay(f: Figures) -> float:
    return 0.5 * near(f["mean"], 0.1) + 0.5 * near(f["farthest"], 0.2)


def _winch(f: Figures) -> Any:
    return part(f["turns"], winch.TURNS) * near(abs(f["wound"] - f["lift"]), 0.1)


def _handover(f: Figures) -> float:
    return near(f["off_goal"], 0.2) * (0.7 + 0.3 * near(f["turned"], 0.5))


def _hose(f: Figures) -> Any:
    return 0.5 * part(f["around"], hose.ROUND) + 0.5 * near(f["to_go"], 1.0)


def _knot(f: Figures) -> float:
    tied = f["determinant"] == 3
    return 0.5 + 0.5 * part(knot.SMALL, f["knot_size"]) if tied else 0.0


def _drone(f: Figures) -> float:
    return near(f["off_goal"], 0.5)


def _clips(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Place (m) on the board and direction (rad) of each clip."""
    return np.column_stack([routing.CLIPS, routing.directions()])


def _seen_socket(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Place (m) at which the hand sees the socket."""
    return data.site("socket_seen").xpos[None]


def _places_in_u(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Place (m) of each node in the U."""
    along = strand.profile(model, data).node_arclength
    return np.array([[*lay.shape(s)[0], lay.RADIUS] for s in along])


def _goal_pose(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Place (m) and direction (rad) of the cable's middle."""
    return np.array([handover.GOAL])


def _way_and_pillar(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Places (m) on the floor: where the base has to go, the pillar."""
    return np.array([hose.WAY[-1], hose.PILLAR])


def _goal_site(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Place (m) where the drone has to hover."""
    return data.site("goal").xpos[None]


TASKS = {
    "routing": Task(_routing, goal=_clips),
    "plug": Task(_plug, ("plug",), _seen_socket),
    "lay": Task(_lay, goal=_places_in_u),
    "winch": Task(_winch, ("load",)),
    "handover": Task(_handover, goal=_goal_pose),
    "hose": Task(_hose, ("base",), _way_and_pillar),
    "knot": Task(_knot),
    "drone": Task(_drone, ("drone",), _goal_site),
}
