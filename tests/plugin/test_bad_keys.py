"""Bad configuration of strand.cable: the error names instance, key, value and allowed range."""

import dataclasses

import mujoco
import pytest
from support import mjcf, shapes
from support.mjcf import Chain

GOOD = {"EI": "1", "GJ": "1"}
MODULI = {"young": "1e6", "poisson": "0.3"}
LINKS = 4
RADIUS = '<config key="radius" value="0.01"/>'


@dataclasses.dataclass
class Case:
    name: str
    keys: dict[str, str]
    key: str
    value: str
    allowed: str


def wrong(key: str, value: str, allowed: str, base: dict[str, str] = GOOD) -> Case:
    return Case(f"{key}={value}", base | {key: value}, key, value, allowed)


def contradiction(name: str, keys: dict[str, str], key: str, allowed: str, value="") -> Case:
    return Case(name, keys, key, value, allowed)


POSITIVE = "finite numbers > 0"
NOT_POSITIVE = (
    "-1",
    "0",
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "stiff",
    "1,2",
    "1e",
    "0x10",
    "  ",
    "1 -1 1",
)
NOT_POSITIVE_EITHER = ("1e400", "1e-400", "+-1", "++1", "--1", "1 nan 1", "1..2", "1f", "true")

CASES = [
    *[wrong("EI", value, POSITIVE) for value in NOT_POSITIVE + NOT_POSITIVE_EITHER],
    *[wrong("GJ", value, POSITIVE) for value in NOT_POSITIVE],
    *[wrong("young", value, POSITIVE, MODULI) for value in ("-1e6", "0", "nan", "soft")],
    *[wrong("radius", value, POSITIVE, MODULI) for value in ("-0.01", "0", "inf", "wide")],
    *[wrong("poisson", v, "> -1 and <= 0.5", MODULI) for v in ("0.6", "-1", "nan", "inf", "x")],
    wrong("shear", "0", POSITIVE, {"young": "1e6"}),
    wrong("EI", "1 1 1 1", "one per joint: 3"),
    wrong("EI", "1 1 1 1 1", "two per joint: 6"),
    wrong("GJ", "1 1", "1 value, or one per joint: 3"),
    wrong("young", "1 1 1 1", "1 value, or one per joint: 3", MODULI),
    wrong("poisson", "0.1 0.1", "1 value, or one per joint: 3", MODULI),
    wrong("radius", "0.1 0.1", "1 value, or one per joint: 3", MODULI),
    wrong("curvature", "angel", "angle | tangent | smooth4 | smooth"),
    wrong("curvature", "Angle", "angle | tangent | smooth4 | smooth"),
    wrong("twist", "static", "quasistatic | dynamic"),
    wrong("rest", "curved", "model | straight"),
    wrong("law", "old", "strand | mujoco_3"),
    *[wrong("rest_twist", value, "a finite number") for value in ("one turn", "nan", "inf", "1 2")],
    *[wrong("closed", value, "false | true") for value in ("yes", "1", "True")],
    wrong("stabilizer", "joint", "none | joint_stiffness"),
    wrong("stabilizer", "joint_stiffness", "stiffness > 0 on the ball joints"),
    *[wrong("color", v, "two stresses") for v in ("1", "2 1", "1 1", "0 1 2")],
    *[wrong("color", v, "finite numbers >= 0") for v in ("-1 2", "a b", "0 nan", "0 inf")],
    wrong("holds", "nobody", "names of links of this cable"),
    wrong("holds", "rod0 rod9", "names of links of this cable"),
    wrong("holds", "world", "names of links of this cable"),
    contradiction("nothing", {}, "EI", "EI and GJ (N m^2), or young", "nothing"),
    contradiction("EI alone", {"EI": "1"}, "GJ", "since EI is given", "nothing"),
    contradiction("GJ alone", {"GJ": "1"}, "EI", "since GJ is given", "nothing"),
    contradiction("young alone", {"young": "1"}, "shear", "since young is given", "nothing"),
    contradiction("shear alone", {"shear": "1"}, "young", "finite numbers > 0 (Pa)", "nothing"),
    contradiction("poisson alone", {"poisson": "0"}, "young", "finite numbers > 0 (Pa)", "nothing"),
    contradiction("radius alone", {"radius": "1"}, "EI", "or young and shear", "nothing"),
    contradiction("EI and young", GOOD | {"young": "1"}, "EI/GJ", "not both"),
    contradiction("GJ and shear", {"GJ": "1", "shear": "1"}, "EI/GJ", "not both"),
    contradiction("EI and radius", GOOD | {"radius": "0.1"}, "EI/GJ", "radius, not both"),
    contradiction("shear and poisson", MODULI | {"shear": "1"}, "shear", "not both"),
    contradiction("holds", GOOD | {"twist": "dynamic", "holds": "rod1"}, "holds", "not both"),
    *[
        contradiction(f"law and {key}", GOOD | {"law": "mujoco_3", key: value}, key, "not both")
        for key, value in {"curvature": "angle", "holds": "rod1", "rest_twist": "0"}.items()
    ],
    contradiction("closed", GOOD | {"closed": "true"}, "closed", "ends where the first begins"),
]


