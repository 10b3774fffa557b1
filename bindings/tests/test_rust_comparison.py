# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crate codekem compares secrets without a branch or an address that depends on them: valgrind
watches its own source, compiled as users do."""

import shutil
import subprocess

import pytest

from bindings import pack_rust
from bindings.tests.rust_crates import tree, write_tree
from tools import mistakes

REPORTED = 99

pytestmark = pytest.mark.skipif(
    pack_rust.cargo_version() < pack_rust.NEEDED,
    reason="the crate's comparison of secrets was not watched: that needs a later cargo (rustup)",
)


def compare(root, folder, need, level, mistake=None):
    """Builds the program in an empty folder, with a mistake or without, and runs it under
    valgrind."""
    source = (root / "bindings/rust/codekem/src/secret_bytes.rs").read_text()
    source = source if mistake is None else mistake.changed(source)
    files = tree(root / "bindings/tests/rust_comparison") | {"src/secret_bytes.rs": source.encode()}
    write_tree(folder / "crate", files)
    # The versions of the crates.
    shutil.copy(root / "bindings/rust/Cargo.lock", folder / "crate")
    marks = folder / "secrets.o"
    compile_marks = [need("gcc"), "-O1", "-c", "-DCODEKEM_CHECK_VALGRIND"]
    compile_marks += [root / "tests" / "harness" / "secrets.c", "-o", marks]
    subprocess.run(compile_marks, check=True)
    environment = pack_rust.environment(folder / "target") | {
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": level,
        "RUSTFLAGS": f"-C link-arg={marks}",
    }
    cargo = ["cargo", "build", "--release", "--quiet"]
    subprocess.run(cargo, cwd=folder / "crate", env=environment, check=True)
    program = folder / "target" / "release" / "codekem-comparison"
    return subprocess.run(
        [need("valgrind"), "-q", f"--error-exitcode={REPORTED}", program],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("level", ["3", pytest.param("s", marks=pytest.mark.long)])
def test_comparison_leaks_nothing(level, need, root, tmp_path):
    done = compare(root, tmp_path, need, level)
    assert (done.returncode, done.stdout) == (0, "compared\n"), done.stderr
    layout = ["rustfmt", "--check", "--config-path", root / "bindings/rust/rustfmt.toml"]
    subprocess.run([*layout, tmp_path / "crate" / "src" / "main.rs"], check=True)


@pytest.mark.parametrize("mistake", mistakes.cases("packages/comparison in Rust"))
def test_careless_comparison_is_reported(mistake, need, root, tmp_path):
    done = compare(root, tmp_path, need, "3", mistake)
    assert done.returncode == REPORTED, done.stderr
    assert "uninitialised" in done.stderr
