"""Any description gives a clear error, or a model that runs at the step it recommends."""

import mujoco
import pytest
from support.random_cables import random_cable

import strand

pytestmark = pytest.mark.slow

SEEDS = 300
SECONDS = 2.0
STEPS = 30_000  # at most: some cables have steps of microseconds


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_description(seed: int) -> None:
    described = random_cable(seed)
    try:
        mjcf = described.to_mjcf()
    except strand.StrandError as error:
        of, field = described, str(error).split(":")[0]
        if field.startswith("branch "):
            of = next(b for b in described.branches if f"branch {b.name}" == field)
            field = str(error).split(": ")[1]
        assert ", allowed: " in str(error)
        assert hasattr(of, field) or hasattr(of.cable, field)
        return
    model = mujoco.MjModel.from_xml_string(mjcf)
    data = mujoco.MjData(model)
    while data.time < min(SECONDS, STEPS * model.opt.timestep):
        mujoco.mj_step(model, data, 50)
        assert not data.warning.number.any()
