"""Damage of cables by cycles of bending and twisting, compared with sums by hand."""

import re
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest
from support import cables
from support.bad_arguments import BAD, expect_no_foreign_error
from support.pictures import drawn

import strand
from strand import StrandError, Stretch
from strand.materials import FatigueCount, FatigueMonitor, SNCurve, bending, damage, rainflow
from strand.readout.link_values import given_values

SN = ((0.02, 1e3), (0.002, 1e6))  # a straight line of slope 3: N = 1e3 (0.02 / amplitude)^3
L, LINKS, EI, GJ = 0.2, 8, 0.05, 0.04
PERIOD, BENDS = 2.0, 4  # s, 1: slow against the cable's first frequency, 14 Hz


def endured(amplitude: float | np.ndarray) -> float | np.ndarray:
    return 1e3 * (0.02 / amplitude) ** 3


def planar(values: np.ndarray, angle: float = 0.0) -> np.ndarray:
    """A history (frames, 1, 2) of bending about one axis of the section."""
    return np.multiply.outer(values, [[np.cos(angle), np.sin(angle)]])


def swings(*blocks: tuple[int, float]) -> np.ndarray:
    """Peaks of cycles: (number, amplitude) of each block."""
    return np.concatenate([[0.0], *(np.tile([a, -a], n) for n, a in blocks), [0.0]])


class TestSNCurve:
    def test_it_is_linear_in_logarithms_and_beyond(self) -> None:
        amplitude = np.logspace(-5, 0, 30)
        np.testing.assert_allclose(SNCurve(SN).cycles(amplitude), endured(amplitude), rtol=1e-12)

    def test_it_goes_through_its_points_with_the_slopes_at_its_ends(self) -> None:
        curve = SNCurve([(0.01, 100), (0.005, 400), (0.001, 400 * 5**7)])
        assert curve.cycles([0.01, 0.005, 0.001]) == pytest.approx([100, 400, 400 * 5**7])
        assert curve.cycles(0.02) == pytest.approx(25)  # slope 2
        assert curve.cycles(0.0005) == pytest.approx(400 * 10**7)  # slope 7

    def test_below_its_endurance_nothing_breaks(self) -> None:
        curve = SNCurve(SN, endurance=0.004)
        assert curve.cycles([0.003999, 0.0]).tolist() == [np.inf, np.inf]
        assert curve.cycles(0.004) == pytest.approx(endured(0.004))
        assert SNCurve(SN).cycles(0) == np.inf

    @pytest.mark.parametrize(
        "points, message",
        (
            ([(0.01, 100), (0.005, 50)], "sn[1]: got (0.005, 50): S-N table not falling, allowed:"),
            ([(0.01, 1), (0.005, 5), (0.005, 9)], "sn[2]: got (0.005, 9): S-N table not falling"),
            ([(0.001, 1e6), (0.01, 1e3)], "a smaller amplitude and more cycles than in sn[0]"),
            ([(0.01, -1), (0.005, 50)], "sn[0]: got (0.01, -1), allowed: two numbers > 0"),
            ([(0.01, 1), (0.0, 50)], "sn[1]: got (0, 50), allowed: two numbers > 0"),
            ([(0.01, 1), (0.001, np.nan)], "sn[1]: got (0.001, nan), allowed: two numbers > 0"),
            ([(0.01, 100)], "allowed: 2 or more pairs"),
            ([1, 2], "allowed: 2 or more pairs"),
        ),
    )
    def test_bad_tables(self, points: list, message: str) -> None:
        with pytest.raises(StrandError, match=re.escape(message)):
            SNCurve(points)


# Counts.


def test_damage_of_the_standards_example() -> None:
    """Half of each range is the amplitude."""
    history = 0.001 * np.array((-2, 1, -3, 5, -1, 3, -4, 4, -2))
    counts = {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}
    by_hand = sum(n / endured(0.001 * size / 2) for size, n in counts.items())
    assert damage(planar(history), SN) == pytest.approx([by_hand], rel=1e-9)


def test_damage_of_two_amplitudes_is_added() -> None:
    """Miner's sum: between the blocks and at the ends half cycles are from one peak to the next."""
    a, b = 0.01, 0.004
    by_hand = 20 / endured(a) + 300 / endured(b)
    assert damage(planar(swings((20, a), (300, b))), SN) == pytest.approx(by_hand, rel=0.02)
    halves = (39 / endured(a) + 1 / endured(a / 2)) / 2  # 0 to a, 39 times a to -a or back
    halves += (1 / endured((a + b) / 2) + 599 / endured(b) + 1 / endured(b / 2)) / 2
    assert damage(planar(swings((20, a), (300, b))), SN) == pytest.approx(halves, rel=1e-9)


