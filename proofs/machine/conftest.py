# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the proofs of machine code share: the libraries, and what was proved before."""

import functools
import os
import shutil
import subprocess

import pytest

from proofs.kernels.modules import BELOW
from proofs.kernels.shipped import commands
from proofs.machine.library import Library
from proofs.machine.report import Module
from proofs.machine.running import name_of_proof, proved
from tools.source_folders import INCLUDED

# What is made of the builds of compilers: of clang's only how it would be made.
BUILT = {"gcc": ["codekem_shared"], "clang": [], "aarch64": ["codekem_shared"]}
# By presets that are not named as their compilers: the compiler, and the processor.
OTHERS = {"aarch64": ("aarch64-linux-gnu-gcc", "AArch64")}


@pytest.fixture(scope="session")
def machine_folder(build):
    """A folder for what is made here; a process has its own below it."""
    folder = build.folder("machine")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def own_folder(machine_folder):
    """A folder of this process."""
    folder = machine_folder / os.environ.get("PYTEST_XDIST_WORKER", "main")
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def shared(build):
    """shared(compiler) returns the Library that a compiler made."""

    @functools.cache
    def library(compiler):
        made = build(compiler, targets=["codekem_shared"]) / "libcodekem.so"
        return Library(made, OTHERS.get(compiler, (compiler, "x64"))[1])

    return library


@pytest.fixture
def holds_in(shared, machine_folder):
    """holds_in(compiler, call) proves a call in a library, unless that was done for its bytes."""

    def check(compiler, call):
        library = shared(compiler)
        done = machine_folder / "proved" / library.digest[:16] / name_of_proof(call)
        if not done.exists():
            wrong = proved(Module(library, None), call)
            assert wrong is None, wrong
            done.parent.mkdir(parents=True, exist_ok=True)
            done.write_text(f"{call!r}\n", encoding="utf-8")

    return check


@pytest.fixture
def compiled_with(need, build, root, own_folder):
    """compiled_with(compiler, mistake, *files) returns the Library of these files of src/, made as
    by a compiler's build, with a mistake in what they read."""

    def library(compiler, mistake, *files):
        program, processor = OTHERS.get(compiler, (compiler, "x64"))
        need(program)
        listed = commands(build(compiler, targets=BUILT[compiler]))
        copy = own_folder / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        mistake.apply(copy, root, within="src")
        # Quotes look beside a file first: so all of src/ is there, one of them changed.
        for path in [p for name in INCLUDED for p in (root / name).rglob("*.[ch]")]:
            target = copy / path.relative_to(root / "src")
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(path)
        include = [f"-I{copy / name}" for name in ("", *BELOW)]
        objects = []
        for at, name in enumerate(files):
            objects.append(str(own_folder / f"{at}.o"))
            words = listed[str(root / "src" / name)]
            end = next(i for i, word in enumerate(words) if word.startswith("-"))
            made = [*words[:end], *include, *words[end:], "-Wno-error"]  # a mistake may be seen
            made += ["-c", str(copy / name), "-o", objects[-1]]
            subprocess.run(made, check=True, capture_output=True, cwd=own_folder)
        made = own_folder / "changed.so"
        link = [program, "-shared", "-Wl,--unresolved-symbols=ignore-all", "-o", str(made)]
        subprocess.run([*link, *objects], check=True, capture_output=True)
        return Library(made, processor)

    return library
