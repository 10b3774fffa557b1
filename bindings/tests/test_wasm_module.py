# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The WebAssembly module that packages embed: what it needs, and its code with vectors."""

import collections
import re
import subprocess

import pytest

from bindings.shared import wasm_module
from bindings.tests import made_packages
from tools.packaging import package_stage

FUNCTION = re.compile(r"^[0-9a-f]+ func\[\d+\] <(.*)>:$")
SELECT = re.compile(r"\| *select")


def output(*command):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def modules():
    """{whether with vectors: path}"""
    folder = made_packages.found("wasm")
    return {False: folder / "plain.wasm", True: folder / "simd.wasm"}


@pytest.mark.parametrize("simd", [False, True])
def test_module_imports_nothing_and_exports_what_it_says(simd, modules, need):
    text = output(need("wasm-objdump"), "-x", modules[simd])
    assert not re.search(r"^Import\[", text, re.MULTILINE)
    exported = re.findall(r'^ - \w+\[\d+\].* -> "(\w+)"$', text, re.MULTILINE)
    assert sorted(exported) == sorted([*wasm_module.EXPORTS, "memory", "__heap_base"])


@pytest.mark.parametrize("simd", [False, True])
def test_module_names_no_path(simd, modules):
    data = modules[simd].read_bytes()
    assert str(package_stage.ROOT).encode() not in data
    assert len(data) < 84_000


def selects(path):
    """Returns {function: selects in it}, of those that have any: engines may branch on them."""
    found = collections.Counter()
    function = None
    for line in output("wasm-objdump", "-d", path).splitlines():
        named = FUNCTION.match(line)
        function = named[1] if named else function
        if SELECT.search(line):
            found[function] += 1
    return found


# The compiler chooses lengths of loops by them, which are public.
SELECTS_OF_LENGTHS = {
    "ckem_gf2x_mul_toom_portable",
    "ckem_hqc_compare_bytes",
    # these have it inlined
    "ckem_hqc_compare_element",
    "ckem_hqc_compare_encryption",
}


def test_vectors_bring_no_new_select(modules, need, tmp_path):
    """No function has more selects than without vectors, but those of the back end that has vectors
    alone, which run in bindings/tests/test_wasm.py."""
    need("wasm-objdump")
    counts = []
    for simd in modules:
        folder = tmp_path / str(simd)
        folder.mkdir()
        library = wasm_module.folder_of(simd) / "libcodekem.a"
        subprocess.run([need("ar"), "x", library], cwd=folder, check=True)
        files = [path for path in folder.iterdir() if not path.name.endswith("_wasm.c.obj")]
        counts.append({path.name: selects(path) for path in files})
    assert sum(sum(of_file.values()) for of_file in counts[0].values()) > 20
    without, with_vectors = counts
    assert without.keys() == with_vectors.keys()
    new = {function for name in without for function in with_vectors[name] - without[name]}
    assert new <= SELECTS_OF_LENGTHS
