"""Grows, retracts and steers a robot that `VineRobot` has put into a model of MuJoCo."""

from collections.abc import Sequence

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io import options
from strand.io.options import count, finite, positive, vector
from strand.mujoco_versions import is_discrete
from strand.vine.mjcf import mjcf
from strand.vine.mjcf.bodies import Segments, Telescopes
from strand.vine.mjcf.robot import tip_extensions

#: How long a hinge that is locked again takes to its natural angle, s.
_SETTLING = 0.05

_CLOSE = 1e-9  # m: rounding of lengths


class VineController:
    """One robot of a model, found by the prefix of its names (its own after any attachment's).

    Call `apply` before every mj_step, or `step` for both. Commands live in fields of the model
    (eq_data, eq_solref, qpos_spring, and of bodies and geoms what follows from the length), so that
    a model belongs to one mjData at a time. Growth constraints and contacts are made to fit the
    model's integrator and time step as they are when the controller is made.
    """

    _command: np.ndarray  #: m, of each extension

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, prefix: str = "vine_") -> None:
        if not isinstance(model, mujoco.MjModel):
            raise StrandError(f"model: got {type(model).__name__}, allowed: a mujoco.MjModel")
        if not isinstance(data, mujoco.MjData):
            raise StrandError(f"data: got {type(data).__name__}, allowed: a mujoco.MjData")
        if data.qpos.shape != (model.nq,):
            raise StrandError(f"data: got {data.qpos.size} positions, allowed: the model's data")
        self._model, self._data, self._prefix = model, data, prefix
        self._slide, self._hinge = self._joints("slide"), self._joints("hinge")
        self.pairs = len(self._slide)
        objects = mujoco.mjtObj
        self._grow = self._ids(objects.mjOBJ_EQUALITY, "grow")
        self._tip = self._id(objects.mjOBJ_SITE, "tip")
        self._at_tip = self._find(objects.mjOBJ_EQUALITY, "lock0") >= 0
        self._lock = self._ids(objects.mjOBJ_EQUALITY, "lock") if self._at_tip else None
        kind = Segments if self._at_tip else Telescopes
        self._bodies: Segments | Telescopes = kind(model, self._ids, self._find)
        #: m, of segments; none where pairs telescope.
        self._segment = np.zeros(0)
        if isinstance(self._bodies, Segments):
            self._segment = self._bodies.segment
        self._rate = np.zeros(self.pairs)
        self._tune()
        self.reset()

    # Commands

    def set_growth(self, rate: float | Sequence[float]) -> None:
        """Speed of growth (m/s), < 0: retraction; lasts until the next call.

        One number: of the whole length, shared equally by pairs that telescope. One per pair: of
        the pairs' own extensions, where they telescope.
        """
        if self._at_tip or np.ndim(rate) == 0:
            total = options.read("rate", rate, finite("m/s"))
            self._rate[:] = total / self.pairs
        else:
            self._rate[:] = options.read("rate", rate, vector(self.pairs, "m/s"))

    def retract(self, speed: float) -> None:
        """Takes in `speed` (m/s, >= 0) of length."""
        self.set_growth(-options.read("speed", speed, options.non_negative("m/s")))

    def steer(self, angle: float | Sequence[float]) -> None:
        """Natural angles of the joints (rad): one for all, or one per pair."""
        if np.ndim(angle) == 0:
            natural: float | list[float] = options.read("angle", angle, finite("rad"))
        else:
            natural = options.read("angle", angle, vector(self.pairs, "rad"))
        self._model.qpos_spring[self._model.jnt_qposadr[self._hinge]] = natural

    def apply(self, dt: float | None = None) -> None:
        """Commands the extensions that the step to come, of `dt` s (the model's), ends with.

        Extensions stop at nought and, where the tip grows, at the robot's whole length.
        """
        step = self._model.opt.timestep if dt is None else options.read("dt", dt, positive("s"))
        if self._at_tip:
            whole = self._segment.sum()
            length = np.clip(self._command.sum() + step * self._rate.sum(), 0, whole)
            self._command = tip_extensions(self._segment, length)
            self._set_locks(step)
        else:
            self._command = np.maximum(self._command + step * self._rate, 0)
        self._write()

    def step(self, steps: int = 1) -> None:
        """`apply` and mj_step, so many times."""
        for _ in range(options.read("steps", steps, count(1))):
            self.apply()
            mujoco.mj_step(self._model, self._data)

    def reset(self) -> None:
        """Takes the data's extensions as commanded: after mj_resetData or a state set by hand."""
        self._command = np.maximum(self.extensions, 0)
        if self._at_tip:
            self._command = tip_extensions(self._segment, self._command.sum())
            self._data.eq_active[self._lock] = self._collapsed
            self._hold_at(np.where(self._collapsed, self._natural, self._angles))
        self._write()

    # State

    @property
    def extensions(self) -> np.ndarray:
        """(pairs,) m: the distances s of each pair's bodies, or the deployed part of segments."""
        return self._data.qpos[self._model.jnt_qposadr[self._slide]]

    @property
    def length(self) -> float:
        """Of the robot (m), along its pairs."""
        return float(self.extensions.sum() + self._bodies.rigid_length)

    @property
    def commanded_length(self) -> float:
        """What `length` is told to be (m)."""
        return float(self._command.sum() + self._bodies.rigid_length)

    @property
    def tip(self) -> np.ndarray:
        """(3,) m, world, as of the last mj_forward or mj_kinematics; mj_step leaves the step's
        start."""
        return self._data.site_xpos[self._tip].copy()

    @property
    def angles(self) -> np.ndarray:
        """(pairs,) rad, of the joints."""
        return self._angles.copy()

    @property
    def at_limit(self) -> bool:
        """Whether there is nothing left to take in or, where the tip grows, to deploy."""
        length = self._command.sum()
        full = self._at_tip and length > self._segment.sum() - _CLOSE
        return bool(full or length < _CLOSE)

    # What is behind

    @property
    def _angles(self) -> np.ndarray:
        return self._data.qpos[self._model.jnt_qposadr[self._hinge]]

    @property
    def _natural(self) -> np.ndarray:
        return self._model.qpos_spring[self._model.jnt_qposadr[self._hinge]]

    @property
    def _collapsed(self) -> np.ndarray:
        return self._command < mjcf.RELEASE * self._segment

    def _write(self) -> None:
        start = self._model.qpos0[self._model.jnt_qposadr[self._slide]]
        self._model.eq_data[self._grow, 0] = self._command - start
        self._bodies.follow(self._command)

    def _hold_at(self, angle: np.ndarray) -> None:
        start = self._model.qpos0[self._model.jnt_qposadr[self._hinge]]
        self._model.eq_data[self._lock, 0] = angle - start

    def _set_locks(self, dt: float) -> None:
        """Hinges of collapsed segments are held, first as they are, then at their natural angle."""
        start = self._model.qpos0[self._model.jnt_qposadr[self._hinge]]
        held = self._model.eq_data[self._lock, 0] + start
        was = self._data.eq_active[self._lock].astype(bool)
        held = np.where(was, held, self._angles)
        held += np.where(self._command <= 0, min(1.0, dt / _SETTLING), 0) * (self._natural - held)
        self._hold_at(held)
        self._data.eq_active[self._lock] = self._collapsed

    def _tune(self) -> None:
        step = self._model.opt.timestep, is_discrete(self._model.opt)
        holds = self._grow if self._lock is None else np.concatenate([self._grow, self._lock])
        self._model.eq_solref[holds] = mjcf.growth_solref(*step)
        self._model.geom_solref[self._bodies.geoms] = mjcf.contact_solref(*step)

    def _joints(self, kind: str) -> np.ndarray:
        return self._ids(mujoco.mjtObj.mjOBJ_JOINT, kind)

    def _find(self, kind: mujoco.mjtObj, name: str) -> int:
        return mujoco.mj_name2id(self._model, kind, self._prefix + name)

    def _id(self, kind: mujoco.mjtObj, name: str) -> int:
        found = self._find(kind, name)
        if found < 0:
            raise StrandError(
                f"prefix: got {self._prefix!r}, allowed: that of a VineRobot in the model (there is"
                f" no '{self._prefix}{name}')"
            )
        return found

    def _ids(self, kind: mujoco.mjtObj, name: str) -> np.ndarray:
        """Of name0, name1, ...: as many as there are slides."""
        total = getattr(self, "pairs", None)
        if total is None:
            total = 0
            while self._find(kind, f"{name}{total}") >= 0:
                total += 1
            total = max(total, 1)  # none: the error names the first
        return np.array([self._id(kind, f"{name}{k}") for k in range(total)])
