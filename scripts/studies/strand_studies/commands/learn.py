"""strand learn: policies on the manipulation scenes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strand.cli.output import JsonFile, finish, report_progress
from strand.draw.picture import parse_size
from strand.errors import StrandError
from strand_studies.manipulation.names import GRASPS, SCENES

if TYPE_CHECKING:
    from strand_studies.learning.environment import CableEnv

app = typer.Typer(no_args_is_help=True)

PolicyOption = Annotated[
    str, typer.Option(help="scripted, idle, random, MODULE:FUNCTION or FILE.py:FUNCTION.")
]
FirstSeed = Annotated[int, typer.Option(min=0, help="The first seed.")]
GraspOption = Annotated[
    str | None, typer.Option(help=f"{', '.join(GRASPS)}: hands hold by friction or weld.")
]


@app.callback()
def _learn() -> None:
    """Evaluates and records policies on the manipulation scenes.

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
    json: JsonFile = None,
) -> None:
    """Prints the success rate of a policy with its 95 % interval, the mean return, the speed.

    Exits with 0 only if every scene reaches --least, where that is given.

    Example: strand learn evaluate plug handover --seeds 20 --least 0.9 --json evaluate.json
    """
    _need("gymnasium")
    from strand_studies.learning import evaluation, policies

    make = policies.find(policy)
    environments = [_environment(name, grasp) for name in scenes]
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
    env = _environment(scene, grasp, **drawn)
    recorder = recording.open_recorder(folder, env)
    with report_progress(f"record {scene}") as progress:
        wanted = range(first, first + episodes)
        report = recording.run(env, make, wanted, recorder, successes, progress)
    env.close()
    finish(report, json)


def _environment(name: str, grasp: str | None, **options: Any) -> "CableEnv":
    if name not in SCENES:
        raise StrandError(f"scene: got {name!r}, allowed: {', '.join(SCENES)}")
    from strand_studies.learning.environment import CableEnv

    return CableEnv(name, grasp=grasp, **options)


def _need(package: str) -> None:
    """Raises StrandError if a package of the extra `gym` is not installed."""
    import importlib.util

    if importlib.util.find_spec(package) is None:
        raise StrandError(f'{package}: not installed; pip install "strand[gym]" installs it')
