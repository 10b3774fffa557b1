# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Choosing a back end, and many threads at once."""

import functools
import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.library import STATUS, CodekemError
from tests.samples import run_python

ROOT = pathlib.Path(__file__).resolve().parents[2]

CHOICE = (
    "import sys; from tests.library import *\nlibrary = Library(sys.argv[1])\n"
    "print(library.call['backend_current']())\n"
    "try:\n    library.keypair(library.kem('BIKE-L1'), bytes(64)); print('works')\n"
    "except CodekemError as error:\n    print(error.status)\n"
)


def test_environment_chooses_the_back_end(fast_backend_name, build):
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU=fast_backend_name)
    assert done.stdout.split() == [fast_backend_name, "works"], done.stderr


@pytest.mark.parametrize("bad", ["z80", "Portable", "portable ", "reference"])
def test_unknown_back_end_in_the_environment_fails_every_call(bad, build):
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU=bad)
    assert done.stdout.split() == ["None", str(STATUS.ERROR_BACKEND)], done.stderr


def test_environment_is_ignored_in_a_set_user_id_program(build, tmp_path):
    """Whoever starts such a program must not choose its back end."""
    if os.geteuid() != 0:
        pytest.skip("set-user-ID programs not tested: only root can make one for another user")
    source = tmp_path / "choice.c"
    source.write_text(
        "#include <codekem.h>\n#include <stdio.h>\n"
        "int main(void) { puts(codekem_backend_current()); return 0; }\n"
    )
    folder = build("gcc")
    program = tmp_path / "choice"
    subprocess.run(
        ["gcc", "-Iinclude", source, folder / "libcodekem.a", "-o", program], cwd=ROOT, check=True
    )
    run = functools.partial(
        subprocess.run,
        [program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"CODEKEM_CPU": "portable"},
    )
    assert run().stdout == "portable\n"
    os.chown(program, 65534, 65534)  # nobody
    program.chmod(0o4755)
    for folder in [tmp_path, *tmp_path.parents][:3]:
        folder.chmod(folder.stat().st_mode | 0o111)
    best = subprocess.run(
        [program], capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]}
    ).stdout
    if os.statvfs(program).f_flag & os.ST_NOSUID:
        pytest.skip("set-user-ID programs not tested: the file system does not honour the bit")
    assert run().stdout == best


def test_without_a_wish_the_best_back_end_is_taken(library, build):
    best = [name for name, runs in library.backends().items() if runs][-1]
    assert best != "reference"
    done = run_python(CHOICE, build("gcc"), CODEKEM_CPU="")
    assert done.stdout.split() == [best, "works"], done.stderr


def test_selecting_an_unknown_back_end_changes_nothing(library):
    with library.backend("portable"):
        assert library.call["backend_select"]("z80") == STATUS.ERROR_BACKEND
        assert library.call["backend_current"]() == "portable"
    assert library.call["backend_name"](library.call["backend_count"]()) is None
    assert library.call["backend_supported"](library.call["backend_count"]()) is False


def test_many_threads_agree(library):
    """cffi gives up Python's lock during a call, so these run at once."""
    kems = library.kems()

    def one(number):
        kem = kems[number % len(kems)]
        public_key, secret_key = library.keypair(kem)
        ciphertext, shared = library.encaps(kem, public_key)
        return library.decaps(kem, ciphertext, secret_key) == shared

    with ThreadPoolExecutor(max_workers=16) as pool:
        assert all(pool.map(one, range(200)))


def test_error_class_names_the_status():
    error = CodekemError(STATUS.ERROR_NULL, "text")
    assert (error.status, str(error)) == (1, "status 1: text")
