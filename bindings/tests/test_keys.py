# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in PEM: what one package, the command or the provider for OpenSSL writes, all read."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from bindings import pack_java
from bindings.tests import go_packages, made_packages, rust_crates
from bindings.tests.key_exchange import FORMS, OpenSSL, Program, Refused, expected
from tests.malformed_keys import parts_of, private_keys, public_keys, shared_cases
from tests.rooms import need_room
from tests.samples import counting
from tests.tls_programs import run, write_configuration
from tools import mistakes
from tools.packaging import package_stage

LANGUAGES = ["go", "java", "js", "python", "rust"]
long = pytest.mark.long
# `make test` has those whose programs need no compiler; the others exchange a secret with the
# command in tests of their own.
EACH = [pytest.param(name, marks=[] if name in ("js", "python") else long) for name in LANGUAGES]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def provider(build, tmp_path_factory):
    """OpenSSL with the provider."""
    need_room("apps")
    folder = tmp_path_factory.mktemp("provider")
    module = build("gcc", targets=["codekem_provider"]) / "ossl-modules" / "codekem.so"

    def with_form(form):
        path = folder / f"{form}.cnf"
        if not path.exists():
            write_configuration(path, module, f"keys.form = {form}")
        return lambda *arguments, **options: run(
            ["/usr/bin/openssl", *arguments], configuration=path, **options
        )

    # The default is what a configuration without the entry gives.
    write_configuration(folder / "none.cnf", module)
    return OpenSSL(with_form("none"), with_form)


def go_program(root, folder):
    consumer = go_packages.Consumer(folder, made_packages.found("go"), made_packages.MODULES)
    consumer.go("get", f"{go_packages.MODULE}@v{package_stage.version()}")
    (folder / "keys").mkdir()
    shutil.copy(root / "bindings/tests/go_keys.go", folder / "keys")
    consumer.go("build", "-o", folder / "program", "./keys")
    return Program(folder / "program")


def java_program(_root, _folder):
    made = made_packages.found("java")
    (jar,) = made.glob(f"java/**/codekem-{package_stage.version()}.jar")
    return Program(
        *[pack_java.java_home() / "bin" / "java", "--module-path", jar],
        *["--add-modules", "io.github.codekem", "--enable-native-access=io.github.codekem"],
        *["-XX:TieredStopAtLevel=1", "-cp", made / "project" / "target" / "classes", "Keys"],
    )


def js_program(root, folder):
    (archive,) = made_packages.found("js").glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund", archive]
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    shutil.copy(root / "bindings/tests/js_keys.mjs", folder)
    return Program("node", folder / "js_keys.mjs")


def python_program(root, _folder):
    python = made_packages.found("python") / "environment" / "bin" / "python"
    return Program(python, root / "bindings/tests/python_keys.py")


def rust_program(_root, _folder):
    """The example of the crate, which its own tests have built, too."""
    return Program(
        rust_crates.example(made_packages.found("rust"), "pem_keys", "--features", "pkcs8")
    )


@pytest.fixture(scope="session")
def program_of(root, provider, tmp_path_factory):
    """program_of("go") returns the program of a package; "openssl" is the provider."""
    made = {"openssl": provider}

    def find(name):
        if name not in made:
            why_not, _ = made_packages.MAKE[name]
            if why := why_not():
                pytest.skip(why)
            make = getattr(sys.modules[__name__], f"{name}_program")
            made[name] = make(root, tmp_path_factory.mktemp(name))
        return made[name]

    return find


def seed_of(library, kem):
    return counting(library.kem(kem).length_keypair_seed)


def check_exchanges(library, writer, readers, kems):
    """Each reader finds the key that the writer has written, in each form; returns how many."""
    wanted = [(kem, seed_of(library, kem), form) for kem in kems for form in FORMS]
    files = writer.write(wanted)
    for (kem, seed, form), (private, _) in zip(wanted, files, strict=True):
        assert form != "seed" or len(private) < 150 or kem.startswith("BIKE")
        key = expected(library, kem, seed, form)
        assert private.startswith("-----BEGIN PRIVATE KEY-----\n"), (kem, form)
        assert len(private) > len(key.secret) or form == "seed"
    read = 0
    for reader in readers:
        found = reader.read([("private", kem, files[i][0]) for i, (kem, *_) in enumerate(wanted)])
        assert found == [expected(library, *one) for one in wanted]
        read += len(found)
        given = [("public", kem, files[i][1]) for i, (kem, *_) in enumerate(wanted)]
        assert reader.read(given) == [(one.kem, one.public) for one in found]
    return read


@pytest.mark.parametrize("name", EACH)
def test_exchange_with_openssl(name, program_of, library):
    """Key files that one writes, the other reads; nothing else is exchanged."""
    kems = ["HQC-1", "BIKE-L1"]
    check_exchanges(library, program_of(name), [program_of("openssl")], kems)
    check_exchanges(library, program_of("openssl"), [program_of(name)], kems)


