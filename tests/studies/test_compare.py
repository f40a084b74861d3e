"""The command `strand compare` and what it recommends."""

import json

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import StrandError
from strand.cli import app
from strand_studies import compare
from strand_studies.validation.vibration import BETA_L

pytestmark = pytest.mark.skipif(
    strand.mujoco_version < "4.0.1", reason="this MuJoCo's flex is no rod, or a wrong one"
)

EI, MASS, RADIUS = 0.01, 0.05, 0.003  # N m^2, kg/m, m


def cable(**options) -> strand.Cable:
    values = {
        "nodes": strand.straight(1.0, 12),
        "EI": EI,
        "GJ": 0.008,
        "radius": RADIUS,
        "density": MASS / (np.pi * RADIUS**2),
        "start": "fixed",
    }
    return strand.Cable(**(values | options))


def rows(described: strand.Cable, use: str = "scene") -> dict[str, dict]:
    report = compare.run(described, use, repeats=1)
    return {row["carrier"]: row for row in report.results}


def test_forty_links_agree_within_one_percent() -> None:
    described = cable(nodes=strand.straight(1.0, 40))
    report = compare.run(described, repeats=1)
    assert report.passed
    found = {row["carrier"]: row for row in report.results}
    assert list(found) == ["cable", "flex", "core"]
    theory = BETA_L[0] ** 2 * np.sqrt(EI / MASS) / (2 * np.pi)
    for row in found.values():
        assert row["frequency"] == pytest.approx(theory, rel=2e-3)
        assert row["cost"] > 0
        # Simulated time per real time.
        assert row["real_time"] == pytest.approx(row["step"] * 1e3 / row["cost"])
    for name in ("flex", "core"):
        assert found[name]["tolerance"] == 0.01 and found[name]["passed"] is True
        assert abs(found[name]["shape_difference"]) < 0.01
    # Both lump their mass at the nodes.
    assert found["flex"]["frequency"] == pytest.approx(found["core"]["frequency"], rel=1e-4)
    sag = -found["cable"]["end_z"]
    assert 0.3 < sag < 1.0
    assert found["cable"]["recommended"] and not found["flex"]["recommended"]
    assert "Take cable (scene): 40 links" in report.note


def test_twisting_modes_are_not_mistaken_for_bending() -> None:
    """The cable is so thin that, with raised inertia, its links twist slower than they bend."""
    EI, radius = 1e-11, 1e-5
    thin = cable(nodes=strand.straight(1e-3, 12), EI=EI, GJ=EI, radius=radius, density=1000.0)
    theory = BETA_L[0] ** 2 * np.sqrt(EI / (1000 * np.pi * radius**2)) / (2 * np.pi * 1e-3**2)
    assert rows(thin)["flex"]["frequency"] == pytest.approx(theory, rel=0.05)


def test_raised_inertia_is_reported_if_any() -> None:
    for radius, raised in ((1e-5, True), (RADIUS, False)):
        thin = cable(nodes=strand.straight(0.1, 4), EI=1e-7, GJ=1e-7, radius=radius, density=1000.0)
        note = compare.run(thin, repeats=1).note
        assert ("cable: links' inertia is raised up to" in note) == raised


def test_a_difference_fails(monkeypatch) -> None:
    from strand_studies.compare import carriers

    whole = carriers.MuJoCo.mode

    def wrong(self, near=None):
        frequency, motion = whole(self, near)
        return (1.02 if self.name == "flex" else 1.0) * frequency, motion

    monkeypatch.setattr(carriers.MuJoCo, "mode", wrong)
    report = compare.run(cable(nodes=strand.straight(1.0, 40)), repeats=1)
    found = {row["carrier"]: row for row in report.results}
    assert found["flex"]["passed"] is False and found["core"]["passed"] is True
    assert not report.passed


def test_unsupported_cables_are_reported_per_carrier() -> None:
    curved = rows(cable(nodes=strand.arc(1.0, 1.0, 12)))
    assert "nodes: got a curve" in curved["flex"]["not_possible"]
    assert curved["core"]["frequency_difference"] == pytest.approx(0, abs=0.01)
    box = rows(cable(EI=(0.01, 0.02), section="box", width=0.006, height=0.004))
    assert "section: got 'box'" in box["core"]["not_possible"]
    assert box["cable"]["frequency"] > 0 and box["cable"]["recommended"]
    taper = rows(cable(EI=None, GJ=None, young=1e7, poisson=0.3, radius=[0.005, 0.003]))
    assert taper["flex"]["not_possible"].startswith("radius: got [0.005, 0.003], allowed with")
    assert taper["core"]["not_possible"].startswith("radius: got [0.005, 0.003], allowed in the")
    assert taper["cable"]["frequency"] > 0 and taper["cable"]["recommended"]


