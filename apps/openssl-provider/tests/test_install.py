# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Installs the provider, and loads it with the configuration that is installed with it."""

import os
import shutil
import subprocess

import pytest

from tests.tls_programs import run


def modules_folder(need):
    """Returns the folder in which OpenSSL looks for providers."""
    return subprocess.run(
        [need("pkg-config"), "--variable=modulesdir", "libcrypto"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_installed_configuration_loads_the_installed_module(build, openssl_path, tmp_path):
    done = run(["cmake", "--install", build("gcc"), "--prefix", tmp_path / "tree"])
    configuration = tmp_path / "tree" / "share" / "codekem" / "codekem.cnf"
    assert f"export OPENSSL_CONF={configuration}\n" in done.stdout
    assert f"module = {tmp_path}/tree/lib" in configuration.read_text()
    assert configuration.stat().st_mode & 0o777 == 0o644  # services read it, too
    listed = run([openssl_path, "list", "-providers"], configuration).stdout
    assert "codekem: BIKE and HQC" in listed and "OpenSSL Default Provider" in listed


@pytest.fixture(scope="module")
def configured(build, root, tmp_path_factory):
    """configured(prefix, modules) configures a build as make does; returns a function that installs
    the provider alone below DESTDIR, maybe with another prefix, and returns what it printed."""
    folder = build("gcc", targets=["codekem_provider", "codekem_shared"])
    cache = [
        line
        for line in (folder / "CMakeCache.txt").read_text().splitlines()
        if line.startswith("CMAKE_C_COMPILER:")
    ]

    def configure(prefix, modules):
        other = tmp_path_factory.mktemp("build")
        run(
            [
                "cmake",
                "-G",
                "Ninja",
                "-S",
                root,
                "-B",
                other,
                f"-D{cache[0]}",
                "-DCODEKEM_BUILD_PROVIDER=ON",
                "-DCODEKEM_BUILD_CLI=OFF",
                f"-DCMAKE_INSTALL_PREFIX={prefix}",
                f"-DCODEKEM_OPENSSL_MODULES={modules}",
            ]
        )
        shutil.copy(folder / "ossl-modules" / "codekem.so", other / "ossl-modules")

        def install(stage, prefix=None):
            """What `cmake --install --prefix` runs for this folder."""
            options = [] if prefix is None else [f"-DCMAKE_INSTALL_PREFIX={prefix}"]
            return run(
                [
                    "cmake",
                    "-DCMAKE_INSTALL_COMPONENT=Unspecified",
                    *options,
                    "-P",
                    other / "apps" / "openssl-provider" / "cmake_install.cmake",
                ],
                DESTDIR=str(stage),
            ).stdout

        return install

    return configure


def installed(stage):
    """Returns where the module went, as a path below the stage."""
    return [f"/{path.relative_to(stage)}" for path in stage.rglob("codekem.so")]


def configuration_of(stage, prefix):
    """Returns the text of the configuration that was installed below stage for a prefix."""
    return (stage / f"{prefix}/share/codekem/codekem.cnf".lstrip("/")).read_text()


def test_installation_into_openssls_folder_and_elsewhere(configured, root, need, tmp_path):
    """DESTDIR goes before the folder, so that packages can be made without touching the system; and
    with another prefix, nothing is written outside it."""
    modules = modules_folder(need)
    install = configured("/usr/local", modules)
    said = install(tmp_path / "first")
    assert installed(tmp_path / "first") == [f"{modules}/codekem.so"]
    assert "export OPENSSL_CONF=/usr/local/share/codekem/codekem.cnf\n" in said
    shown = (root / "docs" / "tls.md").read_text()
    assert f"```ini\n{configuration_of(tmp_path / 'first', '/usr/local')}```" in shown

    install(tmp_path / "second", "/home/me/tree")
    [path] = installed(tmp_path / "second")
    assert path.startswith("/home/me/tree/lib") and path.endswith("/ossl-modules/codekem.so")
    assert f"module = {path}\n" in configuration_of(tmp_path / "second", "/home/me/tree")

    assert modules.startswith("/usr/")
    install(tmp_path / "third", "/usr")  # which OpenSSL's folder is below
    assert installed(tmp_path / "third") == [f"{modules}/codekem.so"]


@pytest.mark.parametrize(
    "modules, place",
    [
        ("/home/me/tree/lib/modules", "lib/modules"),
        ("lib/modules", "lib/modules"),
        ("/opt/openssl/modules", "lib*/ossl-modules"),
    ],
)
def test_installation_with_another_prefix_is_below_it(modules, place, configured, tmp_path):
    install = configured("/home/me/tree", modules)
    install(tmp_path / "moved", "/home/you/it")
    assert list((tmp_path / "moved").rglob("codekem.so")) == list(
        (tmp_path / "moved" / "home" / "you" / "it").glob(f"{place}/codekem.so")
    )
    assert len(installed(tmp_path / "moved")) == 1
    install(tmp_path / "meant")
    assert len(installed(tmp_path / "meant")) == 1
    expected = modules if modules.startswith("/") else f"/home/me/tree/{modules}"
    assert installed(tmp_path / "meant") == [f"{expected}/codekem.so"]


@pytest.mark.parametrize(
    "prefix, below",
    [("/usr", None), ("/usr/local", None), ("/home/me/tree", "/home/me/tree/lib/ossl-modules")],
)
def test_make_takes_openssls_folder_unless_told_otherwise(prefix, below, root, need):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PREFIX", "MODULESDIR", "MAKEFLAGS")
    }
    shown = subprocess.run(
        [need("make"), "-n", "build", f"PREFIX={prefix}"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"-DCODEKEM_OPENSSL_MODULES='{below or modules_folder(need)}'" in shown
