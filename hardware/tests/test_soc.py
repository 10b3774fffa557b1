# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The system on a chip: official records by the library, by the cores and by both; cycles that do
not depend on secrets; nothing secret that stays in the RAM; its DMA; what it says of errors."""

import itertools
import sys

import pytest

from hardware.soc import run as run_soc
from hardware.soc import system
from hardware.tests import bench_models, made
from tools import known_answers

OPERATIONS = ("keypair", "encaps", "decaps")
CORE, LIBRARY = ("core",), ()
# Who does KeyGen, Encaps and Decaps; the names are those of the published design of HW/SW.
SPLITS = {
    "LW": (CORE, LIBRARY, LIBRARY),
    "MR": (LIBRARY, LIBRARY, CORE),
    "HP": (CORE, LIBRARY, CORE),
    "all": (CORE, CORE, CORE),
}
WINDOW, SPARSE_WINDOW = 8, 128  # bytes


@pytest.fixture(scope="session")
def image(build, request):
    """image("operations", ram) returns the image of that program of devices/riscv."""

    def get(name, ram=262144):
        other = {} if ram == 262144 else {"CODEKEM_SOC_RAM": str(ram)}
        folder = build("riscv32", targets=("operations", "example"), **other)
        return folder / "bin" / f"{name}.bin"

    return get


@pytest.fixture
def start(image):
    """start(BIKE_LEVEL=3) returns a running system with the program `operations`."""
    running = []

    def run(memory=None, ram=262144, **parameters):
        parameters = {"RAM_BYTES": ram} | parameters
        simulator = made.model("soc", "soc", **parameters)
        running.append(system.System(simulator, image("operations", ram), memory=memory))
        return running[-1]

    yield run
    for one in running:
        one.__exit__()


def level_of(kem):
    return int(kem[-1])


def ram_of(kem):
    return 262144 if level_of(kem) == 1 else 524288


def records(kem, count):
    """Yields official records with the seeds of key pair and encapsulation."""
    for record in known_answers.read_records(kem)[:count]:
        yield record, known_answers.record_seeds(kem, record)


def check_split(running, kem, split, count=1):
    for record, seeds in records(kem, count):
        for operation, by in zip(OPERATIONS, SPLITS[split], strict=True):
            result = running.record(kem, operation, record, seeds, *by)
            assert (result.core_cycles > 0) == (by == CORE)
            assert result.core_cycles <= result.cycles


@pytest.mark.slow
def test_the_core_gives_an_official_record(start):
    """All three operations of HQC-1, and a rejection, without a core for BIKE."""
    running = start(BIKE_LEVEL=0)
    check_split(running, "HQC-1", "all")
    _, ciphertext, altered_key, shared, _ = next(iter(known_answers.rejections("HQC-1")))
    assert running.decaps("HQC-1", ciphertext, altered_key, "core").output == shared
    assert running.end() == 0


@pytest.mark.parametrize("waiting", [[], pytest.param(["polled"], marks=pytest.mark.long)])
def test_a_seed_outside_the_ram_jams_nothing(start, waiting):
    """The DMA refuses it while the core waits for words: the driver aborts, Wipe and the next
    operation work."""
    running = start(BIKE_LEVEL=0)
    record, seeds = next(records("HQC-1", 1))
    for _ in range(2):
        assert running.encaps_outside("HQC-1", record["pk"], seeds[1], *waiting) == 0
    running.record("HQC-1", "encaps", record, seeds, "core", *waiting)
    assert running.end() == 0


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_cores_and_library_give_the_official_records(start, kem):
    """The split HP, with the processor's part, and all three operations by the core."""
    running = start()
    check_split(running, kem, "HP")
    check_split(running, kem, "all", 3)
    record, seeds = next(records(kem, 1))
    for operation in OPERATIONS:
        running.record(kem, operation, record, seeds, "core", "polled")
    for _, ciphertext, altered_key, shared, _ in itertools.islice(known_answers.rejections(kem), 4):
        assert running.decaps(kem, ciphertext, altered_key, "core").output == shared
    assert running.end() == 0