def test_branches_touch_nothing() -> None:
    """Contacts that come and go would change the number of constraints."""
    from support import cables

    def tree(**options) -> strand.Cable:
        thick = {"radius": 0.01, **options}
        arm = cable(nodes=strand.straight(0.5, 6), start="free", **thick)
        side = strand.Branch(arm, "side", at=0.5, angle=0.5)
        twig = strand.Branch(arm, "twig", at=0.25, angle=0.5, on="side")
        return cable(branches=[side, twig], **thick)

    found = rows(tree())
    for name in ("flex", "core"):
        assert found[name]["not_possible"].startswith("branches: got 2, allowed in a flex")
    model, data = cables.load(tree(collide=False, loss_time=0.3))
    cables.settle(model, data, seconds=300, speed=1e-3)
    tip = [found["cable"][f"end_{axis}"] for axis in "xyz"]
    assert tip == pytest.approx(data.site("cable_node12").xpos, abs=1e-3)


@pytest.mark.parametrize(
    "options",
    [
        {"yield_stress": 1e6},
        {"bend_elements": (0.5, 1.0)},
        {"twist_elements": (0.5, 1.0)},
        {"keys": {"yield_stress": 1e6}},
    ],
)
def test_cables_whose_rest_depends_on_their_motion_are_refused(options: dict) -> None:
    """Any shape within the bounds of yield is at rest, and a chain, set free, swings to another."""
    words = next(iter(options.get("keys", options)))
    words += r": got .*, allowed to compare: nothing, since the shape at rest"
    with pytest.raises(StrandError, match=f"^{words}"):
        compare.run(cable(**options))
    side = strand.Branch(cable(start="free", **options), "side", at=0.5, angle=0.5)
    with pytest.raises(StrandError, match=f"^branch side: {words}"):
        compare.run(cable(branches=[side]))


def test_fed_cables_are_refused() -> None:
    """Nothing but a strand.Feeder holds the links inside of the guide."""
    with pytest.raises(StrandError, match="start: got 'feed', allowed to compare: an end that"):
        compare.run(cable(start="feed", fed=0.2))


@pytest.mark.parametrize(
    "options",
    [
        {"start": "free"},
        {"start": "ball", "end": "fixed"},
        {"start": "weld", "start_to": "hand"},
        {"end": "mocap"},
        {"nodes": strand.ring(0.2, 16), "closed": True, "start": "free"},
        {"gravity": (0, 0, 0), "clamp": "link"},
    ],
)
def test_every_end_comes_to_rest(options: dict) -> None:
    found = rows(cable(**options))
    assert found["cable"]["end_x"] is not None
    assert found["cable"]["frequency"] > 0
    if "not_possible" not in found["flex"]:
        assert found["flex"]["shape_difference"] < 0.03  # of 12 links
        assert abs(found["flex"]["frequency_difference"]) < 0.03


