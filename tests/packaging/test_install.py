# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Installs the project, moves the tree, and builds other people's programs against it."""

import os
import pathlib
import shutil
import subprocess

import pytest

CONSUMER = pathlib.Path(__file__).parent / "consumer"
LEGACY_KEMS = {f"BIKE-L{level}-v4.2-aes{bind}" for level in [1, 3, 5] for bind in ["", "-bind"]}
LEGACY_KEMS |= {f"HQC-{bits}-2023" for bits in [128, 192, 256]}


def run(*command, **options):
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(build, tmp_path_factory):
    """An installed tree that was moved after the installation."""
    folder = tmp_path_factory.mktemp("install")
    run("cmake", "--install", build("gcc"), "--prefix", folder / "first")
    (folder / "first").rename(folder / "second")
    return folder / "second"


@pytest.fixture(scope="module")
def libdir(prefix):
    found = list(prefix.glob("lib/**/libcodekem.so"))
    assert len(found) == 1
    return found[0].parent


@pytest.fixture
def pkg_config(libdir, need):
    def ask(*arguments):
        environment = os.environ | {"PKG_CONFIG_PATH": str(libdir / "pkgconfig")}
        return run(need("pkg-config"), *arguments, env=environment).split()

    return ask


@pytest.fixture
def check_output(library):
    """check_output(text, legacy) checks what the consumer printed: every KEM agrees."""

    def check(text, legacy=False):
        *agreed, version = text.splitlines()
        names = {kem.name for kem in library.kems()} | (LEGACY_KEMS if legacy else set())
        assert {line.removesuffix(" agrees") for line in agreed} == names
        assert len(agreed) == len(names)
        assert version == f"version {library.call['version']().decode()}"

    return check


def test_installed_files_are_where_one_looks(prefix, libdir):
    relative = libdir.relative_to(prefix)
    for name in [
        "include/codekem.h",
        "include/codekem_legacy.h",
        "include/codekem_mceliece.h",
        "include/codekem_sofia.h",
        "bin/codekem",
        f"{relative}/libcodekem.a",
        f"{relative}/libcodekem-legacy.a",
        f"{relative}/libcodekem-mceliece.a",
        f"{relative}/libcodekem-provider.a",
        f"{relative}/libcodekem-sofia.a",
        f"{relative}/libcodekem.so.0",
        f"{relative}/pkgconfig/codekem.pc",
        f"{relative}/pkgconfig/codekem-legacy.pc",
        f"{relative}/pkgconfig/codekem-mceliece.pc",
        f"{relative}/pkgconfig/codekem-sofia.pc",
        f"{relative}/cmake/codekem/codekem-config.cmake",
        f"{relative}/cmake/codekem/codekem-config-version.cmake",
        "share/man/man1/codekem.1",
    ]:
        assert (prefix / name).exists(), name
    assert {path.name for path in (prefix / "include").iterdir()} == {
        "codekem.h",
        "codekem_legacy.h",
        "codekem_sofia.h",
        "codekem_mceliece.h",
        "codekem_provider.h",
    }


@pytest.fixture
def sofia_consumer(tmp_path):
    """A program that signs and verifies."""
    path = tmp_path / "consumer.c"
    path.write_text(
        "#include <codekem_sofia.h>\n"
        "int main(void) {\n"
        "  static uint8_t pk[CODEKEM_SOFIA_PUBLIC_KEY], sk[CODEKEM_SOFIA_SECRET_KEY];\n"
        "  static uint8_t signature[CODEKEM_SOFIA_SIGNATURE];\n"
        "  return codekem_sofia_keypair(pk, sk) || codekem_sofia_sign(signature, pk, 9, sk) ||\n"
        "         codekem_sofia_verify(pk, 9, signature, sizeof signature, pk);\n"
        "}\n"
    )
    return path


def test_pkg_config_sofia_consumer_runs(pkg_config, sofia_consumer, tmp_path, need):
    program = tmp_path / "consumer"
    flags = pkg_config("--cflags", "--libs", "codekem-sofia")
    run(need("gcc"), "-o", program, sofia_consumer, *flags)
    run(program)


