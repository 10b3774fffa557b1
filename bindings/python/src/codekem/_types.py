# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names for annotations, also while the program runs, on versions of Python that lack them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self  # type checkers know it, installed or not
else:
    if sys.version_info >= (3, 12):
        from collections.abc import Buffer
    else:

        class _HasBuffer(type):
            def __instancecheck__(cls, value):
                try:
                    memoryview(value).release()
                except TypeError:
                    return False
                return True

        class Buffer(metaclass=_HasBuffer):
            """Any object with a buffer."""

    if sys.version_info >= (3, 11):
        from typing import Self
    else:
        from typing import TypeVar

        Self = TypeVar("Self")

__all__ = ["Buffer", "Self"]
