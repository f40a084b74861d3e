"""Strands of wires: stiffness, slip against a sum over wires, loops in MuJoCo, bad inputs."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from scipy.integrate import trapezoid

import strand
from strand import StrandError
from strand.materials import Stranded, stranded

A, E, NU, RHO, MU = 0.5e-3, 200e9, 0.3, 7850.0, 0.3  # m, Pa, 1, kg/m^3, 1: of steel wires
WIRE = dict(wire_radius=A, young=E, poisson=NU, density=RHO)
LAY = (0.2, 0.25)  # rad
AREA, SECOND = math.pi * A**2, math.pi * A**4 / 4


def rope(layers=(1, 6, 12), **options) -> Stranded:
    lay_angle = LAY[0] if layers == (1, 6) else LAY
    given: dict[str, Any] = dict(lay_angle=lay_angle, friction=MU, tension=500.0)
    return stranded(layers, **(WIRE | given | options))


def summed(curvatures: np.ndarray, tension: float, clamping: float) -> np.ndarray:
    """Moment of the strand (1, 6, 12): forces of the wires times their distances from the neutral
    axis, wire by wire, in 400 sections along a lay."""
    wires = [(1, 0.0, 0.0), (6, 2 * A, LAY[0]), (12, 4 * A, LAY[1])]
    shared = sum(n * math.cos(b) ** 3 for n, _, b in wires)
    pull = [tension * math.cos(b) ** 2 / shared for _, _, b in wires]
    bearing = 12 * pull[2] * math.sin(LAY[1]) ** 2 / (4 * A * math.cos(LAY[1]))
    above = [0.0, clamping + bearing, clamping]  # N/m of the cable
    moment = sum(n * E * SECOND * math.cos(b) for n, _, b in wires) * curvatures
    for (n, r, b), T, outside in zip(wires[1:], pull[1:], above[1:], strict=True):
        p = outside / n * math.cos(b)  # N/m of a wire
        for turn in np.linspace(0, 2 * np.pi / n, 400, endpoint=False):
            for wire in range(n):
                height = math.sin(turn + 2 * np.pi * wire / n)
                f = math.asin(abs(height))
                sticking = E * AREA * curvatures * r * abs(height) * math.cos(b) ** 2
                slipping = (T + 2 * p * r / math.sin(b) ** 2) * (math.exp(MU * math.sin(b) * f) - 1)
                force = np.minimum(sticking, slipping)
                moment += force * math.cos(b) * r * abs(height) / 400
    return moment


def by_elements(cable: Stranded, curvature: np.ndarray) -> np.ndarray:
    values = cable.arguments
    pairs = np.reshape(values.get("bend_elements", ()), (-1, 2))
    slipped = np.maximum(0, np.subtract.outer(curvature, pairs[:, 1])) @ pairs[:, 0]
    return values["EI"] * (curvature - slipped)


def test_stiffness_is_that_of_the_wires() -> None:
    """Sums over wires at their places in one section: the same for every direction of bending."""
    cable = rope()
    own = [math.cos(b) for n, b in ((1, 0.0), (6, LAY[0]), (12, LAY[1])) for _ in range(n)]
    assert cable.EI_slip == pytest.approx(E * SECOND * sum(own), rel=1e-12)
    G, J = E / (2 * (1 + NU)), math.pi * A**4 / 2
    assert pytest.approx(G * J * sum(own), rel=1e-12) == cable.GJ
    for direction in (0.0, 0.3):
        steiner = 0.0
        for n, r, b in ((6, 2 * A, LAY[0]), (12, 4 * A, LAY[1])):
            heights = r * np.sin(direction + 2 * np.pi * np.arange(n) / n)
            steiner += E * AREA * np.sum(heights**2) * math.cos(b) ** 3
        assert cable.EI_stick == pytest.approx(cable.EI_slip + steiner, rel=1e-12)
    assert cable.radius == pytest.approx(5 * A)
    lengths = 1 + 6 / math.cos(LAY[0]) + 12 / math.cos(LAY[1])
    assert cable.mass_per_length == pytest.approx(RHO * AREA * lengths)
    model = mujoco.MjModel.from_xml_string(
        strand.generate(strand.Cable(strand.straight(0.5, 10), **cable.arguments))
    )
    assert model.body_mass.sum() == pytest.approx(0.5 * cable.mass_per_length, rel=1e-6)


@pytest.mark.parametrize(("tension", "clamping"), [(500.0, 0.0), (0.0, 3000.0), (200.0, 3000.0)])
def test_moment_is_the_sum_over_wires(tension: float, clamping: float) -> None:
    cable = rope(tension=tension, clamping=clamping)
    shares, slips = np.transpose(cable.elements)
    curvature = np.geomspace(0.1 * slips.min(), 5 * slips.max(), 300)
    direct = summed(curvature, tension, clamping)
    np.testing.assert_allclose(cable.moment(curvature), direct, rtol=1e-3)
    np.testing.assert_allclose(by_elements(cable, curvature), direct, rtol=0.01)
    assert len(cable.elements) <= 8
    total = (cable.EI_stick - cable.EI_slip) / cable.EI_stick
    assert shares.sum() == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("lay_angle", [0.05, 0.2, 0.6])
def test_limiting_moment_in_closed_form(lay_angle: float) -> None:
    """Of one layer: the mean of Z r sin f cos b, integrated by parts."""
    cable = rope((1, 6), lay_angle=lay_angle)
    cosine, rate = math.cos(lay_angle), MU * math.sin(lay_angle)
    T = 500 * cosine**2 / (1 + 6 * cosine**3)
    integral = (rate * math.exp(rate * np.pi / 2) + 1) / (1 + rate**2) - 1
    limit = 6 * T * 2 * A * cosine * 2 / np.pi * integral
    elements = cable.EI_stick * sum(share * slip for share, slip in cable.elements)
    assert elements == pytest.approx(limit, rel=1e-9)
    assert cable.slip_stiffness @ cable.slip_curvature == pytest.approx(limit, rel=1e-9)


def test_layers_without_a_core_and_lays_by_length() -> None:
    pitch = 0.05
    cable = rope((3, 9), lay_angle=None, lay_length=pitch)
    inner = A / math.sin(np.pi / 3)
    assert [one.distance for one in cable.layers] == pytest.approx([inner, inner + 2 * A])
    for one in cable.layers:
        assert math.tan(one.lay_angle) == pytest.approx(2 * np.pi * one.distance / pitch)
    assert cable.EI_stick > 5 * cable.EI_slip


def test_one_wire_is_a_solid_wire() -> None:
    cable = stranded((1,), **WIRE, friction=MU, tension=500.0, clamping=100.0)
    expected = {"EI": E * SECOND, "GJ": E * SECOND / (1 + NU), "radius": A, "density": RHO}
    assert cable.arguments == pytest.approx(expected, rel=1e-12)
    assert cable.elements == ()
    assert cable.EI_stick == cable.EI_slip
    assert cable.moment(2.0) == pytest.approx(2 * E * SECOND)


@pytest.mark.parametrize("options", [{"friction": 0.0}, {"tension": 0.0}])
def test_wires_that_nothing_holds_slip_at_once(options) -> None:
    cable = rope(**options)
    assert "bend_elements" not in cable.arguments
    assert cable.arguments["EI"] == cable.EI_slip < cable.EI_stick
    assert cable.moment(3.0) == pytest.approx(3 * cable.EI_slip)


def test_friction_grows_with_what_presses() -> None:
    """Curvatures of slip are proportional to the tension, which set_material(strength=) uses."""
    one, twice = rope(tension=500.0), rope(tension=1000.0)
    np.testing.assert_allclose(2 * one.slip_curvature, twice.slip_curvature)
    clamped = rope(clamping=100.0)
    assert (clamped.slip_curvature > one.slip_curvature).all()


LENGTH, LINKS = 0.1, 10


class Bench:
    """Turns all joints of a cable alike, at rest, and reads the moment at its middle."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        cable = strand.Cable(strand.straight(LENGTH, LINKS), **arguments, start="fixed",
                             gravity=(0, 0, 0), collide=False, pieces="none")  # fmt: skip
        self.model = mujoco.MjModel.from_xml_string(strand.generate(cable))
        self.data = mujoco.MjData(self.model)

    def moment(self, curvature: float) -> float:
        """N m, about y, at this curvature (1/m), which is then accepted."""
        for k in range(self.model.njnt):
            half = curvature * LENGTH / LINKS * (0.5 if k == 0 else 1) / 2  # the clamp's is half
            place = self.model.jnt_qposadr[k]
            self.data.qpos[place : place + 4] = math.cos(half), 0, math.sin(half), 0
        self.data.qvel[:] = 0
        mujoco.mj_forward(self.model, self.data)
        found = strand.profile(self.model, self.data).moment[LINKS // 2, 1]
        mujoco.mj_step(self.model, self.data)
        return float(found)


def test_loop_in_mujoco_has_the_area_of_masings_rule() -> None:
    """Between -K and K: each branch is the first loading, twice as large."""
    cable = rope()
    bench = Bench(cable.arguments)
    K = 2 * cable.slip_curvature.max()
    turns = [np.linspace(a, b, 500) for a, b in ((0, K), (K, -K), (-K, K))]
    first, back, forth = ([bench.moment(x) for x in rates] for rates in turns)
    np.testing.assert_allclose(first[1:], cable.moment(turns[0])[1:], rtol=0.01)
    area = trapezoid(back, turns[1]) + trapezoid(forth, turns[2])
    fine = np.linspace(0, K, 20_001)
    by_masing = 8 * trapezoid(cable.moment(fine), fine) - 4 * K * cable.moment(K)
    assert abs(area) == pytest.approx(by_masing, rel=0.01)


BAD = [
    ({"layers": ()}, r"layers: got \(\)"),
    ({"layers": (0, 6)}, r"layers: got \(0, 6\)"),
    ({"layers": (1, 2)}, r"layers: got \(1, 2\)"),
    ({"layers": (1, 7)}, r"layers: got \(1, 7\)"),
    ({"layers": (1, 6.5)}, r"layers: got \(1, 6.5\)"),
    ({"layers": 7}, r"layers: got 7, allowed: whole numbers of wires"),
    ({"layers": "17"}, r"layers: got '17'"),
    ({"wire_radius": 0.0}, r"wire_radius: got 0.0, allowed: a number > 0 \(m\)"),
    ({"young": -1.0}, r"young: got -1.0, allowed: a number > 0 \(Pa\)"),
    ({"poisson": 0.7}, r"poisson: got 0.7, allowed: a number > -1, <= 0.5"),
    ({"density": math.inf}, r"density: got inf"),
    ({"friction": -0.1}, r"friction: got -0.1, allowed: a number >= 0"),
    ({"tension": math.nan}, r"tension: got nan, allowed: a number >= 0 \(N\)"),
    ({"clamping": -5.0}, r"clamping: got -5.0, allowed: a number >= 0 \(N/m\)"),
    ({"lay_angle": None}, r"lay_angle: got None, allowed: a number > 0, < pi/4"),
    ({"lay_angle": 0.0}, r"lay_angle: got 0.0"),
    ({"lay_angle": 1.0}, r"lay_angle: got 1.0"),
    ({"lay_angle": (0.2, 0.2, 0.2)}, r"lay_angle: got \(0.2, 0.2, 0.2\), .*one for each layer"),
    ({"lay_angle": "steep"}, r"lay_angle: got 'steep'"),
    ({"lay_length": 0.1}, r"lay_length: got 0.1 and lay_angle, allowed: one of them"),
    ({"lay_angle": None, "lay_length": 0.004}, r"lay_length: got 0.004"),
]


@pytest.mark.parametrize(("options", "text"), BAD)
def test_bad_inputs_are_named(options, text: str) -> None:
    with pytest.raises(StrandError, match=text):
        rope(**options)
