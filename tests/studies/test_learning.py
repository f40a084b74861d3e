"""Environments of the manipulation scenes: what Gymnasium expects, physics, rewards, bad input."""

import copy
import subprocess
import sys

import gymnasium
import mujoco
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.engine import needs_discrete

from strand.draw.stage import can_render
from strand.errors import StrandError
from strand_studies.learning import ENVIRONMENTS, episode, policies
from strand_studies.learning.environment import CableEnv
from strand_studies.learning.motors import Motors
from strand_studies.learning.tasks import TASKS
from strand_studies.manipulation.catalog import load
from strand_studies.manipulation.names import SCENES
from strand_studies.manipulation.run import play, start

pytestmark = needs_discrete


def numbers(seen: dict[str, np.ndarray]) -> bytes:
    return b"".join(part.tobytes() for part in seen.values())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SCENES)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    env = gymnasium.make(ENVIRONMENTS[name])
    check_env(env.unwrapped, skip_render_check=True)
    unwrapped = env.unwrapped
    flat = gymnasium.spaces.flatten(unwrapped.observation_space, unwrapped.reset(seed=1)[0])
    assert len(unwrapped.observation_names()) == flat.size
    assert len(set(unwrapped.observation_names())) == flat.size


@pytest.mark.parametrize("name", ("routing", "plug", "handover"))
def test_a_seed_gives_the_model_of_the_scene(name: str) -> None:
    env = CableEnv(name)
    env.reset(seed=3)
    model = start(load(name), 3)[0]
    for field in ("body_mass", "body_inertia", "qpos0", "geom_friction"):
        assert getattr(env.model, field).tobytes() == getattr(model, field).tobytes()


def test_a_seed_gives_the_same_episode_again() -> None:
    env, ends = CableEnv("handover"), []
    actions = np.random.default_rng(0).uniform(-1, 1, (25, 10))
    for seed in (4, 4, 5):
        env.reset(seed=seed)
        seen = [env.step(action)[:2] for action in actions]
        ends.append(b"".join(numbers(each) + np.float64(reward).tobytes() for each, reward in seen))
    assert ends[0] == ends[1] != ends[2]


def test_velocities_are_those_of_the_places() -> None:
    """A base that drives at 1 m/s drags its hose: compared with a small step of the positions."""
    env = CableEnv("hose")
    env.reset(seed=0)
    for _ in range(40):
        seen, *_ = env.step([0.5, 0, 0])
    moved, small = copy.copy(env.data), 1e-6
    mujoco.mj_integratePos(env.model, moved.qpos, moved.qvel, small)
    mujoco.mj_kinematics(env.model, moved)
    places = [[d.site(f"cable_node{k}").xpos for k in range(97)] for d in (env.data, moved)]
    assert np.abs(np.array(places[0]) - seen["cable"]).max() < 1e-6
    velocity = np.subtract(*places[::-1]) / small
    assert np.abs(velocity - seen["cable_velocity"]).max() < 1e-5
    assert np.abs(velocity).max() > 0.9
    assert seen["bodies"][0, 7] == pytest.approx(1.0, abs=0.01)
    assert seen["motors"][0, 1] == pytest.approx(1.0, abs=0.01)


def test_a_hand_goes_where_the_action_says() -> None:
    env = CableEnv("plug")
    first, _ = env.reset(seed=0)
    for _ in range(25):
        last, *_ = env.step([0.2, 0, 0, 0.5, 0.5])
    moved = (last["hands"] - first["hands"])[0]
    turned = np.arctan2(last["hands"][0, 4], last["hands"][0, 3])
    # A critically damped servo lags behind its target by speed * damping / stiffness; the target
    # of a time step is that of the one before.
    lag = -env.model.actuator_biasprm[:, 2] / env.model.actuator_gainprm[:, 0]
    lag += env.model.opt.timestep
    assert moved[0] == pytest.approx(0.2 * (0.5 - lag[0]), abs=1e-4)  # of 1 m/s for 0.5 s
    assert turned == pytest.approx(2.0 * (0.5 - lag[3]), abs=1e-3)  # of 4 rad/s
    assert first["hands"][0, 5] == pytest.approx(0.02) and abs(last["hands"][0, 5]) < 1e-3


def test_actions_scale_to_the_ranges_of_controls() -> None:
    env = CableEnv("drone")
    assert env.motors.controls([-1, 0, 1, 9]).tolist() == [0, 3.5, 7, 7]
    assert env.motors.action([0, 3.5, 7, 99]).tolist() == [-1, 0, 1, 1]
    assert CableEnv("plug").motors.controls(np.zeros(5)).tolist() == [0] * 5
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>'
        '<actuator><motor name="free" joint="j"/></actuator></mujoco>'
    )
    with pytest.raises(StrandError, match="actuator: got 'free' without limits"):
        Motors(model)


