# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proofs' own foundations: bounds of degrees hold, and a wrong function is told apart."""

import random

import numpy as np
import pytest

from proofs.kernels.engine.bits import ANYTHING
from proofs.kernels.engine.circuits import Circuits
from proofs.kernels.engine.degrees import UNKNOWN, Degrees
from proofs.kernels.engine.fingerprints import Fingerprints
from proofs.kernels.engine.forms import Forms
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.ir import Module
from proofs.kernels.engine.prove import Call, NotProved, Setting, compare, prove
from proofs.kernels.engine.samples import Samples, samples_for
from proofs.kernels.engine.terms import Terms, terms_of
from proofs.kernels.engine.texts import read_module
from proofs.kernels.matrices import Formula, Lookups, Numbered
from proofs.kernels.pivots import Chains
from proofs.kernels.positions import Origins
from proofs.kernels.recurrences import Choices
from proofs.kernels.weights import Sums

FREE = 9  # bits that may be anything; all 2^9 values are tried
SIZE = 8  # bits of a value


def patterns():
    """Codes, in the domain of samples, of bits that run through all of their values."""
    codes = np.empty(FREE, dtype=object)
    codes[:] = [sum((v >> i & 1) << v for v in range(1 << FREE)) for i in range(FREE)]
    return codes


def true_degree(truth):
    """Returns the degree of a function given by its values, as the bits of an integer."""
    values = [truth >> v & 1 for v in range(1 << FREE)]
    for i in range(FREE):
        for v in range(1 << FREE):
            if v >> i & 1:
                values[v] ^= values[v ^ (1 << i)]
    return max((v.bit_count() for v in range(1 << FREE) if values[v]), default=0)


def programs(domain, free, seed):
    """Yields values that random operations make of the free bits, the same for every domain."""
    choose = random.Random(seed)
    one = domain.one
    values = []
    for _ in range(3):
        codes = np.array([choose.choice([0, one]) for _ in range(SIZE)], dtype=domain.dtype)
        for place in choose.sample(range(SIZE), 3):
            codes[place] = free[choose.randrange(FREE)]
        values.append(codes)
    operations = ["xor", "both", "either", "invert", "shift", "hole", "carryless", "equal"]
    operations += ["add", "multiply", "subtract", "less"]
    for _ in range(6):
        name = choose.choice(operations)
        a, b, place = choose.choice(values), choose.choice(values), choose.randrange(SIZE)
        if name == "shift":
            result = np.concatenate([np.zeros(place, dtype=domain.dtype), a[: SIZE - place]])
        elif name == "hole":
            result = a.copy()
            result[place:] = 0
        elif name == "invert":
            result = domain.invert(a)
        elif name == "carryless":
            result = domain.carryless(a, b)[:SIZE]
        elif name in ("equal", "less"):
            result = np.tile(getattr(domain, name)(a, b), SIZE)
        else:
            result = domain.settle(getattr(domain, name)(a, b))
        values.append(result.astype(domain.dtype))
        yield values[-1]


@pytest.mark.parametrize("part", range(4))
def test_bounds_of_degrees_hold(part):
    """Whatever is computed has at most the degree that the domain says."""
    tight = 0
    for seed in range(60 * part, 60 * part + 60):
        degrees = list(programs(Degrees(), np.full(FREE, 2, dtype=np.uint8), seed))
        truths = list(programs(Samples(1 << FREE), patterns(), seed))
        for codes, truth in zip(degrees, truths, strict=True):
            for code, value in zip(codes, truth, strict=True):
                value &= (1 << (1 << FREE)) - 1
                if code < 2:
                    assert value == (0 if code == 0 else (1 << (1 << FREE)) - 1)
                elif code < UNKNOWN:
                    assert true_degree(value) <= code - 1
                    tight += true_degree(value) == code - 1
    assert tight > 100  # it does say something


@pytest.mark.parametrize("kind", [Terms, Choices])
def test_equal_terms_are_equal(kind):
    """Bits of one code, or of a code and its complement, have such values for all free bits."""
    ones = (1 << (1 << FREE)) - 1
    again = 0
    for seed in range(60):
        domain = kind()
        free = domain.free(FREE)
        if kind is Choices:
            domain.choice(free[0])
        truths = list(programs(Samples(1 << FREE), patterns(), seed))
        seen = {0: 0}
        for codes, truth in zip(programs(domain, free, seed), truths, strict=True):
            for code, value in zip(codes, truth, strict=True):
                code, value = (~code, ~value) if code < 0 else (code, value)
                again += code in seen and code != 0
                assert seen.setdefault(code, value & ones) == value & ones
    assert again > 100  # there were equal ones


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_the_number_of_random_operands(degree):
    """A product of `degree` bits, the least frequent difference, is missed as seldom as claimed."""
    missed = (1 - 2.0**-degree) ** samples_for(degree)
    assert missed <= 2.0**-128
    assert (1 - 2.0**-degree) ** (samples_for(degree) - 1) > 2.0**-128


