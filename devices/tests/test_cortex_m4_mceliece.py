# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Classic McEliece on an emulated Cortex-M4: known answers, altered ciphertexts, public keys in
pieces, memory, counts, and traces."""

import functools
import hashlib
import random
import struct

import pytest

from devices import device
from parameters.table import TABLE
from tests import mceliece_checks
from tests.mceliece_library import SETS, Generator, McEliece, vectors
from tests.mceliece_program import Program

SHORT = ["mceliece348864f", "mceliece460896f"]
LONG = [
    f"mceliece{name}"
    for name in ("348864", "348864pc", "348864pcf", "460896", "460896pc", "460896pcf")
]
ALL = [*SHORT, *[pytest.param(name, marks=pytest.mark.long) for name in LONG]]

# Bytes that the reference implementation draws for each attempt.
DRAWN = {"348864": 256, "460896": 384}
ATTEMPTS = 20

SEED = bytes(range(32))

# What runs a program with files (embedded/cortex-m4/hosted.ld).
HOSTED = [*device.BOARD, "-semihosting-config", "enable=on,target=native"]

# The state of an encapsulation in pieces (codekem_mceliece.h).
STREAM_STATE = 2304

# What a call wipes below its working memory in this profile (src/common/base/profile.h), and after
# an encapsulation in the memory of the caller, or in pieces (src/mceliece/large_keys.c).
WIPED_BYTES = 2048
STEP_WIPED_BYTES = 592

# The same where keys are made (src/mceliece/keys.c).
KEY_WIPED_BYTES = 6144

# What the code of Chen and Chou takes in the same emulator (docs/results/devices.md), for
# encapsulation and decapsulation. Ours take 0.8 of the instructions, encapsulation no more
# memory, and decapsulation half of it.
PEER_INSTRUCTIONS = {
    "mceliece348864f": (342_407, 1_806_726),
    "mceliece460896f": (619_775, 4_408_506),
}
PEER_STACK = {"mceliece348864f": (1_432, 18_512), "mceliece460896f": (2_016, 34_968)}


@pytest.fixture(scope="module")
def program(build):
    # Without a choice of BIKE or HQC the linker drops them all the same.
    return build("cortex-m4", CODEKEM_BUILD_MCELIECE="ON") / "bin" / "mceliece_operations"


@pytest.fixture(scope="module")
def mceliece(internals):
    return McEliece(internals)


@functools.cache
def stored(name):
    return vectors(name)


def size_of(name):
    return name.removeprefix("mceliece")[:6]


@pytest.fixture(scope="module")
def key_of(mceliece):
    """key_of(name) returns the first record of a set, what its generator gives for encapsulation,
    and its keys, which the library of this machine makes."""

    @functools.cache
    def find(name):
        record = stored("digests")["sets"][name.replace("pc", "")]["records"][0]
        generator = Generator(bytes.fromhex(record["seed"]))
        public_key, secret_key = mceliece.keypair(mceliece.kem(name), generator.draw(32))
        assert hashlib.sha256(public_key).hexdigest() == record["pk_sha256"]
        source = b"".join(generator.draw(DRAWN[size_of(name)]) for _ in range(ATTEMPTS))
        return record, source, public_key, secret_key

    return find


@pytest.mark.parametrize("name", ALL)
def test_known_answers_on_the_device(name, program, key_of):
    record, source, public_key, secret_key = key_of(name)
    encaps, decaps = device.run(
        program,
        [
            (name, "encaps-random", public_key, source),
            (name, "decaps", bytes.fromhex(record["ct"]), secret_key)
            if "pc" not in name
            else ("backend",),
        ],
    )
    if TABLE.find(name).confirms:
        decaps = device.run(program, [(name, "decaps", encaps.values[0], secret_key)])[0]
        assert encaps.values[0][: len(record["ct"]) // 2].hex() == record["ct"]
        assert decaps.values == [encaps.values[1]]
    else:
        assert [value.hex() for value in encaps.values] == [record["ct"], record["ss"]]
        assert decaps.values[0].hex() == record["ss"]


def altered_ciphertexts(size, every=1):
    """Returns (set, ciphertext, secret key, secret) of what a decoder may get wrong."""
    file = stored("decaps")
    return [
        (item["set"], bytes.fromhex(item["ct"]), bytes.fromhex(file["sk"][item["sk"]]), item["ss"])
        for item in file["items"]
        if item["set"].startswith(f"mceliece{size}") and "ss" in item
    ][::every]


@pytest.mark.parametrize(
    "size, every",
    [("348864", 4), *[pytest.param(size, 1, marks=pytest.mark.long) for size in DRAWN]],
)
def test_altered_ciphertexts_on_the_device(size, every, program):
    """Weights from 0 to 2 t, errors at the support's 0, wrong keys. In `make test` every fourth."""
    cases = altered_ciphertexts(size, every)
    assert len(cases) >= 5
    results = device.run(
        program,
        [(name, "decaps", ciphertext, key) for name, ciphertext, key, _ in cases],
    )
    assert [result.values[0].hex() for result in results] == [secret for *_, secret in cases]