def test_bad_actions() -> None:
    env = CableEnv("plug")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(5))
    env.reset(seed=0)
    with pytest.raises(StrandError, match=r"action: got \[0.0, nan.*\(hand_y\), allowed: finite"):
        env.step([0, np.nan, 0, 0, 0])
    with pytest.raises(StrandError, match=r"action: got shape \(4,\), allowed: \(5,\)"):
        env.step([0, 0, 0, 0])
    beyond = [env.reset(seed=0), env.step([7.0, -7.0, 0, 0, 0])][1][0]
    within = [env.reset(seed=0), env.step([1.0, -1.0, 0, 0, 0])][1][0]
    assert numbers(beyond) == numbers(within)


@pytest.mark.slow
@pytest.mark.parametrize("name", ("plug", "handover"))
def test_the_script_succeeds_through_actions_as_in_play(name: str) -> None:
    env, rewards, progress = CableEnv(name), [], []

    def watch(env: CableEnv, step: episode.Step) -> None:
        rewards.append(step.reward)

    done = episode.run(env, policies.scripted, 11, [watch])
    scene = load(name)
    assert done.success == play(scene, *start(scene, 11)).success
    assert done.success and not done.broken and done.overlap < 1
    _, info = env.reset(seed=11)
    progress = info["progress"]
    assert 1 < done.rewards < 2 - progress and rewards[-1] > 0.99
    assert done.rewards == pytest.approx(sum(rewards))
    assert done.rewards - 1 + progress > 0.95  # the increases add up to the progress at the end


def test_progress_grows_with_what_is_done() -> None:
    assert TASKS.keys() == SCENES.keys()
    done = {
        "routing": ({"clips": 1, "farthest": np.inf}, {"clips": 4, "farthest": 0.003}),
        "plug": (
            {"depth": -0.1, "aside": 0.02, "latched": 1},
            {"depth": 0.012, "aside": 0, "latched": 1},
        ),
        "lay": ({"farthest": 0.5, "mean": 0.2}, {"farthest": 0.009, "mean": 0.004}),
        "winch": ({"turns": 1, "wound": 0.3, "lift": 0.1}, {"turns": 3, "wound": 0.9, "lift": 0.9}),
        "handover": ({"off_goal": 0.3, "turned": 1}, {"off_goal": 0.005, "turned": 0.1}),
        "hose": ({"around": -0.2, "to_go": 0.02}, {"around": 1.8, "to_go": 0.02}),
        "knot": ({"determinant": 1, "knot_size": 0}, {"determinant": 3, "knot_size": 0.1}),
        "drone": ({"off_goal": 1.0}, {"off_goal": 0.03}),
    }
    for name, (little, much) in done.items():
        progress = TASKS[name].progress
        assert 0 <= progress(little) < 0.55 and 0.9 < progress(much) <= 1, name


def test_sparse_rewards_are_zero_until_the_task_is_done() -> None:
    env = CableEnv("winch", reward="sparse", bonus=3.0, hold=0.06)
    env.reset(seed=0)
    assert env.step([-1.0])[1] == 0.0
    object.__setattr__(env.scene, "success", lambda model, data: True)
    outcomes = [env.step([-1.0])[1:4] for _ in range(3)]
    assert outcomes == [(0.0, False, False), (0.0, False, False), (3.0, True, False)]


def test_an_episode_is_cut_when_its_time_is_over() -> None:
    env = CableEnv("plug", seconds=0.06)
    env.reset(seed=0)
    assert [env.step(np.zeros(5))[2:4] for _ in range(3)] == [(False, False)] * 2 + [(False, True)]


def test_a_simulation_that_breaks_down_ends_without_nan() -> None:
    env = CableEnv("handover")
    seen, info = env.reset(seed=0)
    env.data.qvel[:] = 1e12
    after, reward, terminated, truncated, told = env.step(np.zeros(10))
    assert terminated and not truncated and told["broken"] and told["why"]
    assert not told["success"] and reward == -info["progress"]
    assert numbers(after) == numbers(seen) and told["figures"] == info["figures"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(10))
    again, info = env.reset(seed=0)
    assert numbers(again) == numbers(seen) and not info["broken"]
    assert not env.step(np.zeros(10))[4]["broken"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ("routing", "plug", "lay", "handover"))
def test_random_actions_never_give_nan(name: str) -> None:
    env = CableEnv(name, seconds=1.0)
    env.action_space.seed(0)
    env.reset(seed=0)
    for _ in range(150):
        seen, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert env.observation_space.contains(seen) and np.isfinite(reward)
        if terminated or truncated:
            env.reset()


