"""The rooms (folders) of the package: each imports only from earlier ones, without cycles."""

import ast
import functools
import graphlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "strand"
ROOT = Path(__file__).parents[2] / "plugin" / "python" / PACKAGE

#: A room may import from the rooms before it. Files that are in no room belong to the first one.
ORDER = (
    "basis",  # adapter, errors, mujoco_versions, warp_versions, and the extension
    "io",
    "draw",
    "flex",
    "cable",
    "meshes",
    "legacy",
    "readout",
    "warp",
    "materials",
    "feeding",
    "simulation",
    "vine",
    "scene",
    "sweep",
    "batch",
    "identify",
    "robots",
    "robosuite",
    "viewer",
    "replay",
    "doctor",
    "cli",
)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def for_type_checkers(tree: ast.AST) -> set[ast.AST]:
    """Everything below `if TYPE_CHECKING:`."""
    tests = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    return {below for node in tests for below in ast.walk(node)}


def imports(path: Path) -> Iterator[str]:
    """Full names that a file imports, in functions as well."""
    tree = ast.parse(path.read_text())
    ignored = for_type_checkers(tree)
    for node in ast.walk(tree):
        if node in ignored:
            continue
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def imported_modules(name: str) -> set[str]:
    """Modules of the package that a module imports: for each name the longest one that exists."""
    found = set()
    for full in imports(MODULES[name]):
        parts = full.split(".")
        heads = [".".join(parts[:k]) for k in range(len(parts), 1, -1)]
        found |= {next((head for head in heads if head in MODULES), name)}
    return found - {name, PACKAGE}


@functools.cache
def import_graph() -> dict[str, set[str]]:
    return {name: imported_modules(name) for name in MODULES}


def room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and (ROOT / parts[1]).is_dir() else ORDER[0]


def test_rooms_import_from_those_before_them() -> None:
    """The package's own __init__ and __main__ re-export from all rooms, so they come last."""
    last = {PACKAGE, f"{PACKAGE}.__main__"}
    wrong = [
        f"{name} imports {other}"
        for name, others in import_graph().items()
        if name not in last
        for other in others
        if ORDER.index(room(other)) > ORDER.index(room(name))
    ]
    assert not wrong


def test_every_room_is_listed() -> None:
    assert {room(name) for name in MODULES} == set(ORDER)


def test_files_do_not_import_each_other_in_a_cycle() -> None:
    tuple(graphlib.TopologicalSorter(import_graph()).static_order())


def test_the_library_does_not_import_the_studies() -> None:
    wrong = [
        name for name in MODULES for full in imports(MODULES[name]) if "strand_studies" in full
    ]
    assert not wrong
