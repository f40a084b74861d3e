"""One world: from its start to its end, or until its state is invalid.

mujoco.rollout is not used: it keeps the whole state of every step, and leaves out what is in MjData
beside it. Threads of Python with mj_step, which releases Python's lock, are as fast.
"""

import copy
import dataclasses
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import mujoco
import numpy as np

from strand.batch.arguments import Change, RodOf
from strand.materials.change import set_material
from strand.readout.joints import stabilize_all
from strand.readout.profile import rod_nodes

_INVALID = ("BADQPOS", "BADQVEL", "BADQACC", "BADCTRL")  #: warnings of MuJoCo


@dataclasses.dataclass(frozen=True)
class Plan:
    """What all worlds have in common, and what makes each different."""

    model: mujoco.MjModel
    cables: list[RodOf]
    steps: int
    every: int  #: steps between two samples
    start: Callable[..., None]
    control: Change | np.ndarray | None
    factors: np.ndarray | None  #: of EI and GJ, (worlds, cables, 2); None: those of the start
    seed: int


class Failure(NamedTuple):
    """A world's state is invalid from a sample on."""

    sample: int
    reason: str


class Worlds:
    """Runs worlds in any thread, each of which has an MjData of its own.

    arrays: what is recorded, "qpos" or "nodes/CABLE", with shapes (worlds, samples, ...).
    """

    def __init__(self, plan: Plan, arrays: dict[str, Any]) -> None:
        self._plan, self._arrays = plan, arrays
        self._own = threading.local()
        self.stopped = threading.Event()  #: ends worlds early

    def run(self, world: int) -> Failure | None:
        """Runs a world and stores its record."""
        samples = self._plan.steps // self._plan.every + 1
        rows = {name: np.full((samples, *a.shape[2:]), np.nan) for name, a in self._arrays.items()}
        try:
            failure = self._simulate(world, rows)
        except mujoco.FatalError as error:
            del self._own.data  # which may be inconsistent
            failure = Failure(self._own.sample, str(error))
        for name, row in rows.items():
            self._arrays[name][world] = row
        return failure

    def _simulate(self, world: int, rows: dict[str, np.ndarray]) -> Failure | None:
        plan, self._own.sample = self._plan, 0
        generator = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(world,)))
        try:
            data = self._begin(world, generator)
            for sample in range(plan.steps // plan.every + 1):
                self._own.sample = sample
                if sample:
                    self._advance(world, sample - 1, generator, data)
                if (reason := _invalid(data)) or self.stopped.is_set():
                    return Failure(sample, reason)
                self._record(sample, data, rows)
        except Exception as error:
            error.add_note(f"strand.rollout: in world {world}")
            raise
        return None

    def _begin(self, world: int, generator: np.random.Generator) -> mujoco.MjData:
        """This thread's MjData at the start of a world, with its stiffness."""
        plan = self._plan
        if not hasattr(self._own, "data"):
            # set_material and set_damping change the model, which therefore is this thread's own.
            self._own.model = copy.copy(plan.model)
            self._own.data = mujoco.MjData(self._own.model)
        model, data = self._own.model, self._own.data
        for name in ("jnt_stiffness", "dof_armature", "dof_damping"):
            getattr(model, name)[:] = getattr(plan.model, name)
        mujoco.mj_resetData(model, data)
        plan.start(world, generator, data)
        stabilize_all(model, data)  # the start may be that of another model
        if plan.factors is not None:
            for cable, (EI, GJ) in zip(plan.cables, plan.factors[world], strict=True):
                set_material(model, data, cable.instance, EI=EI, GJ=GJ)
        return data

    def _advance(
        self, world: int, interval: int, generator: np.random.Generator, data: mujoco.MjData
    ) -> None:
        """From one sample to the next. mj_step leaves Python's lock to other threads."""
        plan, model = self._plan, self._own.model
        if isinstance(plan.control, np.ndarray):
            rows = plan.control[world if len(plan.control) > 1 else 0]
            if len(rows) > 1:
                for row in rows[interval * plan.every : (interval + 1) * plan.every]:
                    data.ctrl[:] = row
                    mujoco.mj_step(model, data)
                return
            data.ctrl[:] = rows[0]
        elif plan.control is not None:
            plan.control(generator, data)
        mujoco.mj_step(model, data, plan.every)

    def _record(self, sample: int, data: mujoco.MjData, rows: dict[str, np.ndarray]) -> None:
        qpos = data.qpos.copy()
        if "qpos" in rows:
            rows["qpos"][sample] = qpos
        # After a step, data.xpos are those before it.
        mujoco.mj_kinematics(self._plan.model, data)
        data.qpos[:] = qpos  # older versions of MuJoCo normalise quaternions in it
        for cable in self._plan.cables:
            if (name := f"nodes/{cable.name}") in rows:
                rows[name][sample] = rod_nodes(cable.rod, data)


def _invalid(data: mujoco.MjData) -> str:
    """Why the state is invalid; "" if it is not. MuJoCo resets an invalid state, with a warning."""
    for name in _INVALID:
        if data.warning[int(getattr(mujoco.mjtWarning, f"mjWARN_{name}"))].number:
            return f"MuJoCo's warning {name}"
    return "" if np.isfinite(data.qpos).all() else "NaN or infinity in qpos"
