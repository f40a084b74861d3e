"""Arguments of the public functions: documented, checked at once, and never a foreign traceback."""

import dataclasses
import inspect
import re
from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from support.bad_arguments import BAD, expect_no_foreign_error

import strand
from strand import StrandError
from strand.cable.cable import OPTIONS
from strand.simulation import Simulation

NODES = strand.straight(1.0, 6)


def good() -> strand.Cable:
    return strand.Cable(NODES, EI=0.01, GJ=0.008, start="fixed")


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(strand.Cable)])
def test_every_argument_of_a_cable(field: str) -> None:
    for value in BAD:
        arguments = {"nodes": NODES, "EI": 0.01, "GJ": 0.008, "start": "fixed"} | {field: value}
        expect_no_foreign_error(lambda arguments=arguments: strand.Cable(**arguments).to_mjcf())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"EI": -1.0}, "EI: got '-1', allowed: finite, > 0"),
        ({"EI": "stiff"}, "EI: got 'stiff', allowed: one number or two"),
        ({"radius": 0}, "radius: got '0', allowed: finite, > 0"),
        ({"density": float("nan")}, "density: got 'nan', allowed: a number > 0"),
        ({"start": "glued"}, "start: got 'glued', allowed: free, fixed"),
        ({"young": 1e6}, "EI: got 'a value beside young"),
        ({"GJ": None}, "GJ: got 'nothing'"),
        ({"nodes": None}, "nodes: got None, allowed: an array of shape"),
        ({"nodes": [[0, 0, 0], [1, 0, 0]]}, "nodes: got '2', allowed: at least 3"),
        ({"closed": True}, "closed: got '1 m between the first and last node'"),
        ({"start": "weld"}, "start_to: got ''"),
        ({"stretches": [strand.Stretch(0.5, 2.0, EI=1)]}, "stretches: got '0.5 to 2'"),
        ({"friction": [0.1, -0.2]}, "friction: got '-0.2'"),
        ({"color": (2, 1)}, "color: got '[2, 1]', allowed: two stresses, 0 <= lower < upper"),
        ({"color": (-1, 1)}, "color: got '[-1, 1]', allowed: two stresses"),
        ({"color": (0, np.inf)}, "color: got '[0, inf]', allowed: two stresses"),
        ({"color": (1,)}, "color: got '[1]', allowed: two stresses"),
    ],
)
def test_a_bad_cable_is_rejected_when_it_is_made(arguments: dict, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        strand.Cable(**{"nodes": NODES, "EI": 0.01, "GJ": 0.008} | arguments)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"begin": 0.5, "end": 0.2},
            "stretches: got '0.5 to 0.2', allowed: finite, begin >= 0 and",
        ),
        ({"begin": -0.1}, "stretches: got '-0.1 to 0.2'"),
        ({"end": float("inf")}, "stretches: got '0 to inf'"),
        ({"begin": "a"}, "stretches.begin: got 'a', allowed: an arclength (m)"),
        ({"begin": None}, "stretches.begin: got 'nothing', allowed: an arclength (m)"),
        ({"end": 1j}, "stretches.end: got 1j, allowed: an arclength (m)"),
        ({"radius": -1}, "stretches.radius: got '-1', allowed: finite, > 0 (m)"),
        ({"density": 0}, "stretches.density: got '0', allowed: finite, > 0 (kg/m^3)"),
        ({"EI": [1, -1]}, "EI: got '-1', allowed: finite, > 0 (N m^2)"),
        ({"young": 0}, "young: got '0', allowed: finite, > 0 (Pa)"),
        ({"poisson": 3}, "poisson: got '3', allowed: > -1 and <= 0.5"),
    ],
)
def test_a_bad_stretch_is_rejected_when_it_is_made(arguments: dict, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        strand.Stretch(**{"begin": 0.0, "end": 0.2} | arguments)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(strand.Stretch)])
def test_every_argument_of_a_stretch(field: str) -> None:
    for value in BAD:
        arguments = {"begin": 0.0, "end": 0.2} | {field: value}
        expect_no_foreign_error(lambda arguments=arguments: strand.Stretch(**arguments))


def test_a_bad_field_set_later_is_rejected_when_the_cable_is_used() -> None:
    cable = good()
    cable.radius = -1.0
    for use in (cable.to_mjcf, cable.recipe, lambda: strand.attach(mujoco.MjSpec(), cable)):
        with pytest.raises(StrandError, match="radius: got '-1'"):
            use()


def test_help_describes_every_argument() -> None:
    for kind in (strand.Cable, strand.Stretch):
        text = inspect.getdoc(kind)
        for field in dataclasses.fields(kind):
            (line,) = re.findall(rf"^{field.name}: .*", text, re.MULTILINE)
            default = field.default
            if default not in (None, dataclasses.MISSING):
                assert line.endswith(f"Default: {default!r}")
    text = inspect.getdoc(strand.Cable)
    assert all(f"{option.doc}. Allowed: {option.allowed}." in text for option in OPTIONS.values())
    assert "\nstabilize: numerical stiffness for large steps" in text
    assert (
        "\nmargin: distance at which contacts begin. Allowed: a number >= 0 (m). Default: 0.0"
        in text
    )


