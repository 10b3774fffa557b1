# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What was proved is proved again if anything changes that the proof depends on, and only then."""

import pathlib
import shutil

import pytest

from proofs.kernels import proved
from proofs.kernels.modules import Sources
from proofs.kernels.products import LowProduct
from proofs.kernels.proved import closure, contents, description, files_of
from proofs.kernels.rings import RingCall
from tools import mistakes

FOLDER = pathlib.Path(proved.HERE)
WORDS = "kem/gf2x/portable/gf2x_words_portable.c"

# A file that imports another one, and the file that is imported.
FORMS = {
    "a module of the folder": ("from proofs.kernels import other", "proofs/kernels/other.py"),
    "a name of a module": ("from proofs.kernels.other import name", "proofs/kernels/other.py"),
    "all names": ("from proofs.kernels.other import *", "proofs/kernels/other.py"),
    "another name": ("import proofs.kernels.other as short", "proofs/kernels/other.py"),
    "relative": ("from . import other", "proofs/kernels/other.py"),
    "a name, relative": ("from .other import name", "proofs/kernels/other.py"),
    "relative, from above": ("from ..shared import name", "proofs/shared.py"),
    "in several lines": ("from proofs.kernels import (\n    other,\n)", "proofs/kernels/other.py"),
    "in a function": (
        "def f():\n    from proofs.kernels import other\n",
        "proofs/kernels/other.py",
    ),
    "where it may fail": (
        "try:\n    import other\nexcept ImportError:\n    import shared, json\n",
        "shared.py",
    ),
    "a package": ("import package.inner", "package/__init__.py"),
    "in a package": ("import package.inner", "package/inner.py"),
    "a folder": ("from package import inner", "package/inner.py"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_import_counts(tmp_path, form):
    """And what is imported by what is imported."""
    line, name = FORMS[form]
    first, second = tmp_path / "proofs/kernels/first.py", tmp_path / name
    third = tmp_path / "proofs/kernels/third.py"
    for path, text in ((first, line), (second, "import proofs.kernels.third"), (third, "x = 1")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert {first, second, third} <= closure([first], tmp_path)
    before = contents(first.parent, tmp_path, (first,))
    contents.cache_clear()
    second.write_text("import proofs.kernels.third  # changed")
    assert contents(first.parent, tmp_path, (first,)) != before


@pytest.mark.parametrize(
    "line", ["importlib.import_module('other')", "__import__('other')", "exec(text)"]
)
def test_what_hides_an_import_is_refused(tmp_path, line):
    """Nobody knows what it reads."""
    path = tmp_path / "first.py"
    path.write_text(line)
    with pytest.raises(ValueError, match=r"first.py:1: .* hides what a proof runs"):
        closure([path], tmp_path)


@pytest.mark.parametrize("name", ["lookups", "groups", "engine/degrees", "conftest"])
def test_every_module_of_the_folder_counts(tmp_path, name):
    """Whoever imports it: it may change tables that others read. Tests do not count."""
    copy = tmp_path / "proofs/kernels"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = contents(copy, tmp_path)
    contents.cache_clear()
    (copy / "test_codes.py").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/soundness.md").write_text("other words")
    assert contents(copy, tmp_path) == before
    contents.cache_clear()
    broken = copy / f"{name}.py"
    broken.write_text(broken.read_text() + "\n# broken")
    assert contents(copy, tmp_path) != before


def test_the_names_of_two_checkouts_are_the_same(need, root, tmp_path, monkeypatch):
    """Wherever they are; and another one for other code."""
    need("clang")
    names, files = [], []
    for folder in ("one", "another/place"):
        top = tmp_path / folder
        for part in ("src/kem/gf2x", "src/common/base", "include"):
            shutil.copytree(root / part, top / part)
        copy = top / "proofs/kernels"
        shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.chdir(tmp_path if names else top)
        sources = Sources("clang", top, top / "build", top / "modules", pathlib.Path("proved"))
        module = sources.module([WORDS])
        assert not any(str(tmp_path) in text for text in module.texts)
        files.append(contents(copy, top))
        names.append(sources.proved(module, LowProduct()))
        changed = mistakes.of("equivalence/rings")["portable/gf2x_words_portable.c"]
        other = sources.module([WORDS], changed=changed)
        assert sources.proved(other, LowProduct()) != names[-1]
    assert names[0] == names[1]
    assert files[0] == files[1]


def test_tools_and_parameters_count(monkeypatch):
    """Versions of packages and of the compiler, and parameters that a repr leaves out."""
    call = RingCall("avx2", "mul", 12323)
    assert description(call) != description(RingCall("avx2", "mul", 12323, in_place="a"))
    monkeypatch.setattr(RingCall, "__repr__", lambda call: "a call")
    assert description(call) != description(RingCall("avx2", "mul", 12323, in_place="a"))
    before = proved.name_of(call, ["code"], ["clang 14"])
    assert proved.name_of(call, ["code"], ["clang 16"]) != before
    assert proved.name_of(call, ["other code"], ["clang 14"]) != before
    for package in ("numpy", "llvmlite", "python-sat"):
        assert any(line.startswith(f"{package} ") for line in proved.environment())
    monkeypatch.setattr(proved, "environment", lambda: ["numpy 1.0"])
    assert proved.name_of(call, ["code"], ["clang 14"]) != before


def test_a_class_of_a_test_counts(tmp_path):
    """A call may be defined in a test."""

    class Own(RingCall):
        """Of this file."""

    assert "proofs/kernels/test_proved.py" in files_of(Own("avx2", "mul", 12323))
    assert "proofs/kernels/test_proved.py" not in files_of(RingCall("avx2", "mul", 12323))
