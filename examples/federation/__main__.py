"""Entry point of ``python -m examples.federation``."""

import sys

from examples.federation.command import main

if __name__ == "__main__":
    sys.exit(main())
