"""The command `strand`. It stands outside the package so that a failing import is one line."""

import sys


def main() -> None:
    try:
        from strand.cli import main as run
    except ImportError as error:
        sys.exit(f"strand: {error}")
    run()
