# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A file is compiled again if anything changes that clang reads, and only then."""

import os
import re
import shutil

import pytest

from proofs.kernels import compiled as module
from proofs.kernels.compiled import Compiler
from tools.source_folders import INCLUDED

OPTIONS = ("--target=x86_64-linux-gnu",)
OTHER_TARGET = ("--target=aarch64-linux-gnu",)


@pytest.fixture
def top(need, tmp_path):
    """A project of two files, one of them a header."""
    need("clang")
    write(tmp_path / "src/part/a.c", '#include "part/b.h"\nint f(int x) { return x + B; }\n')
    write(tmp_path / "src/part/b.h", "#define B 10\n")
    return tmp_path


def write(path, text):
    """Writes a file as if that was long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (len(text), len(text)))


@pytest.fixture
def compiled(top, monkeypatch):
    """compiled(options, changed) compiles src/part/a.c as a new process would; returns the text,
    and whether clang had to make it."""
    count = []
    really = Compiler._compiled
    monkeypatch.setattr(Compiler, "_compiled", lambda *a: count.append(1) or really(*a))

    def compile_(options=OPTIONS, changed=None, worker="one"):
        folder = top / "build" / worker
        include = [top / "src"]
        if changed is not None:
            write(folder / "changed" / changed[0], changed[1])
            include.insert(0, folder / "changed")
        count.clear()
        compiler = Compiler("clang", top, folder, top / "build/modules")
        text, _ = compiler.text("part/a.c", include, options, changed and include[0] / changed[0])
        shutil.rmtree(folder / "changed", ignore_errors=True)  # the next mistake is another one
        return text, bool(count)

    return compile_


def test_a_text_is_made_once(compiled):
    """For all processes; for another processor it is another one."""
    text, made = compiled()
    assert made and "add nsw i32 %0, 10" in text
    assert compiled() == compiled(worker="two") == (text, False)
    other, made = compiled(OTHER_TARGET)
    assert made and other != text
    assert compiled() == (text, False)


def test_a_changed_header_counts(top, compiled):
    """Also when it is changed back, or gone."""
    text, _ = compiled()
    write(top / "src/part/b.h", "#define B 20 /* as long */\n")
    other, made = compiled()
    assert made and "add nsw i32 %0, 20" in other
    write(top / "src/part/b.h", "#define B 10\n")
    assert compiled() == (text, True)
    write(top / "src/other/b.h", "#define B 30\n")
    (top / "src/part/b.h").unlink()
    write(top / "src/part/a.c", '#include "other/b.h"\nint f(int x) { return x + B; }\n')
    assert "add nsw i32 %0, 30" in compiled()[0]


@pytest.mark.parametrize("name", ["part/a.c", "part/b.h"])
def test_a_mistake_is_its_own(compiled, name):
    """Of the file itself, or of a header, and each time another one."""
    text, _ = compiled()
    right = '#include "part/b.h"\nint f(int x) { return x + B; }\n'
    wrong = {"part/a.c": right.replace("x +", "1 +"), "part/b.h": "#define B 11\n"}
    found, made = compiled(changed=(name, wrong[name]))
    assert made and found != text
    again, made = compiled(changed=(name, wrong[name]), worker="two")
    assert not made and again == found
    assert compiled(changed=(name, wrong[name] + "/* other */\n"))[1]
    assert compiled() == (text, False)


def test_what_changes_meanwhile_is_not_kept(top, compiled):
    """A file that is as new as what was made of it may be another one than clang read."""
    os.utime(top / "src/part/b.h")
    assert [compiled()[1] for _ in range(2)] == [True, True]


def test_names_depend_on_nothing_else(top):
    """LLVM gives types other names when one context has read two of a name."""
    struct = "struct s { int a, b; };\nint f(const struct s *x) { return x->b; }\n"
    write(top / "src/part/a.c", struct)
    texts = [
        Compiler("clang", top, top / "build", top / kept).text("part/a.c", [top / "src"], OPTIONS)[
            0
        ]
        for kept in ("one", "two")
    ]
    assert texts[0] == texts[1] and "%struct.s = type" in texts[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mceliece/goppa/sort/sort_avx2.c", OPTIONS),
        ("mceliece/goppa/sort/sort_neon64.c", OTHER_TARGET),
    ],
)
def test_a_header_read_before_changes_nothing(need, root, tmp_path, monkeypatch, name, options):
    """But for where in its files clang found assembly."""
    need("clang")
    texts = []
    for pattern in (module.VECTORS, re.compile("none of them")):
        monkeypatch.setattr(module, "VECTORS", pattern)
        folder = tmp_path / str(len(texts))
        compiler = Compiler("clang", root, folder, folder / "modules")
        include = [root / name for name in (*INCLUDED, "include")]
        texts.append(re.sub(r"!{i64 \d+}", "", compiler.text(name, include, options)[0]))
        assert len([*folder.glob("*.pch")]) == (len(texts) == 1)
    assert texts[0] == texts[1] and "call" in texts[0]
