"""The validations of `strand validate`, compared with theory at the smallest meaningful sizes."""

from functools import cache

import numpy as np
import pytest
from support.engine import needs_discrete

import strand
from strand.draw.report import Report
from strand_studies import beam
from strand_studies.validation import (
    cantilever,
    catenary,
    elastica,
    euler,
    greenhill,
    lhb,
    mbi,
    spring,
    vibration,
)
from strand_studies.validation.all import together

pytestmark = pytest.mark.slow

# P L^2 / EI: w / L, u / L. Bisshopp & Drucker 1945.
ELASTICA_TABLE = {
    1: (0.30172, 0.05643),
    2: (0.49346, 0.16064),
    5: (0.71379, 0.38763),
    10: (0.81061, 0.55500),
}


@pytest.mark.parametrize("load", ELASTICA_TABLE)
def test_beam_equation_reproduces_the_table(load):
    assert beam.tip_deflection(tip_load=load) == pytest.approx(ELASTICA_TABLE[load], abs=1e-5)


def test_beam_equation_of_a_light_load_is_linear_theory():
    assert beam.tip_deflection(tip_load=1e-3)[0] == pytest.approx(1e-3 / 3, rel=1e-5)
    assert beam.tip_deflection(weight=1e-3)[0] == pytest.approx(1e-3 / 8, rel=1e-5)


@needs_discrete
@pytest.mark.parametrize("curvature", ["angle", "tangent"])
def test_elastica_converges_at_second_order(curvature):
    report = elastica.run(segments=[20, 40, 80], curvature=curvature, loads=(2.0, 10.0))
    assert report.passed
    for load in (2.0, 10.0):
        cases = [case for case in report.results if case["load"] == load]
        errors = [case["error"] for case in cases if "error" in case]
        assert errors[0] / errors[1] > 3 and errors[1] / errors[2] > 3


@needs_discrete
def test_smooth_curvature_converges_at_third_order_for_a_tip_load_and_axial_loads():
    cases = elastica.run(segments=[20, 40], curvature="smooth", loads=(2.0, 10.0)).results
    cases += euler.run(segments=[20, 40], curvature="smooth").results
    cases += greenhill.run(segments=[20, 40], curvature="smooth").results
    slopes = [case["slope"] for case in cases if "slope" in case]
    assert len(slopes) == 9 and min(slopes) > 2.7
    assert max(abs(case["error"]) for case in cases if case.get("segments") == 40) < 3e-4


@needs_discrete
@pytest.mark.parametrize("validation", [cantilever, elastica, euler, greenhill, vibration])
def test_smooth_curvature_is_not_worse_at_any_number_of_links(validation):
    sizes = {"segments": [20, 40]}
    plain, smooth = (validation.run(**sizes, curvature=c).results for c in ("angle", "smooth"))
    for one, other in zip(plain, smooth, strict=True):
        if "error" in one:
            assert abs(other["error"]) <= 1.001 * abs(one["error"])


@needs_discrete
@pytest.mark.parametrize(
    "curvature, error, phi0", [("smooth4", 0.0055, 0.84), ("smooth", 0.004, 0.86)]
)
def test_smooth_curvature_resolves_helical_buckling_with_60_links(curvature, error, phi0):
    (case,) = lhb.run(segments=[60], curvature=curvature).results
    assert case["error"] <= error and case["phi0"] >= phi0


@needs_discrete
def test_smooth_curvature_finds_the_ring_within_five_ten_thousandths():
    (case,) = mbi.run(curvature="smooth", ratios=[0.875]).results
    assert abs(case["relative_error"]) < 5e-4


@needs_discrete
def test_own_weight_converges_at_second_order():
    report = cantilever.run(segments=[10, 20, 40])
    errors = [case["error"] for case in report.results if "error" in case]
    assert report.passed and errors[2] < 1e-3
    assert errors[0] / errors[1] > 3 and errors[1] / errors[2] > 3


@needs_discrete
@pytest.mark.parametrize("validation", [euler, greenhill, spring, vibration, catenary])
def test_within_a_percent_and_of_second_order(validation):
    report = validation.run(segments=[20, 40])
    assert report.passed
    errors = [case["error"] for case in report.results if case.get("segments") == 40]
    slopes = [case["slope"] for case in report.results if "slope" in case]
    assert len(slopes) == len(errors) > 0
    assert np.abs(errors).max() < 0.01 and min(slopes) > 1.75


