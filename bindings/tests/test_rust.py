# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crates: packed, unpacked outside the checkout, built and tested there and from here."""

import re
import shutil
import subprocess
import tarfile
from types import SimpleNamespace

import pytest

from bindings import pack_rust
from bindings.tests import made_packages
from bindings.tests.rust_crates import crates_in
from tests.rooms import need_room
from tests.tls_programs import CODE_POINTS, Handshake, free_port, run, serving, write_configuration
from tools.packaging import package_stage

MOST_BYTES = 360_000  # of an archive
TESTS = {"codekem-sys": 5, "codekem": 19, "codekem-mceliece": 4, "codekem-rustls": 8}
long = pytest.mark.long
# The groups of codekem-rustls: rustls' providers have neither X448 nor P-521.
GROUPS = [name for name in CODE_POINTS if not name.startswith(("x448", "p521"))]
REQUEST = b"GET / HTTP/1.0\r\n\r\n"


pytestmark = [
    pytest.mark.skipif(
        made_packages.why_no_rust() is not None, reason=str(made_packages.why_no_rust())
    ),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def crates():
    """The unpacked archives; see Crates."""
    return crates_in(made_packages.found("rust"))


@pytest.fixture(scope="module")
def own_tests(crates):
    """What the crates' own tests print, with an installed library: the long tests compile the one
    in the crate. Building them builds the examples, too."""
    prefix = made_packages.found("rust") / "installed"
    (folder,) = [path.parent for path in prefix.rglob("codekem.pc")]
    return crates.cargo(
        *["test", "-p", "codekem-sys", "-p", "codekem", "--locked", "--features", "pkcs8"],
        CARGO_TARGET_DIR=crates.target / "system",
        CODEKEM_SYSTEM="1",
        PKG_CONFIG_PATH=folder,
        LD_LIBRARY_PATH=folder.parent,  # for the examples in comments
        RUSTFLAGS=f"-C link-arg=-Wl,-rpath,{folder.parent}",
    )


@pytest.fixture(scope="module")
def all_tests(crates):
    """What the tests of all crates print, with the library in the crate."""
    return crates.cargo("test", "--workspace", "--locked", "--features", "ring,legacy,pkcs8")


@pytest.fixture(scope="module")
def examples(crates, own_tests):
    """The folder of the built examples."""
    return crates.target / "system" / "debug" / "examples"


@pytest.fixture(scope="module")
def all_examples(crates, all_tests):
    """The same with the library in the crate, and those of codekem-rustls."""
    return crates.target / "debug" / "examples"


# --- Archives -------------------------------------------------------------------------------------


def test_archives_are_small_and_whole(crates):
    for crate, archive in zip(pack_rust.CRATES, crates.archives, strict=True):
        assert archive.name == f"{crate}-{package_stage.version()}.crate"
        assert archive.stat().st_size <= MOST_BYTES, archive
        with tarfile.open(archive) as packed:
            names = {name.partition("/")[2] for name in packed.getnames()}
        assert {"LICENSE-APACHE", "LICENSE-MIT", "README.md", "src/lib.rs"} <= names
        assert not [name for name in names if name.endswith((".o", ".a", ".vcs_info.json"))]
    with tarfile.open(crates.archives[0]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"native/include/codekem.h", "native/src/kem/gf2x/avx512/gf2x_avx512.c"} <= names
    assert not [name for name in names if "aes_sha2" in name]  # needs OpenSSL


@pytest.mark.long
def test_archives_are_the_same_twice(crates, tmp_path):
    again = pack_rust.pack(tmp_path)
    assert [path.read_bytes() for path in again] == [p.read_bytes() for p in crates.archives]


def test_sources_have_their_layout(crates):
    crates.cargo("fmt", "--all", "--check", cwd=package_stage.ROOT / "bindings/rust")
    folder = package_stage.ROOT
    more = [*folder.glob("bindings/bench/rust/src/*.rs")]
    for name in ("rust_declared", "rust_no_std"):
        more += folder.glob(f"bindings/tests/{name}/**/*.rs")
    done = subprocess.run(
        ["rustfmt", "--check", "--config-path", folder / "bindings/rust/rustfmt.toml", *more],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


# --- The crates' own tests, and what they cannot do -----------------------------------------------


def all_pass(said, least):
    ran = re.findall(r"test result: ok\. (\d+) passed; 0 failed", said)
    assert sum(map(int, ran)) >= least, said
    assert not re.search(r"[1-9]\d* (ignored|filtered out)", said)


def test_own_tests_pass(own_tests):
    all_pass(own_tests, TESTS["codekem-sys"] + TESTS["codekem"])


@long
def test_tests_of_all_crates_pass(all_tests):
    all_pass(all_tests, sum(TESTS.values()))


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("BIKE-L1", "HQC-1") else pytest.param(name, marks=long)
        for name in package_stage.KEMS
    ],
)
def test_exchange_with_the_command(name, examples, command, tmp_path):
    raw = ["--format", "raw", "--kem", name]
    key, public, ct, sent, got = (tmp_path / part for part in ["key", "pub", "ct", "ss1", "ss2"])
    for ours in (True, False):
        if ours:  # our key pair, the command's ciphertext
            run([examples / "exchange", "keygen", name, key, public])
            run([command, "encaps", *raw, "--public", public, "--ciphertext", ct, "--shared", sent])
            run([examples / "exchange", "decaps", name, ct, key, got])
        else:
            run([command, "keygen", *raw, "--public", public, "--secret", key])
            run([examples / "exchange", "encaps", name, public, ct, sent])
            run([command, "decaps", *raw, "--secret", key, "--ciphertext", ct, "--shared", got])
        assert sent.read_bytes() == got.read_bytes()
        assert len(got.read_bytes()) == 32
        for path in (key, public, ct, sent, got):
            path.unlink()


