# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the built libraries contain: exported and needed symbols, mutable data, instructions."""

import concurrent.futures
import json
import re
import shlex
import shutil
import subprocess

import pytest

from tests.rooms import need_room
from tools import interface, mistakes
from tools.source_folders import include_options

# The functions of libc that the library may call: no heap, no output.
LIBC = {
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "strcmp",
    "strlen",
    "secure_getenv",
    "getrandom",
    "__errno_location",
    "__stack_chk_fail",
    "__assert_fail",
}

# The mutable state: which back end was chosen, and what the processor was found to have.
MUTABLE = {"chosen", "known_registers", "known_dit"}


@pytest.fixture(params=["gcc", pytest.param("clang", marks=pytest.mark.long)])
def libraries(request, build):
    """The folder with both libraries, as each compiler builds them."""
    return build(request.param, targets=["codekem_shared", "codekem_static"])


def output(*command):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=True
    ).stdout


def test_shared_library_exports_the_api_only(libraries, root):
    lines = output("nm", "-D", "--defined-only", libraries / "libcodekem.so").splitlines()
    assert {line.split()[-1] for line in lines} == interface.functions(root)


def test_shared_library_needs_libc_only(libraries):
    text = output("readelf", "-d", libraries / "libcodekem.so")
    assert re.findall(r"\(NEEDED\).*\[(.*)\]", text) == ["libc.so.6"]
    assert re.findall(r"\(SONAME\).*\[(.*)\]", text) == ["libcodekem.so.0"]


def test_library_calls_neither_heap_nor_output(libraries):
    lines = output("nm", "-D", "--undefined-only", libraries / "libcodekem.so").splitlines()
    strong = {line.split()[-1].split("@")[0] for line in lines if line.split()[0] == "U"}
    assert strong <= LIBC


def test_library_has_no_mutable_data_but_the_choice(libraries):
    text = output("objdump", "-t", libraries / "libcodekem.a")
    objects = re.findall(
        r"^[0-9a-f]+ .{7} (\.\S+|\*COM\*)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$", text, re.MULTILINE
    )
    assert objects, "objdump printed no symbols"
    mutable = {
        name
        for section, name in objects
        if re.fullmatch(r"\.(data|bss|tbss|tdata)(\..*)?|\*COM\*", section)
        and not section.startswith(".data.rel.ro")
        and name != section
    }
    assert mutable <= MUTABLE


# --- Names ----------------------------------------------------------------------------------------

# What compilers append to the name of a part or a copy of a function.
COMPILER_MADE = re.compile(r"\.(part|isra|constprop|cold|lto_priv)\b.*")


def shared_names(archive):
    """Returns {name: files} of the static functions of an archive that are in several of its files.

    Functions of C only: names that compilers and assemblers make up begin with a dot or a dollar.
    """
    files = {}
    for line in output("nm", "-A", archive).splitlines():
        place, kind, name = line.rsplit(maxsplit=2)
        if kind == "t" and name[0] not in ".$":
            files.setdefault(COMPILER_MADE.sub("", name), set()).add(place.split(":")[1])
    assert files, "nm printed no static function"
    return {name: sorted(found) for name, found in files.items() if len(found) > 1}


# Each of these needs a build that few other tests of `make test` need.
LONG = {
    preset: pytest.param(preset, marks=pytest.mark.long)
    for preset in ("clang", "debug", "armv7", "riscv64-zbc", "wasm32")
}


@pytest.mark.parametrize(
    "preset",
    [
        *("gcc", "aarch64", "cortex-m4"),
        *(LONG[preset] for preset in ("clang", "debug", "armv7", "riscv64-zbc")),
    ],
)
def test_no_two_static_functions_have_one_name(preset, build, root):
    """Debuggers and profilers could not tell them apart. Inline functions of headers may be
    copied."""
    archives = ["libcodekem.a"]
    if preset != "cortex-m4":
        archives.append("libcodekem-sofia.a")
    folder = build(preset, targets=["codekem_static", *["codekem_sofia"] * (len(archives) - 1)])
    inline = {
        name
        for path in (root / "src").rglob("*.h")
        for name in re.findall(r"^static inline\b[^;{(]*?(\w+)\(", path.read_text(), re.M)
    }
    for archive in archives:
        shared = shared_names(folder / archive)
        assert {name: files for name, files in shared.items() if name not in inline} == {}


def test_shared_name_is_found(need, tmp_path):
    for name in ["a", "b"]:
        (tmp_path / f"{name}.c").write_text(
            "__attribute__((noinline)) static int twice(int x) { return 2 * x; }\n"
            f"int call_{name}(int x) {{ return twice(x); }}\n"
        )
        output(need("gcc"), "-c", tmp_path / f"{name}.c", "-o", tmp_path / f"{name}.o")
    output(need("ar"), "rc", tmp_path / "lib.a", tmp_path / "a.o", tmp_path / "b.o")
    assert shared_names(tmp_path / "lib.a") == {"twice": ["a.o", "b.o"]}


# Functions with a name of their own in the sources, also those that no compiler here makes a symbol
# of.
STATIC_FUNCTION = re.compile(r"^static\b(?! inline)[^;={}()]*?\b(\w+)\(", re.MULTILINE)


