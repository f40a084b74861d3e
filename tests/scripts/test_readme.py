"""The documentation is correct: its code runs, and its commands and options exist."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import mujoco
import pytest
import typer
from support.engine import needs_decoders, needs_discrete
from typer.testing import CliRunner

import strand
from strand import sweep
from strand.cable import cable_file
from strand.cli import app
from strand.scene import file as scene_file

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / path for path in ("README.md", "plugin/mujoco/README.md", "model/README.md")),
    *sorted((ROOT / "assets" / "docs").glob("*.md")),
]
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

# Files and objects that the texts assume.
ROBOTS = """
<mujoco>
  <worldbody>
    <body name="left_hand" pos="0 0 1">
      <joint type="slide"/><geom size="0.02"/><site name="left_grip"/>
    </body>
    <body name="right_hand" pos="0.8 0 1">
      <joint type="slide"/><geom size="0.02"/><site name="right_grip"/>
    </body>
  </worldbody>
</mujoco>"""
OLD = """
<mujoco>
  <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <worldbody>
    <composite type="cable" prefix="c" curve="s" count="11 1 1" size="1" initial="none">
      <plugin plugin="mujoco.elasticity.cable">
        <config key="bend" value="1e7"/><config key="twist" value="1e7"/>
      </plugin>
      <geom type="capsule" size="0.005"/>
    </composite>
  </worldbody>
</mujoco>"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("robots.xml").write_text(ROBOTS)
    Path("old.xml").write_text(OLD)
    Path("cable.toml").write_text(cable_file.EXAMPLE)
    Path("wire.cable.toml").write_text(cable_file.EXAMPLE)
    Path("flap.csv").write_text("time,a\n0,0\n1,0.3\n")
    return tmp_path


def blocks(page: Path, language: str) -> Iterator[tuple[int, str]]:
    """The starting line and the text of each block in a language ("" for blocks without one)."""
    within, begin, lines = None, 0, []
    for number, line in enumerate(page.read_text().splitlines(keepends=True), start=1):
        if not line.startswith("```"):
            lines.append(line)
        elif within is None:
            within, begin, lines = line[3:].strip(), number, []
        else:
            if within == language:
                yield begin, "".join(lines)
            within = None


@needs_discrete
@every_page
def test_python_runs(page: Path, folder: Path) -> None:
    """Runs all blocks of a page in order, in one namespace."""
    namespace: dict = {"__name__": "__main__"}
    for line, code in blocks(page, "python"):
        exec(compile("\n" * line + code, page, "exec"), namespace)


@needs_decoders
@every_page
def test_models_load(page: Path, folder: Path) -> None:
    for _, text in blocks(page, "xml"):
        whole = text if text.startswith("<mujoco") else f"<mujoco>{text}</mujoco>"
        files = {path.name: path.read_bytes() for path in folder.glob("*.toml")}
        assert mujoco.MjModel.from_xml_string(whole, files).nplugin == 1


@every_page
def test_scenes_load(page: Path, folder: Path) -> None:
    for _, text in blocks(page, "toml"):
        if "[shape]" in text:
            cable_file.from_toml(text)
        elif "[run]" in text:
            sweep.from_toml(text).check()
        else:
            scene_file.from_toml(text)


def shell_lines(page: Path) -> list[str]:
    languages = ("", "sh", "bash")
    texts = [text for language in languages for _, text in blocks(page, language)]
    return [line for text in texts for line in text.splitlines()]


def commands(lines: list[str]) -> list[list[str]]:
    """The words after `strand` in these lines."""
    pieces = [piece.strip() for line in lines for piece in line.split("&&")]
    return [
        shlex.split(piece, comments=True)[1:]
        for piece in pieces
        if re.match(r"strand [a-z-]", piece)
    ]


@every_page
def test_commands_and_options_exist(page: Path) -> None:
    for words in commands([*shell_lines(page), *re.findall(r"`([^`\n]+)`", page.read_text())]):
        command = typer.main.get_command(app)
        left = list(words)
        while left and hasattr(command, "commands") and not left[0].startswith("-"):
            assert left[0] in command.commands, words
            command = command.commands[left.pop(0)]
        known = {
            name for option in command.params for name in (*option.opts, *option.secondary_opts)
        }
        for word in left:
            assert not word.startswith("-") or word in known | {"--help"}, words


@needs_discrete
@every_page
def test_quick_commands_run(page: Path, folder: Path) -> None:
    for words in commands(shell_lines(page)):
        if words[0] not in ("generate", "convert") or "--check" in words:
            continue
        if "flex" in words and strand.mujoco_version < "4.0.1":
            continue
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (words, result.output, result.exception)


@every_page
def test_scripts_and_files_exist(page: Path) -> None:
    text = page.read_text()
    named = re.findall(r"(?:\./|bin/python )(scripts/[\w/.]+)", text)
    named += [str(Path(page.parent, link).relative_to(ROOT)) for link in links(text)]
    for name in named:
        assert (ROOT / name).exists(), name
    assert all(os.access(ROOT / name, os.X_OK) for name in named if "." not in name)


def links(text: str) -> list[str]:
    """Links into the page's own repository, without the part after #."""
    found = re.findall(r"\]\(([^)#\s]+)", text)
    return [link for link in found if not re.match(r"\w+:", link)]
