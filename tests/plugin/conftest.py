"""Path to `support`, the helpers that several test files share, and a watch over warnings."""

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
    """MuJoCo's warnings so far; a test that expects some clears the list."""
    return []


@pytest.fixture(autouse=True)
def no_engine_warnings(engine_warnings: list[str]) -> Iterator[None]:
    """No test passes with a warning of MuJoCo (a bad QACC, a full buffer) left unexplained."""
    mujoco.set_mju_user_warning(engine_warnings.append)
    yield
    mujoco.set_mju_user_warning(None)
    assert engine_warnings == []