def test_no_two_static_functions_have_one_name_in_the_sources(root):
    files = {}
    for path in sorted((root / "src").rglob("*.c")):
        if path.parent.name != "legacy":  # a library of its own
            text = re.sub(r"__attribute__\(\(\w+\)\) ", "", path.read_text())
            for name in STATIC_FUNCTION.findall(text):
                files.setdefault(name, set()).add(path.name)
    assert len(files) > 100
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_stack_is_not_executable(libraries):
    text = output("readelf", "-lW", libraries / "libcodekem.so")
    assert re.search(r"GNU_STACK.* RW ", text)


@pytest.mark.parametrize("preset", ["gcc", LONG["clang"]])
def test_everything_compiles_without_warnings(preset, build):
    build(preset)  # with -Werror


def checks(folder, compiler):
    """Yields what has a compiler look at a file of C for warnings alone, for each in a build."""
    rows = json.loads(output("ninja", "-C", folder, "-t", "compdb"))
    for command in {
        row["file"]: row["command"] for row in rows if " -c " in row["command"]
    }.values():
        words = shlex.split(command)
        if words[0].endswith(compiler):
            assert "-Werror" in words
            for option in ("-MF", "-MT", "-o"):
                at = words.index(option)
                del words[at : at + 2]
            yield [*[word for word in words if word != "-MD"], "-fsyntax-only"]


def warnings_of(commands, folder):
    """Returns what the compiler says of all these, two at a time."""

    def look(command):
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        done = list(pool.map(look, commands))
    return "".join(one.stderr for one in done if one.returncode != 0)


@pytest.mark.long
def test_clang_has_no_warnings(build):
    """For C. clang's whole build is long."""
    folder = build("clang", targets=[])
    commands = list(checks(folder, "clang"))
    assert len(commands) > 150
    assert warnings_of(commands, folder) == ""


def test_a_warning_of_clang_is_found(build, tmp_path):
    folder = build("clang", targets=[])
    command = next(checks(folder, "clang"))
    source = tmp_path / "own.c"
    source.write_text("int own(void);\nint own(void) {\n  int x = x;\n  return x;\n}\n")
    command[command.index("-c") + 1] = str(source)
    assert "own initialization" in warnings_of([command], folder)


# --- The prefix
# ----------------------------------------------------------------

PREFIX_PRESETS = [
    *("gcc", "aarch64", "cortex-m4"),
    *(LONG[preset] for preset in ("clang", "armv7", "riscv64-zbc", "wasm32")),
]


def external_names(archive, tool="nm"):
    """Returns the names that the objects of an archive define for others."""
    lines = output(tool, "-g", "--defined-only", archive).splitlines()
    names = {line.split()[2] for line in lines if len(line.split()) == 3}
    assert len(names) > 2, "nm printed nothing"
    return names


@pytest.mark.parametrize("preset", PREFIX_PRESETS)
def test_every_external_name_has_the_prefix(preset, build, root, need):
    """So that none clashes with another library's, shake256 or sha3_256 for example."""
    folder = build(preset, targets=["codekem_static"])
    names = external_names(
        folder / "libcodekem.a", need("llvm-nm") if preset == "wasm32" else need("nm")
    )
    assert {name for name in names if not name.startswith(("codekem_", "ckem_"))} == set()


def test_library_links_beside_another_with_the_same_names(build, root, tmp_path, need):
    """A program may define each name of the library without its prefix."""
    folder = build("gcc", targets=["codekem_static"])
    clash = tmp_path / "clash.c"
    found = external_names(folder / "libcodekem.a")
    names = ", ".join(sorted({name.removeprefix("ckem_") for name in found if "ckem_" in name}))
    clash.write_text(f"""int {names};
        #include "codekem.h"
        int main(void) {{
          static unsigned char keys[2][CODEKEM_MAX_SECRET_KEY];
          return (int)codekem_kem_keypair(codekem_kem_find("HQC-1"), keys[0], keys[1]);
        }}""")
    program = tmp_path / "clash"
    output(need("gcc"), f"-I{root / 'include'}", clash, folder / "libcodekem.a", "-o", program)
    output(program)


@pytest.mark.parametrize("file", ["common/base/ct.h", "common/base/wipe.c"])
def test_unknown_compiler_is_refused(file, root):
    """A compiler without GNU C has no barriers here: it must not build, and lose them in
    silence."""
    done = subprocess.run(
        ["gcc", "-E", "-U__GNUC__", *include_options(root), root / "src" / file],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "build it with gcc or clang" in done.stderr


def test_interface_is_the_stored_one(root):
    """What may change is in docs/promises.md; if this does, `tools/interface.py --write` stores
    it."""
    assert interface.interface(root) == interface.STORED.read_text()


def test_debian_has_the_same_symbols(root):
    """A program's package depends on the version that brought the newest symbol that it uses."""
    need_room("apps")
    lines = (root / "apps" / "debian" / "libcodekem0.symbols").read_text().splitlines()
    named = {line.split("@")[0].strip() for line in lines[1:] if not line.startswith("*")}
    assert named == interface.functions(root)


def test_change_of_the_interface_is_noticed(root, tmp_path):
    header = shutil.copytree(root / "include", tmp_path / "include") / "codekem.h"
    text = header.read_text()
    for mistake in mistakes.of("packaging/interface").values():
        header.write_text(mistake.changed(text))
        assert interface.interface(tmp_path) != interface.STORED.read_text(), mistake
