# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The driver in C on the simulated core: official records, errors, outputs of calls that fail."""

import pytest

from hardware.tests import simulated
from tests.c_library import Calls
from tools import known_answers


class Device:
    """libbike_simulated.so or libhqc_simulated.so: the driver's functions on a simulated core."""

    def __init__(self, path, scheme, level):
        library = simulated.driver_library(path)
        self._driver = Calls(library, f"{scheme}_device_")
        self._core = Calls(library, "kem_simulated_")
        self._device = self._core["open"](level)
        assert self._device
        kind = simulated.HqcPackets if scheme == "hqc" else simulated.Packets
        self.packets = kind(level if level in (1, 3, 5) else 1)

    def close(self):
        self._core["close"](self._device)

    def cycles(self):
        return self._core["cycles"](self._device)

    def call(self, name, lengths, *inputs):
        """Returns the status and the outputs, which are filled with AA before."""
        outputs = [bytearray(b"\xaa" * length) for length in lengths]
        return self._driver[name](self._device, *outputs, *inputs), *map(bytes, outputs)

    def keypair(self, seed):
        lengths = [sum(self.packets.public_key), sum(self.packets.secret_key)]
        return self.call("keypair_derand", lengths, seed)

    def encaps(self, public_key, seed):
        return self.call("encaps_derand", [sum(self.packets.ciphertext), 32], public_key, seed)

    def decaps(self, ciphertext, secret_key):
        return self.call("decaps", [32], ciphertext, secret_key)


@pytest.fixture
def device(program):
    opened = []

    def open_device(scheme="bike", level=1):
        library = program(scheme, LEVEL=1, PRESET=2).parent / f"lib{scheme}_simulated.so"
        opened.append(Device(library, scheme, level))
        return opened[-1]

    yield open_device
    for one in opened:
        one.close()


def test_driver_gives_the_official_records(device):
    one = device()
    formula = simulated.cycles.Cycles(LEVEL=1, PRESET=2)
    for record in known_answers.read_records("BIKE-L1")[:2]:
        keypair_seed, encaps_seed = known_answers.record_seeds("BIKE-L1", record)
        assert one.keypair(keypair_seed) == (0, record["pk"], record["sk"])
        assert one.cycles() == formula.keygen()
        assert one.encaps(record["pk"], encaps_seed) == (0, record["ct"], record["ss"])
        assert one.cycles() == formula.encaps()
        assert one.decaps(record["ct"], record["sk"]) == (0, record["ss"])
        assert one.cycles() == formula.decaps()


def test_driver_of_hqc_gives_the_official_records(device):
    one = device("hqc")
    formula = simulated.hqc_cycles.HqcCycles(LEVEL=1, PRESET=2)
    for record in known_answers.read_records("HQC-1")[:2]:
        keypair_seed, encaps_seed = known_answers.record_seeds("HQC-1", record)
        assert one.keypair(keypair_seed) == (0, record["pk"], record["sk"])
        assert one.cycles() == formula.keygen(keypair_seed)
        assert one.encaps(record["pk"], encaps_seed) == (0, record["ct"], record["ss"])
        assert one.cycles() == formula.encaps()
        assert one.decaps(record["ct"], record["sk"]) == (0, record["ss"])


def test_driver_zeroes_outputs_on_an_error(device):
    one = device()
    record = known_answers.read_records("BIKE-L1")[0]
    bad_key = one.packets.r_bits.to_bytes(4, "little") + record["sk"][4:]
    assert one.decaps(record["ct"], bad_key) == (simulated.ERROR_KEY, bytes(32))
    assert one.decaps(record["ct"], record["sk"]) == (0, record["ss"])


@pytest.mark.parametrize("scheme", ["bike", "hqc"])
def test_driver_names_a_level_that_does_not_exist(device, scheme):
    assert device(scheme, level=2).decaps(b"", b"")[0] == 17


@pytest.mark.parametrize("scheme", ["bike", "hqc"])
def test_driver_for_another_level_than_the_core_reports_the_packet(device, scheme):
    one = device(scheme, level=3)
    ciphertext = bytes(sum(one.packets.ciphertext))
    secret_key = bytes(sum(one.packets.secret_key))
    status, shared = one.decaps(ciphertext, secret_key)
    assert status == simulated.ERROR_LONG
    assert shared == bytes(32)
