"""The scripts that make the pictures of the README."""

import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from PIL import Image
from support.engine import needs_discrete
from support.pictures import drawn

from strand_studies.manipulation.catalog import load
from strand_studies.manipulation.names import SCENES

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts" / "figures"))

import hero  # noqa: E402
import manipulation  # noqa: E402
import vine  # noqa: E402


@needs_discrete
def test_the_coil_of_the_head_picture_is_held_apart() -> None:
    """Its contact is as stiff as the time step allows, and `overlap` measures how deep it is."""
    model = hero.build()
    coil = [
        k
        for k in range(model.ngeom)
        if model.body(model.geom_bodyid[k]).name.startswith("twisted_cable_link")
    ]
    assert len(coil) >= hero.SEGMENTS
    recipe = hero.twisted_cable().recipe()
    np.testing.assert_allclose(model.geom_solref[coil], [recipe.contact_solref] * len(coil))
    np.testing.assert_allclose(model.geom_solimp[coil], [recipe.contact_solimp] * len(coil))
    assert (model.geom_solref[coil, 0] <= model.opt.timestep).all()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert hero.overlap(model, data) == 0


@needs_discrete
@drawn
def test_every_manipulation_scene_has_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    assert manipulation.MOMENTS.keys() == SCENES.keys()
    assert all(0 < time <= load(name).duration for name, time in manipulation.MOMENTS.items())
    monkeypatch.setitem(manipulation.MOMENTS, "handover", 0.1)
    picture = manipulation.moment("handover", (240, 180))
    assert picture.shape == (180, 240, 3)
    orange = np.abs(picture.astype(int) - (0xED, 0x75, 0x21)).max(axis=2) < 40
    assert orange.sum() > 20  # of the hands


def test_the_robot_is_drawn_with_a_legend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "vine.png"
    monkeypatch.setattr(sys, "argv", ["vine.py", str(file), "--size", "600x640"])
    vine.main()
    picture = np.asarray(Image.open(file).convert("RGB"))
    assert picture.shape == (640, 600, 3)
    legend = picture[:160, 500:]
    for color in ((0x1F, 0x5F, 0xA8), (0x9A, 0x94, 0x8A), (0xC8, 0x50, 0x2D)):
        assert (np.abs(legend.astype(int) - color).max(axis=2) < 8).sum() > 10
