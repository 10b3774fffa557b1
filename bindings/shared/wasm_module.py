#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The library as one WebAssembly module, for the packages that embed it (go, js).

The module is the library in the profile for small devices, with the KEMs of package_stage.KEMS. It
imports nothing: randomness is a seed, memory is the host's. It exports `memory`, the functions
below and `__heap_base`; from there on, the memory belongs to the host, which grows it as it needs,
lays out keys, workspaces and what else it passes, and clears what was secret. The stack is in front
of everything, so that an overflow traps. Pointers, lengths and status are 32-bit numbers;
`codekem_kem_find` returns the address of a `codekem_kem` (include/codekem.h), whose members are
where clang for wasm32 lays them: pointers and lengths take 4 bytes, `ind_cca` follows the level.

An instance is for one call at a time.

usage: wasm_module.py [--simd] [--optimisation -O3] OUTPUT.wasm
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import shutil
import subprocess

from tools.packaging import package_stage

ROOT = package_stage.ROOT
BUILDS = ROOT / "build" / "packages"
COMPILER, LINKER = "clang-19", "wasm-ld-19"
TARGET = "--target=wasm32-wasi"
NO_ENTROPY = ROOT / "bindings" / "shared" / "no_entropy.c"
# Every call that needs more than 13 KiB has the host's workspace.
STACK_BYTES = 64 * 1024
EXPORTS = [
    "codekem_kem_at",
    "codekem_kem_check_ciphertext",
    "codekem_kem_check_public_key",
    "codekem_kem_check_secret_key_with",
    "codekem_kem_count",
    "codekem_kem_decaps_with",
    "codekem_kem_derive_public_key_with",
    "codekem_kem_encaps_with",
    "codekem_kem_find",
    "codekem_kem_keypair_with",
    "codekem_status_text",
    "codekem_version",
]


def run(*command):
    """Runs a tool and returns what it prints; raises OSError with its words if it fails."""
    if shutil.which(command[0]) is None:
        raise OSError(f"{command[0]} is missing: run tools/setup.sh test")
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


@contextlib.contextmanager
def locked(folder):
    """Holds a folder of a build alone: tests run in several processes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def folder_of(simd=False, optimisation="-O3"):
    """Returns the folder of a build. Its name says all that differs: none undoes another."""
    return BUILDS / f"wasm{'-simd' if simd else ''}{optimisation}"


def build(output, simd=False, optimisation="-O3"):
    """Builds the module and returns its path, output.

    simd: with the instructions on 128-bit vectors (wasm_simd128), which an engine must have
    optimisation: for clang; -O2 and -Os make it smaller

    The same sources and compiler give the same bytes. Raises OSError if a tool is missing or fails.
    """
    output = pathlib.Path(output)
    folder = folder_of(simd, optimisation)
    # Paths of this checkout are no part of the module.
    flags = f"-ffile-prefix-map={ROOT}=." + (" -msimd128" if simd else "")
    with locked(folder):
        run(
            *["cmake", "--preset", "wasm32", "-S", ROOT, "-B", folder],
            f"-DCODEKEM_KEMS={';'.join(package_stage.KEMS)}",
            f"-DCMAKE_C_FLAGS={flags}",
            f"-DCMAKE_C_FLAGS_RELEASE={optimisation} -DNDEBUG",
        )
        jobs = str(os.cpu_count() or 1)
        run("cmake", "--build", folder, "--parallel", jobs, "--target", "codekem_static")
    libraries = [
        run(COMPILER, TARGET, "-print-file-name=libc.a").strip(),
        run(COMPILER, TARGET, "-print-libgcc-file-name").strip(),
    ]
    return link([folder / "libcodekem.a", *libraries], output)


def link(objects, output, exports=tuple(EXPORTS)):
    """Links objects and libraries to a module with exports and returns its path, output."""
    output.parent.mkdir(parents=True, exist_ok=True)
    no_entropy = output.with_suffix(".o")
    run(COMPILER, TARGET, "-Oz", "-c", NO_ENTROPY, "-o", no_entropy)
    # The linker itself: clang would run wasm-opt behind it where that is installed.
    run(
        *[LINKER, "--no-entry", "--gc-sections", "--strip-all"],
        *["--stack-first", "-z", f"stack-size={STACK_BYTES}", "--export=__heap_base"],
        *[f"--export={name}" for name in exports],
        *[no_entropy, *objects, "-o", output],
    )
    no_entropy.unlink()
    return output


def main():
    """Builds the module that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simd", action="store_true", help="with 128-bit vectors")
    parser.add_argument("--optimisation", default="-O3", help="for clang (default: -O3)")
    parser.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    print(build(arguments.output, arguments.simd, arguments.optimisation))


if __name__ == "__main__":
    main()
