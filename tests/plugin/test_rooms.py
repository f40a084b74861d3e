"""The rooms (folders) of plugin/mujoco: each includes only headers of itself and of earlier rooms,
and no files include each other in a cycle. (For model/ see tests/model/dependencies_test.cc.)"""

import graphlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "plugin" / "mujoco"

#: A room may include headers of the rooms before it.
ORDER = ("description", "cable_file", "adapter", "legacy", "generator", "interface")

SOURCES = sorted(path for path in ROOM.rglob("*") if path.suffix in {".h", ".cc"})


def includes(path: Path) -> list[Path]:
    """Files of plugin/mujoco that a file includes."""
    names = re.findall(r'^#include "(plugin/mujoco/.*)"', path.read_text(), re.MULTILINE)
    return [ROOT / name for name in names]


def place(path: Path) -> int:
    return ORDER.index(path.relative_to(ROOM).parts[0])


def test_rooms_include_from_those_before_them() -> None:
    assert len(SOURCES) > 40
    wrong = [
        f"{path.relative_to(ROOM)} includes {other.relative_to(ROOM)}"
        for path in SOURCES
        for other in includes(path)
        if place(other) > place(path)
    ]
    assert not wrong


def test_files_do_not_include_each_other_in_a_cycle() -> None:
    graph = {path: includes(path) for path in SOURCES if path.suffix == ".h"}
    tuple(graphlib.TopologicalSorter(graph).static_order())


def test_only_the_plugin_and_the_bindings_include_mujoco_or_python() -> None:
    wrong = [
        path
        for path in (ROOM / "description").iterdir()
        if re.search(r"#include <(mujoco|nanobind)", path.read_text())
    ]
    assert not wrong
