# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The code that is proved is the code that is built: the same words, the same barriers; and what
clang's assembler makes of it is what it was told to make."""

import collections
import re
import subprocess

import pytest

from proofs.kernels import shipped
from proofs.kernels.engine.clang import FLAGS
from proofs.kernels.machine_code import FILES as M4_FILES
from proofs.kernels.machine_code import FLAGS as M4_FLAGS
from proofs.kernels.machine_code import GCC as M4_GCC
from proofs.kernels.machine_code import options_of
from proofs.kernels.modules import UNIT_MACROS, target_options
from tools import mistakes
from tools.source_folders import include_options

# A preset, and the compiler that proofs read its files with.
X86, ARM = (
    ["clang", *FLAGS, *target_options(f"{name}-linux-gnu")] for name in ("x86_64", "aarch64")
)
PRESETS = {"clang": X86, "gcc": X86, "aarch64": ARM, "cortex-m4": [M4_GCC, *M4_FLAGS]}
SHA3 = "common/keccak/keccak_neon_sha3.c"  # has its own option in a build, too
# Files that no proof is about, and what their builds add.
NOT_PROVED = {
    "kem/backends.c": "the choice of a back end; proofs have NEON with SHA-3 in a file of its own",
    "legacy/legacy_kems.c": "the KEMs over libcrypto, which a build may leave out",
}
# Barriers that one compiler does not need: proofs read them, and they change no value.
WITHOUT_BARRIER = {("gcc", f"common/keccak/keccak_{name}.c") for name in ("avx2", "portable")}
MACROS = {"always_inline": "noinline instead: small functions are proved alone, which changes none"}
AFFINE = re.compile("gf2p8affine|gf256_gfni")
SMALLEST = "kem/sparse/sparse_avx512.c"


@pytest.fixture(scope="session")
def system(root, tmp_path_factory):
    """A folder with stubs of the headers of systems."""
    return shipped.headers(root, tmp_path_factory.mktemp("system"))


@pytest.fixture(scope="session")
def commands(build, root):
    """commands(preset) returns how files of src/ are compiled, by their names below src/."""

    def found(preset):
        source = root / "src"
        every = shipped.commands(build(preset, targets=[]))
        names = {str(path.relative_to(source)): str(path) for path in source.rglob("*.[cS]")}
        return {name: every[path] for name, path in names.items() if path in every}

    return found


def pairs(root, commands, preset, system):
    """Yields names, what proofs read and what a build reads of each file."""
    groups = collections.defaultdict(list)
    for name, command in commands(preset).items():
        if name.endswith(".c") and (preset != "cortex-m4" or name in M4_FILES):
            more = ("-march=armv8.2-a+crypto+sha3",) if name == SHA3 else ()
            groups[(*command, "|", *more)].append(root / "src" / name)
    for key, paths in groups.items():
        at = key.index("|")
        proof = [*PRESETS[preset], *key[at + 1 :], *include_options(root)]
        proved, built = (shipped.read(c, paths, system) for c in (proof, key[:at]))
        for path in paths:
            yield str(path.relative_to(root / "src")), proved[path], built[path]


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_proved_is_what_is_built(need, root, commands, system, preset):
    """Word by word, but for hints to compilers; and as many barriers, which the interpreter takes
    for their operands."""
    need(PRESETS[preset][0])
    wrong, barriers, count = {}, set(), 0
    for name, *texts in pairs(root, commands, preset, system):
        count += name not in NOT_PROVED
        wrong[name] = shipped.difference(*texts) if name not in NOT_PROVED else ""
        if len({len(shipped.BARRIER.findall(text)) for text in texts}) > 1:
            barriers.add((preset, name))
    assert not any(wrong.values()), "\n".join(f"{n}: {d}" for n, d in wrong.items() if d)
    assert barriers == {pair for pair in WITHOUT_BARRIER if pair[0] == preset}
    assert count >= (90 if preset != "cortex-m4" else 8)


@pytest.mark.parametrize("condition", ["NDEBUG", "__clang__", "__NO_INLINE__", "CODEKEM_BUILDING"])
def test_code_for_proofs_alone_is_found(need, root, commands, system, tmp_path, condition):
    """A file that asks what compiles it, or how."""
    need("clang")
    path = tmp_path / "asks.c"
    path.write_text(f"#if defined({condition})\nint one;\n#else\nint two;\n#endif\n")
    proved = shipped.read(X86, [path], system)[path]
    built = shipped.read(commands("gcc")["kem/codekem.c"], [path], system)[path]
    assert shipped.difference(proved, built)


