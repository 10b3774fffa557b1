# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC in shares under sanitizers: records, altered ciphertexts, a source of masks that fails."""

import pytest

from tests import masked_program
from tests.masked_program import ERROR_RANDOM, KEMS, Program
from tools import known_answers


@pytest.mark.long
@pytest.mark.parametrize("preset", ["asan-ubsan", "msan"])
def test_vectors(preset, build):
    """MemorySanitizer does not follow all of AVX-512."""
    program = build(preset, targets=["masked_check"]) / "bin" / "masked_check"
    with Program([program], "portable") as running:
        for kem in KEMS:
            masked_program.check_records(running, kem, 1)
            masked_program.check_altered(running, kem, step=5)
        record = known_answers.read_records("HQC-1")[0]
        secret_key = running.imported("HQC-1", record["sk"])
        status, shares, _ = running.decaps_shares("HQC-1", record["ct"], secret_key, 5000)
        assert (status, shares) == (ERROR_RANDOM, bytes(len(shares)))
