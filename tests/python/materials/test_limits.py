"""Warnings of cables beyond their limits."""

import re
import warnings

import mujoco
import numpy as np
import pytest
from support import cables

import strand
from strand import Cable, StrandError
from strand.materials import Limits, LimitWarning, watch

L, LINKS, EI = 0.5, 20, 0.02
G, DENSITY, R = 9.81, 1200.0, 0.004


def curved(radius: float) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable in the natural shape of an arc, without weight."""
    nodes = strand.arc(L, L / radius, LINKS)
    cable = Cable(nodes, EI, EI, start="fixed", gravity=(0, 0, 0), pieces="none")
    return cables.load(cable)


def hanging() -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable that hangs straight down from its start."""
    nodes = np.linspace((0, 0, 0), (0, 0, -L), LINKS + 1)
    cable = Cable(nodes, EI, EI, radius=R, density=DENSITY, start="fixed")
    model, data = cables.load(cable)
    mujoco.mj_step(model, data, 5)
    return model, data


WEIGHT = DENSITY * np.pi * R**2 * L * G  # N


def messages(check) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    assert all(one.category is LimitWarning for one in caught)
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def test_a_hand_that_lowers_a_cable_does_not_exceed_its_tension() -> None:
    nodes = np.linspace((0, 0, 0), (0, 0, -L), LINKS + 1)
    cable = Cable(nodes, EI, EI, radius=R, density=DENSITY, start="mocap", damping=1e-3)
    model, data = cables.load(cable)
    guard = watch(model, data, Limits(max_tension=1.2 * WEIGHT))
    for _ in range(500):
        data.mocap_pos[0, 2] -= 0.1 * min(1, data.time) * model.opt.timestep
        mujoco.mj_step(model, data)
        guard.check()
    assert guard.excesses == []


def test_a_bend_within_its_limit_is_silent() -> None:
    model, data = curved(0.1)
    guard = watch(model, data, Limits(min_bend_radius=0.0995))
    assert messages(guard.check) == [] == guard.excesses


def test_a_bend_beyond_its_limit_is_named_once() -> None:
    model, data = curved(0.1)
    data.time = 1.35
    guard = watch(model, data, Limits(min_bend_radius=0.12))
    (text,) = messages(guard.check)
    assert re.fullmatch(
        r"cable 'cable_rod' bends to 100 mm at 0[.\d]* m, 1.35 s; allowed: >= 120 mm", text
    )
    assert messages(guard.check) == []
    (excess,) = guard.excesses
    assert excess.value == pytest.approx(0.1, rel=1e-3)
    assert excess[:2] == ("cable_rod", "min_bend_radius")
    assert (excess.allowed, excess.time) == (0.12, 1.35)
    guard.reset()
    assert len(messages(guard.check)) == 1


def turn(data: mujoco.MjData, model: mujoco.MjModel, link: int, angle: float) -> None:
    """Turns a link against the one before it, about its y axis (rad)."""
    joint = model.body_jntadr[cables.link_bodies(model)[link]]
    quat = data.qpos[model.jnt_qposadr[joint] :][:4]
    mujoco.mju_axisAngle2Quat(quat, (0, 1, 0), angle)
    mujoco.mj_kinematics(model, data)


def test_each_part_is_named_once_where_it_is_bent_most() -> None:
    model, data = curved(1e6)
    guard = watch(model, data, Limits(min_bend_radius=0.1))
    for link, angle in ((4, 0.3), (5, 0.5), (14, -0.4)):
        turn(data, model, link, angle)
    first, second = messages(guard.check)
    assert "bends to 50 mm at 0.125 m" in first and "at 0.35 m" in second
    turn(data, model, 6, 0.6)  # beside a part that is known
    assert messages(guard.check) == []
    turn(data, model, 10, 0.3)
    (text,) = messages(guard.check)
    assert "at 0.25 m" in text


def test_tension_beyond_its_limit_is_named() -> None:
    model, data = hanging()
    assert messages(watch(model, data, Limits(max_tension=1.01 * WEIGHT)).check) == []
    guard = watch(model, data, Limits(max_tension=0.6 * WEIGHT))
    (text,) = messages(guard.check)
    assert "is pulled with" in text and "at 0 m" in text and "allowed: <=" in text
    (excess,) = guard.excesses
    assert excess.value == pytest.approx(WEIGHT, rel=0.01)
    assert excess.limit == "max_tension"


def test_a_force_that_is_not_known_is_not_taken_for_none() -> None:
    model, data = hanging()
    model.opt.density = 1.2  # of a fluid
    guard = watch(model, data, Limits(max_tension=1.0))
    with pytest.raises(StrandError, match="max_tension: got a cable 'cable_rod' on which a force"):
        guard.check()


def test_cables_have_limits_of_their_own() -> None:
    spec = mujoco.MjSpec()
    for k, name in enumerate(("rope_", "wire_")):
        cable = Cable(strand.arc(L, L / 0.1, LINKS), EI, EI, start="fixed", prefix=name)
        strand.attach(spec, cable, pos=(0, k, 0))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    tight, loose = Limits(min_bend_radius=0.2), Limits(min_bend_radius=0.01)
    texts = messages(watch(model, data, {"rope_rod": loose, "wire_rod": tight}).check)
    assert [text.split("'")[1] for text in texts] == ["wire_rod"]
    assert len(messages(watch(model, data, tight).check)) == 2


def test_warnings_can_be_errors() -> None:
    model, data = curved(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LimitWarning)
        with pytest.raises(LimitWarning, match="bends to"):
            watch(model, data, Limits(min_bend_radius=0.2)).check()


def test_every_third_call_checks() -> None:
    model, data = curved(0.1)
    guard = watch(model, data, Limits(min_bend_radius=0.01), every=3)
    assert messages(guard.check) == []
    turn(data, model, 3, 2.0)
    counts = [len(messages(guard.check)) for _ in range(3)]
    assert counts == [0, 0, 0]  # 2 rad in 25 mm: 12.5 mm
    turn(data, model, 3, 2.9)
    assert [len(messages(guard.check)) for _ in range(3)] == [0, 0, 1]


@pytest.mark.parametrize(
    "make, message",
    (
        (lambda: Limits(), "limits: got none, allowed: min_bend_radius or max_tension"),
        (lambda: Limits(min_bend_radius=0), "min_bend_radius: got 0, allowed: a number > 0 (m)"),
        (lambda: Limits(max_tension=-5), "max_tension: got -5, allowed: a number > 0 (N)"),
        (lambda: watch(*curved(0.1), 0.012), "limits: got 0.012, allowed: a strand.materials.Lim"),
        (lambda: watch(*curved(0.1), {}), "limits: got no cable, allowed: one or more"),
        (lambda: watch(*curved(0.1), {0: 1}), "limits[0]: got 1, allowed: a strand.materials"),
        (lambda: watch(*curved(0.1), {"x": Limits(1)}), "cable: got 'x', allowed: name or index"),
        (lambda: watch(*curved(0.1), Limits(1), every=0), "every: got 0, allowed: an integer"),
        (lambda: watch(None, None, Limits(1)), "model: got NoneType, allowed: a mujoco.MjModel"),
    ),
)
def test_bad_input(make, message: str) -> None:
    with pytest.raises(StrandError, match=re.escape(message)):
        make()
