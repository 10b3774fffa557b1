# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The driver on the registers of a simulated bike_axi or hqc_axi: official records through FIFOs
and DMA, polled and by interrupt; errors; that it needs no system."""

import re
import subprocess

import pytest

from hardware.tests import made, simulated
from tests.c_library import FFI, Calls
from tools import known_answers

DRIVER = simulated.HARDWARE / "driver"
FIFO, FIFO_IRQ, DMA = range(3)
BUSY, ABORTED, TRANSPORT, TIMEOUT = 5, 6, 16, 18
CONTROL, STATUS = 0x14, 0x18


class Device:
    """A simulated core on its bus, driven by the driver's functions."""

    def __init__(self, path, way, limit=0, scheme="bike"):
        library = simulated.driver_library(path)
        self._driver, self._calls = Calls(library, f"{scheme}_device_"), Calls(library, "kem_bus_")
        self._bus = self._calls["simulated_open"](way, limit)
        assert self._bus
        self._device = self.ask("device")
        assert self._device
        self.packets = {"bike": simulated.Packets, "hqc": simulated.HqcPackets}[scheme](1)

    def ask(self, name):
        return self._calls[f"simulated_{name}"](self._bus)

    def close(self):
        self.ask("close")

    def write(self, offset, value):
        self._bus.write32(self._bus.registers, offset, value)

    def set(self, **options):
        """Sets options of struct kem_bus."""
        for name, value in options.items():
            setattr(self._bus, name, value)

    def starve(self, op, packet):
        """Runs an operation whose packet never ends; returns the core's error. The words are those
        that the FIFO takes, with the core's registers alone."""
        fifo = FFI.cast("kem_fifo *", self._bus.streams)
        self.write(CONTROL, op)
        for word in packet:
            while not fifo.put(fifo.context, word, False):
                self.cycles()
        for _ in range(100000):
            if self._bus.read32(self._bus.registers, STATUS) & 1 == 0:
                return self._bus.read32(self._bus.registers, STATUS) >> 4
            self.cycles()
        raise AssertionError("the core stays busy")

    def cycles(self):
        return self._calls["cycles"](self._bus)

    def run(self, op, packet, out_words):
        """Returns the status and the output packet."""
        out = FFI.new("uint32_t[]", out_words)
        status = self._calls["run"](self._bus, op, packet, len(packet), out, out_words)
        return status, list(out)

    def call(self, name, lengths, *inputs):
        """Returns the status and the outputs, which are filled with AA before."""
        outputs = [bytearray(b"\xaa" * length) for length in lengths]
        return self._driver[name](self._device, *outputs, *inputs), *map(bytes, outputs)

    def encaps(self, public_key, seed):
        lengths = [sum(self.packets.ciphertext), 32]
        return self.call("encaps_derand", lengths, public_key, seed)


@pytest.fixture
def device():
    opened = []

    def open_device(way, limit=0, scheme="bike", **parameters):
        parameters = {"LEVEL": 1, "PRESET": 0, "BUILD": 2} | parameters
        library = made.model(f"bus-{scheme}", f"lib{scheme}_bus.so", **parameters)
        opened.append(Device(library, way, limit, scheme))
        return opened[-1]

    yield open_device
    for one in opened:
        one.close()


def record_of(number=0, kem="BIKE-L1"):
    record = known_answers.read_records(kem)[number]
    return record, *known_answers.record_seeds(kem, record)


@pytest.mark.slow
@pytest.mark.parametrize("way", [FIFO, FIFO_IRQ, DMA])
def test_driver_gives_the_official_records(device, way):
    one = device(way)
    for number in range(2):
        record, _, seed = record_of(number)
        assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
        if way == DMA:  # nothing waits, but for the words that the driver begins with
            formula = simulated.cycles.Cycles(LEVEL=1, PRESET=0).encaps()
            assert formula <= one.cycles() <= formula + 40
            assert one.ask("is_wiped")
    assert (one.ask("waits") > 0) == (way != FIFO)


@pytest.mark.long
@pytest.mark.parametrize("way", [FIFO, FIFO_IRQ, DMA])
def test_driver_gives_the_official_records_of_hqc(device, way):
    """All operations of `light`; an altered ciphertext; errors, after which nothing is left."""
    one = device(way, scheme="hqc", BUILD=0)
    secret_bytes = sum(one.packets.secret_key)
    formula = simulated.hqc_cycles.HqcCycles(LEVEL=1, PRESET=0)
    record, key_seed, seed = record_of(0, "HQC-1")
    public_key, secret_key = record["pk"], record["sk"]
    pair = one.call("keypair_derand", [len(public_key), secret_bytes], key_seed)
    assert pair == (0, public_key, secret_key)
    assert one.encaps(public_key, seed) == (0, record["ct"], record["ss"])
    if way == DMA:  # nothing waits, but for the words that the driver begins with
        assert formula.encaps() <= one.cycles() <= formula.encaps() + 40
        assert one.ask("is_wiped")
    assert one.call("decaps", [32], record["ct"], secret_key) == (0, record["ss"])
    cases = {accepted: case for *case, accepted in known_answers.rejections("HQC-1")}
    for _, ciphertext, altered_key, shared in cases.values():
        assert one.call("decaps", [32], ciphertext, altered_key) == (0, shared)
    packet = one.packets.encaps_packet(public_key, seed)
    out_words = len(one.packets.words(record["ct"], one.packets.ciphertext)) + 8
    for bad, error in [
        ((simulated.ENCAPS, packet[:-1], out_words), simulated.ERROR_SHORT),
        ((simulated.ENCAPS, [*packet, 0], out_words), simulated.ERROR_LONG),
        ((7, packet, 8), simulated.ERROR_OP),
        ((simulated.ENCAPS, packet, out_words - 1), TRANSPORT),
    ]:
        assert one.run(*bad)[0] == error
    assert one.call("wipe", []) == (0,)
    assert one.encaps(public_key, seed) == (0, record["ct"], record["ss"])
    assert (one.ask("waits") > 0) == (way != FIFO)