@pytest.mark.long
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("kem", ["BIKE-L1", "BIKE-L3", "HQC-1", "HQC-3"])
def test_every_split(start, kem, split):
    scheme = kem.split("-")[0]
    other = "HQC_LEVEL" if scheme == "BIKE" else "BIKE_LEVEL"
    running = start(ram=ram_of(kem), **{f"{scheme}_LEVEL": level_of(kem), other: 0})
    check_split(running, kem, split)
    if split == "all":
        check_split(running, kem, split, 10)


@pytest.mark.long
@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-1"])
def test_the_library_alone(start, kem):
    running = start(BIKE_LEVEL=0, HQC_LEVEL=0)
    record, seeds = next(records(kem, 1))
    for operation in OPERATIONS:
        running.record(kem, operation, record, seeds)


@pytest.mark.long
def test_cycles_do_not_depend_on_secrets(start):
    """Whole calls, from start to interrupt: BIKE with other keys, HQC with other ciphertexts of one
    key, and with such that decapsulation refuses. How often HQC's key is drawn is public."""
    running = start()

    def cycles(kem, operation, record, seeds):
        return running.record(kem, operation, record, seeds, "core")[:3:2]

    for operation in OPERATIONS:
        found = [cycles("BIKE-L1", operation, *each) for each in records("BIKE-L1", 4)]
        assert len(set(found[1:])) == 1  # the first one fills the caches
    found = [cycles("HQC-1", "encaps", *each) for each in records("HQC-1", 4)]
    assert len(set(found[1:])) == 1
    record, _ = next(records("HQC-1", 1))
    ciphertexts = [record["ct"]]
    ciphertexts += [bytes([record["ct"][0] ^ 1]) + record["ct"][1:], bytes(len(record["ct"]))]
    found = [running.decaps("HQC-1", one, record["sk"], "core")[:3:2] for one in ciphertexts * 2]
    assert len(set(found[1:])) == 1


def pieces(data, size):
    """Returns all pieces of so many bytes that nobody finds by chance, with three that are not
    zero."""
    found = {data[i : i + size] for i in range(len(data) - size + 1)}
    return {piece for piece in found if len(piece) - piece.count(0) >= 3}


def secrets_of(kem, record, seeds):
    """Returns pieces of what must not stay: seeds, the shared secret, and of the secret key the
    secret parts, where the blocks of BIKE are sparse and so need longer pieces."""
    key, sparse = record["sk"], b""
    if kem == "BIKE-L1":
        lists, sparse, sigma = key[:568], key[568 : 568 + 2 * 1541], key[-32:]
        parts = [lists, sigma]
    else:
        parts = [key[len(record["pk"]) :]]
    dense = set().union(*(pieces(part, WINDOW) for part in [*seeds, record["ss"], *parts]))
    return dense | pieces(sparse, SPARSE_WINDOW)


def left_in(path, secrets):
    memory = path.read_bytes()
    return [piece for piece in secrets if piece in memory]


@pytest.mark.parametrize(
    ("kem", "without"),
    [
        pytest.param("BIKE-L1", "HQC_LEVEL", marks=pytest.mark.long),
        ("HQC-1", "BIKE_LEVEL"),
    ],
)
def test_nothing_secret_stays_in_the_memory(start, tmp_path, kem, without):
    """After the program has wiped its own inputs and outputs; before, the test finds them."""
    record, seeds = next(records(kem, 1))
    secrets = secrets_of(kem, record, seeds)
    found = {}
    for forgets in (False, True):
        memory = tmp_path / f"memory-{forgets}"
        running = start(memory=memory, **{without: 0})
        for operation in ("keypair", "encaps", "decaps"):
            running.record(kem, operation, record, seeds, "core")
        if forgets:
            running.forget()
        assert running.end() == 0
        found[forgets] = left_in(memory, secrets)
    assert len(found[False]) > len(secrets) // 4
    assert not found[True]


