"""Validations in the viewer's window, on a virtual display."""

from functools import partial

import pytest
from support.display import ON_XVFB
from support.engine import needs_discrete

import strand
from strand import StrandError
from strand_studies import relax
from strand_studies.validation import cantilever, catenary, elastica, lhb, mbi, vibration, watched

pytestmark = [needs_discrete, *ON_XVFB]

RUNS = {
    "lhb": partial(lhb.run, segments=[40]),
    "mbi": partial(mbi.run, segments=30, ratios=[0.8]),
    "elastica": partial(elastica.run, segments=[10]),
    "cantilever": partial(cantilever.run, segments=[10]),
    "catenary": partial(catenary.run, segments=[10]),
    "vibration": partial(vibration.run, segments=[10]),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_closed_window_ends_the_validation(name: str, tmp_path) -> None:
    one = watched.Watched(name, RUNS[name])
    file = tmp_path / "a.png"
    strand.view(one.opened(), frames=4, speed=5, picture=file, size=(480, 360))
    assert one.close() is None
    assert file.exists() and not relax._watchers


def test_a_validation_that_is_watched_to_its_end_has_the_same_result() -> None:
    one = watched.Watched("cantilever", RUNS["cantilever"])
    strand.view(one.opened(), frames=60, speed=30, size=(320, 240), panel=False)
    report = one.close()
    assert report.results == RUNS["cantilever"]().results


def test_an_error_is_shown_and_others_cannot_be_watched() -> None:
    def fails() -> None:
        raise StrandError("no cable")

    with pytest.raises(StrandError, match="no cable"):
        watched.Watched("lhb", fails).opened()
    with pytest.raises(StrandError, match=r"shells.*lhb"):
        watched.Watched("shells", fails)


def test_plots_have_their_values() -> None:
    """The tip's deflections come to those of the elastica, the cable's shape to the catenary."""
    last: dict[str, list] = {}
    for name in ("elastica", "catenary"):
        plots = watched.plots(name)

        def watch(model, data, plots=plots, name=name) -> None:
            last[name] = [(one.plot, one.read(model, data)) for one in plots]

        with relax.watched_by(watch):
            RUNS[name]()
    for _, values in last["elastica"]:
        assert values == pytest.approx([1], abs=0.05)
    ((plot, heights),) = last["catenary"]
    assert len(heights) == len(plot.x) == 81
    theory = catenary.theory()
    assert -min(heights) == pytest.approx(theory["sag"], rel=0.03)