def error_of(*chains: Chain, **options) -> str:
    with pytest.raises(ValueError) as raised:
        mjcf.compiled(*chains, **options)
    return str(raised.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_key(case: Case) -> None:
    message = error_of(Chain(shapes.straight(LINKS), case.keys))
    assert "strand.cable instance 'rod': " in message
    assert f"{case.key}: got '" in message
    assert case.allowed in message.split("allowed: ")[1]
    if case.value not in ("", "nothing") and " values" not in message:
        assert case.value.split()[-1:] == [] or case.value.split()[-1] in message
    assert "nothing" in message or case.value != "nothing"


def test_the_list_is_long_enough() -> None:
    assert len({case.name for case in CASES}) == len(CASES) > 40


def test_unknown_key() -> None:
    message = error_of(Chain(shapes.straight(LINKS), GOOD | {"bending": "1"}))
    assert "bending" in message
    assert "strand.cable" in message
    assert "rod" in message


def test_the_message_names_the_instance_at_fault() -> None:
    good = Chain(shapes.straight(LINKS), GOOD, name="good")
    bad = Chain(shapes.straight(LINKS), GOOD | {"twist": "x"}, name="bad")
    assert "instance 'bad': twist: got 'x'" in error_of(good, bad)
    assert "instance 'bad': twist: got 'x'" in error_of(bad, good)


@pytest.mark.skipif(
    not hasattr(mujoco.MjModel, "jnt_stiffnesspoly"), reason="springs are linear before MuJoCo 3.7"
)
def test_nonlinear_spring_with_stabilizer() -> None:
    keys = GOOD | {"stabilizer": "joint_stiffness"}
    text = mjcf.document(Chain(shapes.straight(LINKS), keys, stiffness=0.5))
    mujoco.MjModel.from_xml_string(text)
    bent = text.replace('stiffness="0.5"', 'stiffness="0.5 1.5"', 1)
    with pytest.raises(
        ValueError, match=r"stabilizer: got .*'rod1' has a nonlinear spring.*linear"
    ):
        mujoco.MjModel.from_xml_string(bent)


def test_section_without_a_geom_to_define_it() -> None:
    text = mjcf.document(Chain(shapes.straight(LINKS), MODULI, geom="box"))
    mujoco.MjModel.from_xml_string(text)
    sphere = text.replace('type="box"', 'type="sphere"', 1)
    with pytest.raises(ValueError, match=r"'rod': radius: got .*'rod0' has no geom.*radius \(m\)"):
        mujoco.MjModel.from_xml_string(sphere)
    mujoco.MjModel.from_xml_string(sphere.replace("</instance>", RADIUS + "</instance>"))


@pytest.mark.parametrize("keys", (GOOD, MODULI, GOOD | {"EI": "+1.5e0", "rest_twist": "-3"}))
def test_good_keys_are_accepted(keys: dict[str, str]) -> None:
    mjcf.compiled(Chain(shapes.straight(LINKS), keys))


@pytest.mark.parametrize(
    "text",
    (
        "",
        "<mujoco>",
        "<mujoco><worldbody></mujoco>",
        "not xml",
        '<mujoco><extension><plugin plugin="strand.rope"/></extension></mujoco>',
        '<mujoco><extension><plugin plugin="strand.cable"><instance/></plugin></extension>',
    ),
)
def test_broken_documents(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        mujoco.MjModel.from_xml_string(text)