def test_find_package_sofia_consumer_runs(prefix, sofia_consumer, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(consumer C)\n"
        "find_package(codekem REQUIRED)\n"
        f"add_executable(consumer {sofia_consumer.name})\n"
        "target_link_libraries(consumer PRIVATE codekem::codekem-sofia)\n"
    )
    folder = tmp_path / "build"
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder)
    run(folder / "consumer")


def test_every_global_symbol_of_the_static_libraries_is_prefixed(libdir):
    """So that none clashes with another library's, shake256 or sha3_256 for example."""
    for name in [
        "libcodekem.a",
        *(f"libcodekem-{n}.a" for n in ("legacy", "mceliece", "provider", "sofia")),
    ]:
        lines = run("nm", "-g", "--defined-only", libdir / name).splitlines()
        symbols = {line.split()[2] for line in lines if len(line.split()) == 3}
        assert len(symbols) > (100 if name == "libcodekem.a" else 2)
        assert {symbol for symbol in symbols if not symbol.startswith("codekem_")} == set()


def test_static_library_does_not_clash(libdir, prefix, tmp_path, need):
    """A program with its own shake256 and secure_wipe links with the static library."""
    source = tmp_path / "clash.c"
    source.write_text("""#include <codekem.h>
        int shake256, secure_wipe, keccak_init, gf2x_add;
        int main(void) {
          static unsigned char keys[2][CODEKEM_MAX_SECRET_KEY];
          return (int)codekem_kem_keypair(codekem_kem_find("HQC-1"), keys[0], keys[1]);
        }""")
    run(
        need("gcc"),
        f"-I{prefix / 'include'}",
        source,
        libdir / "libcodekem.a",
        "-o",
        tmp_path / "clash",
    )
    run(tmp_path / "clash")


def test_installed_completions_are_where_shells_look(prefix):
    for name in [
        "bash-completion/completions/codekem",
        "zsh/site-functions/_codekem",
        "fish/vendor_completions.d/codekem.fish",
    ]:
        assert (prefix / "share" / name).is_file(), name


def test_installed_command_runs(prefix, library):
    assert library.call["version"]().decode() in run(prefix / "bin" / "codekem", "--version")


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++"])
def test_pkg_config_consumer_runs(compiler, pkg_config, libdir, check_output, tmp_path, need):
    flags = pkg_config("--cflags", "--libs", "codekem")
    language = ["-x", "c++", "-std=c++17"] if compiler == "g++" else ["-std=c11"]
    run(
        need(compiler),
        *language,
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        CONSUMER / "consumer.c",
        "-o",
        tmp_path / "consumer",
        *flags,
    )
    check_output(run(tmp_path / "consumer", env=os.environ | {"LD_LIBRARY_PATH": str(libdir)}))


def test_pkg_config_legacy_consumer_runs(pkg_config, check_output, tmp_path, need):
    flags = pkg_config("--cflags", "--libs", "codekem-legacy")
    run(
        need("gcc"),
        "-DCONSUMER_LEGACY",
        CONSUMER / "consumer.c",
        "-o",
        tmp_path / "consumer",
        *flags,
    )
    check_output(run(tmp_path / "consumer"), legacy=True)


def test_find_package_consumer_runs(prefix, check_output, tmp_path):
    source = shutil.copytree(CONSUMER, tmp_path / "source")
    run(
        "cmake",
        "-G",
        "Ninja",
        "-S",
        source,
        "-B",
        tmp_path / "build",
        f"-DCMAKE_PREFIX_PATH={prefix}",
    )
    run("cmake", "--build", tmp_path / "build")
    for kind in ["shared", "static", "legacy"]:
        check_output(run(tmp_path / "build" / f"consumer_{kind}"), legacy=kind == "legacy")


def test_find_package_refuses_another_version(prefix, tmp_path):
    source = shutil.copytree(CONSUMER, tmp_path / "source")
    lists = source / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("codekem 0.1", "codekem 0.2"))
    done = subprocess.run(
        ["cmake", "-S", source, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert 'compatible with requested version "0.2"' in " ".join(done.stderr.split())
