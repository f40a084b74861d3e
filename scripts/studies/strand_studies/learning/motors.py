"""Actions: the controls of all actuators, scaled to [-1, 1].

An actuator's range of controls goes linearly to [-1, 1]. So 0 is the middle of the range: no speed
of a hand, drum or base and no force of fingers, and half the thrust of a rotor.
"""

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError


class Motors:
    """The actuators of a model. Raises StrandError if the controls of one have no range."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self.names = [model.actuator(k).name for k in range(model.nu)]
        for name, limited in zip(self.names, model.actuator_ctrllimited, strict=True):
            if not limited:
                raise StrandError(f"actuator: got {name!r} without limits, allowed: with ctrlrange")
        self._low, self._high = model.actuator_ctrlrange.T.copy()

    def controls(self, action: ArrayLike, worlds: int | None = None) -> np.ndarray:
        """The vector `ctrl`, shape (nu,), of an action; what is beyond [-1, 1] is clipped.

        worlds: the number of rows, one action for each world; None: only one action, no rows.
        Raises StrandError if the action has another shape or contains numbers that are not finite.
        """
        given = np.asarray(action, dtype=float)
        shape = self._low.shape if worlds is None else (worlds, *self._low.shape)
        if given.shape != shape:
            raise StrandError(f"action: got shape {given.shape}, allowed: {shape}")
        if not np.isfinite(given).all():
            *world, bad = np.argwhere(~np.isfinite(given))[0].tolist()
            where = f"world {world[0]}, {self.names[bad]}" if world else self.names[bad]
            got = given[tuple(world)].tolist()
            raise StrandError(f"action: got {got} ({where}), allowed: finite numbers")
        part = (np.clip(given, -1, 1) + 1) / 2
        return self._low + part * (self._high - self._low)

    def action(self, controls: ArrayLike) -> np.ndarray:
        """The action, float32, with these controls; those beyond their ranges are clipped."""
        given = np.clip(np.asarray(controls, dtype=float), self._low, self._high)
        return (2 * (given - self._low) / (self._high - self._low) - 1).astype(np.float32)
