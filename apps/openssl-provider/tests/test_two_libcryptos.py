# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Programs with a libcrypto of their own, which meet the shared one through the provider: whatever
they do and leave undone, they end as they would without."""

import subprocess

import pytest

from tests.tls_programs import run, write_configuration

# What a program does, in the words of two_libcryptos.c.
PROGRAMS = [
    "load unload",
    "load keygen exchange free unload",
    "load keygen exchange free unload-first",
    "load keygen exchange free",
    "load keygen exchange",
    "load keygen exchange exit",
    "load keygen error free unload",
    "load keygen error",
    "load keygen error exit",
    "load thread unload",
    "load thread",
    "load reload keygen exchange free unload",
    "load keygen free unload load keygen free unload",
    "load keygen free unload load keygen exchange",
    "context load keygen exchange free unload no-context",
    "context load keygen exchange free no-context",
    "context load keygen exchange free unload",
    "context load keygen exchange",
    # somebody else has started the shared libcrypto, which then cleans itself up
    "other load unload",
    "other load keygen exchange free unload",
    "other load keygen exchange free unload-first",
    "other load keygen exchange",
    "load keygen other exchange free unload",
    "load keygen other",
    "load other unload",
    "context other load keygen exchange free unload no-context",
    "context other load keygen exchange",
    # a provider of OpenSSL's that needs the shared libcrypto
    "legacy load keygen exchange free unload",
    "load legacy keygen exchange free unload",
    "other legacy load keygen exchange",
    # a library that holds codekem-legacy and needs the shared libcrypto
    "plugin",
    "plugin load keygen exchange free unload",
    "load keygen free unload plugin",
]


def openssl_folder(variable):
    return subprocess.run(
        ["pkg-config", f"--variable={variable}", "libcrypto"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@pytest.fixture(scope="module")
def program(build):
    return build("gcc", targets=["two_libcryptos"]) / "bin" / "two_libcryptos"


@pytest.fixture(scope="module")
def plugin(build):
    return build("gcc", targets=["linked_plugin"]) / "tests" / "provider" / "liblinked_plugin.so"


@pytest.fixture(scope="module")
def modules(module, tmp_path_factory):
    """A folder with our provider and OpenSSL's."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "codekem.so").symlink_to(module)
    (folder / "legacy.so").symlink_to(f"{openssl_folder('modulesdir')}/legacy.so")
    return folder


@pytest.mark.parametrize("words", PROGRAMS)
def test_program_ends_as_it_should(words, program, plugin, modules):
    done = run(
        [program, *words.split()],
        "/dev/null",
        check=False,
        OPENSSL_MODULES=str(modules),
        CODEKEM_PLUGIN=str(plugin),
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("words", ["keygen exchange free", "keygen", "other keygen exchange free"])
def test_provider_that_the_configuration_loads(words, program, module, tmp_path):
    configuration = write_configuration(tmp_path / "cnf", module, "pool.size = 8\n")
    done = run([program, *words.split()], configuration, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_no_memory_errors_with_two_libcryptos(program, modules, need):
    """What is not freed in a library that nobody cleans up is not lost: it can be reached."""
    valgrind = [need("valgrind"), "-q", "--error-exitcode=9"]
    run(
        [*valgrind, program, "other", "load", "keygen", "exchange", "free", "unload"],
        "/dev/null",
        OPENSSL_MODULES=str(modules),
    )
