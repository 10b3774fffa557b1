# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One register bit that flips while an altered ciphertext is decapsulated: the secret of the
message that it decrypts to must not come out, and nothing may stand still beyond a watchdog.

The ciphertext is altered so that it still decrypts: the comparison alone stands between it and that
secret. Flips are in all registers of control, program, sequencer, comparison and what sends
(sim/public.vlt).
"""

import json
import random

import pytest

from hardware.sim import flips
from hardware.tests import simulated
from hardware.tests.planted import planted_core
from hardware.tests.simulated import DECAPS
from tools import mistakes

MODULES = ("u_control", "u_sequencer", "u_send")  # and the program, and the scheme's comparison
WHOLE = ("HQC-1 fast", "BIKE-L1 fast", "joint BIKE-L1 light")  # minutes each
LAST_CYCLES = {"hqc": 300, "masked": 2000}  # that planted mistakes are looked for in
SEND = "u_shell.gen_units.u_units.u_send"
STORED = simulated.HARDWARE / "results" / "flips.json"


def check_flips(one, case, count=0, seed=1):
    """Flips bits from before the comparison on."""
    names = " ".join(one.places())
    program = "u_steps" if case.scheme == "masked" else "u_program"
    assert all(f"{module}." in names for module in (*MODULES, program, case.compared_in))
    found = flips.campaign(one, case, count, seed)
    total = flips.total(found)
    where = flips.telling(found)
    assert total["accepted"] == 0 and total["lost"] == 0, (total, where)
    assert total["upset"] > total["other"] + total["hung"], (total, where)
    return total


@pytest.mark.parametrize(
    ("case", "count"),
    [("HQC-1 fast", 150), pytest.param("BIKE-L1 fast", 100, marks=pytest.mark.long)],
)
def test_a_flip_accepts_nothing(core, seed, case, count):
    case = flips.CASES[case]
    assert sum(check_flips(case.of(core), case, count, seed).values()) == count


def test_no_flip_while_the_secret_leaves_gives_words_without_end(core):
    """Each bit in each cycle of sending: a watchdog would not see words that never end.

    What flips in the last cycle before done_o, when all words have left, is told after it.
    """
    case = flips.CASES["HQC-1 fast"]
    one = case.of(core)
    _, last = flips.cycles_of(one, case)
    found = flips.campaign(one, case, within=(last - 12, last - 1))
    total = flips.total(found)
    assert total["accepted"] == total["lost"] == 0, flips.telling(found)
    assert not any(found[f"{SEND}.{name}"]["same"] for name in ("busy_q", "final_q", "guard_q"))


@pytest.mark.long
@pytest.mark.parametrize("case", sorted(set(flips.CASES) - set(WHOLE)))
def test_flips_of_other_cores_accept_nothing(core, seed, case):
    case = flips.CASES[case]
    check_flips(case.of(core), case, 4000, seed)


@pytest.mark.long
@pytest.mark.parametrize("case", WHOLE)
def test_each_flip_in_each_cycle_accepts_nothing(core, case):
    """All single flips from the comparison on; the stored table is what comes out."""
    chosen = flips.CASES[case]
    total = check_flips(chosen.of(core), chosen)
    row = stored().get(case)
    assert row is None or row["drawn"] or total == flips.total(row["units"])


def stored():
    return {row["case"]: row for row in json.loads(STORED.read_text(encoding="ascii"))}


def test_stored_campaigns_accept_nothing():
    wanted = {"HQC-1 fast", "BIKE-L1 fast", "joint BIKE-L1 light"}
    assert wanted <= set(stored()) <= set(flips.CASES)
    for row in stored().values():
        total = flips.total(row["units"])
        assert sum(total.values()) == (row["drawn"] or row["bits"] * row["cycles"]) >= 20_000
        assert total["accepted"] == total["lost"] == 0 < total["upset"]


@pytest.mark.long
def test_a_run_that_ends_early_ends_like_a_whole_one(core, seed):
    """States whose end is known give the fate that the operation has when it runs to its end."""
    case = flips.CASES["HQC-1 fast"]
    one = case.of(core)
    packet, accepted = flips.altered(case.kem, one.packets)
    places, (first, last) = one.places(), flips.cycles_of(one, case)
    good = one.run(DECAPS, packet)[2]
    cycle = random.Random(seed).randrange(first, last)
    slow = {name: dict.fromkeys(simulated.FATES, 0) for name in places}
    for number, name in enumerate(places):
        error, _, out = one.run(DECAPS, packet, flip=number, at=cycle, abort=3 * last)
        fate = {0: "same" if out == good else "other", 6: "hung", 7: "upset"}.get(error, "failed")
        slow[name]["accepted" if out == accepted else fate] += 1
    assert flips.campaign(one, case, within=(cycle, cycle + 1)) == slow


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/flips"))
def test_mistake_is_found(tmp_path, mistake):
    """Without one of the guards a flip accepts, in registers of the module that had it."""
    case = flips.CASES[mistake.by]
    files = planted_core(tmp_path, mistake, case.scheme)
    folder = tmp_path / "core"
    program = simulated.build.build_core(folder, case.parameters, scheme=case.scheme, rtl=files)
    one = simulated.begin(program, case.scheme, **case.parameters)
    last = min(case.last_cycles, LAST_CYCLES[case.scheme])
    found = flips.campaign(one, case._replace(last_cycles=last), 4000, 1)
    assert flips.total(found)["accepted"] > 0
    one.close()
