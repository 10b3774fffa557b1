# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crates with other features, compilers and systems: what takes minutes to compile."""

import re
import shutil
import subprocess

import pytest

from bindings import pack_rust
from bindings.tests import made_packages
from bindings.tests.rust_crates import crates_in
from tools import mistakes
from tools.packaging import package_stage

MSRV = "1.85.0"

pytestmark = [
    pytest.mark.skipif(
        made_packages.why_no_rust() is not None, reason=str(made_packages.why_no_rust())
    ),
    pytest.mark.long,
]


@pytest.fixture(scope="module")
def crates():
    """The unpacked archives; see Crates."""
    return crates_in(made_packages.found("rust"))


def test_clippy_finds_nothing(crates):
    """The workspace as it is in the checkout, staged: archives have no settings of lints."""
    top = pack_rust.stage(crates.target / "stage")
    everything = ["--workspace", "--all-targets", "--locked"]
    for features in (["--all-features"], ["--no-default-features"]):
        crates.cargo("clippy", *everything, *features, "--", "--deny", "warnings", cwd=top)


def test_documentation_is_whole(crates):
    """All that is public is described, and every link has an end; as docs.rs, without C."""
    crates.cargo(
        *["doc", "--workspace", "--features", "ring,legacy,pkcs8", "--no-deps", "--locked"],
        RUSTDOCFLAGS="--deny warnings --deny missing_docs",
        DOCS_RS="1",
    )


def test_builds_with_the_oldest_rust(crates):
    toolchain = f"+{MSRV}"
    if (
        shutil.which("rustup") is None
        or MSRV
        not in subprocess.run(
            ["rustup", "toolchain", "list"], capture_output=True, text=True, check=True
        ).stdout
    ):
        pytest.skip(f"not built with Rust {MSRV}: rustup toolchain install {MSRV}")
    crates.cargo(
        *[toolchain, "check", "--workspace", "--locked", "--features", "ring,legacy,pkcs8"],
        DOCS_RS="1",
        CARGO_TARGET_DIR=crates.target / "oldest",
    )


@pytest.mark.parametrize("features", ["", "alloc", "alloc,legacy", "pkcs8", "std", "getrandom"])
def test_every_set_of_features(features, crates):
    crates.cargo(
        *["test", "-p", "codekem", "--locked", "--no-default-features", "--features", features]
    )


def test_offline_with_vendored_crates(crates, tmp_path):
    """What cargo vendor has fetched is all that the build needs: cargo's own folder is empty."""
    vendor = tmp_path / "vendor"
    crates.cargo("vendor", "--locked", vendor)
    config = tmp_path / "config.toml"
    config.write_text(
        '[source.crates-io]\nreplace-with = "vendored"\n'
        f'[source.vendored]\ndirectory = "{vendor}"\n'
    )
    build = ["build", "--locked", "--offline", "--config", config, "-p", "codekem-mceliece"]
    environment = {"CARGO_HOME": tmp_path / "home", "CARGO_TARGET_DIR": tmp_path / "target"}
    crates.cargo(*build, "-p", "codekem", **environment)
    shutil.rmtree(vendor / "hybrid-array")
    said = crates.cargo(*build, "-p", "codekem", check=False, **environment)
    assert "no matching package named `hybrid-array` found" in said


def test_tls_with_aws_lc_rs(crates):
    crates.cargo("test", "-p", "codekem-rustls", "--locked", "--features", "ring,aws-lc-rs")
    crates.cargo(*["check", "-p", "codekem-rustls", "--locked", "--lib", "--features", "aws-lc-rs"])


def test_a_program_without_std(crates):
    folder = crates.add(package_stage.ROOT / "bindings/tests/rust_no_std", "no-std")
    crates.cargo("build", "--release", cwd=folder)
    done = subprocess.run([crates.target / "release" / "codekem-no-std"], check=False)
    assert done.returncode == 15 + 2  # every KEM by name, and two by type


def compare_declarations(crates, folder):
    """Has bindgen read the headers, and compares what codekem-sys in a folder declares; returns
    what cargo says."""
    program = crates.add(package_stage.ROOT / "bindings/tests/rust_declared", "declared")
    manifest = (program / "Cargo.toml").read_text()
    manifest = manifest.replace(f"{crates.folder / 'codekem-sys'}", f"{folder}")
    (program / "Cargo.toml").write_text(manifest)
    include = package_stage.ROOT / "include"
    command = ["check", "--locked"]
    return crates.cargo(*command, cwd=program, check=False, DOCS_RS=1, CODEKEM_INCLUDE=include)


