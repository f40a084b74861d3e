"""Strand's forces on the cables of all worlds of a mujoco_warp.Data."""

import operator
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.mujoco_versions import HAS_DISCRETE
from strand.warp import packages
from strand.warp.layout import Layout, make_layout
from strand.warp.without_plugin import check_model

_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
_DISCRETE = int(mujoco.mjtIntegrator.mjINT_DISCRETE) if HAS_DISCRETE else None
_NO_SENSOR = int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
_NO_PASSIVE = int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(mujoco.mjtDisableBit.mjDSBL_DAMPER)


class Cables:
    """The cables of a model in all worlds; `attach` makes it.

    It holds the twist of every joint in every world, which a state (qpos) gives only modulo a turn.
    The twists follow the positions with every evaluation of forces, once per step. Arrays that it
    returns are Warp arrays on the device of the data: `.numpy()` copies them.

    Twists and energies are those of the current joint positions, d.qpos. Nodes come from d.xpos,
    which a step leaves one step behind; mujoco_warp.kinematics(m, d) makes them current.
    """

    def __init__(self, model: mujoco.MjModel, m: Any, d: Any, data: mujoco.MjData | None) -> None:
        self._wp: ModuleType = packages.load().warp
        _check(model, m, d)
        self._layout: Layout = make_layout(model, mujoco.MjData(model) if data is None else data)
        self._m, self._d = m, d
        self._device = d.qpos.device
        self._put()
        self._allocate()
        self._before = m.callback.passive, m.callback.sensor
        self._own_stiffness = np.array(m.jnt_stiffness.numpy())
        self._own_armature = np.array(m.dof_armature.numpy())
        self._joint_of_dof = model.dof_jntid.copy()
        m.callback.passive = self._add_forces
        if len(self._layout.sensors["at"]):
            m.callback.sensor = self._sense

    @property
    def names(self) -> list[str]:
        """Names of the cables' plugin instances."""
        return [cable.name for cable in self._layout.cables]

    @property
    def nworld(self) -> int:
        """The number of worlds."""
        return int(self._d.nworld)

    def twists(self, cable: str | int = 0) -> Any:
        """Twists of a cable's joints with full turns (rad), a Warp array (nworld, joints).

        cable: name or position in `names`. Raises StrandError if there is no such cable.
        """
        joints = self._layout.cables[self._index(cable)].joints
        self._measure(self._read_twists)
        return self._read_twists[:, joints]

    def nodes(self, cable: str | int = 0) -> Any:
        """A cable's nodes (m), a Warp array (nworld, n + 1) of vec3; numpy: (nworld, n + 1, 3).

        cable: name or position in `names`. Raises StrandError if there is no such cable.
        """
        nodes = self._layout.cables[self._index(cable)].nodes
        d, inputs = self._d, [self._node_body, self._node_reach]
        self._launch(
            self._kernels.find_nodes, len(self._node_body), [*inputs, d.xpos, d.xmat], [self._nodes]
        )
        return self._nodes[:, nodes]

    def energy(self, cable: str | int = 0) -> np.ndarray:
        """A cable's energies of bending and twisting (J), (nworld, 2).

        cable: name or position in `names`. Raises StrandError if there is no such cable.
        """
        index = self._index(cable)
        self._measure(self._read_twists)
        self._sum_energies(self._read_twists)
        both = [energies.numpy()[:, index] for energies in (self._bend, self._twist)]
        return np.stack(both, axis=1)

    def scale(
        self,
        *,
        EI: float | Sequence[float] | np.ndarray | None = None,
        GJ: float | Sequence[float] | np.ndarray | None = None,
        cable: str | int | None = None,
    ) -> None:
        """Multiplies the model's stiffness, in each world by its own factor.

        EI, GJ: factors of the bending and torsional stiffness, > 0: one number or one per world.
            What is not given stays.
        cable: name or position in `names`; None (default): all cables.

        Where a cable becomes stiffer than the model's, what stabilises it at large time steps rises
        in m.jnt_stiffness, which Strand cancels, and with other integrators than `discrete` in
        m.dof_armature; they have one row per world then.
        Raises StrandError, and changes nothing, if a factor is invalid or there is no such cable.
        """
        columns = slice(None) if cable is None else slice(i := self._index(cable), i + 1)
        given = {"EI": EI, "GJ": GJ}
        factors = {
            name: self._per_world(name, value) for name, value in given.items() if value is not None
        }
        for name, values in factors.items():
            array = getattr(self._factors, name)
            changed = np.array(array.numpy())
            changed[:, columns] = values[:, None]
            array.assign(changed)
        self._stabilize()

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """The factors of EI and of GJ, each (nworld, cables)."""
        # On the CPU `numpy` shares memory.
        return np.array(self._factors.EI.numpy()), np.array(self._factors.GJ.numpy())

    def reset(self, mask: Sequence[bool] | np.ndarray | None = None) -> None:
        """Puts the twists back to those of the model's reference shape (qpos0).

        mask: one flag per world, True where to reset (default: all). The state itself is
        mujoco_warp's: call mujoco_warp.reset_data(m, d, reset=mask), too, or `Worlds.reset`.
        Raises StrandError if the mask is not one flag per world.
        """
        flags = self._array(self._mask(mask), self._wp.bool)
        inputs = [flags, self._rest]
        self._launch(self._kernels.reset_rows, self._joint_count, inputs, [self._twists])
        # mujoco_warp.reset_data leaves them, and a NaN would spread into the first step.
        velocities = self._d.cvel
        self._launch(self._kernels.clear_velocities, velocities.shape[1], [flags], [velocities])

    @property
    def bytes_per_world(self) -> float:
        """Memory of Strand's arrays with a row per world (bytes), over the number of worlds."""
        held = [*vars(self).values(), self._factors.EI, self._factors.GJ]
        arrays = [value for value in held if isinstance(value, self._wp.array)]
        rows = [array for array in arrays if array.ndim > 1]  # constants have one dimension
        return sum(array.capacity for array in rows) / self.nworld

    def detach(self) -> None:
        """Removes Strand's forces from the model; the callbacks that it had before are back."""
        self._m.callback.passive, self._m.callback.sensor = self._before

    def _put(self) -> None:
        """Moves the constants to the device."""
        from strand.warp import kernels

        self._kernels: Any = kernels
        layout, real = self._layout, kernels.Real
        self._tree = self._struct(kernels.Tree, layout.tree)
        self._links = self._struct(kernels.Links, layout.links)
        self._joints = self._struct(kernels.Joints, layout.joints)
        self._segments = self._struct(kernels.Segments, layout.segments)
        self._sensors = self._struct(kernels.Sensors, layout.sensors)
        integers = {"dofs", "begin", "joint"}
        self._torques = [
            self._array(value, int if name in integers else real)
            for name, value in layout.torques.items()
        ]
        self._springs = self._array(layout.springs, int)
        self._shares = self._array(layout.shares, self._wp.vec3)
        self._has_flat_cables = bool((layout.shares < 1).any())
        self._node_body = self._array(layout.nodes["body"], int)
        self._node_reach = self._array(layout.nodes["reach"], float)
        self._rest = self._array(layout.rest, real)
        self._link_count, self._joint_count = len(layout.links["near"]), len(layout.rest)
        self._leaf_count = len(layout.tree["path_begin"]) - 1

    def _allocate(self) -> None:
        """What each world has of its own, and what the kernels write."""
        kernels, layout, wp, worlds = self._kernels, self._layout, self._wp, self.nworld
        self._factors: Any = kernels.Factors()
        self._factors.EI = self._zeros(len(layout.cables), 1.0)
        self._factors.GJ = self._zeros(len(layout.cables), 1.0)
        self._twists = self._array(np.tile(layout.start, (worlds, 1)), kernels.Real)
        self._read_twists = wp.clone(self._twists)
        self._half = self._zeros(self._link_count)
        self._spin = self._zeros(self._link_count)
        self._work = self._workspace()
        self._bend, self._twist = (self._zeros(len(layout.cables)) for _ in range(2))
        vectors = {"dtype": kernels.Vec3, "device": self._device}
        self._wide = wp.zeros((worlds, self._link_count, 4), **vectors)
        self._couples = wp.zeros((worlds, self._joint_count), **vectors)
        count = len(self._node_body)
        self._nodes = wp.zeros((worlds, count), dtype=wp.vec3, device=self._device)
        count = len(layout.tree["body"])
        self._turns = wp.zeros((worlds, count), dtype=kernels.Quat, device=self._device)

    def _array(self, values: np.ndarray, dtype: Any) -> Any:
        return self._wp.array(np.ascontiguousarray(values), dtype=dtype, device=self._device)

    def _zeros(self, columns: int, value: float = 0.0) -> Any:
        shape = (self.nworld, columns)
        return self._wp.full(shape, value, dtype=self._kernels.Real, device=self._device)

    def _struct(self, kind: Any, values: dict[str, np.ndarray]) -> Any:
        """A struct of Warp; its fields have the types that it declares."""
        made = kind()
        for name, annotation in kind.cls.__annotations__.items():
            setattr(made, name, self._array(values[name], annotation.dtype))
        return made

    def _workspace(self) -> Any:
        """For the Newton solve of quasistatic twist: a row per world where cables need it."""
        made = self._kernels.Workspace()
        of_joints = {"start", "seen"}
        for name, annotation in made.cls.__annotations__.items():
            columns = self._joint_count if name in of_joints else self._link_count
            shape = (self.nworld, columns if self._layout.segments["general"].any() else 0)
            setattr(made, name, self._wp.zeros(shape, dtype=annotation.dtype, device=self._device))
        return made

    def _poses(self) -> Any:
        poses = self._kernels.Poses()
        poses.turns, poses.spin = self._turns, self._spin
        return poses

    def _skeleton(self) -> Any:
        m, skeleton = self._m, self._kernels.Skeleton()
        skeleton.joint_count, skeleton.first_joint = m.body_jntnum, m.body_jntadr
        skeleton.kind, skeleton.position, skeleton.axis = m.jnt_type, m.jnt_qposadr, m.jnt_axis
        skeleton.reference, skeleton.body, skeleton.site = m.qpos0, m.body_quat, m.site_quat
        return skeleton

    def _launch(self, kernel: Any, count: int, inputs: list[Any], outputs: list[Any]) -> None:
        if count:
            dim = (self.nworld, count)
            self._wp.launch(kernel, dim, inputs, outputs, device=self._device)

    def _measure(self, twists: Any) -> None:
        """Writes the twists at the current poses, next to those of the history."""
        kernels, poses = self._kernels, self._poses()
        inputs = [self._tree, self._skeleton(), self._d.mocap_quat, self._d.qpos]
        self._launch(kernels.turn_tree, self._leaf_count, inputs, [self._turns])
        self._launch(kernels.measure_holonomy, self._link_count, [self._links, poses], [self._half])
        inputs = [self._links, self._joints, poses, self._half, self._twists]
        self._launch(kernels.measure_twists, self._joint_count, inputs, [twists])
        rods = [self._links, self._joints, self._segments, self._factors, poses]
        count = len(self._layout.segments["begin"])
        inputs = [*rods, self._half, self._twists]
        self._launch(kernels.spread_twists, count, inputs, [twists])
        if self._layout.segments["general"].any():
            self._launch(kernels.solve_twists, count, [*inputs, self._work], [twists])

    def _sum_energies(self, twists: Any) -> None:
        """Sums the energies of bending and twisting of each cable at these twists (J)."""
        kernels, rods = self._kernels, [self._links, self._joints, self._factors, self._poses()]
        self._bend.zero_()
        self._twist.zero_()
        outputs = [self._bend, self._twist]
        inputs = [*rods, twists]
        self._launch(kernels.add_joint_energies, self._joint_count, inputs, outputs)
        self._launch(kernels.add_wide_energies, self._link_count, inputs, [self._bend])

    def _sense(self, m: Any, d: Any, stage: Any) -> None:
        """The callback for sensors: writes those of cables, after the forces were evaluated."""
        if self._before[1] is not None:
            self._before[1](m, d, stage)
        if stage.name != "VEL" or int(m.opt.disableflags) & _NO_SENSOR:
            return
        self._sum_energies(self._twists)
        inputs = [self._sensors, self._bend, self._twist, self._twists, self._couples]
        count = len(self._layout.sensors["at"])
        self._launch(self._kernels.write_sensors, count, inputs, [d.sensordata])

    def _add_forces(self, m: Any, d: Any) -> None:
        """The callback: adds to qfrc_passive, and commits the twists."""
        if d is not self._d:
            raise StrandError(
                "d: got other data than was attached to this model, allowed: the same; attach a "
                "model of its own to each data"
            )
        if self._before[0] is not None:
            self._before[0](m, d)
        self._measure(self._twists)
        kernels = self._kernels
        inputs = [self._links, self._joints, self._factors, self._poses(), self._twists]
        self._launch(kernels.add_wide, self._link_count, inputs, [self._wide])
        inputs = [*inputs, self._wide]
        self._launch(kernels.sum_couples, self._joint_count, inputs, [self._couples])
        rows = len(self._layout.torques["dofs"])
        inputs = [*self._torques, self._couples, d.cdof]
        self._launch(kernels.add_torques, rows, inputs, [d.qfrc_passive])
        self._cancel_springs(m, d)
        self._damp_stiff_joints(m, d)

    def _cancel_springs(self, m: Any, d: Any) -> None:
        if int(m.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_SPRING):
            return
        kernels, joints = self._kernels, self._springs
        if m.ntendon == 0 and m.nflex == 0:
            inputs = [joints, m.jnt_type, m.jnt_dofadr, d.qfrc_spring]
            self._launch(kernels.cancel_springs, len(joints), inputs, [d.qfrc_passive])
            return
        inputs = [joints, m.jnt_type, m.jnt_qposadr, m.jnt_dofadr, m.jnt_stiffness]
        inputs += [m.qpos_spring, d.qpos]
        self._launch(kernels.cancel_stiffness, len(joints), inputs, [d.qfrc_passive])

    def _damp_stiff_joints(self, m: Any, d: Any) -> None:
        discrete = int(m.opt.integrator) == _DISCRETE
        bit = mujoco.mjtDisableBit.mjDSBL_SPRING if discrete else mujoco.mjtDisableBit.mjDSBL_DAMPER
        if int(m.opt.disableflags) & int(bit) or (discrete and not self._has_flat_cables):
            return
        joints = self._springs
        inputs = [joints, self._shares, int(discrete), m.jnt_type, m.jnt_dofadr]
        inputs += [m.jnt_stiffness, m.dof_armature]
        inputs += [m.opt.timestep, d.qvel]
        self._launch(self._kernels.damp_stiff_joints, len(joints), inputs, [d.qfrc_passive])

    def _stabilize(self) -> None:
        EI, GJ = self.factors()
        largest = np.maximum(1.0, np.maximum(EI, GJ))
        if (largest == 1).all() and self._m.jnt_stiffness.shape[0] == 1:
            return
        self._raise("jnt_stiffness", self._own_stiffness, np.arange(self._m.njnt), largest)
        if int(self._m.opt.integrator) != _DISCRETE:
            self._raise("dof_armature", self._own_armature, self._joint_of_dof, largest)

    def _raise(self, field: str, own: np.ndarray, joint: np.ndarray, factors: np.ndarray) -> None:
        """Sets an array of the model to its own values times the factors of the cables, in one row
        per world. `joint`: the joint of each column."""
        rows = np.array(np.broadcast_to(own, (self.nworld, own.shape[1])))
        for index, cable in enumerate(self._layout.cables):
            rows[:, np.isin(joint, cable.cancelled)] *= factors[:, index, None]
        array = getattr(self._m, field)
        if array.shape == rows.shape:
            array.assign(rows)
        else:
            setattr(self._m, field, self._array(rows, float))

    def _per_world(self, field: str, value: Any) -> np.ndarray:
        allowed = f"one number > 0, or one for each of the {self.nworld} worlds"
        try:
            factors = np.broadcast_to(np.asarray(value, dtype=float), (self.nworld,))
        except (TypeError, ValueError):
            raise StrandError(f"{field}: got {value!r}, allowed: {allowed}") from None
        if not (np.isfinite(factors) & (factors > 0)).all():
            raise StrandError(f"{field}: got {value!r}, allowed: {allowed}")
        return factors

    def _mask(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.ones(self.nworld, dtype=bool)
        flags = np.asarray(mask)
        if flags.shape != (self.nworld,) or flags.dtype != bool:
            raise StrandError(
                f"mask: got {flags.dtype} of shape {flags.shape}, allowed: one bool for each of "
                f"the {self.nworld} worlds"
            )
        return flags

    def _index(self, cable: str | int) -> int:
        names = self.names
        try:
            if isinstance(cable, str):
                return names.index(cable)
            return range(len(names))[operator.index(cable)]
        except (ValueError, IndexError, TypeError):
            raise StrandError(
                f"cable: got {cable!r}, allowed: 0 to {len(names) - 1} or one of {', '.join(names)}"
            ) from None


def _check(model: mujoco.MjModel, m: Any, d: Any) -> None:
    """Raises StrandError if these do not belong together, or if the options do not allow cables."""
    check_model(model)
    for field, given, kind in (("m", m, "Model"), ("d", d, "Data")):
        if type(given).__name__ != kind or not hasattr(given, "nworld" if kind == "Data" else "nv"):
            got = type(given).__name__
            raise StrandError(f"{field}: got {got}, allowed: a mujoco_warp.{kind}")
    if (m.nv, m.nbody, m.njnt) != (model.nv, model.nbody, model.njnt):
        raise StrandError("m: got that of another model, allowed: strand.warp.put_model(model)")
    if d.qpos.shape[1] != model.nq or d.xmat.shape[1] != model.nbody:
        raise StrandError("d: got that of another model, allowed: mujoco_warp.put_data of this one")
    if isinstance(getattr(m.callback.passive, "__self__", None), Cables):
        raise StrandError("m: got a model with Strand's forces, allowed: attach them once")
    if int(m.opt.integrator) == _RK4:
        raise StrandError(
            "integrator: got RK4, which evaluates forces between the steps, where twists must not "
            "be kept, allowed: discrete, implicitfast, implicit, Euler"
        )
    if int(m.opt.disableflags) & _NO_PASSIVE == _NO_PASSIVE:
        raise StrandError(
            "option flags: got spring and damper disabled, which also disables Strand's forces, "
            "allowed: one of them enabled"
        )
