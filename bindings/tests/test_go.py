# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Go modules: from their archives into an empty module, with cgo and without, both their tests.

No Go module has HQC or BIKE of the same revision, so the peer here is the command.
"""

import functools
import re
import shutil
import zipfile

import pytest

from bindings import pack_go
from bindings.tests import go_packages, made_packages
from tools.packaging.package_stage import KEMS, version

PACKAGE = go_packages.MODULE
LEVEL_1 = ["BIKE-L1", "HQC-1"]
# vet has a test of its own.
TEST = ["test", "-count=1", "-v", "-vet=off"]
long = pytest.mark.long
ENGINES = {"cgo": "1", "wazero": "0"}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def archives():
    """The folder of the archives."""
    if why := made_packages.why_no_go():
        pytest.skip(why)
    return made_packages.found("go")


@pytest.fixture(scope="session")
def consumer(archives, tmp_path_factory):
    """A module outside the checkout that needs both modules."""
    made = go_packages.Consumer(
        tmp_path_factory.mktemp("consumer"), archives, made_packages.MODULES
    )
    made.go("get", f"{PACKAGE}@v{version()}", f"{PACKAGE}/circl@v{version()}")
    return made


@pytest.fixture(scope="session")
def program_with(consumer, root, tmp_path_factory):
    """program_with("cgo") returns a program for exchanges with an engine."""
    folder = consumer.module / "exchange"
    folder.mkdir()
    shutil.copy(root / "bindings/tests/go_exchange.go", folder)

    @functools.cache
    def build(name):
        made = tmp_path_factory.mktemp("programs") / name
        consumer.go(
            *["build", "-o", made, "./exchange"], environment={"CGO_ENABLED": ENGINES[name]}
        )
        return made

    return build


def test_own_tests_with_cgo(consumer, library):
    text = consumer.go(*TEST, PACKAGE)
    (best,) = [name for name, runs in library.backends().items() if runs][-1:]
    assert f"back end {best}" in text
    assert all(f"--- PASS: TestKnownAnswers/{kem} " in text for kem in KEMS)
    for name in ["TestDroppedKeyIsCleared", "Example"]:
        assert f"--- PASS: {name}" in text


@long
def test_engine_with_cgo_leaves_nothing(consumer):
    """Go compiles all of the library again for a test from within."""
    assert "--- PASS: TestWorkspaceIsCleared" in consumer.go(*TEST, f"{PACKAGE}/internal/native")


@pytest.mark.parametrize("backend", ["portable", "avx2"])
def test_own_tests_on_other_back_ends(backend, consumer, library):
    if not library.backends()[backend]:
        pytest.skip(f"back end {backend} not run: this processor lacks it")
    text = consumer.go(
        *[*TEST, "-run=KnownAnswers", PACKAGE],
        environment={"CODEKEM_CPU": backend},
    )
    assert f"back end {backend}" in text


@long
def test_own_tests_without_cgo(consumer):
    text = consumer.go(*TEST, "-tags=purego", PACKAGE, f"{PACKAGE}/internal/wasm")
    assert "--- PASS: TestMemoryIsCleared" in text
    assert "back end wasm" in text
    assert all(f"--- PASS: TestKnownAnswers/{kem} " in text for kem in KEMS)


@long
def test_adapter_for_circl(consumer):
    assert "ok" in consumer.go(*TEST, f"{PACKAGE}/circl")


@pytest.mark.parametrize("cgo", ["1", pytest.param("0", marks=long)])
def test_example_of_the_guide(cgo, consumer, root):
    """It runs without cgo as well."""
    guide = (root / "docs" / "packages.md").read_text()
    (example,) = re.findall(r"^```go\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    folder = consumer.module / "example"
    folder.mkdir(exist_ok=True)
    (folder / "main.go").write_text(example)
    assert consumer.go("run", "./example", environment={"CGO_ENABLED": cgo}) == "true <nil>\n"


@long
@pytest.mark.parametrize("tags", ["", "purego"])
def test_race_detector_finds_nothing(tags, consumer):
    assert "ok" in consumer.go("test", "-count=1", "-race", f"-tags={tags}", PACKAGE)


@long
def test_a_program_for_wasip1(consumer, root):
    """WebAssembly inside WebAssembly: wazero's interpreter in Wasmtime."""
    wasmtime = pytest.importorskip("wasmtime", reason="not tried for wasip1: pip install wasmtime")
    guide = (root / "docs" / "packages.md").read_text()
    (example,) = re.findall(r"^```go\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    folder = consumer.module / "wasip1"
    folder.mkdir(exist_ok=True)
    (folder / "main.go").write_text(example)
    settings = {"GOOS": "wasip1", "GOARCH": "wasm", "CGO_ENABLED": "0"}
    consumer.go("build", "-o", folder / "program.wasm", "./wasip1", environment=settings)
    engine = wasmtime.Engine()
    store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
    linker.define_wasi()
    wasi = wasmtime.WasiConfig()
    wasi.stdout_file = str(folder / "said")
    store.set_wasi(wasi)
    module = wasmtime.Module.from_file(engine, str(folder / "program.wasm"))
    start = linker.instantiate(store, module).exports(store)["_start"]
    with pytest.raises(wasmtime.ExitTrap) as ended:
        start(store)
    assert ended.value.code == 0
    assert (folder / "said").read_text() == "true <nil>\n"


@long
def test_vet_finds_nothing(consumer):
    consumer.go("vet", PACKAGE, f"{PACKAGE}/circl")


def test_files_have_the_layout_of_gofmt(consumer, root):
    text = consumer.run(
        "gofmt", "-l", root / "bindings/go", root / "bindings/tests", root / "evaluation"
    )
    assert text == ""


def test_wrong_back_end_is_an_error(consumer, program_with):
    """In words, where a key is made or taken, and not a panic of Encapsulate."""
    program, wrong = program_with("cgo"), {"CODEKEM_CPU": "abacus"}
    consumer.run(program, "HQC-1", "keygen", "public", "secret")
    for words in [("keygen", "public", "secret"), ("encaps", "public", "ciphertext", "shared")]:
        with pytest.raises(AssertionError, match="CODEKEM_CPU names no back end") as told:
            consumer.run(program, "HQC-1", *words, environment=wrong)
        assert "goroutine" not in str(told.value)


@pytest.mark.parametrize("name", ["cgo", pytest.param("wazero", marks=long)])
@pytest.mark.parametrize(
    "kem", [kem if kem in LEVEL_1 else pytest.param(kem, marks=long) for kem in KEMS]
)
def test_exchange_with_the_command(name, kem, consumer, program_with, command, tmp_path):
    def ours(step, *files):
        said = consumer.run(program_with(name), kem, step, *[tmp_path / file for file in files])
        assert (said.strip() == "wasm") == (name == "wazero")

    def theirs(step, **files):
        options = [[f"--{kind}", tmp_path / file] for kind, file in files.items()]
        consumer.run(
            *[command, step, "--kem", kem, "--format", "raw"],
            *[word for option in options for word in option],
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


@long
def test_vendored_sources_compile(consumer, tmp_path):
    """`go mod vendor` leaves out folders without a package, and with them C sources."""
    folder = consumer.module / "vendored"
    folder.mkdir()
    (folder / "main.go").write_text(
        f'package main\n\nimport codekem "{PACKAGE}"\n\n'
        "func main() { println(codekem.Backend()) }\n"
    )
    consumer.go("mod", "vendor")
    try:
        consumer.go("build", "-mod=vendor", "-o", tmp_path / "program", "./vendored")
    finally:
        shutil.rmtree(consumer.module / "vendor")


def test_archives_are_the_same_twice(archives, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", made_packages.EPOCH)
    again = pack_go.pack(tmp_path)
    assert {path.suffix for path in again} == {".zip", ".mod", ".info", ""}
    for path in again:
        first = archives / path.relative_to(tmp_path)
        assert path.read_bytes() == first.read_bytes(), path.name


def test_archive_is_small_and_has_what_it_needs(archives):
    (archive,) = (archives / "go" / PACKAGE / "@v").glob("*.zip")
    assert archive.stat().st_size < 470_000
    names = "".join(f"{name}\n" for name in zipfile.ZipFile(archive).namelist())
    for name in ["LICENSE-MIT", "README.md", "internal/wasm/codekem.wasm", "go.sum"]:
        assert f"@v{version()}/{name}\n" in names
    assert "circl" not in names
