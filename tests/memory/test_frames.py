# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No function keeps much on the stack: a call wipes so much of it and no more (base/profile.h).

Our own builds note the frame of every function. What is above the limit belongs into the workspace;
the exceptions have limits of their own.
"""

import re

import pytest

from tests.frame_limits import EXCEPTIONS, LIMIT, frames, too_large

LIBRARIES = [
    f"codekem_{name}" for name in ("static", "hybrid", "legacy", "masked", "sofia", "mceliece")
]


@pytest.mark.parametrize("preset", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_frames_are_small(preset, build):
    found = list(frames(build(preset, targets=LIBRARIES)))
    assert len(found) > 500
    assert {size for name, size, _ in found if name == "wipe_below"} != set()
    assert too_large(found) == set()


@pytest.mark.long
def test_exceptions_are_needed(build):
    """By a compiler of those above."""
    found = [*frames(build("gcc", targets=LIBRARIES)), *frames(build("clang", targets=LIBRARIES))]
    large = {name for name, size, _ in found if size > LIMIT}
    unused = [p for p, _, _ in EXCEPTIONS if not any(re.fullmatch(p, name) for name in large)]
    assert unused == []


# --- A test of the test ---------------------------------------------------------------------------


def test_large_frame_is_found():
    assert too_large([("kernel", LIMIT + 1, "static")]) != set()
    assert too_large([("kernel", LIMIT, "static")]) == set()
    assert too_large([("kernel", 16, "dynamic")]) != set()
    assert too_large([("set_positions_avx2", 6000, "static")]) != set()
