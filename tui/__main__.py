"""`python -m tui` is `milepost`."""

import sys

from tui.cli import main

sys.exit(main())
