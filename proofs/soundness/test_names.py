# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An analysis is made again when anything changes that it depends on, and only then."""

import importlib.util
import pathlib
import shutil

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
VERSIONS = ["25.0 (Manganese)", "gcc 12"]
COMMAND = ["-I{top}/src/common", "-DCODEKEM_LEVEL=1"]

# What a harness may include, and where that is.
INCLUDED = {
    "of this folder": ('#include "contracts.h"', "here/contracts.h"),
    "of the project": ('#include "mceliece/params.h"', "src/mceliece/params.h"),
    "a list": ('#  include "mceliece/kems.def"', "src/mceliece/kems.def"),
    "a source of the library": ('#include "codekem.c"', "src/kem/codekem.c"),
    "a source": ("#include <sort/sort_portable.c>", "src/mceliece/goppa/sort/sort_portable.c"),
    "of the public ones": ("#include <codekem.h>", "include/codekem.h"),
    "on a condition": ('#if 0\n#include "legacy/any-name.inc"\n#endif', "src/legacy/any-name.inc"),
    "from above": ('#include "../outside.h"', "outside.h"),
}


@pytest.fixture
def made(tmp_path):
    """made(name) loads conftest.py for the folder of another checkout: itself and the
    top folder."""

    def make(name):
        top = tmp_path / name
        here = top / "proofs/soundness"
        here.mkdir(parents=True)
        shutil.copy(FOLDER / "conftest.py", here)
        spec = importlib.util.spec_from_file_location(f"conftest_{name}", here / "conftest.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for path, text in (
            ("src/a.c", '#include "base/b.h"\n'),
            ("src/common/base/b.h", "int b;\n"),
        ):
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_text(text)
        return module, top

    return make


def name_of(module, top, harness, command=COMMAND, versions=VERSIONS):
    """Returns the name of an analysis of src/a.c with a harness."""
    (module.HERE / "harness.c").write_text(harness)
    words = [word.format(top=top) for word in command]
    return module.key_of(top, versions, words, [top / "src/a.c", module.HERE / "harness.c"])


@pytest.mark.parametrize("what", INCLUDED)
def test_every_file_that_is_included_counts(made, what):
    """However, and what that includes; no other file does."""
    module, top = made("one")
    line, place = INCLUDED[what]
    path = module.HERE / place.removeprefix("here/") if "here/" in place else top / place
    path = module.HERE.parent / place if place == "outside.h" else path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('#include "base/deep.h"\n')
    (top / "src/common/base/deep.h").write_text("")
    names = [name_of(module, top, line)]
    for changed in (path, top / "src/common/base/deep.h", top / "src/common/base/b.h"):
        changed.write_text(changed.read_text() + "/* changed */\n")
        names.append(name_of(module, top, line))
    assert len(set(names)) == len(names)
    for other in ("docs/soundness.md", "src/common/base/other.h", "proofs/soundness/other.c"):
        (top / other).parent.mkdir(parents=True, exist_ok=True)
        (top / other).write_text("harmless")
    assert name_of(module, top, line) == names[-1]


def test_what_is_read_must_be_known(made):
    """No name of a file may come from a macro."""
    module, top = made("one")
    with pytest.raises(ValueError, match="the name of what `#include FILE` reads is not known"):
        name_of(module, top, "#include FILE\n")


def test_two_checkouts_have_the_same_names(made):
    """Wherever they are; tools, options and files that change places have another one."""
    (one, top), (two, other) = made("one"), made("two")
    name = name_of(one, top, "")
    assert name == name_of(two, other, "")
    assert name != name_of(one, top, "", versions=["26.0 (Iron)", "gcc 12"])
    assert name != name_of(one, top, "", [COMMAND[0], "-DCODEKEM_LEVEL=3"])
    (top / "src/a.c").rename(top / "src/aside.c")
    (top / "src/common/base/b.h").rename(top / "src/a.c")
    (top / "src/aside.c").rename(top / "src/common/base/b.h")
    assert name != name_of(one, top, "")
