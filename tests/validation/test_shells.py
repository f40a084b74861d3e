"""The obstacle course of shells: the ability of each element, and how it is judged."""

from dataclasses import replace

import numpy as np
import pytest

import strand
from strand_studies.validation import shell_models, shells

COURSE = {benchmark.name: benchmark for benchmark in shells.COURSE}


def test_the_course_converges_and_hinges_are_not_judged() -> None:
    names = ("supported plate", "Cook's membrane", "twisted beam, across")
    report = shells.run(course=tuple(COURSE[name] for name in names))
    assert report.passed
    judged = [(c["benchmark"], c["bending"]) for c in report.results if c["passed"] is not None]
    assert judged == [
        ("supported plate", "mid_edge"),
        ("Cook's membrane", "mid_edge"),
        ("Cook's membrane", "hinge"),
        ("twisted beam, across", "mid_edge"),
    ]


def test_a_case_that_does_not_converge_to_its_reference_fails() -> None:
    off = replace(COURSE["supported plate"], reference=0.0045)
    assert not shells.run(course=(off,)).passed


@pytest.mark.parametrize("name", ["Scordelis-Lo roof", "pinched hemisphere", "rolled strip"])
def test_curved_shells_come_near_on_a_coarse_mesh(name: str) -> None:
    benchmark = COURSE[name]
    found = benchmark.measure("mid_edge", benchmark.rows[1])
    assert found == pytest.approx(benchmark.reference, rel=0.03)


def test_a_missing_equilibrium_of_hinges_gives_a_case_without_a_figure() -> None:
    """With 20 rows it depends on rounding whether there is one."""
    report = shells.run(course=(replace(COURSE["rolled strip"], rows=(20, 40), tolerance=0.002),))
    hinges = {c["rows"]: c["found"] for c in report.results if c["bending"] == "hinge"}
    assert hinges[40] is None
    assert report.passed


def test_couples_have_an_exact_jacobian() -> None:
    random = np.random.default_rng(1)
    x, moments = random.normal(size=18), np.array([0.3, -1.2, 0.7])
    _, force, jacobian = shell_models.couples(x, moments)
    step = 1e-6
    for k, unit in enumerate(np.eye(18)):
        ahead, behind = (shell_models.couples(x + s * step * unit, moments)[1] for s in (1, -1))
        np.testing.assert_allclose(jacobian[:, k], (ahead - behind) / (2 * step), atol=1e-6)
    turning = np.cross(x.reshape(6, 3), force.reshape(6, 3)).sum(axis=0)
    assert turning[1] == pytest.approx(-moments.sum())


def test_segments_are_refused() -> None:
    with pytest.raises(strand.StrandError, match=r"^segments: got "):
        shells.run(segments=[10])
