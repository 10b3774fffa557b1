# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pkg-config finds the libraries wherever a distribution has its folders: relative, absolute below
the prefix, absolute elsewhere (rpm, nix); in place and in a staging folder (DESTDIR)."""

import fcntl
import functools
import os
import pathlib
import shutil

import pytest

from tools import programs

pytestmark = pytest.mark.long  # builds for itself; test_install.py looks at the usual folders

OPTIONS = {
    "CODEKEM_BUILD_CLI": "OFF",
    "CODEKEM_BUILD_LEGACY": "ON",
    "CODEKEM_LEGACY_AES": "OFF",
    "CODEKEM_BUILD_MCELIECE": "ON",
    "CODEKEM_BUILD_SOFIA": "ON",
    "CODEKEM_BUILD_MASKED": "ON",
    "CODEKEM_KEMS": "HQC-1",
    "CODEKEM_MCELIECE_KEMS": "mceliece348864",
    "CMAKE_BUILD_TYPE": "Debug",
    "CMAKE_C_FLAGS_DEBUG": "-O0",  # nothing here takes long but the compiler
}
# Header and an expression that is true, for each package.
PACKAGES = {
    "codekem": ("codekem.h", 'codekem_kem_find("HQC-1") != NULL'),
    "codekem-hybrid": ("codekem_hybrid.h", "codekem_hybrid_x25519().length_element == 32"),
    "codekem-legacy": ("codekem_legacy.h", "codekem_legacy_kem_count() > 0"),
    "codekem-masked": ("codekem_masked.h", 'codekem_masked_find("HQC-1")->shares == 2'),
    "codekem-mceliece": ("codekem_mceliece.h", "codekem_mceliece_kem_count() == 1"),
    "codekem-sofia": ("codekem_sofia.h", "codekem_sofia_status_text(CODEKEM_SOFIA_OK) != NULL"),
}
# The prefix is three folders deep, and what is elsewhere is not: wrong steps upward then show.
PREFIX = "some/where/prefix"
FOLDERS = {
    "relative": "{name}64",
    "below": f"{{top}}/{PREFIX}/{{name}}",
    "elsewhere": "{top}/{name}/",
}


run = functools.partial(programs.run, AssertionError, apart=True)


@pytest.fixture(scope="module")
def tree(build):
    return build("default", **OPTIONS)


def install(tree, top, libdir, includedir, destdir):
    """Configures one build tree anew, and installs it, one process at a time."""
    with (tree / ".install-lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(
            *["cmake", f"-DCMAKE_INSTALL_PREFIX={top / PREFIX}"],
            f"-DCMAKE_INSTALL_LIBDIR={FOLDERS[libdir].format(top=top, name='lib')}",
            f"-DCMAKE_INSTALL_INCLUDEDIR={FOLDERS[includedir].format(top=top, name='include')}",
            tree,
        )
        run("cmake", "--install", tree, env=os.environ | {"DESTDIR": str(destdir)})


def compile_and_run(package, pkg_config, folder, libdir):
    header, expression = PACKAGES[package]
    source = folder / f"{package}.c"
    source.write_text(f"#include <{header}>\nint main(void) {{ return !({expression}); }}\n")
    flags = pkg_config("--cflags", "--libs", package).split()
    run("gcc", source, "-o", folder / package, *flags)
    run(folder / package, env=os.environ | {"LD_LIBRARY_PATH": str(libdir)})


@pytest.mark.parametrize("staged", ["in place", "DESTDIR"])
@pytest.mark.parametrize("includedir", FOLDERS)
@pytest.mark.parametrize("libdir", FOLDERS)
def test_pkg_config_finds_what_is_installed(libdir, includedir, staged, tree, tmp_path, need):
    need("pkg-config")
    top = tmp_path / "top"
    staging = tmp_path / "staging" if staged == "DESTDIR" else None
    install(tree, top, libdir, includedir, staging or "")
    root = staging / top.relative_to("/") if staging else top
    (file,) = root.rglob("pkgconfig/codekem.pc")
    environment = os.environ | {"PKG_CONFIG_PATH": str(file.parent)}
    if staging:
        environment["PKG_CONFIG_SYSROOT_DIR"] = str(staging)

    def pkg_config(*arguments):
        return run("pkg-config", *arguments, env=environment).strip()

    follows = "elsewhere" not in (libdir, includedir)
    assert ("${pcfiledir}" in file.read_text()) == follows
    for package in PACKAGES:
        text = (file.parent / f"{package}.pc").read_text()
        names = ["prefix", "libdir", "includedir"]
        values = [pkg_config(f"--variable={name}", package) for name in names]
        assert "//" not in text and not any("//" in value for value in values)
        assert pathlib.Path(os.path.normpath(values[0])) == root / PREFIX
        compile_and_run(package, pkg_config, tmp_path, file.parent.parent)


def test_installed_tree_can_be_moved_if_its_folders_were_absolute(tree, tmp_path, need):
    """Those below the prefix, which cmake --install --prefix moves, too."""
    need("pkg-config")
    top = tmp_path / "top"
    install(tree, top, "below", "below", "")
    shutil.rmtree(top)
    with (tree / ".install-lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(
            *["cmake", f"-DCMAKE_INSTALL_PREFIX={top / PREFIX}", tree],
            *[f"-DCMAKE_INSTALL_{name}DIR={top / PREFIX / name}" for name in ("LIB", "INCLUDE")],
        )
        run("cmake", "--install", tree, "--prefix", tmp_path / "first")
    (tmp_path / "first").rename(tmp_path / "second")
    assert not top.exists()
    environment = os.environ | {"PKG_CONFIG_PATH": str(tmp_path / "second/LIB/pkgconfig")}

    def pkg_config(*arguments):
        return run("pkg-config", *arguments, env=environment).strip()

    for package in PACKAGES:
        compile_and_run(package, pkg_config, tmp_path, tmp_path / "second" / "LIB")
