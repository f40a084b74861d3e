"""`python -m strand`, the same as the command `strand`."""

from strand.cli import main

if __name__ == "__main__":
    main()
