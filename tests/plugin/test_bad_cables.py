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

POSITIVE = {"GJ": "N m^2", "radius": "m", "density": "kg/m^3", "timestep": "s"}
NOT_NEGATIVE = ("damping", "friction")
NOT_NUMBERS = ("x", None, [1, 2, 3, 4, 5])

CASES: list[tuple[dict, str]] = [
    *[({key: v}, f"{key}: got .*finite, > 0") for key in POSITIVE for v in (0, -1, NAN, INF, -INF)],
    *[({key: v}, f"{key}: got .*finite, >= 0") for key in NOT_NEGATIVE for v in (-1, NAN, INF)],
    *[({key: v}, f"{key}: got ") for key in (*POSITIVE, *NOT_NEGATIVE) for v in NOT_NUMBERS],
    *[({"EI": value}, "EI: got .*finite, > 0") for value in (0, -1, NAN, INF, [1, 0], None)],
    *[({"EI": value}, "EI: got .*one number or two") for value in ([1, 2, 3], [], [[1, 2]] * 2)],
    ({"EI": "stiff"}, "EI: got 'stiff'"),
    ({"nodes": "abc"}, "nodes: got 'abc'"),
    ({"nodes": None}, "nodes: got .*shape .*allowed: "),
    ({"nodes": np.zeros((4, 2))}, r"nodes: got an array of shape \(4, 2\), allowed: \(n \+ 1, 3\)"),
    ({"nodes": np.zeros(3)}, r"nodes: got an array of shape \(3,\)"),
    ({"nodes": NODES[:2]}, "nodes: got '2', allowed: at least 3"),
    ({"nodes": NODES[:0]}, "nodes: got '0', allowed: at least 3"),
    ({"nodes": NODES * 0}, "nodes: got 'nodes 0 and 1 at distance 0.*neighbours apart"),
    ({"nodes": NODES * NAN}, "nodes: got 'nodes 0 and 1 at distance nan.*finite points"),
    ({"nodes": NODES[[0, 1, 1, 2]]}, "nodes: got 'nodes 1 and 2 at distance 0"),
    ({"nodes": [[0, 0, 0], [1, 0, 0], [INF, 0, 0]]}, "nodes: got 'nodes 1 and 2 at distance inf"),
    ({"nodes": [[0, 0, 0], [1, 0, 0], [0, 0, 0]]}, "'cable_link0' and 'cable_link1' point at each"),
    ({"normal": (1, 0, 0)}, "normal: got 'a direction along the first link', allowed: one across"),
    ({"normal": (0, 0, 0)}, "normal: got"),
    ({"normal": (NAN, 0, 0)}, "normal: got"),
    ({"normal": (0, 1)}, "normal: got .*three numbers"),
    ({"normal": "up"}, "normal: got 'up'"),
    ({"gravity": (0, 0)}, "gravity: got"),
    ({"gravity": (0, 0, NAN)}, r"gravity: got 'nan', allowed: finite \(m/s\^2\)"),
    ({"rgba": (1, 0, 0)}, "rgba: got"),
    ({"rgba": (0, 0, 0, 2)}, "rgba: got '2', allowed: 0 to 1"),
    ({"rgba": (0, 0, NAN, 1)}, "rgba: got 'nan', allowed: 0 to 1"),
    ({"root": "top"}, "root: got 'top', allowed: end, middle"),
    ({"root": None}, "root: got None, allowed: end, middle"),
    ({"start": "held"}, "start: got 'held', allowed: free, fixed, mocap, weld"),
    ({"end": 3}, "end: got 3, allowed: free, fixed, mocap, weld"),
    ({"integrator": "RK5"}, "integrator: got 'RK5', allowed: Euler, implicitfast, discrete"),
    ({"start": "weld"}, "weld_to: got '', allowed: the name of a body"),
    ({"end": "weld"}, "weld_to: got '', allowed: the name of a body"),
    ({"weld_end": "table"}, "weld_to: got 'table', allowed: the name of a body for a welded end"),
    ({"start": "weld", "weld_start": "nobody"}, "unknown element 'nobody' in equality"),
    ({"closed": True}, "closed: got '1 m between the first and last node'"),
    ({"closed": True, "start": "fixed"}, "ends: got 'a held end', allowed: free ends of a closed"),
    ({"closed": True, "end": "mocap"}, "ends: got 'a held end'"),
    ({"closed": "yes"}, "closed: got 'yes'"),
    ({"collide": "yes"}, "collide: got 'yes'"),
    ({"prefix": 3}, "prefix: got 3"),
    ({"prefix": "a\0b"}, "cable: got "),
    ({"nodes": strand.straight(1, 481)}, "links: got '481', allowed: at most 480 .*960"),
    ({"nodes": strand.straight(1, 962), "root": "middle"}, "links: got '962'.*480.*960"),
    ({"keys": {"bend": 1}}, "'plugin:bend' for plugin strand.cable.*cable_rod"),
    ({"keys": {"twist": "x"}}, "instance 'cable_rod': twist: got 'x', allowed: quasistatic"),
    ({"keys": {"rest_twist": [1, 2]}}, "rest_twist: got '1.0 2.0', allowed: one"),
    ({"keys": {"rest_twist": NAN}}, "rest_twist: got 'nan'"),
    ({"keys": {"holds": "cable_link9"}}, "holds: got 'cable_link9', allowed: names of links"),
    ({"keys": {"closed": True}}, "closed: got 'true, but the end of 'cable_link5'"),
    ({"keys": {"EI": 2.0}}, "duplicate config key: EI"),
    ({"keys": {"color": None}}, "keys: got "),
    ({"keys": {"color": [1, "a"]}}, "keys: got "),
    ({"keys": [1, 2]}, r"keys: got \[1, 2\]"),
    ({"keys": None}, "keys: got None"),
]


