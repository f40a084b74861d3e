"""Two recorded wires against the values that their authors found with the adapted model.

The data (MIT licence, Copyright (c) 2024 qjchen) is in the directory that STRAND_DATA names.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from strand import identify

DATA = os.environ.get("STRAND_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")
WIRES = ("white", "black")


def authors(wire: str) -> dict:
    return json.loads(Path(DATA or "", "wires", "identified.json").read_text())[wire]


@pytest.mark.parametrize("wire", WIRES)
def test_bending_stiffness_of_each_trial(wire: str) -> None:
    known = authors(wire)
    found = identify.bend(
        Path(DATA or "", "wires", "loops2d.csv"),
        where={"wire": wire},
        mass_per_length=known["mass_per_length_kg_m"],
        method="golden",
        hold="cta",
        length=1.5,
    )
    assert found.values == pytest.approx(known["adapt"]["alpha_trials_Nm2"], rel=0.01)
    clouds = known["adapt"]["cloud_bend"]
    assert found.cloud_size == pytest.approx(clouds["eq6_mean_abs_percent"], rel=0.02)
    assert found.cloud_size_norm == pytest.approx(clouds["script_2norm_over_N_percent"], rel=0.02)


@pytest.mark.parametrize("wire", WIRES)
def test_stiffness_ratio_from_the_mean_critical_twist(wire: str) -> None:
    known = authors(wire)
    found = identify.twist(
        np.radians(known["critical_twist_mean_deg"]),
        EI=known["adapt"]["alpha_used"],
        mass_per_length=known["mass_per_length_kg_m"],
        length=1.5,
        published=True,
    )
    ratio = known["adapt"]["beta_over_alpha_used"]
    assert found.at_mean.contact == pytest.approx(ratio, rel=0.01)
    assert found.at_mean.stability == pytest.approx(ratio, rel=0.01)