def test_a_barrier_that_is_left_out_is_found(need, root, commands, system):
    """As with the option for MemorySanitizer, which makes other code; so no proof may take it."""
    need("clang")
    path = root / "src/mceliece/goppa/bitmatrix/bitmatrix_avx512.c"
    both = [[*X86, *include_options(root), *more] for more in ([], ["-DCODEKEM_CHECK_MSAN"])]
    texts = [shipped.read(command, [path], system)[path] for command in both]
    assert len({len(shipped.BARRIER.findall(text)) for text in texts}) == 2


@pytest.mark.parametrize("option", ["-DCODEKEM_CHECK_MSAN", "-DNDEBUG", "-Dinline=", "-O3", "-UX"])
def test_a_proof_cannot_take_other_options(sources, option):
    """Those that change what src/ reads."""
    with pytest.raises(ValueError, match="other code"):
        sources.module(["common/keccak/keccak_portable.c"], f"x86_64-linux-gnu {option}")


def test_units_change_nothing(root):
    """Files of units/ define for src/ only what MACROS names, and src/ knows nothing of units."""
    units = (root / "proofs/kernels/units").glob("*.c")
    added = [shipped.added_macros(path.read_text(encoding="utf-8")) for path in units]
    assert {name for names in added for name in names} == set(MACROS)
    texts = (path.read_text(encoding="utf-8") for path in (root / "src").rglob("*.[chS]"))
    assert not any(re.search(rf"\b({UNIT_MACROS})\b", text) for text in texts)


def test_machine_code_is_built_alike(need, commands):
    """Options that choose instructions, of each file of the Cortex-M4."""
    need(M4_GCC)
    chooses = re.compile(r"-(m.*|O.|std=.*|f(?!visibility|stack-usage|(function|data)-sections).*)")
    for name, command in commands("cortex-m4").items():
        if name in M4_FILES:
            options = [word for word in command if chooses.fullmatch(word)]
            last = [word for word in options if word.startswith("-O")][-1]
            options = {word for word in options if not word.startswith("-O")} | {last}
            ours = {word for word in options_of(name) if chooses.fullmatch(word)}
            assert options | {"-std=c11"} == ours, name


def affine(root):
    """Returns files with products of bits by matrices, as LLVM before version 20 codes wrongly."""
    names = (root / "src").rglob("*_avx512.c")
    return [path for path in names if AFFINE.search(path.read_text(encoding="utf-8"))]


def test_the_assembler_of_clang_codes_what_it_is_told(need, root, commands, tmp_path):
    """The GNU assembler reads what clang says that it made, and makes the same of it: the smallest
    file with such products."""
    need("clang")
    path = root / "src" / SMALLEST
    assert path in affine(root)
    assert not shipped.miscoded(commands("clang")[SMALLEST], path, tmp_path)


@pytest.mark.long
def test_the_assembler_of_clang_codes_such_products_as_told(need, root, commands, tmp_path):
    """All files with such products."""
    need("clang")
    found = affine(root)
    for path in found:
        command = commands("clang")[str(path.relative_to(root / "src"))]
        assert not shipped.miscoded(command, path, tmp_path), path
    assert len(found) >= 5


@pytest.mark.long
def test_the_assembler_of_clang_codes_all_vectors_as_told(need, root, commands, tmp_path):
    """All other files with vectors."""
    need("clang")
    left = {*(root / "src").rglob("*_avx2.c"), *(root / "src").rglob("*_avx512.c")} - {
        *affine(root)
    }
    for path in left:
        command = commands("clang")[str(path.relative_to(root / "src"))]
        assert not shipped.miscoded(command, path, tmp_path), path


@pytest.mark.parametrize("mistake", mistakes.cases("shipped/barriers"))
def test_a_wrong_code_is_found(need, commands, tmp_path, mistake):
    """Without its barrier a load becomes part of a product, whose address LLVM divides by 8."""
    need("clang")
    name = mistake.file.removeprefix("src/")
    found = shipped.miscoded(commands("clang")[name], mistake.apply(tmp_path), tmp_path)
    version = subprocess.run(["clang", "-dumpversion"], check=True, capture_output=True, text=True)
    if int(version.stdout.partition(".")[0]) < 20:
        assert "gf2p8affine" in found and "{1to8}" in found
    else:
        assert not found
