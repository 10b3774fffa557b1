# SPDX-License-Identifier: Apache-2.0 OR MIT
"""python -m codekem_hls: the command without an installation."""

import sys

from .cli import main

sys.exit(main())
