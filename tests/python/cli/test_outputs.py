"""Output files are checked before the run; missing rendering is reported with a remedy."""

import os
import shlex
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import mujoco
import pytest
from typer.models import ArgumentInfo, OptionInfo
from typer.testing import CliRunner

import strand
from strand import StrandError
from strand.cable import cable_file
from strand.cli import app
from strand.cli.output import writable, writable_mjcf
from strand.draw import stage
from strand.io import files
from strand.scene import file as scene_file

SCENE = scene_file.EXAMPLE.replace("duration = 2.0", "duration = 1e9")  # never finishes
CABLE = cable_file.EXAMPLE
#: Options that name files, for commands that would take long or do something first.
OPTIONS = {
    "validate all": ("json", "plot"),
    "bench overhead": ("json", "plot"),
    "bench native": ("json", "plot"),
    "bench table2": ("json", "plot"),
    "bench scaling": ("json", "plot"),
    "bench shells": ("json",),
    "bench shell-scaling": ("json",),
    "bench vine": ("json",),
    "bench batch": ("json", "plot"),
    "bench warp": ("json", "plot"),
    "example knot --full": ("json",),
    "example vine_runtime --full": ("state",),
    "compare a.cable.toml": ("json",),
    "convert old.xml --check": ("output", "json"),
    "generate a.cable.toml": ("output", "json"),
    "generate": ("example",),
    "simulate scene.toml": ("out", "picture", "film", "checkpoint", "json"),
    "simulate": ("example",),
    "sweep a.sweep.toml": ("journal", "plot", "json"),
    "manipulate routing": ("video", "plot", "json"),
    "learn evaluate routing": ("json",),
    "learn record routing out": ("json",),
    "learn train winch out": ("json",),
    "view a.cable.toml --frames 1000000": ("picture", "video"),
    "replay a.cable.toml --seconds 1e9": ("output",),
    "doctor": ("json",),
    "materials": ("json",),
}
ENDINGS = {"out": ".csv", "picture": ".png", "film": ".mp4", "checkpoint": ".npz", "plot": ".png"}
ENDINGS |= {"video": ".mp4"}
CASES = [(command, option) for command, options in OPTIONS.items() for option in options]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.cable.toml").write_text(CABLE)
    Path("scene.toml").write_text(SCENE)
    Path("old.xml").write_text("<mujoco/>")
    Path("file").touch()
    for ending in {"", *ENDINGS.values()}:
        Path(f"folder{ending}").mkdir()
    return tmp_path


@pytest.mark.parametrize(("command", "option"), CASES)
def test_bad_paths_are_rejected_before_the_run(command: str, option: str, folder: Path) -> None:
    ending = ENDINGS.get(option, "")
    before = sorted(folder.rglob("*"))
    for path, reason in (
        (f"nowhere/a{ending}", "No such file or directory"),
        (f"folder{ending}", "a directory"),
        (f"file/a{ending}", "Not a directory"),
        (f"/proc/a{ending}", "No such file or directory"),
    ):
        result = CliRunner().invoke(app, [*command.split(), f"--{option}", path])
        assert isinstance(result.exception, StrandError), (path, result.output)
        field = {"out": "file"}.get(option, option)
        words = f"{field}: got '{path}', allowed: a writable file ({reason})"
        assert str(result.exception) == words
    assert sorted(folder.rglob("*")) == before


def test_a_dash_is_not_a_file(folder: Path) -> None:
    """Text is printed without the option: no file of that name is made."""
    for command, option in (("generate a.cable.toml", "output"), ("materials", "json")):
        result = CliRunner().invoke(app, [*command.split(), f"--{option}", "-"])
        assert str(result.exception) == f"{option}: got '-', allowed: the path of a file"
    assert not Path("-").exists()


def test_mjcf_is_not_written_as_a_binary_model(folder: Path) -> None:
    """MuJoCo reads a file with this ending as a binary one."""
    for command in ("generate a.cable.toml", "convert old.xml"):
        result = CliRunner().invoke(app, [*command.split(), "-o", "a.mjb"])
        words = "output: got 'a.mjb', allowed: a file of MJCF, such as a.xml"
        assert str(result.exception) == words
    with pytest.raises(StrandError, match=r"path: got 'a\.mjb', allowed: a file of MJCF"):
        strand.generate("a.cable.toml", "a.mjb")
    assert not Path("a.mjb").exists()


