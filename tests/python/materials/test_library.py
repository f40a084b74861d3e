"""Real cables: values against independent formulas, each with a source; cables made from them."""

import dataclasses
import json
import math
import tomllib
from pathlib import Path

import mujoco
import numpy as np
import pytest
from typer.testing import CliRunner

import strand
from strand import StrandError, materials
from strand.cable.library import KINDS, kind
from strand.cli import app
from strand.cli.commands.materials import markdown_table

ROOT = Path(__file__).parents[3]
FILE = ROOT / "plugin" / "python" / "strand" / "materials" / "cables.toml"
TABLES = tomllib.loads(FILE.read_text())
REFERENCES = TABLES.pop("references")
NAMES = list(TABLES)
NODES = strand.straight(1.0, 40)


def area(name: str) -> float:
    """Of the section that the density refers to."""
    cable = TABLES[name]["cable"]
    return math.pi * (cable["radius"] ** 2 - cable.get("inner_radius", 0) ** 2)


def of_parts(name: str) -> dict[str, float]:
    """Mass per length, and stiffness of parts that slide and that stick (Voigt's upper bound)."""
    sums = dict.fromkeys(("mass", "EI_slide", "EI_stick", "GJ_slide", "GJ_stick"), 0.0)
    for part in TABLES[name]["parts"]:
        outer, inner = part["diameter"] / 2, part.get("inner_diameter", 0) / 2
        section = math.pi * (outer**2 - inner**2)
        polar = section * (outer**2 + inner**2) / 2
        E, n, r = part["young"], part["count"], part.get("from_axis", 0)
        G = E / (2 + 2 * part["poisson"])
        sums["mass"] += n * part["density"] * section
        sums["EI_slide"] += n * E * polar / 2
        sums["EI_stick"] += n * E * (polar + section * r**2) / 2
        sums["GJ_slide"] += n * G * polar
        sums["GJ_stick"] += n * G * (polar + section * r**2)
    return sums


def test_the_library_has_the_cables_of_its_file() -> None:
    assert materials.names() == NAMES and len(NAMES) >= 18
    for name in NAMES:
        found = materials.get(name)
        assert found.name == name and found.title == TABLES[name]["title"]
        assert dict(found.cable) == TABLES[name]["cable"]


