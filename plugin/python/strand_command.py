"""The command `strand`. It is outside the package so that a failed import prints one line."""

import sys


def main() -> None:
    try:
        from strand.cli import main as run
    except ImportError as error:
        sys.exit(f"strand: {error}")
    run()
