# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The engine by itself: small functions in C, proved for all operands by each method; a mistake in
each is found, and what cannot be followed is refused."""

import shutil
import subprocess

import numpy as np
import pytest

from proofs.kernels.engine.bits import Undecided
from proofs.kernels.engine.circuits import Circuits, Unit
from proofs.kernels.engine.clang import CompileError, module_of
from proofs.kernels.engine.prove import Call, NotProved, Setting, prove, prove_exhaustively
from proofs.kernels.engine.samples import Samples
from proofs.kernels.engine.thumb import Processor, Program
from proofs.kernels.engine.thumb_operations import operation

SELECT = "uint32_t select(uint32_t bit, uint32_t a, uint32_t b) { return b ^ (-bit & (a ^ b)); }"
PRODUCT = """
uint64_t product(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (int i = 0; i < 32; i++) sum ^= (-(uint64_t)(b >> i & 1)) & (uint64_t)a << i;
  return sum;
}"""
ADD = "uint8_t add(uint8_t x) { return x + 3; }"
BRANCH = "uint32_t select(uint32_t bit, uint32_t a, uint32_t b) { return bit ? a * b : b / 3; }"


@pytest.fixture
def compiled(tmp_path):
    """compiled(c) returns the Module of a text in C."""
    if shutil.which("clang") is None:
        pytest.skip("clang is not here")

    def make(text):
        (tmp_path / "kernel.c").write_text(f"#include <stdint.h>\n{text}\n")
        return module_of(tmp_path / "kernel.c")

    return make


class Select(Unit):
    """A choice by a bit."""

    def __call__(self, machine, free):
        operands = {"bit": free(1), "a": free(32), "b": free(32)}
        bit = np.concatenate([operands["bit"], np.zeros(31, dtype=operands["bit"].dtype)])
        return Setting("select", [bit, operands["a"], operands["b"]], operands, {}, 32)

    def circuit(self, domain, operands):
        choice = np.repeat(operands["bit"], 32)
        return {"value": domain.choose(choice, operands["a"], operands["b"])}


class Product(Call):
    """A product of polynomials over GF(2)."""

    model_degree = 2

    def __call__(self, machine, free):
        operands = {"a": free(32), "b": free(32)}
        return Setting("product", [operands["a"], operands["b"]], operands, {}, 64)

    def model(self, operands):
        a, b = operands["a"], operands["b"]
        value = 0
        for i in range(32):
            value ^= (a << i) * (b >> i & 1)
        return {"value": value}


class Add(Call):
    """A sum, whose degree is too high for random operands."""

    model_degree = 8

    def __call__(self, machine, free):
        operands = {"x": free(8)}
        return Setting("add", [operands["x"]], operands, {}, 8)

    def model(self, operands):
        return {"value": operands["x"] + 3 & 255}


def test_a_choice_is_proved_by_the_solver(compiled):
    Select().prove(compiled(SELECT))
    with pytest.raises(NotProved, match="bit 0 of value can be wrong"):
        Select().prove(compiled(SELECT.replace("b ^ (", "b | (")))


def test_a_product_is_proved_by_its_degree(compiled):
    proof = prove(compiled(PRODUCT), Product())
    assert proof.degree == 2 and proof.samples > 128 and proof.steps > 32
    with pytest.raises(NotProved, match="value is wrong in"):
        prove(compiled(PRODUCT.replace("i < 32", "i < 31")), Product())
    linear = Product()
    linear.model_degree = 1
    with pytest.raises(NotProved, match="has a degree above 1"):
        prove(compiled(PRODUCT), linear)


def test_a_small_function_is_proved_for_each_value(compiled):
    prove_exhaustively(compiled(ADD), Add(), 8)
    with pytest.raises(NotProved):
        prove_exhaustively(compiled(ADD.replace("+ 3", "+ 3 - (x == 255)")), Add(), 8)


def test_what_depends_on_operands_or_is_no_c_is_refused(compiled):
    with pytest.raises(Undecided):
        Select().prove(compiled(BRANCH))
    with pytest.raises(CompileError, match="error:"):
        compiled("uint32_t select(")


def test_machine_code_of_the_cortex_m4(tmp_path):
    """As gcc compiles it: by the solver, and for random operands."""
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("arm-none-eabi-gcc is not here")
    source, output = tmp_path / "select.c", tmp_path / "select.elf"
    source.write_text(f"#include <stdint.h>\n{SELECT}\n")
    words = ["-mcpu=cortex-m4", "-mthumb", "-O2", "-nostdlib", "-Wl,-Ttext=0x10000,-eselect"]
    subprocess.run(["arm-none-eabi-gcc", *words, str(source), "-o", str(output)], check=True)
    program = Program(output)
    domain = Circuits()
    bit, a, b = domain.free(1), domain.free(32), domain.free(32)
    found = run_select(program, domain, bit, a, b)
    right = domain.choose(np.repeat(bit, 32), a, b)
    assert not any(map(domain.differ, found, right))
    assert any(map(domain.differ, found, domain.choose(np.repeat(bit, 32), b, a)))
    samples = Samples(100)
    bit, a, b = samples.random(1), samples.random(32), samples.random(32)
    found = run_select(program, samples, bit, a, b)
    assert all(x == (p & bit[0] | q & ~bit[0]) for x, p, q in zip(found, a, b, strict=True))


def run_select(program, domain, bit, a, b):
    """Returns the codes of what select() returns."""
    processor = Processor(program, domain, operation)
    word = np.zeros(32, dtype=bit.dtype)
    word[0] = bit[0]
    return processor.codes(processor.call("select", [word, a, b]))
