"""Renders without a display, the way that scripts/setup found to work."""

import os
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.testing

_probed = Path(sys.prefix, "strand_gl")
if _probed.exists() and (_gl := _probed.read_text().strip()):
    os.environ.setdefault("MUJOCO_GL", _gl)


# Each run of a command makes all commands of its app anew, which takes longer than most of them.
if hasattr(typer.testing, "_get_command"):
    typer.testing._get_command = cache(typer.testing._get_command)


@pytest.fixture
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
