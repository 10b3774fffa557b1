# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What callers get of programs of others: all that these print, or an error of their own."""

import sys

import pytest

from tools import programs


class OwnError(Exception):
    """Of a caller."""


def run(text, **options):
    return programs.run(OwnError, sys.executable, "-c", f"import os, sys; {text}", **options)


def test_both_streams_and_no_input():
    said = run("print(repr(sys.stdin.read()), flush=True); print('e', file=sys.stderr)")
    assert said == "''\ne\n"
    assert run("print(os.environ)", env={"ONLY": "1"}).startswith("environ({'ONLY': '1'")


def test_the_streams_apart(tmp_path):
    both = "print(os.getcwd()); print('e', file=sys.stderr)"
    assert run(both, apart=True, cwd=tmp_path) == f"{tmp_path}\n"
    with pytest.raises(OwnError, match=r"failed:\no\ne$"):
        run("print('o', flush=True); print('e', file=sys.stderr); sys.exit(1)", apart=True)


def test_a_failure_is_an_error_of_the_caller_with_the_end_of_what_was_printed():
    text = "print('a' * 9000 + 'last'); sys.exit(3)"
    with pytest.raises(OwnError, match=r"^x.c does not compile:\na+last$") as failed:
        run(text, what="x.c does not compile")
    assert len(str(failed.value)) < programs.SHOWN + 100
    with pytest.raises(OwnError, match=r"failed:\n"):
        run("os.abort()")


def test_a_program_that_is_not_there_is_named_with_what_to_do():
    with pytest.raises(OwnError, match=r"^there is no /no/program$"):
        programs.run(OwnError, "/no/program")
    with pytest.raises(OwnError, match=r"^there is no /no/program; install it$"):
        programs.run(OwnError, "/no/program", hint="install it")