@pytest.mark.parametrize("name", [*EACH, "openssl"])
def test_default_is_the_seed_and_all_write_the_same(name, program_of, library):
    """Byte for byte, as the library's seeds make the same keys everywhere."""
    wanted = [(kem, seed_of(library, kem), "default") for kem in package_stage.KEMS]
    files = program_of(name).write(wanted)
    seeds = program_of("python").write([(kem, seed, "seed") for kem, seed, _ in wanted])
    assert files == seeds
    assert all(len(private) < 150 for private, _ in files[3:]) and package_stage.KEMS[3] == "HQC-1"


@long
def test_all_read_what_any_writes(program_of, library):
    """Six writers, six readers, three KEMs, three forms."""
    programs = [program_of(name) for name in [*LANGUAGES, "openssl"]]
    kems = [kem for kem in package_stage.KEMS if kem.startswith("HQC")]
    assert sum(check_exchanges(library, one, programs, kems) for one in programs) == 324


@long
def test_all_read_bike(program_of, library):
    programs = [program_of(name) for name in [*LANGUAGES, "openssl"]]
    kems = [kem for kem in package_stage.KEMS if kem.startswith("BIKE")]
    for one in programs:
        check_exchanges(library, one, programs, kems)


def pair_in_pem(program, kem, seed):
    """Returns a pair whose private key has seed and secret, and another public key."""
    other = bytes([seed[0] ^ 1]) + seed[1:]
    (private, public), (_, another) = program.write([(kem, seed, "both"), (kem, other, "both")])
    return private, public, another


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("kem", ["HQC-1", pytest.param("BIKE-L1", marks=long)])
def test_keys_that_are_wrong_are_refused(name, kem, program_of, library):
    cases = all_cases(kem, program_of, library)
    if name == "rust":  # whose errors are pkcs8's
        cases = [(*case[:-1], "") for case in cases]
    assert wrong_verdicts(program_of(name), kem, cases) == []


def all_cases(kem, program_of, library):
    """(kind, what is wrong or "", PEM, whether it is good, what errors say) of a KEM: the table
    that the command and the provider read, too, and keys with one thing wrong."""
    texts = pair_in_pem(program_of("python"), kem, seed_of(library, kem))
    cases = [
        (kind, *case)
        for kind in ("private", "public")
        for case in shared_cases(kind, kem, parts_of(*texts))
    ]
    cases += [("private", what, text, not what, "") for what, text in private_keys(texts[0])]
    cases += [("public", what, text, not what, "") for what, text in public_keys(texts[1])]
    assert len(cases) > 90
    return cases


def wrong_verdicts(program, kem, cases):
    """Returns (what, answer) where a program takes what is wrong or refuses what is right."""
    found = program.read([(kind, kem, text) for kind, _, text, *_ in cases])
    # Nothing of a key is shown: an identifier is the longest that an error has.
    assert not [got for got in found if isinstance(got, Refused) and len(got.why) > 300]
    return [
        (what or "nothing wrong", str(got)[:200])
        for (_, what, _, good, says), got in zip(cases, found, strict=True)
        if isinstance(got, Refused) == good or (not good and says not in got.why)
    ]


@pytest.mark.parametrize("name", [case for case in EACH if case.values != ("python",)])
def test_keys_of_another_kem_are_refused(name, program_of, library):
    """Where the program says which KEM it reads; Python, Go and Java find it in the key."""
    program = program_of(name)
    private, public, _ = pair_in_pem(program, "HQC-3", seed_of(library, "HQC-3"))
    found = program.read([("private", "HQC-1", private), ("public", "HQC-1", public)])
    for got in found:
        assert isinstance(got, Refused) if name in ("js", "rust") else got[0] == "HQC-3"


@pytest.mark.parametrize("mistake", mistakes.cases("packages/key readers"))
def test_careless_reader_is_noticed(mistake, program_of, library, root, tmp_path):
    """In the languages that need no compiler."""
    source = mistake.changed((root / mistake.file).read_text())
    if mistake.file.endswith(".js"):
        project = program_of("js").command[1].parent
        shutil.copytree(project, tmp_path / "js")
        (tmp_path / "js/node_modules/codekem" / pathlib.Path(mistake.file).name).write_text(source)
        program = Program("node", tmp_path / "js" / "js_keys.mjs")
    else:
        (site,) = made_packages.found("python").glob("environment/lib/python3*/site-packages")
        shutil.copytree(site / "codekem", tmp_path / "codekem")
        (tmp_path / "codekem" / pathlib.Path(mistake.file).name).write_text(source)
        path = os.environ | {"PYTHONPATH": str(tmp_path)}
        program = Program(*program_of("python").command, environment=path)
    wrong = wrong_verdicts(program, "HQC-1", all_cases("HQC-1", program_of, library))
    assert mistake.by in [what for what, _ in wrong]


def test_programs_end_with_their_errors():
    """A program that fails is no answer."""
    with pytest.raises(AssertionError):
        Program("false").ask(["write HQC-1 00 seed"])
    with pytest.raises(AssertionError):
        Program("true", environment=dict(os.environ)).ask(["write HQC-1 00 seed"])
