"""Entry point of ``python -m reproductions``."""

import sys

from reproductions.command import main

if __name__ == "__main__":
    sys.exit(main())
