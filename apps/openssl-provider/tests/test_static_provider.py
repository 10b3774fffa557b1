# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The provider as a library that a program links, from an installed tree."""

import subprocess

import pytest

from tests.tls_programs import CODE_POINTS, run


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("static") / "installed"
    run(["cmake", "--install", build("gcc"), "--prefix", folder])
    return folder


@pytest.fixture(scope="module")
def archive(prefix):
    (path,) = prefix.glob("lib*/**/libcodekem-provider.a")
    return path


@pytest.fixture
def source(root):
    return root / "apps/openssl-provider/tests/static_provider.c"


def text_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_name_has_the_prefix(archive, need):
    lines = text_of([need("nm"), "-g", "--defined-only", archive]).splitlines()
    names = {line.split()[2] for line in lines if len(line.split()) == 3}
    assert "codekem_ossl_provider_init" in names and len(names) > 50
    assert {name for name in names if not name.startswith(("codekem_", "ckem_"))} == set()


@pytest.mark.parametrize("libcrypto", ["shared", "static"])
def test_program_that_links_the_provider(libcrypto, archive, prefix, source, need, tmp_path):
    """It loads no module: OPENSSL_MODULES names an empty folder. It has names of its own that the
    provider has, too, and one libcrypto."""
    flags = text_of([need("pkg-config"), "--cflags", "libssl"]).split()
    libraries = ["-lssl", "-lcrypto"]
    if libcrypto == "static":
        folder = text_of([need("pkg-config"), "--variable=libdir", "libcrypto"]).strip()
        libraries = [f"{folder}/libssl.a", f"{folder}/libcrypto.a", "-lpthread"]
    program = tmp_path / "program"
    run(
        [
            *[need("gcc"), "-Wall", "-Wextra", "-Werror", f"-I{prefix / 'include'}", *flags],
            *[source, "-o", program, archive, archive.with_name("libcodekem.a")],
            *[*libraries, "-ldl"],
        ]
    )
    (tmp_path / "empty").mkdir()
    for group in ("x25519_bikel1", "hqc3"):
        done = run([program, group], OPENSSL_MODULES=str(tmp_path / "empty"))
        assert done.stdout == f"group {CODE_POINTS[group]:#x}\n"


def test_configuration_and_memory_of_a_linked_provider(archive, prefix, source, need, tmp_path):
    """Its section of OpenSSL's configuration counts; nothing is lost when it is unloaded."""
    program = tmp_path / "program"
    run(
        [
            *[need("gcc"), f"-I{prefix / 'include'}", source, "-o", program],
            *[archive, archive.with_name("libcodekem.a"), "-lssl", "-lcrypto", "-ldl"],
        ]
    )
    (tmp_path / "cnf").write_text(
        "openssl_conf = init\n[init]\nproviders = list\n[list]\ncodekem = mine\n"
        "[mine]\nactivate = 1\nnames.bikel1 = bike_of_mine\n"
    )
    assert run([program, "bike_of_mine"], tmp_path / "cnf").stdout == "group 0xfe10\n"
    wrong = run([program, "bikel1"], tmp_path / "cnf", check=False)
    assert wrong.returncode == 1 and "choosing the group failed" in wrong.stdout
    valgrind = [need("valgrind"), "-q", "--leak-check=full", "--error-exitcode=9"]
    assert run([*valgrind, program, "hqc1"]).stdout.endswith("group 0xfe33\n")


def test_find_package_names_what_the_library_needs(prefix, source, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(consumer C)\n"
        "find_package(codekem REQUIRED)\n"
        "find_package(OpenSSL REQUIRED)\n"
        f"add_executable(consumer {source})\n"
        "target_link_libraries(consumer PRIVATE codekem::codekem-provider OpenSSL::SSL)\n"
    )
    folder = tmp_path / "build"
    run(["cmake", "-G", "Ninja", "-S", tmp_path, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}"])
    run(["cmake", "--build", folder])
    assert run([folder / "consumer", "p256_hqc1"]).stdout == "group 0xfe34\n"
