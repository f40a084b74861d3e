"""The key `section`, and names inside keys after mjSpec attachment with a prefix."""

import mujoco
import numpy as np
import pytest
from support import differences, mjcf, shapes
from support.mjcf import Chain, Piece

import strand

E, G, R = 2e9, 0.7e9, 0.004
B, H = 0.006, 0.002  # full width along y, height along z
HOLE = 0.003

# Torsion constant of a 3:1 rectangle: 0.26332 a c^3 (Timoshenko & Goodier, art. 109).
SECTIONS = {
    f"circle {R}": (np.pi * R**4 / 4, np.pi * R**4 / 4, np.pi * R**4 / 2),
    f"tube {R} {HOLE}": (
        np.pi * (R**4 - HOLE**4) / 4,
        np.pi * (R**4 - HOLE**4) / 4,
        np.pi * (R**4 - HOLE**4) / 2,
    ),
    f"box {B} {H}": (B * H**3 / 12, H * B**3 / 12, 0.26332 * B * H**3),
    f"ellipse {B} {H}": (
        np.pi * B * H**3 / 64,
        np.pi * H * B**3 / 64,
        np.pi * B**3 * H**3 / (16 * (B**2 + H**2)),
    ),
}
AXES = np.eye(3)[[1, 2, 0]]


@pytest.mark.parametrize("geom", ("capsule", "box"))
@pytest.mark.parametrize("section", SECTIONS)
def test_section_determines_the_stiffness(section: str, geom: str) -> None:
    keys = {"young": str(E), "shear": str(G), "twist": "dynamic", "section": section}
    model = mjcf.compiled(Chain(shapes.straight(2, 0.2), keys, geom=geom, radius=0.02))
    data = mujoco.MjData(model)
    address = differences.link_joint(model, "rod1")
    moduli, digits = (E, E, G), 2e-5 if section.startswith("box") else 1e-12
    for axis, modulus, moment in zip(AXES, moduli, SECTIONS[section], strict=True):
        mujoco.mju_axisAngle2Quat(data.qpos[address : address + 4], axis, 0.3)
        mujoco.mj_forward(model, data)
        expected = 0.5 * modulus * moment / 0.1 * 0.09
        assert strand.energy(model, data) == pytest.approx(expected, rel=digits)


@pytest.mark.parametrize(
    "section",
    [
        "circle",
        "circle 1 2",
        "circle 0",
        "circle -1",
        "circle nan",
        "circle r",
        "tube 1",
        "tube 1 1",
        "tube 1 2",
        "tube 1 0",
        "box 1",
        "box 1 0",
        "box 1 2 3",
        "ellipse 1 inf",
        "square 1 1",
        "1 2",
    ],
)
def test_bad_sections(section: str) -> None:
    keys = {"young": "1", "shear": "1", "section": section}
    with pytest.raises(ValueError, match=r"section: got '.*', allowed: "):
        mjcf.compiled(Chain(shapes.straight(3), keys))


def test_section_beside_radius() -> None:
    keys = {"young": "1", "shear": "1", "section": "circle 1", "radius": "1"}
    with pytest.raises(ValueError, match=r"section: got .*radius.*not both"):
        mjcf.compiled(Chain(shapes.straight(3), keys))


def stress_colours(radius: float, **keys: str) -> list[np.ndarray]:
    """Colours of the overlays of a bent rod whose geoms have that radius."""
    keys = {"EI": "0.01", "GJ": "0.01", "rest": "straight", "color": "0 2e6"} | keys
    model = mjcf.compiled(Chain(shapes.walk(4, seed=1, spin=0), keys, radius=radius))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 100)
    category = mujoco.mjtCatBit.mjCAT_ALL
    option, camera = mujoco.MjvOption(), mujoco.MjvCamera()
    mujoco.mjv_updateScene(model, data, option, None, camera, category, scene)
    assert scene.ngeom == 8  # four links, four overlays
    return [g.rgba.copy() for g in scene.geoms[:8] if g.size[0] > 1.01 * radius]


def test_section_determines_the_stress() -> None:
    """The key `section` replaces the section of the geoms, also beside EI and GJ."""
    thin, thick = stress_colours(0.004), stress_colours(0.006)
    assert np.abs(np.subtract(thin, thick)).max() > 0.05
    assert np.array_equal(stress_colours(0.006, section="circle 0.004"), thin)
    assert np.array_equal(stress_colours(0.001, section="circle 0.006"), thick)
    tube = stress_colours(0.004, section="tube 0.004 0.0039")
    assert np.abs(np.subtract(tube, thin)).max() > 0.05


def attached(child: str, *prefixes: str) -> mujoco.MjModel:
    """The scene `child`, attached to other scenes one after the other."""
    spec = mujoco.MjSpec.from_string(child)
    for prefix in prefixes:
        outer = mujoco.MjSpec()
        for option in ("timestep", "integrator", "gravity"):
            setattr(outer.option, option, getattr(spec.option, option))
        outer.attach(spec, prefix=prefix, frame=outer.worldbody.add_frame(pos=[0, 0, 1]))
        spec = outer
    return spec.compile()


@pytest.mark.parametrize("prefixes", [(), ("arm_",), ("left/", "robot/")])
def test_holds_are_found_with_the_prefix(
    prefixes: tuple[str, ...], engine_warnings: list[str]
) -> None:
    n, middle = 9, 4
    keys = {"EI": "1", "GJ": "0.5", "holds": f"rod{middle}"}
    model = attached(mjcf.document(Chain(shapes.straight(n), keys)), *prefixes)
    engine_warnings.clear()  # compilers' settings differ
    data = mujoco.MjData(model)
    name = "".join(reversed(prefixes))
    differences.wind(model, data, f"{name}rod{n - 1}", 1)
    assert data.plugin_state[:middle] == pytest.approx(0, abs=1e-12)
    assert data.plugin_state[middle : n - 1] == pytest.approx(2 * np.pi / (n - 1 - middle))


@pytest.mark.parametrize("prefixes", [(), ("arm_",), ("left/", "robot/")])
def test_clamps_are_found_with_the_prefix(
    prefixes: tuple[str, ...], engine_warnings: list[str]
) -> None:
    nodes = strand.straight(1.0, 5)
    text = strand.Cable(nodes, EI=2.0, GJ=1.0, start="fixed", end="mocap").to_mjcf()
    model = attached(text, *prefixes)
    engine_warnings.clear()  # compilers' settings differ
    name = "".join(reversed(prefixes))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert strand.energy(model, data) < 1e-20
    for joint in ("joint_clamp_start", "joint_clamp_end"):
        mujoco.mju_axisAngle2Quat(data.joint(f"{name}cable_{joint}").qpos, [0, 0, 1], 0.1)
    mujoco.mj_forward(model, data)
    # Half a link bends beside each clamp.
    assert strand.energy(model, data) == pytest.approx(2 * 0.5 * 2.0 / 0.1 * 0.1**2, rel=1e-9)


def test_a_name_in_the_instance_is_no_prefix() -> None:
    """A hold of a name that does not exist is an error, whatever the instance is called."""
    chain = Chain(shapes.straight(4), {"EI": "1", "GJ": "1", "holds": "2"}, name="rod")
    mjcf.compiled(chain)  # "rod" + "2" is found as if attached
    chain = Chain(shapes.straight(4), {"EI": "1", "GJ": "1", "holds": "9"}, [Piece(0, 4, 0)])
    with pytest.raises(ValueError, match="holds: got '9', allowed: names of links"):
        mjcf.compiled(chain)
