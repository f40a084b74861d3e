"""Small motions about a state at rest, and how errors are judged."""

import mujoco
import numpy as np
import pytest
from scipy import linalg
from support.engine import needs_discrete

import strand
from strand_studies.validation import column, convergence, euler, greenhill
from strand_studies.validation.linearized import Linearized, critical_load


def test_critical_load_of_two_springs():
    """The smallest positive root, at any scale, also of an unsymmetric stiffness."""
    unloaded, loading = np.diag([3.0, 8.0]), np.array([[-1.0, 0.5], [0.0, 2.0]])
    for scale in (0.01, 1.0, 100.0):
        assert critical_load(lambda p: unloaded - p * loading, scale) == pytest.approx(4)
    with pytest.raises(strand.StrandError, match="no critical load"):
        critical_load(lambda p: unloaded + p * np.eye(2), 1.0)


@needs_discrete
def test_a_model_that_is_not_at_rest_is_refused():
    model = column.column(6, "angle", "fixed", "free")
    with pytest.raises(strand.StrandError, match="not at rest"):
        Linearized(model, {column.END: (np.array([0, 1.0, 0]), np.zeros(3))})


@needs_discrete
def test_stiffness_of_constraints_under_load():
    """A rigid pendulum held by a connect constraint, under tension: K = T l."""
    model = mujoco.MjModel.from_xml_string("""
      <mujoco><option gravity="0 0 0"/><worldbody>
        <body name="pendulum"><freejoint/><geom size=".1"/><site name="tip" pos="2 0 0"/></body>
      </worldbody><equality><connect body1="pendulum" anchor="0 0 0"/></equality></mujoco>""")
    dofs = np.array([1, 1, 1, 0, 0, 1], dtype=bool)  # rotations about z only
    rod = Linearized(model, {"tip": (np.array([3.0, 0, 0]), np.zeros(3))}, dofs)
    turn = rod.motions[5, 0]
    assert rod.stiffness / turn**2 == pytest.approx(np.array([[6.0]]), rel=1e-6)
    assert np.abs(rod.multipliers) == pytest.approx([3, 0, 0])


@needs_discrete
@pytest.mark.parametrize(("share", "grows"), [(0.97, False), (1.03, True)])
def test_a_simulated_column_buckles_at_the_critical_force(share, grows):
    force = share * euler.critical_force("pinned", 10, "angle")
    model = column.column(10, "angle", "ball", "pin", loss_time=0.02)
    data = mujoco.MjData(model)
    data.qfrc_applied[model.jnt_dofadr[0]] = -force  # of the sliding support
    middle = data.site("cable_node5")
    heights = []
    while data.time < 6:
        data.xfrc_applied[model.body("cable_link5").id, 1] = 1e-3 if data.time < 0.5 else 0
        mujoco.mj_step(model, data)
        heights.append(abs(middle.xpos[1]))
    third = len(heights) // 3
    assert (max(heights[2 * third :]) > 3 * max(heights[:third])) == grows


@needs_discrete
def test_a_twisted_column_loses_stability_by_divergence():
    """Axial couples are not conservative, but below the critical one all eigenvalues are real."""
    critical = greenhill.critical_moment(0.0, 12, "angle")
    rod = greenhill.twisted_rod(0.0, 0.95 * critical, 12, "angle")
    squares = linalg.eigvals(rod.stiffness, rod.mass)
    assert (squares.real > 0).all()
    assert np.abs(squares.imag).max() < 1e-6 * np.abs(squares).max()


def cases(errors):
    return [{"kind": 1, "segments": n, "error": e} for n, e in errors.items()]


def test_order_of_convergence():
    assert convergence.order(cases({20: 0.04, 40: -0.01, 80: 0.0025})) == pytest.approx(2)
    assert convergence.order(cases({10: 5.0, 20: 0.02, 40: 0.01})) == pytest.approx(1)
    assert convergence.slopes(cases({20: 0.04, 40: 1e-9}), "kind") == []  # noise
    assert convergence.slopes(cases({10: 0.4, 20: 0.1}), "kind") == []  # coarse


def test_first_order_fails():
    (case,) = convergence.slopes(cases({20: 0.02, 40: 0.01, 80: 0.005}), "kind")
    assert case["passed"] is False and case["slope"] == pytest.approx(1)
    (case,) = convergence.slopes(cases({20: 0.02, 40: 0.01}), "kind")
    assert case["passed"] is None  # two sizes give an order but do not judge it
    assert convergence.judge(-0.011, 40)["passed"] is False
    assert convergence.judge(-0.011, 39)["passed"] is None
