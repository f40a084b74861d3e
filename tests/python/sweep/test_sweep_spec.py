"""Specs of sweeps: invalid ones are refused by name."""

from pathlib import Path

import pytest
from sweep_cases import of_function, write

from strand import StrandError, sweep
from strand.cable import cable_file
from strand.scene import file as scene_file
from strand.sweep import spec as spec_file
from strand.sweep.plan import Point

X = "[parameters.x]\ngrid = [1, 2]"
SQUARE = of_function("square", X)
CABLE = """
[run]
cable = "a.cable.toml"
seconds = 0.1
results = ["sag"]
[parameters."material.young"]
grid = [1e6, 2e6]
"""
SCENE = """
[run]
scene = "a.scene.toml"
results = ["sag"]
[parameters."rod.cable.young"]
grid = [1e6, 2e6]
"""
DRAWN = "[parameters.x]\nuniform = [0.0, 1.0]\n"
SEARCH = of_function("square", DRAWN + '[cmaes]\nminimise = "square"\nevaluations = 20')

#: A text of a spec, its replacement, and the beginning of the error.
BAD = [
    (SQUARE, "[run]", "[runs]", "runs: got a table that is not known, allowed: run, parameters"),
    (SQUARE, "[run]", "run = 1\n[random]", "run: got 1, allowed: a table [run]"),
    (SQUARE, "function =", "funktion =", "run.funktion: got a key that is not known, allowed: "),
    (SQUARE, "function =", "# ", "run: got nothing, allowed: exactly one of scene, cable, functi"),
    (SQUARE, "[run]", '[run]\nscene = "a"', "run: got scene and function, allowed: exactly one"),
    (SQUARE, "functions.py", "none.py", "run.function: got '{folder}/none.py', allowed: an existi"),
    (SQUARE, ":square", ":sqare", "run.function.sqare: got a function of functions.py that is no"),
    (SQUARE, ":square", ":NUMBER", "run.function.NUMBER: got a function of functions.py that is "),
    (SQUARE, ":square", "", "run.function: got 'functions.py', allowed: MODULE:FUNCTION or FILE"),
    (SQUARE, "functions.py", "no_such_module", "run.function: got 'no_such_module', allowed: Pyt"),
    (SQUARE, "parameters.x", "parameters.y", "parameters: got y, allowed: those of functions.py:"),
    (SQUARE, X, "", "parameters: got none, allowed: one table [parameters.NAME] or more"),
    (SQUARE, "[1, 2]", "[]", "parameters.x.grid: got [], allowed: a list of one or more values"),
    (SQUARE, "[1, 2]", "[1, 1]", "parameters.x.grid: got [1, 1], allowed: a list of one or more"),
    (SQUARE, "[1, 2]", "[nan]", "parameters.x.grid: got [nan], allowed: a list of one or more va"),
    (SQUARE, "grid = [1, 2]", "", "parameters.x: got nothing, allowed: exactly one of grid, unif"),
    (SQUARE, "[1, 2]", "[1]\nchoice = [2]", "parameters.x: got grid and choice, allowed: exactly"),
    (SQUARE, "grid", "grib", "parameters.x.grib: got a key that is not known, allowed: path, gri"),
    (SQUARE, "grid", 'path = "a"\ngrid', "parameters.x.path: got 'a', allowed: with a scene or"),
    (SQUARE, "[1, 2]", "{ start = 1, stop = 2 }", "parameters.x.grid.count: got nothing, allowed"),
    (SQUARE, "[1, 2]", "{ start = 1, stop = 1, count = 2 }", "parameters.x.grid.stop: got 1.0, a"),
    (
        SQUARE,
        "[1, 2]",
        '{ start = 0, stop = 1, count = 2, spacing = "log" }',
        "parameters.x.grid.start: got 0.0, allowed: a number > 0",
    ),
    (SQUARE, "[1, 2]", "{ start = 1, stop = 2, count = 1 }", "parameters.x.grid.count: got 1, al"),
    (SQUARE, "grid = [1, 2]", "uniform = [2, 1]", "parameters.x.uniform: got [2, 1], allowed: tw"),
    (SQUARE, "grid = [1, 2]", "uniform = [1, inf]", "parameters.x.uniform: got [1, inf], allowed"),
    (SQUARE, "grid = [1, 2]", "loguniform = [0, 1]", "parameters.x.loguniform: got [0, 1], allow"),
    (SQUARE, "grid = [1, 2]", "choice = [1, 2]", "random.count: got nothing, allowed: a table"),
    (SQUARE, "[run]", "[random]\ncount = 2\n[run]", "random: got a table, allowed: with paramete"),
    (SQUARE, "parameters.x", "parameters.point", "parameters.point: got a name that is a column"),
    (SQUARE, "[run]", "[run]\ntimeout = 0", "run.timeout: got 0, allowed: a number > 0 (s)"),
    (SQUARE, "[run]", "[run]\nresults = []", "run.results: got [], allowed: a list of one or mor"),
    (SQUARE, "[run]", "[run]\nseconds = 1", "run.seconds: got 1.0, allowed: with a scene or a ca"),
    (SQUARE, "[run]", "[run]\nequilibrium = true", "run.equilibrium: got true, allowed: with a s"),
    (SEARCH, "evaluations = 20", "", "cmaes.evaluations: got nothing, allowed: an integer, at le"),
    (SEARCH, "uniform = [0.0, 1.0]", "grid = [1]", "parameters.x.grid: got [1], allowed with [cm"),
    (SEARCH, "[run]", '[run]\nresults = ["third"]', "cmaes.minimise: got 'square', allowed: third"),
    (SEARCH, "[run]", "[random]\ncount = 2\n[run]", "random: got a table beside [cmaes], allowed"),
    (CABLE, "a.cable.toml", "none.toml", "run.cable: got '{folder}/none.toml', allowed: a readab"),
    (CABLE, "a.cable.toml", "functions.py", "run.cable: {folder}/functions.py: syntax: got inval"),
    (CABLE, '"sag"', '"sagg"', "run.results.sagg: got a result that is not known, allowed: "),
    (CABLE, 'results = ["sag"]', "", "run.results: got nothing, allowed: some of "),
    (CABLE, "seconds = 0.1", "", "run.seconds: got nothing, allowed: a number >= 0 (s)"),
    (CABLE, "seconds", "backend = 'gpu'\nseconds", "run.backend: got 'gpu', allowed: plugin, core"),
    (CABLE, "seconds", "equilibrium = true\nseconds", "run.equilibrium: got true, allowed: with a"),
    (CABLE, "material.young", "material.yung", "material.yung: "),
    (CABLE, "material.young", "prefix.young", "parameters.prefix.young.path: got 'prefix.young',"),
    (CABLE, "[1e6, 2e6]", "[-1e6, -2e6]", "material.young: got '-1e+06', allowed: finite, > 0"),
    (CABLE, "[1e6, 2e6]", "['a']\nscale = 2.0", "parameters.material.young.scale: got values that"),
    (SCENE, '"sag"', '"cable.sagg"', "run.results.cable.sagg: got a result that is not known, al"),
    (SCENE, "rod.cable.young", "rod.cabel.young", "parameters.rod.cabel.young.path = rod.cabel.y"),
    (SCENE, "rod.cable.young", "rod.1.young", "parameters.rod.1.young.path = rod.1.young: got in"),
    (SCENE, "rod.cable.young", "rod.cable.yung", "rod[0].yung: got a key that is not known, allo"),
    (SCENE, "[run]", "[run]\nbackend = 'core'", "run.backend: got 'core', allowed: with a cable"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cable.toml").write_text(cable_file.EXAMPLE)
    (tmp_path / "a.scene.toml").write_text(scene_file.EXAMPLE)
    return tmp_path


@pytest.mark.parametrize(("text", "before", "after", "error"), BAD)
def test_a_bad_spec_is_refused_by_name(
    text: str, before: str, after: str, error: str, folder: Path
) -> None:
    assert before in text
    path = write(folder, text.replace(before, after, 1))
    with pytest.raises(StrandError) as raised:
        sweep.load(path).check()
    message = str(raised.value).removeprefix(f"{path}: ")
    assert error.format(folder=folder) in message and "allowed" in message, message


@pytest.mark.parametrize("text", [SQUARE, SEARCH, CABLE, SCENE])
def test_the_same_specs_without_the_error_are_valid(text: str, folder: Path) -> None:
    sweep.load(write(folder, text)).check()


def test_the_example_is_valid_and_the_schema_complete(folder: Path) -> None:
    (folder / "cable.toml").write_text(cable_file.EXAMPLE)
    sweep.load(write(folder, spec_file.EXAMPLE)).check()
    for name in ("scene", "backend", "loguniform", "spacing", "sigma", "largest_tension", "tip_x"):
        assert f"\n{name}" in spec_file.schema()


def points(folder: Path, parameters: str) -> list[Point]:
    return sweep.load(write(folder, of_function("square", parameters))).plan().batch()


def test_a_grid_has_all_combinations_in_order(folder: Path) -> None:
    text = "[parameters.x]\ngrid = [3, 1]\n[parameters.pause]\ngrid = [0.5, 0.25]\n"
    found = [list(point.parameters.values()) for point in points(folder, text)]
    assert found == [[3, 0.5], [3, 0.25], [1, 0.5], [1, 0.25]]


def test_ranges_have_equal_distances_or_ratios(folder: Path) -> None:
    def values(table: str) -> list:
        return [
            point.parameters["x"] for point in points(folder, f"[parameters.x]\ngrid = {table}")
        ]

    assert values("{ start = 1, stop = 4, count = 4 }") == [1, 2, 3, 4]
    assert all(isinstance(value, int) for value in values("{ start = 1, stop = 4, count = 4 }"))
    assert values("{ start = 1.0, stop = 0.0, count = 3 }") == [1.0, 0.5, 0.0]
    logarithmic = values('{ start = 1e-3, stop = 10.0, count = 5, spacing = "log" }')
    assert logarithmic == pytest.approx([1e-3, 1e-2, 1e-1, 1, 10], rel=1e-14)


def test_random_values_depend_on_the_seed_alone_and_fill_their_limits(folder: Path) -> None:
    text = "[parameters.x]\nloguniform = [1e-3, 10.0]\n[parameters.pause]\nchoice = [1, 2, 4]\n"
    text += "[random]\ncount = 2000\nseed = 5\n"
    first, again = points(folder, text), points(folder, text)
    assert first == again
    other = points(folder, text.replace("seed = 5", "seed = 6"))
    assert not {point.key for point in first} & {point.key for point in other}
    values = [point.parameters["x"] for point in first]
    assert 1e-3 <= min(values) < 1.1e-3 and 9 < max(values) <= 10
    # A quarter of them lies in each decade: within four standard deviations.
    assert sum(value < 1e-2 for value in values) == pytest.approx(500, abs=4 * 375**0.5)
    assert {point.parameters["pause"] for point in first} == {1, 2, 4}


def test_draws_are_combined_with_the_grid(folder: Path) -> None:
    text = "[parameters.x]\ngrid = [1, 2]\n[parameters.pause]\nuniform = [0, 1]\n"
    found = points(folder, text + "[random]\ncount = 3\n")
    pauses = [point.parameters["pause"] for point in found]
    assert len(found) == 6 and pauses[:3] == pauses[3:] and len(set(pauses)) == 3


def test_too_many_points_are_refused(folder: Path) -> None:
    text = "[parameters.x]\ngrid = { start = 0, stop = 1, count = 2000 }\n"
    text += text.replace(".x]", ".pause]")
    with pytest.raises(
        StrandError, match="parameters: got 4000000 points, allowed: at most 1000000"
    ):
        points(folder, text)
