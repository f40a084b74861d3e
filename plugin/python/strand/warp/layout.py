"""The constants of all cables of a model, as arrays over all links and joints one after another."""

import dataclasses
from collections.abc import Iterator, Sequence

import mujoco
import numpy as np

from strand import adapter
from strand._strand import RodConstants
from strand.errors import StrandError
from strand.readout.readout import instances
from strand.warp.tree import add_tree

_HOLONOMY, _CHANGE, _SECOND, _FIRMNESS = slice(3, 7), slice(0, 2), 2, slice(7, 10)


@dataclasses.dataclass(frozen=True, eq=False)
class Cable:
    """One cable: where its links, joints and nodes are in the arrays over all cables."""

    name: str
    instance: int  #: of the plugin
    links: slice
    joints: slice
    nodes: slice
    cancelled: np.ndarray  #: MuJoCo's joints whose stiffness is cancelled


@dataclasses.dataclass(frozen=True, eq=False)
class Layout:
    """Arrays over the links (n), joints (j), holds' segments, degrees of freedom and nodes of all
    cables. Units as in plugin/mujoco/adapter/rod_constants.h."""

    cables: list[Cable]
    tree: dict[str, np.ndarray]  #: fields of rotations.Tree
    links: dict[str, np.ndarray]  #: fields of frames.Links
    joints: dict[str, np.ndarray]  #: fields of kernels.Joints
    segments: dict[str, np.ndarray]  #: fields of kernels.Segments
    torques: dict[str, np.ndarray]  #: dofs, and rows of joints and signs in each of them
    nodes: dict[str, np.ndarray]  #: body and distance (m) along its x axis
    sensors: dict[str, np.ndarray]  #: fields of sensors.Sensors
    springs: np.ndarray  #: MuJoCo's joints whose spring force is cancelled
    shares: np.ndarray  #: of each, the rod's stiffness about its axes, (springs, 3)
    rest: np.ndarray  #: rad, (j,): twists of the reference shape
    start: np.ndarray  #: rad, (j,): twists of the given data


def make_layout(model: mujoco.MjModel, data: mujoco.MjData) -> Layout:
    """The cables of a model. Raises StrandError if there are none, or some are not supported."""
    rods = list(_rods(model, data))
    if not rods:
        raise StrandError("model: got one without a cable of strand.cable, allowed: one or more")
    for name, _, rod in rods:
        _check(name, rod)
    cables = _places(rods)
    constants = [rod for _, _, rod in rods]
    links = _joined([_links(c, cable, rod) for c, (cable, rod) in _each(cables, constants)])
    tree = add_tree(model, links)
    joints = _joined([_joints(c, cable, rod) for c, (cable, rod) in _each(cables, constants)])
    joints["wide"] = _wide_rows(links["joints"], len(joints["cable"]))
    joints |= _joined([_mujoco_3(model, data, c, rod) for _, (c, rod) in _each(cables, constants)])
    return Layout(
        cables,
        tree,
        links,
        joints,
        _segments(cables, constants),
        _torques(model, links, joints),
        _joined([_nodes(rod) for rod in constants]),
        _sensors(model, cables, constants),
        np.concatenate([cable.cancelled for cable in cables]),
        np.concatenate([np.reshape(rod.stiffness_shares, (-1, 3)) for rod in constants]),
        np.concatenate([rod.rest_twist for rod in constants]),
        np.concatenate([_history(model, data, cable) for cable in cables]),
    )


def _rods(model: mujoco.MjModel, data: mujoco.MjData) -> Iterator[tuple[str, int, RodConstants]]:
    read = adapter.load().constants
    for instance, name in enumerate(instances(model)):
        try:
            yield name, instance, read(model._address, data._address, instance)
        except IndexError:
            continue  # an instance of another plugin


def _check(name: str, rod: RodConstants) -> None:
    """Raises StrandError if a cable is of a kind that this room does not support."""
    if rod.feed_joint >= 0:
        raise StrandError(
            f"start of cable '{name}': got feed, allowed with MuJoCo Warp: an end that is not fed"
        )
    if rod.slips:
        raise StrandError(
            f"material of cable '{name}': got one that yields or slips, allowed with MuJoCo Warp: "
            "an elastic one"
        )


def _places(rods: Sequence[tuple[str, int, RodConstants]]) -> list[Cable]:
    places, link, joint, node = [], 0, 0, 0
    for name, instance, rod in rods:
        ends = link + len(rod.body), joint + len(rod.span), node + _node_count(rod)
        places.append(
            Cable(
                name,
                instance,
                slice(link, ends[0]),
                slice(joint, ends[1]),
                slice(node, ends[2]),
                np.array(rod.cancelled, dtype=int),
            )
        )
        link, joint, node = ends
    return places


