# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One register bit that flips while an altered ciphertext is decapsulated: the secret of the
message that it decrypts to must not come out, and nothing may stand still beyond an abort.

The ciphertext is altered so that it still decrypts: the comparison alone stands between it and that
secret. Flips are in all registers of control, program, sequencer, comparison and what sends
(sim/public.vlt).
"""

import hashlib

import pytest

from hardware.tests import simulated
from hardware.tests.planted import planted_core
from hardware.tests.simulated import DECAPS
from tools import known_answers, mistakes

BIKE = {"LEVEL": 1, "PRESET": 2}
HQC = {"scheme": "hqc", **BIKE}
LIGHT = {"LEVEL": 1, "PRESET": 0}
MODULES = ("u_control", "u_sequencer", "u_program", "u_send")  # and the scheme's comparison


def altered(kem, packets):
    """Returns a packet of an altered ciphertext, and the secret that must not come out."""
    record = known_answers.read_records(kem)[0]
    _, seed = known_answers.record_seeds(kem, record)
    ciphertext = bytearray(record["ct"])
    if kem.startswith("HQC"):
        ciphertext[packets.bytes + 100] ^= 1  # a bit of v, which the code corrects
        secret = record["ss"]
    else:  # a bit of c1 is one of m'
        ciphertext[-1] ^= 1
        message = seed[:31] + bytes([seed[31] ^ 1])
        secret = hashlib.sha3_384(message + bytes(ciphertext)).digest()[:32]
    return packets.decaps_packet(bytes(ciphertext), record["sk"]), packets.words(secret, [32])


def check_flips(one, kem, compared_in, last_cycles, count=0, seed=1):
    """Flips bits in the last cycles of a decapsulation: from before the comparison on."""
    packet, accepted = altered(kem, one.packets)
    op = DECAPS + getattr(one, "added", 0)
    error, cycles, rejected = one.run(DECAPS, packet)
    assert error == 0 and rejected != accepted
    names = " ".join(one.places())
    assert all(f"{module}." in names for module in (*MODULES, compared_in))
    first = cycles - last_cycles
    found, where = one.flips(op, packet, accepted, (first, 0), count, seed)
    assert found["accepted"] == 0 and found["lost"] == 0, (found, where)
    assert found["upset"] > found["other"] + found["hung"], (found, where)
    assert sum(found.values()) == (count or len(one.places()) * (cycles - first))


CASES = {  # parameters of the core, KEM, unit that compares, cycles from its beginning on
    "hqc": (HQC, "HQC-1", "u_product", 2100),
    "bike": (BIKE, "BIKE-L1", "u_compare", 1400),
}


@pytest.mark.parametrize(
    ("case", "count"), [("hqc", 150), pytest.param("bike", 100, marks=pytest.mark.long)]
)
def test_a_flip_accepts_nothing(core, seed, case, count):
    parameters, *which = CASES[case]
    check_flips(core(**parameters), *which, count, seed)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_each_flip_in_each_cycle_accepts_nothing(core, case):
    """All single flips from the comparison on: an hour of a processor for HQC."""
    parameters, *which = CASES[case]
    check_flips(core(**parameters), *which)


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_flips_of_the_joint_core_accept_nothing(core, seed, kem):
    one = core(scheme="joint", **LIGHT)
    if kem == "HQC-1":
        check_flips(one.hqc, kem, "u_gather", 16000, 4000, seed)
    else:
        check_flips(one.bike, kem, "u_compare", 1800, 4000, seed)


@pytest.mark.parametrize("mistake", mistakes.cases("hardware/flips"))
def test_mistake_is_found(tmp_path, mistake):
    """Without one of the guards a flip accepts, in registers of the module that had it."""
    program = simulated.build.build_core(
        tmp_path / "core",
        BIKE,
        scheme="hqc",
        rtl=planted_core(tmp_path, mistake, scheme="hqc"),
    )
    one = simulated.Core(program, simulated.HqcPackets(1), 128)
    packet, accepted = altered("HQC-1", one.packets)
    cycles = one.run(DECAPS, packet)[1]
    found, where = one.flips(DECAPS, packet, accepted, (cycles - 300, 0), 4000, 1)
    assert found["accepted"] > 0, where
    one.close()
