"""Adds `support`, the shared helpers, to the path, and checks for warnings."""

import sys
from collections.abc import Iterator
from pathlib import Path

import mujoco
import pytest

TESTS = str(Path(__file__).resolve().parents[1])
if TESTS not in sys.path:
    sys.path.insert(0, TESTS)


@pytest.fixture
def engine_warnings() -> list[str]:
    """MuJoCo's warnings so far; a test that expects warnings clears the list."""
    return []


@pytest.fixture(autouse=True)
def no_engine_warnings(engine_warnings: list[str]) -> Iterator[None]:
    """Fails every test that leaves a warning of MuJoCo (a bad QACC, a full buffer) in the list."""
    mujoco.set_mju_user_warning(engine_warnings.append)
    yield
    mujoco.set_mju_user_warning(None)
    assert engine_warnings == []