@pytest.mark.parametrize("name", ALL)
def test_a_public_key_in_pieces_gives_the_same(name, program, mceliece, key_of):
    """Rows, eight rows, pages, and an odd number of bytes; and what this machine gives. The stack,
    with the state on it, stays below 4 KiB."""
    public_key = key_of(name)[2]
    row = len(public_key) // {"348864": 768, "460896": 1248}[size_of(name)]
    whole = mceliece.encaps(mceliece.kem(name), public_key, SEED)[1:]
    pieces = [row, 8 * row, 2048, 1001]
    results = device.run(
        program,
        [(name, "encaps", public_key, SEED)]
        + [(name, "stream", "-", str(piece), SEED) for piece in pieces],
    )
    assert {tuple(result.values) for result in results} == {tuple(whole)}
    assert all(STREAM_STATE < result.stack_bytes < 4096 for result in results[1:])


@pytest.mark.parametrize("name", SHORT)
def test_calls_stay_within_their_limits(name, program, key_of):
    """With randomness from the caller, as that code has it."""
    record, source, public_key, secret_key = key_of(name)
    calls = [
        ("workspace", name),
        (name, "encaps-random", public_key, source),
        (name, "decaps", bytes.fromhex(record["ct"]), secret_key),
    ]
    lengths, encaps, decaps = first = device.run(program, calls)
    workspace = struct.unpack("<4I", lengths.values[0])[1]
    assert 100_000 < encaps.instructions <= 0.8 * PEER_INSTRUCTIONS[name][0]
    assert 1_000_000 < decaps.instructions <= 0.8 * PEER_INSTRUCTIONS[name][1]
    assert 1000 < encaps.stack_bytes + workspace <= PEER_STACK[name][0]
    assert 1000 < decaps.stack_bytes <= PEER_STACK[name][1] / 2
    assert device.run(program, calls) == first, "the count is not the same in each run"


@pytest.mark.parametrize("name", ALL)
def test_memory_of_calls(name, program, key_of):
    """Nothing is written behind the working memory, and nothing reaches below the stack that is
    wiped: a function that went deeper would add to the frames of the entry point."""
    record, _, public_key, secret_key = key_of(name)
    ciphertext = bytes.fromhex(record["ct"]) + bytes(32 if TABLE.find(name).confirms else 0)
    lengths, encaps, decaps, *guarded = device.run(
        program,
        [
            ("workspace", name),
            (name, "encaps", public_key, SEED),
            (name, "decaps", ciphertext, secret_key),
            (name, "guarded-encaps", "-", SEED),
            (name, "guarded-decaps", ciphertext, secret_key),
        ],
    )
    assert [result.values for result in guarded] == [encaps.values, decaps.values]
    _, *workspaces, _ = struct.unpack("<4I", lengths.values[0])
    for workspace, result in zip(workspaces, (encaps, decaps), strict=True):
        assert WIPED_BYTES < result.stack_bytes - workspace < WIPED_BYTES + 512
    calls = [("backend",), (name, "encaps-random", public_key, drawn_at_once(name, 0))]
    calls.append((name, "stream", "-", "2048", SEED))
    _, random_encaps, stream = device.run(program, calls)
    assert STEP_WIPED_BYTES < random_encaps.stack_bytes < STEP_WIPED_BYTES + 144
    assert STEP_WIPED_BYTES < stream.stack_bytes - STREAM_STATE < STEP_WIPED_BYTES + 384


def drawn_at_once(name, seed):
    """Returns what a source gives for an error that the first attempt draws: distinct positions."""
    count, bits = DRAWN[size_of(name)] // 2, {"348864": 3488, "460896": 4608}[size_of(name)]
    return struct.pack(f"<{count}H", *random.Random(seed).sample(range(bits), count))