def test_strain_is_the_radius_times_the_curvature() -> None:
    history = swings((10, 4.0))
    with_radius = damage(planar(history), SN, radius=0.002)
    assert with_radius == pytest.approx(damage(planar(0.002 * history), SN))
    assert with_radius == pytest.approx([(9.5 / endured(0.008) + 1 / endured(0.004))])


@pytest.mark.parametrize("fibres", (4, 16, 64))
def test_the_worst_fibre_counts(fibres: int) -> None:
    """Between two fibres the strain is too small by cos(pi / fibres) at most."""
    right = damage(planar(swings((10, 0.01))), SN, fibres=fibres)[0]
    for angle in np.linspace(0, 2 * np.pi, 41):
        found = damage(planar(swings((10, 0.01)), angle), SN, fibres=fibres)[0]
        assert right * np.cos(np.pi / fibres) ** 3 * (1 - 1e-9) <= found <= right * (1 + 1e-9)


def test_a_bent_shaft_that_turns_has_one_cycle_per_turn() -> None:
    """Its curvature is constant in space, but every fibre is stretched and compressed."""
    turns = np.linspace(0, 2 * np.pi * 50, 50 * 64 + 1)
    history = 0.01 * np.column_stack([np.cos(turns), np.sin(turns)])[:, None]
    assert damage(history, SN) == pytest.approx([50 / endured(0.01)], rel=0.01)


def test_torsion_is_counted_beside_bending() -> None:
    bent, twisted = planar(swings((10, 0.01))), swings((10, 0.005))[:, None]
    both = damage(bent, SN, twist_rate=twisted, torsion=[(0.02, 10), (0.002, 1e4)])
    of_twist = 100 * (9.5 / endured(0.005) + 1 / endured(0.0025))
    assert both == pytest.approx(damage(bent, SN) + of_twist)
    assert damage(bent, SN, twist_rate=twisted) == pytest.approx(damage(bent, SN))


def test_every_joint_is_counted_for_itself() -> None:
    """Against the whole series of each of 8 fibres, counted one by one."""
    history = 0.01 * np.random.default_rng(5).normal(size=(200, 6, 2))
    found = damage(history, SN, fibres=8)
    for joint in range(6):
        sums = []
        for angle in 2 * np.pi / 8 * np.arange(8):
            y, z = history[:, joint].T
            cycles = rainflow(y * np.sin(angle) - z * np.cos(angle))
            sums.append((cycles.counts / endured(cycles.ranges / 2)).sum())
        assert found[joint] == pytest.approx(max(sums), rel=1e-9)


def test_cycles_and_repeats() -> None:
    """Of a block that starts between two peaks: each repeat has its cycle as a whole."""
    count = FatigueCount(1, SN, least=1e-3)
    block = 0.01 * np.sin(2 * np.pi * np.arange(81) / 40) + 1e-5 * np.sin(np.arange(81))
    for one in planar(block):
        count.add(one)
    assert count.cycles == pytest.approx([2.0], abs=0.5)
    assert count.damage_per_repeat == pytest.approx([2 / endured(0.01)], rel=0.01)
    assert count.damage == pytest.approx([1.5 / endured(0.01) + 1 / endured(0.005)], rel=0.01)
    count.reset()
    assert count.damage.tolist() == count.cycles.tolist() == [0]


# In simulations.


def cantilever(**changes: object) -> tuple[mujoco.MjModel, mujoco.MjData]:
    given = {"start": "fixed", "gravity": (0, 0, 0), "radius": 0.004, "density": 1000} | changes
    return cables.load(strand.Cable(strand.straight(L, LINKS), EI, GJ, **given))


def turn_the_end(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    couple: np.ndarray,
    begin: float,
    end: float,
    update: Callable[[], None],
) -> None:
    """A couple (N m) that swings at the free end, from the times `begin` to `end` (s)."""
    last = cables.link_bodies(model)[-1]
    for k in range(round(begin / model.opt.timestep), round(end / model.opt.timestep)):
        angle = 2 * np.pi * k * model.opt.timestep / PERIOD
        data.xfrc_applied[last, 3:] = couple * np.sin(angle)
        mujoco.mj_step(model, data)
        update()


