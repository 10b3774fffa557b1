#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the code of others as shared libraries with the functions of NIST's API, checks each by
published known answers, and prints the options that measure it beside codekem.

usage: build.py hqc-authors SOURCE FOLDER [--fips202 FOLDER] [--compiler NAME]...
       build.py bike-kem    SOURCE FOLDER [--compiler NAME]...
       build.py libmceliece SOURCE FOLDER
       build.py rustcrypto  FOLDER
       build.py check KEM=LIBRARY.so...

hqc-authors  the package of HQC's authors of 22 August 2025, unpacked or a checkout: src/ref,
             src/x86_64 and lib/fips202; portable and AVX2. --fips202 names a folder with another
             fips202.c and fips202.h of the same functions (PQClean's common/): of the copies that
             circulate one has a Keccak that gives wrong answers
bike-kem     a checkout of awslabs/bike-kem: with AVX2 alone, and all that it has
libmceliece  where the Debian packages libmceliece1 and libmceliece-dev, or a build of it, are
             unpacked: mceliece.h and libmceliece.a. It looks for AVX2 as it runs
rustcrypto   hqc-kem from the crate registry, by cargo
check        checks what others have built, for instance evaluation/peers/liboqs.sh

FOLDER is made. Compilers are gcc and clang, or those that are named, as clang-16; flags are those
that the packages build with. Then, for the options that are printed:
    codekem-evaluation run --full $(build.py hqc-authors SOURCE FOLDER)
    evaluation/peers/side_by_side.py build/default avx2 HQC-1=FOLDER/avx2-clang-HQC-1.so

A library whose answers are not those of tests/vectors is an error: nothing is printed for it, and
the exit status is 1. The digest that is printed names what was built: SHA-256 over names and
contents of the source files, which tells a copy from an author's archive.
"""

import argparse
import ctypes
import hashlib
import pathlib
import shutil
import sys
import tempfile
import typing

from parameters.table import TABLE
from tools import known_answers, programs

HERE = pathlib.Path(__file__).resolve().parent
SHARED = ["-fPIC", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"]
RANDOM = HERE / "random.c"

AVX2 = ["-mavx", "-mavx2", "-mbmi", "-mpclmul", "-DHQC_ARCH_X86_64=1", "-DHQC_ARCH_X86_64_AVX256=1"]
# HQC's authors, by code: folders of src, and flags for each compiler.
HQC_CODES = {
    "portable": (["ref"], {"gcc": ["-DHQC_ARCH_REF=1"], "clang": ["-DHQC_ARCH_REF=1"]}),
    "avx2": (
        ["x86_64/common", "x86_64/avx256"],
        {"gcc": [*AVX2, "-funroll-all-loops", "-flto"], "clang": [*AVX2, "-funroll-loops"]},
    ),
}

# bike-kem: its flags for x86-64, and those of files with such names.
BIKE_FLAGS = ["-O3", "-DNDEBUG", "-std=c99", "-fPIC", "-funroll-loops", "-m64", "-mno-red-zone"]
BIKE_FLAGS += ["-DX86_64", "-DUSE_SHA3_AND_SHAKE=1", "-DSTANDALONE_IMPL=1", "-DUSE_NIST_RAND"]
BIKE_AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq"]
BIKE_FILES = {
    "_avx512": BIKE_AVX512,
    "_vpclmul": ["-mvpclmulqdq", *BIKE_AVX512],
    "_avx2": ["-mavx2"],
    "_pclmul": ["-mpclmul"],
}
BIKE_OWN = [RANDOM, HERE / "bike_start.c", HERE / "bike_avx2.c"]
# Not in the build with SHA-3: they need other options or OpenSSL.
BIKE_UNUSED = ("aes.c", "aes_ctr_prf.c", "sha.c")

FILL = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)


class WrongPeerError(Exception):
    """What was given is not the code that was asked for, or does not work."""


class Built(typing.NamedTuple):
    """A library."""

    name: str  # of the peer, in reports
    kem: str
    path: pathlib.Path
    code: str  # portable or vector


def family_of(compiler):
    return "clang" if compiler.startswith("clang") else "gcc"


def need(source, *paths):
    for path in paths:
        if not (source / path).is_file():
            raise WrongPeerError(f"{source / path} is not there: SOURCE is another package")


def digest_of(*folders):
    """Returns a digest of all sources, in the order of their names."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.[ch]")):
            total.update(f"{path.relative_to(folder)}\n".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def run_compiler(name, *command):
    programs.run(WrongPeerError, *command, what=f"{name} does not compile")


def hqc_authors(given):
    source = given.source.resolve()
    fips202 = (given.fips202 or source / "lib" / "fips202").resolve()
    need(source, "src/ref/hqc.c")
    need(fips202, "fips202.c")
    print(f"sources {digest_of(source / 'src', fips202)}", file=sys.stderr)
    for code, (inner, flags) in HQC_CODES.items():
        for compiler in given.compiler:
            for level in (1, 3, 5):
                top = [source / "src" / "common", *[source / "src" / part for part in inner]]
                folders = [*top, *[folder / f"hqc-{level}" for folder in top], fips202]
                files = [path for folder in folders[:-1] for path in sorted(folder.glob("*.c"))]
                files += [fips202 / "fips202.c", HERE / "hqc_authors.c"]
                files = [path for path in files if path.name != "symmetric.c"]
                target = given.folder / f"{code}-{compiler}-HQC-{level}.so"
                command = [compiler, "-std=c99", "-O3", *SHARED, *flags[family_of(compiler)]]
                command += [f"-I{folder}" for folder in folders if folder.is_dir()]
                with tempfile.TemporaryDirectory() as scratch:
                    generator = pathlib.Path(scratch) / "generator.o"
                    run_compiler(
                        target.name,
                        *[word for word in command if word not in SHARED[1:]],
                        "-Dprng_get_bytes=authors_prng_get_bytes",
                        *("-c", source / "src" / "common" / "symmetric.c", "-o", generator),
                    )
                    run_compiler(target.name, *command, *files, generator, "-o", target)
                kind = "portable" if code == "portable" else "vector"
                yield Built(f"authors-{code}-{compiler}", f"HQC-{level}", target, kind)


def bike_kem(given):
    source = given.source.resolve()
    need(source, "src/kem.c", "include/kem.h", "tests/FromNIST/rng.h")
    print(f"sources {digest_of(source / 'src', source / 'include')}", file=sys.stderr)
    files = [path for path in sorted(source.rglob("src/**/*.c")) if path.name not in BIKE_UNUSED]
    folders = [source / "include", source / "include/internal", source / "src/third_party_src"]
    for compiler in given.compiler:
        for level in (1, 3, 5):
            with tempfile.TemporaryDirectory() as scratch:
                objects = {}
                for number, path in enumerate([*files, *BIKE_OWN]):
                    ending = next((end for end in BIKE_FILES if path.stem.endswith(end)), "")
                    objects[path.stem] = pathlib.Path(scratch) / f"{number}.o"
                    run_compiler(
                        f"bike-kem's {path.name}",
                        *(compiler, *BIKE_FLAGS, *BIKE_FILES.get(ending, []), f"-DLEVEL={level}"),
                        *(*[f"-I{folder}" for folder in folders], "-c", path),
                        *("-o", objects[path.stem]),
                    )
                for code, other in {"avx2": "cpu_features", "all": "bike_avx2"}.items():
                    target = given.folder / f"{code}-{compiler}-BIKE-L{level}.so"
                    parts = [path for name, path in objects.items() if name != other]
                    run_compiler(target.name, compiler, *SHARED, *parts, "-o", target)
                    yield Built(f"bike-kem-{code}-{compiler}", f"BIKE-L{level}", target, "vector")


def libmceliece(given):
    archive = next(iter(sorted(given.source.rglob("libmceliece.a"))), None)
    header = next(iter(sorted(given.source.rglob("mceliece.h"))), None)
    if archive is None or header is None:
        raise WrongPeerError(f"{given.source} has no libmceliece.a and mceliece.h below it")
    print(f"library {hashlib.sha256(archive.read_bytes()).hexdigest()}", file=sys.stderr)
    for kem in TABLE.current("mceliece"):
        if kem.confirms:
            continue  # no known answers with confirmation are published
        target = given.folder / f"libmceliece-{kem.name}.so"
        run_compiler(
            target.name,
            *("cc", "-O2", *SHARED, f"-DSET={kem.name}", f"-I{header.parent}"),
            *(HERE / "libmceliece_kem.c", RANDOM, archive, "-Wl,--exclude-libs,ALL"),
            *("-o", target),
        )
        yield Built("libmceliece", kem.name, target, "vector")


def rustcrypto(given):
    if shutil.which("cargo") is None:
        raise WrongPeerError("there is no cargo on this machine")
    run_compiler(
        "hqc-kem",
        *("cargo", "build", "--quiet", "--release", "--locked", "--lib"),
        *("--features", "rustcrypto", "--manifest-path", HERE / "rust" / "Cargo.toml"),
        *("--target-dir", given.folder / "cargo"),
    )
    for level in (1, 3, 5):
        target = given.folder / f"rustcrypto-HQC-{level}.so"
        run_compiler(
            target.name,
            *("cc", "-O2", *SHARED, f"-DLEVEL={level}", HERE / "rustcrypto_kem.c"),
            *(RANDOM, given.folder / "cargo" / "release" / "libcodekem_peer.a"),
            *("-lgcc_s", "-lc", "-lm", "-Wl,--exclude-libs,ALL", "-o", target),
        )
        yield Built("rustcrypto", f"HQC-{level}", target, "portable")


PEERS = {
    "hqc-authors": hqc_authors,
    "bike-kem": bike_kem,
    "libmceliece": libmceliece,
    "rustcrypto": rustcrypto,
}


# --- Known answers ---


def first_record(kem):
    """Returns the first published record of a KEM: seed, ct and ss, and of the keys themselves or
    what `as_published` makes of them."""
    if kem.scheme == "mceliece":
        record = known_answers.read_json("mceliece", "digests")["sets"][kem.name]["records"][0]
        values = {name: bytes.fromhex(record[name]) for name in ("seed", "ct", "ss")}
        return values | {name: bytes.fromhex(record[f"{name}_sha256"]) for name in ("pk", "sk")}
    return known_answers.read_records(kem.name)[0]


def as_published(kem, name, value):
    hashed = kem.scheme == "mceliece" and name in ("pk", "sk")
    return hashlib.sha256(value).digest() if hashed else value


def seed_library(library, kem, seed):
    """Makes a library draw what the known answers were made with; returns what must live on."""
    if hasattr(library, "prng_init"):  # of HQC's authors
        library.prng_init(seed, None, len(seed), 0)
        return None
    generator = known_answers.ShakeGenerator if kem.scheme == "hqc" else known_answers.NistGenerator
    source = generator(seed)

    def fill(out, length):
        ctypes.memmove(out, source.random(length), length)

    kept = FILL(fill)
    library.peer_random(kept)
    return kept


def check(path, name):
    """Makes the first record of the known answers with a library and compares."""
    kem = next((kem for kem in TABLE.kems if kem.name == name), None)
    if kem is None:
        raise WrongPeerError(
            f"codekem has no KEM {name}, whose known answers {path.name} could give"
        )
    try:
        library = ctypes.CDLL(str(path.resolve()))
        names = ("public_key", "secret_key", "ciphertext", "shared_secret", "shared_secret")
        buffers = [ctypes.create_string_buffer(kem.sizes[part]) for part in names]
        public, secret, cipher, sent, received = buffers
        record = first_record(kem)
        kept = seed_library(library, kem, record["seed"])
        status = (
            library.crypto_kem_keypair(public, secret)
            or library.crypto_kem_enc(cipher, sent, public)
            or library.crypto_kem_dec(received, cipher, secret)
        )
    except (OSError, AttributeError) as error:
        raise WrongPeerError(f"{path} cannot be used: {error}") from error
    if kept is not None:
        library.peer_random(None)
    made = {"pk": public.raw, "sk": secret.raw, "ct": cipher.raw, "ss": sent.raw}
    wrong = [part for part in made if as_published(kem, part, made[part]) != record[part]]
    if status != 0 or wrong or sent.raw != received.raw:
        raise WrongPeerError(
            f"{path.name} gives wrong answers ({', '.join(wrong) or 'decapsulation'})"
            + (
                "; is its fips202 a good one? --fips202 takes another"
                * hasattr(library, "prng_init")
            )
        )


def check_pairs(pairs):
    for pair in pairs:
        name, _, path = pair.partition("=")
        if not pathlib.Path(path).is_file():
            raise WrongPeerError(f"{pair} is not KEM=LIBRARY.so")
        check(pathlib.Path(path), name)
        print(f"{pair}: the published known answers", flush=True)


def arguments_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="peer", required=True)
    for name in PEERS:
        one = kinds.add_parser(name)
        if name != "rustcrypto":
            one.add_argument("source", type=pathlib.Path)
        one.add_argument("folder", type=pathlib.Path)
        if name == "hqc-authors":
            one.add_argument("--fips202", type=pathlib.Path)
        if name in ("hqc-authors", "bike-kem"):
            one.add_argument("--compiler", action="append", metavar="NAME")
    kinds.add_parser("check").add_argument("pairs", nargs="+", metavar="KEM=LIBRARY.so")
    return parser.parse_args(words)


def main(words):
    given = arguments_of(words)
    try:
        if given.peer == "check":
            check_pairs(given.pairs)
            return 0
        if hasattr(given, "compiler"):
            given.compiler = given.compiler or list(filter(shutil.which, ("gcc", "clang")))
            for name in given.compiler:
                if shutil.which(name) is None:
                    raise WrongPeerError(f"there is no compiler {name} on this machine")
        given.folder = given.folder.resolve()
        given.folder.mkdir(parents=True, exist_ok=True)
        for built in PEERS[given.peer](given):
            check(built.path, built.kem)
            print(f"--peer {built.name}:{built.kem}={built.path}@{built.code}", flush=True)
    except WrongPeerError as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
