"""Checks what strand.rollout is given."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand import adapter
from strand._strand import RodProfile
from strand.errors import StrandError
from strand.io import options
from strand.readout.readout import instances

Change: TypeAlias = Callable[[np.random.Generator, mujoco.MjData], Any]
Initial: TypeAlias = "ArrayLike | mujoco.MjData | Change | None"
Control: TypeAlias = "ArrayLike | Change | None"

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class RodOf(NamedTuple):
    """A cable of the model."""

    name: str  #: of its plugin instance; if it has none, its index
    instance: int
    rod: RodProfile  #: bodies and lengths of its links


def cables_of(model: mujoco.MjModel) -> list[RodOf]:
    """All cables of strand.cable in the model."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = []
    for index, name in enumerate(instances(model)):
        try:
            rod = adapter.load().profile(model._address, data._address, index)
        except IndexError:  # an instance of another plugin
            continue
        if adapter.load().constants(model._address, data._address, index).feed_joint >= 0:
            raise StrandError(
                f"model: got the cable {name!r} with start = feed, allowed: cables that are not "
                "fed, since the model of a fed one changes as it runs (strand.Feeder)"
            )
        found.append(RodOf(name or str(index), index, rod))
    return found


def count(field: str, value: Any) -> int:
    """The value, an integer, at least 1. Raises StrandError."""
    return options.read(field, value, options.count(1))


def step_count(model: mujoco.MjModel, steps: int | None, seconds: float | None, every: int) -> int:
    """The number of steps, a multiple of `every`."""
    if (steps is None) == (seconds is None):
        given = "neither" if steps is None else "both"
        raise StrandError(f"steps, seconds: got {given}, allowed: one of them")
    if steps is not None:
        if count("steps", steps) % every:
            raise StrandError(f"steps: got {steps}, allowed: a multiple of every = {every}")
        return int(steps)
    length = options.read("seconds", seconds, options.positive("s"))
    return every * max(1, round(length / (model.opt.timestep * every)))


def factors(field: str, value: Any, worlds: int, cables: int) -> np.ndarray:
    """Factors of a stiffness, (worlds, cables).

    value: None: 1; or (), (worlds,), (worlds, cables).
    """
    shapes = f"(), ({worlds},) or ({worlds}, {cables})"
    allowed = f"factors > 0 of shape {shapes}"
    array = numbers(field, 1.0 if value is None else value, allowed)
    if value is not None and not cables:
        raise StrandError(f"{field}: got factors, allowed: None, as the model has no strand.cable")
    if array.shape == (worlds,):
        array = array[:, np.newaxis]
    if (array.ndim and array.shape[0] != worlds) or array.ndim > 2 or not (array > 0).all():
        raise StrandError(f"{field}: got {_shown(array)}, allowed: {allowed}")
    try:
        return np.broadcast_to(array, (worlds, cables))
    except ValueError:
        raise StrandError(f"{field}: got {_shown(array)}, allowed: {allowed}") from None


def controls(model: mujoco.MjModel, value: Control, worlds: int, steps: int) -> Any:
    """None, a function, or an array ([worlds or 1], [steps or 1], nu)."""
    if value is None or callable(value):
        return value
    shapes = f"({model.nu},) or ({worlds} or 1, {steps} or 1, {model.nu})"
    allowed = f"None, a function, or finite numbers of shape {shapes}"
    array = numbers("control", value, allowed)
    if array.shape == (model.nu,):
        array = array[np.newaxis, np.newaxis]
    fits = array.ndim == 3 and array.shape[2] == model.nu
    if not fits or array.shape[0] not in (1, worlds) or array.shape[1] not in (1, steps):
        raise StrandError(f"control: got {_shown(array)}, allowed: {allowed}")
    return array


def starts(model: mujoco.MjModel, value: Initial, worlds: int) -> Callable[..., None]:
    """A function of the world's index, its random numbers and its data, which sets the start."""
    if value is None:
        return lambda world, generator, data: None
    if isinstance(value, mujoco.MjData):
        return _from_data(model, value)
    if callable(value):
        return _from_function(model, value)
    allowed = (
        f"None, a function, an MjData, or finite numbers of shape ({model.nq},) or "
        f"({worlds}, {model.nq})"
    )
    array = numbers("initial", value, allowed)
    if array.shape not in ((model.nq,), (worlds, model.nq)):
        raise StrandError(f"initial: got {_shown(array)}, allowed: {allowed}")
    rows = np.broadcast_to(array, (worlds, model.nq))

    def start(world: int, generator: np.random.Generator, data: mujoco.MjData) -> None:
        data.qpos[:] = rows[world]

    return start


def _from_data(model: mujoco.MjModel, given: mujoco.MjData) -> Callable[..., None]:
    if (given.model.nq, given.model.nplugin) != (model.nq, model.nplugin):
        raise StrandError("initial: got data of another model, allowed: MjData(model)")
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, given, state, _STATE)

    def start(world: int, generator: np.random.Generator, data: mujoco.MjData) -> None:
        mujoco.mj_setState(model, data, state, _STATE)

    return start


def _from_function(model: mujoco.MjModel, function: Change) -> Callable[..., None]:
    def start(world: int, generator: np.random.Generator, data: mujoco.MjData) -> None:
        returned = function(generator, data)
        if returned is None:
            return
        if np.shape(returned) != (model.nq,):
            raise StrandError(
                f"initial: got a function that returns {returned!r:.60}, allowed: one that "
                f"changes data and returns None, or returns qpos of shape ({model.nq},)"
            )
        data.qpos[:] = returned

    return start


def numbers(field: str, value: Any, allowed: str) -> np.ndarray:
    """Finite numbers as an array."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"{field}: got {value!r:.60}, allowed: {allowed}") from None
    if not np.isfinite(array).all():
        raise StrandError(f"{field}: got NaN or infinity, allowed: {allowed}")
    return array


def seed_of(value: int | None) -> int:
    """The seed; a random one for None."""
    if value is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return options.read("seed", value, options.count(0))


def _shown(array: np.ndarray) -> str:
    span = f", from {array.min():g} to {array.max():g}" if array.size else ""
    return f"shape {array.shape}{span}" if array.ndim else f"{float(array):g}"


def times(model: mujoco.MjModel, steps: int, every: int) -> np.ndarray:
    """Times (s) since the start at which worlds are recorded."""
    return np.arange(0, steps + 1, every) * model.opt.timestep
