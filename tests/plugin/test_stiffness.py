"""The meaning of the keys: the energy of one bent or twisted joint equals that of the textbook."""

import mujoco
import numpy as np
import pytest
from support import differences, mjcf, shapes
from support.mjcf import Chain

import strand

LENGTH = 0.1
R = 0.004  # the radius, or the half-size along y; boxes and ellipsoids have half of it along z
CIRCLE = np.pi * R**4 / 4
E, G, NU = 2e9, 0.7e9, 0.3
G_NU = E / (2 * (1 + NU))

YOUNG_SHEAR = {"young": str(E), "shear": str(G)}
YOUNG_POISSON = {"young": str(E), "poisson": str(NU)}

# Half-sizes b along y and h = b / 2 along z. Torsion constants: an ellipse's is exact, a 2:1
# rectangle's is 0.22868 a c^3 for full sides a > c (Timoshenko & Goodier, art. 109).
BOX = {"y": 2 * R * R**3 / 12, "z": R * (2 * R) ** 3 / 12, "x": 0.22868 * 2 * R * R**3}
ELLIPSE = {
    "y": np.pi * R * (R / 2) ** 3 / 4,
    "z": np.pi * (R / 2) * R**3 / 4,
    "x": np.pi * R**3 * (R / 2) ** 3 / (R**2 + (R / 2) ** 2),
}

# name: keys, geom, EI about y, EI about z, GJ
SECTIONS = {
    "one EI": ({"EI": "0.3", "GJ": "0.2"}, "capsule", 0.3, 0.3, 0.2),
    "two EI": ({"EI": "0.3 0.5", "GJ": "0.2"}, "capsule", 0.3, 0.5, 0.2),
    "no geom needed": ({"EI": "3e-1 +0.5", "GJ": "2e-1"}, "box", 0.3, 0.5, 0.2),
    "capsule": (YOUNG_SHEAR, "capsule", E * CIRCLE, E * CIRCLE, G * 2 * CIRCLE),
    "cylinder": (YOUNG_SHEAR, "cylinder", E * CIRCLE, E * CIRCLE, G * 2 * CIRCLE),
    "poisson": (YOUNG_POISSON, "capsule", E * CIRCLE, E * CIRCLE, G_NU * 2 * CIRCLE),
    "box": (YOUNG_SHEAR, "box", E * BOX["y"], E * BOX["z"], G * BOX["x"]),
    "ellipsoid": (YOUNG_SHEAR, "ellipsoid", E * ELLIPSE["y"], E * ELLIPSE["z"], G * ELLIPSE["x"]),
    "radius": (
        YOUNG_SHEAR | {"radius": str(2 * R)},
        "box",
        16 * E * CIRCLE,
        16 * E * CIRCLE,
        32 * G * CIRCLE,
    ),
}
AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
MODES = ("quasistatic", "dynamic")


def turn_joint(model: mujoco.MjModel, data: mujoco.MjData, body: str, axis, angle: float) -> None:
    address = differences.link_joint(model, body)
    mujoco.mju_axisAngle2Quat(data.qpos[address : address + 4], axis, angle)
    mujoco.mj_forward(model, data)


def bent_energy(chain: Chain, body: str, axis: str, angle: float) -> float:
    model = mjcf.compiled(chain)
    data = mujoco.MjData(model)
    turn_joint(model, data, body, AXES[axis], angle)
    return strand.energy(model, data)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", SECTIONS)
def test_stiffness_of_a_joint(name: str, axis: str, mode: str) -> None:
    keys, geom, EI_y, EI_z, GJ = SECTIONS[name]
    stiffness = {"x": GJ, "y": EI_y, "z": EI_z}[axis]
    chain = Chain(shapes.straight(2, 2 * LENGTH), keys | {"twist": mode}, geom=geom, radius=R)
    for angle in (0.1, 1.0, -2.5):
        expected = 0.5 * stiffness / LENGTH * angle**2
        # The textbook's torsion constant of a rectangle has five digits.
        digits = 1e-4 if (geom, axis) == ("box", "x") and "young" in keys else 1e-12
        assert bent_energy(chain, "rod1", axis, angle) == pytest.approx(expected, rel=digits)


