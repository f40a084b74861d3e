"""Distributions that are in each other's way, as importlib.metadata reports them."""

import base64
import hashlib
from importlib import metadata
from pathlib import Path

import pytest

from strand import adapter
from strand.doctor import wheels
from strand.doctor.wheels import examine_wheels, recommended


class Site:
    """A folder of packages with the metadata of distributions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.distributions: dict[str, metadata.Distribution] = {}

    def install(
        self, name: str, version: str, files: dict[str, str], requires: tuple[str, ...] = ()
    ) -> None:
        """Writes a distribution's files, over those of others, and its metadata."""
        about = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        about.mkdir()
        lines = [f"Requires-Dist: {each}\n" for each in requires]
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{''.join(lines)}"
        (about / "METADATA").write_text(text)
        (about / "RECORD").write_text("".join(self._written(*each) for each in files.items()))
        self.distributions[name] = metadata.PathDistribution(about)

    def _written(self, file: str, content: str) -> str:
        path = self.folder / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest())
        return f"{file},sha256={digest.rstrip(b'=').decode()},{len(content)}\n"

    def distribution(self, name: str) -> metadata.Distribution:
        if name not in self.distributions:
            raise metadata.PackageNotFoundError(name)
        return self.distributions[name]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(tmp_path)
    monkeypatch.setattr(metadata, "distribution", made.distribution)
    monkeypatch.setattr(metadata, "version", lambda name: made.distribution(name).version)
    monkeypatch.setattr(metadata, "distributions", lambda: made.distributions.values())
    monkeypatch.setattr(adapter, "carried", lambda: ["3.3.7", "3.17.0", "4.0.0", "4.0.1"])
    monkeypatch.setattr("strand.doctor.finding.shutil.which", lambda name: None)
    return made


def files(version: str) -> dict[str, str]:
    return {"mujoco/__init__.py": f"core {version}", f"mujoco/libmujoco.so.{version}": version}


def examined(imported: str | None = None) -> list:
    return examine_wheels(wheels.wheels(), imported)


def test_a_single_good_wheel_is_no_problem(site: Site) -> None:
    site.install("mujoco-core", "4.0.1", files("4.0.1"))
    (one,) = examined(str(site.folder / "mujoco" / "__init__.py"))
    assert one.level == "ok" and one.mend == ""
    assert one.found == f"mujoco-core 4.0.1 in {site.folder / 'mujoco'}"


def test_without_mujoco_the_command_installs_it(site: Site) -> None:
    (one,) = examined()
    assert one.level == "broken"
    assert one.mend.endswith("-m pip install mujoco-core==4.0.1")


def test_a_mujoco_of_no_distribution_is_named(site: Site) -> None:
    (one,) = examined("/opt/mujoco/__init__.py")
    assert one.level == "ok" and one.found == "/opt/mujoco, of no distribution"


@pytest.mark.parametrize("last", ["mujoco", "mujoco-core"])
def test_two_wheels_own_the_same_files(site: Site, last: str) -> None:
    order = ["mujoco", "mujoco-core"] if last == "mujoco-core" else ["mujoco-core", "mujoco"]
    versions = {"mujoco": "3.17.0", "mujoco-core": "4.0.1"}
    for name in order:
        site.install(name, versions[name], files(versions[name]))
    site.install("mujoco-warp", "4.0.0", {}, ("mujoco>=3.13.0", "numpy"))
    site.install("gymnasium", "1.0", {}, ('mujoco>=2; extra == "mujoco"', "mujoco-py>=1"))
    clash = examined()[1]
    assert clash.level == "problem"
    assert clash.found == (
        "mujoco-core 4.0.1 and mujoco 3.17.0 own the same files; those on the disk are of "
        f"{last} {versions[last]}; required by mujoco-warp: pip install --no-deps mujoco-warp"
    )
    assert "-m pip uninstall -y mujoco-core mujoco && " in clash.mend
    assert clash.mend.endswith("-m pip install mujoco-core==4.0.1")


def test_files_of_both_wheels_are_mixed(site: Site) -> None:
    site.install("mujoco", "4.0.0", files("4.0.0") | {"mujoco/viewer.py": "old"})
    site.install("mujoco-core", "4.0.1", files("4.0.1") | {"mujoco/viewer.py": "new"})
    (site.folder / "mujoco" / "viewer.py").write_text("old")
    assert "those on the disk are mixed" in examined()[1].found


def test_the_wheels_of_one_version_belong_together(site: Site, monkeypatch) -> None:
    """From version 4 on `mujoco` requires the same version of `mujoco-core`."""
    monkeypatch.setattr(adapter, "carried", lambda: ["4.0.1", "4.1.0"])
    site.install("mujoco-core", "4.1.0", files("4.1.0"))
    site.install("mujoco", "4.1.0", files("4.1.0"), ("mujoco-core==4.1.0",))
    assert [each.level for each in examined()] == ["ok"]


@pytest.mark.parametrize("names", [("mujoco-core",), ("mujoco-core", "mujoco")])
def test_version_4_0_0_is_to_be_upgraded(site: Site, names: tuple[str, ...]) -> None:
    for name in names:
        site.install(name, "4.0.0", files("4.0.0"))
    problem = examined()[1]
    assert problem.level == "problem" and "wrong sparse Cholesky factor" in problem.found
    assert problem.mend.endswith("-m pip install mujoco-core==4.0.1")
    assert ("uninstall -y mujoco-core mujoco" in problem.mend) == (len(names) == 2)


def test_files_that_are_missing_are_reported(site: Site) -> None:
    site.install("mujoco-core", "4.0.1", files("4.0.1"))
    (site.folder / "mujoco" / "libmujoco.so.4.0.1").unlink()
    problem = examined()[1]
    assert problem.found.endswith("1 files are missing, such as mujoco/libmujoco.so.4.0.1")
    assert problem.mend.endswith("install --force-reinstall --no-deps mujoco-core==4.0.1")


def test_another_mujoco_in_front_of_the_wheel_is_reported(site: Site) -> None:
    site.install("mujoco", "3.17.0", files("3.17.0"))
    problem = examined("/opt/mujoco/__init__.py")[1]
    assert "/opt/mujoco/__init__.py" in problem.found and problem.mend == "unset PYTHONPATH"


def test_the_installed_version_is_kept_if_it_is_good(site: Site) -> None:
    assert recommended(["3.17.0", "9.0.0"]) == "3.17.0"
    assert recommended(["4.0.0"]) == recommended() == "4.0.1"
    assert wheels.install("3.17.0") == ("install", "mujoco==3.17.0")
