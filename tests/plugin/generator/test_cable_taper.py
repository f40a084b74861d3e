"""Radii and densities that vary along the cable: mass, inertia, stiffness, geoms."""

import mujoco
import numpy as np
import pytest
from scipy.integrate import quad
from support import cables
from support.engine import needs_discrete

import strand
from strand import StrandError

PI = np.pi
L, LINKS = 0.5, 10
THICK, THIN = 0.006, 0.002  # m
YOUNG, POISSON, RHO = 2e9, 0.4, 1100.0
NODES = strand.straight(L, LINKS)


def cable(links: int = LINKS, **fields) -> strand.Cable:
    own = {"young": YOUNG, "poisson": POISSON, "radius": [THICK, THIN], "density": RHO}
    own |= {"root": "end", "start": "fixed", "twist": "dynamic", "curvature": "angle"}
    return strand.Cable(strand.straight(L, links), **(own | fields))


def radius(s: float) -> float:
    return THICK + (THIN - THICK) * s / L


def integral(f, begin: float = 0.0, end: float = L, breaks=None) -> float:
    return quad(f, begin, end, points=breaks, epsabs=0, epsrel=1e-12)[0]


def masses(described: strand.Cable) -> np.ndarray:
    model, _ = cables.load(described)
    return model.body_mass[cables.link_bodies(model)]


@pytest.mark.parametrize("density", (RHO, [500.0, 2000.0]))
@pytest.mark.parametrize("section", ({}, {"section": "tube", "inner_radius": 0.001}))
def test_a_tapered_cable_is_one_cone(density, section: dict) -> None:
    ends = np.broadcast_to(density, 2)
    inner = section.get("inner_radius", 0)
    line = lambda s: ends[0] + (ends[1] - ends[0]) * s / L  # noqa: E731
    area = lambda s: PI * (radius(s) ** 2 - inner**2)  # noqa: E731
    second = lambda s: PI / 4 * (radius(s) ** 4 - inner**4)  # noqa: E731
    expected = integral(lambda s: line(s) * area(s))
    place = integral(lambda s: line(s) * area(s) * s) / expected
    across = integral(lambda s: line(s) * (area(s) * (s - place) ** 2 + second(s)))
    along = integral(lambda s: 2 * line(s) * second(s))
    mass, center, inertia = cables.total_inertia(*cables.load(cable(density=density, **section)))
    assert mass == pytest.approx(expected, rel=1e-12)
    assert center == pytest.approx([place, 0, 0], rel=1e-12, abs=1e-15)
    assert np.diag(inertia) == pytest.approx([along, across, across], rel=1e-10)


def test_a_value_per_link() -> None:
    radii, densities = np.linspace(0.002, 0.004, LINKS) ** 1.1, np.linspace(500, 900, LINKS) ** 1.1
    described = cable(radius=radii, density=densities)
    assert masses(described) == pytest.approx(densities * PI * radii**2 * L / LINKS, rel=1e-13)
    model, _ = cables.load(described)
    assert model.geom_size[:, 0] == pytest.approx(radii, rel=1e-13)


def test_two_values_of_two_links_taper() -> None:
    model, _ = cables.load(cable(links=2))
    quarter = (THICK - THIN) / 4
    assert model.geom_size[:, 0] == pytest.approx([THICK - quarter, THIN + quarter])


def test_stretches_with_their_own_section_and_density() -> None:
    stretches = [
        strand.Stretch(0.12, 0.21, radius=0.003),
        {"begin": 0.3, "end": 0.33, "density": 7e3},
    ]
    described = cable(radius=0.002, stretches=stretches)
    volume = PI * (0.002**2 * (L - 0.09) + 0.003**2 * 0.09)
    heavy = PI * 0.002**2 * 0.03 * (7e3 - RHO)
    assert masses(described).sum() == pytest.approx(RHO * volume + heavy, rel=1e-12)
    model, data = cables.load(described)
    # The third joint spans 0.125 to 0.175, the second one 0.075 to 0.125.
    for k, wide in ((3, 0.05), (2, 0.005)):
        compliance = (wide / 0.003**4 + (0.05 - wide) / 0.002**4) / (YOUNG * PI / 4)
        assert stiffness(model, data, k) == pytest.approx(1 / compliance, rel=1e-9)


def stiffness(model: mujoco.MjModel, data: mujoco.MjData, k: int, axis=(0, 1, 0)) -> float:
    """N m/rad, of a joint about an axis."""
    mujoco.mj_resetData(model, data)
    mujoco.mju_axisAngle2Quat(data.joint(f"cable_joint{k}").qpos, np.array(axis, float), 0.1)
    mujoco.mj_forward(model, data)
    return 2 * strand.energy(model, data) / 0.01