@pytest.mark.parametrize("axis", "yz")
@pytest.mark.parametrize("angle", (0.1, 1.0, -2.5))
def test_tangent_measure(axis: str, angle: float) -> None:
    keys = {"EI": "0.3", "GJ": "0.2", "curvature": "tangent"}
    chain = Chain(shapes.straight(2, 2 * LENGTH), keys)
    expected = 0.5 * 0.3 / LENGTH * (2 * np.tan(angle / 2)) ** 2
    assert bent_energy(chain, "rod1", axis, angle) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("EI", "about_y", "about_z"),
    [
        ("1 2 3", [1, 2, 3], [1, 2, 3]),
        ("1 2 3 4 5 6", [1, 3, 5], [2, 4, 6]),
        ("1 2", [1, 1, 1], [2, 2, 2]),
        ("1", [1, 1, 1], [1, 1, 1]),
    ],
)
def test_lists_go_joint_by_joint(EI: str, about_y: list[int], about_z: list[int]) -> None:
    shape = shapes.straight(4, 4 * LENGTH)
    chain = Chain(shape, {"EI": EI, "GJ": "7 8 9", "twist": "dynamic"})
    for joint in range(3):
        for axis, values in (("x", [7, 8, 9]), ("y", about_y), ("z", about_z)):
            expected = 0.5 * values[joint] / LENGTH * 0.3**2
            energy = bent_energy(chain, f"rod{joint + 1}", axis, 0.3)
            assert energy == pytest.approx(expected, rel=1e-12)


def test_moduli_in_lists_and_unequal_lengths() -> None:
    shape = shapes.walk(4, seed=1, bend=0, spin=0, unequal=True)
    keys = {"young": "1e9 2e9 3e9", "poisson": "0.1 0.2 0.3", "radius": "0.01 0.02 0.03"}
    chain = Chain(shape, keys | {"twist": "dynamic"})
    for joint, (young, nu, r) in enumerate([(1e9, 0.1, 0.01), (2e9, 0.2, 0.02), (3e9, 0.3, 0.03)]):
        length = (shape.lengths[joint] + shape.lengths[joint + 1]) / 2
        EI = young * np.pi * r**4 / 4
        for axis, stiffness in (("y", EI), ("x", EI / (1 + nu))):
            energy = bent_energy(chain, f"rod{joint + 1}", axis, 0.3)
            assert energy == pytest.approx(0.5 * stiffness / length * 0.09, rel=1e-12)


def test_two_sections_act_in_series() -> None:
    """Half a joint in each link: compliances add, weighted by the half lengths."""
    shape = shapes.straight(2, 2 * LENGTH)
    text = mjcf.document(Chain(shape, YOUNG_SHEAR, radius=R))
    text = text.replace(f'size="{R}"', f'size="{2 * R}"', 1)
    model = mujoco.MjModel.from_xml_string(text)
    assert sorted(model.geom_size[:, 0]) == [R, 2 * R]
    data = mujoco.MjData(model)
    turn_joint(model, data, "rod1", AXES["y"], 0.3)
    stiffness = 2 / (1 / (E * CIRCLE) + 1 / (16 * E * CIRCLE))
    assert strand.energy(model, data) == pytest.approx(0.5 * stiffness / LENGTH * 0.09, rel=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rest_twist", (0.7, -20.0))
def test_rest_twist_is_spread_over_the_length(rest_twist: float, mode: str) -> None:
    shape = shapes.walk(7, seed=1, bend=0, spin=0, unequal=True)
    keys = {"EI": "1", "GJ": "0.4", "rest_twist": str(rest_twist), "twist": mode}
    model = mjcf.compiled(Chain(shape, keys))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    length = shape.lengths.sum() - (shape.lengths[0] + shape.lengths[-1]) / 2
    result = strand.readout(model, data)
    assert abs(result.twist) < 1e-12
    assert result.energy == pytest.approx(0.5 * 0.4 / length * rest_twist**2, rel=1e-12)
    moment = -0.4 / length * rest_twist
    assert -shape.frames[-1][:, 0] @ result.end_couple == pytest.approx(moment, rel=1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("EI", ("0.5", "0.5 0.2"))
def test_rest_shape(EI: str, mode: str) -> None:
    """rest = model: zero energy in the initial shape; rest = straight: zero when straightened."""
    shape = shapes.walk(9, seed=4)
    keys = {"EI": EI, "GJ": "0.4", "twist": mode}
    for rest in ("model", "straight"):
        model = mjcf.compiled(Chain(shape, keys | {"rest": rest}))
        data = mujoco.MjData(model)
        energies = []
        for straightened in (False, True):
            if straightened:
                for k in range(1, 9):
                    address = differences.link_joint(model, f"rod{k}")
                    body = model.body(f"rod{k}").id
                    mujoco.mju_negQuat(data.qpos[address : address + 4], model.body_quat[body])
            mujoco.mj_forward(model, data)
            energies.append(strand.energy(model, data))
        at_rest, strained = energies if rest == "model" else energies[::-1]
        assert abs(at_rest) < 1e-24
        assert strained > 0.1


def test_values_of_a_closed_rod() -> None:
    """The last of n values belongs to the joint from the last link back to the first."""
    n = 5
    shape = shapes.ring(n)
    keys = {"EI": "1 1 1 1 3", "GJ": "1", "closed": "true", "rest": "straight"}
    model = mjcf.compiled(Chain(shape, keys))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    angle, length = 2 * np.pi / n, 1 / n
    assert strand.energy(model, data) == pytest.approx(0.5 * 7 * angle**2 / length, rel=1e-9)