def test_what_is_drawn_can_be_chosen() -> None:
    env = CableEnv("plug", episodes_per_model=2, ranges={"friction": (0.7, 0.7)})
    values = [env.reset(seed=1)[1]["values"], *(env.reset()[1]["values"] for _ in range(2))]
    assert values[0] == values[1] != values[2]
    assert {each["friction"] for each in values} == {0.7}
    told = env.reset(options={"randomize": False, "values": {"EI": 1e-3}})[1]["values"]
    assert (
        told == env.reset(seed=9, options={"randomize": False, "values": {"EI": 1e-3}})[1]["values"]
    )
    assert told["EI"] == 1e-3 and told["x"] == pytest.approx(0.005)
    assert CableEnv("plug", randomize=False).reset(seed=2)[1]["values"]["y"] == 0


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"scene": "juggle"}, "name: got 'juggle'"),
        ({"reward": "huge"}, "reward: got 'huge', allowed: dense, sparse"),
        ({"bonus": np.nan}, "bonus: got nan"),
        ({"hold": -1.0}, "hold: got -1.0"),
        ({"seconds": 0.0}, "seconds: got 0.0"),
        ({"seconds": np.inf}, "seconds: got inf"),
        ({"episodes_per_model": 0}, "episodes_per_model: got 0"),
        ({"ranges": {"colour": (0, 1)}}, "ranges: got 'colour', allowed: EI, "),
        ({"ranges": {"EI": 3.0}}, r"ranges.EI: got 3.0, allowed: \(low, high\)"),
        ({"ranges": {"EI": (2.0, 1.0)}}, "range: got 2.0 to 1.0"),
        ({"grasp": "weld"}, "grasp: got 'weld', allowed: with handover, routing only"),
        ({"scene": "routing", "grasp": "glue"}, "grasp: got 'glue', allowed: friction, weld"),
        ({"render_mode": "human"}, "render_mode: got 'human'"),
        ({"width": 0}, "size: got"),
    ],
)
def test_bad_arguments(arguments: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        CableEnv(**{"scene": "plug"} | arguments)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"speed": 1}, "options: got speed, allowed: randomize, values"),
        ({"values": {"colour": 1.0}}, "values: got 'colour', allowed: EI, "),
        ({"values": {"EI": "stiff"}}, "values.EI: got 'stiff', allowed: a finite number"),
        ({"values": {"EI": -1.0}}, "EI"),
    ],
)
def test_bad_options(options: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        CableEnv("plug").reset(options=options)


@pytest.mark.slow
def test_environments_run_in_processes() -> None:
    """Spawned ones know nothing but what Gymnasium sends them."""
    envs = gymnasium.make_vec(
        ENVIRONMENTS["plug"],
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
    )
    seen, _ = envs.reset(seed=5)
    for _ in range(3):
        seen, rewards, *_ = envs.step(np.zeros((2, 5), dtype=np.float32))
    envs.close()
    single = CableEnv("plug")
    single.reset(seed=6)  # of the second environment
    for _ in range(3):
        alone, *_ = single.step(np.zeros(5))
    assert (seen["cable"][1] == alone["cable"]).all() and rewards.shape == (2,)


@pytest.mark.skipif(not can_render(), reason="nothing can be rendered here")
def test_pictures_show_the_hand_move() -> None:
    env = CableEnv("plug", render_mode="rgb_array", width=96, height=64)
    env.reset(seed=0)
    before = env.render()
    for _ in range(10):
        env.step([0, 1, 0, 0, 0])
    after = env.render()
    env.close()
    assert before.shape == (64, 96, 3) and before.dtype == np.uint8
    assert (before != after).any() and env.metadata["render_fps"] == 50


def run_python(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_registering_loads_no_mujoco() -> None:
    done = run_python(
        "import sys, gymnasium, strand_studies.learning\n"
        "assert gymnasium.spec('strand/Plug-v0').kwargs == {'scene': 'plug'}\n"
        "assert 'mujoco' not in sys.modules and 'strand' not in sys.modules"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "code, kind",
    [
        ("import strand_studies.learning", "ImportError: "),
        (
            "import strand_command; sys.argv[1:] = ['learn', 'evaluate', 'plug']\n"
            "strand_command.main()",
            "strand: ",
        ),
    ],
)
def test_without_gymnasium_the_remedy_is_named(code: str, kind: str) -> None:
    done = run_python(f"import sys; sys.modules['gymnasium'] = None\n{code}")
    assert done.returncode != 0
    words = f'{kind}gymnasium: not installed; pip install "strand[gym]" installs it'
    assert done.stderr.strip().splitlines()[-1] == words