def parameters() -> Iterator[tuple[Callable, str, Any, list]]:
    """Of all commands: the function, the parameter's name, its type, and what is annotated."""
    groups = [app, *(group.typer_instance for group in app.registered_groups)]
    for command in (command for group in groups for command in group.registered_commands):
        for name, hint in typing.get_type_hints(command.callback, include_extras=True).items():
            kind, *more = typing.get_args(hint) if typing.get_origin(hint) is Annotated else (hint,)
            yield command.callback, name, kind, more


def test_every_option_that_names_a_file_is_checked() -> None:
    """Including those of future commands."""
    read = {"data", "restart", "script"}
    by_the_run = {"out", "picture", "film", "checkpoint", "frames"}
    found = set()
    for callback, name, kind, more in parameters():
        is_option = any(isinstance(each, OptionInfo) for each in more)
        if is_option and Path in typing.get_args(kind) and name not in read | by_the_run:
            assert more[0].callback in (writable, writable_mjcf), (callback, name)
            found.add(name)
    assert found == {option for _, option in CASES} - by_the_run


#: Commands that read a file: the name of the argument, and the options that name files to write.
READING = {
    "compare FILE": ("cable", "json"),
    "convert FILE": ("old", "json"),
    "generate FILE": ("cable", "output json"),
    "identify bend FILE --mass-per-length 1": ("data", "json plot"),
    "identify damping FILE": ("data", "json plot"),
    "identify fit FILE": ("spec", "json plot"),
    "simulate FILE --duration 0": ("scene", "json"),
    "simulate scene.toml --restart FILE --duration 0": ("restart", "out json"),
    "sweep FILE": ("spec", "out journal plot json"),
    "view FILE --frames 1": ("file", "picture video"),
    "view a.cable.toml --script FILE": ("script", "picture video"),
}
KEPT = [(command, name) for command, (_, names) in READING.items() for name in names.split()]


@pytest.mark.parametrize(("command", "option"), KEPT)
def test_files_that_are_read_are_not_replaced(command: str, option: str, folder: Path) -> None:
    ending = ".npz" if "--restart" in command else ".csv" if option == "out" else ".toml"
    file, link = Path(f"mine{ending}"), Path(f"link{ending}")
    if "--restart" in command:
        scene_file.load("scene.toml").simulation.save(file)
    else:
        file.write_text(SCENE if command.startswith("simulate") else CABLE)
    link.symlink_to(file)
    before = file.read_bytes()
    for path in (file, link):
        words = [*command.replace("FILE", str(file)).split(), f"--{option}", str(path)]
        result = CliRunner().invoke(app, words)
        field = "file" if option == "out" and "simulate" in command else option
        allowed = f"another file than '{file}', which is read"
        assert str(result.exception) == f"{field}: got '{path}', allowed: {allowed}"
    assert file.read_bytes() == before and link.is_symlink()


def test_every_command_that_reads_a_file_keeps_it() -> None:
    """Including future commands."""
    others = {"record folder", "train folder"}  # written to
    others |= {"replay file"}  # which writes pages only, and reads none
    found = set()
    for callback, name, kind, more in parameters():
        is_argument = any(isinstance(each, ArgumentInfo) for each in more)
        if is_argument and Path in (kind, *typing.get_args(kind)):
            found.add(f"{callback.__name__} {name}")
    kept = {
        f"{command.split(' FILE')[0].split()[-1]} {name}" for command, (name, _) in READING.items()
    }
    assert found == others | {each for each in kept if not each.startswith("--")}


@pytest.mark.parametrize("command", ["generate", "simulate", "sweep", "identify fit"])
def test_an_example_does_not_replace_what_was_made_of_it(command: str, folder: Path) -> None:
    words = [*command.split(), "--example", "mine.toml"]
    for _ in range(2):  # unchanged, so that lines of the documentation can be typed again
        assert CliRunner().invoke(app, words).exit_code == 0
    mine = Path("mine.toml").read_text() + "# my edits\n"
    Path("mine.toml").write_text(mine)
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, StrandError)
    assert str(result.exception).startswith("example: got 'mine.toml', which is there and differs")
    assert Path("mine.toml").read_text() == mine


