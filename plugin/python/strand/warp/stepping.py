"""Steps of MuJoCo Warp, on a GPU as a CUDA graph."""

import dataclasses
from typing import Any

from strand.warp import packages


class Stepper:
    """Steps the worlds of a mujoco_warp.Model and a mujoco_warp.Data.

    On a GPU a step is some hundred short kernels, whose launches take longer than they run, so they
    are recorded once, as a CUDA graph, and replayed. A graph works on the arrays, options and
    callbacks that it was recorded with. What is written into an array counts in the next step; if
    an array, an option or a callback has been replaced, the step is recorded again.
    """

    def __init__(self, m: Any, d: Any) -> None:
        self._m, self._d = m, d
        self._wp, self._mjw = packages.load()
        self._graph: Any = None
        self._recorded: list[Any] = []  #: what the graph was recorded with

    def step(self, count: int) -> None:
        """Steps all worlds; on a GPU it does not wait until they are done."""
        device = self._d.qpos.device
        if not device.is_cuda:
            for _ in range(count):
                self._mjw.step(self._m, self._d)
            return
        if count and (now := _contents(self._m, self._d)) != self._recorded:
            # Kernels are loaded by a step of its own, since a recording must not load any.
            self._mjw.step(self._m, self._d)
            with self._wp.ScopedCapture(device=device) as capture:
                self._mjw.step(self._m, self._d)
            self._graph, self._recorded, count = capture.graph, now, count - 1
        for _ in range(count):
            self._wp.capture_launch(self._graph)


def _contents(*parts: Any) -> list[Any]:
    """Addresses of the arrays, and other values, of mujoco_warp's dataclasses."""
    found: list[Any] = []
    for part in parts:
        for name, value in vars(part).items():
            if dataclasses.is_dataclass(value):
                found += _contents(value)
            else:
                found.append((name, getattr(value, "ptr", value)))
    return found
