"""The demonstration: its scene stays together, and its report needs no other file."""

import re
from html.parser import HTMLParser
from pathlib import Path

import mujoco
import numpy as np
import pytest

import strand
from strand.draw.stage import Photographer, camera, can_render
from strand_studies.demo import chapters, hanging
from strand_studies.demo import program as demo
from strand_studies.demo.page import Page


@pytest.fixture(scope="module")
def watched() -> tuple[mujoco.MjModel, mujoco.MjData, list[float], int]:
    """A run of the hanging cable: model, last data, depths in the pipe, most contacts."""
    model = hanging.build()
    depths, contacts = [], []

    def watch(data: mujoco.MjData) -> None:
        depths.append(hanging.depth_in_pipe(model, data))
        contacts.append(data.ncon)

    data = hanging.play(model, watch)
    return model, data, depths, max(contacts)


def test_scene_runs_without_warnings(watched) -> None:
    _, data, _, _ = watched
    assert data.time == pytest.approx(hanging.DURATION, abs=0.05)
    assert not data.warning.number.any()
    assert np.isfinite(data.qpos).all()


def test_cable_lands_on_the_pipe_and_does_not_pass_through(watched) -> None:
    model, data, depths, contacts = watched
    assert contacts > 0
    assert depths[0] < -0.2  # at the start it is well above the pipe
    assert depths[-1] > -0.001  # at the end it rests on it
    assert max(depths) < chapters.PASS_THROUGH * hanging.RADIUS
    links = [model.body(f"cable_link{k}").id for k in range(hanging.SEGMENTS)]
    nodes = data.xpos[links]
    nearest = nodes[np.abs(nodes[:, 0] - hanging.PIPE["x"]).argmin()]
    assert nearest[2] > hanging.PIPE["z"]  # above it, not below


def test_gripper_holds_its_end(watched) -> None:
    _, data, _, _ = watched
    end = data.site("cable_site_end").xpos
    np.testing.assert_allclose(end, data.mocap_pos[0], atol=2e-3)


class _References(HTMLParser):
    """Collects the references of a page, and checks that tags are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.references: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag not in ("img", "meta"):
            self.open.append(tag)
        self.references += [value for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_report_is_one_file(tmp_path: Path) -> None:
    assert demo.run(tmp_path, ["cables"])
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    text = (tmp_path / "report.html").read_text()
    parser = _References()
    parser.feed(text)
    assert not parser.open
    assert all(reference.startswith("data:image/") for reference in parser.references)
    assert "url(" not in text
    assert "strand.cable" in text  # the MJCF


def test_report_says_where_nothing_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "can_render", lambda: False)
    assert demo.run(tmp_path, ["cables"])
    assert "no rendered frames" in (tmp_path / "report.html").read_text()


def test_bad_verdict_fails_the_page() -> None:
    page = Page("a", "b")
    page.section("c")
    page.verdict(True, "good")
    assert page.passed
    page.verdict(False, "1 < 0")
    assert not page.passed
    assert "1 &lt; 0" in page.to_html()


def test_snippet_is_short() -> None:
    text = chapters.snippet(strand.Cable(strand.straight(1.0, 3), EI=0.01, GJ=0.008))
    assert not re.search(r"[1-9]\d{5,}", text)
    assert max(map(len, text.splitlines())) <= 110


def test_picture_shows_the_cable() -> None:
    if not can_render():
        pytest.skip("MuJoCo cannot render here")
    model = hanging.build()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    view = camera((0.88, 0, 0.50), 2.25, 112, -15)
    with Photographer(model, 320, 180) as photographer:
        picture = photographer.take(data, view).astype(int)
    assert picture.shape == (180, 320, 3)
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    assert (blue - np.maximum(red, green) > 60).sum() > 50  # no stress yet: blue
