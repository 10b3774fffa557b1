# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The kernels and whole operations of BIKE: the C gives what model and vectors say, cores the same.

The cycles of each run are those that were computed before.
"""

import ctypes
import pathlib
import random

import numpy
import pytest

from codekem_hls import frontend, results, simulate
from hls.tests.kernel_designs import KERNELS, read_design
from tests import weak_keys
from tools import known_answers

LEVELS = {1: (12323, 71, 134), 3: (24659, 103, 199)}
R, D, T = LEVELS[1]
CYCLES = {
    "bike_threshold.comp": 209,
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
TOPS = ("bike_keygen", "bike_encaps", "bike_decaps")
# Cycles of cores for one operation, and of those for all of them.
ALONE = {
    ("perf", 1): (494026, 35458, 400989),
    ("perf", 3): (992599, 94462, 1128490),
    ("comp", 1): (968699, 262408, 627939),
}
WHOLE = {
    ("perf", 1): (494029, 35462, 400994),
    ("comp", 1): (968702, 262412, 627944),
}
# Of bike.perf at most so many cycles, and four times the LUT x cycles of the core `light` that is
# written by hand [hardware.md], which does all three operations, too.
LIMITS = (500_000, 40_000, 410_000)
LIGHT = (8717, (232976, 17096, 192199))


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


@pytest.mark.long
@pytest.mark.parametrize("name", CYCLES)
def test_all_flavours(name, flavour):
    seed = random.SystemRandom().getrandbits(31)
    print(f"seed {seed}")
    check(name, CYCLES[name], flavour, seed, runs=5)


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


def design_of(name, level, folder, lower=0):
    """Cores for one operation, and those of level 3, have the directives of the whole at level 1;
    at level 3, a sweep has 32 division steps.
    """
    if (KERNELS / f"{name}.toml").is_file() and level == 1 and not lower:
        return read_design(KERNELS / f"{name}.toml")
    top, flavour = name.split(".")
    path = folder / f"{name}.toml"
    steps = "STEPS = 32\n" if level == 3 else ""
    path.write_text(
        f'extends = "{KERNELS}/bike.{flavour}.toml"\nkernel = "{KERNELS}/bike.c"\ntop = "{top}"\n'
        f"[define]\nLEVEL = {level}\nLOWER_FIRST_THRESHOLD = {lower}\n{steps}"
    )
    return read_design(path)


def check_core(cores, design, level, operation, cases):
    """Runs an operation of a core on records."""
    name = pathlib.Path(design.directives.file).stem
    run = cores.build(f"{name}-{level}", [design])
    for number, record in enumerate(cases):
        values, expected = globals()[operation](level, record)
        if design.directives.top == "bike":
            coins = next(values.pop(name) for name in ("seed", "m", "sigma") if name in values)
            values |= {"coins": coins, "operation": TOPS.index(operation)}
        core, _ = run(design, values, number + 1)
        for array, numbers in expected.items():
            assert core.arrays[array] == numbers, array
        assert core.cycles == design.latency({"operation": TOPS.index(operation)})


def cases_of(operation, level):
    cases = known_answers.read_records(f"BIKE-L{level}")[: 5 if level == 1 else 2]
    if operation == "bike_decaps":
        cases += list(tampered(level))[: 10 if level == 1 else 2]
    return cases


@pytest.mark.parametrize("operation", TOPS)
def test_limits(operation):
    """Cycles and area of the stored core: at most those that we set."""
    row, place = results.stored()["bike.perf"], TOPS.index(operation)
    cycles, luts = row["cycles"][place], row["lut"] + row["lutram"]
    light, by_hand = LIGHT
    assert cycles <= LIMITS[place]
    assert cycles * luts <= 4 * light * by_hand[place]


@pytest.mark.long
@pytest.mark.parametrize("operation", TOPS)
@pytest.mark.parametrize(("flavour", "level"), ALONE)
def test_cores(flavour, level, operation, cores, tmp_path):
    design = design_of(f"{operation}.{flavour}", level, tmp_path)
    assert design.latency() == ALONE[flavour, level][TOPS.index(operation)]
    check_core(cores, design, level, operation, cases_of(operation, level))


@pytest.mark.long
@pytest.mark.parametrize(("flavour", "level"), WHOLE)
def test_core_for_all_operations(flavour, level, cores, tmp_path):
    """One operation after the other, as the core is used."""
    design = design_of(f"bike.{flavour}", level, tmp_path)
    assert tuple(results.cycles(design)) == WHOLE[flavour, level]
    for operation in TOPS:
        check_core(cores, design, level, operation, cases_of(operation, level))


@pytest.mark.long
def test_core_with_a_lower_first_threshold(cores, library, internals, tmp_path):
    design = design_of("bike_decaps.perf", 1, tmp_path, lower=6)
    check_core(cores, design, 1, "bike_decaps", lowered(library, internals, 1, 6, 8))