def counted_from_peak_to_peak(
    model: mujoco.MjModel, data: mujoco.MjData, couple: np.ndarray, monitor: FatigueMonitor
) -> None:
    turn_the_end(model, data, couple, 0, PERIOD * 1.25, lambda: None)
    turn_the_end(model, data, couple, PERIOD * 1.25, PERIOD * (1.25 + BENDS), monitor.update)


@pytest.mark.parametrize("direction", ((0, 1, 0), (0, 0, 1), (0, -0.6, 0.8)))
def test_cycles_and_damage_of_a_bend_by_a_couple(direction: tuple[float, ...]) -> None:
    """The curvature is the couple by EI everywhere: n / N, with the N of that curvature."""
    model, data = cantilever(damping=0.005)
    curvature, r = 5.0, 0.001
    fibres = 128  # for directions between fibres
    monitor = FatigueMonitor(model, data, sn=SN, radius=r, fibres=fibres, least=1e-4)
    counted_from_peak_to_peak(model, data, curvature * EI * np.array(direction), monitor)
    assert monitor.cycles == pytest.approx(BENDS, rel=0.01)
    assert monitor.damage == pytest.approx(BENDS / endured(r * curvature), rel=0.01)
    life = monitor.life()
    assert life.repeats == pytest.approx(endured(r * curvature) / BENDS, rel=0.01)
    assert life.arclength == monitor.arclength[life.joint]


def test_damage_of_a_twist() -> None:
    model, data = cantilever(damping=0.005)
    rate, r = 8.0, 0.001
    torsion = [(0.02, 1e2), (0.002, 1e5)]
    monitor = FatigueMonitor(model, data, sn=SN, torsion=torsion, radius=r)
    counted_from_peak_to_peak(model, data, np.array((rate * GJ, 0, 0)), monitor)
    assert monitor.damage == pytest.approx(10 * BENDS / endured(r * rate), rel=0.01)


def test_it_breaks_where_it_is_softer() -> None:
    model, data = cantilever(damping=0.005, stretches=[Stretch(0, L / 2, EI=2 * EI)])
    monitor = FatigueMonitor(model, data, sn=SN, every=5)
    counted_from_peak_to_peak(model, data, np.array((0, 0.1, 0)), monitor)
    softer = monitor.damage[monitor.arclength > 0.6 * L]
    stiffer = monitor.damage[monitor.arclength < 0.4 * L]
    assert softer.max() / stiffer.max() == pytest.approx(2**3, rel=0.02)
    assert monitor.life().arclength > L / 2
    assert monitor.life().repeats == pytest.approx(1 / monitor.damage_per_repeat.max())


def test_fewer_readings_miss_little() -> None:
    found = []
    every = 20
    for step in (1, every):
        model, data = cantilever(damping=0.005)
        monitor = FatigueMonitor(model, data, sn=SN, every=step)
        turn_the_end(model, data, np.array((0, 0.2, 0)), 0, 2.25 * PERIOD, monitor.update)
        found.append(monitor.damage)
    per_period = PERIOD / (every * model.opt.timestep)
    ratio = found[1] / found[0]
    # The last swing may be read too early by one reading, the others by half a reading.
    assert (ratio < 1 + 1e-9).all() and (ratio > np.cos(2 * np.pi / per_period) ** 3).all()


def test_a_cable_at_rest_lives_for_ever() -> None:
    model, data = cantilever()
    monitor = FatigueMonitor(model, data, sn=SN)
    monitor.update()
    assert monitor.life()[:2] == (np.inf, -1)
    assert (monitor.damage == 0).all()


def test_a_saved_monitor_goes_on(tmp_path: Path) -> None:
    couple = np.array((0.1, 0.1, 0.05))
    model, data = cantilever(damping=0.005)
    whole = FatigueMonitor(model, data, sn=SN, torsion=SN, every=3)
    turn_the_end(model, data, couple, 0, 1.5 * PERIOD, whole.update)
    model, data = cantilever(damping=0.005)
    first = FatigueMonitor(model, data, sn=SN, torsion=SN, every=3)
    turn_the_end(model, data, couple, 0, 0.7 * PERIOD, first.update)
    np.savez(tmp_path / "fatigue.npz", **first.state())
    second = FatigueMonitor(model, data, sn=SN, torsion=SN, every=3)
    second.restore(np.load(tmp_path / "fatigue.npz"))
    turn_the_end(model, data, couple, 0.7 * PERIOD, 1.5 * PERIOD, second.update)
    np.testing.assert_array_equal(second.damage, whole.damage)
    np.testing.assert_array_equal(second.cycles, whole.cycles)
    np.testing.assert_array_equal(second.damage_per_repeat, whole.damage_per_repeat)
    second.reset()
    assert not second.damage.any()


