"""The torque of strand.cable is exactly -dE/dq, for any chain, tree and history."""

import itertools

import mujoco
import numpy as np
import pytest
from support import differences, mjcf, shapes
from support.mjcf import Chain, Piece

import strand

TOLERANCE = 1e-6
MODES = ("quasistatic", "dynamic")
MEASURES = ("angle", "tangent", "smooth4", "smooth")
SIZES = (2, 3, 17, 48)
LONG = 120
STIFF = {"EI": "0.7", "GJ": "0.5"}


def listed(seed: int, count: int) -> str:
    return mjcf.text(np.random.default_rng(seed).uniform(0.3, 1.2, count))


def straight(n: int) -> Chain:
    return Chain(shapes.straight(n), STIFF)


def curved(n: int) -> Chain:
    return Chain(shapes.walk(n, seed=n), STIFF)


def drawn_curved_rest_straight(n: int) -> Chain:
    return Chain(shapes.walk(n, seed=n + 1), STIFF | {"rest": "straight"})


def anisotropic(n: int) -> Chain:
    return Chain(shapes.straight(n), {"EI": "0.9 0.4", "GJ": "0.5"})


def anisotropic_curved(n: int) -> Chain:
    return Chain(shapes.walk(n, seed=n + 2), {"EI": "0.9 0.4", "GJ": "0.5"})


def unequal(n: int) -> Chain:
    keys = {"EI": listed(1, n - 1), "GJ": listed(2, n - 1)}
    return Chain(shapes.walk(n, seed=n + 3, unequal=True), keys | {"rest": "straight"})


def unequal_curved(n: int) -> Chain:
    keys = {"EI": listed(3, 2 * (n - 1)), "GJ": listed(4, n - 1)}
    return Chain(shapes.walk(n, seed=n + 4, unequal=True), keys)


def moduli_of_boxes(n: int) -> Chain:
    keys = {"young": listed(5, n - 1), "shear": "0.4"}
    shape = shapes.walk(n, seed=n + 5, bend=0.2)
    return Chain(shape, keys, geom="box", radius=0.9, joint="hinges")


def moduli_with_radius(n: int) -> Chain:
    keys = {"young": "1e9", "poisson": "0.4", "radius": "0.004"}
    return Chain(shapes.walk(n, seed=n + 6), keys, geom="cylinder")


