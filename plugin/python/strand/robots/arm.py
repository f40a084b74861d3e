"""The joints of an arm: those between the world and a site of its hand."""

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io import options

_MOVED = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


@dataclasses.dataclass(frozen=True, eq=False)
class Arm:
    """Hinges and slides that place a site, from the world outwards."""

    model: mujoco.MjModel
    site: int
    joints: np.ndarray  #: ids

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.model.joint(int(joint)).name for joint in self.joints)

    @property
    def qpos(self) -> np.ndarray:
        """Addresses in qpos."""
        return self.model.jnt_qposadr[self.joints]

    @property
    def dofs(self) -> np.ndarray:
        """Addresses in qvel."""
        return self.model.jnt_dofadr[self.joints]

    @property
    def limited(self) -> np.ndarray:
        return self.model.jnt_limited[self.joints].astype(bool)

    @property
    def range(self) -> np.ndarray:
        """Lowest and highest values (rad or m), (joints, 2); a turn or 1 m without limits."""
        hinge = self.model.jnt_type[self.joints] == int(mujoco.mjtJoint.mjJNT_HINGE)
        free = np.where(hinge, np.pi, 0.5)[:, None] * [-1.0, 1.0]
        return np.where(self.limited[:, None], self.model.jnt_range[self.joints], free)

    def clipped(self, qpos: np.ndarray) -> np.ndarray:
        """A copy of qpos with the arm's joints within their limits."""
        inside = qpos.copy()
        low, high = np.where(self.limited[:, None], self.range, [-np.inf, np.inf]).T
        inside[self.qpos] = np.clip(qpos[self.qpos], low, high)
        return inside

    def at_limits(self, qpos: np.ndarray) -> list[str]:
        """Names of the joints that are at one of their limits."""
        apart = np.abs(qpos[self.qpos][:, None] - self.range).min(axis=1)
        return [
            name
            for name, gap, has in zip(self.names, apart, self.limited, strict=True)
            if has and gap < 1e-6
        ]


def find_arm(model: mujoco.MjModel, site: str, joints: Sequence[str] | None) -> Arm:
    """The arm that carries a site.

    joints: names of the joints that may move; None: all hinges and slides between world and site.
    Raises StrandError if there is no such site or joint, or no joint that moves the site.
    """
    options.read("model", model, options.instance(mujoco.MjModel, "a mujoco.MjModel"))
    known = [model.site(k).name for k in range(model.nsite)]
    if options.read("site", site, options.TEXT) not in known:
        named = ", ".join(name for name in known if name) or "none: the model has no named site"
        raise StrandError(f"site: got {site!r}, allowed: {named}")
    found = model.site(site).id
    chain = _joints_above(model, int(model.site_bodyid[found]))
    names = [model.joint(joint).name for joint in chain]
    if not all(names):
        raise StrandError(f"joints: got one without a name that moves {site!r}, allowed: names")
    if joints is not None:
        for name in options.read("joints", joints, options.LIST):
            if options.read("joints", name, options.TEXT) not in names:
                raise StrandError(f"joints: got {name!r}, allowed: {', '.join(names)}")
        chain = [joint for joint, name in zip(chain, names, strict=True) if name in joints]
    if not chain:
        raise StrandError(
            f"joints: got none that moves {site!r}, allowed: one hinge or slide at least"
        )
    return Arm(model, found, np.array(chain))


def start_of(model: mujoco.MjModel, start: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """A copy of the given qpos (default: qpos0). Raises StrandError if it has another size."""
    if start is None:
        return model.qpos0.copy()
    qpos = options.read("start", start, options.REALS)
    if qpos.shape != (model.nq,) or not np.isfinite(qpos).all():
        raise StrandError(
            f"start: got an array of shape {qpos.shape}, allowed: {model.nq} finite numbers (qpos)"
        )
    return qpos.copy()


def _joints_above(model: mujoco.MjModel, body: int) -> list[int]:
    """Ids of the hinges and slides between the world and a body, outwards."""
    chain: list[int] = []
    while body:
        first, count = model.body_jntadr[body], model.body_jntnum[body]
        moved = [j for j in range(first, first + count) if model.jnt_type[j] in _MOVED]
        chain = moved + chain
        body = int(model.body_parentid[body])
    return chain
