"""Many worlds of one model with cables: the model and data of MuJoCo Warp, and Strand's forces."""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.readout.readout import check_pair
from strand.warp import packages
from strand.warp.cables import Cables
from strand.warp.stepping import Stepper
from strand.warp.without_plugin import put_model


class Worlds:
    """Worlds of a model; `put` makes them.

    m, d: the mujoco_warp.Model and mujoco_warp.Data; all of mujoco_warp works on them.
    model: the mujoco.MjModel.
    cables: Strand's forces, with factors of stiffness.
    """

    def __init__(self, model: mujoco.MjModel, m: Any, d: Any, cables: Cables) -> None:
        self.model, self.m, self.d, self.cables = model, m, d, cables
        self._wp, self._mjw = packages.load()
        self._stepper = Stepper(m, d)

    @property
    def nworld(self) -> int:
        """The number of worlds."""
        return self.cables.nworld

    def step(self, count: int = 1) -> None:
        """Steps all worlds; on a GPU with a CUDA graph, without waiting for the end.

        The graph is recorded by the first step, and again where an array, an option or a callback
        of `m` or `d` has been replaced since. Raises StrandError if the count is not an
        integer >= 0.
        """
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise StrandError(f"count: got {count!r}, allowed: an integer >= 0")
        self._stepper.step(count)

    def reset(self, mask: Sequence[bool] | np.ndarray | None = None) -> None:
        """Puts worlds back to the model's reference state, twists included.

        mask: one flag per world, True where to reset (default: all). The other worlds do not
        change. Raises StrandError if the mask is not one flag per world.
        """
        self.cables.reset(mask)
        flags = None
        if mask is not None:
            device = self.d.qpos.device
            flags = self._wp.array(np.asarray(mask), dtype=bool, device=device)
        self._mjw.reset_data(self.m, self.d, reset=flags)

    def nodes(self, cable: str | int = 0) -> np.ndarray:
        """A cable's nodes at the current positions (m), (nworld, n + 1, 3).

        cable: name or position in `cables.names`. Raises StrandError if there is no such cable.
        """
        self._move()
        return np.array(self.cables.nodes(cable).numpy())

    def twists(self, cable: str | int = 0) -> np.ndarray:
        """Twists of a cable's joints with full turns at the current positions (rad), (nworld,
        joints).

        cable: name or position in `cables.names`. Raises StrandError if there is no such cable.
        """
        self._move()
        return np.array(self.cables.twists(cable).numpy())

    def energy(self, cable: str | int = 0) -> np.ndarray:
        """A cable's energies of bending and twisting at the current positions (J), (nworld, 2).

        cable: name or position in `cables.names`. Raises StrandError if there is no such cable.
        """
        self._move()
        return self.cables.energy(cable)

    def _move(self) -> None:
        """Makes the poses of bodies and sites those of qpos."""
        self._mjw.kinematics(self.m, self.d)


def put(
    cable: Cable | mujoco.MjModel,
    nworld: int,
    *,
    data: mujoco.MjData | None = None,
    EI: float | Sequence[float] | np.ndarray | None = None,
    GJ: float | Sequence[float] | np.ndarray | None = None,
    soften: bool = True,
    nconmax: int | None = None,
    njmax: int | None = None,
) -> Worlds:
    """Puts `nworld` copies of a cable, or of a model with cables, on the device of Warp.

    data: the state from which all worlds start, full turns of twist and changes of the material
        included (default: the reference state, qpos0).
    EI, GJ: factors of the model's bending and torsional stiffness, one number or one per world.
    soften: True (default) limits the stiffness of contacts and equalities to what float32 allows;
        see `softened`.
    nconmax, njmax: largest numbers of contacts and of rows of constraints per world (default: two
        contacts per link and some more). MuJoCo Warp prints a warning if they do not suffice.

    Raises StrandError if an argument is invalid, if the model has no cable or one that is not
    supported (see `attach`), or if Warp or MuJoCo Warp are not installed.
    """
    for field, value in (("nworld", nworld), ("nconmax", nconmax), ("njmax", njmax)):
        if value is not None or field == "nworld":
            _check_count(field, value)
    mjw = packages.load().mujoco_warp
    model = _model(cable)
    if data is None:
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
    check_pair(model, data)
    m = put_model(model, soften=soften)
    contacts = nconmax or _contacts(model)
    rows = njmax or _rows(model, data, contacts)
    d = mjw.put_data(model, data, nworld=int(nworld), nconmax=contacts, njmax=rows)
    worlds = Worlds(model, m, d, Cables(model, m, d, data))
    worlds.cables.scale(EI=EI, GJ=GJ)
    return worlds


def _check_count(field: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise StrandError(f"{field}: got {value!r}, allowed: an integer >= 1")


def _contacts(model: mujoco.MjModel) -> int:
    links = int(np.count_nonzero(model.body_plugin >= 0))
    return 2 * links + 32


def _rows(model: mujoco.MjModel, data: mujoco.MjData, contacts: int) -> int:
    """Four rows per contact, and those of equalities and limits."""
    others = 6 * model.neq + int(model.jnt_limited.sum()) + model.ntendon
    return max(4 * contacts + others, data.nefc)


def _model(cable: Cable | mujoco.MjModel) -> mujoco.MjModel:
    if isinstance(cable, Cable):
        return mujoco.MjModel.from_xml_string(cable.to_mjcf())
    if isinstance(cable, mujoco.MjModel):
        return cable
    raise StrandError(
        f"cable: got {type(cable).__name__}, allowed: a strand.Cable or a mujoco.MjModel"
    )