def test_declarations_are_those_of_the_headers(crates, tmp_path):
    """Names, types and places; a wrong one is a type or a place that differs."""
    assert "Finished" in compare_declarations(crates, crates.folder / "codekem-sys")
    for mistake in mistakes.of("packages/declarations in Rust").values():
        folder = tmp_path / mistake.name
        shutil.copytree(crates.folder / "codekem-sys", folder)
        source = folder / "src" / "lib.rs"
        source.write_text(mistake.changed(source.read_text()))
        said = compare_declarations(crates, folder)
        assert "Finished" not in said and mistake.by in said, said


def test_a_microcontroller(crates):
    """The library for a Cortex-M4 as well, with its assembly."""
    target = "thumbv7em-none-eabi"
    if (
        target
        not in crates.cargo("--version")
        + subprocess.run(
            ["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=True
        ).stdout
    ):
        pytest.skip(f"not built for {target}: rustup target add {target}")
    if shutil.which("arm-none-eabi-gcc") is None:
        pytest.skip("not built for a Cortex-M4: apt-get install gcc-arm-none-eabi")
    crates.cargo(
        *["build", "-p", "codekem", "--locked", "--no-default-features", "--release"],
        *["--target", target],
    )
    (archive,) = (crates.target / target / "release" / "build").glob("*/out/libcodekem.a")
    symbols = subprocess.run(
        ["arm-none-eabi-nm", archive], capture_output=True, text=True, check=True
    ).stdout
    assert "ckem_keccak_permute_m4" in symbols or "keccak_permute" in symbols


WASM = "wasm32-unknown-unknown"
WASM_PROGRAM = """
//! An exchange in a module that imports nothing.
use codekem::Algorithm;

#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    let exchanged = |kem: &Algorithm| {
        let seed = [7; 64];
        let (secret, public) = kem.keypair_from_seed(&seed[..kem.keypair_seed_len()]).unwrap();
        let seed = [9; 64];
        let seed = &seed[..kem.encapsulation_seed_len()];
        let (ciphertext, sent) = kem.encapsulate_from_seed(&public, seed).unwrap();
        kem.decapsulate(&ciphertext, &secret).unwrap() == sent
    };
    Algorithm::all().filter(exchanged).count()
}
"""
WASM_RUN = """
const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
const imports = WebAssembly.Module.imports(module).length;
console.log(imports, new WebAssembly.Instance(module, {}).exports.run());
"""


@pytest.mark.parametrize("vectors", ["", "-C target-feature=+simd128"])
def test_webassembly_without_a_c_library(vectors, crates, tmp_path):
    """For browsers: with own headers in place of a C library's, and nothing to import."""
    for tool in ["clang", "node"]:
        if shutil.which(tool) is None:
            pytest.skip(f"not built for {WASM}: install {tool}")
    listed = ["rustup", "target", "list", "--installed"]
    if WASM not in subprocess.run(listed, capture_output=True, text=True, check=True).stdout:
        pytest.skip(f"not built for {WASM}: rustup target add {WASM}")
    source = tmp_path / "source"
    (source / "src").mkdir(parents=True)
    (source / "src" / "lib.rs").write_text(WASM_PROGRAM)
    (source / "Cargo.toml").write_text(
        '[package]\nname = "codekem-wasm"\nversion = "0.1.0"\nedition = "2024"\n'
        '[lib]\ncrate-type = ["cdylib"]\n[workspace]\n[dependencies]\n'
        'codekem = { version = "=0.1.0", default-features = false, features = ["alloc"] }\n'
    )
    folder = crates.add(source, "wasm")
    crates.cargo("build", "--release", "--target", WASM, cwd=folder, RUSTFLAGS=vectors)
    module = crates.target / WASM / "release" / "codekem_wasm.wasm"
    said = subprocess.run(
        ["node", "-e", WASM_RUN, module], capture_output=True, text=True, check=True
    ).stdout
    assert said.split() == ["0", str(6 + 9)]  # the KEMs, and earlier versions


def add_random_source(folder):
    """Puts a bcryptprimitives.dll beside a program: Rust's standard library takes random numbers
    from it for its hash tables, and Wine 8 does not have it."""
    source = folder / "bcryptprimitives.c"
    source.write_text(
        "#include <windows.h>\n#include <bcrypt.h>\n"
        "__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {\n"
        "  return BCryptGenRandom(NULL, data, (ULONG)size, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;\n"
        "}\n"
    )
    command = ["x86_64-w64-mingw32-gcc", "-shared", source, "-lbcrypt"]
    subprocess.run([*command, "-o", folder / "bcryptprimitives.dll"], check=True)


def test_windows_is_built(crates):
    """The C sources for Windows: what stands between them and a program is Rust's own target."""
    target = "x86_64-pc-windows-gnu"
    if shutil.which("x86_64-w64-mingw32-gcc") is None:
        pytest.skip("not built for Windows: apt-get install gcc-mingw-w64-x86-64")
    if (
        target
        not in subprocess.run(
            ["rustup", "target", "list", "--installed"], capture_output=True, text=True, check=True
        ).stdout
    ):
        pytest.skip(f"not built for Windows: rustup target add {target}")
    crates.cargo("build", "-p", "codekem", "--locked", "--example", "exchange", "--target", target)
    program = crates.target / target / "debug" / "examples" / "exchange.exe"
    assert program.is_file()
    if shutil.which("wine"):
        folder = crates.target / "wine"
        folder.mkdir(exist_ok=True)
        add_random_source(program.parent)
        for words in (
            ["keygen", "BIKE-L5", "key", "pub"],
            ["encaps", "BIKE-L5", "pub", "ct", "sent"],
            ["decaps", "BIKE-L5", "ct", "key", "got"],
        ):
            subprocess.run(["wine", program, *words], cwd=folder, check=True, timeout=300)
        assert (folder / "sent").read_bytes() == (folder / "got").read_bytes()


# --- An installed library -------------------------------------------------------------------------


def test_an_installed_library(crates, build, tmp_path):
    """CODEKEM_SYSTEM=1 links what pkg-config finds, compiles nothing, refuses other versions."""
    subprocess.run(["cmake", "--install", build("gcc"), "--prefix", tmp_path], check=True)
    (folder,) = [path.parent for path in tmp_path.rglob("codekem.pc")]
    target = crates.target / "system"
    options = {"CODEKEM_SYSTEM": "1", "CARGO_TARGET_DIR": target}
    command = ["build", "-p", "codekem", "--locked", "--example", "exchange"]
    crates.cargo(*command, **options, PKG_CONFIG_PATH=folder)
    assert not list(target.rglob("libcodekem.a"))
    program = target / "debug" / "examples" / "exchange"
    linked = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True)
    assert "libcodekem.so" in linked.stdout
    subprocess.run(
        [program, "keygen", "HQC-1", tmp_path / "key", tmp_path / "pub"],
        env={"LD_LIBRARY_PATH": str(folder.parent)},
        check=True,
    )

    pc = folder / "codekem.pc"
    pc.write_text(re.sub(r"^Version: .*$", "Version: 0.99.0", pc.read_text(), flags=re.MULTILINE))
    options["CARGO_TARGET_DIR"] = tmp_path / "refused"  # cargo does not watch the file
    text = crates.cargo(*command, check=False, **options, PKG_CONFIG_PATH=folder)
    assert "CODEKEM_SYSTEM=1" in text and "0.99.0" in text
    text = crates.cargo(*command, check=False, CODEKEM_SYSTEM="yes", CARGO_TARGET_DIR=target)
    assert "CODEKEM_SYSTEM is neither 0" in text