def _each(
    cables: list[Cable], rods: list[RodConstants]
) -> Iterator[tuple[int, tuple[Cable, RodConstants]]]:
    return enumerate(zip(cables, rods, strict=True))


def _joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _links(index: int, cable: Cable, rod: RodConstants) -> dict[str, np.ndarray]:
    count = len(rod.body)
    around = np.arange(count)[:, None] + np.arange(-2, 3)
    window = around % count if rod.closed else np.clip(around, 0, count - 1)
    joints = np.arange(count)[:, None] + np.arange(-2, 2)
    total = len(rod.span)
    if rod.closed:
        joints %= total
    there = (joints >= 0) & (joints < total)
    wide = np.reshape(rod.wide, (-1, 10)) if len(rod.wide) else np.zeros((count, 10))
    return {
        "cable": np.full(count, index),
        "near_body": np.array(rod.body),
        "far_body": np.array(rod.far_body),
        "site": np.array(rod.site),
        "window": window + cable.links.start,
        "joints": np.where(there, joints + cable.joints.start, -1),
        "general": np.full(count, int(not rod.isotropic_straight)),
        "change": wide[:, _CHANGE],
        "second": wide[:, _SECOND],
        "holonomy": wide[:, _HOLONOMY],
        "firmness": wide[:, _FIRMNESS],
    }


def _joints(index: int, cable: Cable, rod: RodConstants) -> dict[str, np.ndarray]:
    count = len(rod.span)
    stiffness, natural = (
        np.reshape(rod.bend_stiffness, (-1, 2)),
        np.reshape(rod.natural_bend, (-1, 4)),
    )
    softness, twisting = np.array(rod.softness), np.array(rod.twist_stiffness)
    # CorrectedTwistStiffness in bend.h: what bending resists of twist, and the whole.
    whole = stiffness * softness[:, None]
    squares = natural[:, [1, 0]] ** 2 + natural[:, [3, 2]] ** 2
    share = (not rod.middle) * 0.125 * np.einsum("ij,ij->i", whole, squares)
    return {
        "cable": np.full(count, index),
        "a": np.arange(count) + cable.links.start,
        "b": (np.arange(count) + 1) % len(rod.body) + cable.links.start,
        "tangent": np.full(count, int(rod.tangent)),
        "general": np.full(count, int(not rod.isotropic_straight)),
        "middle": np.full(count, int(rod.middle)),
        "quasistatic": np.full(count, int(rod.quasistatic)),
        "stiffness": stiffness,
        "natural": natural,
        "natural_seen": np.reshape(rod.natural_seen, (-1, 4)),
        "torsion": np.where(twisting > share, twisting + share, 2 * twisting),
        "bend_share": share,
        "natural_twist": np.array(rod.natural_twist),
        "softness": softness,
    }


def _mujoco_3(
    model: mujoco.MjModel, data: mujoco.MjData, cable: Cable, rod: RodConstants
) -> dict[str, np.ndarray]:
    """The constants of Mujoco3Joint (model/compat/mujoco_3_law.h): GJ, EI_y, EI_z over the span (N
    m), and the rotation vector at rest (rad), with the change of the material in `data`."""
    count = len(rod.span)
    EI, GJ = np.reshape(rod.EI, (-1, 2)), np.array(rod.GJ)[:, None]
    resistance = np.hstack([GJ, EI]) / np.array(rod.span)[:, None]
    if not rod.mujoco_3_law:
        rest = np.zeros((count, 3))
        return {"mujoco_3": np.zeros(count, int), "resistance": resistance, "rest_turn": rest}
    drawn = mujoco.MjData(model)
    drawn.plugin_state[:] = data.plugin_state
    mujoco.mj_kinematics(model, drawn)
    # In the drawn shape the couple is -R_a K (w - w0).
    profile = adapter.load().profile(model._address, drawn._address, cable.instance)
    couples = np.reshape(profile.moment, (-1, 3))
    rest = np.empty((count, 3))
    for i in range(count):
        after = (i + 1) % len(rod.body)
        a = _frame(drawn, rod.site[i], rod.far_body[i])
        b = _frame(drawn, rod.site[after], rod.body[after])
        rest[i] = _rotation_vector(a.T @ b) + a.T @ couples[i] / resistance[i]
    return {"mujoco_3": np.ones(count, int), "resistance": resistance, "rest_turn": rest}


