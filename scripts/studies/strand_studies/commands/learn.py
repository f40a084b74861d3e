"""strand learn: policies on the manipulation scenes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import JsonFile, finish, report_progress
from strand.draw.picture import parse_size
from strand.errors import StrandError
from strand_studies.manipulation.names import GRASPS, MANY_WORLDS, SCENES

if TYPE_CHECKING:
    from strand_studies.learning.environment import CableEnv

app = typer.Typer(no_args_is_help=True)

PolicyOption = Annotated[
    str,
    typer.Option(help="scripted, idle, random, MODULE:FUNCTION, FILE.py:FUNCTION or FILE.npz."),
]
FirstSeed = Annotated[int, typer.Option(min=0, help="The first seed.")]
GraspOption = Annotated[
    str | None, typer.Option(help=f"{', '.join(GRASPS)}: hands hold by friction or weld.")
]


@app.callback()
def _learn() -> None:
    """Evaluates, records and trains policies on the manipulation scenes.

    They need the packages of pip install "strand\\[gym]". A policy of your own is a function that
    gets the environment at the start of each episode, and returns a function of the observation
    that returns the action.

    Example: strand learn evaluate plug lay --policy scripted --seeds 20
    """


@app.command()
def evaluate(
    scenes: Annotated[list[str], typer.Argument(help=f"Any of: {', '.join(SCENES)}.")],
    seeds: Annotated[int, typer.Option(min=1, help="Number of randomised episodes.")] = 20,
    first: FirstSeed = 0,
    policy: PolicyOption = "scripted",
    least: Annotated[
        float | None, typer.Option(min=0, max=1, help="Success rate from which on a scene passes.")
    ] = None,
    grasp: GraspOption = None,
    coarse: Annotated[
        bool, typer.Option("--coarse", help="With fewer links, as `strand learn train`.")
    ] = False,
    json: JsonFile = None,
) -> None:
    """Prints the success rate of a policy with its 95 % interval, the mean return, the speed.

    Exits with 0 only if every scene reaches --least, where that is given.

    Example: strand learn evaluate plug handover --seeds 20 --least 0.9 --json evaluate.json
    """
    _need("gymnasium")
    from strand_studies.learning import evaluation, policies

    make = policies.find(policy)
    environments = [_environment(name, grasp, coarse) for name in scenes]
    with report_progress(f"evaluate {policy}") as progress:
        wanted = range(first, first + seeds)
        report = evaluation.run(environments, make, wanted, least, progress)
    finish(report, json)


@app.command()
def record(
    scene: Annotated[str, typer.Argument(help=f"One of: {', '.join(SCENES)}.")],
    folder: Annotated[Path, typer.Argument(help="Of the dataset; an existing one is extended.")],
    episodes: Annotated[int, typer.Option(min=1, help="Number of randomised episodes.")] = 10,
    first: FirstSeed = 0,
    policy: PolicyOption = "scripted",
    successes: Annotated[
        bool, typer.Option("--successes", help="Leave out episodes without success.")
    ] = False,
    images: Annotated[bool, typer.Option("--images", help="Record pictures, too (MP4).")] = False,
    size: Annotated[str, typer.Option(help="Size of the pictures, in pixels.")] = "320x240",
    grasp: GraspOption = None,
    json: JsonFile = None,
) -> None:
    """Records episodes of a policy as a dataset in LeRobot's format (v3.0).

    Exits with 0 only if no episode has broken down; one that has is not recorded.

    Example: strand learn record plug out/plug --episodes 50 --images --json record.json
    """
    for package in ("gymnasium", "pyarrow"):
        _need(package)
    shape = parse_size(size)
    from strand_studies.learning import policies, recording

    make = policies.find(policy)
    drawn = {"render_mode": "rgb_array", "width": shape[0], "height": shape[1]} if images else {}
    if images:
        from strand.draw.stage import choose_platform

        choose_platform()
    env = _environment(scene, grasp, False, **drawn)
    recorder = recording.open_recorder(folder, env)
    with report_progress(f"record {scene}") as progress:
        wanted = range(first, first + episodes)
        report = recording.run(env, make, wanted, recorder, successes, progress)
    env.close()
    finish(report, json)


@app.command()
def train(
    scene: Annotated[str, typer.Argument(help=f"One of: {', '.join(MANY_WORLDS)}.")],
    folder: Annotated[Path, typer.Argument(help="For policy.npz, curve.csv and curve.png.")],
    worlds: Annotated[int, typer.Option(min=2, help="Number of worlds.")] = 16,
    steps: Annotated[int, typer.Option(min=1, help="Actions, of all worlds together.")] = 4800,
    seconds: Annotated[
        float | None, typer.Option(help="Of an episode (default: the scene's duration).")
    ] = None,
    period: Annotated[
        float | None, typer.Option(help="Seconds for which an action is in force.")
    ] = None,
    fine: Annotated[bool, typer.Option("--fine", help="With all links; wants a GPU.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of networks, actions and worlds.")] = 0,
    rollout: Annotated[int, typer.Option(min=1, help="Steps of a world between updates.")] = 20,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = 1e-3,
    discount: Annotated[float, typer.Option(help="Discount factor of rewards.")] = 0.8,
    json: JsonFile = None,
) -> None:
    """Learns a policy with PPO (skrl) in many worlds on MuJoCo Warp.

    Afterwards the policy, and random actions, run in 16 episodes of the same scene in C. Needs
    pip install "strand\\[ppo]", and MuJoCo Warp. strand learn evaluate takes policy.npz.

    Exits with 0 only if the return of the policy is higher.

    Example: strand learn train winch out/winch --seconds 2.4 --period 0.04
    """
    _need("gymnasium")
    from strand.io.files import make_directory
    from strand_studies.learning import training
    from strand_studies.learning.vector import CableVectorEnv

    settings = training.settings(rollout=rollout, learning_rate=rate, discount=discount)
    env = CableVectorEnv(scene, worlds, coarse=not fine, seconds=seconds, period=period)
    make_directory("folder", folder)
    with report_progress(f"train {scene}") as progress:
        report = training.run(env, folder, steps, seed, settings, progress)
    finish(report, json)


def _environment(name: str, grasp: str | None, coarse: bool, **options: Any) -> "CableEnv":
    allowed = MANY_WORLDS if coarse else SCENES
    if name not in allowed:
        raise StrandError(f"scene: got {name!r}, allowed: {', '.join(allowed)}")
    from strand_studies.learning.environment import CableEnv
    from strand_studies.manipulation.catalog import load

    return CableEnv(load(name).coarse() if coarse else name, grasp=grasp, **options)


def _need(package: str) -> None:
    """Raises StrandError if a package of the extra `gym` is not installed."""
    import importlib.util

    if importlib.util.find_spec(package) is None:
        raise StrandError(f'{package}: not installed; pip install "strand[gym]" installs it')