@needs_discrete
@pytest.mark.parametrize("validation", [euler, greenhill, vibration])
def test_both_measures_of_curvature_have_the_same_linear_limit(validation):
    angle, tangent = (validation.run(segments=[10], curvature=c) for c in ("angle", "tangent"))
    for one, other in zip(angle.results, tangent.results, strict=True):
        assert one["found"] == pytest.approx(other["found"], rel=1e-5)


@needs_discrete
def test_tension_raises_the_critical_moment_and_compression_lowers_it():
    compressed, free, pulled = (case["found"] for case in greenhill.run(segments=[10]).results)
    assert compressed < 0.8 * free and pulled > 1.3 * free


@needs_discrete
def test_all_in_one_report(tmp_path):
    reports = [run(segments=[10, 20]) for run in (euler.run, cantilever.run)]
    report = together(reports)
    assert report.name == "all" and report.passed
    assert [case["validation"] for case in report.results] == ["euler"] * 8 + ["cantilever"] * 2
    report.plot(tmp_path / "all.png")
    reports[0].results[0]["passed"] = False
    assert not together(reports).passed


@cache
def buckled(curvature: str, twisting: str) -> Report:
    return lhb.run(segments=[40], curvature=curvature, twisting=twisting)


@needs_discrete
@pytest.mark.parametrize(("curvature", "phi0"), [("angle", 0.625), ("tangent", 0.511)])
def test_localized_buckling(curvature, phi0):
    report = buckled(curvature, "rest_twist")
    case = report.results[0]
    assert report.passed
    assert case["phi0"] == pytest.approx(phi0, abs=0.005)  # a static minimum of the same chain


@needs_discrete
def test_both_ways_of_twisting_agree():
    by_rest, by_ends = (buckled("angle", way).results[0] for way in ("rest_twist", "ends"))
    assert by_ends["phi0"] == pytest.approx(by_rest["phi0"], rel=0.01)
    assert by_ends["twist"] == pytest.approx(by_rest["twist"], rel=0.01)


def test_localized_buckling_score_of_the_exact_envelope():
    n, phi0 = 400, 0.9
    length = lhb.LENGTH / n
    arclength = (np.arange(n) + 0.5) * length - 0.5 * lhb.LENGTH
    rate = lhb.TWIST / (length * (n - 1))
    scale = lhb.GJ * rate / (2 * lhb.EI) * np.sqrt((1 - np.cos(phi0)) / (1 + np.cos(phi0)))
    envelope = np.tanh(arclength * scale) ** 2
    phi = np.arccos(envelope * (1 - np.cos(phi0)) + np.cos(phi0))
    score = lhb.score(np.stack([np.cos(phi), np.sin(phi), 0 * phi], axis=1), length)
    assert score.phi0 == pytest.approx(phi0, abs=1e-3)
    assert score.rms < 2e-3


@needs_discrete
# The exact thresholds of the linearised chain of 50 joints, from theory.
@pytest.mark.parametrize(("curvature", "threshold"), [("angle", 1.0020), ("tangent", 1.0126)])
def test_michell_ring(curvature, threshold):
    report = mbi.run(ratios=[0.8], curvature=curvature)
    assert report.passed
    assert report.results[0]["relative_error"] + 1 == pytest.approx(threshold, abs=3e-4)


@needs_discrete
def test_report_is_written_as_json_and_png(tmp_path):
    report = cantilever.run(segments=[4, 8])
    report.write_json(tmp_path / "report.json")
    report.plot(tmp_path / "report.png")
    assert '"name": "cantilever"' in (tmp_path / "report.json").read_text()
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")


def test_bad_requests_are_refused():
    with pytest.raises(strand.StrandError, match="twisting"):
        lhb.run(segments=[40], twisting="magic")
    with pytest.raises(strand.StrandError, match="segments"):
        lhb.run(segments=[3])
    with pytest.raises(strand.StrandError, match="segments"):
        vibration.run(segments=[2])
    with pytest.raises(strand.StrandError, match="ratios"):
        mbi.run(ratios=[-1.0])