@pytest.mark.parametrize("name", ALL)
def test_secrets_show_neither_in_branches_nor_in_addresses(name, program, key_of, tmp_path):
    """Ciphertexts that decode and others, with three keys; errors that are drawn at once, because
    how many attempts that takes is public. The first call also chooses the back end."""
    record, _, public_key, secret_key = key_of(name)
    tail = bytes(32 if TABLE.find(name).confirms else 0)
    decaps = [
        (name, "decaps", ciphertext + tail, key)
        for _, ciphertext, key, _ in altered_ciphertexts(size_of(name), 3)
    ]
    decaps.append((name, "decaps", bytes.fromhex(record["ct"]) + tail, secret_key))
    encaps = [(name, "encaps-random", public_key, drawn_at_once(name, seed)) for seed in range(3)]
    traces = []
    calls = [decaps[0], *decaps, *encaps]
    device.run(program, calls, plugin=device.build_plugin(tmp_path), traces=traces)
    assert len(traces) == len(calls)
    assert len(set(traces[1 : 1 + len(decaps)])) == 1
    assert len(set(traces[1 + len(decaps) :])) == 1


# Pages of 2048 bytes; the memory of Chen and Chou's code for the whole key is 169,796 bytes.
PAGES_MEMORY = 140_000


@pytest.mark.long
@pytest.mark.parametrize(
    "name, page", [("mceliece348864", 2048), pytest.param(LONG[3], 4096, marks=pytest.mark.long)]
)
def test_key_pair_in_pages(name, page, program, key_of):
    """The key pair of the first record, with nothing written behind the working memory."""
    record, _, public_key, secret_key = key_of(name)
    seed = Generator(bytes.fromhex(record["seed"])).draw(32)
    lengths, result = device.run(
        program, [("workspace", name), (name, "pages", str(page), seed)], timeout=1800
    )
    assert result.values == [public_key, secret_key]
    if name == "mceliece348864":
        in_pages = struct.unpack("<4I", lengths.values[0])[3]
        assert in_pages < in_pages + result.stack_bytes < PAGES_MEMORY


@pytest.mark.long
def test_keys_are_made_above_the_stack_that_is_wiped(program):
    """Portable code makes keys, and goes deeper than the other operations."""
    seed = bytes(32)
    keypair, pages = device.run(
        program,
        [("mceliece348864f", "keypair", seed), ("mceliece348864", "pages", "2048", seed)],
    )
    for result in (keypair, pages):
        assert KEY_WIPED_BYTES < result.stack_bytes < KEY_WIPED_BYTES + 512


@pytest.mark.parametrize("size", ["small", pytest.param("full", marks=pytest.mark.long)])
def test_vectors_on_the_device(size, build):
    """Key pairs by portable code; errors that are drawn and given, for every size of code; what
    decodes and what does not, with a prepared key, too."""
    options = {} if size == "small" else {"CODEKEM_SMALL": "OFF"}
    folder = build("cortex-m4", targets=["mceliece_check"], CODEKEM_BUILD_MCELIECE="ON", **options)
    program = folder / "bin" / "mceliece_check"
    with Program([*HOSTED, "-kernel", program, "-append"], "m4") as running:
        mceliece_checks.check_record(running, "mceliece348864f")
        for name in SETS[::2]:
            mceliece_checks.check_encapsulation(running, name)
        for name in ("mceliece348864", "mceliece6960119f"):
            mceliece_checks.check_ciphertexts(running, name)
        mceliece_checks.check_confirmation(running, "mceliece6960119pc")


def test_mathematics_on_the_device(build):
    """Groups, transforms, networks and recurrences against the portable code."""
    folder = build("cortex-m4", targets=["code_mathematics_m4"], CODEKEM_BUILD_MCELIECE="ON")
    assert "[  PASSED  ]" in device.run_hosted(folder / "bin" / "code_mathematics_m4")


def test_example_agrees_on_a_secret(program):
    assert device.run_hosted(program.parent / "mceliece_example") == "both hold the same secret\n"


@pytest.mark.parametrize(
    "line, text",
    [
        ("mceliece6688128 encaps 00 00", "no such KEM in this program"),
        ("BIKE-L1 encaps 00 00", "no such KEM in this program"),
        ("mceliece348864 sign 00", "unknown operation sign"),
        ("mceliece348864 decaps 00 00", "wrong length"),
        ("mceliece348864 encaps - 00", "less than a seed"),
        ("mceliece348864 stream - 0 00", "at least one byte"),
        ("mceliece348864f pages 2048 " + "00" * 32, "the library says"),
    ],
)
def test_bad_input_is_refused(line, text, program):
    with pytest.raises(device.DeviceError, match=text):
        device.run(program, [tuple(line.split())])
