"""What strand.warp refuses; without Warp it says what to install."""

import subprocess
import sys
from importlib import metadata

import mujoco
import numpy as np
import pytest
from support.warp import needs_warp
from warp_cables import ROUND, cable, load

import strand
import strand.warp
from strand import StrandError, warp_versions
from strand.warp import packages


def refuses(words: str, function, *arguments, **named) -> None:
    with pytest.raises(StrandError) as caught:
        function(*arguments, **named)
    assert words in str(caught.value)


def pretend(monkeypatch: pytest.MonkeyPatch, running: str, **versions: str | None) -> None:
    """Makes these versions the installed ones, and `running` that of MuJoCo; names have _ for -."""

    def version(name: str) -> str:
        found = versions.get(name.replace("-", "_"))
        if found is None:
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(mujoco, "mj_versionString", lambda: running)


def test_importing_it_does_not_import_warp() -> None:
    code = (
        "import sys, strand.warp; print([n for n in ('warp', 'mujoco_warp') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("running", "versions", "words"),
    [
        ("3.3.7", {}, "MuJoCo: got 3.3.7, allowed with MuJoCo Warp: 3.11 or newer"),
        ("4.0.1", {}, "warp-lang: got none installed, allowed: 1.15 or newer: pip install"),
        (
            "4.0.1",
            {"warp_lang": "1.19.0"},
            "mujoco-warp: got none installed, allowed: 4.0 or newer (with MuJoCo 4.0.1): pip",
        ),
        (
            "4.0.1",
            {"warp_lang": "1.9.1", "mujoco_warp": "4.0.0"},
            "warp-lang: got 1.9.1, allowed: 1.15",
        ),
        (
            "4.0.1",
            {"warp_lang": "1.19.0", "mujoco_warp": "3.11.0"},
            "mujoco-warp: got 3.11.0, allowed: 4.0 or newer (with MuJoCo 4.0.1)",
        ),
        (
            "3.11.0",
            {"warp_lang": "1.19.0", "mujoco_warp": "4.0.0"},
            "mujoco-warp: got 4.0.0, allowed: 3.11 or newer, below 3.12 (with MuJoCo 3.11.0)",
        ),
        (
            "4.0.1",
            dict(warp_lang="1.19", mujoco_warp="4.0", mujoco="4.0.0", mujoco_core="4.0.1"),
            "MuJoCo: got mujoco 4.0.0 beside mujoco-core 4.0.1",
        ),
    ],
)
def test_packages(
    monkeypatch: pytest.MonkeyPatch, running: str, versions: dict, words: str
) -> None:
    model = load(cable(ROUND))
    pretend(monkeypatch, running, **versions)
    refuses(words, packages.load)
    refuses(words, strand.warp.put, model, 1)
    refuses(words, strand.warp.put_model, model)
    refuses(words, strand.warp.attach, model, None, None)


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("3.11.0", "mujoco-warp>=3.11,<3.12"),
        ("3.13.0", "mujoco-warp>=4.0"),
        ("3.17.0", "mujoco-warp>=4.0"),
        ("4.0.1", "mujoco-warp>=4.0"),
        ("4.12.0", "mujoco-warp>=4.0"),
    ],
)
def test_what_is_installed_depends_on_mujoco(version: str, requirement: str) -> None:
    assert warp_versions.installs(version)[1] == ("--no-deps", requirement)


def test_packages_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "4.0.1", warp_lang="1.19.0", mujoco_warp="4.0.0", mujoco_core="4.0.1")
    monkeypatch.setitem(sys.modules, "mujoco_warp", None)
    monkeypatch.setitem(sys.modules, "warp", None)
    refuses("MuJoCo Warp: got an installation that cannot be imported", packages.load)


@pytest.mark.parametrize("nworld", [0, -1, 1.5, True, "4", None])
def test_number_of_worlds(nworld: object) -> None:
    refuses("nworld: got", strand.warp.put, cable(ROUND), nworld)


@needs_warp
class TestWithWarp:
    def test_models(self) -> None:
        refuses("cable: got str, allowed: a strand.Cable", strand.warp.put, "cable", 1)
        bare = mujoco.MjModel.from_xml_string("<mujoco/>")
        refuses("model: got one without a cable", strand.warp.put, bare, 1)
        refuses("model: got int", strand.warp.put_model, 3)
        refuses("model: got int", strand.warp.softened, 3)

    @pytest.mark.parametrize("impedance", [0, 1, -1, np.nan, "stiff", None])
    def test_impedances(self, impedance: object) -> None:
        refuses("impedance: got", strand.warp.softened, load(cable(ROUND)), impedance)

    def test_plastic_cables(self) -> None:
        yielding = strand.Cable(strand.straight(0.2, 6), EI=1e-3, GJ=1e-3, bend_elements=[0.5, 1])
        refuses("got one that yields or slips, allowed with", strand.warp.put, yielding, 1)

    def test_options(self) -> None:
        model = load(cable(ROUND))
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        refuses("integrator: got RK4", strand.warp.put, model, 1)
        model = load(cable(ROUND))
        model.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(
            mujoco.mjtDisableBit.mjDSBL_DAMPER
        )
        refuses("got spring and damper disabled", strand.warp.put, model, 1)

    def test_what_does_not_belong_together(self) -> None:
        model, other = load(cable(ROUND)), load(cable(ROUND, strand.straight(1, 5)))
        worlds = strand.warp.put(model, 2)
        refuses(
            "m: got a model with Strand's forces", strand.warp.attach, model, worlds.m, worlds.d
        )
        refuses("m: got that of another", strand.warp.attach, other, worlds.m, worlds.d)
        m = strand.warp.put_model(other)
        refuses("d: got that of another", strand.warp.attach, other, m, worlds.d)
        refuses("m: got MjModel", strand.warp.attach, model, model, worlds.d)
        refuses("d: got NoneType", strand.warp.attach, model, m, None)
        second = strand.warp.put(model, 2)
        refuses("d: got other data", worlds.m.callback.passive, worlds.m, second.d)
        refuses("data: got", strand.warp.put, model, 2, data=mujoco.MjData(other))

    def test_arguments_of_worlds(self) -> None:
        worlds = strand.warp.put(cable(ROUND, strand.straight(1, 5)), 2)
        for factor in (0, -1, np.nan, "x", [1, 2, 3], np.inf):
            refuses("EI: got", worlds.cables.scale, EI=factor)
            refuses("GJ: got", worlds.cables.scale, GJ=factor)
        assert (worlds.cables.factors()[0] == 1).all()
        for mask in ([True], [1, 0], np.ones((2, 1), bool), "yes"):
            refuses("mask: got", worlds.reset, mask)
        refuses("cables: got int", strand.warp.reset, 3)
        for name in ("nothing", 1, -3, 0.5, None):
            refuses("cable: got", worlds.nodes, name)
        for count in (-1, 1.5, True):
            refuses("count: got", worlds.step, count)
        refuses("njmax: got 0", strand.warp.put, cable(ROUND), 1, njmax=0)
