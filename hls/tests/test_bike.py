# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels and whole operations of BIKE: the C gives what model and vectors say, cores the same.

The cycles of each run are those that were computed before.
"""

import ctypes
import random
import tomllib

import numpy
import pytest

from codekem_hls import frontend, results, simulate
from hls.tests.kernel_designs import KERNELS, read_design
from tests import weak_keys
from tools import known_answers

LEVELS = {1: (12323, 71, 134), 3: (24659, 103, 199)}
R, D, T = LEVELS[1]
QUICK = {"bike_threshold.comp": 209}
LONG = {
    "bike_counters.comp": 14131,
    "bike_sample_key.comp": 412,
    "bike_flip.comp": 197,
    "bike_product.comp": 14060,
    "bike_double.comp": 391,
    "bike_sample_errors.comp": 793,
    "bike_inverse.comp": 477827,
    "bike_counters.perf": 7315,
    "bike_inverse.perf": 255583,
}
OPERATIONS = {
    ("bike_keygen", 1): 494013,
    ("bike_encaps", 1): 33825,
    ("bike_decaps", 1): 400965,
    ("bike_keygen", 3): 992586,
    ("bike_encaps", 3): 91677,
    ("bike_decaps", 3): 1128466,
}
# At most so many cycles, and four times the LUT x cycles of the core `light` that is written by
# hand [hardware.md].
LIGHT = {"bike_keygen": (1_000_000, 8652 * 232976), "bike_decaps": (600_000, 8652 * 192199)}


# --- the model: polynomials are numbers -----------------------------------------------------------


def turned(number, count):
    """The product by x^count."""
    return (number << count | number >> (R - count)) & ((1 << R) - 1)


def product(number, positions):
    total = 0
    for position in positions:
        total ^= turned(number, position)
    return total


def split(number, count, bits=64):
    return [number >> (bits * i) & ((1 << bits) - 1) for i in range(count)]


def joined(words, bits=64):
    return sum(word << (bits * i) for i, word in enumerate(words))


def words(bits=64):
    return -(-R // bits)


def counters_of(syndrome, positions):
    bits = numpy.array(split(syndrome, R, 1))
    return [int(n) for n in sum(numpy.roll(bits, -p) for p in positions)]


def sliced(counters, bits):
    """Counters as the kernel has them: seven planes of a word in each element."""
    planes = [joined([n >> b & 1 for n in counters], 1) for b in range(7)]
    mask = (1 << bits) - 1
    return [
        sum((plane >> (bits * i) & mask) << (bits * b) for b, plane in enumerate(planes))
        for i in range(words(bits))
    ]


def drawn(numbers, length):
    """The positions of BIKE's sampler."""
    out = [0] * len(numbers)
    for i, number in zip(reversed(range(len(numbers))), numbers, strict=True):
        position = i + (number * (length - i) >> 32)
        out[i] = i if position in out[i + 1 :] else position
    return out


# --- for each kernel: inputs, and what comes out --------------------------------------------------


def bike_counters(chosen, bits=64):
    syndrome, positions = chosen.getrandbits(R), chosen.sample(range(R), D)
    expected = sliced(counters_of(syndrome, positions), bits)
    last = (1 << R % bits) - 1
    mask = joined([last] * 7, bits)

    def found(run):
        got = run.arrays["counters"]
        return [*got[:-1], got[-1] & mask] == expected

    dense = split(syndrome | syndrome << R, 2 * words(bits) + 2, bits)
    return {"syndrome": dense, "positions": positions}, found


def bike_flip(chosen):
    counters = [chosen.choice([0, 30, 33, 34, 35, 36, 37, 71]) for _ in range(R)]
    threshold, mode = chosen.choice([36, 37, 60]), chosen.randrange(3)
    errors, black, gray = (chosen.getrandbits(R) for _ in range(3))
    reached = joined([n >= threshold for n in counters], 1)
    nearly = joined([n >= threshold - 3 for n in counters], 1) & ~reached
    expected = {"errors": errors ^ (reached & [-1, black, gray][mode])}
    expected |= {"black": reached, "gray": nearly} if mode == 0 else {"black": black, "gray": gray}
    inputs = {
        "errors": split(errors, words()),
        "black": split(black, words()),
        "gray": split(gray, words()),
        "counters": sliced(counters, 64),
        "threshold": threshold,
        "mode": mode,
    }
    mask = (1 << R) - 1

    def found(run):
        return all(joined(run.arrays[name]) & mask == expected[name] for name in expected)

    return inputs, found


