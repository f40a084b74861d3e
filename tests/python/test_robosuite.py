"""Cables in environments of robosuite, or in a stand-in that needs no robosuite."""

import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

import strand
from strand.draw.stage import can_render
from strand.mujoco_versions import BEST_INTEGRATOR
from strand.robosuite import Placed, add_cable, add_cables, simulation
from strand.robosuite.scene_text import with_cables
from strand.robosuite.versions import check_versions

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "scripts" / "examples"
# As in robosuite: visual geoms of group 1 without mass, and air.
SCENE = f"""
<mujoco model="base">
  <compiler angle="radian" inertiagrouprange="0 0" autolimits="true"/>
  <option impratio="20" cone="elliptic" density="1.2" viscosity="0.00002" timestep="0.002"
    integrator="{BEST_INTEGRATOR}"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="table" pos="0 0 0.8">
      <geom type="box" size="0.4 0.4 0.0251234567"/>
      <geom type="box" size="0.4 0.4 0.0251234567" group="1" contype="0" conaffinity="0"/>
    </body>
    <body name="hand" pos="0 0.3 1.5">
      <joint name="lift" type="slide" axis="0 0 1" damping="20" range="-1 1"/>
      <geom type="box" size=".05 .05 .0512345678"/>
      <site name="grip" pos="0 0 -.06"/>
    </body>
  </worldbody>
  <contact><exclude body1="table" body2="hand"/></contact>
  <actuator><position name="lift" joint="lift" kp="300"/></actuator>
  <keyframe><key name="up" qpos="0.5"/></keyframe>
</mujoco>
"""
ABOVE = (-0.15, 0.1, 0.04)  # m: a place above the table


class StandIn:
    """What strand.robosuite uses of an environment of robosuite."""

    def __init__(self) -> None:
        self.model = SimpleNamespace(get_xml=lambda: SCENE)
        self.hard_reset = True
        self._xml_processors: list[Callable[[str], str]] = [lambda text: text]
        self.reset()

    def set_xml_processor(self, processor: Callable[[str], str]) -> None:
        self._xml_processors.append(processor)

    def reset(self, text: str = "") -> None:
        text = text or self.model.get_xml()
        for processor in self._xml_processors:
            text = processor(text)
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        self.sim = SimpleNamespace(
            model=SimpleNamespace(_model=model), data=SimpleNamespace(_data=data), text=text
        )


def line(**options: Any) -> strand.Cable:
    given = {"EI": 5e-3, "GJ": 4e-3, "radius": 0.004} | options
    return strand.Cable(strand.straight(0.3, 20), **given)


def check_kept(model: mujoco.MjModel, bare: mujoco.MjModel) -> None:
    """The model has the bodies, joints and geoms of the bare scene, to the last digit."""
    fields = {
        "body": ("mass", "inertia", "ipos", "iquat", "pos", "quat"),
        "joint": ("pos", "axis", "range", "stiffness"),
    }
    for kind, names in fields.items():
        for one in map(getattr(bare, kind), range(bare.nbody if kind == "body" else bare.njnt)):
            same = getattr(model, kind)(one.name)
            for name in names:
                assert np.array_equal(getattr(one, name), getattr(same, name)), (one.name, name)
    sizes = {tuple(size) for size in model.geom_size}
    assert {tuple(size) for size in bare.geom_size} <= sizes
    assert np.array_equal(model.actuator_gainprm, bare.actuator_gainprm)
    assert (model.opt.timestep, model.opt.density) == (bare.opt.timestep, bare.opt.density)


def test_the_cable_is_there_after_the_reset_and_the_scene_stays_as_it_was() -> None:
    env = StandIn()
    bare = simulation(env).model
    add_cable(env, line(), "table", ABOVE)
    assert simulation(env).model is bare
    env.reset()
    model, data = simulation(env)
    check_kept(model, bare)
    assert model.opt.tolerance == pytest.approx(1e-12)
    assert data.site("cable_node0").xpos == pytest.approx((-0.15, 0.1, 0.84))
    mujoco.mj_step(model, data, 500)
    assert data.warning.number.sum() == 0
    lying = strand.profile(*simulation(env)).nodes[:, 2] - (0.8251234567 + 0.004)
    assert np.abs(lying).max() < 1e-4


def test_the_cable_can_be_seen() -> None:
    env = StandIn()
    add_cable(env, line(), "table", ABOVE)
    add_cable(env, line(prefix="skin_", skin=True), "table", (-0.15, -0.1, 0.04))
    env.reset()
    model = simulation(env).model
    assert model.geom("cable_geom3").group == 1
    assert model.geom("skin_geom3").group == 3
    assert [model.skin(k).name for k in range(model.nskin)] == ["skin_skin"]


