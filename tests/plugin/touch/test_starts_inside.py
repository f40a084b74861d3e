"""A cable that starts inside another object is reported before contact forces throw it out."""

import copy
import re

import mujoco
import numpy as np
import pytest
from support import mjcf, shapes
from support.engine import needs_deep_boxes
from support.touch import FLOOR, INTEGRATORS, RUBBER, scene, steps

import strand

DRUM, RADIUS, LINKS = 0.05, 0.002, 6
AWAY = DRUM + RADIUS  #: distance (m) of the axes of the drum and a rope that touches it
HALF_TURN = np.pi / LINKS / 2  #: rad: half the angle of a link
DEPTH = AWAY * (1 - np.cos(HALF_TURN))  #: depth (m) of the middles of links with nodes at AWAY
CYLINDER = f'<geom name="drum" type="cylinder" size="{DRUM} .05" quat="1 1 0 0"/>'


def over_drum(distance: float) -> np.ndarray:
    """Nodes (LINKS + 1, 3) of half a turn about the y axis, at the given distance from it."""
    angles = np.linspace(0, np.pi, LINKS + 1)
    return distance * np.stack([-np.cos(angles), 0 * angles, np.sin(angles)], axis=1)


def along_x(height: float = 0.0) -> np.ndarray:
    return strand.straight(0.2, 9) + np.array([-0.1, 0, height])


def rope(nodes: np.ndarray, prefix: str = "rope_", **options) -> strand.Cable:
    return strand.Cable(nodes, prefix=prefix, **({"radius": RADIUS} | RUBBER | options))


def compiled(*cables: strand.Cable, world: str = "", flags: int = 0) -> mujoco.MjModel:
    spec = scene(INTEGRATORS[0], 0.002, world)
    spec.option.disableflags |= flags
    for cable in cables:
        strand.attach(spec, cable)
    return spec.compile()


def begin(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def depth(text: str, cable: str, link: str, thickness: float, thing: str) -> float:
    """The depth (m) that the warning reports; checks all other parts of the text."""
    found = re.fullmatch(
        rf"cable '{cable}': link '{link}', {1e3 * thickness:.3g} mm thick, starts (\S+) mm inside "
        rf"{thing}: the contact will throw it out\. Place the cable clear of that object \(links "
        r"are straight between nodes\), or exclude the contact\.",
        text,
    )
    assert found, text
    return 1e-3 * float(found[1])


def only(engine_warnings: list[str]) -> str:
    (text,) = engine_warnings
    engine_warnings.clear()
    return text


def test_straight_links_cut_a_drum_that_their_nodes_touch(engine_warnings: list[str]) -> None:
    data = begin(compiled(rope(over_drum(AWAY)), world=CYLINDER))
    said = depth(only(engine_warnings), "rope_rod", r"rope_link\d", 2 * RADIUS, "geom 'drum'")
    assert said == pytest.approx(-data.contact.dist.min(), rel=0.01)
    assert said == pytest.approx(DEPTH, rel=0.01)
    link = 2 * AWAY * np.sin(HALF_TURN)
    assert said == pytest.approx(link**2 / (8 * AWAY), rel=0.05)


def test_links_that_touch_the_drum_start_outside(engine_warnings: list[str]) -> None:
    data = begin(compiled(rope(over_drum(AWAY / np.cos(HALF_TURN) - 1e-5)), world=CYLINDER))
    assert data.ncon >= LINKS
    assert engine_warnings == []


@pytest.mark.parametrize(
    ("section", "thickness"),
    [
        ({"radius": RADIUS}, 2 * RADIUS),
        pytest.param(
            {"section": "box", "width": 0.01, "height": 0.004}, 0.004, marks=needs_deep_boxes
        ),
        pytest.param(
            {"section": "box", "width": 0.004, "height": 0.01}, 0.004, marks=needs_deep_boxes
        ),
        ({"section": "ellipse", "width": 0.01, "height": 0.004}, 0.004),
    ],
)
def test_half_a_radius_deep_is_inside(
    section: dict, thickness: float, engine_warnings: list[str]
) -> None:
    """For a section that is not round, half of the smaller half-width."""
    half = section.get("height", thickness) / 2
    for sunk, inside in ((0.2, False), (0.3, True)):
        height = half + 0.01 - sunk * thickness
        block = f"""<body name="block" pos="0 0 {height}"><freejoint/>
            <geom type="box" size=".01 .01 .01"/></body>"""
        begin(compiled(rope(along_x(), **section), world=block))
        if not inside:
            assert engine_warnings == []
            continue
        said = depth(
            only(engine_warnings), "rope_rod", "rope_link4", thickness, "geom 0 of body 'block'"
        )
        assert said == pytest.approx(sunk * thickness, rel=0.01)


def test_links_of_the_same_cable_are_named(engine_warnings: list[str]) -> None:
    """A straight cable, posed as a coil of 12 links per turn with too small a pitch."""
    per_turn, link = 12, 0.01
    rise = RADIUS / (per_turn * link)
    model = compiled(rope(strand.straight(24 * link, 24), root="end"))
    data = mujoco.MjData(model)
    axis = np.array([rise, 0, np.sqrt(1 - rise**2)])
    for k in range(1, 24):
        mujoco.mju_axisAngle2Quat(data.joint(f"rope_joint{k}").qpos, axis, 2 * np.pi / per_turn)
    mujoco.mj_forward(model, data)
    text = only(engine_warnings)
    said = depth(text, "rope_rod", r"rope_link\d+", 2 * RADIUS, r"link 'rope_link\d+'")
    assert said == pytest.approx(RADIUS, rel=0.01)
    one, other = map(int, re.findall(r"rope_link(\d+)", text))
    assert abs(one - other) == pytest.approx(per_turn, abs=1)


def hand_written(keys: dict[str, str], **piece) -> str:
    """Five links along x, 8 mm thick, whose geoms collide with a post 3 mm inside the last one."""
    pieces = [mjcf.Piece(0, 5, 0, **piece)]
    post = '<geom name="post" type="box" pos=".22 0 -.021" size=".01 .05 .02"/>'
    text = mjcf.document(
        mjcf.Chain(shapes.straight(5, 0.25), keys, pieces),
        extra=f"<worldbody>{post}</worldbody>",
    )
    return text.replace('contype="0" conaffinity="0"', "")


def test_overlap_of_neighbours_is_not_reported(engine_warnings: list[str]) -> None:
    """MuJoCo keeps the contact if the first link is fixed in the world. It does no harm."""
    text = hand_written({"EI": "0.02", "GJ": "0.01", "twist": "dynamic"}, base="fixed")
    model = mujoco.MjModel.from_xml_string(text.replace('pos=".22', 'pos="1'))
    data = begin(model)
    assert -data.contact.dist.min() == pytest.approx(0.008)
    assert engine_warnings == []


def test_two_cables_name_themselves_and_each_other(engine_warnings: list[str]) -> None:
    across = along_x(0.5 * RADIUS)[:, [1, 0, 2]]
    begin(compiled(rope(along_x(), "left_"), rope(across, "right_")))
    assert len(engine_warnings) == 2
    for me, it in (("left", "right"), ("right", "left")):
        (text,) = (text for text in engine_warnings if f"cable '{me}_rod'" in text)
        said = depth(text, f"{me}_rod", f"{me}_link4", 2 * RADIUS, f"geom '{it}_geom4'")
        assert said == pytest.approx(1.5 * RADIUS, rel=0.01)
    engine_warnings.clear()


def test_cloth_is_named(engine_warnings: list[str]) -> None:
    cloth = """<flexcomp name="cloth" type="grid" count="5 5 1" spacing=".03 .03 .1" dim="2"
        mass=".1" radius=".001"><edge equality="true"/></flexcomp>"""
    begin(compiled(rope(along_x(0.5 * RADIUS)), world=cloth))
    depth(only(engine_warnings), "rope_rod", r"rope_link\d", 2 * RADIUS, "flex 'cloth'")


def test_it_warns_once_per_reset(engine_warnings: list[str]) -> None:
    model = compiled(rope(over_drum(AWAY)), world=CYLINDER)
    data = mujoco.MjData(model)
    twin = copy.copy(data)
    for _ in range(2):
        mujoco.mj_step(model, data)
        assert "'rope_rod'" in only(engine_warnings)
        mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        assert engine_warnings == []
        mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, twin)  # copied earlier: another mjData gets its own warning
    assert "'rope_rod'" in only(engine_warnings)
    mujoco.mj_forward(model, copy.copy(twin))
    assert engine_warnings == []


