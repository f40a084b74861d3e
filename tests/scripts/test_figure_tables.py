"""The tables of figures in the documentation agree with the stored JSON files."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts" / "figures"))

import tables  # noqa: E402


@pytest.mark.parametrize("page", tables.PAGES, ids=lambda page: page.name)
def test_pages_agree_with_the_stored_figures(page: Path) -> None:
    text = page.read_text()
    assert tables.rewritten(text) == text, "run scripts/figures/tables.py"


def test_every_table_is_on_a_page() -> None:
    text = "".join(page.read_text() for page in tables.PAGES)
    assert sorted(re.findall(r"<!-- table (.+?) -->", text)) == sorted(tables.TABLES)
    assert text.count("<!-- end of table -->") == len(tables.TABLES)


def test_every_stored_file_has_a_command_and_has_passed() -> None:
    files = {path.name for path in tables.FOLDER.glob("*.json")} - {"quoted.json"}
    assert files == set(tables.COMMANDS)
    for name in files:
        report = tables.read(name)
        assert report["passed"], name
        assert report["name"] in tables.COMMANDS[name].split(), name


def test_a_changed_figure_changes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    shutil.copytree(tables.FOLDER, tmp_path / "figures")
    page = tmp_path / "page.md"
    page.write_text("Before\n\n<!-- table ring -->\n\n<!-- end of table -->\n\nAfter\n")
    monkeypatch.setattr(tables, "FOLDER", tmp_path / "figures")
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    monkeypatch.setattr(tables, "PAGES", (page,))
    monkeypatch.setattr(sys, "argv", ["tables.py"])
    assert tables.main() == 0
    written = page.read_text()
    assert written.startswith("Before\n\n<!-- table ring -->\n\n| | Strand")
    assert written.endswith("|\n\n<!-- end of table -->\n\nAfter\n")

    monkeypatch.setattr(sys, "argv", ["tables.py", "--check"])
    assert tables.main() == 0
    report = tables.read("mbi.json")
    report["results"][0]["relative_error"] += 0.1
    (tmp_path / "figures" / "mbi.json").write_text(json.dumps(report))
    assert tables.main() == 1
    assert page.read_text() == written
    assert "page.md: differs" in capsys.readouterr().out


def test_an_unknown_table_is_rejected() -> None:
    with pytest.raises(KeyError, match="nothing"):
        tables.rewritten("<!-- table nothing -->\n<!-- end of table -->")
