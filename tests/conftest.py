"""Renders without a display, the way that scripts/setup found to work."""

import os
import sys
from pathlib import Path

import pytest

_probed = Path(sys.prefix, "strand_gl")
if _probed.exists() and (_gl := _probed.read_text().strip()):
    os.environ.setdefault("MUJOCO_GL", _gl)


@pytest.fixture
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