@long  # tests/interoperability/test_rust.py exchanges with the same crate
def test_exchange_with_hqc_kem(crates, all_tests):
    """RustCrypto's HQC of the same version, both ways and with rejections; oqs in long tests."""
    folder = crates.add(package_stage.ROOT / "bindings" / "bench" / "rust", "beside")
    text = crates.cargo("run", "--locked", "--features", "hqc-kem", "--", "agree", 3, cwd=folder)
    found = re.findall(r"^(HQC-[135]): agrees with hqc-kem .* 3 times$", text, re.MULTILINE)
    assert found == ["HQC-1", "HQC-3", "HQC-5"], text


def test_errors_name_the_fault_and_no_secret(examples, tmp_path):
    program, names = examples / "exchange", ["key", "pub", "short"]
    key, public, short = (tmp_path / name for name in names)
    run([program, "keygen", "HQC-1", key, public])
    short.write_bytes(key.read_bytes()[:-1])
    done = run([program, "decaps", "HQC-1", public, short, tmp_path / "out"], check=False)
    assert done.returncode == 1
    assert "Length" in done.stdout
    assert key.read_bytes()[-8:].hex() not in done.stdout
    done = run([program, "keygen", "HQC-2", key, public], check=False)
    assert "UnknownAlgorithm" in done.stdout


def test_a_wrong_back_end_is_an_error(examples, tmp_path):
    command = [examples / "exchange", "keygen", "HQC-1", tmp_path / "key", tmp_path / "pub"]
    done = run(command, check=False, CODEKEM_CPU="none")
    assert done.returncode == 1 and "Backend" in done.stdout
    run(command, CODEKEM_CPU="portable")


@long
def test_builds_for_a_target_without_std(crates):
    """Types only; the long tests link a program without std."""
    target = "thumbv7em-none-eabi"
    if not has_target(target):
        pytest.skip(f"the crates were not built for {target}: rustup target add {target}")
    for features in ([], ["--features", "alloc"]):
        crates.cargo(
            *["check", "-p", "codekem", "--locked", "--no-default-features", *features],
            *["--target", target],
            DOCS_RS="1",
        )


def has_target(name):
    if shutil.which("rustup") is None:
        return False
    done = subprocess.run(
        ["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=False
    )
    return name in done.stdout.split()


# --- TLS, against OpenSSL with the provider -------------------------------------------------------


@pytest.fixture(scope="module")
def openssl(build, tmp_path_factory):
    """openssl(*arguments) runs it with the provider; .configuration, .certificate, .key."""
    need_room("apps")
    folder = tmp_path_factory.mktemp("openssl")
    module = build("gcc", targets=["codekem_provider"]) / "ossl-modules" / "codekem.so"
    configuration = write_configuration(folder / "openssl.cnf", module)
    certificate, key = folder / "server.crt", folder / "server.key"
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    # An authority that is also the server would be refused by rustls.
    end = ["-addext", "basicConstraints=critical,CA:FALSE"]
    run(["openssl", "req", "-x509", *new_key, "-out", certificate, "-days", "2", *name, *end])

    def call(*arguments, **options):
        return run(["openssl", *arguments], **{"configuration": configuration} | options)

    return SimpleNamespace(
        call=call, configuration=configuration, certificate=certificate, key=key, folder=folder
    )


@pytest.fixture(scope="module")
def s_server(openssl):
    """The port of an `openssl s_server` with all groups."""
    port = free_port()
    command = ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-tls1_3", "-www"]
    command += ["-groups", ":".join([*GROUPS, "X25519"])]
    command += ["-cert", openssl.certificate, "-key", openssl.key]
    with serving(command, port, openssl.configuration, openssl.folder / "s_server.log"):
        yield port


@pytest.fixture(scope="module")
def rustls_server(all_examples, openssl):
    """The port of the example server."""
    port = free_port()
    command = [all_examples / "server", f"127.0.0.1:{port}", openssl.certificate, openssl.key]
    with serving(command, port, "/dev/null", openssl.folder / "rustls.log"):
        yield port


@long
@pytest.mark.parametrize("group", GROUPS)
def test_rustls_client_with_openssl(group, s_server, all_examples, openssl):
    peer = [f"127.0.0.1:{s_server}", "localhost", openssl.certificate]
    done = run([all_examples / "client", *peer, CODE_POINTS[group]])
    assert f"group: {CODE_POINTS[group]}" in done.stdout
    assert "TLSv1.3, Cipher is TLS_" in done.stdout, done.stdout  # the page of s_server


@long
@pytest.mark.parametrize("group", GROUPS)
def test_openssl_client_with_rustls(group, rustls_server, openssl):
    done = openssl.call(
        *["s_client", "-connect", f"127.0.0.1:{rustls_server}", "-groups", group, "-ign_eof"],
        *["-servername", "localhost", "-CAfile", openssl.certificate, "-verify_return_error"],
        stdin=REQUEST,
    )
    handshake = Handshake(done.stdout)
    assert handshake.new and handshake.used(group), done.stdout
    assert f"group: {CODE_POINTS[group]}" in done.stdout


@long
def test_retry_and_classical_peers(s_server, rustls_server, all_examples, openssl):
    """Servers choose: x25519_hqc1 first from a client that offers all; X25519 if that is all."""
    peer = [f"127.0.0.1:{s_server}", "localhost", openssl.certificate]
    assert "group: 65077" in run([all_examples / "client", *peer]).stdout
    assert "group: 29" in run([all_examples / "client", *peer, "29"]).stdout
    for groups, number in [("X25519", 29), ("P-521:x25519_hqc1", 65077)]:
        done = openssl.call(
            *["s_client", "-connect", f"127.0.0.1:{rustls_server}", "-groups", groups, "-ign_eof"],
            *["-servername", "localhost", "-CAfile", openssl.certificate, "-verify_return_error"],
            stdin=REQUEST,
        )
        assert f"group: {number}\n" in done.stdout, done.stdout


# --- The page about packages ----------------------------------------------------------------------


def test_the_page_is_what_the_readmes_test():
    """Every example of the section stands in a README, which the crates' own tests run."""
    page = (package_stage.ROOT / "docs" / "packages.md").read_text()
    section = re.search(r"^## Rust\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)[1]
    examples = re.findall(r"^```rust\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert len(examples) == 2
    readmes = "".join(
        path.read_text() for path in package_stage.ROOT.glob("bindings/rust/*/README.md")
    )
    for example in examples:
        assert example in readmes, example
