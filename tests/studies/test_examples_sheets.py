"""Examples with shells at reduced length: their figures, and what their measures can distinguish.

With STRAND_DATA set (see test_examples_core.py) they are compared with the authors' digits, too.
"""

import importlib
import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.examples import assert_rows, judged, value
from typer.testing import CliRunner

from strand import meshes
from strand.cli import app
from strand.draw.stage import can_render
from strand_studies.beam import tip_deflection
from strand_studies.published import EXAMPLES, dome, junction, plate_theory, sheet, sheet_published
from strand_studies.published.figures import limit_of_halvings
from strand_studies.published.published_files import LEFT_OUT

pytestmark = pytest.mark.slow

#: Number of figures that each example judges without the authors' files: none may get lost.
JUDGED = {"sheet": 23, "plate": 3, "dome": 4, "junction": 16}

DATA = os.environ.get("STRAND_DATA")
with_data = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")


@cache
def report(name: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("STRAND_DATA", raising=False)
        return importlib.import_module(f"strand_studies.published.{name}").run()


@pytest.mark.parametrize("name", JUDGED)
def test_figures_meet_their_references(name: str) -> None:
    assert name in EXAMPLES
    rows = report(name).results
    assert_rows(rows, JUDGED[name])
    assert json.loads(report(name).to_json())["results"] == rows


@pytest.mark.skipif(not can_render(), reason="nothing can be rendered here")
def test_pictures_show_a_plate_flat_and_sagged(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["example", "plate", "--frames", str(tmp_path), "--size", "320x240"]
    )
    assert result.exit_code == 0
    flat, sagged = (np.asarray(Image.open(path)) for path in sorted(tmp_path.iterdir()))
    assert (flat != sagged).any(axis=2).mean() > 0.02


@pytest.mark.parametrize("name", ["sheet", "plate"])
def test_omissions_are_noted(name: str) -> None:
    assert report(name).note == LEFT_OUT


@pytest.mark.parametrize(
    ("width", "poisson", "part"),
    [(0.02, 0.5, 0.9256), (0.02165, 0.5, 0.9207), (0.02, 0.3, 0.973), (0.02, 0.0, 1.0)],
)
def test_a_clamped_strip_sags_less_than_a_beam(width: float, poisson: float, part: float) -> None:
    rigidity = plate_theory.rigidity(1.0, 1.0, poisson)
    tip = plate_theory.cantilever_tip(1.0, 0.09, width, rigidity, poisson)
    np.testing.assert_allclose(tip / (1.5 * 0.09**4), part, atol=1e-4)


def test_deflection_of_the_middle_of_a_square() -> None:
    np.testing.assert_allclose(plate_theory.square_centre(2.0, 3.0, 5.0), 0.00406 * 32.4, rtol=2e-3)


@pytest.mark.parametrize(("young", "part"), [(20e6, 0.785), (200e6, 0.9967)])
def test_the_elastica_of_the_strip(young: float, part: float) -> None:
    weight = 12 * sheet.PRESSURE * sheet.LENGTH**3 / (young * sheet.THICKNESS**3)
    sag = tip_deflection(weight=weight)[0] * sheet.LENGTH
    np.testing.assert_allclose(sag / sheet_published.euler(young), part, atol=5e-4)
    assert value(report("sheet"), f"{young:g} Pa: elastica") == pytest.approx(part, abs=5e-4)


def test_hinges_have_their_own_poissons_ratio() -> None:
    """Their limit is that of nu = -1/3, and neither of the sheet's 1/2 nor of zero."""
    limit = value(report("sheet"), "hinges, equilateral, extrapolated: tip")
    rigidity = plate_theory.rigidity(sheet.STIFF, sheet.THICKNESS, 0.0)
    for poisson in (0.0, 0.5):
        strip = (sheet.PRESSURE, sheet.LENGTH, sheet.EQUILATERAL_WIDTH, rigidity, poisson)
        assert abs(limit / plate_theory.cantilever_tip(*strip) - 1) > 3 * sheet.HINGE


def test_the_papers_clamp_is_half_an_edge_inside() -> None:
    ratio = value(report("sheet"), "Table A, 2e+10 Pa, rod: tip")
    np.testing.assert_allclose(ratio, (0.091 / 0.09) ** 4, rtol=1e-3)


def test_a_series_of_any_order_has_its_limit() -> None:
    for order in (1.0, 1.7, 2.0):
        values = [3.0 + 0.4 * h**order for h in (1.0, 0.5, 0.25)]
        np.testing.assert_allclose(limit_of_halvings(*values), 3.0, rtol=1e-12)


def test_a_tilted_dome_is_lopsided() -> None:
    simulation = dome.build("hinge", 2)
    vertices, _ = meshes.hemisphere(dome.RADIUS, 2)
    assert dome.lopsided(simulation, vertices) < 1e-12
    simulation.load_node(3, (0, 0, -1e-3))
    simulation.solve()
    assert dome.lopsided(simulation, vertices) > dome.ROUND


def test_a_rigid_joint_bends_the_plate_and_a_hinged_one_does_not() -> None:
    turns = {}
    for joint in ("rigid", "hinged"):
        of = junction.build("mid_edge", joint=joint, divisions=8)
        of.simulation.fix_node(of.rods[0].nodes[-1])
        of.simulation.fix_spin(of.rods[0].edges[-1])
        of.simulation.load_node(of.rods[0].nodes[10], (junction.SLIGHT, 0, 0))
        of.simulation.solve()
        turns[joint] = junction.turn(of)
    assert turns["rigid"] > 1e-6
    assert abs(turns["hinged"]) < 1e-9
    borne = value(report("junction"), "rigid, a support at the tip: what it bears")
    assert 5 / 16 < borne < 0.35


def test_a_missing_reaction_moment_is_detected() -> None:
    """Without the reactions of the clamp the moments do not balance."""
    of = junction.build("mid_edge", divisions=8)
    of.simulation.load_node(of.rods[0].nodes[-1], (junction.SLIGHT, 0, 0))
    of.simulation.solve()
    positions, reactions = of.simulation.positions, of.simulation.reactions
    moment = np.cross(positions[of.border], reactions[of.border]).sum(axis=0)
    pushed = np.cross(positions[of.rods[0].nodes[-1]], (junction.SLIGHT, 0, 0))
    assert np.linalg.norm(moment + pushed) > 1e-3 * np.linalg.norm(pushed)


@with_data
def test_published_sheets_digit_by_digit() -> None:
    """All of Tables A and B, and every node of a sheet that swings."""
    rows = sheet_published.figures(True, None)[0]
    assert judged(rows) == 4 + 2 * (8 + 5) + 1
    (swing,) = (row for row in rows if row["source"] == "MAT-DiSMech")
    assert swing["tolerance"] <= 1e-9


@with_data
def test_exact_mid_edge_normals_differ_from_the_published_ones() -> None:
    rows, note = sheet_published.figures(False, None)
    assert note == ""
    assert judged(rows) == 4 + 8 + 5
    exact = [row for row in rows if row["figure"].endswith("mid-edge normals: tip")]
    apart = [abs(row["value"] / row["reference"] - 1) for row in exact]
    assert all(2e-3 < part < 0.05 for part in apart)


@with_data
def test_the_authors_plates_tend_to_the_theory() -> None:
    rows = importlib.import_module("strand_studies.published.plate").run().results
    assert judged(rows) == JUDGED["plate"] + 1