def test_states_of_others_are_refused() -> None:
    model, data = cantilever()
    monitor, other = (FatigueMonitor(model, data, sn=SN, fibres=n) for n in (8, 16))
    monitor.update()
    other.update()
    state = monitor.state()
    for name in state:
        with pytest.raises(StrandError, match=f"{name}.*: got .*allowed"):
            monitor.restore({key: one for key, one in state.items() if key != name})
    with pytest.raises(StrandError, match=r"state\['damage'\]: got \(8, 8\), allowed: .*\(4, 8\)"):
        monitor.restore(other.state())
    np.testing.assert_array_equal(monitor.state()["points"], state["points"])


def test_recordings_have_the_damage_of_the_simulation() -> None:
    """Of states, as strand.rollout records them in qpos, too."""
    model, data = cantilever(damping=0.005)
    monitor = FatigueMonitor(model, data, sn=SN, torsion=SN)
    qpos, found = [], []

    def update() -> None:
        mujoco.mj_kinematics(model, data)
        monitor.update()
        qpos.append(data.qpos.copy())
        found.append(bending(model, data))

    turn_the_end(model, data, np.array((0.1, 0.2, 0.1)), 0, PERIOD, update)
    curvature, twist_rate = map(np.array, zip(*found, strict=True))
    recorded = damage(curvature, SN, twist_rate=twist_rate, torsion=SN)
    np.testing.assert_array_equal(recorded, monitor.damage)
    replayed = FatigueMonitor(model, data, sn=SN, torsion=SN)
    for data.qpos[:] in qpos:
        mujoco.mj_kinematics(model, data)
        replayed.update()
    np.testing.assert_allclose(replayed.damage, monitor.damage, rtol=1e-6)


# Bending in axes of the material.


@pytest.mark.parametrize("twist", ("dynamic", "quasistatic"))
@pytest.mark.parametrize("held", (("fixed", "free"), ("free", "fixed"), ("fixed", "fixed")))
def test_bending_has_the_size_of_the_curvature(twist: str, held: tuple[str, str]) -> None:
    start, end = held
    cable = strand.Cable(strand.arc(0.5, 1.5, 20), 1e-2, 8e-3, start=start, end=end, twist=twist)
    cable.gravity = (0, 3, -5)
    model, data = cables.load(cable)
    cables.run(model, data, 0.3)
    found, expected = bending(model, data), strand.profile(model, data)
    size = np.linalg.norm(found.curvature, axis=1)
    assert size == pytest.approx(expected.curvature, rel=1e-4)
    assert found.twist_rate == pytest.approx(expected.twist_rate)


def test_bending_is_about_the_axes_of_the_links() -> None:
    model, data = cantilever()
    for axis, name in ((1, "y"), (2, "z")):
        data.qpos[:] = model.qpos0
        for joint in range(model.njnt):
            quat = data.qpos[model.jnt_qposadr[joint] :][:4]
            mujoco.mju_axisAngle2Quat(quat, np.eye(3)[axis], 0.01)
        mujoco.mj_kinematics(model, data)
        inner = bending(model, data).curvature[1:]  # between links
        expected = 0.01 / (L / LINKS) * np.eye(2)[axis - 1]
        assert inner == pytest.approx(np.tile(expected, (len(inner), 1)), rel=1e-3, abs=1e-6), name


def test_both_kinds_of_twist_have_the_same_material_axes() -> None:
    found = []
    for twist in ("dynamic", "quasistatic"):
        cable = strand.Cable(strand.arc(0.5, 1.5, 20), 1e-2, 8e-3, start="fixed", twist=twist)
        cable.gravity, cable.damping = (0, 3, -5), 0.05
        model, data = cables.load(cable)
        cables.settle(model, data, seconds=30, speed=1e-4)
        found.append(bending(model, data).curvature)
    assert np.abs(found[0]).min(axis=0).max() > 0.1  # about both axes
    np.testing.assert_allclose(*found, atol=0.02 * np.abs(found[0]).max())


