# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The terminal in the README shows what happens: the recorded commands print the same today."""

import json

from tools import draw_terminal


def plain(text):
    """Returns lines without what versions of OpenSSL write differently: blanks around signs."""
    return [line.replace(" = ", "=").strip() for line in text.splitlines()]


def test_recorded_commands_print_the_same(module):
    recorded = json.loads(draw_terminal.RECORDING.read_text(encoding="utf-8"))
    printed = draw_terminal.record(module)
    assert [command for command, _ in printed] == [command for command, _ in recorded]
    for (command, before), (_, today) in zip(recorded, printed, strict=True):
        # Later versions say more, never less.
        assert [line for line in plain(before) if line not in plain(today)] == [], command
    assert "Shared groups: x25519_bikel1" in printed[-1][1]
    assert "Verification: OK" in printed[1][1]
