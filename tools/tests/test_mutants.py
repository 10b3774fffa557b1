# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random mistakes in src/ (tools/mutants.py): where they are made, and what is stored of them."""

import json
import os
import sys
import warnings

import pytest

from tools import mutant_copy, mutant_tests, mutants, mutations

STORED = json.loads((mutant_copy.ROOT / mutant_copy.RESULTS).read_text(encoding="utf-8"))
NO_PLACE = """
#define A(x) ((x) + 1) /* a + b
   c */
static const int table[2] = {1 + 2, 3};
struct pair { int a[2 + 1]; };
int f(const int *p, int n);
int g(void) { uint64_t sum[2 * N]; assert(n < 3); return *p & s("a + 1"); /* 1 + 2 */ }
int h(const int a[1 + 1]) __attribute__((aligned(8))) { const T *p; (void)p; goto end; }
"""


def changed(body):
    """Returns all that can become of the body of a function, by what is left of it."""
    text = f"int f(int a) {{{body}}}\n"
    return [
        text[:offset] + after + text[offset + len(before) :]
        for function, _, changes in mutations.places(text)
        for offset, before, after in changes
        if function == "f"
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < b;", ["return a <= b;"]),
        ("return -a - *b;", ["return -a + *b;"]),
        ("return a[0x10u];", ["return a[0x11u];", "return a[0xfu];"]),
        ("return 0;", ["return 1;"]),
        ("a = b;", ["{}"]),
        ("T a = b * c;", ["T a = b + c;"]),
        ("if (a) { return b; }", ["if (!(a)) { return b; }"]),
        ("return f(a, b[c]);", ["return f(b[c], a);"]),
        ("return v_unpacklo(a, a);", ["return v_unpackhi(a, a);"]),
        ("for (i = a; i; i++) a(b);", ["for (i = a; i; i--) a(b);", "for (i = a; i; i++) {}"]),
        ("switch (a) { case b: a(b); }", ["switch (a) { case b: {} }"]),
        ("a ^= b;", ["a |= b;", "a &= b;", "{}"]),
    ],
)
def test_changes_of(body, expected):
    assert sorted(changed(body)) == sorted(f"int f(int a) {{{one}}}\n" for one in expected)


def test_what_is_no_code_has_no_place():
    found = mutations.places(NO_PLACE)
    assert [(function, changes[0][1:]) for function, _, changes in found] == [("g", ("&", "|"))]


def test_every_place_of_the_library_can_be_changed(root):
    found = mutations.all_mutants(root, "any")
    assert len(found) > 20_000
    texts = {m.file: (root / m.file).read_text(encoding="utf-8") for m in found}
    for mutant in found[:2000]:
        after = mutations.apply(vars(mutant), texts[mutant.file])
        assert after != texts[mutant.file]
    other = mutations.all_mutants(root, "another")
    assert len(other) == len(found)
    assert [m.file for m in other[:100]] != [m.file for m in found[:100]]


def test_the_choice_does_not_depend_on_other_functions(tmp_path):
    (tmp_path / "src").mkdir()
    path = tmp_path / "src" / "a.c"
    path.write_text("int f(void) { return a + b * c; }\nint g(void) { return d - e; }\n")
    before = [m for m in mutations.all_mutants(tmp_path, "s") if m.function == "g"]
    path.write_text("int f(void) { return a; }\n\nint g(void) { return d - e; }\n")
    after = [m for m in mutations.all_mutants(tmp_path, "s") if m.function == "g"]
    assert [(m.before, m.after, m.place) for m in before] == [
        (m.before, m.after, m.place) for m in after
    ]


def test_a_prefix_does_not_change_the_choice(tmp_path):
    """Nor whether what was read of a mutant before is kept."""
    text = "int {}f(void) {{ return a + b * c - d; }}\n"
    orders = []
    for prefix in ("", mutations.PREFIX):
        path = tmp_path / (prefix or "none") / "src" / "a.c"
        path.parent.mkdir(parents=True)
        path.write_text(text.format(prefix), encoding="utf-8")
        orders.append([vars(one) for one in mutations.all_mutants(path.parent.parent, "s")])
    bare, prefixed = ([mutants.same_mistake(one) for one in order] for order in orders)
    assert bare == prefixed and len(bare) == 3


def test_tests_that_fail_are_named_with_their_parameters():
    text = "FAILED a/b.py::c[d 1] - Error: x\nERROR a/b.py::e\n1 failed\n"
    assert mutants.failures(text) == ["a/b.py::c[d 1]", "a/b.py::e"]


