# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC in shares as machine code for the Cortex-M4: what registers, operands, bus and memory show
one after the other, fixed against random secrets; and devices/leakage beside QEMU."""

import importlib.util
import subprocess

import numpy as np
import pytest

from devices import attack_codes, attack_masked, device, enumerate_leakage, prove_leakage
from devices import measure_leakage as leakage
from devices.leakage_bits import ONE, Bits, bits_of
from devices.leakage_symbols import SHARES
from parameters.table import TABLE
from tests.masked_program import join
from tools import known_answers, mistakes
from tools.source_folders import include_options

LONG = pytest.mark.long
SMALL = [name for name in leakage.GADGETS if name not in leakage.LARGE]
CALL = "HQC-1"
GADGET, KIND, RUNS = "leak_and_scalars", "bus", 10_000
KEMS = {kem.name: kem for kem in TABLE.current("hqc")}
FLAGS = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft", "-ffunction-sections", "-fdata-sections"]
DEFINED = ["-DNDEBUG", "-DCODEKEM_SMALL", "-DCODEKEM_HAVE_M4", "-DCODEKEM_MASKED_ORDER=1"]


@pytest.fixture(scope="session")
def engine(build):
    folder = build("gcc", targets=["codekem_internals", "leakage_engine"])
    return folder / "devices" / "leakage" / "libleakage_engine.so"


@pytest.fixture(scope="session")
def board(build):
    return build("cortex-m4", ["all"], CODEKEM_BUILD_MCELIECE="ON")


@pytest.fixture
def program(board, need):
    need("arm-none-eabi-gcc")
    return board / "bin" / "leakage_gadgets"


@pytest.mark.parametrize("name", ["and", "mux", "add", "multiply", "chi", "bit_to_sum", "fold"])
def test_gadget_shows_nothing(name, engine, program):
    report = leakage.examine_gadget(engine, program, name, 500)
    assert report.points > 100
    assert report.largest <= report.limit, report.above[:5]


def largest_t(engine, program):
    """Returns the largest |t| of both orders, of the engine and from its weights, for points of a
    gadget that the second order shows."""

    def run(look):
        with leakage.Machine(engine, program, 2 * RUNS) as machine:
            writer = leakage.Inputs(machine, 1)
            writer.seeds()
            machine.run("leak_start")
            for where in (leakage.X, leakage.Y):
                writer.planes(where, 1, leakage.LOW)
            return look(machine)

    report = run(lambda machine: machine.examine(GADGET, second=True, kinds=(KIND,)))
    weights = run(lambda machine: machine.record(GADGET, KIND, 0, 200)).astype(float)
    classes = weights.reshape(len(weights), 2, RUNS)
    classes = classes[classes.std(axis=(1, 2)) > 0]
    distances = (classes - classes.mean(axis=2, keepdims=True)) ** 2
    return [report.largest, report.largest_second], [t_of(classes), t_of(distances)]


def t_of(classes):
    error = np.sqrt(classes.var(axis=2).sum(axis=1) / classes.shape[2])
    difference = abs(classes.mean(axis=2) @ [1, -1])
    return float(np.max(difference[error > 0] / error[error > 0]))


def test_t_is_that_of_the_weights(engine, program):
    found, expected = largest_t(engine, program)
    assert found == pytest.approx(expected, rel=1e-6)
    assert expected[1] > 100


@LONG
@pytest.mark.parametrize("mistake", mistakes.cases("statistics"))
def test_mistake_in_statistics_is_found(mistake, program, root, tmp_path):
    changed = mistake.apply(tmp_path)
    sources = [*(root / "devices" / "leakage").glob("*.c")]
    sources = [source for source in sources if source.name != changed.name]
    command = ["gcc", "-O2", "-shared", "-fPIC", f"-I{root / 'devices' / 'leakage'}", changed]
    command += [*sources, "-lm", "-o", tmp_path / "engine.so"]
    subprocess.run(list(map(str, command)), check=True)
    found, expected = largest_t(tmp_path / "engine.so", program)
    assert found != pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", ["and", "spread", "absolute", "sum_to_bits", "chi"])
def test_no_bit_depends_on_a_secret(name, engine, program):
    check_every_case(name, engine, program)


def check_every_case(name, engine, program):
    for gadget in enumerate_leakage.GADGETS[name]:
        _, points, wrong = enumerate_leakage.examine(engine, program, name, gadget)
        assert points > 5
        assert not wrong


@LONG
@pytest.mark.parametrize("name", enumerate_leakage.GADGETS)
def test_no_bit_of_any_gadget_depends_on_a_secret(name, engine, program):
    check_every_case(name, engine, program)


@LONG
@pytest.mark.parametrize("name", leakage.GADGETS)
def test_gadget_shows_nothing_in_many_runs(name, engine, program):
    report = leakage.examine_gadget(engine, program, name, 10_000)
    assert report.largest <= report.limit, report.above[:5]


def check_proof(name, engine, program):
    result = prove_leakage.examine(engine, program, name)
    assert result.bits > 5
    assert not result.unshown


@pytest.mark.parametrize("name", ["mux", "fold"])
def test_gadget_is_proved(name, engine, program):
    check_proof(name, engine, program)


@LONG
@pytest.mark.parametrize("name", prove_leakage.GADGETS)
def test_every_gadget_is_proved(name, engine, program):
    check_proof(name, engine, program)


def check_prover(module):
    """Of random polynomials in two secrets and four masks, beside all their values."""
    generator = np.random.default_rng(1)
    bits = Bits()
    variables = [bits.variable() for _ in range(6)]
    cases = np.arange(64)

    def add():
        chosen = generator.choice(6, 3)
        value = np.bitwise_xor.reduce([cases >> i & 1 for i in chosen])
        return frozenset(v for i, v in enumerate(variables) if (chosen == i).sum() % 2), value

    def multiply(x, y):
        return bits.product(x[0], y[0]), x[1] & y[1]

    def combine():
        x, y = multiply(add(), add()), add()
        if generator.integers(2):
            x = multiply((x[0] ^ y[0], x[1] ^ y[1]), add())
        return x[0] ^ y[0], x[1] ^ y[1]

    prover = module.Prover(bits, variables[:2])
    shown = 0
    for bit, value in (combine() for _ in range(600)):
        if prover.variables(bit) & prover.secrets and prover.independent(bit):
            shown += 1
            assert len({int(value[cases % 4 == secret].sum()) for secret in range(4)}) == 1
    assert 100 < shown < 500


def test_what_is_proved_is_so():
    check_prover(prove_leakage)


@LONG
@pytest.mark.parametrize("mistake", mistakes.cases("prover"))
def test_mistake_in_the_prover_is_found(mistake, tmp_path):
    spec = importlib.util.spec_from_file_location("planted", mistake.apply(tmp_path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(AssertionError):
        check_prover(module)


def values_of(machine, where, words):
    """Returns words of a number in shares for random values of the variables [1, words]."""
    known = {ONE: 1}

    def value(bit):
        for atom in bit:
            if atom not in known:
                factors = machine.bits.factors.get(atom)
                known[atom] = (
                    atom * 0x9E3779B1 >> 15 & 1
                    if factors is None
                    else value(factors[0]) & value(factors[1])
                )
        return sum(known[atom] for atom in bit) & 1

    shares = np.zeros((2, 1, words), dtype=np.uint32)
    for share in SHARES:
        for i in range(words):
            address = machine.address_of(where) + leakage.ROOM * share + 4 * i
            bits = bits_of(machine.read(address))
            shares[share, 0, i] = sum(value(bit) << b for b, bit in enumerate(bits))
    return shares[0] ^ leakage.turned(shares[1])


@pytest.mark.parametrize("name", ["mux", "any"])
def test_symbols_stand_for_numbers(name, engine, program):
    """A gadget on symbols has the result that it has on numbers, after as many instructions."""
    inputs, where, expected = leakage.GADGETS[name]
    machine, _ = prove_leakage.prepare(engine, program, name)
    numbers = [values_of(machine, at, planes * -(-lanes // 32)) for at, planes, lanes in inputs]
    taken = machine.run(f"leak_{name}")
    assert taken == leakage.examine_gadget(engine, program, name, 200).instructions
    right = expected(*numbers)
    assert right.any()
    assert np.array_equal(values_of(machine, where, right.shape[1]), right)


def test_instructions_are_those_of_qemu(engine, program, board):
    """A key pair comes out the same, and takes as many instructions but for what the program of the
    board adds to the call."""
    record = known_answers.read_records(CALL)[0]
    kem = KEMS[CALL]
    with leakage.Machine(engine, program, 2) as machine:
        public, y, sigma = leakage.plain_parts(machine, kem, record)
        machine.write("leak_key", record["sk"])
        taken = machine.run("leak_import_1")
    answer = device.run(board / "bin" / "masked_operations", [(CALL, "import", record["sk"])])[0]
    key, n, k = answer.values[0], len(y), len(sigma)
    at = len(public)
    assert public.tobytes() == key[:at]
    assert y.tobytes() == join(key[at : at + 2 * n], n)
    assert sigma.tobytes() == join(key[at + 2 * n :], k)
    assert abs(taken - answer.instructions) < 2000


def test_example_agrees_on_secrets(board, need):
    need(device.BOARD[0])
    assert device.run_hosted(board / "bin" / "masked_example") == "both hold the same secrets\n"


@LONG
def test_decapsulation_shows_nothing(engine, program):
    report = leakage.examine_decaps(engine, program, KEMS[CALL], 200)
    assert report.points > 40_000_000
    assert report.largest <= report.limit, report.above[:5]


def test_product_without_shares_is_seen(engine, program):
    """In as few runs as the published attacks take traces."""
    report = leakage.examine_plain_product(engine, program, KEMS[CALL], 25)
    assert report.largest > 3 * report.limit
    assert len(report.above) > 1000


@LONG
def test_attack_finds_a_key_without_shares_alone(engine, program):
    plain, *shares = attack_masked.attack(engine, program, 9_984, 1.0)
    assert plain > attack_masked.SEEN
    assert max(shares) <= attack_masked.BY_CHANCE


@LONG
@pytest.mark.parametrize("name", attack_codes.CODES)
def test_one_trace_of_a_code_shows_symbols_without_shares_alone(name, engine, program):
    (plain,) = attack_codes.attack(engine, program, attack_codes.CODES[name], 1, [4.0])
    (shared,) = attack_codes.attack(engine, program, attack_codes.CODES[name], 2, [4.0])
    assert plain > attack_codes.LEAST
    assert shared < attack_codes.MOST


@pytest.fixture
def planted(board, root, tmp_path):
    """planted(mistake) returns the program with a mistake in the library."""

    def linked(mistake):
        changed = mistake.apply(tmp_path)
        sources = root / "src" / "masked"
        compiler = ["arm-none-eabi-gcc", *FLAGS, *DEFINED, "-std=c11", "-fno-strict-aliasing"]
        compiler += [f"-I{tmp_path / 'src'}", *include_options()]
        objects = []
        header = changed.suffix == ".h"
        for source in sorted([*sources.glob("*.c"), *sources.glob("*.S")]) if header else [changed]:
            objects.append(tmp_path / f"{source.stem}.o")
            command = [*compiler, "-O3", "-c", source, "-o", objects[-1]]
            subprocess.run(list(map(str, command)), check=True)
        gadgets = root / "devices" / "cortex-m4"
        command = [*compiler, "-Os", f"-I{gadgets}", gadgets / "leakage_gadgets.c", *objects]
        command += [board / "libcodekem-masked.a", board / "libcodekem.a"]
        command += [board / "devices" / "cortex-m4" / "libboard.a", "-nostartfiles"]
        command += ["-Wl,--wrap=ckem_masks_below"]
        command += ["-Wl,--gc-sections", "-T", gadgets / "layout.ld", "-o", tmp_path / "program"]
        subprocess.run(list(map(str, command)), check=True)
        return tmp_path / "program"

    return linked


@LONG
@pytest.mark.parametrize("mistake", mistakes.cases("leakage"))
def test_mistake_in_machine_code_is_found(mistake, planted, engine):
    """By the gadget that the ledger names, and in every case of it where those are few, or by the
    attack on a code. sampled: it needs more lanes than every case has."""
    changed = planted(mistake)
    if mistake.by in attack_codes.CODES:
        (read,) = attack_codes.attack(engine, changed, attack_codes.CODES[mistake.by], 2, [1.0])
        assert read > attack_codes.MOST
        return
    runs = 10_000 if mistake.by in leakage.LARGE else 2_000
    report = leakage.examine_gadget(engine, changed, mistake.by, runs)
    assert report.largest > report.limit
    assert report.above
    if mistake.by in prove_leakage.GADGETS:
        assert prove_leakage.examine(engine, changed, mistake.by).unshown
    gadgets = enumerate_leakage.GADGETS.get(mistake.by, [])
    assert (
        mistake.more.get("sampled")
        or not gadgets
        or any(
            enumerate_leakage.examine(engine, changed, mistake.by, gadget)[2] for gadget in gadgets
        )
    )


def test_runs_of_which_t_would_say_nothing_are_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["measure_leakage.py", "and", "--whole", "20"])
    with pytest.raises(SystemExit) as refused:
        leakage.main()
    assert refused.value.code == 2
    assert "give 200 runs of a class at least" in capsys.readouterr().err
