"""`python -m strand_studies.demo`; if the import of MuJoCo fails, prints one line."""

import sys

try:
    from strand_studies.demo.program import main
except ImportError as error:
    sys.exit(f"strand: {error}")

if __name__ == "__main__":
    main()
