# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC in shares on other processors: words of 32 bits, and big-endian."""

import pytest

from tests import masked_program
from tests.masked_program import Program

OTHERS = ["i686", "aarch64", "riscv64", "s390x"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["armv7", *OTHERS])
def test_vectors(name, target):
    one = target(name)
    program = one.build(["masked_check"]) / "bin" / "masked_check"
    with Program([*one.emulator, program], "portable") as running:
        for kem in ("HQC-1", "HQC-3"):
            masked_program.check_records(running, kem, 1)
            masked_program.check_altered(running, kem, step=7)
        masked_program.check_records(running, "HQC-5", 1)