@pytest.mark.long
@pytest.mark.parametrize("way", [FIFO, FIFO_IRQ, DMA])
def test_driver_does_all_operations(device, way):
    one = device(way, BUILD=0)
    secret = sum(one.packets.secret_key)
    for number in range(2):
        record, key_seed, seed = record_of(number)
        pair = one.call("keypair_derand", [one.packets.bytes, secret], key_seed)
        assert pair == (0, record["pk"], record["sk"])
        assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
        assert one.call("decaps", [32], record["ct"], record["sk"]) == (0, record["ss"])
        assert one.call("wipe", []) == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("way", [FIFO, FIFO_IRQ, DMA])
def test_a_bad_packet_leaves_nothing_behind(device, way):
    one = device(way)
    record, _, seed = record_of()
    packet = one.packets.encaps_packet(record["pk"], seed + bytes(32))
    out_words = len(one.packets.words(record["ct"], one.packets.ciphertext)) + 8
    for bad, error in [
        ((simulated.ENCAPS, packet[:-1], out_words), simulated.ERROR_SHORT),
        ((simulated.ENCAPS, [*packet, 0], out_words), simulated.ERROR_LONG),
        ((simulated.DECAPS, packet, 8), simulated.ERROR_OP),  # not in this build
        ((simulated.ENCAPS, packet, out_words - 1), TRANSPORT),
    ]:
        assert one.run(*bad)[0] == error
        assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    assert one.call("wipe", []) == (0,)
    assert one.call("decaps", [32], record["ct"], record["sk"]) == (simulated.ERROR_OP, bytes(32))


@pytest.mark.slow
def test_a_busy_core_is_left_alone(device):
    one = device(FIFO)
    record, _, seed = record_of()
    one.write(CONTROL, simulated.WIPE)
    assert one.encaps(record["pk"], seed)[0] == BUSY
    for _ in range(600):
        one.cycles()
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    one.write(CONTROL, simulated.ENCAPS)  # somebody has begun, and gives no packet
    assert one.encaps(record["pk"], seed)[0] == BUSY
    assert one.call("wipe", []) == (0,)  # it ends whatever runs
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])


@pytest.mark.slow
def test_the_driver_gives_up_at_its_limit(device):
    """It aborts then, so that the next operation may follow."""
    record, _, seed = record_of()
    one = device(FIFO, limit=3)  # it would have to look more often
    for _ in range(2):
        status, ciphertext, shared = one.encaps(record["pk"], seed)
        assert (status, any(ciphertext), any(shared)) == (TIMEOUT, False, False)
    one.set(limit=0)
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    patient = device(DMA, limit=1)  # the interrupt comes first
    assert patient.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])


@pytest.mark.slow
def test_the_watchdog_and_wiping_after_each_operation(device):
    """A packet without an end: the core gives up by itself. The option costs the time of a wipe."""
    record, _, seed = record_of()
    one = device(FIFO)
    one.set(watchdog=20000)  # the longest step, and more than a wipe
    packet = one.packets.encaps_packet(record["pk"], seed + bytes(32))
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    assert one.starve(simulated.ENCAPS, packet[:-1]) == ABORTED
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    before = one.cycles()
    one.set(wipe_after=True)
    assert one.encaps(record["pk"], seed) == (0, record["ct"], record["ss"])
    assert 200 < one.cycles() - before < 4000


def without_a_system(compiler, options, source, out):
    """Compiles with the compiler's own headers alone; returns what a linker would look for."""
    found = subprocess.run(
        [compiler, "-print-file-name=include"], stdout=subprocess.PIPE, text=True, check=True
    )
    command = [compiler, "-std=c11", "-ffreestanding", "-nostdinc", "-Os", *options]
    command += ["-isystem", found.stdout.strip(), "-Wall", "-Wextra", "-Werror", "-Wconversion"]
    subprocess.run([*command, "-c", source, "-o", out], check=True)
    nm = subprocess.run(["nm", "-u", out], stdout=subprocess.PIPE, text=True, check=True)
    return set(re.findall(r"U (\w+)", nm.stdout))


@pytest.mark.parametrize(
    ("compiler", "options"),
    [
        ("arm-none-eabi-gcc", ["-mcpu=cortex-m4", "-mthumb"]),
        ("riscv64-linux-gnu-gcc", ["-march=rv64imac", "-mabi=lp64"]),
        ("gcc", []),
    ],
)
def test_the_driver_needs_no_system(need, tmp_path, compiler, options):
    own = {"kem_bus_device", "kem_bus_run", "kem_bus_has"}
    own |= {
        f"{scheme}_device_{operation}"
        for scheme in ("bike", "hqc")
        for operation in ("keypair_derand", "encaps_derand", "decaps")
    }
    for source in sorted(DRIVER.glob("*.c")):
        needed = without_a_system(need(compiler), options, source, tmp_path / "driver.o")
        # What a compiler may always call, and its tables of addresses.
        assert needed <= {"memcpy", "memset", "_GLOBAL_OFFSET_TABLE_"} | own


@pytest.mark.parametrize("example", sorted(path.name for path in (DRIVER / "examples").glob("*.c")))
def test_the_examples_compile(example, need, tmp_path):
    compiler = need("gcc") if "linux" in example else need("arm-none-eabi-gcc")
    subprocess.run(
        [
            *(compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{DRIVER}"),
            *("-c", DRIVER / "examples" / example, "-o", tmp_path / "example.o"),
        ],
        check=True,
    )
