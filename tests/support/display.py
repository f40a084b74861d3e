"""Marks and scenes of tests of the viewer, which run on a virtual display."""

import shutil

import mujoco
import pytest

import strand

#: Xvfb is there, and no other display (the fixture is in tests/conftest.py).
ON_XVFB = [
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="Xvfb is missing (./scripts/setup installs it)"
    ),
    pytest.mark.usefixtures("without_a_display"),
]


def staged(cable: strand.Cable) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A cable on the stage, with coarse shadows: fine ones take 40 % of a frame's time here."""
    model = mujoco.MjModel.from_xml_string(strand.generate(cable, stage=True))
    model.vis.quality.shadowsize = 256
    return model, mujoco.MjData(model)