@pytest.mark.parametrize(("fields", "words"), CASES)
def test_bad_field(fields: dict, words: str) -> None:
    cable = strand.Cable(**({"nodes": NODES, "EI": 1.0, "GJ": 1.0} | fields))
    with pytest.raises(StrandError) as raised:
        cable.to_mjcf()
    message = str(raised.value)
    assert re.search(words, message, re.DOTALL), message
    assert ", allowed: " in message


SHAPES = [
    (lambda: strand.straight(-1, 5), "length: got '-1.0*', allowed: a finite length > 0"),
    (lambda: strand.straight(NAN, 5), "length: got 'nan'"),
    (lambda: strand.straight(1, 1), "links: got '1', allowed: at least 2"),
    (lambda: strand.straight(1, -3), "links: got '-3', allowed: at least 2"),
    (lambda: strand.straight(1, 2.5), "incompatible"),
    (lambda: strand.straight("a", 2), "incompatible"),
    (lambda: strand.arc(0, 1, 4), "length: got '0.0*'"),
    (lambda: strand.arc(1, INF, 4), "angle: got 'inf', allowed: finite"),
    (lambda: strand.ring(1, 2), "links: got '2', allowed: at least 3"),
    (lambda: strand.ring(-1, 5), "radius: got '-1.0*', allowed: a finite length > 0"),
    (lambda: strand.ring(1, 5, 5), "overlap: got '5', allowed: 0 to links - 1"),
    (lambda: strand.ring(1, 5, -1), "overlap: got '-1', allowed: 0 to links - 1"),
]


@pytest.mark.parametrize("case", SHAPES, ids=[words for _, words in SHAPES])
def test_bad_shape(case) -> None:
    make, words = case
    with pytest.raises(StrandError, match=words):
        make()


@pytest.mark.parametrize("cable", ("nobody", "", 7, -1, "rod"))
def test_reading_a_cable_that_is_not_there(cable) -> None:
    model = mujoco.MjModel.from_xml_string(strand.Cable(NODES, 1.0, 1.0).to_mjcf())
    data = mujoco.MjData(model)
    with pytest.raises(StrandError, match=r"cable: got .*instance of strand.cable .*cable_rod"):
        strand.readout(model, data, cable)
    with pytest.raises(StrandError, match=r"cable: got "):
        strand.energy(model, data, cable)


def test_reading_a_model_without_cables() -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    assert strand.energy(model, data) == 0
    with pytest.raises(StrandError, match="plugin instances here: none"):
        strand.readout(model, data)


@pytest.mark.parametrize("path", ("missing/cable.xml", "."))
def test_file_that_cannot_be_written(path: str, tmp_path: Path) -> None:
    with pytest.raises(StrandError, match=r"output: got .*allowed: a writable file"):
        strand.generate(strand.Cable(NODES, 1.0, 1.0), tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def test_bad_cable_leaves_an_old_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "cable.xml"
    file.write_text("old")
    with pytest.raises(StrandError):
        strand.generate(strand.Cable(NODES, -1.0, 1.0), file)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