@pytest.mark.parametrize("shape", ("straight", "arc", "ring", "helix", "points", "spline"))
def test_every_argument_of_a_shape(shape: str) -> None:
    good_arguments = {
        "straight": {"length": 1.0, "segments": 5},
        "arc": {"length": 1.0, "angle": 1.0, "segments": 5},
        "ring": {"radius": 1.0, "segments": 5, "overlap": 1},
        "helix": {"radius": 1.0, "pitch": 1.0, "turns": 1.0, "segments": 9},
        "points": {"points": NODES},
        "spline": {"points": NODES, "segments": 5, "closed": False},
    }[shape]
    make = getattr(strand, shape)
    assert len(make(**good_arguments)) >= 6
    for name in good_arguments:
        for value in BAD:
            arguments = good_arguments | {name: value}
            expect_no_foreign_error(lambda arguments=arguments: make(**arguments))


@pytest.fixture(scope="module")
def scene() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(good().to_mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


READERS = (strand.readout, strand.profile, strand.energy, strand.plot)


@pytest.mark.parametrize("read", READERS)
def test_readers_check_model_data_and_cable(read: Callable, scene) -> None:
    model, data = scene
    other = mujoco.MjModel.from_xml_string("<mujoco/>")
    given = {"model": model, "data": data}
    for field, values in (
        ("model", (*BAD, data, other)),
        ("data", (*BAD, model, mujoco.MjData(other))),
    ):
        for value in values:
            with pytest.raises(StrandError, match=r"^(model|data): got .*allowed: "):
                read(**given | {field: value})
    for value in BAD:
        expect_no_foreign_error(lambda value=value: read(model, data, cable=value))


@pytest.mark.parametrize("read", READERS)
def test_a_model_without_cables_is_rejected(read: Callable) -> None:
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(StrandError, match=r"(model|cable): got .*allowed: "):
        read(model, mujoco.MjData(model))


@pytest.mark.parametrize("name", ("spec", "cable", "body", "pos", "quat"))
def test_every_argument_of_attach(name: str) -> None:
    for value in BAD:
        arguments = {"spec": mujoco.MjSpec(), "cable": good()} | {name: value}
        expect_no_foreign_error(lambda arguments=arguments: strand.attach(**arguments))


def test_a_pose_that_is_not_finite_is_rejected_by_name() -> None:
    for name, value in (("pos", (0, 0, np.inf)), ("quat", (np.inf, 0, 0, 0))):
        with pytest.raises(StrandError, match=rf"^{name}: got .*inf.*, allowed: \d finite numbers"):
            strand.attach(mujoco.MjSpec(), good(), **{name: value})


@pytest.mark.parametrize("name", ("cable", "path", "backend", "stage"))
def test_every_argument_of_generate(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in BAD:
        arguments = {"cable": good()} | {name: value}
        expect_no_foreign_error(lambda arguments=arguments: strand.generate(**arguments))


def test_every_path(tmp_path, monkeypatch, scene) -> None:
    monkeypatch.chdir(tmp_path)
    for value in BAD:
        expect_no_foreign_error(lambda value=value: strand.load_cable(value))
        expect_no_foreign_error(lambda value=value: strand.save_state(value, *scene))
        expect_no_foreign_error(lambda value=value: strand.load_state(value, *scene))
        expect_no_foreign_error(lambda value=value: strand.plot(*scene, value))
    for value in BAD:
        for state in (strand.save_state, strand.load_state):
            with pytest.raises(StrandError, match=r"^model: got"):
                state("state.npz", value, scene[1])
            with pytest.raises(StrandError, match=r"^data: got"):
                state("state.npz", scene[0], value)


def test_every_path_of_an_old_model(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for value in BAD:
        expect_no_foreign_error(lambda value=value: strand.load_model(value))


def test_complex_nodes_are_not_cut_to_their_real_part() -> None:
    with pytest.raises(StrandError, match="nodes: got "):
        strand.Cable(NODES * (1 + 1j), EI=0.01, GJ=0.008)


def test_moments_of_holders_and_elastic_couples_differ(scene) -> None:
    """One meaning and one sign per word: moments act by the holders, couples are the cable's."""
    model = scene[0]
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 300)
    mujoco.mj_forward(model, data)
    read, found = strand.readout(model, data), strand.profile(model, data)
    assert not {"start_moment", "end_moment"} & set(strand.Readout._fields)
    assert found.end_moment == pytest.approx(np.zeros(3), abs=1e-12)  # a free end
    assert read.start_couple == pytest.approx(found.moment[0], abs=1e-12)
    assert read.end_couple == pytest.approx(-found.moment[-1], abs=1e-12)
    assert np.linalg.norm(read.end_couple) > 1e-6


def test_a_plot_is_a_figure(scene, tmp_path) -> None:
    figure = strand.plot(*scene)
    assert figure.axes[1].get_title() == "curvature (1/m)"
    same = strand.plot(*scene, tmp_path / "cable.png")
    assert len(same.axes) == len(figure.axes) == 6
    assert (tmp_path / "cable.png").stat().st_size > 10_000


def test_gravity_is_the_same_with_and_without_mujoco() -> None:
    default = inspect.signature(Simulation).parameters["gravity"].default
    assert tuple(default) == good().gravity == (0.0, 0.0, -9.81)