CABLES = {
    "free": line(),
    "fixed": line(start="fixed"),
    "weld": line(start="weld", start_to="hand"),
    "pin": line(end="pin", end_to="hand"),
    "mocap": line(start="mocap"),
    "long": strand.Cable(strand.straight(0.9, 60), EI=5e-3, GJ=4e-3),
    "ring": strand.Cable(strand.ring(0.1, 24), EI=5e-3, GJ=4e-3, radius=0.004, closed=True),
    "branch": line(branches=[strand.Branch(line(), name="b", at=0.15, angle=1.0)]),
    "unequal": line(stretches=[strand.Stretch(0.1, 0.2, EI=1e-3, GJ=1e-3)], skin=True),
}


@pytest.mark.parametrize("name", CABLES)
def test_the_model_is_that_of_attach(name: str) -> None:
    cable, body = CABLES[name], "hand" if name == "fixed" else "table"
    spec = mujoco.MjSpec.from_string(SCENE)
    strand.attach(spec, cable, body, ABOVE)
    expected = spec.compile()
    model = mujoco.MjModel.from_xml_string(with_cables(SCENE, [Placed(cable, body, ABOVE)]))
    check_kept(model, mujoco.MjModel.from_xml_string(SCENE))
    for count in ("nq", "nbody", "ngeom", "nsite", "neq", "nexclude", "nskin", "nmocap", "nkey"):
        assert getattr(model, count) == getattr(expected, count), count
    for field in ("jnt_type", "body_mass", "dof_damping", "dof_armature", "eq_solimp"):
        assert getattr(model, field) == pytest.approx(getattr(expected, field), rel=1e-5), field
    assert model.key_qpos == pytest.approx(expected.key_qpos, abs=1e-5)
    places = []
    for each in (model, expected):
        data = mujoco.MjData(each)
        mujoco.mj_step(each, data, 50)
        assert data.warning.number.sum() == 0
        places.append(strand.profile(each, data).nodes)
    assert np.abs(places[0] - places[1]).max() < 1e-5


def test_other_processors_and_cables_stay() -> None:
    env = StandIn()
    env.set_xml_processor(lambda text: text.replace("hand", "palm"))
    add_cable(env, line(), "table", ABOVE)
    add_cable(env, line(prefix="other_", start="fixed"), "palm")
    env.reset()
    model, data = simulation(env)
    assert model.nplugin == 2
    assert strand.profile(model, data, "other_rod").nodes[0] == pytest.approx((0, 0.3, 1.5))


def test_each_reset_may_have_other_cables() -> None:
    env, random = StandIn(), np.random.default_rng(0)

    def draw() -> Placed:
        cable = strand.Cable(strand.straight(random.uniform(0.2, 0.3), 12), EI=1e-3, GJ=1e-3)
        return Placed(cable, "table", (-0.1, random.uniform(0, 0.2), 0.04))

    add_cables(env, draw)
    found = []
    for _ in range(3):
        env.reset()
        found.append(strand.profile(*simulation(env)))
    assert len({cable.node_arclength[-1] for cable in found}) == 3
    assert len({cable.nodes[0, 1] for cable in found}) == 3


def test_a_saved_model_keeps_its_cables() -> None:
    env = StandIn()
    add_cable(env, line(), "table", ABOVE)
    env.reset()
    saved = env.sim.text
    env.reset(saved)
    assert env.sim.text == saved


def test_a_cable_may_come_from_a_file(tmp_path: Path) -> None:
    from strand.cable import cable_file

    file = tmp_path / "cable.toml"
    file.write_text(cable_file.EXAMPLE)
    env = StandIn()
    add_cable(env, file, pos=(0, 0, 3))
    env.reset()
    assert simulation(env).model.nplugin == 1


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda env: add_cable(env, line(), "tabel"), "body: got 'tabel'"),
        (lambda env: add_cable(env, "none.toml"), "none.toml"),
        (lambda env: add_cable(env, line(), pos=(0, 0)), "pos: got"),
        (lambda env: add_cable(env, line(prefix="b_", start="weld", start_to="none")), "start_to"),
        (lambda env: add_cable(env, line(), "table"), "prefix: got 'cable_'"),
        (lambda env: add_cables(env, 3), "draw: got 3"),
        (lambda env: add_cables(env, lambda: [line()]), "returns a Cable"),
        (lambda env: add_cables(env, lambda: None), "returns a NoneType"),
    ],
)
def test_errors_leave_the_environment_unchanged(add: Callable, message: str) -> None:
    env = StandIn()
    add_cable(env, line(), "table", ABOVE)
    before = list(env._xml_processors)
    with pytest.raises(strand.StrandError, match=re.escape(message)):
        add(env)
    assert env._xml_processors == before


def test_what_is_no_environment_is_an_error() -> None:
    for call in (lambda: add_cable(3, line()), lambda: simulation(3)):
        with pytest.raises(strand.StrandError, match=r"env: got int.*robosuite==1\.5\.2"):
            call()


