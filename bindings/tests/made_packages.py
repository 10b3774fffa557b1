# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packages as the tests need them: packed, unpacked or installed, once for all processes.

usage: python -m bindings.tests.made_packages NAME    go, java, js, python, rust or wasm

It makes build/test-package-NAME anew; tools/made.py calls it, as bindings/made.cmake says. What is
not there for it is said, and is no error: the tests say it, too.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from xml.etree import ElementTree

from bindings import pack_go, pack_java, pack_js, pack_page, pack_python, pack_rust
from bindings.shared import wasm_module
from bindings.tests import go_packages, rust_crates
from tests.fixtures import NotMade
from tools import made
from tools.packaging import package_stage

ROOT = package_stage.ROOT
POM = "{http://maven.apache.org/POM/4.0.0}"
STAMP = "made"
EPOCH = "1700000000"  # in archives, whatever commit they are made of


def folder_of(name):
    return made.BUILDS / f"test-package-{name}"


def found(name):
    """Returns the folder of a package; raises NotMade if it is missing or old."""
    if why := made.why_not_made(f"package-{name}"):
        raise NotMade(f"{why}: {made.how_to_make(f'package-{name}')}")
    return folder_of(name)


# --- Go -------------------------------------------------------------------------------------------

MODULES = made.BUILDS / "test-go"  # what go has fetched


def why_no_go():
    version = go_packages.version_of_go()
    if version is None or version < go_packages.NEEDED:
        needed = ".".join(map(str, go_packages.NEEDED))
        return f"Go packages not run: they need Go {needed} or later, with gcc"
    return None


def make_go(folder):
    """go/: the archives."""
    go_packages.forget(MODULES)
    pack_go.pack(folder)


# --- Java -----------------------------------------------------------------------------------------


def why_no_java():
    if shutil.which("mvn") is None:
        return "Java package not run: it needs Maven (package maven)"
    try:
        pack_java.java_home()
    except OSError as error:
        return f"Java package not run: {error}"
    return None


def pom_of_consumer(text, jar):
    """Returns the project's pom as that of a project that takes the jar as it is."""
    ElementTree.register_namespace("", POM.strip("{}"))
    project = ElementTree.fromstring(text)
    project.find(f"{POM}artifactId").text = "consumer"
    dependency = ElementTree.SubElement(project.find(f"{POM}dependencies"), f"{POM}dependency")
    for name, value in {
        "groupId": "io.github.codekem",
        "artifactId": "codekem",
        "version": package_stage.version(),
        "scope": "system",
        "systemPath": str(jar),
    }.items():
        ElementTree.SubElement(dependency, f"{POM}{name}").text = value
    return ElementTree.tostring(project, encoding="unicode")


def make_java(folder):
    """java/: the jar, with the library of other tests for this machine alone. project/: its tests,
    the guide's example and a program for exchanges. said: what Maven printed of the tests."""
    library = folder / pack_java.PLATFORMS[pack_java.host()][1]
    command = ["strip", "--strip-all", "-o", library, made.BUILDS / "test-gcc" / "libcodekem.so"]
    subprocess.run(command, check=True)
    libraries = {pack_java.host(): library}
    staged = pack_java.stage(folder / "stage", libraries)
    pack_java.pack(folder, libraries)
    (jar,) = folder.rglob(f"codekem-{package_stage.version()}.jar")
    programs = folder / "project" / "src" / "main" / "java"
    programs.mkdir(parents=True)
    programs.with_name("java22").mkdir()  # of the pom; the programs have no other classes for it
    guide = (ROOT / "docs" / "packages.md").read_text()
    (example,) = re.findall(r"^```java\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    (programs / "Example.java").write_text(example)
    for name in ["Exchange", "Keys", "Loading", "Vectors"]:
        shutil.copy(ROOT / "bindings/tests" / f"{name}.java", programs)
    shutil.copytree(staged / "src" / "test", folder / "project" / "src" / "test")
    pom = pom_of_consumer((staged / "pom.xml").read_text(), jar)
    (folder / "project" / "pom.xml").write_text(pom)
    said = pack_java.maven(folder / "project", "package", "-Dmaven.test.failure.ignore=true")
    (folder / "said").write_text(said)


# --- JavaScript -----------------------------------------------------------------------------------


def why_no_js():
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "the npm package not tested: install Node.js 20 or newer, and npm"
    return None


def make_js(folder):
    """stage/, the archive, the page to try codekem, or no-page, which says why there is none."""
    staged = pack_js.stage(folder / "stage")
    pack_js.pack_archive(staged, folder)
    try:
        pack_page.build_page(staged, folder)
    except OSError as error:
        (folder / "no-page").write_text(str(error))


# --- Python ---------------------------------------------------------------------------------------


def run(*command, **options):
    """Runs a command that must succeed, outside the checkout; returns what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **{"cwd": "/", **options},
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout[-6000:]}"
    return done.stdout


def new_environment(folder, interpreter, *wanted):
    """Makes an empty environment and installs an archive into it, by uv, which knows interpreters
    that pip of Debian 12 does not; returns its Python. wanted: options and archives."""
    run(interpreter, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--native-tls"]
    run(*uv, "--python", python, *wanted)
    return python


def make_python(folder):
    """dist/: sdist and wheel; environment/: the wheel installed; the sdist unpacked. What is tested
    is the packing: with -O1 the compiler needs half the time."""
    release = [f"-DCMAKE_{language}_FLAGS_RELEASE=-O1" for language in ("C", "CXX")]
    os.environ["CMAKE_ARGS"] = " ".join(release)
    sdist, wheel = pack_python.pack(folder / "dist")
    new_environment(folder / "environment", sys.executable, wheel, "--no-index")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)


# --- Rust -----------------------------------------------------------------------------------------


def why_no_rust():
    if pack_rust.cargo_version() < pack_rust.NEEDED:
        needed = ".".join(map(str, pack_rust.NEEDED))
        return f"the crates were not tested: they are packed by cargo {needed} or later (rustup)"
    return None


def make_rust(folder):
    """archives/; installed/: the library as `cmake --install` does it; and, outside the checkout,
    the workspace of rust_crates."""
    rust_crates.unpack(pack_rust.pack(folder / "archives"))
    run("cmake", "--install", made.BUILDS / "test-gcc", "--prefix", folder / "installed")


# --- WebAssembly ----------------------------------------------------------------------------------


def make_wasm(folder):
    """The module that packages embed, with vectors and without."""
    wasm_module.build(folder / "plain.wasm")
    wasm_module.build(folder / "simd.wasm", simd=True)


MAKE = {
    "go": (why_no_go, make_go),
    "java": (why_no_java, make_java),
    "js": (why_no_js, make_js),
    "python": (lambda: None, make_python),
    "rust": (why_no_rust, make_rust),
    "wasm": (lambda: None, make_wasm),
}


def main(name):
    why_not, make = MAKE[name]
    if why := why_not():
        print(why)
        return
    os.environ |= {package_stage.ALLOW_DIRTY: "1", "SOURCE_DATE_EPOCH": EPOCH}
    folder = folder_of(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder)
    (folder / STAMP).touch()


if __name__ == "__main__":
    main(sys.argv[1])
