# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Rules of the source tree that a machine can check."""

import hashlib
import re
import subprocess
import sys

import pytest

from tools import check_imports, check_layers, house
from tools.source_folders import include_options, included_as

SOURCE_SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".cmake", ".rs", ".sv"}
SPDX = "SPDX-License-Identifier: Apache-2.0 OR MIT"


def tracked(root):
    """Returns the files under version control."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    return [root / name for name in names.split("\0") if name and (root / name).is_file()]


def test_layers_hold(root):
    assert check_layers.problems(root) == []


def test_layer_check_finds_a_wrong_include(root, tmp_path):
    for name, text in {
        "src/kem/gf2x/bad.c": '#include "bike/bike.h"\n',
        "src/kem/bike/bad.c": '#include "hqc/hqc.h"\n#include <immintrin.h>\n',
        "apps/command/bad.cpp": '#include "base/ct.h"\n',
        "src/kem/gf2x/m4/bad_m4.c": "#include <immintrin.h>\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert len(check_layers.problems(tmp_path)) == 6
    done = subprocess.run(
        [sys.executable, root / "tools" / "check_layers.py", tmp_path],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1


@pytest.mark.parametrize(
    "name, text",
    [
        ("common/base/bad.h", "/* Where HQC needs less. */"),
        ("kem/sparse/bad.c", 'assert(0 && "BIKE, level 1");'),
        ("kem/gf2x/m4/bad_m4.S", "bike_count_m4:"),
        ("common/keccak/hqc.c", ""),
    ],
)
def test_layer_check_finds_a_scheme_below_the_schemes(name, text, tmp_path):
    path = tmp_path / "src" / name
    path.parent.mkdir(parents=True)
    path.write_text("\n" + text + "\n")
    (problem,) = check_layers.problems(tmp_path)
    assert "names a scheme" in problem


# --- Who imports whom -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def modules(root):
    return check_imports.Modules(root)


def test_imports_hold(modules):
    assert check_imports.problems(modules) == []


def test_every_exception_is_needed(modules):
    found = {
        file
        for module, file in modules.files.items()
        if any(map(check_imports.is_by_path, modules.nodes[module]))
    }
    assert found == {name for name in check_imports.BY_PATH if house.is_there(name)}


IMPORTS = {
    "apps/a.py": "import hardware.sim",
    "apps/b.py": "def f():\n    import x",
    "tests/a.py": "with x:\n    from proofs import b",
    "tools/a.py": "import sys\nsys.path.insert(0, 'x')",
    "tools/b.py": "from importlib.util import spec_from_file_location",
    "tools/c.py": "import sys\nsys.path[:0] = ['x']",
    "tools/d.py": "import sys\nprint(sys.path)",
    "tools/e.py": "import f",
    "tools/f.py": "from tools import g",
    "tools/g.py": "def late():\n    from . import f",
    "tools/h.py": "import importlib\nimportlib.import_module('hardware.sim')",
    "hardware/sim.py": "from hardware import sim",
    "hls/src/x.py": "from tests import a",
    "proofs/b.py": "import evaluation.nothing, json",
}


def test_import_check_finds_what_should_not_be(root, tmp_path):
    for name, text in IMPORTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert check_imports.problems(check_imports.Modules(tmp_path)) == [
        "apps/a.py:1: may not import hardware/sim.py",
        "apps/b.py:2: may not import hls/src/x.py",
        "tests/a.py:2: may not import proofs/b.py",
        "tools/a.py:2: changes sys.path or loads a module by path",
        "tools/b.py:1: changes sys.path or loads a module by path",
        "tools/c.py:2: changes sys.path or loads a module by path",
        "tools/e.py:1: f lies beside it: say from where",
        "tools/h.py:2: may not import hardware/sim.py",
        "import each other: tools/f.py, tools/g.py",
    ]
    command = [sys.executable, root / "tools" / "check_imports.py", tmp_path]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


# --- Licences and instruction sets ----------------------------------------------------------------


def test_every_source_names_its_licence(root):
    without = [
        str(path)
        for path in tracked(root)
        if path.suffix in SOURCE_SUFFIXES
        and SPDX not in "".join(path.read_text().splitlines(keepends=True)[:3])
    ]
    assert without == []


# What stands around the code of a file for an instruction set.
WHOLE_FILE = re.compile(r"^#if defined\(CODEKEM_HAVE_\w+\)$", re.MULTILINE)


def test_every_file_for_an_instruction_set_asks_for_it(root):
    """In the same way, so that it compiles without flags, and to nothing on other processors."""
    suffixes = {"avx2", "vpclmul", "gfni", "avx512", "neon", "neon32", "neon64", "neon_sha3"}
    suffixes |= {"rvv", "zbc", "m4", "wasm"}
    found = set()
    for path in sorted((root / "src").rglob("*.[chS]")):
        match = re.search(r"_(neon_sha3|[a-z0-9]+)$", path.name.split(".")[0])
        if path.name.endswith(".template.h") or not match or match[1] not in suffixes:
            continue
        found.add(match[1])
        upper, text = match[1].upper(), path.read_text()
        region = match[1] not in ("rvv", "zbc", "m4", "wasm")  # for which there is no pragma
        begin = f"\n#if defined(CODEKEM_HAVE_{upper})\n" + f"ISA_BEGIN_{upper}\n" * region
        end = "\nISA_END" * region + "\n#endif\n" + "\n#endif\n" * (path.suffix == ".h")
        assert text.count(begin) == 1 and text.endswith(end), path
    assert found == suffixes


# Portable kernels may have two ways, for words of 32 and of 64 bits.
WORD_SIZE = re.compile(r"^#if ISA_WORDS_OF_32_BITS\n(.*?\n)(?:#else\n(.*?\n))?#endif$", re.M | re.S)


def test_scheme_code_has_no_conditional_compilation(root):
    found = []
    for folder in check_layers.SCHEMES:
        for path in sorted((root / "src/kem" / folder).glob("*.[ch]")):
            guard = f"CODEKEM_{folder.upper()}_{path.stem.upper()}_H"
            text = WHOLE_FILE.sub("", path.read_text())
            if path.name.endswith("_portable.c"):
                text = WORD_SIZE.sub(r"\1\2", text)
            if path.name.endswith(".template.h"):
                text = REQUIREMENT.sub("", text)
            found += [
                f"{path}: {line}"
                for line in text.splitlines()
                if re.match(r"\s*#\s*(if|el)", line) and guard not in line
            ]
    assert found == []


# --- Headers and templates ------------------------------------------------------------------------

# What a template (src/common/base/template.h) says if it is included without what it needs.
REQUIREMENT = re.compile(r"#if(?:ndef \w+| (?:\\\n|.)*)\n#error (?:\\\n|.)*\n#endif\n")


def compile_alone(need, root, path, tmp_path):
    """Compiles a file that includes one header; returns the status and what the compiler said."""
    name = included_as(path.relative_to(root).as_posix())
    stem = path.name.split(".")[0]
    compiler = "aarch64-linux-gnu-gcc" if stem.endswith("_neon") else "gcc"
    source = tmp_path / "alone.c"
    source.write_text(f'#include "{name}"\n')
    done = subprocess.run(
        [need(compiler), "-std=c11", "-fsyntax-only", *include_options(root), source],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_every_header_stands_alone_and_every_template_says_what_it_needs(root, need, tmp_path):
    templates = 0
    for path in sorted((root / "src").rglob("*.h")):
        status, message = compile_alone(need, root, path, tmp_path)
        if path.name.endswith(".template.h"):
            templates += 1
            said = re.search(
                r"#error This is a template: .*define TEMPLATE_(SUFFIX|NUMBER)|"
                r"#error This is a template: include",
                message,
            )
            assert status != 0 and said, f"{path}: {message}"
            assert len(REQUIREMENT.findall(path.read_text())) == 1, path
        else:
            assert status == 0, f"{path}: {message}"
    assert templates > 0


def test_vectors_are_unchanged(vectors):
    sums = (vectors / "SHA256SUMS").read_text().splitlines()
    names = set()
    for line in sums:
        digest, name = line.split("  ")
        assert hashlib.sha256((vectors / name).read_bytes()).hexdigest() == digest, name
        names.add(name)
    here = {path.relative_to(vectors).as_posix() for path in vectors.rglob("*") if path.is_file()}
    assert names == here - {"README.md", "SHA256SUMS"}
