# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Installs the project, moves the tree, and builds other people's programs against it."""

import fcntl
import functools
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile

import pytest

from tests.rooms import need_room
from tools import house, programs

CONSUMER = pathlib.Path(__file__).parent / "consumer"
APPS = house.is_there("apps")
LIBRARIES = ("hybrid", "legacy", "masked", "mceliece", "sofia", *(["provider"] if APPS else []))
LEGACY_KEMS = {f"BIKE-L{level}-v4.2-aes{bind}" for level in [1, 3, 5] for bind in ["", "-bind"]}
LEGACY_KEMS |= {f"HQC-{bits}-2023" for bits in [128, 192, 256]}


run = functools.partial(programs.run, AssertionError, apart=True)


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
        assert version == f"version {library.call['version']()}"

    return check


def test_installed_files_are_where_one_looks(prefix, libdir):
    relative = libdir.relative_to(prefix)
    for name in [
        "include/codekem.h",
        "include/codekem_hybrid.h",
        "include/codekem_legacy.h",
        "include/codekem_masked.h",
        "include/codekem_mceliece.h",
        "include/codekem_sofia.h",
        f"{relative}/libcodekem.a",
        f"{relative}/libcodekem-hybrid.a",
        f"{relative}/libcodekem-legacy.a",
        f"{relative}/libcodekem-masked.a",
        f"{relative}/libcodekem-mceliece.a",
        f"{relative}/libcodekem-sofia.a",
        f"{relative}/libcodekem.so.0",
        f"{relative}/pkgconfig/codekem.pc",
        f"{relative}/pkgconfig/codekem-hybrid.pc",
        f"{relative}/pkgconfig/codekem-legacy.pc",
        f"{relative}/pkgconfig/codekem-masked.pc",
        f"{relative}/pkgconfig/codekem-mceliece.pc",
        f"{relative}/pkgconfig/codekem-sofia.pc",
        f"{relative}/cmake/codekem/codekem-config.cmake",
        f"{relative}/cmake/codekem/codekem-config-version.cmake",
        *(["bin/codekem", "share/man/man1/codekem.1"] if APPS else []),
    ]:
        assert (prefix / name).exists(), name
    assert {path.name for path in (prefix / "include").iterdir()} == {
        "codekem.h",
        "codekem_hybrid.h",
        "codekem_legacy.h",
        "codekem_sofia.h",
        "codekem_masked.h",
        "codekem_mceliece.h",
        *(["codekem_provider.h"] if APPS else []),
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
        *(f"libcodekem-{name}.a" for name in LIBRARIES),
    ]:
        lines = run("nm", "-g", "--defined-only", libdir / name).splitlines()
        symbols = {line.split()[2] for line in lines if len(line.split()) == 3}
        assert len(symbols) > (100 if name == "libcodekem.a" else 2)
        assert {
            symbol for symbol in symbols if not symbol.startswith(("codekem_", "ckem_"))
        } == set()


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
    need_room("apps")
    for name in [
        "bash-completion/completions/codekem",
        "zsh/site-functions/_codekem",
        "fish/vendor_completions.d/codekem.fish",
    ]:
        assert (prefix / "share" / name).is_file(), name


def test_installed_command_runs(prefix, library):
    need_room("apps")
    assert library.call["version"]() in run(prefix / "bin" / "codekem", "--version")


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


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_examples_of_the_header_run(compiler, prefix, pkg_config, libdir, tmp_path, need):
    """An exchange, one in memory that is given, and a batch, as a comment of codekem.h has them."""
    header = (prefix / "include" / "codekem.h").read_text()
    comments = re.findall(r"/\*.*?\*/", header, re.S)
    examples = [re.findall(r"^ \*   (?: *)(\S.*?)(?: \*/)?$", text, re.M) for text in comments]
    examples = [lines for lines in examples if lines]
    program = (CONSUMER / "examples.c").read_text()
    assert program.count("  EXAMPLE_") == len(examples)
    for number, lines in enumerate(examples, 1):
        program = program.replace(f"  EXAMPLE_{number}\n", "\n".join(lines) + "\n")
    (tmp_path / "examples.c").write_text(program)
    flags = [
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        *pkg_config("--cflags", "--libs", "codekem"),
    ]
    run(need(compiler), tmp_path / "examples.c", "-o", tmp_path / "examples", *flags)
    said = run(tmp_path / "examples", env=os.environ | {"LD_LIBRARY_PATH": str(libdir)})
    assert said == "all hold the same secrets\n"


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


