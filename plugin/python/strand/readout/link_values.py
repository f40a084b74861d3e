"""Quantities that links of cables have, as their colours show them."""

import contextlib
import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand import adapter
from strand._strand import RodProfile
from strand.errors import StrandError
from strand.io.options import REALS, read
from strand.readout.forces import as_stepped
from strand.readout.profile import Profile, profile
from strand.readout.readout import check_pair, look_up


class Quantity(NamedTuple):
    """What can be read of a link."""

    name: str
    unit: str
    read: Callable[[Profile], np.ndarray] | None  #: at joints or, for tension, nodes


#: By their keys, as in the viewer.
QUANTITIES = {
    "curvature": Quantity("curvature", "1/m", lambda one: one.curvature),
    "twist": Quantity("twist rate", "rad/m", lambda one: np.abs(one.twist_rate)),
    "moment": Quantity("moment", "N m", lambda one: np.linalg.norm(one.moment, axis=1)),
    "bending": Quantity("bending stress", "Pa", lambda one: one.bending_stress),
    "torsion": Quantity("torsional stress", "Pa", lambda one: one.torsion_stress),
    "tension": Quantity("tension", "N", lambda one: one.tension),
    "stress": Quantity("von Mises stress", "Pa", lambda one: one.von_mises_stress),
    "contact": Quantity("contact force", "N", None),
}


@dataclasses.dataclass(frozen=True, eq=False)
class LinkValues:
    """Numbers of your own by which strand.render and strand.view colour links of cables."""

    name: str  #: for the legend
    unit: str  #: "": none
    #: by the names or indices of cables: one of each link, (n,); NaN: a link in its own colour
    values: Mapping[str | int, ArrayLike]


def given_values(model: mujoco.MjModel, data: mujoco.MjData, given: LinkValues) -> np.ndarray:
    """Numbers of links, by body (model.nbody,); NaN: not a link, or not given.

    Kinematics must be current. Raises StrandError if the model has no such cable, or if one has
    another number of links.
    """
    found = np.full(model.nbody, np.nan)
    for cable, values in given.values.items():
        rod = look_up(model, data, cable, adapter.load().profile)
        of_links = read(f"values[{cable!r}]", values, REALS)
        if of_links.shape != (len(rod.body),) or np.isinf(of_links).any():
            got, allowed = f"an array {of_links.shape}", f"{len(rod.body)} finite numbers or NaN"
            raise StrandError(f"values[{cable!r}]: got {got}, allowed: {allowed}")
        found[rod.body] = found[rod.far_body] = of_links
    return found


def largest_at_links(rod: RodProfile, values: np.ndarray) -> np.ndarray:
    """For each link the larger of the values >= 0 at its joints, (n,)."""
    largest = np.zeros(len(rod.body))
    np.maximum.at(largest, np.array(rod.joint_link), values[:, np.newaxis])
    return largest


def body_values(model: mujoco.MjModel, data: mujoco.MjData, key: str) -> np.ndarray:
    """A quantity of the links of all cables, by body (model.nbody,); NaN: not a link, or not known.

    key: one of QUANTITIES. A link has the larger of the values at its two ends; of tensions, which
    may be negative, the one of larger size; of contacts, the sum of the sizes of the forces.

    `data` is not changed, as by strand.profile. Raises StrandError if the model has no cable of
    strand.cable, or if the quantity is not known for any cable.
    """
    check_pair(model, data)
    solved = as_stepped(model, data)
    if solved is None:
        solved = copy.copy(data)
        mujoco.mj_forward(model, solved)
    cables = dict(_cables(model, solved))
    if not cables:
        raise StrandError(f"color: got {key!r} without a cable of strand.cable, allowed: 'none'")
    values = np.full(model.nbody, np.nan)
    unknown = "a force acts that MuJoCo does not report"
    for index, rod in cables.items():
        try:
            found = _link_values(model, solved, index, rod, key)
        except StrandError as error:  # the section is unknown
            unknown = str(error)
            continue
        values[rod.body] = values[rod.far_body] = found
    if np.isnan(values).all():
        raise StrandError(f"color: got {key!r}, allowed: a quantity that is known here ({unknown})")
    return values


def _cables(model: mujoco.MjModel, solved: mujoco.MjData) -> Iterator[tuple[int, RodProfile]]:
    for index in range(model.nplugin):
        # An instance may belong to another plugin.
        with contextlib.suppress(IndexError):
            yield index, adapter.load().profile(model._address, solved._address, index)


def _link_values(
    model: mujoco.MjModel, solved: mujoco.MjData, index: int, rod: RodProfile, key: str
) -> np.ndarray:
    """Values of the links, (n,)."""
    read, count = QUANTITIES[key].read, len(rod.body)
    if read is None:
        force = _contact_forces(model, solved)
        split = np.not_equal(rod.body, rod.far_body)
        return force[rod.body] + np.where(split, force[rod.far_body], 0)
    values = read(profile(model, solved, index))
    links = np.array(rod.joint_link)
    if key == "tension":  # of nodes
        links = np.column_stack([np.arange(-1, count), np.arange(count + 1)]).clip(0, count - 1)
    high, low = np.zeros((2, count))
    np.maximum.at(high, links, values[:, np.newaxis])
    np.minimum.at(low, links, values[:, np.newaxis])
    return np.where(-low > high, low, high)


def _contact_forces(model: mujoco.MjModel, solved: mujoco.MjData) -> np.ndarray:
    """Sums of the sizes of the forces (N) of contacts, by body."""
    total, force = np.zeros(model.nbody), np.zeros(6)
    for index, geoms in enumerate(solved.contact.geom):
        mujoco.mj_contactForce(model, solved, index, force)
        for geom in geoms[geoms >= 0]:
            total[model.geom_bodyid[geom]] += np.linalg.norm(force[:3])
    return total
