"""The installed package: effects of importing it, its contents, and the layout of the tree."""

import importlib
import importlib.metadata
import re
import subprocess
import sys
import warnings
from pathlib import Path

import mujoco
import pytest
import typer
from typer.testing import CliRunner

import strand
from strand import adapter, cli

ROOT = Path(__file__).resolve().parents[2]

TOP_LEVEL = {
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "assets",
    "model",
    "plugin",
    "pyproject.toml",
    "scripts",
    "tests",
}

# A MuJoCo of another version, as seen by `import strand` before it loads an adapter.
FAKE_MUJOCO = """
import sys, types
mujoco = sys.modules["mujoco"] = types.ModuleType("mujoco")
mujoco.mj_versionString = lambda: {version!r}
"""


def run_python(code: str, *options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


def test_importing_does_not_wait_for_what_plots_fits_or_reads_meshes() -> None:
    """They take three times as long to import as Strand. Submodules of scipy load when used."""
    slow = ("matplotlib", "trimesh", "scipy.optimize", "scipy.spatial", "scipy.stats")
    code = f"import strand.simulation, sys; print([name for name in {slow} if name in sys.modules])"
    assert last_line(run_python(code).stdout) == "[]"


def test_import_loads_the_adapter_of_this_mujoco() -> None:
    assert strand.mujoco_version == mujoco.mj_versionString()
    assert strand.adapter_path().endswith(f"libstrand_mujoco_{strand.mujoco_version}.so")
    assert Path(strand.adapter_path()).is_file()
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", strand.__version__)


def test_import_loads_one_mujoco_and_one_adapter() -> None:
    before = mapped_libraries()
    importlib.reload(adapter)
    importlib.reload(strand)
    assert mapped_libraries() == before
    assert len([file for file in before if "libmujoco" in file]) == 1
    assert len([file for file in before if "libstrand_mujoco" in file]) == 1


def mapped_libraries() -> set[str]:
    """The shared libraries of MuJoCo and Strand in this process."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    files = {line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6}
    return {file for file in files if "libmujoco" in file or "libstrand" in file}


def run_without_mujoco(code: str) -> subprocess.CompletedProcess:
    return run_python(f"import sys; sys.modules['mujoco'] = None\n{code}")


def test_without_mujoco_errors_say_what_to_install() -> None:
    for code in ("from strand import generate", "import strand; strand.load_model('a.xml')"):
        result = run_without_mujoco(code)
        assert result.returncode == 1
        message = last_line(result.stderr)
        assert message.startswith("ImportError: this part of Strand needs MuJoCo")
        assert "pip install mujoco-core==4.0.1" in message
        assert "mujoco==3.17.0" in message


def test_without_mujoco_a_misspelt_name_is_an_attribute_error() -> None:
    result = run_without_mujoco("import strand; strand.genrate")
    assert last_line(result.stderr) == "AttributeError: module 'strand' has no attribute 'genrate'"


def test_without_mujoco_the_core_simulates() -> None:
    result = run_without_mujoco(
        "import strand\n"
        "from strand.simulation import Network, Simulation\n"
        "import strand.vine, strand.meshes\n"
        "network = Network()\n"
        "rod = network.rod(strand.straight(1, 20), radius=0.005, young=1e7, density=1000)\n"
        "network.clamp(rod, 'start')\n"
        "simulation = Simulation(network)\n"
        "simulation.solve()\n"
        "print(simulation.positions[-1, 2])\n"
    )
    assert result.returncode == 0, result.stderr
    assert -1 < float(result.stdout) < -0.1


def command_without_mujoco(*arguments: object) -> subprocess.CompletedProcess:
    words = [str(argument) for argument in arguments]
    return run_without_mujoco(
        f"import strand_command; sys.argv[1:] = {words!r}; strand_command.main()"
    )


def test_without_mujoco_a_scene_runs_but_is_not_drawn(tmp_path: Path) -> None:
    scene, recording = tmp_path / "rod.toml", tmp_path / "states.npz"
    assert command_without_mujoco("simulate", "--example", scene).returncode == 0
    run = ["simulate", scene, "--duration", 0.1, "--out", recording]
    result = command_without_mujoco(*run)
    assert result.returncode == 0, result.stderr
    assert recording.is_file()
    result = command_without_mujoco(*run, "--picture", tmp_path / "rod.png")
    assert result.returncode == 2
    assert re.search(
        r"picture: got '.*rod.png', allowed: only with MuJoCo installed", result.stderr
    )


def test_import_with_an_unknown_mujoco_explains_how_to_build_for_it() -> None:
    result = run_python(FAKE_MUJOCO.format(version="3.99.1") + "import strand")
    assert result.returncode == 1
    message = last_line(result.stderr)
    assert message.startswith("ImportError: no adapter for MuJoCo 3.99.1")
    assert ", ".join(adapter.carried()) in message
    assert "--config-settings=cmake.define.STRAND_MUJOCO_VERSIONS=3.99.1" in message


def test_a_missing_mujoco_library_is_reported() -> None:
    others = [version for version in adapter.carried() if version != strand.mujoco_version]
    if not others:
        pytest.skip("this build carries one adapter")
    result = run_python(FAKE_MUJOCO.format(version=others[0]) + "import strand")
    assert result.returncode == 1
    assert f"libmujoco.so.{others[0]}" in last_line(result.stderr)


def test_mujoco_4_0_0_gives_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Path(strand.adapter_path())
    monkeypatch.setattr(mujoco, "mj_versionString", lambda: "4.0.0")
    monkeypatch.setattr(adapter, "path", lambda version: loaded)
    with pytest.warns(RuntimeWarning, match=r"wrong sparse Cholesky.*4\.0\.1"):
        adapter.load.__wrapped__()


def test_only_a_doubtful_mujoco_gives_a_warning() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        adapter.load.__wrapped__()
    expected = ["4.0.0 computes a wrong"] if mujoco.mj_versionString() == "4.0.0" else []
    assert len(said) == len(expected)
    assert all(words in str(one.message) for words, one in zip(expected, said, strict=True))


def test_a_file_that_is_no_adapter_is_reported(tmp_path: Path) -> None:
    library = tmp_path / "broken.so"
    library.write_bytes(b"not a library")
    with pytest.raises(ImportError, match=re.escape(str(library))):
        adapter.Adapter(str(library))
    with pytest.raises(ImportError, match="cannot open"):
        adapter.Adapter(str(tmp_path / "missing.so"))


def test_adapters_need_their_mujoco_by_name_and_have_no_runpath() -> None:
    assert strand.mujoco_version in adapter.carried()
    for version in adapter.carried():
        listing = subprocess.run(
            ["readelf", "--dynamic", "--wide", adapter.path(version)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert f"Shared library: [libmujoco.so.{version}]" in listing
        assert "RPATH" not in listing
        assert "RUNPATH" not in listing


def test_command_prints_versions() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "strand", "--version"], capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0
    carried = ", ".join(adapter.carried())
    expected = f"strand {strand.__version__} (MuJoCo {strand.mujoco_version}; for {carried})\n"
    assert result.stdout == expected


def test_the_wheel_names_the_mujoco_versions_it_is_for() -> None:
    """The build tag, which is in the file name and, once installed, in the metadata."""
    lines = (importlib.metadata.distribution("strand").read_text("WHEEL") or "").splitlines()
    assert f"Build: 1_mujoco_{'_'.join(adapter.carried())}" in lines


def test_command_that_needs_mujoco_is_one_line_without_it(tmp_path: Path) -> None:
    cable = tmp_path / "cable.toml"
    assert command_without_mujoco("generate", "--example", cable).returncode == 0
    result = command_without_mujoco("generate", cable, "-o", tmp_path / "cable.xml")
    assert result.returncode == 1
    assert result.stderr.startswith("strand: this part of Strand needs MuJoCo")
    assert len(result.stderr.splitlines()) == 1


def test_version_without_mujoco_says_so() -> None:
    result = command_without_mujoco("--version")
    assert result.returncode == 0
    assert result.stdout.startswith(f"strand {strand.__version__} (no MuJoCo installed; for ")


def test_every_command_has_help() -> None:
    for name in [None, *typer.main.get_command(cli.app).commands]:
        arguments = [*([name] if name else []), "--help"]
        result = CliRunner().invoke(cli.app, arguments)
        assert result.exit_code == 0, result.output


def test_bad_input_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def app() -> None:
        raise strand.StrandError("EI = -1: must be > 0")

    monkeypatch.setattr(cli, "app", app)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert capsys.readouterr().err == "strand: EI = -1: must be > 0\n"


def test_model_includes_no_host() -> None:
    include = re.compile(r'^\s*#\s*include\s*["<]([^">]*)[">]', re.MULTILINE)
    sources = [file for file in (ROOT / "model").rglob("*") if file.suffix in {".h", ".cc"}]
    assert sources
    for file in sources:
        for name in include.findall(file.read_text()):
            hosts = ("mujoco", "imgui", "nanobind", "plugin/")
            assert not any(host in name for host in hosts), f"{file} includes {name}"


def test_top_level_is_the_design() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    names = {Path(line).parts[0] for line in listing.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL
