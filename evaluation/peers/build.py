#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the code of HQC's authors (22 August 2025), portable and AVX2, with gcc and clang, checks
it by known answers, and prints the options that measure it beside codekem.

usage: hqc_authors.py SOURCE FOLDER [--fips202 FOLDER] [--compiler NAME]...

SOURCE is the unpacked package or a checkout: it has src/ref, src/x86_64 and lib/fips202. FOLDER is
made. --fips202 names a folder with another fips202.c and fips202.h of the same functions (PQClean's
common/): of the copies that circulate one has a Keccak that gives wrong answers. Compilers are gcc
and clang, or those that are named, as clang-16; flags are those of the authors' CMakeLists.txt.
Then, for the options that are printed:
    codekem-evaluation run --full $(hqc_authors.py SOURCE FOLDER)
    evaluation/peers/side_by_side.py build/default avx2 HQC-1=FOLDER/avx2-clang-HQC-1.so

A library whose answers are not those of tests/vectors/hqc is an error: nothing is printed for it,
and the exit status is 1. The digest that is printed names what was built: SHA-256 over names and
contents of the source files, which tells a copy from the team's archive.
"""

import argparse
import ctypes
import hashlib
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEVELS = (1, 3, 5)
COMMON = ["-std=c99", "-O3", "-fPIC", "-shared", "-Wl,-Bsymbolic"]
AVX2 = ["-mavx", "-mavx2", "-mbmi", "-mpclmul", "-DHQC_ARCH_X86_64=1", "-DHQC_ARCH_X86_64_AVX256=1"]
# By code: folders of src and flags for each compiler.
CODES = {
    "portable": (["ref"], {"gcc": ["-DHQC_ARCH_REF=1"], "clang": ["-DHQC_ARCH_REF=1"]}),
    "avx2": (
        ["x86_64/common", "x86_64/avx256"],
        {"gcc": [*AVX2, "-funroll-all-loops", "-flto"], "clang": [*AVX2, "-funroll-loops"]},
    ),
}
KIND = {"portable": "portable", "avx2": "vector"}


class WrongPeerError(Exception):
    """What was given is not the code of the authors, or does not work."""


def sources_of(source, fips202, code, level):
    """Returns (files to compile, folders of headers)."""
    inner, _ = CODES[code]
    top = [source / "src" / "common", *[source / "src" / part for part in inner]]
    folders = [*top, *[folder / f"hqc-{level}" for folder in top], fips202]
    files = [path for folder in folders[:-1] for path in sorted(folder.glob("*.c"))]
    own = pathlib.Path(__file__).with_suffix(".c")
    return [*files, fips202 / "fips202.c", own], [folder for folder in folders if folder.is_dir()]


def digest_of(source, fips202):
    """Returns a digest of all sources, in the order of their names."""
    total = hashlib.sha256()
    for folder in (source / "src", fips202):
        for path in sorted(folder.rglob("*.[ch]")):
            total.update(f"{path.relative_to(folder)}\n".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def build(source, fips202, target, compiler, code, level):
    """Compiles a shared library of one level."""
    files, folders = sources_of(source, fips202, code, level)
    family = "clang" if compiler.startswith("clang") else "gcc"
    flags = [*COMMON, *CODES[code][1][family]]
    command = [compiler, *flags, *[f"-I{folder}" for folder in folders], *files, "-o", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WrongPeerError(f"{target.name} does not compile:\n{done.stderr[-3000:]}")


def first_record(level):
    """Returns the first record of the known answers: bytes by name."""
    found = {}
    file = ROOT / "tests" / "vectors" / "hqc" / f"HQC-{level}.rsp"
    for line in file.read_text(encoding="ascii").splitlines():
        name, separator, value = line.partition(" = ")
        if name == "count" and found:
            break
        if separator and name != "count":
            found[name] = bytes.fromhex(value)
    return found


def check(path, level):
    """Makes the first record of the known answers with a library and compares."""
    library, record = ctypes.CDLL(str(path)), first_record(level)
    public, secret, cipher = (
        ctypes.create_string_buffer(len(record[name])) for name in ("pk", "sk", "ct")
    )
    sent, received = (ctypes.create_string_buffer(len(record["ss"])) for _ in range(2))
    library.prng_init(record["seed"], None, len(record["seed"]), 0)
    status = (
        library.crypto_kem_keypair(public, secret)
        or library.crypto_kem_enc(cipher, sent, public)
        or library.crypto_kem_dec(received, cipher, secret)
    )
    made = {"pk": public.raw, "sk": secret.raw, "ct": cipher.raw, "ss": sent.raw}
    wrong = [name for name, value in made.items() if value != record[name]]
    if status != 0 or wrong or sent.raw != received.raw:
        raise WrongPeerError(
            f"{path.name} gives wrong answers ({', '.join(wrong) or 'decapsulation'}); is its "
            "fips202 a good one? --fips202 takes another"
        )


def arguments_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--fips202", type=pathlib.Path)
    parser.add_argument("--compiler", action="append", metavar="NAME")
    return parser.parse_args(words)


def main(words):
    given = arguments_of(words)
    fips202 = (given.fips202 or given.source / "lib" / "fips202").resolve()
    compilers = given.compiler or [name for name in ("gcc", "clang") if shutil.which(name)]
    try:
        for name in compilers:
            if shutil.which(name) is None:
                raise WrongPeerError(f"there is no compiler {name} on this machine")
        for needed in (given.source / "src" / "ref" / "hqc.c", fips202 / "fips202.c"):
            if not needed.is_file():
                raise WrongPeerError(f"{needed} is not there: SOURCE is the authors' package")
        print(f"sources {digest_of(given.source, fips202)}", file=sys.stderr)
        given.folder.mkdir(parents=True, exist_ok=True)
        for code in CODES:
            for compiler in compilers:
                for level in LEVELS:
                    target = given.folder.resolve() / f"{code}-{compiler}-HQC-{level}.so"
                    build(given.source.resolve(), fips202, target, compiler, code, level)
                    check(target, level)
                    peer = f"authors-{code}-{compiler}"
                    print(f"--peer {peer}:HQC-{level}={target}@{KIND[code]}", flush=True)
    except WrongPeerError as error:
        print(f"hqc_authors.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
