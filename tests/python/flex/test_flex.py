"""Cables on MuJoCo's 1D flex compared with the same cables as chains."""

import dataclasses
import json

import mujoco
import numpy as np
import pytest
from support.flexes import frequencies
from typer.testing import CliRunner

import strand
from strand import StrandError
from strand.cli import app
from strand_studies import relax

pytestmark = pytest.mark.skipif(
    strand.mujoco_version < "4.0.1", reason="this MuJoCo's flex is no rod, or a wrong one"
)

LENGTH, RADIUS, EI, GJ, MASS = 1.0, 0.01, 1.0, 0.8, 0.5  # m, m, N m^2, kg/m
DENSITY = MASS / (np.pi * RADIUS**2)
N = 40
#: agreement at n = 40; it is 3e-4 in the first bending frequency and 7e-4 in the sag
TOLERANCE = 0.01


def cable(**options) -> strand.Cable:
    values = {
        "nodes": strand.straight(LENGTH, N),
        "EI": EI,
        "GJ": GJ,
        "radius": RADIUS,
        "density": DENSITY,
        "start": "fixed",
        "collide": False,
    }
    return strand.Cable(**(values | options))


def models(described: strand.Cable) -> list[mujoco.MjModel]:
    """The model of the chain and that of the flex."""
    return [
        mujoco.MjModel.from_xml_string(described.to_mjcf(backend)) for backend in ("cable", "flex")
    ]