@pytest.mark.parametrize(
    ("use", "links", "pieces", "rejected", "chosen"),
    [
        ("scene", 60, 0, {}, "cable"),
        ("scene", 61, 0, {}, "flex"),
        ("scene", 61, 0, {"flex": "box"}, "cable"),
        ("scene", 1000, 6, {}, "cable"),
        ("robot", 200, 0, {}, "cable"),
        ("gpu", 10, 0, {}, "flex"),
        ("gpu", 10, 0, {"flex": "box"}, None),
        ("reference", 10, 0, {}, "core"),
        ("reference", 10, 0, {"core": "box"}, "cable"),
    ],
)
def test_links_and_use_choose(use, links, pieces, rejected, chosen) -> None:
    found, reason = compare.recommend(use, links, pieces, rejected)
    assert found == chosen and reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"use": "boat"}, "use: got 'boat', allowed: scene, robot, gpu, reference"),
        ({"repeats": 0}, "repeats: got 0, allowed: at least 1"),
    ],
)
def test_bad_arguments(arguments: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        compare.run(cable(), **arguments)


def test_the_command_reports_and_writes(tmp_path) -> None:
    path, output = tmp_path / "cable.toml", tmp_path / "compare.json"
    path.write_text(
        '[shape]\ntype = "straight"\nlength = 1.0\nsegments = 10\n'
        "[material]\nEI = 0.01\nGJ = 0.008\n[ends]\nstart = 'fixed'\n"
    )
    arguments = ["compare", str(path), "--repeats", "1", "--use", "gpu", "--json", str(output)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "Take flex (gpu)" in result.output
    document = json.loads(output.read_text())
    assert document["name"] == "compare" and document["passed"] is True
    assert [row["recommended"] for row in document["results"]] == [False, True, False]
    missing = CliRunner().invoke(app, ["compare", str(tmp_path / "nothing.toml")])
    assert missing.exit_code != 0


@pytest.mark.parametrize(
    "options",
    [
        {"start": "fixed"},
        {"start": "fixed", "end": "fixed"},
        {"end": "fixed", "nodes": strand.arc(1.0, 2.0, 12), "rest": "straight"},
        {"start": "fixed", "EI": 1e-5, "GJ": 1e-5, "loss_time": 30.0},
    ],
)
def test_newtons_shape_equals_the_rest_of_a_simulation(options: dict) -> None:
    """Constraints at the ends yield equally, too."""
    from support import cables

    from strand_studies.compare.equilibrium import nodes_at_rest

    described = cable(**({"collide": False, "loss_time": 0.3} | options))
    model, data = cables.load(described)
    sites = [model.site(f"cable_node{k}").id for k in range(13)]
    found = nodes_at_rest(mujoco.MjModel.from_xml_string(described.to_mjcf()), sites, 6.0)
    cables.settle(model, data, seconds=300, speed=1e-7)
    assert np.abs(data.site_xpos[sites] - found).max() < 2e-6


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "options",
    [
        {"end": "fixed"},
        {"nodes": strand.straight(1.0, 2), "end": "fixed"},
        {"nodes": strand.straight(1.0, 3), "end": "fixed"},
        {"nodes": strand.straight(1.0, 3), "end": "fixed", "gravity": (0, 0, 0)},
        {"end": "fixed", "EI": 1e6, "GJ": 1e6},
    ],
)
def test_newtons_method_solves_any_nonsingular_problem(options: dict, monkeypatch) -> None:
    """Also where the cable without its holds would be a free body, in few iterations."""
    from strand_studies.compare import equilibrium

    monkeypatch.setattr(equilibrium, "MOST", 40)
    # Cuts open by micrometres.
    described = cable(**({"twist": "dynamic", "collide": False, "pieces": "none"} | options))
    model = mujoco.MjModel.from_xml_string(described.to_mjcf())
    sites = [model.site(f"cable_node{k}").id for k in range(len(described.nodes))]
    found = equilibrium.nodes_at_rest(model, sites, 6.0)
    lengths = np.linalg.norm(np.diff(found, axis=0), axis=1)
    assert lengths == pytest.approx(1 / (len(sites) - 1), rel=1e-9)
    if described.end == "fixed":
        assert found[::-1, 2] == pytest.approx(found[:, 2], abs=1e-7)


def test_newtons_shape_of_a_pendulum() -> None:
    """A simulation without drag swings about this shape for ever."""
    from strand_studies.compare.equilibrium import nodes_at_rest

    model = mujoco.MjModel.from_xml_string(cable(start="ball", twist="dynamic").to_mjcf())
    sites = [model.site(f"cable_node{k}").id for k in range(13)]
    hanging = np.outer(np.arange(13) / 12, [0, 0, -1])
    assert nodes_at_rest(model, sites, 6.0) == pytest.approx(hanging, abs=1e-7)


def test_an_equilibrium_that_is_not_found_is_an_error(monkeypatch) -> None:
    from strand_studies.compare import equilibrium

    monkeypatch.setattr(equilibrium, "MOST", 2)
    model = mujoco.MjModel.from_xml_string(cable(twist="dynamic").to_mjcf())
    sites = [model.site(f"cable_node{k}").id for k in range(13)]
    with pytest.raises(StrandError, match="equilibrium: not found in 2 iterations"):
        equilibrium.nodes_at_rest(model, sites, 6.0)


def test_a_broken_model_has_no_equilibrium() -> None:
    from strand_studies.compare.equilibrium import nodes_at_rest

    model = mujoco.MjModel.from_xml_string(cable(twist="dynamic").to_mjcf())
    model.body_mass[1:] = -1.0  # heavier at greater height: no step decreases the energy
    sites = [model.site(f"cable_node{k}").id for k in range(13)]
    with pytest.raises(StrandError, match="equilibrium: no step leads to a stable state"):
        nodes_at_rest(model, sites, 6.0)


def test_hundreds_of_links(monkeypatch) -> None:
    """A step of one tree costs the cube of the links: rest has to be found without any."""
    steps = []
    counted = compare.carriers.relax.step
    monkeypatch.setattr(
        compare.carriers.relax,
        "step",
        lambda model, data, count: (
            steps.append(count * model.nplugin * (model.neq == 0)),
            counted(model, data, count),
        ),
    )
    report = compare.run(cable(nodes=strand.straight(1.0, 130), EI=0.06, GJ=0.05), repeats=1)
    assert report.passed
    assert len(steps) > 0 and sum(steps) == 0
    found = {row["carrier"]: row for row in report.results}
    for name in ("flex", "core"):
        assert abs(found[name]["frequency_difference"]) < 1e-3
        assert found[name]["shape_difference"] < 1e-3
    assert "from the chain's mode" in report.note