def root_in_middle(n: int) -> Chain:
    return Chain(shapes.walk(n, seed=n + 7), STIFF, [Piece(0, n, n // 2)])


def root_at_far_end(n: int) -> Chain:
    return Chain(shapes.straight(n), STIFF, [Piece(0, n, n - 1, "mocap")])


def two_trees(n: int) -> Chain:
    cut = (n + 1) // 2
    pieces = [Piece(0, cut, 0, "mocap"), Piece(cut, n, n - 1, "free")]
    return Chain(shapes.walk(n, seed=n + 8), STIFF | {"rest": "straight"}, pieces)


def many_trees(n: int) -> Chain:
    cuts = sorted({0, n // 3, n // 2, n - 1, n})
    bases = ["hand", "free", "mocap", "ball"]
    spans = itertools.pairwise(cuts)
    pieces = [Piece(a, b, (a + b) // 2, bases[i % 4]) for i, (a, b) in enumerate(spans)]
    return Chain(shapes.walk(n, seed=n + 9), {"EI": "0.9 0.4", "GJ": "0.5"}, pieces)


def under_a_hand(n: int) -> Chain:
    return Chain(shapes.walk(n, seed=n + 10), STIFF, [Piece(0, n, 0, "hand")])


def hand_in_the_middle(n: int) -> Chain:
    return Chain(shapes.straight(n), STIFF, [Piece(0, n, n // 2, "hand")])


def foreign_parts(n: int) -> Chain:
    pieces = [Piece(0, n, n // 3, "hand")]
    return Chain(shapes.walk(n, seed=n + 11), STIFF, pieces, between=2, hung=3, joint="hinges")


def with_holds(n: int) -> Chain:
    names = {f"rod{n // 3}", f"rod{(2 * n) // 3}"}
    return Chain(shapes.straight(n), STIFF | {"holds": " ".join(sorted(names))})


def with_holds_curved(n: int) -> Chain:
    keys = {"EI": "0.9 0.4", "GJ": "0.5", "holds": f"rod{n // 2}"}
    return Chain(shapes.walk(n, seed=n + 12), keys, [Piece(0, n, n // 2)])


OPEN = (
    straight,
    curved,
    drawn_curved_rest_straight,
    anisotropic,
    anisotropic_curved,
    unequal,
    unequal_curved,
    moduli_of_boxes,
    moduli_with_radius,
    root_in_middle,
    root_at_far_end,
    two_trees,
    many_trees,
    under_a_hand,
    hand_in_the_middle,
    foreign_parts,
)
HELD = (with_holds, with_holds_curved)


def set_up(chain: Chain, mode: str, measure: str, **options):
    chain.keys = chain.keys | {"twist": mode, "curvature": measure}
    model = mjcf.compiled(chain, **options)
    return model, mujoco.MjData(model)


def assert_torque_is_minus_gradient(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    torque = differences.torque(model, data)
    expected = differences.force(model, data)
    assert strand.energy(model, data) > 1e-3
    assert differences.relative_error(torque, expected) < TOLERANCE


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("make", OPEN)
def test_open_chain(make, n: int, mode: str, measure: str) -> None:
    model, data = set_up(make(n), mode, measure)
    differences.disturb(model, data, seed=n)
    assert_torque_is_minus_gradient(model, data)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", (anisotropic_curved, many_trees))
def test_long_chain(make, mode: str, measure: str) -> None:
    model, data = set_up(make(LONG), mode, measure)
    differences.disturb(model, data, seed=LONG)
    assert_torque_is_minus_gradient(model, data)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n", (3, 17, 48))
@pytest.mark.parametrize("make", HELD)
def test_chain_with_holds(make, n: int, measure: str) -> None:
    model, data = set_up(make(n), "quasistatic", measure)
    differences.disturb(model, data, seed=n)
    assert_torque_is_minus_gradient(model, data)


CLOSE = '<equality><connect body1="rod0" body2="rod{}" anchor="0 0 0"/></equality>'


def closed_ring(n: int) -> Chain:
    return Chain(shapes.ring(n), STIFF | {"rest": "straight"})


def closed_ring_at_rest(n: int) -> Chain:
    return Chain(shapes.ring(n, spin=0.1), {"EI": "0.9 0.4", "GJ": "0.5"})


def closed_unequal_stiffness(n: int) -> Chain:
    keys = {"EI": listed(6, n), "GJ": listed(7, n), "rest": "straight"}
    return Chain(shapes.ring(n), keys, [Piece(0, n, n // 2, "hand")])


def closed_with_holds(n: int) -> Chain:
    return Chain(shapes.ring(n), STIFF | {"rest": "straight", "holds": f"rod1 rod{n - 1}"})


def closed_in_two_trees(n: int) -> Chain:
    pieces = [Piece(0, n // 2, 0, "mocap"), Piece(n // 2, n, n - 1)]
    return Chain(shapes.ring(n), STIFF | {"rest": "straight"}, pieces)


RINGS = (closed_ring, closed_ring_at_rest, closed_unequal_stiffness, closed_in_two_trees)
RINGS_AND_MODES = [(make, mode) for make in RINGS for mode in MODES]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n", (3, 17, 48))
@pytest.mark.parametrize(("make", "mode"), [*RINGS_AND_MODES, (closed_with_holds, "quasistatic")])
def test_closed_chain(make, n: int, mode: str, measure: str) -> None:
    chain = make(n)
    chain.keys = chain.keys | {"closed": "true", "rest_twist": "0.8"}
    model, data = set_up(chain, mode, measure, extra=CLOSE.format(n - 1))
    differences.disturb(model, data, seed=n)
    assert_torque_is_minus_gradient(model, data)


TURNS = 5
WOUND = (
    straight,
    curved,
    anisotropic,
    anisotropic_curved,
    unequal,
    unequal_curved,
    root_in_middle,
    under_a_hand,
)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", (17, 48))
@pytest.mark.parametrize("make", WOUND)
def test_after_five_turns_of_an_end(make, n: int, mode: str, measure: str) -> None:
    model, data = set_up(make(n), mode, measure)
    before = strand.readout(model, forward(model, data)).twist
    differences.wind(model, data, f"rod{n - 1}", TURNS)
    after = strand.readout(model, data).twist
    assert after - before == pytest.approx(2 * np.pi * TURNS, abs=1e-6)
    differences.disturb(model, data, seed=n, size=0.1)
    assert_torque_is_minus_gradient(model, data)
    assert abs(strand.readout(model, data).twist - after) < np.pi


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", (17, 48))
def test_after_five_turns_of_a_mocap_body(n: int, mode: str) -> None:
    pieces = [Piece(0, 1, 0, "mocap"), Piece(1, n, n // 2)]
    model, data = set_up(Chain(shapes.straight(n), STIFF, pieces), mode, "angle")
    differences.wind(model, data, "rod0", -TURNS)
    differences.disturb(model, data, seed=n, size=0.1)
    assert_torque_is_minus_gradient(model, data)
    assert strand.readout(model, data).twist == pytest.approx(2 * np.pi * TURNS, abs=np.pi)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("make", (straight, anisotropic_curved, unequal_curved))
def test_five_turns_of_rest_twist(make, n: int, mode: str, measure: str) -> None:
    chain = make(n)
    chain.keys = chain.keys | {"rest_twist": mjcf.text(2 * np.pi * TURNS)}
    model, data = set_up(chain, mode, measure)
    differences.disturb(model, data, seed=n)
    assert_torque_is_minus_gradient(model, data)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", (17, 48))
def test_five_turns_between_two_holds(n: int, mode: str) -> None:
    keys = {"holds": f"rod{n // 2}"} if mode == "quasistatic" else {}
    model, data = set_up(Chain(shapes.straight(n), STIFF | keys), mode, "angle")
    differences.wind(model, data, f"rod{n // 2}", TURNS)
    differences.disturb(model, data, seed=n, size=0.1)
    assert_torque_is_minus_gradient(model, data)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", (0.5, 1.0))
def test_sharp_bends(size: float, mode: str, measure: str) -> None:
    model, data = set_up(unequal_curved(17), mode, measure)
    differences.disturb(model, data, seed=5, size=size)
    assert_torque_is_minus_gradient(model, data)


def forward(model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
    mujoco.mj_forward(model, data)
    return data