def test_joints_are_as_compliant_as_the_cone() -> None:
    described = cable()
    model, data = cables.load(described)
    middles = [0, *((np.arange(LINKS) + 0.5) * L / LINKS)]
    for k in range(LINKS):
        cone = integral(lambda s: 4 / PI / radius(s) ** 4, middles[k], middles[k + 1])
        assert stiffness(model, data, k) == pytest.approx(YOUNG / cone, rel=1e-7)
        shear = YOUNG / (2 * (1 + POISSON))
        assert stiffness(model, data, k, (1, 0, 0)) == pytest.approx(2 * shear / cone, rel=1e-7)


def tip_compliance(links: int) -> float:
    """Compliance (m/N) of the tip under a transverse load, summed over the chain's joints."""
    model, data = cables.load(cable(links))
    arms = L - np.arange(links) * L / links
    return sum(arm**2 / stiffness(model, data, k) for k, arm in enumerate(arms))


def test_the_tip_deflects_like_that_of_a_tapered_beam() -> None:
    """The integral of (L - s)^2 / EI(s), to second order in the number of links."""
    exact = integral(lambda s: (L - s) ** 2 * 4 / (YOUNG * PI * radius(s) ** 4))
    # In closed form, with r = r_1 + c (L - s), it is the integral of ((r - r_1) / c)^2 / r^4.
    c = (THICK - THIN) / L
    primitive = lambda r: -1 / r + THIN / r**2 - THIN**2 / (3 * r**3)  # noqa: E731
    closed = 4 / (YOUNG * PI) / c**3 * (primitive(THICK) - primitive(THIN))
    assert exact == pytest.approx(closed, rel=1e-9)
    errors = [abs(tip_compliance(links) / exact - 1) for links in (10, 20, 40)]
    assert errors[-1] < 1e-3
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx([2, 2], abs=0.15)


@needs_discrete
def test_a_tapered_cantilever_comes_to_rest_at_the_closed_form() -> None:
    load, links = 0.01, 20
    described = cable(links, gravity=(0, 0, 0), loss_time=0.2, collide=False)
    model, data = cables.load(described)
    last = model.body(f"cable_link{links - 1}").id
    data.xfrc_applied[last, 2] = -load
    data.xfrc_applied[last, 4] = load * L / links / 2  # at the tip instead of the link's centre
    half = model.body_ipos[last, 0]
    data.xfrc_applied[last, 4] = load * (L / links - half)
    cables.settle(model, data, seconds=60, speed=1e-7)
    exact = integral(lambda s: (L - s) ** 2 * 4 / (YOUNG * PI * radius(s) ** 4))
    assert -data.site("cable_site_end").xpos[2] == pytest.approx(load * exact, rel=5e-3)


def test_geoms_and_skin_follow() -> None:
    model, _ = cables.load(cable(skin=True))
    middles = (np.arange(LINKS) + 0.5) * L / LINKS
    assert model.geom_size[:, 0] == pytest.approx([radius(s) for s in middles])
    distance = np.hypot(model.skin_vert[:, 1], model.skin_vert[:, 2])
    expected = [radius(s) for s in model.skin_vert[:, 0]]
    assert distance == pytest.approx(np.array(expected), abs=1e-6)


def test_tubes_have_a_section_for_each_link() -> None:
    described = cable(section="tube", inner_radius=0.001)
    model, data = cables.load(described)
    stiffness(model, data, 4)
    moment = np.linalg.norm(strand.profile(model, data).bending_moment[4])
    r = radius(0.225)  # of the thinner of the joint's two links
    outer = moment * r / (PI / 4 * (r**4 - 0.001**4))
    assert strand.profile(model, data).bending_stress[4] == pytest.approx(outer, rel=1e-9)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"radius": [0.1, 0.2, 0.3]}, "radius: got '3 values', allowed: 1, 2 .* per link: 10"),
        ({"density": [1.0] * 11}, "density: got '11 values', allowed: 1, 2 .* per link: 10"),
        ({"radius": [0.1, -0.2]}, "radius: got '-0.2.*', allowed: finite, > 0"),
        ({"density": [0, 1]}, "density: got '0', allowed: finite, > 0"),
        ({"radius": []}, "radius: got .*, allowed: a number > 0"),
        (
            {"section": "tube", "inner_radius": 0.003},
            "inner_radius: got '0.003.*', allowed: > 0 and < radius everywhere",
        ),
        (
            {"section": "box", "width": 0.1, "height": 0.1},
            "radius: got '2 values', allowed: none for a box",
        ),
        (
            {
                "section": "box",
                "width": 0.1,
                "height": 0.1,
                "radius": 1,
                "stretches": [{"begin": 0, "end": 0.1, "radius": 0.1}],
            },
            "stretches.radius: got '0.1.*', allowed: none for a box",
        ),
        (
            {"stretches": [{"begin": 0, "end": 0.1, "radius": -1}]},
            "stretches.radius: got '-1', allowed: finite, > 0",
        ),
        (
            {"stretches": [{"begin": 0, "end": 0.1, "density": "x"}]},
            "stretches.density: got 'x', allowed: a number > 0",
        ),
    ],
)
def test_bad_tapers_are_rejected(fields: dict, message: str) -> None:
    with pytest.raises(StrandError, match=message):
        cable(**fields).to_mjcf()