def test_an_environment_that_keeps_its_model_is_an_error() -> None:
    env = StandIn()
    env.hard_reset = False
    with pytest.raises(strand.StrandError, match=r"env\.hard_reset: got False"):
        add_cable(env, line(), "table", ABOVE)


@pytest.mark.parametrize(
    ("robosuite", "engine", "fails"),
    [("1.5.2", "3.3.7", False), ("1.5.2", "3.17.0", True), ("1.6.0", "3.17.0", False)],
)
def test_a_mujoco_that_robosuite_cannot_use_is_an_error(
    robosuite: str, engine: str, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: robosuite)
    monkeypatch.setattr(mujoco, "mj_versionString", lambda: engine)
    if not fails:
        return check_versions()
    with pytest.raises(ImportError, match=r"pip install robosuite==1\.5\.2 mujoco==3\.3\.7"):
        check_versions()


def test_robosuite_is_not_imported() -> None:
    code = "import sys, strand; assert 'strand.robosuite' not in sys.modules;"
    code += "import strand.robosuite; assert 'robosuite' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_the_example_says_what_is_missing() -> None:
    if importlib.util.find_spec("robosuite"):
        pytest.skip("robosuite is installed")
    command = [sys.executable, str(EXAMPLES / "robosuite_cable.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.strip().endswith("pip install robosuite==1.5.2 mujoco==3.3.7")


# From here on with robosuite itself.


def make(name: str = "Lift", robots: Any = "Panda", pictures: bool = False, **options: Any) -> Any:
    robosuite = pytest.importorskip("robosuite")
    return robosuite.make(
        name,
        robots=robots,
        has_offscreen_renderer=pictures,
        use_camera_obs=False,
        ignore_done=True,
        renderer="mujoco",
        seed=0,
        **options,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "robots"),
    [("Lift", "Panda"), ("Door", "Sawyer"), ("NutAssembly", "UR5e"), ("TwoArmLift", ["Panda"] * 2)],
)
def test_environments_run(name: str, robots: Any) -> None:
    env = make(name, robots)
    add_cable(env, line(), "world", (-0.15, 0.0, 2.0))
    bare = mujoco.MjModel.from_xml_string(env.model.get_xml())
    text = env._xml_processors[-1](env.edit_model_xml(env.model.get_xml()))
    check_kept(mujoco.MjModel.from_xml_string(text), bare)
    for _ in range(2):
        env.reset()
        for _ in range(10):
            env.step(np.zeros(env.action_dim))
        model, data = simulation(env)
        assert model.nplugin == 1
        assert data.warning.number.sum() == 0
    env.close()


@pytest.mark.slow
def test_saved_models_soft_resets_and_wrappers() -> None:
    env = make()
    from robosuite.wrappers.wrapper import Wrapper  # without the parts that need h5py

    wrapped = Wrapper(env)
    add_cable(wrapped, line(), "table", (-0.15, 0.15, 0.03))
    wrapped.reset()
    assert simulation(wrapped).model.nplugin == 1
    saved = env.sim.model.get_xml()
    wrapped.reset_from_xml_string(saved)
    assert simulation(wrapped).model.nplugin == 1
    env.hard_reset = False
    model = simulation(env).model
    env.step(np.zeros(env.action_dim))
    env.reset()
    assert simulation(env).model is model
    assert strand.profile(*simulation(env)).nodes[0] == pytest.approx((-0.15, 0.15, 0.805))
    env.close()


@pytest.mark.slow
def test_pictures_show_the_cable() -> None:
    if not can_render():
        pytest.skip("no OpenGL")
    env = make(pictures=True)
    add_cable(env, line(rgba=(0, 0, 1, 1)), "table", (-0.15, 0.15, 0.03))
    for _ in range(2):
        env.reset()
        picture = env.sim.render(320, 240, camera_name="agentview").astype(int)
        blue = (picture[:, :, 2] > 60) & (picture[:, :, 2] > 2 * picture[:, :, :2].max(axis=2))
        assert 100 < blue.sum() < 5000
    env.close()


@pytest.mark.slow
def test_the_gripper_lifts_the_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("robosuite")
    monkeypatch.syspath_prepend(EXAMPLES)
    import robosuite_cable

    env = robosuite_cable.make()
    found = robosuite_cable.lift(env)
    print(found)
    assert found["warnings"] == 0
    assert -2e-5 < found["resting"] < 0
    assert found["lifted"] > 0.05
    assert found["slipped"] < 3e-3
    assert found["crept"] < 5e-4
    env.close()


@pytest.mark.slow
def test_the_page_is_correct(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("robosuite")
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "assets" / "docs" / "robot_arms.md").read_text()
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks
    namespace: dict = {"__name__": "__main__"}
    for block in blocks:
        exec(block, namespace)
