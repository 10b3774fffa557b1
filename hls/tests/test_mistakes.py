# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Mistakes planted in the scheduler and behind it are found.

Those in a schedule are found by check.py before anything is written; with that switched off, the
simulation finds them, as it finds those that are made after the schedule.
"""

import random

import pytest

from codekem_hls import check, schedule
from hls.tests.kernel_designs import read_design
from hls.tests.planted import plant
from tools import mistakes

MISTAKES = mistakes.of("hls/schedule") | mistakes.of("hls/behind the schedule")

# Loops whose turns overlap, a memory that is read after it was written, and values that live on.
TEXT = """#include "hls.h"
void NAME(uint16_t out[static 16], const uint8_t in[static 16], uint16_t x) {
  uint16_t local[16];
  uint16_t old = x, older = 7, sum = 0;
  fill: for (unsigned i = 0; i < 16; i++) {
    uint16_t here = in[i];
    local[i] = (uint16_t)(here * older + old);
    older = old;
    old = here;
  }
  count: for (unsigned i = 0; i < 16; i++) local[in[i] & 15] += 3;
  walk: for (unsigned i = 0; i < 6; i++) sum = (uint16_t)(local[sum & 15] + i);
  outer: for (unsigned i = 0; i < 4; i++) {
    uint16_t before = old;
    old = older ^ x;
    older = (uint16_t)(before + old);
    inner: for (unsigned j = 0; j < 3; j++) sum += (uint16_t)(local[4 * j + i] ^ before);
  }
  swap: for (unsigned i = 0; i < 8; i++) {
    uint16_t low = local[i], high = local[15 - i];
    local[i] = high ^ older;
    local[15 - i] = low + sum;
  }
  give: for (unsigned i = 0; i < 16; i++) out[i] = local[i] ^ old;
}
"""
DIRECTIVES = {
    "pipeline": {"fill": "auto", "count": "auto", "walk": "auto", "swap": "auto", "give": "auto"},
    "clock": 6.0,
}


def make(folder, name):
    (folder / f"{name}.c").write_text(TEXT.replace("NAME", name))
    return read_design(folder / f"{name}.toml", DIRECTIVES | {"kernel": f"{name}.c", "top": name})


@pytest.mark.parametrize("mistake", mistakes.cases("hls/schedule"))
def test_check_finds(mistake, tmp_path, monkeypatch):
    plant(mistake, monkeypatch)
    with pytest.raises(check.ScheduleMistake):
        make(tmp_path, "kernel")


def test_simulation_finds(cores, tmp_path, monkeypatch):
    """All in one model; the one without a mistake must be right."""
    monkeypatch.setattr(schedule, "check_block", lambda *_: None)
    designs = {"none": make(tmp_path, "none")}
    crashed = []
    for number, (name, mistake) in enumerate(MISTAKES.items()):
        with monkeypatch.context() as planted:
            plant(mistake, planted)
            try:
                designs[name] = make(tmp_path, f"wrong_{number}")
            except (AssertionError, KeyError):
                crashed.append(name)  # it does not even come to a core
    run = cores.build("mistakes", list(designs.values()))
    chosen = random.Random(1)
    wrong = set()
    for turn in range(3):
        values = {
            "out": [0] * 16,
            "in": [chosen.randrange(256 if turn else 3) for _ in range(16)],
            "x": chosen.randrange(1 << 16),
        }
        for name, design in designs.items():
            core, software = run(design, values, turn + 1)
            if core.arrays != software.arrays or core.cycles != design.latency():
                wrong.add(name)
    assert "none" not in wrong
    assert wrong | set(crashed) == {
        name for name, mistake in MISTAKES.items() if mistake.by != "check"
    }
    # These leave the printer without a register that it needs.
    assert set(crashed) <= {
        "latency of memories",
        "value of the turn before",
        "chains of registers",
    }
