# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The hashes of sources: what counts as a change, for each language, and what does not."""

import pytest

from tools import source_hash

C = 'int f(void) {\n#define A 1\n  return A + g("x // no comment", \'"\'); }\n'
CMAKE = 'set(A "# no comment") # one\nset(B 2)\n'
SYSTEM_VERILOG = "module m;\n  assign a = 8'hFF; // one\n  assign b = '0;\nendmodule\n"
PYTHON = 'X = [1,\n     2]\n\n\ndef f(a: int = 1) -> str:\n    """Says."""\n    return g(a, X)\n'


def tokens_of(name, text, folder):
    path = folder / name
    path.write_text(text)
    return source_hash.tokens(*source_hash.read(path))


@pytest.mark.parametrize(
    ("name", "text", "same"),
    [
        (
            "a.c",
            C,
            '/* one */ int f(void){\n\n#define A 1 // two\nreturn A+g("x // no comment",\'"\');}',
        ),
        ("a.c", "a = b\\\n + c;", "a = b + c;"),
        ("a.sv", SYSTEM_VERILOG, "module m; assign a=8'hFF; /* two\n */ assign b = '0; endmodule"),
        ("a.sv", "a\n`ifdef SIM\nb\n`else\nc\n`endif\nd\n", "a c d"),
        ("a.sv", "a\n`ifndef SIM\nb\n`ifdef X\nc\n`endif\n`endif\nd\n", "a b d"),
        ("a.S", "add r0, r1 // one\n\n  sub r2, r3\n", "add r0,r1\nsub r2, r3 /* two */\n"),
        ("a.cmake", CMAKE, '# two\nset( A   "# no comment")\nset(B 2)'),
        (
            "a.py",
            PYTHON,
            "X: list[int] = [1, 2]  # one\ndef f(a=1):\n    'Says more.'\n    return g(\n"
            "        a,\n        X,\n    )\n",
        ),
    ],
)
def test_comments_and_blanks_do_not_count(name, text, same, tmp_path):
    assert tokens_of(name, text, tmp_path) == tokens_of(name, same, tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        ("a.c", C, "A 1", "A 2"),
        ("a.c", C, "// no", "// a"),
        ("a.c", C, "#define A 1\n", "#define A 1 "),
        ("a.c", C, "return A", "returnA"),
        ("a.c", "int a; // b\nint c;", "b\nint c;", "b int c;"),
        ("a.sv", SYSTEM_VERILOG, "hFF", "hFE"),
        ("a.sv", SYSTEM_VERILOG, "'0", "'1"),
        ("a.S", "add r0\nsub r1\n", "\nsub", " sub"),
        ("a.S", "add r0\n", "add", "sub"),
        ("a.cmake", CMAKE, "B 2", "B 3"),
        ("a.cmake", CMAKE, "# no", "# a"),
        ("a.py", PYTHON, "2]", "3]"),
        ("a.py", PYTHON, "= 1)", "= 2)"),
        ("a.py", PYTHON, "g(a", "h(a"),
    ],
)
def test_everything_else_counts(name, text, old, new, tmp_path):
    assert old in text
    assert tokens_of(name, text, tmp_path) != tokens_of(name, text.replace(old, new), tmp_path)


def test_functions_are_hashed_with_what_they_use_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(source_hash, "ROOT", tmp_path)
    script = tmp_path / "s.py"

    def text(old, new):
        script.write_text(
            "A = 1\nB = 2\n\ndef used():\n    return A\n\n"
            "def measure():\n    return used()\n\ndef main():\n    print(B)\n".replace(old, new)
        )
        return source_hash.functions({"s.py": ["measure"]})

    before = text("", "")
    assert text("A = 1", "A = 3") != before and text("return A", "return -A") != before
    assert text("B = 2", "B = 3") == before and text("print(B)", "print()") == before
    with pytest.raises(source_hash.SourceError, match="has no measure"):
        text("measure", "other")