# --- make install and make uninstall --------------------------------------------------------------


def script(root, *arguments, **options):
    """Runs tools/install.sh; returns status and output."""
    done = subprocess.run(
        ["sh", "-s", *map(str, arguments)],
        input=(root / "tools" / "install.sh").read_text(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )
    return done.returncode, done.stdout


@pytest.fixture
def installed(build, tmp_path):
    """installed(prefix, **environment) installs; it returns a copy of the manifest."""

    def install(prefix, **environment):
        folder = build("gcc")
        command = ["cmake", "--install", folder, "--prefix", prefix, "--component", "Unspecified"]
        with (folder / ".manifest.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            run(*command, env=os.environ | environment)
            manifest = folder / "install_manifest_Unspecified.txt"
            return pathlib.Path(shutil.copy(manifest, tmp_path / "manifest"))

    return install


def files_below(folder):
    return {path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


@pytest.mark.parametrize("staged", [False, True])
def test_uninstall_removes_what_was_installed(staged, root, installed, tmp_path):
    """And nothing else; nor does it remove what stands where DESTDIR does not lead."""
    prefix = tmp_path / "a prefix"
    environment = {"DESTDIR": str(tmp_path / "stage")} if staged else {}
    place = pathlib.Path(environment.get("DESTDIR", "") + str(prefix))
    others = {place / "lib" / "libother.so", place / "include" / "other.h"}
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of somebody else")
    manifest = installed(prefix, **environment)
    assert not APPS or place / "share" / "codekem" / "codekem.cnf" in files_below(place)
    assert len(files_below(place)) > (20 if APPS else 12)
    status, text = script(root, "remove", manifest, env=os.environ | environment)
    assert status == 0, text
    assert files_below(place) == others
    assert list(place.rglob("codekem")) == []

    status, text = script(root, "remove", manifest, env=os.environ | environment)
    assert status != 0 and "make install with the same PREFIX" in text


@pytest.fixture
def locked():
    """A folder that its user may not write, and what to give to subprocess to be that user."""
    with tempfile.TemporaryDirectory(prefix="codekem-") as name:
        folder = pathlib.Path(name)
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR | stat.S_IROTH | stat.S_IXOTH)
        yield folder, {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        folder.chmod(stat.S_IRWXU)


def test_install_says_before_it_builds_where_it_may_not_write(root, locked):
    folder, user = locked
    for arguments in [[folder / "local"], ["/tmp", folder / "lib" / "ossl-modules"]]:
        status, text = script(root, "check", *arguments, cwd="/", **user)
        assert status == 1, text
        assert f"{folder}: you may not write there" in text
        assert "sudo make" in text and "make install PREFIX=$HOME/.local" in text
    status, text = script(root, "check", folder, cwd="/", env={"DESTDIR": "/tmp/none"}, **user)
    assert (status, text) == (0, "")


def test_uninstall_says_where_it_may_not_write(root, locked):
    folder, user = locked
    folder.chmod(stat.S_IRWXU)
    (folder / "installed").write_text("text")
    (folder / "manifest").write_text(f"{folder}/installed")
    (folder / "manifest").chmod(0o644)
    folder.chmod(0o555)
    status, text = script(root, "remove", folder / "manifest", cwd="/", **user)
    assert status == 1 and f"{folder}: you may not write there" in text
    assert (folder / "installed").exists() and (folder / "manifest").exists()


def test_make_checks_first_and_can_take_back(root, need):
    environment = {name: os.environ[name] for name in ["PATH", "HOME"]}
    install, uninstall = (
        run(need("make"), "-n", target, "PREFIX=/opt/x", cwd=root, env=environment)
        for target in ["install", "uninstall"]
    )
    checked = install.index("tools/install.sh check '/opt/x' '/opt/x/lib/ossl-modules'")
    assert checked < install.index("cmake --build") < install.index("cmake --install")
    assert "tools/install.sh remove build/default/install_manifest.txt" in uninstall
