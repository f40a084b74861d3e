"""Links that form no rod: the error names the bodies and what is allowed."""

import re

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support import mjcf, shapes
from support.mjcf import Chain, Piece

KEYS = '<config key="EI" value="1"/><config key="GJ" value="1"/>'
GEOM = '<geom type="capsule" size="0.01" fromto="0 0 0 0.1 0 0"/>'
LINK = '<plugin plugin="strand.cable" instance="rod"/>'


def scene(bodies: str, keys: str = KEYS) -> str:
    return (
        '<mujoco><extension><plugin plugin="strand.cable"><instance name="rod">'
        f"{keys}</instance></plugin></extension><worldbody>{bodies}</worldbody></mujoco>"
    )


def link(name: str, pos: str, inside: str = "", geom: str = GEOM, **attributes: str) -> str:
    """A link 0.1 m long with a ball joint, in its parent's frame."""
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<body name="{name}" pos="{pos}"{more}><joint type="ball"/>{geom}{LINK}{inside}</body>'


A_AND_B = link("a", "0 0 0", link("b", "0.1 0 0"))
TAIL = link("b", "0.1 0 0", link("c", "0.1 0 0"))
SPHERE = '<geom size="0.01"/>'
LOOSE = '<geom type="capsule" size="0.01" fromto="0.02 0 0 0.12 0 0"/>'
SKEW = '<geom type="capsule" size="0.01" fromto="0 0 0 0.1 0.05 0"/>'
MESSAGES = [
    ("no link", '<body><geom size="1"/></body>', "0 bodies carry the instance.*at least 2"),
    ("one link", link("a", "0 0 0"), "1 bodies carry the instance.*at least 2"),
    (
        "branch",
        link("a", "0 0 0", link("b", "0.1 0 0") + link("c", "0.1 0 0")),
        "'a' has two links at its far end: '[bc]' and '[bc]'.*does not branch",
    ),
    (
        "branch at the start",
        link("a", "0 0 0", link("b", "-0.1 0 0") + link("c", "-0.1 0 0")),
        "'a' has two links at its origin: '[bc]' and '[bc]'",
    ),
    (
        "branch through a foreign body",
        link(
            "a",
            "0 0 0",
            f'<body><geom size="0.01"/>{link("b", "0.1 0 0")}</body>' + link("c", "0.1 0 0"),
        ),
        "'a' has two links at its far end",
    ),
    (
        "off the axis",
        link("a", "0 0 0", link("b", "0.1 0.001 0")),
        "'b' and its parent link 'a' do not meet at qpos0.*x towards node k",
    ),
    ("at the same place", link("a", "0 0 0", link("b", "0 0 0")), "'b' and its parent link 'a'"),
    ("x axes across", link("a", "0 0 0", link("b", "0 0.1 0")), "'b' and its parent link 'a'"),
    (
        "reversed",
        link("a", "0 0 0", link("b", "0.1 0 0", euler="0 0 180")),
        "'a' and 'b' point at each other's origin.*same way",
    ),
    (
        "no geom on the last link",
        link("a", "0 0 0", link("b", "0.1 0 0", geom=SPHERE)),
        "last link 'b' has no geom that gives its length.*capsule, cylinder, ellipsoid or box",
    ),
    (
        "geom off the last link's origin",
        link("a", "0 0 0", link("b", "0.1 0 0", geom=LOOSE)),
        "last link 'b' has no geom that gives its length",
    ),
    (
        "geom across the last link",
        link("a", "0 0 0", link("b", "0.1 0 0", geom=SKEW)),
        "last link 'b' has no geom that gives its length",
    ),
    (
        "gap between trees",
        A_AND_B + link("c", "0.21 0 0"),
        r"no link starts at the end of '[bc]' \(the nearest, '[ac]', is 0\.\d+ m away\).*"
        "without a gap",
    ),
    (
        "two gaps",
        link("a", "0 0 0") + link("b", "1 0 0") + link("c", "2 0 0"),
        "no link starts at the end of '[abc]'",
    ),
    (
        "tie between trees",
        A_AND_B + link("c", "0.2 0 0") + link("d", "0.2 0 0"),
        "the end of 'b' meets the origins of both '[cd]' and '[cd]'",
    ),
    (
        "two ends at one start",
        link("a", "0 0 0") + link("b", "0.1 0.1 0", euler="0 0 -90") + link("c", "0.1 0 0"),
        "'c' has two links at its origin: '[ab]' and '[ab]'",
    ),
]


@pytest.mark.parametrize(
    ("bodies", "words"), [case[1:] for case in MESSAGES], ids=[case[0] for case in MESSAGES]
)
def test_bad_topology(bodies: str, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        mujoco.MjModel.from_xml_string(scene(bodies))
    assert re.search(r"strand\.cable instance 'rod': links: got .*" + words, str(raised.value))


def test_loop_without_the_key_closed() -> None:
    n = 6
    pieces = [Piece(0, 3, 0), Piece(3, 6, 3)]
    chain = Chain(shapes.ring(n), {"EI": "1", "GJ": "1"}, pieces)
    with pytest.raises(
        ValueError, match=r"'rod': closed: got 'false, .*loop.*true for a closed rod"
    ):
        mjcf.compiled(chain)
    chain.keys["closed"] = "true"
    mjcf.compiled(chain)


def test_loop_beside_a_rod() -> None:
    """Two pieces that close on themselves, and one that does not."""
    ring = shapes.ring(6)
    bodies = "".join(
        link(f"r{k}", mjcf.text(ring.origins[k] * 0.6), quat=quaternion(ring.frames[k]))
        for k in range(6)
    )
    rod = link("a", "5 0 0", link("b", "0.1 0 0"))
    with pytest.raises(ValueError, match=r"links: got '.*not joined to|loop"):
        mujoco.MjModel.from_xml_string(scene(bodies + rod))


def quaternion(frame: np.ndarray) -> str:
    return mjcf.text(Rotation.from_matrix(frame).as_quat(scalar_first=True))


def test_two_links_cannot_close() -> None:
    bodies = link("a", "0 0 0", link("b", "0.1 0 0"))
    closed = KEYS + '<config key="closed" value="true"/>'
    with pytest.raises(ValueError, match=r"instance 'rod': links: got '2', allowed: at least 3"):
        mujoco.MjModel.from_xml_string(scene(bodies, closed))


def test_closed_key_on_an_open_rod() -> None:
    closed = KEYS + '<config key="closed" value="true"/>'
    with pytest.raises(
        ValueError,
        match=r"closed: got 'true, but the end of 'c' is 0\.3\d* m from"
        r" the origin of 'a''",
    ):
        mujoco.MjModel.from_xml_string(scene(link("a", "0 0 0", TAIL), closed))


def test_links_without_names_are_named_by_number() -> None:
    bodies = scene(link("a", "0 0 0", link("b", "0.1 0.05 0"))).replace(' name="b"', "")
    with pytest.raises(ValueError, match=r"'body 2' and its parent link 'a' do not meet"):
        mujoco.MjModel.from_xml_string(bodies)


def test_good_ones_load() -> None:
    for bodies in (A_AND_B, A_AND_B + link("c", "0.2 0 0"), link("a", "0 0 0", TAIL)):
        model = mujoco.MjModel.from_xml_string(scene(bodies))
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT  # caps of two trees overlap
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data)
        assert np.isfinite(data.qpos).all()