def test_a_module_has_what_is_below_it_and_where_it_is_instantiated_what_is_above(tmp_path):
    for name, text in {
        "bike_pkg": "package bike_pkg; endpackage",
        "bike_core": "module bike_core import bike_pkg::*; a u_a (); b u_b (); endmodule",
        "a": "module a; c u_c (); endmodule // b\n",
        "b": "module b; endmodule",
        "c": "module c; endmodule",
        "bus": "module bus; bike_core u (); endmodule",
    }.items():
        (tmp_path / f"{name}.sv").write_text(text + "\n")

    def names(*arguments, **options):
        return {
            path.split("/")[-1] for path in source_hash.rtl(*arguments, folder=tmp_path, **options)
        }

    assert names("a") == {"a.sv", "c.sv"}
    assert names("bike_core") == {"bike_pkg.sv", "bike_core.sv", "a.sv", "b.sv", "c.sv"}
    assert names("c", instantiated=True) == {"c.sv", "a.sv", "bike_core.sv", "bike_pkg.sv"}
    with pytest.raises(source_hash.SourceError, match="no module d"):
        names("d")


def test_a_preset_has_what_it_inherits(root):
    zbc = source_hash.preset("riscv64-zbc")
    assert zbc["toolchainFile"].endswith("riscv64-linux.cmake")
    assert zbc["cacheVariables"]["CMAKE_C_FLAGS"] == "-march=rv64gc_zbc"
    assert zbc["cacheVariables"]["CMAKE_BUILD_TYPE"] == "Release"
    with pytest.raises(source_hash.SourceError, match="no preset riscv65"):
        source_hash.preset("riscv65")


def test_sources_of_a_program_are_those_that_the_compiler_read(build, need):
    """Of this project; of back ends, only those that the processor has."""
    need("arm-none-eabi-gcc")
    folder = build("cortex-m4", targets=["operations"])
    lines = source_hash.compiled(folder, "bin/operations", "cortex-m4")
    assert {
        "devices/cortex-m4/operations.c",
        "devices/cortex-m4/measure.h",
        "include/codekem.h",
        "cmake/toolchains/cortex-m4.cmake",
        "preset cortex-m4",
    } <= set(lines)
    assert any(line.endswith("_m4.c") for line in lines)
    assert not any("avx" in line or "neon" in line or "example" in line for line in lines)
    assert not any(line.startswith(("/", "..", "build")) for line in lines)


SIMULATED = """module m;
`ifdef SIMULATED  // only then
  assign a = 1;
`ifndef OTHER
  assign b = 1;
`endif
`else
  assign a = 0;
`endif
endmodule
"""


def test_what_is_for_simulation_alone_does_not_count(tmp_path):
    plain = tokens_of("m.sv", "module m;\n  assign a = 0;\nendmodule\n", tmp_path)
    assert tokens_of("m.sv", SIMULATED, tmp_path) == plain
    changed = SIMULATED.replace("a = 1", "a = 2").replace("b = 1", "b = 2")
    assert tokens_of("m.sv", changed, tmp_path) == plain
    assert tokens_of("m.sv", SIMULATED.replace("a = 0", "a = 3"), tmp_path) != plain
    for define in ("`define SIMULATED\n" + SIMULATED, SIMULATED.replace("SIMULATED", "SYNTHESIS")):
        found = tokens_of("m.sv", define, tmp_path)
        assert "assign a = 1 ; assign b = 1 ;" in found and "a = 0" not in found
    chain = "`ifdef A\n1\n`elsif SYNTHESIS\n2\n`elsif B\n3\n`else\n4\n`endif\n"
    assert tokens_of("m.sv", chain, tmp_path) == "2"
    with pytest.raises(source_hash.SourceError, match="`endif outside of `ifdef"):
        tokens_of("m.sv", "`endif\n", tmp_path)
