"""Environments of peers that the benchmarks install."""

from collections.abc import Callable
from pathlib import Path

import pytest

from strand import StrandError


def assert_failed_install_is_reported(
    call: Callable[[], object], package: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`call` needs `package` (a regular expression): without an index the error names the command.

    No incomplete environment stays in the cache.
    """
    monkeypatch.setenv("STRAND_CACHE", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    with pytest.raises(StrandError, match=rf"pip install .*{package}' failed: ERROR"):
        call()
    assert list((folder / "peers").iterdir()) == []