# --- Others ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("features", ["hqc-kem,oqs", "pqcrypto"])
def test_exchanges_with_other_crates(features, tmp_path, build):
    """The same versions both ways: HQC with hqc-kem, BIKE with oqs, HQC of 2023 with both."""
    if shutil.which("cmake") is None and "oqs" in features:
        pytest.skip("not compared with oqs: apt-get install cmake libclang-dev")
    pack_rust.stage(tmp_path / "rust")
    source = package_stage.ROOT / "bindings" / "bench" / "rust"
    shutil.copytree(source, tmp_path / "beside", ignore=shutil.ignore_patterns("target"))
    target = build.folder("package-rust-beside")
    done = subprocess.run(
        ["cargo", "run", "--release", "--locked", "--features", features, "--", "agree", "20"],
        cwd=tmp_path / "beside",
        env=pack_rust.environment(target),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = re.findall(r"^(\S+): agrees with (\S+) .*, 20 times$", done.stdout, re.MULTILINE)
    hqc = [(f"HQC-{level}", "hqc-kem") for level in (1, 3, 5)]
    oqs = [(f"BIKE-L{level}", "oqs") for level in (1, 3, 5)]
    expected = {
        "hqc-kem,oqs": {*hqc, *oqs, ("HQC-128-2023", "oqs")},
        "pqcrypto": {("HQC-128-2023", "pqcrypto-hqc")},
    }
    assert set(found) == expected[features]
