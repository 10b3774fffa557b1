# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Installs the provider, and loads it with the configuration that the installation prints."""

import os
import shutil
import subprocess

import pytest

from tls_programs import run


def modules_folder(need):
    """Returns the folder in which OpenSSL looks for providers."""
    return subprocess.run([need("pkg-config"), "--variable=modulesdir", "libcrypto"],
                          capture_output=True, text=True, check=True).stdout.strip()


def test_printed_configuration_loads_the_installed_module(build, openssl_path, tmp_path):
    done = run(["cmake", "--install", build("gcc"), "--prefix", tmp_path / "tree"])
    lines = done.stdout[done.stdout.index("openssl_conf = openssl_init"):].splitlines()
    last = max(i for i, line in enumerate(lines) if line == "activate = 1")
    (tmp_path / "openssl.cnf").write_text("\n".join(lines[:last + 1]) + "\n")
    assert f"module = {tmp_path}/tree/lib" in done.stdout
    listed = run([openssl_path, "list", "-providers"], tmp_path / "openssl.cnf").stdout
    assert "codekem: BIKE and HQC" in listed and "OpenSSL Default Provider" in listed


def test_staged_installation_into_openssls_folder(build, root, need, tmp_path):
    """DESTDIR goes before the folder, so that packages can be made without touching the system."""
    folder = build("gcc", targets=["codekem_provider", "codekem_shared"])
    cache = [line for line in (folder / "CMakeCache.txt").read_text().splitlines()
             if line.startswith("CMAKE_C_COMPILER:")]
    modules = modules_folder(need)
    other = tmp_path / "build"
    run(["cmake", "-G", "Ninja", "-S", root, "-B", other, f"-D{cache[0]}",
         "-DCODEKEM_BUILD_PROVIDER=ON", "-DCODEKEM_BUILD_CLI=OFF",
         f"-DCODEKEM_OPENSSL_MODULES={modules}"])
    shutil.copy(folder / "ossl-modules" / "codekem.so", other / "ossl-modules")
    done = run(["cmake", "-DCMAKE_INSTALL_COMPONENT=Unspecified", "-P",
                other / "openssl-provider" / "cmake_install.cmake"],
               DESTDIR=str(tmp_path / "stage"))
    assert (tmp_path / "stage" / modules.lstrip("/") / "codekem.so").is_file()
    assert "module = " not in done.stdout and "activate = 1" in done.stdout


@pytest.mark.parametrize("prefix, below", [("/usr", None), ("/usr/local", None),
                                           ("/home/me/tree", "/home/me/tree/lib/ossl-modules")])
def test_make_takes_openssls_folder_unless_told_otherwise(prefix, below, root, need):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PREFIX", "MODULESDIR", "MAKEFLAGS")}
    shown = subprocess.run([need("make"), "-n", "build", f"PREFIX={prefix}"], cwd=root,
                           env=environment, capture_output=True, text=True, check=True).stdout
    assert f"-DCODEKEM_OPENSSL_MODULES='{below or modules_folder(need)}'" in shown
