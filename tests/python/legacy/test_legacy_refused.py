"""Bad old models: errors that name file, line and reason."""

from pathlib import Path

import pytest

import strand
from strand import StrandError
from strand.legacy import convert

GOOD = """<mujoco>
  <extension>
    <plugin plugin="mujoco.elasticity.cable"/>
  </extension>
  <worldbody>
    <composite type="cable" curve="s" count="6" size="1">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="bend" value="1e6"/>
      </plugin>
      <joint kind="main" damping=".1"/>
      <geom type="capsule" size=".01"/>
      <site size=".01"/>
      <skin group="1"/>
    </composite>
  </worldbody>
</mujoco>
"""

# The replaced text, its replacement, and the line and words of the error.
BAD = [
    ("</composite>", "", 15, "mismatched tag"),
    ("<worldbody>", "<worldbody", 6, "not well-formed"),
    ('type="cable"', 'type="grid"', 6, "composite type: got 'grid', allowed: cable"),
    ('type="cable"', "", 6, "composite type"),
    ('count="6"', 'count="1"', 6, "count: got 1, allowed: at least 2 vertices"),
    ('count="6"', 'count="6 2 1"', 6, "count: got '6 2 1'"),
    ('count="6"', 'count="0"', 6, "count: got '0'"),
    ('count="6"', 'count="6.5"', 6, "count: got '6.5'"),
    ('count="6"', 'count="600"', 6, "count: got 599 links"),
    ('count="6"', 'count="6" vertex="0 0 0 1 0 0"', 6, "count or vertex, not both"),
    ('count="6"', 'vertex="0 0 0 1 0"', 6, "vertex: got 5 numbers"),
    ('count="6"', 'vertex="0 0 0 1 0 x"', 6, "vertex: got '0 0 0 1 0 x'"),
    ('count="6"', 'vertex="0 0 0 1 0 nan"', 6, "vertex"),
    ('count="6"', 'vertex="0 0 0 1 0 0 1 0 0"', 6, "vertices 1 and 2 at one place"),
    ('curve="s"', 'curve="tan(s)"', 6, "curve: got 'tan(s)'"),
    ('curve="s"', 'curve="s s s s"', 6, "curve"),
    ('curve="s"', 'curve="0"', 6, "vertices 0 and 1 at one place"),
    ('curve="s"', 'curve="s" offset="1 2"', 6, "offset: got '1 2', allowed: 3 numbers"),
    ('curve="s"', 'curve="s" quat="1 2"', 6, "quat: got '1 2', allowed: 4 numbers"),
    ('curve="s"', 'curve="s" initial="loose"', 6, "initial: got 'loose'"),
    ('curve="s"', 'curve="s" spacing="1"', 6, "attribute of <composite>: got spacing"),
    ('size="1"', 'size="0 0 0"', 6, "size: got '0 0 0'"),
    ('size="1"', 'size="1 2 3 4"', 6, "size: got '1 2 3 4', allowed: up to 3 numbers"),
    ("cable", "shell", 7, "plugin of a cable: got 'mujoco.elasticity.shell'"),
    ('key="bend"', 'key="young"', 8, "config"),
    ('value="1e6"', 'value="soft"', 8, "bend: got 'soft'"),
    ('value="1e6"', 'value="-1"', 8, "bend: got '-1'"),
    ('elasticity.cable">', 'elasticity.cable" instance="x">', 7, "instance: got 'x'"),
    ('kind="main"', "", 10, "kind: got ''"),
    ('kind="main"', 'kind="twist"', 10, "kind: got 'twist'"),
    ('damping=".1"', 'damping=".1 .2"', 10, "damping: got '.1 .2', allowed: one number"),
    ('damping=".1"', 'springref="1"', 10, "attribute of <joint>: got springref"),
    ("<joint", '<joint kind="main"/><joint', 10, "<joint> twice"),
    ('type="capsule"', 'type="sphere"', 11, "type of the cable's geom: got 'sphere'"),
    ('type="capsule" size=".01"', 'type="capsule"', 11, "size of the cable's geom: got ''"),
    ('type="capsule" size=".01"', 'type="box" size=".1"', 11, "size of the cable's geom"),
    ('type="capsule" size=".01"', 'type="capsule" size="-1"', 11, "size of the cable's geom"),
    ('type="capsule"', 'type="capsule" pos="1 0 0"', 11, "attribute of <geom>: got pos"),
    ('type="capsule"', 'type="capsule" rgba="1 0 x 1"', 11, "rgba"),
    ('site size=".01"', 'site size="a"', 12, "size: got 'a'"),
    ("<site", "<tendon", 12, "element in composite: got <tendon>"),
    ('group="1"', 'group="9"', 13, "group: got 9, allowed: 0 to 5"),
    ('group="1"', 'texcoord="yes"', 13, "texcoord"),
    ("<worldbody>", '<include file="nowhere.xml"/><worldbody>', 5, "include: got 'nowhere.xml'"),
    ("<mujoco>", "<robot>", 16, "mismatched tag"),
]