@pytest.mark.parametrize(
    ("build", "arguments", "preset"),
    [
        ("gcc", mutant_tests.BATCHES, "gcc"),
        ("gcc", mutant_tests.MORE_TESTS["kem"][1], None),
        ("gcc", ["tests/unit/test_units.py::test_unit[test_gf2m-asan-ubsan]"], "asan-ubsan"),
        ("armv7", ["tests/a.py::test[neon]"], "armv7"),
        ("riscv64", ["proofs/kernels/test_rings.py"], "riscv64"),
    ],
)
def test_what_is_built_for_tests(build, arguments, preset):
    assert mutant_tests.preset_of({"build": build}, arguments) == preset


def test_a_copy_is_made_clean_again(tmp_path):
    """With the times, from which ninja sees what to compile."""
    clean, tree = tmp_path / "clean", tmp_path / "tree"
    (clean / "folder").mkdir(parents=True)
    (clean / "folder" / "a").write_text("a")
    os.utime(clean / "folder" / "a", ns=(1, 1))
    (clean / "link").symlink_to("folder/a")
    mutant_copy.make_alike(clean, tree)
    (tree / "folder" / "a").write_text("b")
    (tree / "folder" / "new").mkdir()
    (tree / "link").unlink()
    (tree / "link").write_text("no link")
    mutant_copy.make_alike(clean, tree)
    assert sorted(path.relative_to(tree).as_posix() for path in tree.rglob("*")) == [
        *("folder", "folder/a", "link")
    ]
    assert (tree / "link").is_symlink() and (tree / "folder" / "a").read_text() == "a"
    assert (tree / "folder" / "a").stat().st_mtime_ns == 1


def test_a_program_that_takes_too_long_ends():
    code = "import time\nwhile time.process_time() < 60: pass"
    status, _, seconds = mutant_copy.run([sys.executable, "-c", code], cwd="/", limit=1)
    assert status != 0 and seconds < 30


def test_stored_mutants_are_those_of_the_seed(root):
    """Of other sources than the present ones they say less; to try them again takes hours."""
    made = mutants.made_by()
    assert STORED["made_by"]["seed"] == made["seed"]
    if STORED["made_by"]["sources"] != made["sources"]:
        warnings.warn("tests/mutants.json is of other sources: tools/mutants.py", stacklevel=1)
        return
    chosen = mutations.all_mutants(root, made["seed"])[: len(STORED["mutants"])]
    for mutant, stored in zip(map(vars, chosen), STORED["mutants"], strict=True):
        assert mutant == {key: stored[key] for key in mutant}


def test_every_stored_survivor_was_read():
    """Of those that have been through what `make test` has for them."""
    for mutant in filter(mutants.counts, STORED["mutants"]):
        if "found" not in mutant and "test" in mutants.passed(mutant):
            what, why = mutant["read"]
            assert what in mutants.READ and why
    assert not [m for m in STORED["mutants"] if "found" in m and mutants.harmless(m)]


def test_what_found_a_stored_mutant_is_there(root):
    """But for the parameters of a test."""
    found = [mutant["found"][1] for mutant in STORED["mutants"] if "found" in mutant]
    names = {tuple(name.split("[")[0].split("::")) for name in found if name.startswith("tests/")}
    assert len(names) > 10
    for file, function in names:
        assert f"def {function}(" in (root / file).read_text(encoding="utf-8")


def test_the_report_counts():
    def one(**more):
        return {"file": "f", "line": 1, "function": "f", "before": "+", "after": "-"} | more

    found = [
        one(build="refused"),
        one(build="equivalent"),
        one(build="gcc", found=["programs", "test_gf2x, gcc"]),
        one(build="gcc", passed=["programs"], found=["test", "tests/unit"]),
        one(build="gcc", passed=["programs", "test"], found=["long", "tests/unit"]),
        one(build="gcc", passed=["programs"], read=["equivalent", "a + 0"]),
        one(build="gcc", passed=["programs"], read=["gap", "why"]),
        one(build="gcc", passed=["programs"], read=["performance", "slow"]),
    ]
    lines = mutants.report(
        {"made_by": {"seed": "s", "sources": "abc"}, "mutants": found}, survivors=True
    )
    assert lines[1].startswith("found by make test: 2 of 5, 40.0 %: 1 by programs, 1 by other")
    assert lines[1].endswith("; 1 cost time alone, as read; 1 not tried by these")
    assert lines[2] == "found by the long tests besides: 1; 1 not tried by these"
    reasons = [line.rsplit("; ")[1] for line in lines[3:]]
    assert reasons == ["equivalent: a + 0", "gap: why", "performance: slow"]
