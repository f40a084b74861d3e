"""The validations hold for cables that are cut into pieces, too.

All but `spring`, which uses an integrator that cables are not cut for.
"""

import numpy as np
import pytest
from support.engine import needs_discrete

import strand
from strand_studies.validation import (
    cantilever,
    catenary,
    clamped,
    column,
    elastica,
    euler,
    greenhill,
    lhb,
    mbi,
    vibration,
)

pytestmark = [needs_discrete, pytest.mark.slow]


@pytest.fixture(autouse=True)
def split(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (catenary, clamped, column, lhb, mbi):
        monkeypatch.setattr(module, "Cable", lambda **own: strand.Cable(**(own | {"pieces": 7})))
    # The loads are far larger than the cable's weight, and cuts open in proportion to h^2.
    monkeypatch.setattr(clamped, "TIMESTEP", 0.002)


@pytest.mark.parametrize(
    "validation", [cantilever, euler, greenhill, vibration, catenary, elastica]
)
def test_within_a_percent_and_of_second_order(validation) -> None:
    report = validation.run(segments=[20, 40])
    errors = [case["error"] for case in report.results if case.get("segments") == 40]
    slopes = [case["slope"] for case in report.results if "slope" in case]
    assert report.passed
    assert np.abs(errors).max() < 0.01 and min(slopes) > 1.75


@pytest.mark.parametrize("twisting", ("rest_twist", "ends"))
def test_localized_buckling(twisting: str) -> None:
    report = lhb.run(segments=[40], twisting=twisting)
    assert report.passed
    assert report.results[0]["phi0"] == pytest.approx(0.625, abs=0.01)


def test_michell_ring() -> None:
    assert mbi.run(ratios=[0.8]).passed