# Colours.


def test_links_have_the_larger_damage_of_their_joints() -> None:
    model, data = cantilever(damping=0.005)
    monitor = FatigueMonitor(model, data, sn=SN)
    turn_the_end(model, data, np.array((0, 0.2, 0)), 0, 0.3 * PERIOD, monitor.update)
    found = monitor.damage  # at the clamp and between links
    pairs = np.column_stack([found, np.append(found[1:], 0)]).max(axis=1)
    values = given_values(model, data, monitor.link_values())
    links = cables.link_bodies(model)
    np.testing.assert_array_equal(values[links], pairs)
    assert np.isnan(np.delete(values, links)).all()
    more = given_values(model, data, monitor.link_values(repeats=1000))[links]
    per_repeat = monitor.damage_per_repeat
    assert more.max() == pytest.approx(1000 * per_repeat.max())


@drawn
def test_a_picture_has_the_colours_of_given_values() -> None:
    model, data = cantilever(radius=0.01)
    values = np.full(LINKS, np.nan)
    values[[2, -1]] = 0, 3
    given = strand.LinkValues("damage", "", {"cable_rod": values})
    bare = {"size": (320, 240), "labels": False, "legend": False}
    picture = strand.render(model, data, color=given, **bare)
    plain = strand.render(model, data, **bare)
    changed = (picture != plain).any(axis=2)  # only the links with numbers
    across = np.nonzero(changed)[1]
    strongest = picture[changed].argmax(axis=1)
    assert {*strongest} == {0, 2}  # red and blue
    blue, red = (np.median(across[strongest == k]) for k in (2, 0))
    assert blue == pytest.approx(320 * 2.5 / LINKS, abs=20)
    assert red == pytest.approx(320 * 7.5 / LINKS, abs=25)


@pytest.mark.parametrize(
    "cable, values, message",
    (
        (0, [1, 2], "values[0]: got an array (2,), allowed: 8 finite numbers or NaN"),
        (0, [np.inf] * LINKS, "values[0]: got an array (8,), allowed: 8 finite"),
        ("rope", [1] * LINKS, "cable: got 'rope', allowed:"),
        (0, ["a"], "values[0]: got ['a'], allowed: an array of numbers"),
    ),
)
def test_bad_values(cable: str | int, values: list, message: str) -> None:
    model, data = cantilever()
    with pytest.raises(StrandError, match=re.escape(message)):
        given_values(model, data, strand.LinkValues("damage", "", {cable: values}))


# Bad input.


@pytest.mark.parametrize(
    "changes, message",
    (
        ({"sn": [(1, 2), (3, 4)]}, "sn[1]: got (3, 4): S-N table not falling"),
        ({"torsion": [(1, 2), (0.5, 1)]}, "torsion[1]: got (0.5, 1): S-N table not falling"),
        ({"radius": -1}, "radius: got -1, allowed: a number > 0 (m)"),
        ({"fibres": 7}, "fibres: got 7, allowed: an even number, 2 to 1024"),
        ({"least": -1}, "least: got -1, allowed: a number >= 0"),
        ({"every": 0}, "every: got 0, allowed: an integer, at least 1"),
        ({"cable": "rope"}, "cable: got 'rope', allowed: name or index"),
    ),
)
def test_bad_arguments(changes: dict, message: str) -> None:
    model, data = cantilever()
    with pytest.raises(StrandError, match=re.escape(message)):
        FatigueMonitor(model, data, **({"sn": SN} | changes))


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: type(bad).__name__)
def test_other_bad_arguments(bad: object) -> None:
    history = np.zeros((3, 2, 2))
    for call in (
        lambda: damage(bad, SN),
        lambda: damage(history, bad),
        lambda: damage(history, SN, twist_rate=bad),
        lambda: damage(history, SN, radius=bad),
        lambda: damage(history, SN, fibres=bad),
        lambda: damage(history, SN, least=bad),
        lambda: SNCurve(SN, endurance=bad),
    ):
        expect_no_foreign_error(call)


def test_a_state_that_diverges_is_named() -> None:
    count = FatigueCount(1, SN)
    with pytest.raises(StrandError, match="curvature: got a number that is not finite"):
        count.add(np.array([[np.nan, 0]]))