def test_fingerprints_know_equal_expressions():
    """The order of sums and products and constants does not matter; anything else does."""
    domain = Fingerprints()
    a, b, c = np.split(domain.free(3), 3)
    assert domain.both(~a, b) == domain.both(b, a) ^ b
    assert domain.both(~a, ~b) == ~(domain.both(a, b) ^ a ^ b)
    assert domain.either(a, b) == domain.both(a, b) ^ a ^ b
    assert domain.both(a ^ c, b) == domain.both(b, c ^ a)
    assert domain.both(a, b) != domain.both(a, c)
    assert domain.both(a, ~a) == 0
    assert domain.both(a, a) == a


def test_tables_whose_bytes_have_terms():
    """What is found there, for every place; other tables, and those of sums modulo 2, have none."""
    terms = [1, -1, 64, -70]
    places = [
        np.array([-(place >> at & 1) for at in range(4)], dtype=object) for place in range(16)
    ]
    sums = [5 - sum(term * bit for term, bit in zip(terms, bits, strict=True)) for bits in places]
    numbers = bytes(number % 256 for number in sums)
    assert terms_of(numbers) == terms
    for place, number in zip(places, numbers, strict=True):
        found = Terms().look_up_sum(numbers, place)
        assert [-bit for bit in found] == [number >> at & 1 for at in range(8)]
    for at in range(16):
        assert terms_of(bytes([*numbers[:at], numbers[at] ^ 1, *numbers[at + 1 :]])) is None
    assert terms_of(bytes(range(16))) is None


# --- Bits of which nothing is known ---------------------------------------------------------------

DOMAINS = {
    "degrees": Degrees,
    "origins": Origins,
    "samples": lambda: Samples(64),
    "fingerprints": Fingerprints,
    "terms": Terms,
    "choices": Choices,
    "sums": Sums,
    "forms": lambda: Forms(4),
    "circuits": Circuits,
    "lookups": Lookups,
    "chains": Chains,
}


def is_unknown(domain, code):
    """Tells whether nothing is known of a bit."""
    if isinstance(domain, Circuits):
        return code | 1 == domain.unknown | 1
    return code is ANYTHING if domain.dtype is object else code == UNKNOWN


def one_free(domain):
    """Returns the code of a bit that may be anything, and is one of the operands'."""
    if isinstance(domain, Samples):
        return domain.random(1)
    return np.full(1, 2, dtype=np.uint8) if domain.dtype is np.uint8 else domain.free(1)


@pytest.mark.parametrize("kind", DOMAINS)
def test_nothing_is_known_of_sums_with_what_is_not_known(kind):
    """A bit that nobody wrote cancels with no other and not with itself."""
    domain = DOMAINS[kind]()
    what, free = np.full(1, domain.unknown, dtype=domain.dtype), one_free(domain)
    zero, one = (np.full(1, code, dtype=domain.dtype) for code in (0, domain.one))
    results = [domain.invert(what), domain.total(np.stack([what, what]))]
    for other in (what, domain.invert(what), free, one):
        results += [domain.xor(what, other), domain.xor(other, what), domain.both(what, other)]
    results += [domain.either(what, other) for other in (what, domain.invert(what), free, zero)]
    if kind != "origins":
        results += [domain.equal(what, what), domain.less(what, what), domain.less(free, what)]
    word, place = np.concatenate([what, zero, zero]), np.concatenate([zero, what, zero])
    for name in ("add", "subtract", "multiply") if hasattr(domain, "add") else ():
        results.append(domain.settle(getattr(domain, name)(word, word))[:1])
        results.append(domain.settle(getattr(domain, name)(place, word))[1:2])
    results.append(domain.carryless(word, word)[:1])
    assert [is_unknown(domain, code) for code in np.concatenate(results)] == [True] * len(results)
    assert domain.both(what, zero)[0] == domain.both(zero, what)[0] == 0
    assert domain.either(what, one)[0] == domain.either(one, what)[0] == domain.one


