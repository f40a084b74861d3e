"""The sides of `strand bench warp`: a falling rope in many worlds, in Warp and in C."""

from typing import Any, Protocol

import mujoco
import numpy as np
from mujoco import rollout

import strand
import strand.warp
from strand.warp import packages
from strand.warp.memory import bytes_per_world
from strand.warp.stepping import Stepper
from strand.warp.without_plugin import put_bare

LINK_LENGTH, RADIUS = 0.02, 0.003  #: m
DENSITY, YOUNG, POISSON = 1100.0, 5e6, 0.5  #: kg/m^3, Pa, 1
TIMESTEP = 0.002  #: s


class Side(Protocol):
    """Worlds with the same rope."""

    #: bytes per world: of MuJoCo Warp's data, of Strand; None without Warp
    memory: tuple[float | None, float | None]

    def step(self, count: int) -> None:
        """Steps all worlds, and waits until they are done."""

    def distance(self, steps: int) -> float:
        """The farthest node of the last world from that in C after `steps` steps, over length."""


def device() -> Any:
    """Warp's default device. Warp does not report modules that it loads from now on."""
    warp = packages.load().warp
    warp.config.quiet = True
    return warp.get_device()


def words(device: Any) -> str:
    """A device's name as a text."""
    return f"a GPU ({device.name})" if device.is_cuda else "a processor (Warp's CPU device)"


def make(peer: str, links: int, worlds: int, threads: int) -> Side:
    """A side. Raises StrandError if MuJoCo Warp refuses its model."""
    model = make_model("flex" if peer == "flex" else "cable", links)
    if peer == "c":
        return InC(model, worlds, threads)
    return InWarp(model, worlds)


def make_model(backend: str, links: int) -> mujoco.MjModel:
    """The rope, horizontal, held at one end."""
    cable = strand.Cable(
        strand.straight(LINK_LENGTH * links, links),
        young=YOUNG,
        poisson=POISSON,
        radius=RADIUS,
        density=DENSITY,
        start="fixed",
        timestep=TIMESTEP,
        collide=False,
    )
    model = mujoco.MjModel.from_xml_string(cable.to_mjcf(backend=backend))
    # Otherwise MuJoCo Warp compiles kernels for contacts of a flex: minutes on a GPU.
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return model


class InWarp:
    """Worlds on Warp's default device: of a cable, with Strand's forces, or of a flex."""

    def __init__(self, model: mujoco.MjModel, worlds: int) -> None:
        self._wp, self._mjw = packages.load()
        # What float32 can solve, in Warp as in the C it is compared with.
        self._model = strand.warp.softened(model)
        self._cables: strand.warp.Cables | None = None
        data = mujoco.MjData(self._model)
        mujoco.mj_forward(self._model, data)
        rows = max(1, data.nefc)
        self.memory: tuple[float | None, float | None]
        if model.nflex:
            self._m = put_bare(self._model)
            put_data = self._mjw.put_data
            self._d = put_data(self._model, data, nworld=worlds, nconmax=1, njmax=rows)
            self.memory = bytes_per_world(self._d), None
        else:
            made = strand.warp.put(self._model, worlds, nconmax=1, njmax=rows)
            self._m, self._d, self._cables = made.m, made.d, made.cables
            self.memory = bytes_per_world(self._d), made.cables.bytes_per_world
        self._stepper = Stepper(self._m, self._d)

    def step(self, count: int) -> None:
        self._stepper.step(count)
        self._wp.synchronize_device(self._d.qpos.device)

    def distance(self, steps: int) -> float:
        data = mujoco.MjData(self._model)
        mujoco.mj_step(self._model, data, steps)
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_flex(self._model, data)
        self._mjw.kinematics(self._m, self._d)
        if self._cables is None:
            self._mjw.flex(self._m, self._d)
            found = self._d.flexvert_xpos.numpy()[-1]
            return _farthest(found, data.flexvert_xpos)
        found = self._cables.nodes().numpy()[-1]
        return _farthest(found, strand.profile(self._model, data).nodes)


class InC:
    """Worlds of a cable in MuJoCo in C, on several threads (mujoco.rollout)."""

    memory: tuple[float | None, float | None] = (None, None)

    def __init__(self, model: mujoco.MjModel, worlds: int, threads: int) -> None:
        self._model = model
        self._data = [mujoco.MjData(model) for _ in range(threads)]
        state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
        mujoco.mj_getState(model, self._data[0], state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self._states = np.tile(state, (worlds, 1))
        self._rollout = rollout.Rollout(nthread=threads)

    def step(self, count: int) -> None:
        states, _ = self._rollout.rollout(self._model, self._data, self._states, nstep=count)
        self._states = np.ascontiguousarray(states[:, -1])

    def distance(self, steps: int) -> float:
        alone, last = mujoco.MjData(self._model), mujoco.MjData(self._model)
        mujoco.mj_step(self._model, alone, steps)
        mujoco.mj_setState(self._model, last, self._states[-1], mujoco.mjtState.mjSTATE_FULLPHYSICS)
        nodes = []
        for data in (last, alone):
            mujoco.mj_kinematics(self._model, data)
            nodes.append(strand.profile(self._model, data).nodes)
        return _farthest(*nodes)


def _farthest(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest distance of nodes (n, 3) from those expected, over the length; NaN counts as inf."""
    length = np.linalg.norm(np.diff(expected, axis=0), axis=1).sum()
    off = np.linalg.norm(found - expected, axis=1).max() / length
    return float(off) if np.isfinite(off) else np.inf
