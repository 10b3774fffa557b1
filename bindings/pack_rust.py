# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The crates: a staged copy of bindings/rust, and from it the files of crates.io (.crate)."""

import os
import pathlib
import re
import shutil
import subprocess

from tools.packaging import package_stage

CRATES = ["codekem-sys", "codekem", "codekem-mceliece", "codekem-rustls"]
NEEDED = (1, 90)  # the first cargo that packs crates of one workspace that need each other
# HQC of 2023 only: the other legacy KEMs need OpenSSL.
LEFT_OUT = "src/legacy/aes_sha2"


def cargo_version():
    """Returns the version of cargo as a pair, (0, 0) if there is none."""
    if shutil.which("cargo") is None:
        return 0, 0
    text = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=True)
    found = re.match(r"cargo (\d+)\.(\d+)", text.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def stage(destination=None):
    """Makes a fresh staged copy of the workspace bindings/rust and returns its path.

    destination: where it goes; build/packages/stage/rust if None
    """
    top = package_stage.stage("bindings/rust", destination)
    for crate in CRATES:
        package_stage.copy(package_stage.LICENSES, top / crate)
    native = top / "codekem-sys" / "native"
    package_stage.copy(package_stage.library_files(), native)
    legacy = package_stage.files_of("src/legacy")
    legacy = [name for name in legacy if not name.startswith(LEFT_OUT)]
    package_stage.copy(["include/codekem_legacy.h", *legacy], native)
    package_stage.copy(package_stage.mceliece_files(), native)
    answers = {
        "codekem": package_stage.known_answer_text(),
        "codekem-mceliece": package_stage.mceliece_answer_text(),
    }
    for crate, text in answers.items():
        path = top / crate / "tests" / "known_answers.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="ascii")
    return top


def environment(target):
    """Returns what cargo runs with: the folder for what it builds, and none of its other moods."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RUST")}
    return {**kept, "CARGO_TARGET_DIR": str(target), "CARGO_TERM_COLOR": "never"}


def pack(output):
    """Makes the files *.crate in output and returns their paths; what was there is replaced.

    They have the same bytes each time: cargo sets the times itself. Raises OSError if cargo is
    missing, too old, or fails.
    """
    package_stage.require_clean()
    if cargo_version() < NEEDED:
        raise OSError(
            f"the crates need cargo {NEEDED[0]}.{NEEDED[1]} or later: install it with rustup"
        )
    top = stage()
    target = package_stage.STAGE.parent / "cargo"
    packed = target / "package"
    if packed.exists():
        shutil.rmtree(packed)
    command = ["cargo", "package", "--workspace", "--locked", "--no-verify", "--allow-dirty"]
    done = subprocess.run(
        [*command, "--quiet"],
        cwd=top,
        env=environment(target),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"cargo package failed:\n{done.stderr[-3000:]}")
    output.mkdir(parents=True, exist_ok=True)
    archives = []
    for crate in CRATES:
        name = f"{crate}-{package_stage.version()}.crate"
        archives.append(pathlib.Path(shutil.copy(packed / name, output / name)))
    return archives
