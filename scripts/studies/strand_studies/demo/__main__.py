"""`python -m strand_studies.demo`; a failing import of MuJoCo is one line."""

import sys

try:
    from strand_studies.demo.program import main
except ImportError as error:
    sys.exit(f"strand: {error}")

if __name__ == "__main__":
    main()
