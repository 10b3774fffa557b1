# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Recipes for other package managers: what is filled in; and, where the managers' own programs are,
what these make of them."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from tools.packaging import addresses, pack_source, package_stage, recipes

long = pytest.mark.long
RENDER = """
import sys
from rattler_build import Stage0Recipe, VariantConfig
pins = {"c_stdlib": ["sysroot"], "c_compiler": ["gcc"], "cxx_compiler": ["gxx"]}
for one in Stage0Recipe.from_file(sys.argv[1]).render(VariantConfig(pins)):
    print(one)
"""
# nixpkgs, as far as the recipe asks.
NIXPKGS = """
let
  lib = { licenses = { asl20 = "Apache-2.0"; mit = "MIT"; }; platforms.unix = [ ]; };
  stdenv.mkDerivation = make: let self = make self; in self;
in import RECIPE {
  inherit lib stdenv; fetchurl = what: what;
  cmake = 1; ninja = 2; pkg-config = 3; cli11 = 4; nlohmann_json = 5;
}
"""


def run(*command, **options):
    """Runs a command that must succeed; returns what it printed, errors too."""
    done = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-9000:]}"
    return done.stdout


@pytest.fixture
def made_up(tmp_path):
    """Recipes for an archive that is none."""
    (tmp_path / "source").write_text("archive")
    recipes.write(tmp_path / "recipes", tmp_path / "source", recipes.released("source.tar.xz"))
    return tmp_path / "recipes"


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Recipes for the archive of these sources, and the archive."""
    folder = tmp_path_factory.mktemp("recipes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(package_stage.ALLOW_DIRTY, "1")
        (archive,) = pack_source.pack(folder)
    recipes.write(folder / "recipes", archive, archive.as_uri())
    return folder / "recipes", archive


def need_program(name, where):
    if shutil.which(name) is None:
        pytest.skip(f"recipe not tried: {name} is missing ({where})")
    return name


def test_all_is_filled_in(made_up):
    text = {
        path.relative_to(made_up).as_posix(): path.read_text(encoding="utf-8")
        for path in made_up.rglob("*")
        if path.is_file()
    }
    assert not any(re.search(r"@[A-Z0-9]+@", one) for one in text.values())
    releases = addresses.addresses()["releases"]
    address = f"{releases}/download/v{package_stage.version()}/source.tar.xz"
    digests = {
        "conan/conandata.yml": hashlib.sha256(b"archive").hexdigest(),
        "conda/recipe.yaml": hashlib.sha256(b"archive").hexdigest(),
        "homebrew/codekem.rb": hashlib.sha256(b"archive").hexdigest(),
        "nix/package.nix": "sha256-DrPja/sk3Nm7HRvs4VMSFrWVOaj94X7oAiSvBlPJKqM=",
        "vcpkg/portfile.cmake": hashlib.sha512(b"archive").hexdigest(),
    }
    for name, digest in digests.items():
        assert digest in text[name] and address in text[name], name
    assert json.loads(text["vcpkg/vcpkg.json"])["version"] == package_stage.version()
    consumer = text["conan/test_package/consumer.c"]
    assert consumer == text["vcpkg/consumer/consumer.c"] == text["conda/consumer.c"]


def test_what_is_there_stays(made_up, tmp_path, capsys, monkeypatch):
    (made_up / "conda" / "recipe.yaml").write_text("mine")
    source = str(tmp_path / "source")
    monkeypatch.setattr("sys.argv", ["recipes.py", str(made_up), "--source", source])
    assert recipes.main() == 1
    assert "is not empty" in capsys.readouterr().err
    assert (made_up / "conda" / "recipe.yaml").read_text() == "mine"
    monkeypatch.setattr("sys.argv", ["recipes.py", str(tmp_path / "new"), "--source", "none"])
    assert recipes.main() == 1
    assert not (tmp_path / "new").exists()


def test_unknown_placeholder_is_an_error():
    known = dict.fromkeys(["VERSION", "URL", "SHA256", "SHA512", "SRI"], "")
    with pytest.raises(ValueError, match="there is no @REPOSITORY@"):
        recipes.texts(known)


def test_consumer_links_and_agrees(build, root, need, tmp_path):
    library = build("gcc", targets=["codekem_static"]) / "libcodekem.a"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}"]
    run(need("gcc"), *flags, recipes.TEMPLATES / "consumer.c", library, "-o", tmp_path / "program")
    assert run(tmp_path / "program").count(" agrees") >= 6


@long
@pytest.mark.parametrize("shared", ["False", "True"])
def test_conan_builds_it_and_its_consumer(shared, real, tmp_path):
    conan = need_program("conan", "PyPI's conan 2")
    environment = os.environ | {"CONAN_HOME": str(tmp_path / "home")}
    run(conan, "profile", "detect", env=environment)
    version = run("cmake", "--version").split()[2]
    with (tmp_path / "home/profiles/default").open("a") as profile:
        profile.write(f"\n[platform_tool_requires]\ncmake/{version}\n")  # fetches none
    options = ["--version", package_stage.version(), "-o", f"codekem/*:shared={shared}"]
    text = run(conan, "create", real[0] / "conan", *options, env=environment)
    assert text.count(" agrees") >= 6
    (package,) = (tmp_path / "home/p/b").glob("*/p/lib")
    kinds = {path.suffix for path in package.iterdir()}
    assert (".a" in kinds, ".so" in kinds) == (shared == "False", shared == "True")


@long
@pytest.mark.parametrize("triplet", ["x64-linux", "x64-linux-dynamic"])
def test_vcpkg_builds_it(triplet, real, need, tmp_path):
    """By its scripts, called as its program does."""
    place = os.environ.get("CODEKEM_VCPKG")
    if place is None:
        pytest.skip("recipe not tried: CODEKEM_VCPKG names no checkout of vcpkg")
    folder, archive = real
    share = tmp_path / "installed" / triplet / "share"
    helpers = [share / name for name in ("vcpkg-cmake", "vcpkg-cmake-config")]
    for helper in helpers:
        shutil.copytree(f"{place}/ports/{helper.name}", helper)
    (tmp_path / "downloads").mkdir()
    shutil.copy(archive, tmp_path / "downloads")
    (file,) = pathlib.Path(place, "triplets").rglob(f"{triplet}.cmake")
    packages = tmp_path / "packages" / f"codekem_{triplet}"
    variables = {
        "CMD": "BUILD",
        "PORT": "codekem",
        "VERSION": package_stage.version(),
        "FEATURES": "core",
        "ALL_FEATURES": "",
        "TARGET_TRIPLET": triplet,
        "_HOST_TRIPLET": triplet,
        "TARGET_TRIPLET_FILE": file,
        "CURRENT_PORT_DIR": folder / "vcpkg",
        "CURRENT_PACKAGES_DIR": packages,
        "CURRENT_BUILDTREES_DIR": tmp_path / "trees" / "codekem",
        "BUILDTREES_DIR": tmp_path / "trees",
        "PACKAGES_DIR": tmp_path / "packages",
        "_VCPKG_INSTALLED_DIR": tmp_path / "installed",
        "VCPKG_PORT_CONFIGS": ";".join(f"{one}/vcpkg-port-config.cmake" for one in helpers),
        "DOWNLOADS": tmp_path / "downloads",
        "VCPKG_ROOT_DIR": place,
        "Z_VCPKG_CHAINLOAD_TOOLCHAIN_FILE": f"{place}/scripts/toolchains/linux.cmake",
        "VCPKG_BASE_VERSION": "2026-08-22",
        "VCPKG_CONCURRENCY": os.cpu_count() or 1,
        "VCPKG_PLATFORM_TOOLSET": "external",
        "VCPKG_USE_HEAD_VERSION": 0,
        "_VCPKG_NO_DOWNLOADS": 1,
        "_VCPKG_EDITABLE": 0,
        "NINJA": need("ninja"),
        "PATCHELF": need("patchelf"),
        "GIT": need("git"),
    }
    defined = [f"-D{name}={value}" for name, value in variables.items()]
    run(need("cmake"), *defined, "-P", f"{place}/scripts/ports.cmake")
    shared = (packages / "lib" / "libcodekem.so").exists()
    assert shared == triplet.endswith("dynamic")
    consumer = ["-S", folder / "vcpkg/consumer", "-B", tmp_path / "consumer"]
    options = [f"-DCMAKE_PREFIX_PATH={packages}", "-DCMAKE_BUILD_TYPE=Release"]
    run("cmake", "-G", "Ninja", *consumer, *options)
    run("ninja", "-C", tmp_path / "consumer")
    assert run(tmp_path / "consumer" / "consumer").count(" agrees") >= 6


@long
def test_nix_reads_it(made_up, tmp_path):
    nix = need_program("nix-instantiate", "Debian's nix-bin")
    (tmp_path / "stub.nix").write_text(NIXPKGS.replace("RECIPE", str(made_up / "nix/package.nix")))
    said = json.loads(run(nix, "--eval", "--strict", "--json", tmp_path / "stub.nix"))
    assert said["version"] == package_stage.version()
    assert said["meta"]["license"] == ["Apache-2.0", "MIT"]


@long
def test_rattler_renders_it(made_up):
    if subprocess.run([sys.executable, "-c", "import rattler_build"], check=False).returncode != 0:
        pytest.skip("recipe not tried: PyPI's py-rattler-build is missing")
    text = run(sys.executable, "-c", RENDER, made_up / "conda" / "recipe.yaml")
    assert f"package='codekem', version='{package_stage.version()}'" in text


@long
def test_ruby_reads_it(made_up):
    ruby = need_program("ruby", "Debian's ruby")
    assert "Syntax OK" in run(ruby, "-wc", made_up / "homebrew" / "codekem.rb")
