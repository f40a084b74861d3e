"""Features that a MuJoCo version lacks are rejected by name; `auto` avoids them."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from support import cables
from typer.testing import CliRunner

import strand
from strand import StrandError, cli, mujoco_versions
from strand.mujoco_versions import HAS_DISCRETE
from strand.vine.mjcf import VineRobot

VERSION = mujoco.mj_versionString()
NUMBERS = tuple(map(int, VERSION.split(".")))
lacks_discrete = pytest.mark.skipif(HAS_DISCRETE, reason="of MuJoCo before 3.13")
ROBOT = {"pairs": 2, "half_length": 0.02, "mass": 1e-3, "inertia": 2e-4, "stiffness": 0.5}


def make(**fields) -> strand.Cable:
    return strand.Cable(strand.straight(0.5, 10), 0.02, 0.01, **fields)


def test_discrete_is_available_from_3_13_on() -> None:
    assert (NUMBERS >= (3, 13, 0)) == HAS_DISCRETE


@lacks_discrete
def test_discrete_is_refused() -> None:
    message = (
        rf"integrator: got 'discrete with MuJoCo {VERSION}', allowed: auto, Euler, implicit or"
    )
    with pytest.raises(StrandError, match=message):
        make(integrator="discrete").to_mjcf()
    with pytest.raises(StrandError, match="integrator: got 'discrete', allowed: Euler, implicit"):
        VineRobot(damping=0, integrator="discrete", **ROBOT).to_mjcf()


@lacks_discrete
def test_auto_is_euler_and_reports_why() -> None:
    assert f"integrator Euler (MuJoCo {VERSION} has no discrete), step" in str(make().recipe())
    model, _ = cables.load(make(start="fixed"))
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER
    assert (model.dof_armature > 0).all()
    assert "has no" not in str(make(integrator="Euler").recipe())
    assert 'integrator="Euler"' in VineRobot(damping=0, **ROBOT).to_mjcf()


@pytest.mark.parametrize(("command", "argument"), [("validate", "lhb"), ("compare", "cable.toml")])
def test_options_that_need_discrete_are_rejected_without_it(
    command: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli.app, ["generate", "--example", "cable.toml"]).exit_code == 0
    monkeypatch.setattr(mujoco_versions, "HAS_DISCRETE", False)
    result = CliRunner().invoke(cli.app, [command, argument])
    assert isinstance(result.exception, StrandError)
    message = str(result.exception)
    assert message.startswith(f"{command}: got MuJoCo {VERSION}, allowed: MuJoCo 3.13 or newer")


@pytest.mark.skipif(NUMBERS >= (4, 0, 1), reason="of MuJoCo before 4.0.1")
def test_flex_is_refused() -> None:
    with pytest.raises(StrandError, match=rf"backend: got flex with MuJoCo {VERSION}, .*4\.0\.1"):
        make().to_mjcf("flex")


def test_light_links_load_from_their_text() -> None:
    """MuJoCo before 4.0 writes numbers below 1e-12 as zero: there, inertia is raised to that."""
    light = strand.Cable(strand.straight(0.05, 10), 1e-6, 1e-6, radius=3e-4, density=1000)
    model, _ = cables.load(light)
    least = model.body_inertia[1:].min()
    if NUMBERS >= (4, 0, 0):
        assert 1e-14 < least < 1e-12
        assert "inertia" not in str(light.recipe())
    else:
        assert least == 1e-12
        assert "to the 1e-12 kg m^2" in str(light.recipe())


def test_an_attached_body_keeps_its_settings() -> None:
    """Angles of a body from another spec use its own unit and order, not the scene's."""
    arm = mujoco.MjSpec.from_string(
        '<mujoco><compiler angle="radian" eulerseq="zyx"/><worldbody>'
        '<body name="arm" euler="0.3 0.5 0.7"><geom size=".01"/></body></worldbody></mujoco>'
    )
    scene = mujoco.MjSpec.from_string('<mujoco><compiler angle="degree"/><worldbody/></mujoco>')
    scene.attach(arm, prefix="an_", frame=scene.worldbody.add_frame(pos=(1, 2, 3)))
    strand.attach(scene, make(collide=False), "an_arm")
    model = scene.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    body = data.body("an_arm")
    drawn = body.xpos + strand.straight(0.5, 10) @ body.xmat.reshape(3, 3).T
    sites = [data.site(f"cable_node{k}").xpos for k in range(11)]
    assert np.abs(np.array(sites) - drawn).max() < 1e-13