def _frame(data: mujoco.MjData, site: int, body: int) -> np.ndarray:
    return (data.site_xmat[site] if site >= 0 else data.xmat[body]).reshape(3, 3)


def _rotation_vector(turn: np.ndarray) -> np.ndarray:
    """Of a rotation matrix (rad, length <= pi)."""
    quaternion, vector = np.empty(4), np.empty(3)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    mujoco.mju_quat2Vel(vector, quaternion, 1)
    return vector


def _sensors(
    model: mujoco.MjModel, cables: list[Cable], rods: list[RodConstants]
) -> dict[str, np.ndarray]:
    """The sensors of cables: the place of their ten numbers, their cables, and these cables' first
    and last joints."""
    rows = [
        (model.sensor_adr[s], index, cable.joints.start, cable.joints.stop - 1, int(rod.closed))
        for index, (cable, rod) in _each(cables, rods)
        for s in np.flatnonzero(model.sensor_plugin == cable.instance)
    ]
    names = ("at", "cable", "first", "last", "closed")
    return dict(zip(names, np.array(rows, dtype=int).reshape(-1, 5).T, strict=True))


def _wide_rows(around: np.ndarray, joints: int) -> np.ndarray:
    """For each joint and m = 0 .. 3 the link whose m-th joint it is, (joints, 4); -1: none."""
    rows = np.full((joints, 4), -1)
    for m in range(4):
        there = np.flatnonzero(around[:, m] >= 0)
        rows[around[there, m], m] = there
    return rows


def _segments(cables: list[Cable], rods: list[RodConstants]) -> dict[str, np.ndarray]:
    """Joints between the holds of quasistatic twist (TwistSolver in quasistatic_twist.cc)."""
    found: list[np.ndarray] = []
    general: list[int] = []
    for cable, rod in zip(cables, rods, strict=True):
        if not rod.quasistatic:
            continue
        count = len(rod.body)
        ends = [] if rod.closed else [0, count - 1]
        holds = sorted({*rod.holds, *ends} or {0})
        nexts = [*holds[1:], holds[0] + count] if rod.closed else holds[1:]
        for begin, end in zip(holds, nexts, strict=False):
            found.append(np.arange(begin, end) % count + cable.joints.start)
            general.append(int(not rod.isotropic_straight))
    sizes = np.array([len(each) for each in found], dtype=int)
    ends_of = np.cumsum(sizes)
    return {
        "begin": ends_of - sizes,
        "end": ends_of,
        "joint": np.concatenate([np.zeros(0, dtype=int), *found]),
        "general": np.array(general, dtype=int),
    }


def _path(model: mujoco.MjModel, body: int) -> list[int]:
    """The dofs that carry a body, from it to the root."""
    dofs: list[int] = []
    while body > 0:
        first = model.body_dofadr[body]
        dofs.extend(range(first, first + model.body_dofnum[body]))
        body = int(model.body_parentid[body])
    return dofs


def _torques(
    model: mujoco.MjModel, links: dict[str, np.ndarray], joints: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Which joints' couples act on each dof: the couple on link b where the dof carries only b, its
    opposite where it carries only a."""
    entries: list[tuple[int, int, float]] = []
    for i, (a, b) in enumerate(zip(joints["a"], joints["b"], strict=True)):
        before, after = _path(model, links["far_body"][a]), _path(model, links["near_body"][b])
        entries += [(dof, i, 1.0) for dof in set(after).difference(before)]
        entries += [(dof, i, -1.0) for dof in set(before).difference(after)]
    entries.sort()
    table = np.array(entries).reshape(-1, 3)
    dofs, counts = np.unique(table[:, 0].astype(int), return_counts=True)
    return {
        "dofs": dofs,
        "begin": np.concatenate([[0], np.cumsum(counts)]),
        "joint": table[:, 1].astype(int),
        "sign": table[:, 2],
    }


def _node_count(rod: RodConstants) -> int:
    return sum(site < 0 for site in rod.site) + 1


def _nodes(rod: RodConstants) -> dict[str, np.ndarray]:
    """As rod_nodes in readout/profile.py."""
    whole = np.array(rod.site) < 0
    body, length = np.array(rod.body)[whole], np.array(rod.length)[whole]
    return {"body": np.append(body, body[-1]), "reach": np.append(0.0 * length, length[-1])}


def _history(model: mujoco.MjModel, data: mujoco.MjData, cable: Cable) -> np.ndarray:
    first = model.plugin_stateadr[cable.instance]
    return data.plugin_state[first : first + cable.joints.stop - cable.joints.start]
