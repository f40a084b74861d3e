"""Marks of tests of the viewer, which run on a virtual display."""

import shutil

import pytest

#: Xvfb is there, and no other display (the fixture is in tests/conftest.py).
ON_XVFB = [
    pytest.mark.skipif(
        shutil.which("Xvfb") is None, reason="Xvfb is missing (./scripts/setup installs it)"
    ),
    pytest.mark.usefixtures("without_a_display"),
]
