# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The profile for small devices on an emulated Cortex-M4: known answers, altered inputs, memory,
and that the count of instructions counts instructions."""

import json
import re
import struct
import subprocess

import pytest

from devices import device
from devices import profile_functions as profile
from tests.decoder_cases import LEVELS, cases_of, check_steps, ciphertext_of, supports_of
from tools import known_answers

SHORT = ["BIKE-L1", "HQC-1"]
LONG = [
    "BIKE-L3",
    "BIKE-L5",
    "BIKE-L1-v4.2-sha3",
    "BIKE-L1-v4.2-sha3-bind",
    "HQC-3",
    "HQC-5",
    "HQC-1-v5.0.0",
]
ALL = [*SHORT, *[pytest.param(kem, marks=pytest.mark.long) for kem in LONG]]

# What the archive may need from outside: memory functions, one comparison, helpers of the compiler.
OUTSIDE = re.compile(
    r"memcpy|memset|memcmp|memmove|strcmp|__aeabi_\w+|__popcountsi2|_GLOBAL_OFFSET_TABLE_"
)

# What a call wipes below its working memory in the profile for small devices
# (src/common/base/profile.h).
WIPED_BYTES = 2048

# The most that a call may take, for keypair, encaps and decaps. BIKE: 0.8 of the instructions and
# half of the stack of pqm4's m4f code in the same emulator (docs/devices.md; 4 bytes more for an
# encapsulation at level 1). HQC: what portable code takes, and a third of 60 KiB of stack.
INSTRUCTION_LIMITS = {
    "BIKE-L1": (16_309_187, 2_312_014, 31_415_949),
    "BIKE-L3": (39_329_480, 5_751_552, 85_314_702),
    "HQC-1": (5_597_033, 10_918_775, 17_248_981),
}
STACK_LIMITS = {
    "BIKE-L1": (21_972, 16_084, 45_642),
    "BIKE-L3": (42_880, 31_480, 87_560),
    "HQC-1": (20_480, 20_480, 20_480),
}


# With Classic McEliece, so that its tests have the same build; FULL is without that profile.
SMALL = {"CODEKEM_BUILD_MCELIECE": "ON"}
FULL = {"CODEKEM_BUILD_MCELIECE": "ON", "CODEKEM_SMALL": "OFF"}


@pytest.fixture
def program(build, need):
    need("arm-none-eabi-gcc")
    need(device.QEMU[0])
    return build("cortex-m4", **SMALL) / "bin" / "operations"


def operations_of(kem, limit=None):
    """Returns the operations of the known answers with the values that must come out."""
    for record in known_answers.read_records(kem)[:limit]:
        keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
        yield (kem, "keypair", keypair_seed), [record["pk"], record["sk"]]
        yield (kem, "encaps", record["pk"], encaps_seed), [record["ct"], record["ss"]]
        yield (kem, "decaps", record["ct"], record["sk"]), [record["ss"]]


def check(program, cases):
    results = device.run(program, [operation for operation, _ in cases])
    for (operation, expected), result in zip(cases, results, strict=True):
        assert result.values == expected, operation[:2]
    return results


@pytest.mark.parametrize("kem", ALL)
def test_known_answers_on_the_device(kem, program):
    check(program, list(operations_of(kem)))


@pytest.mark.parametrize(
    "kem",
    [
        kem if kem in SHORT else pytest.param(kem, marks=pytest.mark.long)
        for kem in [*SHORT, *LONG]
        if list(known_answers.rejections(kem))
    ],
)
def test_altered_inputs_on_the_device(kem, program):
    check(
        program,
        [
            ((kem, "decaps", ciphertext, secret_key), [shared])
            for _, ciphertext, secret_key, shared, _ in known_answers.rejections(kem)
        ],
    )


@pytest.mark.parametrize("kem", INSTRUCTION_LIMITS)
def test_calls_stay_within_their_limits(kem, program):
    results = check(program, list(operations_of(kem, 1)))
    for result, instructions, stack in zip(
        results, INSTRUCTION_LIMITS[kem], STACK_LIMITS[kem], strict=True
    ):
        assert 100_000 < result.instructions <= instructions
        assert 1000 < result.stack_bytes <= stack


def test_count_is_one_for_each_instruction(program):
    counts = [*range(6, 66, 2), 12_346, 1_000_002, 123_456_788, 200_000_000]
    results = device.run(program, [("spin", str(count)) for count in counts])
    assert [result.instructions for result in results] == counts


@pytest.mark.parametrize("kem", SHORT)
def test_count_does_not_depend_on_secrets(kem, program):
    """Neither on the key nor on whether a ciphertext is accepted. HQC's keys are drawn by
    rejection, and how many words that takes is public. The first call also chooses the back end."""
    cases = list(operations_of(kem))
    cases += [
        ((kem, "decaps", ciphertext, secret_key), [shared])
        for _, ciphertext, secret_key, shared, _ in known_answers.rejections(kem)
    ]
    counts = {}
    for (operation, _), result in list(zip(cases, check(program, cases), strict=True))[1:]:
        counts.setdefault(operation[1], set()).add(result.instructions)
    varying = {"keypair"} if kem == "HQC-1" else set()
    assert {name for name, found in counts.items() if len(found) > 1} == varying


@pytest.fixture
def trace(program, tmp_path):
    """trace(operations) returns the digests of the instructions and addresses of each operation."""
    plugin = device.build_plugin(tmp_path)

    def run(operations):
        traces = []
        device.run(program, operations, plugin=plugin, traces=traces)
        assert len(traces) == len(operations)
        return traces

    return run


def test_trace_shows_branches_and_addresses(trace):
    first, again, other, short, long = trace(
        [("peek", "3"), ("peek", "3"), ("peek", "5"), ("spin", "100"), ("spin", "102")]
    )
    assert first == again
    assert len({first, other, short, long}) == 4


def test_profile_counts_every_instruction(program):
    """Apart from the few of the measurement itself."""
    counted = profile.count(program, "HQC-1", "keypair")
    case = next(operations_of("HQC-1", 1))[0]
    _, result = device.run(program, [case, case])  # the first call also chooses the back end
    assert counted["ckem_gf2x_mul8_m4"] > 100_000
    assert 0 <= sum(counted.values()) - result.instructions < 1000


@pytest.mark.parametrize("kem", ALL)
def test_secrets_show_neither_in_branches_nor_in_addresses(kem, trace):
    """Different keys, messages and ciphertexts, accepted and rejected ones, take the same path.
    Keys of HQC and of BIKE 4.2 are drawn by rejection, how often is public, and HQC draws them
    again from the seed in decapsulation: there the key is the same. The first call also chooses the
    back end."""
    records = known_answers.read_records(kem)[:3]
    operations = [operation for operation, _ in operations_of(kem, 3)]
    operations += [(kem, "decaps", record["ct"], records[0]["sk"]) for record in records]
    found = {}
    for operation, digest in list(zip(operations, trace(operations), strict=True))[1:]:
        key = operation[3] if kem.startswith("HQC") and operation[1] == "decaps" else None
        found.setdefault((operation[1], key), []).append(digest)
    if kem.startswith("HQC") or "v4.2" in kem:
        del found["keypair", None]
    assert max(map(len, found.values())) >= 3
    assert {name: len(set(digests)) for name, digests in found.items()} == dict.fromkeys(found, 1)


@pytest.mark.parametrize("kem", SHORT)
def test_nothing_reaches_below_the_stack_that_is_wiped(kem, program):
    """Apart from the working memory, a call takes the frames of the entry point and what it wipes.
    A function that went deeper would add to that."""
    cases = [operation for operation, _ in operations_of(kem, 1)]
    lengths, *results = device.run(program, [("workspace", kem), *cases])
    for workspace, result in zip(struct.unpack("<3I", lengths.values[0]), results, strict=True):
        assert WIPED_BYTES < result.stack_bytes - workspace < WIPED_BYTES + 512


@pytest.mark.parametrize("kem", ALL)
def test_nothing_is_written_behind_the_working_memory(kem, program):
    """In this profile, sizes are what the products of this back end take, to a few words."""
    check(
        program,
        [
            ((kem, f"guarded-{name}", *values), expected)
            for (_, name, *values), expected in operations_of(kem, 1)
        ],
    )


@pytest.mark.parametrize("kem", SHORT)
def test_count_is_the_same_in_each_run(kem, program):
    operations = [operation for operation, _ in operations_of(kem, 1)]
    first, second = (device.run(program, operations) for _ in range(2))
    assert first == second


def test_example_agrees_on_a_secret(program):
    assert device.run_hosted(program.parent / "example") == "both hold the same secret\n"


@pytest.mark.parametrize(
    "line,text",
    [
        ("BIKE-L2 keypair 00", "no such KEM in this build"),
        ("BIKE-L1 sign 00", "unknown operation sign"),
        ("BIKE-L1 keypair 00", "wrong length"),
        ("BIKE-L1 keypair", "wrong length"),
        ("BIKE-L1 keypair " + "0g" * 64, "not a hexadecimal digit"),
    ],
)
def test_bad_input_is_refused(line, text, program):
    with pytest.raises(device.DeviceError, match=text):
        device.run(program, [tuple(line.split())])


@pytest.mark.long
@pytest.mark.parametrize("kem", LEVELS)
def test_decoder_takes_the_published_steps(kem, build, need, internals):
    need(device.BOARD[0])
    level, r_bits, weight = LEVELS[kem]
    ring = internals.ring(r_bits)
    records = known_answers.read_records(kem)
    cases = cases_of(kem)
    lines = []
    for case in cases:
        record = records[case["record"]]
        c0 = ciphertext_of(case, ring, record)[: ring.bytes]
        positions = [p for half in supports_of(record["sk"], weight) for p in half]
        lines.append(" ".join([str(level), c0.hex(), *map(str, positions)]))
    folder = build("cortex-m4", targets=["hosted_tests"], **FULL)
    found = device.run_hosted(
        folder / "bin" / "decode_steps", "m4", text="\n".join(lines) + "\n"
    ).splitlines()
    for case, one in zip(cases, map(json.loads, found), strict=True):
        check_steps(case, one["steps"], bytes.fromhex(one["e"]))


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["test_decoder", "test_hqc", "test_keccak", "test_sampling", "test_gf2x"],
)
def test_units_on_the_device(name, build, need):
    """Every function of the back end against the reference, which this build has, too."""
    need(device.BOARD[0])
    folder = build("cortex-m4", targets=["hosted_tests"], **FULL)
    printed = device.run_hosted(folder / "bin" / name)
    assert "[  PASSED  ]" in printed
    assert "with m4\n" in printed


def symbols(*command):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=True
    ).stdout


def test_library_needs_neither_heap_nor_output(program):
    archive = program.parent.parent / "libcodekem.a"
    lines = symbols("arm-none-eabi-nm", archive).splitlines()
    defined = {line.split()[-1] for line in lines if re.search(r" [TRDBCtrdbV] ", line)}
    undefined = {line.split()[-1] for line in lines if " U " in line} - defined
    assert {name for name in undefined if not OUTSIDE.fullmatch(name)} == set()


def test_only_the_chosen_kems_are_linked(build, need):
    need("arm-none-eabi-gcc")
    all_kems = build("cortex-m4", **SMALL) / "bin" / "operations"
    chosen = build("cortex-m4", CODEKEM_KEMS="BIKE-L1") / "bin" / "operations"
    names = symbols("arm-none-eabi-nm", chosen)
    assert re.search(r"\bckem_bike_l1$", names, re.MULTILINE)
    assert not re.search(r"\bckem_(bike_l3|hqc_\w+|gf2x_ring_24659)$", names, re.MULTILINE)
    assert chosen.stat().st_size < all_kems.stat().st_size
    with pytest.raises(device.DeviceError, match="no such KEM in this build"):
        device.run(chosen, [("HQC-1", "keypair", bytes(32))])


def test_choosing_an_unknown_kem_is_refused(root, tmp_path, need):
    done = subprocess.run(
        [
            need("cmake"),
            "--preset",
            "cortex-m4",
            "-B",
            tmp_path,
            "-S",
            root,
            "-DCODEKEM_KEMS=BIKE-L2",
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert 'there is no KEM "BIKE-L2"; there are BIKE-L1, BIKE-L3' in " ".join(done.stderr.split())


TRAP = "  *(volatile uint32_t *)0xE000ED14u |= 1u << 3; /* CCR.UNALIGN_TRP */"
BYTES = """#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  volatile unsigned char *out = to;
  const unsigned char *in = from;
  while (count-- > 0) *out++ = *in++;
  return to;
}
"""


@pytest.mark.long
def test_unaligned_accesses(build, need, root, tmp_path):
    """Where they trap, the library needs an option and another memcpy (docs/devices.md)."""
    compiler = need("arm-none-eabi-gcc")
    target = "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft -ffunction-sections -fdata-sections"
    kems = {"CODEKEM_KEMS": "BIKE-L1"}
    usual = build("cortex-m4", **kems) / "libcodekem.a"
    flags = f"{target} -mno-unaligned-access"
    aligned = build("cortex-m4", targets=["codekem_static"], CMAKE_C_FLAGS=flags, **kems)
    board = root / "devices/cortex-m4"
    text = (board / "example.c").read_text(encoding="ascii")
    main = "int main(void) {"
    assert main in text
    (tmp_path / "trapped.c").write_text(text.replace(main, f"{main}\n{TRAP}"))
    (tmp_path / "bytes.c").write_text(BYTES)

    def said(program, *parts):
        words = [*target.split(), "-Os", f"-I{root / 'include'}", f"-I{board}", board / "board.c"]
        words += [*parts, "--specs=nano.specs", "-nostartfiles", "-Wl,--gc-sections"]
        words += ["-T", board / "layout.ld", "-o", tmp_path / program]
        subprocess.run([compiler, *map(str, words)], check=True)
        run = [*device.QEMU, str(tmp_path / program)]
        return subprocess.run(run, capture_output=True, text=True, check=False).stdout

    trapped, copy = tmp_path / "trapped.c", tmp_path / "bytes.c"
    good, fault = "both hold the same secret", "the processor took an exception"
    assert good in said("plain", board / "example.c", usual)
    assert fault in said("trap", trapped, copy, usual)
    assert good in said("both", trapped, copy, aligned / "libcodekem.a")
