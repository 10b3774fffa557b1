# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages for Debian: made twice, unpacked, and used as their users do."""

import functools
import hashlib
import os
import shutil

import pytest

from apps import pack_debian
from tools import programs
from tools.packaging import debian, package_stage

pytestmark = pytest.mark.long  # the build takes minutes

NEEDED = ("dpkg-buildpackage", "dh", "lintian")
# New packages name the wish that they fulfil in Debian's list of bugs; these are not in Debian.
SUPPRESSED = ["initial-upload-closes-no-bugs"]


run = functools.partial(programs.run, AssertionError, apart=True)


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages: {name: path}."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"Debian packages not made: {', '.join(missing)} missing: tools/setup.sh test")
    made = pack_debian.pack(tmp_path_factory.mktemp("debs"))
    return {path.name.partition("_")[0]: path for path in made}


@pytest.fixture(scope="module")
def tree(packages, tmp_path_factory):
    """All of them unpacked into one folder, as below /."""
    folder = tmp_path_factory.mktemp("tree")
    for path in packages.values():
        run("dpkg-deb", "-x", path, folder)
    return folder


@pytest.fixture(scope="module")
def libraries(tree):
    (found,) = tree.glob("usr/lib/*/libcodekem.so.0")
    return found.parent


def test_packages_and_their_relations(packages):
    assert packages.keys() == set(pack_debian.PACKAGES)

    def field(package, name):
        return run("dpkg-deb", "-f", packages[package], name).strip()

    version = f"{package_stage.version()}-{debian.REVISION}"
    assert {field(package, "Version") for package in packages} == {version}
    assert field("libcodekem-dev", "Depends").startswith(f"libcodekem0 (= {version})")
    assert field("libcodekem0", "Depends").startswith("libc6 ")
    assert "libssl3" in field("codekem-provider", "Depends")
    assert "libssl3" not in field("codekem", "Depends")
    assert field("libcodekem0", "Multi-Arch") == "same"


def test_lintian_finds_nothing_not_even_what_is_pedantic(packages):
    text = run(
        *["lintian", "--no-cfg", "--allow-root", "--pedantic"],
        *["--fail-on", "error,warning,pedantic"],
        *["--suppress-tags", ",".join(SUPPRESSED), *packages.values()],
    )
    assert not {"E:", "W:", "P:"} & {line[:2] for line in text.splitlines()}


def test_packages_are_the_same_when_made_twice(packages, tmp_path):
    def digests(paths):
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}

    assert digests(pack_debian.pack(tmp_path)) == digests(packages.values())


@pytest.mark.parametrize("kind", ["shared", "static"])
def test_program_is_compiled_by_pkg_config(kind, tree, libraries, tmp_path, need):
    environment = os.environ | {
        "PKG_CONFIG_LIBDIR": str(libraries / "pkgconfig"),
        "PKG_CONFIG_SYSTEM_INCLUDE_PATH": "/none",
        "PKG_CONFIG_SYSTEM_LIBRARY_PATH": "/none",
        "LD_LIBRARY_PATH": str(libraries),
    }
    flags = run(need("pkg-config"), "--cflags", "--libs", "codekem", env=environment).split()
    assert all(str(tree) in flag for flag in flags if flag.startswith(("-I", "-L")))
    if kind == "static":
        flags = [flag.replace("-lcodekem", "-l:libcodekem.a") for flag in flags]
    source = package_stage.ROOT / "tests" / "packaging" / "consumer" / "consumer.c"
    run(need("gcc"), "-Wall", "-Werror", source, *flags, "-o", tmp_path / "program")
    text = run(tmp_path / "program", env=environment)
    assert text.count(" agrees") >= 15
    linked = "libcodekem.so.0" in run("readelf", "-d", tmp_path / "program")
    assert linked == (kind == "shared")


def test_command_runs_and_its_files_are_where_shells_look(tree, tmp_path):
    command = tree / "usr" / "bin" / "codekem"
    assert package_stage.version() in run(command, "--version")
    options = {name: tmp_path / name for name in ["public", "secret", "ciphertext", "shared"]}
    run(
        *[command, "keygen", "--kem", "HQC-1"],
        *["--public", options["public"], "--secret", options["secret"]],
    )
    run(
        *[command, "encaps", "--public", options["public"]],
        *["--ciphertext", options["ciphertext"], "--shared", options["shared"]],
    )
    again = tmp_path / "again"
    run(
        *[command, "decaps", "--secret", options["secret"]],
        *["--ciphertext", options["ciphertext"], "--shared", again],
    )
    assert again.read_bytes() == options["shared"].read_bytes()
    for name in [
        "bash-completion/completions/codekem",
        "zsh/vendor-completions/_codekem",
        "fish/vendor_completions.d/codekem.fish",
        "man/man1/codekem.1.gz",
    ]:
        assert (tree / "usr" / "share" / name).is_file(), name


def test_provider_is_found_by_its_own_configuration(tree, libraries):
    configuration = tree / "usr" / "share" / "codekem" / "codekem.cnf"
    environment = os.environ | {
        "OPENSSL_CONF": str(configuration),
        "OPENSSL_MODULES": str(libraries / "ossl-modules"),
    }
    text = run("/usr/bin/openssl", "list", "-kem-algorithms", env=environment)
    assert "x25519_hqc1" in text
    guide = (package_stage.ROOT / "docs" / "tls.md").read_text(encoding="utf-8")
    assert configuration.read_text(encoding="utf-8") in guide
