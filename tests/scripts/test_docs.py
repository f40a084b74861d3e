"""The documentation site builds without warnings and has no dead links."""

import html.parser
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "assets" / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    command += ["-d", str(folder / "doctrees"), "-b", "html", str(PAGES), str(folder / "html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder / "html"


class _Page(html.parser.HTMLParser):
    """Collects the links of a page and the anchors to which links can point."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.links += [given[name] for name in ("href", "src") if name in given]
        self.anchors |= {given[name] for name in ("id", "name") if name in given}


def test_every_page_is_there(site: Path) -> None:
    for page in PAGES.glob("*.md"):
        assert (site / f"{page.stem}.html").is_file()


def test_no_link_is_dead(site: Path) -> None:
    pages = {path: _Page(path) for path in site.glob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path.parent / urllib.parse.unquote(parts.path) if parts.path else path
            anchors = pages[target].anchors if parts.fragment and target in pages else None
            misses = anchors is not None and urllib.parse.unquote(parts.fragment) not in anchors
            if misses or not target.is_file():
                dead.append(f"{path.name}: {link}")
    assert not dead


def test_the_reference_names_every_public_name(site: Path) -> None:
    import strand
    from strand import batch, replay, robots, simulation, sweep, vine

    reference = (site / "api.html").read_text()
    for module in (strand, batch, replay, robots, simulation, sweep, vine):
        for name in module.__all__:
            if not name.startswith("_"):
                assert f"{name}" in reference, f"{module.__name__}.{name}"