def test_no_second_warning_after_a_reset_by_mujoco(engine_warnings: list[str]) -> None:
    model = compiled(rope(over_drum(AWAY)), world=CYLINDER)
    data = begin(model)
    assert "'rope_rod'" in only(engine_warnings)
    data.qpos[0] = np.nan
    mujoco.mj_step(model, data)
    assert "QPOS" in only(engine_warnings)
    assert -data.contact.dist.min() > RADIUS / 2


def test_later_overlap_is_not_reported(engine_warnings: list[str]) -> None:
    model = compiled(rope(along_x(0.1), root="end"), world=FLOOR)
    data = begin(model)
    data.qpos[2] = 0.2 * RADIUS
    mujoco.mj_forward(model, data)
    assert -data.contact.dist.min() > RADIUS / 2
    assert engine_warnings == []


@pytest.mark.parametrize(
    "flag", (mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
)
def test_without_contact_it_is_silent(flag: int, engine_warnings: list[str]) -> None:
    begin(compiled(rope(over_drum(AWAY)), world=CYLINDER, flags=flag))
    begin(compiled(rope(over_drum(AWAY), collide=False), world=CYLINDER))
    assert engine_warnings == []


def test_a_cable_at_rest_is_outside(engine_warnings: list[str]) -> None:
    """Loaded with half a kilogram, and copied as the state of a new mjData."""
    block = """<body name="block" pos="0 0 .0141"><freejoint/>
        <geom type="box" size=".05 .01 .01" mass=".5"/></body>"""
    model = compiled(rope(along_x(RADIUS)), world=FLOOR + block)
    data = begin(model)
    for _ in steps(model, 1.0):
        mujoco.mj_step(model, data)
    rested = mujoco.MjData(model)
    rested.qpos[:] = data.qpos
    mujoco.mj_forward(model, rested)
    assert 0 < -rested.contact.dist.min() < RADIUS / 10
    assert engine_warnings == []


# MuJoCo 3 has a plugin of that name.
@pytest.mark.skipif(mujoco.mj_versionString() < "4", reason="MuJoCo 3 has its own plugin")
@pytest.mark.parametrize("law", ("mujoco_3", "strand"))
def test_the_old_name_warns(law: str, engine_warnings: list[str]) -> None:
    text = hand_written({"bend": "5e6", "twist": "2e6", "law": law})
    model = mujoco.MjModel.from_xml_string(text.replace("strand.cable", "mujoco.elasticity.cable"))
    data = begin(model)
    said = depth(only(engine_warnings), "rod", "rod4", 0.008, "geom 'post'")
    assert said == pytest.approx(0.003, rel=0.01)
    mujoco.mj_forward(model, copy.copy(data))
    mujoco.mj_step(model, data)
    assert engine_warnings == []
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    assert "'rod'" in only(engine_warnings)
