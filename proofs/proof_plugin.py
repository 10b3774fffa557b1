# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the end of a run of the tests notes of the proofs in it."""

from proofs import proof_record


def pytest_terminal_summary(terminalreporter):
    """Notes which proofs passed, if that is asked for."""
    proof_record.record(terminalreporter)
