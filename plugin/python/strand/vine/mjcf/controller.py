"""Grows, retracts and steers a VineRobot in a MuJoCo model."""

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

#: Time in which a hinge that is locked again approaches its natural angle (s).
_SETTLING = 0.05

_CLOSE = 1e-9  # m: rounding of lengths


class VineController:
    """Controls one robot of a model.

    model, data: of MuJoCo.
    prefix: of the robot's names, preceded by the prefix of any attachment (default "vine_").

    Call `apply` before every mj_step, or `step`, which does both. Commands are stored in fields of
    the model (eq_data, eq_solref, qpos_spring, and those of bodies and geoms that depend on the
    length), so that only one mjData may use the model at a time. Growth constraints and contacts
    are tuned for the model's integrator and time step when the controller is made. Raises
    StrandError if the model has no such robot, or the data belongs to another model.
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
        """Sets the rate of growth, which is kept until the next call.

        rate: m/s; < 0: retraction. One number: rate of the total length, shared equally by pairs
        that telescope. One number per pair, for pairs that telescope: rates of their extensions.
        """
        if self._at_tip or np.ndim(rate) == 0:
            total = options.read("rate", rate, finite("m/s"))
            self._rate[:] = total / self.pairs
        else:
            self._rate[:] = options.read("rate", rate, vector(self.pairs, "m/s"))

    def retract(self, speed: float) -> None:
        """Retracts the robot: its length decreases by `speed` (m/s, >= 0)."""
        self.set_growth(-options.read("speed", speed, options.non_negative("m/s")))

    def steer(self, angle: float | Sequence[float]) -> None:
        """Sets the natural angles of the joints (rad): one number for all, or one per pair."""
        if np.ndim(angle) == 0:
            natural: float | list[float] = options.read("angle", angle, finite("rad"))
        else:
            natural = options.read("angle", angle, vector(self.pairs, "rad"))
        self._model.qpos_spring[self._model.jnt_qposadr[self._hinge]] = natural

    def apply(self, dt: float | None = None) -> None:
        """Commands the extensions at the end of the next step.

        dt: length of the step (s; default: the model's time step).

        Extensions are limited to >= 0 and, with growth "tip", to the robot's full length.
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
        """Calls `apply` and mj_step `steps` times (default 1)."""
        for _ in range(options.read("steps", steps, count(1))):
            self.apply()
            mujoco.mj_step(self._model, self._data)

    def reset(self) -> None:
        """Takes over the data's extensions as the commanded ones.

        Call it after mj_resetData, or after the state has been set by hand.
        """
        self._command = np.maximum(self.extensions, 0)
        if self._at_tip:
            self._command = tip_extensions(self._segment, self._command.sum())
            self._data.eq_active[self._lock] = self._collapsed
            self._hold_at(np.where(self._collapsed, self._natural, self._angles))
        self._write()

    # State

    @property
    def extensions(self) -> np.ndarray:
        """The distance s of each pair's bodies, or the deployed length of each segment (pairs,;
        m)."""
        return self._data.qpos[self._model.jnt_qposadr[self._slide]]

    @property
    def length(self) -> float:
        """Length of the robot along its pairs (m)."""
        return float(self.extensions.sum() + self._bodies.rigid_length)

    @property
    def commanded_length(self) -> float:
        """The length that is commanded (m)."""
        return float(self._command.sum() + self._bodies.rigid_length)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip (3, m, world), as computed by the last mj_forward or mj_kinematics.
        After mj_step it is the position at the start of the step."""
        return self._data.site_xpos[self._tip].copy()

    @property
    def angles(self) -> np.ndarray:
        """Angles of the joints (pairs,; rad)."""
        return self._angles.copy()

    @property
    def at_limit(self) -> bool:
        """True if the robot is fully retracted or, with growth "tip", fully deployed."""
        length = self._command.sum()
        full = self._at_tip and length > self._segment.sum() - _CLOSE
        return bool(full or length < _CLOSE)

    # Implementation

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
        """Locks the hinges of collapsed segments, first at their current angle; while the extension
        is zero, this angle relaxes to the natural one."""
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
        """Ids of name0, name1, ...: as many as there are slides."""
        total = getattr(self, "pairs", None)
        if total is None:
            total = 0
            while self._find(kind, f"{name}{total}") >= 0:
                total += 1
            total = max(total, 1)  # without any slide, the error below names the first
        return np.array([self._id(kind, f"{name}{k}") for k in range(total)])
