"""Plasticity and friction between strands, as users have them in MuJoCo, against closed forms."""

import copy
import math

import mujoco
import numpy as np
import pytest
from scipy.integrate import trapezoid
from support.engine import needs_discrete
from support.plastic import circle, circle_in_torsion, rectangle

import strand
from strand import Cable, StrandError

YOUNG, POISSON, YIELD, RADIUS = 117e9, 0.34, 100e6, 0.69e-3  # copper wire of 1.5 mm2, annealed
LENGTH, LINKS = 0.1, 10
BEND, TWIST = 1, 0  # components of a turn: about y, about x


def built(links: int = LINKS, **options) -> tuple[mujoco.MjModel, mujoco.MjData]:
    given = dict(young=YOUNG, poisson=POISSON, radius=RADIUS, density=8900, yield_stress=YIELD)
    given |= dict(start="fixed", gravity=(0, 0, 0), collide=False) | options
    if "EI" in options:
        del given["young"], given["poisson"]
    if "bend_elements" in options or "twist_elements" in options:
        del given["yield_stress"]
    cable = Cable(strand.straight(LENGTH, links), **given)
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    return model, mujoco.MjData(model)


class Bench:
    """Turns all joints of a chain alike, at rest, and reads the moment at the middle."""

    def __init__(self, axis: int, **options) -> None:
        self.model, self.data = built(pieces="none", **options)
        self.axis = axis
        self._balls = [int(self.model.jnt_qposadr[j]) for j in range(self.model.njnt)]
        self.length = LENGTH / LINKS

    def moment(self, rate: float) -> float:
        """N m, at the curvature or twist rate `rate`, which is then accepted."""
        for k, place in enumerate(self._balls):
            half = rate * self.length * (0.5 if k == 0 else 1) / 2  # the clamp's joint is half
            self.data.qpos[place : place + 4] = 0
            self.data.qpos[place] = math.cos(half)
            self.data.qpos[place + 1 + self.axis] = math.sin(half)
        self.data.qvel[:] = 0
        mujoco.mj_forward(self.model, self.data)
        moment = strand.profile(self.model, self.data).moment[LINKS // 2]
        tangent = self.data.xmat[self.model.nbody - 1].reshape(3, 3)[:, 0]
        mujoco.mj_step(self.model, self.data)
        return float(moment @ tangent) if self.axis == TWIST else float(moment[self.axis])


SQUARE = dict(section="box", width=2 * RADIUS, height=2 * RADIUS)
FLAT = dict(section="box", width=4 * RADIUS, height=RADIUS)
TUBE = dict(section="tube", inner_radius=0.6 * RADIUS)


def tube(x: float) -> float:
    return (circle(x) - 0.6**3 * circle(0.6 * x)) / (1 - 0.6**4)


@pytest.mark.parametrize(
    ("axis", "section", "curve", "half"),
    [
        (BEND, {}, circle, RADIUS),
        (BEND, TUBE, tube, RADIUS),
        (BEND, SQUARE, rectangle, RADIUS),
        (BEND, FLAT, rectangle, RADIUS / 2),
        (2, FLAT, rectangle, 2 * RADIUS),
        (TWIST, {}, circle_in_torsion, RADIUS),
    ],
)
def test_moment_against_curvature_is_the_sections(axis: int, section, curve, half: float) -> None:
    """Loading to eight times the first yield, and unloading and back by Masing's rule: the branch
    is the first loading, twice as large. Within 1 %, on the branches 1 % of their height."""
    bench = Bench(axis, **section)
    modulus, stress = YOUNG, YIELD
    if axis == TWIST:
        modulus, stress = YOUNG / (2 * (1 + POISSON)), YIELD / math.sqrt(3)
    rate = stress / (modulus * half)
    first = None
    for x in np.linspace(0.2, 8, 40):
        moment = bench.moment(x * rate)
        first = moment / x if first is None else first
        assert moment == pytest.approx(first * curve(x), rel=0.01)
    for x in np.linspace(8, -8, 60):
        assert bench.moment(x * rate) == pytest.approx(
            first * (curve(8) - 2 * curve((8 - x) / 2)), abs=0.01 * 2 * first * curve(8)
        )
    for x in np.linspace(-8, 8, 60):
        assert bench.moment(x * rate) == pytest.approx(
            first * (2 * curve((x + 8) / 2) - curve(8)), abs=0.01 * 2 * first * curve(8)
        )


@pytest.mark.parametrize("kind", ["kinematic", "isotropic"])
def test_hardening_of_one_element(kind: str) -> None:
    """A bilinear joint. Kinematic hardening keeps the elastic range, isotropic widens it."""
    modulus, slip, EI = 0.25, 2.0, 3e-3
    hardening = [modulus, 0] if kind == "kinematic" else [0, modulus]
    bench = Bench(BEND, EI=EI, GJ=EI, bend_elements=[1, slip], hardening=hardening)
    tangent = modulus / (1 + modulus)
    peak = slip + tangent * (6 - slip)
    for rate in np.linspace(0.5, 6, 12):
        expected = min(rate, slip + tangent * (rate - slip))
        assert bench.moment(rate) == pytest.approx(EI * expected, rel=1e-9)
    width = 2 * slip if kind == "kinematic" else 2 * peak
    for rate in np.linspace(6, -6, 24):
        elastic = peak - (6 - rate)
        expected = max(elastic, peak - width - tangent * (6 - rate - width))
        assert bench.moment(rate) == pytest.approx(EI * expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("axis", [BEND, TWIST])
def test_loop_area_of_strands(axis: int) -> None:
    """Dissipated per cycle and length: the sum of 4 s K r (X - r)."""
    pairs, EI, X = [0.3, 0.5, 0.2, 1.0, 0.2, 3.0], 5e-3, 2.0
    key = "twist_elements" if axis == TWIST else "bend_elements"
    bench = Bench(axis, EI=EI, GJ=EI, **{key: pairs})
    rates = np.concatenate([np.linspace(a, b, 400) for a, b in ((0, X), (X, -X), (-X, X))])
    moments = np.array([bench.moment(rate) for rate in rates])
    cycle = slice(400, None)
    area = trapezoid(moments[cycle], rates[cycle])
    exact = sum(
        4 * s * EI * r * (X - r) for s, r in zip(pairs[::2], pairs[1::2], strict=True) if r < X
    )
    assert abs(area) == pytest.approx(exact, rel=0.01)
    assert bench.moment(X) == pytest.approx(
        EI * (X - sum(s * max(0, X - r) for s, r in zip(pairs[::2], pairs[1::2], strict=True))),
        rel=1e-9,
    )


def test_springback_of_a_bent_wire() -> None:
    """Bent to twice the curvature of first yield and let go: it springs back by M / EI."""
    model, data = built(links=20, loss_time=0.05, timestep=1e-3)
    rate = YIELD / (YOUNG * RADIUS)
    EI = YOUNG * np.pi * RADIUS**4 / 4
    moment = EI * rate * circle(2)
    end = model.body("cable_link19").id
    for k in range(8000):
        along = data.xmat[end].reshape(3, 3)
        data.xfrc_applied[end, 3:] = along @ [0, moment * min(1, k / 5000), 0]
        mujoco.mj_step(model, data)
    after = strand.profile(model, data).curvature
    # The moment's .7 % are 3 % in curvature.
    assert after == pytest.approx(2 * rate, rel=0.03)
    data.xfrc_applied[:] = 0
    mujoco.mj_step(model, data, 6000)
    one = strand.profile(model, data)
    assert one.curvature == pytest.approx(after - moment / EI, rel=0.01)
    assert one.set_curvature[:, 0] == pytest.approx(one.curvature, rel=1e-3)


def bent(model: mujoco.MjModel, data: mujoco.MjData, random: np.random.Generator) -> None:
    """Turns all joints far beyond yield, twice, at last back by 2 %, where all of them are
    elastic."""
    # Pieces turn each on its own: their welds would have to pull them together.
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EQUALITY
    place, way = model.qpos0.copy(), np.empty(model.nv)
    for part in (1, 1, 0.98):
        if part == 1:
            start, end = place.copy(), model.qpos0.copy()
            mujoco.mj_integratePos(model, end, 0.1 * random.normal(size=model.nv), 1)
            mujoco.mj_differentiatePos(model, way, 1, start, end)
        place = start.copy()
        mujoco.mj_integratePos(model, place, way, part)
        data.qpos[:], data.qvel[:] = place, 0
        mujoco.mj_step(model, data)
    data.qpos[:], data.qvel[:] = place, 0
    mujoco.mj_forward(model, data)


@pytest.mark.parametrize("pieces", ["none", pytest.param(6, marks=needs_discrete)])
@pytest.mark.parametrize(
    "options", [{}, FLAT, {"EI": 4e-3, "GJ": 3e-3, "bend_elements": [0.5, 1, 0.3, 3]}]
)
def test_torque_is_the_gradient_of_what_is_stored(
    pieces: object, options, engine_warnings: list[str]
) -> None:
    """At fixed history, by central differences of the energy along random velocities."""
    still = dict(timestep=1e-7, stabilize=False, density=1e8)  # the state hardly moves
    model, data = built(links=18, pieces=pieces, hardening=[0.1, 0.05], **still, **options)
    random = np.random.default_rng(2)
    bent(model, data, random)
    assert abs(strand.profile(model, data).set_curvature).max() > 0.1
    passive = data.qfrc_passive - data.qfrc_damper
    for _ in range(6):
        velocity = random.normal(size=model.nv)
        h, energies = 1e-7, []
        for side in (1, -1):
            moved = copy.copy(data)
            mujoco.mj_integratePos(model, moved.qpos, velocity, side * h)
            mujoco.mj_forward(model, moved)
            energies.append(strand.energy(model, moved))
        power = -(energies[0] - energies[1]) / (2 * h)
        scale = np.linalg.norm(passive) * np.linalg.norm(velocity)
        assert passive @ velocity == pytest.approx(power, abs=1e-6 * scale)
    engine_warnings.clear()  # of cuts that `bent` switches off


def shaken(model: mujoco.MjModel) -> mujoco.MjData:
    """Bent beyond yield and let go."""
    data = mujoco.MjData(model)
    bent(model, data, np.random.default_rng(4))
    mujoco.mj_step(model, data, 200)
    return data


@pytest.mark.parametrize("pieces", ["none", pytest.param(6, marks=needs_discrete)])
def test_history_is_in_the_state(pieces: object, engine_warnings: list[str]) -> None:
    """Copies and set states go on bitwise; a reset forgets."""
    model, _ = built(links=18, pieces=pieces)
    data = shaken(model)
    copied, state_set = copy.copy(data), mujoco.MjData(model)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, state, kind)
    mujoco.mj_setState(model, state_set, state, kind)
    for each in (data, copied, state_set):
        mujoco.mj_step(model, each, 200)
    for other in (copied, state_set):
        np.testing.assert_array_equal(other.qpos, data.qpos)
        np.testing.assert_array_equal(other.plugin_state, data.plugin_state)
    assert abs(strand.profile(model, data).set_curvature).max() > 0
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    assert not strand.profile(model, data).set_curvature.any()
    again = shaken(model)
    np.testing.assert_array_equal(again.qpos, shaken(model).qpos)
    engine_warnings.clear()  # of cuts that `bent` switches off


def test_a_free_wire_never_gains_energy() -> None:
    """Thrown without damping: kinetic and stored energy together do not grow."""
    model, data = built(links=20, start="free", whip_damping=0.0, timestep=2e-6, stabilize=False)
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    data.qvel[6:] = 600 * np.random.default_rng(1).normal(size=model.nv - 6)
    energies = []
    for _ in range(100):
        mujoco.mj_step(model, data, 250)
        mujoco.mj_forward(model, data)
        energies.append(data.energy[1] + strand.energy(model, data))
    assert abs(strand.profile(model, data).set_curvature).max() > 1
    assert energies[-1] < 0.9 * energies[0]  # the wire was bent for good
    assert np.diff(energies).max() < 1e-3 * energies[0]


@needs_discrete
@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize(
    "material",
    [
        {"yield_stress": 2e6},
        {"yield_stress": 5e5, "hardening": [0.1, 0.1]},
        {"bend_elements": [0.3, 1, 0.3, 3], "twist_elements": [0.5, 1]},
    ],
)
def test_stiff_long_cables_are_stable(floor: bool, material, engine_warnings: list[str]) -> None:
    """1 GPa, 100 links, 10 ms, with ten times the stiffness for a while."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.01
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE
    if floor:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])
    cable = Cable(strand.straight(1, 100), young=1e9, poisson=0.3, radius=0.003, density=1200,
                  start="fixed", pos=(0, 0, 0.6), **material)  # fmt: skip
    strand.attach(spec, cable)
    model = spec.compile()
    data = mujoco.MjData(model)
    for factor in (1.0, 10.0, 1.0):
        strand.set_material(model, data, EI=factor, GJ=factor)
        mujoco.mj_step(model, data, 300)
        assert np.abs(data.qvel).max() < 50
    assert engine_warnings == []


def test_strength_changes_while_it_runs() -> None:
    bench = Bench(BEND, EI=2e-3, GJ=2e-3, bend_elements=[1, 2])
    assert bench.moment(3) == pytest.approx(2e-3 * 2)
    strand.set_material(bench.model, bench.data, strength=2.0)
    assert strand.material(bench.model, bench.data).strength == 2
    assert bench.moment(7) == pytest.approx(2e-3 * 4)
    with pytest.raises(StrandError, match=r"strength: got 0"):
        strand.set_material(bench.model, bench.data, strength=0.0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"yield_stress": -1.0}, "yield_stress: got '?-1"),
        ({"hardening": [-0.1]}, "hardening: got '?-0.1"),
        ({"hardening": [0.1, 0.1, 0.1]}, "hardening: got '?3 numbers"),
        ({"yield_stress": None, "hardening": 0.1}, "hardening: got '?a value without"),
        ({"bend_elements": [0.5, 1, 0.6, 2]}, "bend_elements: got '?shares of 1.1"),
        ({"bend_elements": [0.5, 1, 0.6]}, "bend_elements: got '?3 numbers"),
        ({"twist_elements": [0.5, 0]}, "twist_elements: got '?0"),
        ({"twist": "quasistatic"}, "twist: got '?quasistatic"),
        ({"curvature": "smooth"}, "curvature: got '?smooth"),
    ],
)
def test_invalid_materials_are_named(options, text: str) -> None:
    with pytest.raises(StrandError, match=text):
        built(**options)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("yield_stress", "-3", "yield_stress: got '-3'"),
        ("bend_elements", "0.5", "bend_elements: got '1 numbers'"),
        ("bend_elements", "0.7 1 0.7 2", "bend_elements: got 'shares of 1.4"),
        ("hardening", "1 2 3", "hardening: got '3 numbers'"),
        ("curvature", "smooth", "curvature: got 'smooth'"),
        ("twist", "quasistatic", "twist: got 'quasistatic'"),
        ("law", "mujoco_3", "law = mujoco_3"),
    ],
)
def test_invalid_keys_are_named(key: str, value: str, text: str, engine_warnings) -> None:
    cable = Cable(strand.straight(LENGTH, LINKS), EI=1e-3, GJ=1e-3, bend_elements=[0.5, 1])
    if key == "yield_stress":
        cable = Cable(strand.straight(LENGTH, LINKS), EI=1e-3, GJ=1e-3, yield_stress=1e6)
    with pytest.raises(StrandError, match=text):
        cable.keys = {key: value}
        strand.load_model(strand.generate(cable))


def test_hardening_alone_is_an_error() -> None:
    cable = Cable(strand.straight(LENGTH, LINKS), EI=1e-3, GJ=1e-3, keys={"hardening": "0.1"})
    with pytest.raises(StrandError, match=r"hardening: got '0\.1', allowed"):
        strand.load_model(strand.generate(cable))
