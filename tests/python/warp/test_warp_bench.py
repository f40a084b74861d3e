"""`strand bench warp` on a small table."""

import json
from pathlib import Path

import pytest
from support.warp import needs_warp
from typer.testing import CliRunner

from strand.cli import app
from strand.flex.check import supported

pytestmark = [needs_warp, pytest.mark.slow]


def bench(*words: str) -> tuple[str, int]:
    result = CliRunner().invoke(app, ["bench", "warp", *words], env={"COLUMNS": "200"})
    return result.output, result.exit_code


def test_a_small_table(tmp_path: Path) -> None:
    report = tmp_path / "warp.json"
    sizes = ("--worlds", "1,4", "--links", "12", "--repeats", "1")
    output, code = bench(*sizes, "--json", str(report))
    assert code == 0, output
    rows = json.loads(report.read_text())["results"]
    peers = ("strand", "flex") if supported() else ("strand",)
    assert [(row["peer"], row["worlds"]) for row in rows[1:]] == [
        (peer, worlds) for peer in peers for worlds in (1, 4)
    ]
    assert rows[0]["peer"] == "c" and rows[0]["times_c"] == 1
    assert all(0 < row["low"] <= row["rate"] <= row["high"] for row in rows)
    assert all(row["off"] < 1e-5 for row in rows)
    share = 0.1 if supported() else 0.15  # the older MuJoCo Warp needs less memory itself
    assert 0 < rows[1]["strand_kB"] < share * rows[1]["mujoco_kB"]
    for flex in rows[3:]:
        assert flex["strand_kB"] is None and flex["mujoco_kB"] > 0
    assert ("CPU device" in output) != ("CUDA graph" in output)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--worlds", "0"), "worlds: got '0'"),
        (("--links", "2"), "links: got '2'"),
        (("--peers", "strand,chain"), "peers: got 'chain', allowed: strand, flex, c"),
        (("--repeats", "0"), "repeats: got 0"),
    ],
)
def test_bad_arguments(words: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["bench", "warp", *words])
    assert result.exit_code != 0
    assert message in f"{result.output}{result.exception}"
