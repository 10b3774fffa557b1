# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the end of a run of the tests says and notes of the proofs in it."""

from proofs import proof_record
from proofs.proof_times import say_times


def pytest_terminal_summary(terminalreporter):
    """Notes which proofs passed, if that is asked for, and says how long they took."""
    proof_record.record(terminalreporter)
    say_times(terminalreporter)
