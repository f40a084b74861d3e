"""Bad descriptions of cables: StrandError names the field, its value and what is allowed."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

import strand
from strand import StrandError

NODES = strand.straight(1.0, 6)
NAN, INF = float("nan"), float("inf")

ENDS = "free, fixed, ball, weld, pin, mocap"
FLAGS = ("closed", "collide", "self_contact", "skin", "stabilize")
FLAT = ("box", "ellipse")
MODULI = {"EI": None, "GJ": None, "young": 1e9, "poisson": 0.3}


def stretch(begin: float, end: float, **stiffness) -> dict:
    return {"begin": begin, "end": end, "EI": 2.0} | stiffness


STRETCHES: list[tuple[object, str]] = [
    (stretch(0.5, 0.5), "stretches: got '0.5 to 0.5', allowed: finite, begin >= 0 and"),
    (stretch(-0.1, 0.5), "stretches: got '-0.1.* to 0.5', allowed: finite, begin >= 0"),
    (stretch(0.5, 1.1), "stretches: got .*cable's length of 1 m"),
    (stretch(0.5, 0.6, EI=-1), "EI: got '-1', allowed: finite, > 0"),
    (stretch(0.5, 0.6, EI="x"), "stretches.EI: got 'x'"),
    (stretch(0.5, 0.6, young=1e9), "EI: got .*not both"),
    (
        stretch(0.5, 0.6, stiff=1),
        "stretches.stiff: got 'a key that is not known', allowed: begin, end, EI",
    ),
    ({"begin": 0.5}, "stretches.end: got 'nothing', allowed: an arclength"),
    (3, r"stretches: got '\[3\]', allowed: a list of tables"),
]

POSITIVE = ("GJ", "radius", "density", "timestep")
NOT_NEGATIVE = ("damping", "loss_time", "damping_ratio", "friction", "margin")
OPTIONAL = ("GJ", "timestep", "damping", "loss_time", "damping_ratio")
NOT_NUMBERS = ("x", True, [1, 2, 3, 4, 5])

# Values that are not numbers (including NaN) are reported before values out of range.
CASES: list[tuple[dict, str]] = [
    *[({key: v}, f"{key}: got .*finite, > 0") for key in POSITIVE for v in (0, -1, INF, -INF)],
    *[({key: NAN}, f"{key}: got 'nan', allowed: .*> 0") for key in POSITIVE],
    *[({key: v}, f"{key}: got .*finite, >= 0") for key in NOT_NEGATIVE for v in (-1, INF)],
    *[({key: NAN}, f"{key}: got 'nan', allowed: .*>= 0") for key in NOT_NEGATIVE],
    *[({key: v}, f"{key}: got ") for key in (*POSITIVE, *NOT_NEGATIVE) for v in NOT_NUMBERS],
    *[({key: None}, f"{key}: got ") for key in (*POSITIVE, *NOT_NEGATIVE) if key not in OPTIONAL],
    *[({"EI": value}, "EI: got .*finite, > 0") for value in (0, -1, INF, [1, 0], None)],
    *[({"EI": value}, "EI: got .*one number or two") for value in ([1, 2, 3], [], NAN, [[1, 2]])],
    ({"GJ": None}, "GJ: got 'nothing', allowed: .*since EI is given"),
    ({"EI": "stiff"}, "EI: got 'stiff'"),
    ({"nodes": "abc"}, "nodes: got 'abc'"),
    ({"nodes": None}, "nodes: got .*allowed: an array of shape"),
    ({"nodes": np.zeros((4, 2))}, r"nodes: got array.*allowed: an array of shape \(n \+ 1, 3\)"),
    ({"nodes": np.zeros(3)}, r"nodes: got array.*allowed: an array of shape"),
    ({"nodes": NODES[:2]}, "nodes: got '2', allowed: at least 3"),
    ({"nodes": NODES[:0]}, "nodes: got '0', allowed: at least 3"),
    ({"nodes": NODES * 0}, "nodes: got 'nodes 0 and 1 at distance 0.*neighbours apart"),
    ({"nodes": NODES * NAN}, "nodes: got 'nodes 0 and 1 at distance nan.*finite points"),
    ({"nodes": NODES[[0, 1, 1, 2]]}, "nodes: got 'nodes 1 and 2 at distance 0"),
    ({"nodes": [[0, 0, 0], [1, 0, 0], [INF, 0, 0]]}, "nodes: got 'nodes 1 and 2 at distance inf"),
    (
        {"nodes": [[0, 0, 0], [1, 0, 0], [0, 0, 0]], "stabilize": False},
        "'cable_link.' and 'cable_link.' point at each",
    ),
    ({"normal": (1, 0, 0)}, "normal: got 'a direction along the first link', allowed: one across"),
    ({"normal": (0, 0, 0)}, "normal: got"),
    ({"normal": (NAN, 0, 0)}, "normal: got"),
    ({"normal": (0, 1)}, "normal: got .*three numbers"),
    ({"normal": "up"}, "normal: got 'up'"),
    ({"pos": (0, 0)}, "pos: got"),
    ({"pos": (0, 0, INF)}, "pos: got .*finite"),
    ({"quat": (0, 0, 0, 0)}, "quat: got .*not all zero"),
    ({"quat": (1, 0, 0)}, "quat: got"),
    ({"gravity": (0, 0)}, "gravity: got"),
    ({"gravity": (0, 0, NAN)}, r"gravity: got .*nan"),
    ({"gravity": (0, 0, INF)}, r"gravity: got 'inf', allowed: finite \(m/s\^2\)"),
    ({"rgba": (1, 0, 0)}, "rgba: got"),
    ({"rgba": (0, 0, 0, 2)}, "rgba: got '2', allowed: 0 to 1"),
    ({"rgba": (0, 0, NAN, 1)}, "rgba: got .*nan.*allowed: four numbers from 0 to 1"),
    *[({"root": v}, f"root: got {v!r}, allowed: auto, end, middle") for v in ("top", None)],
    *[({s: v}, f"{s}: got '{v}', allowed: {ENDS}") for s, v in (("start", "held"), ("end", 3))],
    (
        {"integrator": "RK5"},
        "integrator: got 'RK5', allowed: auto, Euler, implicit, implicitfast, discrete",
    ),
    ({"clamp": "joint"}, "clamp: got 'joint', allowed: node, link"),
    ({"rest": "bent"}, "rest: got 'bent', allowed: drawn, straight"),
    ({"rest_twist": INF}, r"rest_twist: got 'inf', allowed: finite \(rad\)"),
    ({"twist": "x"}, "twist: got 'x', allowed: auto, quasistatic, dynamic"),
    ({"curvature": "x"}, "curvature: got 'x', allowed: auto, angle, tangent, smooth4, smooth"),
    ({"start": "weld"}, "start_to: got '', allowed: the name of a body or site"),
    ({"end": "pin"}, "end_to: got '', allowed: the name of a body or site"),
    ({"end_to": "table"}, "end_to: got 'table', allowed: .* for a welded or pinned end"),
    ({"end": "mocap", "end_to": "table"}, "end_to: got 'table', allowed: .*empty for any other"),
    ({"start": "weld", "start_to": "nobody"}, "start_to: got 'nobody', allowed: a body or a site"),
    ({"start": "pin", "start_to": 3}, "start_to: got '3'"),
    ({"closed": True}, "closed: got '1 m between the first and last node'"),
    ({"closed": True, "start": "fixed"}, "ends: got 'a held end', allowed: free ends, since"),
    ({"closed": True, "end": "mocap"}, "ends: got 'a held end'"),
    *[({key: "yes"}, f"{key}: got 'yes'") for key in FLAGS],
    ({"section": "square"}, "section: got 'square', allowed: circle, tube, box, ellipse"),
    *[({"section": "tube", "inner_radius": v}, "inner_radius: got .*< rad") for v in (0, 0.005)],
    *[({"section": s, "height": 1}, "width: got '0', allowed: finite, > 0") for s in FLAT],
    *[({"section": s, "width": 1}, "height: got '0', allowed: finite, > 0") for s in FLAT],
    ({"young": 1e9}, "EI: got .*not both"),
    (MODULI | {"young": None}, "young: got 'nothing'"),
    (MODULI | {"poisson": None}, "shear: got 'nothing', allowed: one of shear .* and poisson"),
    (MODULI | {"shear": 1.0}, "shear: got 'a value beside poisson'"),
    *[(MODULI | {"poisson": v}, "poisson: got .*> -1 and <= 0.5") for v in (-1, 0.51, NAN)],
    *[(MODULI | {key: 0}, f"{key}: got '0', allowed: finite, > 0") for key in ("young",)],
    (MODULI | {"poisson": None, "shear": -1}, "shear: got '-1', allowed: finite, > 0"),
    *[({"stretches": [piece]}, words) for piece, words in STRETCHES],
    ({"stretches": [stretch(0, 0.5), stretch(0.4, 1)]}, "stretches: got .*do not overlap"),
    ({"stretches": stretch(0, 0.5)}, "stretches: got .*a list"),
    ({"damping": 1.0, "loss_time": 1.0}, "damping: got '2 of .*at most one of them"),
    ({"friction": []}, "friction: got "),
    ({"condim": 2}, "condim: got '2', allowed: .*6"),
    ({"condim": 3.0}, "condim: got '3.0', allowed: an integer"),
    *[({key: -1}, f"{key}: got '-1', allowed: a bit mask") for key in ("contype", "conaffinity")],
    *[({"group": v}, f"group: got '{v}', allowed: 0 to 5") for v in (-1, 6)],
    *[({"color": v}, "color: got .*0 <= lower < upper") for v in ((2, 1), (1,))],
    ({"color": (-1, 1)}, r"color: got '\[-1, 1\]', allowed: .*0 <= lower < upper"),
    ({"prefix": 3}, "prefix: got '3'"),
    ({"prefix": "a\0b"}, "prefix: got "),
    ({"nodes": strand.straight(1, 481), "root": "end"}, "links: got '481', allowed: .*480 .*960"),
    ({"nodes": strand.straight(1, 962), "root": "middle"}, "links: got '962'.*480.*960"),
    ({"keys": {"bend": 1}}, "keys: got 'bend', allowed: EI, GJ, young,"),
    ({"keys": {"twist": "x"}}, "instance 'cable_rod': twist: got 'x', allowed: quasistatic"),
    ({"keys": {"rest_twist": [1, 2]}}, "rest_twist: got '1 2', allowed: one"),
    ({"keys": {"rest_twist": NAN}}, "rest_twist: got 'nan'"),
    ({"keys": {"holds": "cable_link9"}}, "holds: got 'cable_link9', allowed: names of links"),
    ({"keys": {"closed": True}}, "closed: got 'true, but the end of 'cable_link5'"),
    ({"keys": {"color": None}}, "keys: got "),
    ({"keys": {"color": [1, "a"]}}, r"keys.color: got '\[1, a\]', allowed: a text"),
    ({"keys": [1, 2]}, r"keys: got '\[1, 2\]'"),
    ({"keys": None}, "keys: got None"),
]


@pytest.mark.parametrize(("fields", "words"), CASES)
def test_bad_field(fields: dict, words: str) -> None:
    with pytest.raises(StrandError) as raised:
        strand.Cable(**({"nodes": NODES, "EI": 1.0, "GJ": 1.0} | fields)).to_mjcf()
    message = str(raised.value)
    assert re.search(words, message, re.DOTALL), message
    assert ", allowed: " in message


SHAPES = [
    (lambda: strand.straight(-1, 5), "length: got -1, allowed: a number > 0"),
    (lambda: strand.straight(NAN, 5), "length: got nan, allowed: a number > 0"),
    (lambda: strand.straight(1, 1), "segments: got 1, allowed: an integer, at least 2"),
    (lambda: strand.straight(1, -3), "segments: got -3, allowed: an integer, at least 2"),
    (lambda: strand.straight(1, 2.5), "segments: got 2.5, allowed: an integer"),
    (lambda: strand.straight("a", 2), "length: got 'a', allowed: a number > 0"),
    (lambda: strand.arc(0, 1, 4), "length: got 0, allowed: a number > 0"),
    (lambda: strand.arc(1, INF, 4), "angle: got inf, allowed: a finite number"),
    (lambda: strand.ring(1, 2), "segments: got '2', allowed: at least 3"),
    (lambda: strand.ring(-1, 5), "radius: got -1, allowed: a number > 0"),
    (lambda: strand.ring(1, 5, 5), "overlap: got '5', allowed: 0 to segments - 1"),
    (lambda: strand.ring(1, 5, -1), "overlap: got -1, allowed: an integer, at least 0"),
]


@pytest.mark.parametrize("case", SHAPES, ids=[words for _, words in SHAPES])
def test_bad_shape(case) -> None:
    make, words = case
    with pytest.raises(StrandError, match=words):
        make()


@pytest.mark.parametrize("cable", ("nobody", "", 7, -1, "rod"))
def test_reading_a_cable_that_does_not_exist(cable) -> None:
    model = mujoco.MjModel.from_xml_string(strand.Cable(NODES, 1.0, 1.0).to_mjcf())
    data = mujoco.MjData(model)
    with pytest.raises(StrandError, match=r"cable: got .*instance of strand.cable .*cable_rod"):
        strand.readout(model, data, cable)
    with pytest.raises(StrandError, match=r"cable: got "):
        strand.energy(model, data, cable)


def test_reading_a_model_without_cables() -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    with pytest.raises(StrandError, match=r"model: got one without a cable"):
        strand.energy(model, data)
    with pytest.raises(StrandError, match="plugin instances here: none"):
        strand.readout(model, data)


@pytest.mark.parametrize("path", ("missing/cable.xml", "."))
def test_file_that_cannot_be_written(path: str, tmp_path: Path) -> None:
    with pytest.raises(StrandError, match=r"path: got .*allowed: a writable file"):
        strand.generate(strand.Cable(NODES, 1.0, 1.0), tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def test_bad_cable_leaves_an_existing_file_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "cable.xml"
    file.write_text("old")
    cable = strand.Cable(NODES, 1.0, 1.0)
    cable.EI = -1.0
    with pytest.raises(StrandError):
        strand.generate(cable, file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