@pytest.mark.parametrize("name", NAMES)
def test_a_cable_hangs_without_warnings(name: str) -> None:
    cable = strand.Cable(NODES, material=name, start="fixed")
    model = mujoco.MjModel.from_xml_string(strand.generate(cable))
    data = mujoco.MjData(model)
    before = data.xpos[-1, 2]
    mujoco.mj_step(model, data, nstep=math.ceil(0.5 / model.opt.timestep))
    assert not data.warning.number.any()
    assert np.isfinite(data.qpos).all() and data.xpos[-1, 2] < before - 0.1
    mass = materials.get(name).mass_per_length * 1.0
    assert model.body_mass.sum() == pytest.approx(mass, rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_density_and_section_have_the_mass(name: str) -> None:
    found = materials.get(name)
    assert found.area == pytest.approx(area(name), rel=1e-12)
    assert found.cable["density"] * area(name) == pytest.approx(found.mass_per_length, rel=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_stiffness_is_within_its_bounds_and_those_of_physics(name: str) -> None:
    found = materials.get(name)
    for value, (low, high) in ((found.EI, found.EI_bounds), (found.GJ, found.GJ_bounds)):
        assert 0 < low < high and low * (1 - 1e-3) <= value <= high * (1 + 1e-3)
    ratio = found.GJ / found.EI
    measured = kind(found.sources.get("GJ", "")) == "measured"  # not of one isotropic material
    assert (0.3 < ratio < 2) if measured else (2 / 3 <= ratio < 1)
    assert found.uncertainty >= 1


@pytest.mark.parametrize("name", [name for name in NAMES if "parts" not in TABLES[name]])
def test_stiffness_of_one_material_is_that_of_the_section(name: str) -> None:
    found, cable = materials.get(name), TABLES[name]["cable"]
    stiffness = found.EI, found.GJ
    if "young" not in cable:
        assert stiffness == (cable["EI"], cable["GJ"])
        return
    moment = math.pi / 4 * (cable["radius"] ** 4 - cable.get("inner_radius", 0) ** 4)
    shear = cable.get("shear") or cable["young"] / (2 + 2 * cable["poisson"])
    assert stiffness == pytest.approx((cable["young"] * moment, shear * 2 * moment), rel=1e-12)


@pytest.mark.parametrize("name", [name for name in NAMES if "parts" in TABLES[name]])
def test_stiffness_of_several_parts_is_that_of_parts_that_slide(name: str) -> None:
    """Of fibre ropes: the geometric mean with that of parts that stick."""
    found, sums = materials.get(name), of_parts(name)
    for what, value, bounds in (
        ("EI", found.EI, found.EI_bounds),
        ("GJ", found.GJ, found.GJ_bounds),
    ):
        slide, stick = sums[f"{what}_slide"], sums[f"{what}_stick"]
        if "geometric mean" in found.sources["EI"]:
            assert value == pytest.approx(math.sqrt(slide * stick), rel=2e-3)
        else:
            assert value == pytest.approx(slide, rel=2e-3)
        if stick > 1.01 * slide:  # else the bounds are those of the moduli
            assert bounds == pytest.approx((slide, stick), rel=2e-3)
    outer = max(part["diameter"] for part in TABLES[name]["parts"])
    assert outer <= 2 * found.radius * (1 + 1e-9)
    assert all(part.from_axis + part.diameter / 2 <= found.radius * 1.01 for part in found.parts)


@pytest.mark.parametrize("name", [name for name in NAMES if "parts" in TABLES[name]])
def test_parts_have_the_mass_of_the_cable(name: str) -> None:
    """Also where the mass is from a data sheet; wire ropes have lay angles and a lubricant."""
    found, mass = materials.get(name), of_parts(name)["mass"]
    estimated = kind(found.sources["mass_per_length"]) == "estimated"
    assert mass == pytest.approx(found.mass_per_length, rel=1e-3 if estimated else 0.15)
    metal = sum(part.count * part.area for part in found.parts)
    assert metal <= found.area


def test_published_values() -> None:
    """Against numbers that are not in the file: steel wire ropes, RG58, the measured wires."""
    rope = materials.get("wire_rope_7x19_4mm")
    assert rope.mass_per_length == pytest.approx(0.381 * 16 / 100, rel=1e-3)
    assert rope.breaking_load == pytest.approx(0.362 * 16 * 1770, rel=1e-3)
    metal = sum(part.count * part.area for part in rope.parts)
    assert metal == pytest.approx(0.418 * 16e-6, rel=2e-3)
    glass = 72e9 * math.pi / 64 * 125e-6**4
    coated = materials.get("optical_fibre_250um").EI
    assert glass < coated < 1.3 * glass
    shared = ROOT.parent / "shared" / "data" / "wires" / "identified.json"
    if shared.exists():
        for wire, values in json.loads(shared.read_text()).items():
            found, measured = materials.get(f"{wire}_wire"), values["adapt"]
            stiffness = found.EI, found.GJ
            reference = measured["alpha_used"], measured["beta_used_Nm2"]
            assert stiffness == pytest.approx(reference, rel=1e-3)
            assert found.mass_per_length == pytest.approx(values["mass_per_length_kg_m"], rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_has_a_source(name: str) -> None:
    found, table = materials.get(name), TABLES[name]
    fields = {f.name for f in dataclasses.fields(found)} - {
        "name", "title", "cable", "sources", "references", "parts",
    }  # fmt: skip
    values = {field for field in fields if getattr(found, field) not in (None, ())}
    assert set(found.sources) == values | set(found.cable)
    texts = [*found.sources.values(), *(part.source for part in found.parts)]
    for text in texts:
        word, colon, rest = text.partition(": ")
        assert word in KINDS and colon and rest and "{" not in text
    cited = {key for key in REFERENCES if any(f"[{key}]" in text for text in texts)}
    assert set(found.references) == cited
    assert found.origin == kind(found.sources["EI" if "EI" in table["cable"] else "young"])
    for word in ("datasheet", "standard", "literature", "measured"):  # name what they are from
        assert all("[" in text for text in texts if kind(text) == word), word


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_plausible(name: str) -> None:
    found = materials.get(name)
    if found.min_bend_radius:
        assert 2 * found.radius < found.min_bend_radius < 300 * found.radius
    if found.breaking_load:
        assert 1e6 < found.breaking_load / found.area < 4e9
        assert (found.working_load or 0) < found.breaking_load
    if found.strain_radius:
        assert found.strain_radius <= found.radius
    if found.fatigue:
        strains, cycles = np.transpose(found.fatigue)
        assert (np.diff(strains) < 0).all() and (np.diff(cycles) > 0).all() and strains[0] < 0.1
        assert materials.SNCurve(found.fatigue).cycles(strains[2]) == pytest.approx(cycles[2])


def test_entries_cannot_be_changed() -> None:
    found = materials.get("usb_c")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.min_bend_radius = 1.0  # type: ignore[misc]
    for values in (found.cable, found.sources, found.references):
        with pytest.raises(TypeError):
            values["EI"] = 1.0  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("usbc", "; did you mean 'usb_c' or 'usb_a_b'?"),
        ("nitinol", "; did you mean 'nitinol_0_5mm'?"),
        ("???", ""),
        (3, ""),
        ([], ""),
    ],
)
def test_an_unknown_name_is_rejected_with_near_ones(name: object, hint: str) -> None:
    words = f"material: got {name!r}, allowed: {', '.join(NAMES)}{hint}"
    for use in (materials.get, lambda material: strand.Cable(NODES, material=material)):
        with pytest.raises(StrandError) as caught:
            use(name)  # type: ignore[operator]
        assert str(caught.value) == words


def test_a_material_fills_what_is_not_given() -> None:
    filled = strand.Cable(NODES, material="pu_hose_6x4")
    written = strand.Cable(NODES, **materials.get("pu_hose_6x4").cable)
    assert dataclasses.replace(filled, material=None) == written
    assert filled.generate() == written.generate()
    assert strand.Cable(NODES, EI=1e-3, GJ=1e-3).radius == 0.005  # the default


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ({"radius": 0.005}, set()),  # also a default
        ({"density": 1000.0}, set()),
        ({"EI": 1e-3, "GJ": 1e-3}, {"young", "poisson"}),
        ({"young": 1e6, "shear": 4e5}, {"poisson"}),
        ({"friction": 0.6}, set()),
        ({"loss_time": 0.01}, {"damping_ratio"}),
        ({"damping": 0.0}, {"damping_ratio"}),
        ({"section": "box", "width": 0.02, "height": 0.01}, {"inner_radius"}),
    ],
)
def test_what_is_given_wins(given: dict, left_out: set[str]) -> None:
    material = dict(materials.get("garden_hose").cable)
    cable = strand.Cable(NODES, material="garden_hose", **_fitting(given))
    for name, value in _fitting(given).items():
        assert getattr(cable, name) == value
    own = strand.Cable(NODES, EI=1.0, GJ=1.0)
    for name, value in material.items():
        if name in left_out:
            assert getattr(cable, name) == getattr(own, name)
        elif name not in _fitting(given) and not ("section" in given and name == "radius"):
            assert getattr(cable, name) == value