def settled(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    relax.settle(model, data, at_rest=1e-5, time_limit=60)
    mujoco.mj_forward(model, data)
    return data


@pytest.mark.parametrize("clamp", ["node", "link"])
def test_it_vibrates_like_the_chain(clamp: str) -> None:
    chain, flex = models(cable(clamp=clamp, twist="dynamic", gravity=(0, 0, 0)))
    bending = [frequencies(model, spin=False)[[0, 2]] for model in (chain, flex)]
    np.testing.assert_allclose(bending[1], bending[0], rtol=TOLERANCE)
    twisting = [frequencies(model, spin=True)[:3] for model in (chain, flex)]
    np.testing.assert_allclose(twisting[1], twisting[0], rtol=1e-4)


def test_it_swings_in_step_with_the_chain() -> None:
    found = []
    for model in models(cable(radius=1e-3, density=MASS / np.pi * 1e6, timestep=1e-3,
                              gravity=(0, 0, 0))):  # fmt: skip
        data, site = mujoco.MjData(model), model.site("cable_site_end").id
        push = data.xfrc_applied[model.site_bodyid[site]]
        push[2] = 0.01
        mujoco.mj_step(model, data, 50)
        push[2] = 0
        heights = []
        for _ in range(4000):
            mujoco.mj_step(model, data)
            heights.append(data.site_xpos[site, 2])
        place = np.array(heights)
        before = np.flatnonzero(place[1:] * place[:-1] < 0)
        times = before - place[before] / np.diff(place)[before]
        found.append((len(times) - 1) / np.ptp(times))
    assert len(times) > 4
    assert found[1] == pytest.approx(found[0], rel=TOLERANCE)


def test_mass_of_end_nodes_and_clamp_are_second_order_accurate() -> None:
    theory = 1.8751041**2 * np.sqrt(EI / (MASS * LENGTH**4))
    errors = []
    for n in (10, 20, 40):
        described = cable(nodes=strand.straight(LENGTH, n), radius=1e-3, density=MASS / np.pi * 1e6)
        model = mujoco.MjModel.from_xml_string(
            dataclasses.replace(described, gravity=(0, 0, 0)).to_mjcf("flex")
        )
        errors.append(abs(frequencies(model, spin=False)[0] / theory - 1))
    assert errors[-1] < 1e-3
    assert errors[0] / errors[2] > 16 * 0.75  # the clamp's ghost edge adds 5e-4 of a link


def test_its_cantilever_sags_like_the_chains() -> None:
    weight = 5.0  # q L^3 / EI
    heavy = weight * EI / (LENGTH**3 * 9.81 * np.pi * RADIUS**2)
    chain, flex = (settled(m) for m in models(cable(density=heavy, loss_time=0.5, timestep=0.01)))
    tips = [data.site("cable_site_end").xpos for data in (chain, flex)]
    assert -tips[1][2] == pytest.approx(-tips[0][2], rel=TOLERANCE)
    assert 1 - tips[1][0] == pytest.approx(1 - tips[0][0], rel=TOLERANCE)
    edges = np.linalg.norm(np.diff(flex.flexvert_xpos, axis=0), axis=1)[1:]
    assert np.abs(edges * N / LENGTH - 1).max() < 1e-3


@pytest.mark.parametrize("start", ["free", "ball", "fixed"])
@pytest.mark.parametrize("end", ["free", "ball", "fixed"])
@pytest.mark.parametrize("clamp", ["node", "link"])
def test_every_end_keeps_mass_nodes_and_rest(start: str, end: str, clamp: str) -> None:
    described = cable(
        start=start,
        end=end,
        clamp=clamp,
        nodes=strand.straight(LENGTH, 6),
        pos=(1, 2, 3),
        quat=(1, 1, 0, 1),
        loss_time=0.05,
    )
    chain, flex = models(described)
    assert flex.nplugin == 0 and flex.nflex == 1
    assert flex.body_mass.sum() == pytest.approx(MASS * LENGTH, rel=1e-9)
    data = [mujoco.MjData(model) for model in (chain, flex)]
    for model, state in zip((chain, flex), data, strict=True):
        mujoco.mj_forward(model, state)
    for site in ("site_start", "site_end", *(f"node{k}" for k in range(7))):
        places = [state.site(f"cable_{site}").xpos for state in data]
        np.testing.assert_allclose(places[1], places[0], atol=1e-9)
    assert np.abs(data[1].qfrc_passive).max() < 1e-9
    mujoco.mj_step(flex, data[1], 200)
    assert not data[1].warning.number.any()
    for side, kind in (("start", start), ("end", end)):
        moved = data[1].site(f"cable_site_{side}").xpos - data[0].site(f"cable_site_{side}").xpos
        assert (np.linalg.norm(moved) < 1e-9) == (kind != "free")


def test_tubes_keep_their_stiffness_and_mass() -> None:
    described = cable(
        EI=None, GJ=None, young=1e7, poisson=0.4, section="tube", inner_radius=0.008, clamp="link"
    )
    chain, flex = models(dataclasses.replace(described, gravity=(0, 0, 0), twist="dynamic"))
    assert flex.body_mass.sum() == pytest.approx(DENSITY * np.pi * (1e-4 - 0.64e-4), rel=1e-9)
    for spin in (False, True):
        first = [frequencies(model, spin)[0] for model in (chain, flex)]
        assert first[1] == pytest.approx(first[0], rel=TOLERANCE)


def test_links_shorter_than_their_thickness_have_no_self_contact() -> None:
    short = cable(nodes=strand.straight(0.1, N), collide=True)
    mjcf, recipe = short.generate("flex")
    assert "no self-contact" in recipe
    model = mujoco.MjModel.from_xml_string(mjcf)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 0
    assert "no self-contact" not in cable(collide=True).recipe("flex")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"EI": (1.0, 2.0)}, "EI: got (1.0, 2.0), allowed with the flex backend: one number"),
        ({"section": "box", "width": 0.1, "height": 0.1}, "section: got 'box', allowed with"),
        ({"section": "ellipse", "width": 0.1, "height": 0.1}, "section: got 'ellipse'"),
        ({"stretches": [strand.Stretch(0.1, 0.2, EI=2)]}, "stretches: got [Stretch("),
        ({"nodes": strand.arc(1, 1, N)}, "nodes: got a curve that turns by 0.025 rad, allowed"),
        ({"nodes": strand.ring(1, N), "closed": True, "start": "free"}, "closed: got True"),
        ({"rest_twist": 1.0}, "rest_twist: got 1.0, allowed with the flex backend: 0"),
        ({"twist": "quasistatic"}, "twist: got 'quasistatic', allowed with the flex backend: auto"),
        ({"start": "mocap"}, "start: got 'mocap', allowed with the flex backend: free, fixed"),
        ({"end": "weld", "end_to": "hand"}, "end: got 'weld'"),
        ({"keys": {"holds": "a"}}, "keys: got {'holds': 'a'}"),
        ({"color": (0, 1)}, "color: got (0, 1)"),
        ({"integrator": "Euler"}, "integrator: got 'Euler', allowed with the flex backend: auto"),
        ({"EI": "soft"}, "EI: got 'soft', allowed: one number or two"),
        ({"radius": -1.0}, "radius: got '-1'"),
        ({"radius": [0.01, 0.02]}, "radius: got [0.01, 0.02], allowed with the flex backend: one"),
        ({"density": [1.0, 2.0]}, "density: got [1.0, 2.0], allowed with the flex backend: one"),
        ({"nodes": np.zeros((4, 2))}, "nodes: got "),
    ],
)
def test_cables_that_a_flex_cannot_represent_are_rejected(options: dict, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        cable(**options).to_mjcf("flex")
    assert str(caught.value).startswith(words)


def test_older_mujocos_are_rejected(monkeypatch) -> None:
    monkeypatch.setattr(mujoco, "mj_versionString", lambda: "4.0.0")
    with pytest.raises(StrandError, match=r"flex with MuJoCo 4\.0\.0, allowed with"):
        cable().to_mjcf("flex")


def test_unknown_backends_are_rejected() -> None:
    with pytest.raises(StrandError, match="backend: got 'core', allowed: cable, flex"):
        cable().to_mjcf("core")


def test_the_command_writes_a_flex(tmp_path) -> None:
    example, output, figures = (str(tmp_path / name) for name in ("a.toml", "a.xml", "a.json"))
    runner = CliRunner()
    assert runner.invoke(app, ["generate", "--example", example]).exit_code == 0
    arguments = ["generate", example, "--backend", "flex", "-o", output, "--json", figures]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 0 and "flex: no root" in result.output
    model = mujoco.MjModel.from_xml_path(output)
    with open(figures) as file:
        found = json.load(file)["results"][0]
    assert found["links"] == 40 and found["mass"] == pytest.approx(model.body_mass.sum())
