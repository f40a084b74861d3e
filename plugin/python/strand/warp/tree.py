"""The bodies and sites whose rotations are those of links, and the bodies that carry them.

One of them is a place in the tree.
"""

import mujoco
import numpy as np

#: A body, or a site (True).
_Turning = tuple[int, bool]


def add_tree(model: mujoco.MjModel, links: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The fields of rotations.Tree; adds the places of links in it to `links`.

    links: near_body, far_body and site (-1: none) of each link, (n,). Added: near and far, the
        places of the body or site that its near and its far half turn with.

    Of each place (p,): its body or its site (-1: it is the other), its mocap body (-1: none), and
    what float32 rounds off its constant rotation (x, y, z, w). The paths
    from the world to each leaf are one after another; that of leaf i is path_begin[i : i + 2].
    """
    places: dict[_Turning, int] = {}
    for half in ("near", "far"):
        turning = _turning(links[f"{half}_body"], links["site"])
        for each in turning:
            for step in _path(model, each):
                places.setdefault(step, len(places))
        links[half] = np.array([places[each] for each in turning], dtype=int)
    paths = {each: [places[step] for step in _path(model, each)] for each in places}
    carrying = {place for path in paths.values() for place in path[:-1]}
    leaves = [path for each, path in paths.items() if places[each] not in carrying]
    return {
        "body": np.array([-1 if is_site else number for number, is_site in places]),
        "site": np.array([number if is_site else -1 for number, is_site in places]),
        "mocap": np.array([-1 if s else model.body_mocapid[number] for number, s in places]),
        "rounded_off": np.array([_rounded_off(model, each) for each in places]),
        "path": np.concatenate(leaves),
        "path_begin": np.cumsum([0, *(len(path) for path in leaves)]),
    }


def _turning(bodies: np.ndarray, sites: np.ndarray) -> list[_Turning]:
    pairs = zip(bodies, sites, strict=True)
    return [(int(body), False) if site < 0 else (int(site), True) for body, site in pairs]


def _path(model: mujoco.MjModel, turning: _Turning) -> list[_Turning]:
    """From the first body that the world carries to this body or site."""
    number, is_site = turning
    steps = [turning]
    body = int(model.site_bodyid[number] if is_site else model.body_parentid[number])
    while body > 0:
        steps.append((body, False))
        body = int(model.body_parentid[body])
    return steps[::-1]


def _rounded_off(model: mujoco.MjModel, turning: _Turning) -> np.ndarray:
    number, is_site = turning
    exact = (model.site_quat if is_site else model.body_quat)[number]
    return np.roll(exact - exact.astype(np.float32), -1)