def _fitting(given: dict) -> dict:
    """With an inner radius that fits the given radius."""
    return given | ({"inner_radius": 0.004} if "radius" in given else {})


def test_branches_have_the_values_of_their_material() -> None:
    side = strand.Cable(strand.straight(0.3, 12), material="rg174")
    cable = strand.Cable(
        NODES, material="rg58", branches=[strand.Branch(side, "side", at=0.5, angle=1.0)]
    )
    (described,) = strand.Cable.from_description(cable.description()).branches
    assert described.cable.EI == materials.get("rg174").EI
    again = dataclasses.replace(cable, start="fixed")
    assert (again.EI, again.damping_ratio) == (cable.EI, cable.damping_ratio)


def test_the_command_prints_the_table_and_the_sources() -> None:
    run = CliRunner().invoke
    table = run(app, ["materials"], env={"COLUMNS": "120"}).output
    assert all(name in table for name in NAMES)
    text = run(app, ["materials", "rg58"]).output
    found = materials.get("rg58")
    for source in (*found.sources.values(), *found.references.values()):
        assert source in text
    assert "mass_per_length = 0.038 kg/m" in text and "fatigue = [[0.0213, 100], " in text
    result = run(app, ["materials", "rg85"])
    assert isinstance(result.exception, StrandError) and "'rg58'" in str(result.exception)


