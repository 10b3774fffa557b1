# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A clone, by each ecosystem's own command: an empty project takes the folder of the package, which
brings its C sources by itself, and runs the program that docs/packages.md shows."""

import re
import shutil
import subprocess
import sys

import pytest

from bindings import pack_java
from bindings.tests import made_packages
from tools.packaging import package_stage

pytestmark = pytest.mark.long

KEPT = made_packages.made.BUILDS / "test-clone"  # what compilers made, by language


def run(*command, cwd, **environment):
    """Runs a command in an environment without settings of this project; returns what it prints."""
    settings = {"HOME", "PATH", "LANG", "JAVA_HOME", "MAVEN_OPTS", "SSL_CERT_FILE", "GOPROXY"}
    kept = {name: value for name, value in made_packages.os.environ.items() if name in settings}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | {name: str(value) for name, value in environment.items()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    words = " ".join(str(part) for part in command)
    assert done.returncode == 0, f"{words}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"packages in a clone not tried: install {tool}")


@pytest.fixture(scope="module")
def clone(tmp_path_factory, root):
    """A clone, with what is not committed yet."""
    folder = tmp_path_factory.mktemp("clone") / "codekem"
    run("git", "clone", "--quiet", "--shared", root, folder, cwd=root)
    changed = run("git", "ls-files", "-z", "--modified", "--others", "--exclude-standard", cwd=root)
    for name in filter(None, changed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (root / name).exists():
            shutil.copy(root / name, folder / name)
        else:
            (folder / name).unlink()
    before = run("git", "status", "--porcelain", cwd=folder)
    yield folder
    # Git ignores what packages bring.
    assert run("git", "status", "--porcelain", cwd=folder) == before


def program(root, language):
    """Returns the first program of a language on the page."""
    text = (root / "docs" / "packages.md").read_text()
    return re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]


def test_rust(clone, root, tmp_path):
    need("cargo")
    target = {"CARGO_TARGET_DIR": KEPT / "rust", "CARGO_PROFILE_DEV_DEBUG": 0}
    run("cargo", "init", "--quiet", "--name", "trial", "--vcs", "none", ".", cwd=tmp_path)
    path = clone / "bindings" / "rust" / "codekem"
    run("cargo", "add", "--quiet", "--path", path, cwd=tmp_path, **target)
    lines = program(root, "rust").splitlines()
    uses = [line for line in lines if line.startswith("use")]
    rest = [line for line in lines if not line.startswith("use")]
    text = "\n".join([*uses, "fn main() {", *rest, 'println!("{}", sent == received);', "}\n"])
    (tmp_path / "src" / "main.rs").write_text(text)
    assert run("cargo", "run", "--quiet", cwd=tmp_path, **target) == "true\n"


def test_go(clone, root, tmp_path):
    need("go", "gcc")
    module = "github.com/codekem/codekem/bindings/go"
    settings = {"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
    run("go", "generate", "./...", cwd=clone / "bindings" / "go")
    run("go", "mod", "init", "example.org/trial", cwd=tmp_path)
    replaced = f"-replace={module}={clone / 'bindings' / 'go'}"
    run(
        "go", "mod", "edit", replaced, f"-require={module}@v{package_stage.version()}", cwd=tmp_path
    )
    (tmp_path / "main.go").write_text(program(root, "go"))
    for cgo in "10":
        said = run("go", "run", ".", cwd=tmp_path, CGO_ENABLED=cgo, **settings)
        assert said == "true <nil>\n"


def test_go_says_what_to_do_first(clone, tmp_path):
    """A clone in which nothing was generated."""
    need("go", "gcc")
    fresh = tmp_path / "go"
    shutil.copytree(
        clone / "bindings" / "go", fresh, ignore=shutil.ignore_patterns("src", "include")
    )
    with pytest.raises(AssertionError, match=r"run 'go generate \./\.\.\.' in bindings/go first"):
        run("go", "build", "./internal/native", cwd=fresh)


def test_javascript(clone, root, tmp_path):
    need("node", "npm", "clang-19", "wasm-ld-19")
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    options = ["--no-audit", "--no-fund"]
    run("npm", "install", *options, clone / "bindings" / "js", cwd=tmp_path)
    (tmp_path / "program.js").write_text(program(root, "js"))
    assert run("node", "program.js", cwd=tmp_path) == "true\n"


def test_python(clone, root, tmp_path):
    environment = tmp_path / "environment"
    run(sys.executable, "-m", "venv", environment, cwd=tmp_path)
    python = environment / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", clone / "bindings" / "python", cwd=tmp_path)
    (tmp_path / "program.py").write_text(program(root, "python") + "print(len(shared_secret))\n")
    assert run(python, "program.py", cwd=tmp_path) == "32\n"


def test_java(clone, root, tmp_path):
    """Into a repository of Maven's own, from which an empty project takes it."""
    if why := made_packages.why_no_java():
        pytest.skip(why)
    made = clone / "bindings" / "java"
    pack_java.maven(made, "install", f"-Dmaven.repo.local={KEPT / 'maven'}")
    (jar,) = (KEPT / "maven").glob(
        f"io/github/codekem/codekem/*/codekem-{package_stage.version()}.jar"
    )
    programs = tmp_path / "src" / "main" / "java"
    programs.mkdir(parents=True)
    programs.with_name("java22").mkdir()
    (programs / "Example.java").write_text(program(root, "java"))
    pom = made_packages.pom_of_consumer((made / "pom.xml").read_text(), jar)
    (tmp_path / "pom.xml").write_text(pom)
    pack_java.maven(tmp_path, "compile", "-Dmaven.test.skip=true")
    java = pack_java.java_home() / "bin" / "java"
    words = ["--enable-native-access=ALL-UNNAMED", "-cp", f"{jar}:target/classes", "Example"]
    assert run(java, *words, cwd=tmp_path) == "true\n"