def bike_threshold(chosen):
    """Weights where the threshold changes [BIKE], and some others; the last word has more bits."""
    weight = chosen.choice([0, 3366, 3367, 3510, 12115, 12116, 12259, chosen.randrange(R)])
    syndrome = chosen.getrandbits(64 * words() - R) << R
    for place in chosen.sample(range(R), weight):
        syndrome |= 1 << place
    expected = max((1353000000 + 697220 * weight) // 10**8, 36)
    return {"syndrome": split(syndrome, words())}, lambda run: run.result == expected


def bike_product(chosen):
    dense, sums = chosen.getrandbits(R), chosen.getrandbits(R)
    positions = chosen.sample(range(R), D)
    for place in range(chosen.randrange(3)):
        positions[place] = chosen.choice([R, 0xFFFF])
    expected = sums ^ product(dense, [p for p in positions if p < R])
    inputs = {
        "dense": split(dense | dense << R, 2 * words() + 2),
        "sum": split(sums, words()),
        "positions": positions,
    }
    return inputs, lambda run: joined(run.arrays["sum"]) & ((1 << R) - 1) == expected


def bike_double(chosen):
    polynomial = chosen.getrandbits(64 * words())
    folded = (polynomial & ((1 << R) - 1)) ^ polynomial >> R
    return {
        "polynomial": split(polynomial, words())
    }, lambda run: joined(run.arrays["dense"]) & ((1 << 2 * R) - 1) == folded | folded << R


def sampler(chosen, count, halves, stream_words, first):
    """Small numbers bring positions that were drawn before."""
    top = chosen.choice([1 << 32, 1 << 20])
    numbers = [chosen.randrange(top) for _ in range(2 * stream_words)]
    positions = drawn(numbers[first : first + count], halves * R)
    bits = 0
    for p in positions:
        bits |= 1 << (p if p < R else p - R + 64 * words())
    stream = [numbers[i] | numbers[i + 1] << 32 for i in range(0, len(numbers), 2)]

    def found(run):
        return run.arrays["positions"] == positions and joined(run.arrays["bits"]) == bits

    return {"stream": stream, "first": first}, found


def bike_sample_errors(chosen):
    inputs, found = sampler(chosen, T, 2, 68, 0)
    return {"stream": inputs["stream"]}, found


def bike_sample_key(chosen):
    return sampler(chosen, D, 1, 85, chosen.choice([0, D]))


def bike_inverse(chosen, bits=64):
    positions = chosen.sample(range(R), D)
    return {
        "positions": positions
    }, lambda run: product(joined(run.arrays["inverse"], bits), positions) == 1


def check(name, latency, flavour, seed, runs):
    design, run = flavour(name)
    kernel, how = name.split(".")
    wide = {"bits": 128} if how == "perf" else {}
    chosen = random.Random(seed)
    for number in range(runs):
        values, found = globals()[kernel](chosen, **wide)
        core, software = run(design, values, seed + number)
        assert found(software), "the C"
        assert found(core), "the core"
        assert core.arrays == software.arrays
        public = {key: value for key, value in values.items() if isinstance(value, int)}
        assert core.cycles == design.latency(public) == latency


@pytest.mark.parametrize("name", QUICK)
def test_kernel(name, flavour):
    check(name, QUICK[name], flavour, seed=1, runs=3)


@pytest.mark.long
@pytest.mark.parametrize("name", LONG | QUICK)
def test_all_flavours(name, flavour):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    check(name, (LONG | QUICK)[name], flavour, seed, runs=5)


# --- whole operations: the official vectors -------------------------------------------------------


def elements(data, size=8):
    whole = data + bytes(-len(data) % size)
    return [int.from_bytes(whole[i : i + size], "little") for i in range(0, len(whole), size)]


def halves_of(level, secret_key):
    """Returns both lists of positions, the polynomials, and sigma."""
    r, d, _ = LEVELS[level]
    size = -(-r // 8)
    positions = elements(secret_key[: 8 * d], 4)
    dense = secret_key[8 * d :]
    return positions[:d], positions[d:], dense[:size], dense[size : 2 * size], secret_key[-32:]


def bike_keygen(level, record):
    """Returns the inputs, and what the arrays must be."""
    first, second, dense0, dense1, _ = halves_of(level, record["sk"])
    seed = known_answers.NistGenerator(record["seed"]).random(64)
    return {"seed": elements(seed[:32])}, {
        "public_key": elements(record["pk"]),
        "positions0": first,
        "positions1": second,
        "half0": elements(dense0),
        "half1": elements(dense1),
    }


def bike_encaps(level, record):
    size = -(-LEVELS[level][0] // 8)
    generator = known_answers.NistGenerator(record["seed"])
    generator.random(64)
    return {"m": elements(generator.random(64)[:32]), "public_key": elements(record["pk"])}, {
        "c0": elements(record["ct"][:size]),
        "c1": elements(record["ct"][size:]),
        "secret": elements(record["ss"]),
    }


def bike_decaps(level, record):
    size = -(-LEVELS[level][0] // 8)
    first, second, _, _, sigma = halves_of(level, record["sk"])
    return {
        "c0": elements(record["ct"][:size]),
        "c1": elements(record["ct"][size:]),
        "positions0": first,
        "positions1": second,
        "sigma": elements(sigma),
    }, {"secret": elements(record["ss"])}


def tampered(level):
    """Records with altered ciphertexts and the secrets that belong to them, padding bits too."""
    found = known_answers.read_records(f"BIKE-L{level}")
    for case in known_answers.read_json("bike", "rejection")["cases"]:
        if case["kem"] == f"BIKE-L{level}" and not case.get("flip_sk_bits"):
            record = found[case["record"]]
            ct = record["ct"]
            if "ciphertext" in case:
                ct = bytes.fromhex(case["ciphertext"])
            else:
                ct = known_answers.flip_bits(ct, case["flip_ct_bits"])
            yield record | {"ct": ct, "ss": bytes.fromhex(case["ss"])}


class Compiled:
    """The operations of a level as software."""

    def __init__(self, folder, level, lower=0):
        self.level = level
        library = folder / f"bike{level}.so"
        options = [
            *frontend.LANGUAGE,
            *frontend.WIDE,
            f"-DLEVEL={level}",
            f"-DLOWER_FIRST_THRESHOLD={lower}",
            "-O2",
            "-fPIC",
            "-shared",
        ]
        source = KERNELS / "bike.c"
        simulate.run_tool([frontend.CLANG, *options, "-Wno-everything", source, "-o", library])
        self.library = ctypes.CDLL(str(library))

    def right(self, operation, record):
        """Runs an operation on a record; tells whether all its results are those expected."""
        inputs, expected = globals()[operation](self.level, record)
        order = {
            "bike_keygen": "public_key positions0 positions1 half0 half1 seed",
            "bike_encaps": "c0 c1 secret public_key m",
            "bike_decaps": "secret c0 c1 positions0 positions1 sigma",
        }[operation].split()
        arrays = {}
        for name in order:
            values = inputs.get(name) or [0] * len(expected[name])
            kind = ctypes.c_uint16 if name.startswith("positions") else ctypes.c_uint64
            arrays[name] = (kind * len(values))(*values)
        getattr(self.library, operation)(*arrays.values())
        return all(list(arrays[name]) == values for name, values in expected.items())


@pytest.mark.parametrize("level", LEVELS)
def test_operations_as_software(level, tmp_path):
    compiled = Compiled(tmp_path, level)
    for record in known_answers.read_records(f"BIKE-L{level}")[:10]:
        for operation in ("bike_keygen", "bike_encaps", "bike_decaps"):
            assert compiled.right(operation, record), operation
    cases = list(tampered(level))
    assert len(cases) > 3
    for record in cases:
        assert compiled.right("bike_decaps", record)
    assert not compiled.right("bike_decaps", cases[0] | {"ss": bytes(32)})


def lowered(library, internals, level, lower, count):
    """Returns records of a weak key whose secrets are those of the library with a lower first
    threshold."""
    kem, secret, sent = weak_keys.weak_key(library, internals, f"BIKE-L{level}", count)
    ciphertexts = [ciphertext for ciphertext, _ in sent]
    shared = weak_keys.secrets_of(library, kem, secret, ciphertexts, lower)
    assert shared != weak_keys.secrets_of(library, kem, secret, ciphertexts, 0)
    return [{"sk": secret, "ct": ct, "ss": ss} for ct, ss in zip(ciphertexts, shared, strict=True)]


@pytest.mark.parametrize(("level", "lower"), [(1, 6), (3, 9)])
def test_a_lower_first_threshold_is_that_of_the_library(level, lower, library, internals, tmp_path):
    compiled = Compiled(tmp_path, level, lower)
    for record in lowered(library, internals, level, lower, 24):
        assert compiled.right("bike_decaps", record)


def check_core(cores, operation, level, cases, lower=0):
    """Runs a core on records. Level 3 has the directives of level 1."""
    path = KERNELS / f"{operation}.perf.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    data["define"] = {"LEVEL": level} | ({"LOWER_FIRST_THRESHOLD": lower} if lower else {})
    if level == 3 and operation == "bike_keygen":
        data["define"]["STEPS"] = 32
    design = read_design(path, data)
    run = cores.build(f"{operation}-{level}-{lower}", [design])
    assert lower or design.latency() == OPERATIONS[operation, level]
    for number, record in enumerate(cases):
        values, expected = globals()[operation](level, record)
        core, _ = run(design, values, number + 1)
        for array, numbers in expected.items():
            assert core.arrays[array] == numbers, array
        assert core.cycles == design.latency()


@pytest.mark.parametrize("operation", LIGHT)
def test_limits(operation):
    """Cycles and area of the stored rows: at most those that we set."""
    cycles, product = LIGHT[operation]
    row = results.stored()[f"{operation}.perf"]
    assert row["cycles"] == OPERATIONS[operation, 1] <= cycles
    assert row["cycles"] * (row["lut"] + row["lutram"]) <= 4 * product


def test_core_for_encaps(cores):
    check_core(cores, "bike_encaps", 1, known_answers.read_records("BIKE-L1")[:2])


@pytest.mark.long
@pytest.mark.parametrize(("operation", "level"), OPERATIONS)
def test_cores(operation, level, cores):
    cases = known_answers.read_records(f"BIKE-L{level}")[: 5 if level == 1 else 2]
    if operation == "bike_decaps":
        cases += list(tampered(level))[: 10 if level == 1 else 2]
    check_core(cores, operation, level, cases)


@pytest.mark.long
def test_core_with_a_lower_first_threshold(cores, library, internals):
    check_core(cores, "bike_decaps", 1, lowered(library, internals, 1, 6, 8), 6)