@pytest.mark.parametrize("old, new, line, words", BAD)
def test_errors_name_file_and_line(old: str, new: str, line: int, words: str, tmp_path) -> None:
    path = Path(tmp_path, "old.xml")
    at = GOOD.index("elasticity.cable", GOOD.index("<composite")) if old == "cable" else 0
    text = GOOD[:at] + GOOD[at:].replace(old, new, 1)
    assert text != GOOD
    path.write_text(text)
    with pytest.raises(StrandError) as error:
        convert(path)
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert words in str(error.value)


def test_the_line_is_that_of_the_included_file(tmp_path: Path) -> None:
    (tmp_path / "main.xml").write_text(
        '<mujoco>\n<worldbody>\n<include file="part.xml"/></worldbody></mujoco>'
    )
    part = GOOD[GOOD.index("<composite") : GOOD.index("</worldbody>")].replace("capsule", "ball")
    (tmp_path / "part.xml").write_text(f"<x>\n{part}</x>")
    with pytest.raises(StrandError, match=r"part\.xml:7: type of the cable's geom: got 'ball'"):
        strand.load_model(tmp_path / "main.xml")


def test_the_top_element_is_mujoco(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text('<robot name="arm"/>')
    with pytest.raises(StrandError, match=r"robot\.urdf:1: top element: got <robot>"):
        strand.load_model(tmp_path / "robot.urdf")


def test_files_are_utf_8(tmp_path: Path) -> None:
    (tmp_path / "old.xml").write_text(GOOD, encoding="utf-16")
    with pytest.raises(StrandError, match=r"old\.xml: encoding: got zero bytes, .* allowed: UTF-8"):
        strand.load_model(tmp_path / "old.xml")


def test_declared_encodings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.xml"
    text = GOOD.replace("<composite", '<composite prefix="für_"').replace(
        "<mujoco>", "<mujoco><!-- ü -->"
    )
    path.write_bytes(f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{text}'.encode("latin-1"))
    assert strand.load_model(path).body("für_B_first").id == 1
    assert convert(path).text.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    path.write_bytes(b'<?xml version="1.0" encoding="klingon"?>' + GOOD.encode())
    with pytest.raises(StrandError, match=r"old\.xml: encoding: got klingon"):
        strand.load_model(path)


def test_comments_may_have_any_bytes(tmp_path: Path) -> None:
    path = tmp_path / "old.xml"
    path.write_bytes(GOOD.encode().replace(b"<mujoco>", b"<mujoco><!-- \xfc -->"))
    assert strand.load_model(path).nbody > 1


def test_elasticity_needs_geoms(tmp_path: Path) -> None:
    path = tmp_path / "old.xml"
    text = GOOD.replace('type="capsule"', 'type="capsule" contype="0" conaffinity="0"')
    path.write_text(text.replace("  <worldbody>", '  <compiler discardvisual="true"/><worldbody>'))
    with pytest.raises(StrandError, match=r"old\.xml:5: discardvisual: got true"):
        convert(path)


def test_a_file_is_included_once(tmp_path: Path) -> None:
    (tmp_path / "main.xml").write_text('<mujoco>\n<include file="main.xml"/></mujoco>')
    with pytest.raises(StrandError, match=r"main\.xml:2: include"):
        strand.load_model(tmp_path / "main.xml")