def test_scenes_name_files_that_can_be_written(folder: Path) -> None:
    Path("scene.toml").write_text(SCENE.replace('file = "cable.npz"', 'file = "nowhere/a.npz"'))
    result = CliRunner().invoke(app, ["simulate", "scene.toml"])
    assert str(result.exception).startswith("file: got 'nowhere/a.npz', allowed: a writable file")


def test_a_folder_for_pictures_is_made_before_the_run(folder: Path) -> None:
    for command in (["example", "knot", "--full"], ["manipulate", "routing"]):
        for path in ("file", "file/frames", "/proc/frames"):
            result = CliRunner().invoke(app, [*command, "--frames", path])
            assert str(result.exception).startswith(f"frames: got '{path}")


def test_a_file_is_unchanged_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    files.check_output("path", path)
    with pytest.raises(RuntimeError), files.whole(path) as beside:
        beside.write_text("new")
        raise RuntimeError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_state_is_not_written_to_a_folder(tmp_path: Path) -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(StrandError, match=r"output: got '/.*', allowed: .*\(a directory\)"):
        strand.save_state(tmp_path, model, mujoco.MjData(model))


# Pictures.

DRAW = """
import mujoco
from strand.draw import stage
stage.Photographer(mujoco.MjSpec().compile(), 16, 16)
"""


def run_python(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    left = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MUJOCO_GL", "PYOPENGL_PLATFORM")
    }
    return subprocess.run(
        [sys.executable, *arguments], env=left | environment, capture_output=True, text=True
    )


@pytest.mark.skipif(not stage.can_render(), reason="nothing can be rendered here")
def test_pictures_need_no_variable() -> None:
    done = run_python("-c", DRAW)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("-c", "import strand_command; strand_command.main()"),
        ("-m", "strand", "--version"),
        ("-mstrand",),
        ("-m", "strand_studies.demo"),
    ],
)
def test_a_wrong_variable_is_reported_by_the_command(command: tuple[str, ...]) -> None:
    done = run_python(*command, MUJOCO_GL="nonsense")
    assert done.returncode == 1
    assert done.stderr.startswith("strand: MUJOCO_GL: got 'nonsense', allowed: egl, osmesa or glfw")
    assert done.stderr.count("\n") == 1 and "unset MUJOCO_GL" in done.stderr


def test_a_wrong_variable_is_an_import_error_for_a_script() -> None:
    done = run_python("-c", "import strand", MUJOCO_GL="nonsense")
    assert "ImportError: MUJOCO_GL: got 'nonsense'" in done.stderr


@pytest.mark.skipif("DISPLAY" in os.environ, reason="GLFW works with a display")
@pytest.mark.skipif(not stage.can_render(), reason="nothing can be rendered here")
@pytest.mark.parametrize(
    "command",
    [("simulate", "scene.toml", "--picture", "a.png"), ("example", "plate", "--frames", "frames")],
)
def test_a_variable_that_cannot_render_is_reported_with_one_that_can(
    command: tuple[str, ...], folder: Path
) -> None:
    done = run_python("-m", "strand", *command, MUJOCO_GL="glfw")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("strand: MUJOCO_GL: got 'glfw', allowed: a platform")
    assert "type: export MUJOCO_GL=" in done.stderr and done.stderr.count("\n") == 1


def test_without_rendering_the_command_to_type_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setattr(stage, "_renders", lambda platform: False)
    monkeypatch.setattr(stage, "_platform", stage._platform.__wrapped__)
    with pytest.raises(StrandError, match="type: sudo apt-get install libegl1 libosmesa6"):
        stage.Photographer(mujoco.MjSpec().compile())


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["generate a.cable.toml", "generate --schema", "--help"])
def test_what_cannot_be_printed_is_an_error(folder: Path, command: str, unbuffered: str) -> None:
    """The file that the output is written to cannot grow beyond 100 bytes."""
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
        "from strand.cli import main; main()"
    )
    with Path("out.txt").open("w") as out:
        done = subprocess.run(
            [sys.executable, "-c", limited, *command.split()],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("strand: output: got standard output (File too large)")


def test_a_closed_output_is_an_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m strand --version >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 2 and "output: got standard output" in done.stderr
