"""``python -m ccc``: the same as the command ``ccc``."""

import sys

from ccc.cli import main

sys.exit(main())
