"""What the window can show."""

import dataclasses
from collections.abc import Callable
from typing import TypeVar

import mujoco
import numpy as np

from strand._strand import Film, ViewScene
from strand.errors import StrandError
from strand.feeding.feeder import Feeder, fed_cables
from strand.readout.link_values import LinkValues, body_values, given_values
from strand.viewer import shape_file

_T = TypeVar("_T")

#: Called before each step with model and data.
Drive = Callable[[mujoco.MjModel, mujoco.MjData], None]

#: Numbers by which links are coloured, or a function that returns them as they are now.
Given = LinkValues | Callable[[], LinkValues]


@dataclasses.dataclass(frozen=True)
class Opened:
    """A model, which is simulated, or on which a film is played."""

    model: mujoco.MjModel
    data: mujoco.MjData
    title: str
    film: Film | None = None
    drive: Drive | None = None
    given: Given | None = None  #: the quantity "given" of the colours
    feeders: tuple[Feeder, ...] = ()  #: of its cables, which it feeds

    @classmethod
    def feeding(cls, model: mujoco.MjModel, title: str, drive: Drive | None = None) -> "Opened":
        """A model of our own, whose cables with start = feed are fed as their joints move."""
        data = mujoco.MjData(model)
        feeders = tuple(Feeder(model, data, index) for index in fed_cables(model, data))
        return cls(model, data, title, drive=drive, feeders=feeders)

    def scene(self, problems: list[str]) -> ViewScene:
        """For the window. This object must exist as long as the window.

        problems: gets the errors of files that are not written, beside the window.
        """
        model, copy, drive = self.model, mujoco.MjData(self.model), self.before_steps()
        data, given = self.data, self.given
        words = ("", "") if given is None else _words(given)

        def save_shape(file: str, points: list[float]) -> None:
            if self.film is None:
                shape_file.save(file, model, copy)
            else:
                shape_file.save_points(file, np.reshape(points, (-1, 3)))

        return ViewScene(
            model._address,
            data._address,
            self.title,
            self.film,
            copy=copy._address,
            drive=None if drive is None else lambda: _problem(drive),
            values=lambda quantity: _values(model, copy, quantity, given),
            given=words,
            save_shape=noted(problems, lambda file, points: _problem(save_shape, file, points)),
        )

    def before_steps(self) -> Callable[[], None] | None:
        """What the window calls before each step: it feeds by what the last step moved."""
        model, data, drive, before = self.model, self.data, self.drive, self.data.time
        if drive is None and not self.feeders:
            return None

        def work() -> None:
            nonlocal before
            for feeder in self.feeders:
                if data.time > before:
                    feeder.update()
                elif data.time < before:  # reset
                    feeder.prepare()
            before = data.time
            if drive is not None:
                drive(model, data)

        return work


def noted(problems: list[str], work: Callable[..., str]) -> Callable[..., str]:
    """A function for the window that returns "" or an error, which is added to the problems."""

    def working(*arguments: object) -> str:
        problem = work(*arguments)
        if problem:
            problems.append(problem)
        return problem

    return working


def _problem(work: Callable[..., None], *arguments: object) -> str:
    """Works and returns "" or the error, for the window, whose functions must not raise."""
    try:
        work(*arguments)
    except Exception as error:
        return f"{error}" or type(error).__name__
    return ""


def given_now(given: Given) -> LinkValues:
    """The numbers as they are now. Raises StrandError if they are not LinkValues."""
    now = given() if callable(given) else given
    if not isinstance(now, LinkValues):
        got, allowed = type(now).__name__, "a string, a strand.LinkValues, or a function of it"
        raise StrandError(f"color: got {got}, allowed: {allowed}")
    return now


def _words(given: Given) -> tuple[str, str]:
    now = given_now(given)
    return now.name or "values", now.unit


def _values(
    model: mujoco.MjModel, data: mujoco.MjData, quantity: str, given: Given | None
) -> list[float]:
    """For the window: a number per body, or none if the quantity is not known."""
    try:
        if quantity == "given":
            return [] if given is None else given_values(model, data, given_now(given)).tolist()
        return body_values(model, data, quantity).tolist()
    except Exception:  # a state that diverges, a section that is not known: no colours
        return []