# Writes what must be zero if two bytes that nobody wrote were the same, or one were itself.
UNWRITTEN = """
define void @f(ptr %out) {
  %memory = alloca [2 x i8], align 1
  %second = getelementptr [2 x i8], ptr %memory, i64 0, i64 1
  %x = load i8, ptr %memory, align 1
  %y = load i8, ptr %second, align 1
  %sum = xor i8 %x, %y
  store i8 %sum, ptr %out, align 1
  ret void
}
"""


def unwritten(text=UNWRITTEN):
    """Returns a module."""
    module = Module({}, {}, [])
    read_module(text, module, "")
    return module


@pytest.mark.parametrize("kind", DOMAINS)
@pytest.mark.parametrize("same", [False, True])
def test_nothing_is_known_of_memory_that_nobody_wrote(kind, same):
    """As code reads it: two bytes, or one of them twice."""
    domain = DOMAINS[kind]()
    machine = Machine(
        unwritten(UNWRITTEN.replace("%x, %y", "%x, %x") if same else UNWRITTEN), domain
    )
    out = machine.memory("out", 1)
    machine.call("f", [out])
    assert all(is_unknown(domain, code) for code in out.memory.bits)


class Zero(Call):
    """The function f writes zero."""

    model_degree, backend, shape = 1, "portable", ()

    def __call__(self, machine, free):
        out = machine.memory("out", 1)
        return Setting("f", [out], {"x": free(8)}, {"out": (out, 1)})

    def model(self, operands):
        del operands
        return {"out": 0}

    def expected(self, domain, operands):
        """See matrices.Kernel."""
        del operands
        return {"out": np.zeros(8, dtype=domain.dtype)}


class ZeroFormula(Zero, Formula):
    """The same as a sum of products."""

    __init__ = Call.__init__


class ZeroNumbered(Zero, Numbered):
    """The same as a circuit."""

    __init__ = Call.__init__


@pytest.mark.parametrize(
    "tried",
    [
        lambda module: prove(module, Zero()),
        lambda module: compare(module, Zero(), 64),
        lambda module: ZeroFormula().prove(module),
        lambda module: ZeroNumbered().prove(module),
    ],
    ids=["degree", "samples", "terms", "circuits"],
)
def test_no_proof_takes_memory_that_nobody_wrote_for_zero(tried):
    """Whatever it compares with."""
    with pytest.raises(NotProved):
        tried(unwritten())


# --- The degree of the model ----------------------------------------------------------------------

COPY = """
define i8 @f(i8 %x, i8 %y) {
  ret i8 %x
}
"""


class Model(Call):
    """The function f, which returns x; a model that is of the degree of a product."""

    def __init__(self, factors, model_degree):
        self.factors, self.model_degree = factors, model_degree

    def __call__(self, machine, free):
        operands = {"x": free(8), "y": free(8)}
        return Setting("f", [*operands.values()], operands, {}, 8)

    def model(self, operands):
        x, y = operands["x"], operands["y"]
        product = 255
        for _ in range(self.factors):
            product, y = product & y, (y >> 1 | y << 7) & 255
        return {"value": x ^ product if self.factors else x}


def test_the_larger_degree_counts(monkeypatch):
    """Of code and model: here the code has degree one, and the model differs seldom."""
    tried = []
    monkeypatch.setattr(
        "proofs.kernels.engine.prove.compare",
        lambda module, call, count, samples: tried.append(count),
    )
    for degree in (1, 2, 5):
        prove(unwritten(COPY), Model(0, degree))
    assert tried == [samples_for(1), samples_for(2), samples_for(5)]


def test_a_model_states_its_degree():
    """There is no proof without it, or with a degree for which too many operands are needed."""
    with pytest.raises(NotProved, match="does not state the degree of its model"):
        prove(unwritten(COPY), Model(0, None))
    with pytest.raises(NotProved, match="too much for random operands"):
        prove(unwritten(COPY), Model(0, 9))
    assert prove(unwritten(COPY), Model(0, 3)).degree == 3


@pytest.mark.parametrize("factors", [2, 3, 5])
def test_a_model_of_a_larger_degree_than_stated_is_found(factors, monkeypatch):
    """Even where it is never seen to differ from the code: the sums over flats do not vanish."""
    monkeypatch.setattr(
        "proofs.kernels.engine.prove.compare", lambda module, call, count, samples: None
    )
    prove(unwritten(COPY), Model(factors, factors))
    found = [above(prove, unwritten(COPY), Model(factors, factors - 1)) for _ in range(40)]
    assert f"has a degree above {factors - 1}" in " ".join(found)  # each has a good chance


def above(tried, *arguments):
    """Returns what is said if something is not proved."""
    try:
        tried(*arguments)
    except NotProved as error:
        return str(error)
    return ""