@pytest.mark.long
def test_the_library_leaves_nothing_either(start, tmp_path):
    record, seeds = next(records("HQC-1", 1))
    memory = tmp_path / "memory"
    running = start(memory=memory, BIKE_LEVEL=0, HQC_LEVEL=0)
    running.record("HQC-1", "keypair", record, seeds)
    running.forget()
    assert running.end() == 0
    assert not left_in(memory, secrets_of("HQC-1", record, seeds))


def test_errors_say_what_is_wrong(start):
    record, seeds = next(records("BIKE-L1", 1))
    with pytest.raises(system.SimulationError, match="no core for BIKE-L1"):
        start(BIKE_LEVEL=0).record("BIKE-L1", "keypair", record, seeds, "core")
    with pytest.raises(system.SimulationError, match="no such KEM"):
        start(BIKE_LEVEL=0).ask(["BIKE-L2", "keypair"])
    with pytest.raises(system.SimulationError, match="unknown operation open"):
        start(BIKE_LEVEL=0).ask(["HQC-1", "open"])
    with pytest.raises(system.SimulationError, match="the operation failed"):  # another level
        start(BIKE_LEVEL=0).ask(["HQC-3", "keypair", "core"], bytes(32))


@pytest.mark.long
def test_goals_of_the_splits(start):
    """All three operations by the cores, transfers included: BIKE-L1 light and HQC-1 mid."""
    running = start()
    for kem, most in (("BIKE-L1", 500_000), ("HQC-1", 60_000)):
        record, seeds = next(records(kem, 1))
        results = [running.record(kem, o, record, seeds, "core", "stack") for o in OPERATIONS]
        assert sum(result.cycles for result in results) <= most
        assert max(result.stack_bytes for result in results) <= 1024


@pytest.mark.long
def test_pieces_give_the_official_records(start):
    """The library with Keccak, with products, and with both in hardware; in the same cycles for
    other keys."""
    running = start(BIKE_LEVEL=0, HQC_LEVEL=0, KECCAK=1, PRODUCT=1)
    record, seeds = next(records("HQC-1", 1))
    for operation in OPERATIONS:
        running.record("HQC-1", operation, record, seeds, "keccak", "product")
    running.record("HQC-1", "keypair", record, seeds, "product")
    found = [
        running.record("BIKE-L1", "encaps", *each, "keccak", "product").cycles
        for each in records("BIKE-L1", 3)
    ]
    assert found[1] == found[2]  # the first one fills the caches
    assert running.end() == 0
    with pytest.raises(system.SimulationError, match="has not these pieces"):
        start(BIKE_LEVEL=0, HQC_LEVEL=0).record("HQC-1", "keypair", record, seeds, "keccak")


@pytest.mark.long
def test_pieces_leave_nothing_in_the_memory(start, tmp_path):
    record, seeds = next(records("HQC-1", 1))
    memory = tmp_path / "memory"
    running = start(memory=memory, BIKE_LEVEL=0, HQC_LEVEL=0, KECCAK=1, PRODUCT=1)
    for operation in ("keypair", "encaps"):
        running.record("HQC-1", operation, record, seeds, "keccak", "product")
    running.forget()
    assert running.end() == 0
    assert not left_in(memory, secrets_of("HQC-1", record, seeds))


@pytest.mark.parametrize(("top", "parameters"), bench_models.SOC)
def test_module_by_itself(bench, top, parameters):
    bench(top, f"bench_{top}", parameters)


def test_run_needs_known_parameters():
    """The command names what it takes; it builds nothing then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["run.py", "example", "BIKE_LEVEL"])
        with pytest.raises(SystemExit) as ended:
            run_soc.main()
    assert ended.value.code == 2
