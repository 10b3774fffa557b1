# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages pass the vectors in Wycheproof's form, each by a program that answers lines."""

import collections
import shutil
import subprocess
import sys

import pytest

from bindings import pack_java
from bindings.tests import go_packages, made_packages, rust_crates
from tests.wycheproof import make, run
from tools.packaging import package_stage

pytestmark = pytest.mark.slow
LANGUAGES = ["go", "java", "js", "python", "rust"]
KEMS = ["BIKE-L1", "HQC-1"]


def go_command(root, folder):
    consumer = go_packages.Consumer(folder, made_packages.found("go"), made_packages.MODULES)
    consumer.go("get", f"{go_packages.MODULE}@v{package_stage.version()}")
    (folder / "vectors").mkdir()
    shutil.copy(root / "bindings/tests/go_vectors.go", folder / "vectors")
    consumer.go("build", "-o", folder / "program", "./vectors")
    return [folder / "program"]


def java_command(_root, _folder):
    made = made_packages.found("java")
    (jar,) = made.glob(f"java/**/codekem-{package_stage.version()}.jar")
    return [
        *[pack_java.java_home() / "bin" / "java", "--module-path", jar],
        *["--add-modules", "io.github.codekem", "--enable-native-access=io.github.codekem"],
        *["-XX:TieredStopAtLevel=1", "-cp", made / "project" / "target" / "classes", "Vectors"],
    ]


def js_command(root, folder):
    (archive,) = made_packages.found("js").glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund", archive]
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    shutil.copy(root / "bindings/tests/js_vectors.mjs", folder)
    return ["node", folder / "js_vectors.mjs"]


def python_command(root, _folder):
    python = made_packages.found("python") / "environment" / "bin" / "python"
    return [python, root / "bindings/tests/python_vectors.py"]


def rust_command(_root, _folder):
    """An example of the crate."""
    return [rust_crates.example(made_packages.found("rust"), "vectors")]


@pytest.fixture(scope="session")
def program_of(root, tmp_path_factory):
    """program_of("go") returns the program of a package."""
    made = {}

    def find(name):
        if name not in made:
            why_not, _ = made_packages.MAKE[name]
            if why := why_not():
                pytest.skip(why)
            command = getattr(sys.modules[__name__], f"{name}_command")
            words = command(root, tmp_path_factory.mktemp(name))
            made[name] = run.Program(list(map(str, words)))
        return made[name]

    yield find
    for program in made.values():
        program.close()


def passes(program, folder):
    counts = collections.Counter()
    for path in sorted(folder.glob("*.json")):
        found = run.run(program, path)
        wrong = {case: said for case, said in found.items() if said not in run.GOOD}
        assert not wrong, path.name
        counts += collections.Counter(found.values())
    assert counts["passed"] > counts["refused"] and not counts["not expressible"]
    return counts.total()


@pytest.fixture(scope="session")
def some(tmp_path_factory):
    """One case of each flag of BIKE-L1."""
    folder = tmp_path_factory.mktemp("vectors")
    make.main([str(folder), "--every", "1000", "--kem", "BIKE-L1"])
    return folder


@pytest.mark.parametrize("language", ["js", "python"])  # the others compile first
def test_some_vectors_pass(language, program_of, some):
    assert passes(program_of(language), some) >= 7


@pytest.mark.long
@pytest.mark.parametrize("kem", KEMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_vectors_pass(language, kem, program_of, tmp_path):
    make.main([str(tmp_path), "--kem", kem])
    assert passes(program_of(language), tmp_path) >= 90