def test_the_command_writes_json(tmp_path: Path) -> None:
    path = tmp_path / "cables.json"
    CliRunner().invoke(app, ["materials", "--json", str(path)])
    rows = json.loads(path.read_text())
    assert [row["name"] for row in rows] == NAMES
    assert rows[0]["EI"] == materials.get("usb_c").EI and rows[0]["sources"]["EI"]


def test_the_page_has_the_table_of_the_command() -> None:
    page = (ROOT / "assets" / "docs" / "materials.md").read_text()
    printed = CliRunner().invoke(app, ["materials", "--markdown"]).output
    assert printed == markdown_table([materials.get(name) for name in NAMES]) + "\n"
    assert f"\n\n{printed}\n" in page


def read(tmp_path: Path, text: str) -> strand.Cable:
    path = tmp_path / "x.cable.toml"
    path.write_text('[shape]\ntype = "straight"\nlength = 1.0\nsegments = 20\n' + text)
    return strand.load_cable(path)


OWN = {
    "": {},
    "EI = 0.01\nGJ = 0.02\n": {"EI": 0.01, "GJ": 0.02},
    "density = 1234.0\n[section]\nradius = 0.01\n": {"density": 1234.0, "radius": 0.01},
    '[section]\nsection = "box"\nwidth = 0.01\nheight = 0.02\n': {
        "section": "box",
        "width": 0.01,
        "height": 0.02,
    },
    "[damping]\nloss_time = 0.03\n[contact]\nfriction = 0.9\n": {
        "loss_time": 0.03,
        "friction": 0.9,
    },
}


@pytest.mark.parametrize("name", ["usb_c", "copper_1_5_solid", "silicone_tube_6x4"])
@pytest.mark.parametrize("text", OWN)
def test_files_use_the_library_as_arguments_do(tmp_path: Path, name: str, text: str) -> None:
    assert name in strand.materials.names()
    from_file = read(tmp_path, f'[material]\nmaterial = "{name}"\n{text}')
    given = strand.Cable(strand.straight(1.0, 20), material=name, **OWN[text])
    assert strand.generate(from_file) == strand.generate(given)


def test_branches_may_be_of_another_material(tmp_path: Path) -> None:
    branch = '[[branch]]\nat = 0.5\nangle = 1.0\n[branch.shape]\ntype = "straight"\n'
    branch += "length = 0.3\nsegments = 10\n"
    text = '[material]\nmaterial = "usb_c"\n' + branch
    same = read(tmp_path, text).branches[0].cable
    assert same.radius == strand.materials.get("usb_c").cable["radius"]
    other = read(tmp_path, text + '[branch.material]\nmaterial = "copper_1_5_solid"\n')
    copper = strand.materials.get("copper_1_5_solid").cable
    assert other.branches[0].cable.density == copper["density"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"usbc"', "material.material: got 'usbc', allowed: .*did you mean 'usb_c'"),
        ("3", "material.material: got '3', allowed: "),
        ('"references"', "material.material: got 'references', allowed: "),
    ],
)
def test_files_name_unknown_materials(tmp_path: Path, value: str, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        read(tmp_path, f"[material]\nmaterial = {value}\n")


METALS = [name for name in NAMES if materials.get(name).yield_stress]


@pytest.mark.parametrize("name", METALS)
def test_plastic_moments_are_those_of_the_metal(name: str) -> None:
    """The fully plastic moment is the sum of 4/3 r^3 yield stress over the wires."""
    entry = materials.get(name)
    cable = strand.Cable(NODES, material=name, **entry.plastic)
    wires = [part for part in entry.parts if part.young == max(p.young for p in entry.parts)]
    exact = sum(p.count * 4 / 3 * (p.diameter / 2) ** 3 for p in wires) * entry.yield_stress
    if not entry.parts:
        assert cable.yield_stress == entry.yield_stress
        return
    pairs = np.reshape(cable.bend_elements, (-1, 2))
    assert entry.EI * (pairs[:, 0] @ pairs[:, 1]) == pytest.approx(exact, rel=2e-3)
    with pytest.raises(StrandError, match=rf"yield_stress: got .* with material '{name}'"):
        strand.Cable(NODES, material=name, yield_stress=entry.yield_stress)


def test_without_metal_nothing_yields() -> None:
    with pytest.raises(StrandError, match="material: got 'silicone_tube_6x4', allowed: one with"):
        _ = materials.get("silicone_tube_6x4").plastic
