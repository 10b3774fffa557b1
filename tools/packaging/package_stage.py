# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What every language's package is made from: its own files, the library's sources, known answers.

Packages are never made in the checkout. Each is staged first: a folder below build/packages/stage
with those of the package's files that git tracks and, where the package wants them, the C sources,
the licences and a small file of known answers. The package's own tool then works on that folder, so
what is tested is what is published, and no generated file lies between the sources.

Archives are made from a commit: every pack() begins with require_clean(). Staging alone takes the
tracked files as they are.

All C files of the library compile alike for every processor, without flags for instruction sets
(src/common/base/isa.h); a package needs -Iinclude -Isrc/common -Isrc/kem -fno-strict-aliasing and,
on Windows, bcrypt.
"""

import argparse
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from parameters.table import TABLE

ROOT = pathlib.Path(__file__).resolve().parents[2]
STAGE = ROOT / "build" / "packages" / "stage"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]
ALLOW_DIRTY = "CODEKEM_ALLOW_DIRTY"  # a variable of the environment: see require_clean
# The KEMs whose known answers go into the packages; the library there has the older revisions too.
KEMS = [kem.name for kem in TABLE.current("bike", "hqc")]


def version():
    """Returns the version of the library, which all packages carry."""
    header = (ROOT / "include" / "codekem.h").read_text(encoding="utf-8")
    found = re.search(r'^#define CODEKEM_VERSION_STRING "([^"]+)"', header, re.MULTILINE)
    if found is None:
        raise ValueError("include/codekem.h defines no CODEKEM_VERSION_STRING")
    return found.group(1)


def source_date_epoch():
    """Returns the time to write into archives: SOURCE_DATE_EPOCH, or that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given) if given else int(git("log", "-1", "--format=%ct"))


def git(*arguments):
    """Returns what git says of this checkout; raises OSError if this is none."""

    def call(*words):
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise OSError(
                f"git {words[0]}: {done.stderr.strip()}; packages are made from a clone of the "
                "repository, not from an unpacked archive"
            )
        return done.stdout

    # Without this, git would answer for a repository around an unpacked archive.
    top = call("rev-parse", "--show-toplevel").rstrip("\n")
    if pathlib.Path(top).resolve() != ROOT:
        raise OSError(
            f"{ROOT} is not a clone of the repository; it lies in another one, {top}; packages are "
            "made from a clone"
        )
    return call(*arguments)


def changes():
    """Returns what differs from the commit: lines such as "?? bob.key" (git-status)."""
    status = git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    # Files that git was told not to look at are not in the status.
    hidden = [
        f"?M {line[2:]}"
        for line in git("ls-files", "-v", "-z").split("\0")
        if line[:1].islower() or line[:1] == "S"
    ]
    return [line for line in status.split("\0") if line] + hidden


def require_clean():
    """Raises OSError, with the list, if the checkout is not as the commit has it.

    The environment variable ALLOW_DIRTY lets tracked files be packed as they are. Untracked ones
    never are, but CMake compiles those that lie in src into libraries of the jar and into Go's
    WebAssembly, as in any build.
    """
    if os.environ.get(ALLOW_DIRTY, "") not in {"", "0"}:
        return
    found = changes()
    if found:
        shown = found[:20] + ([f"and {len(found) - 20} more"] if len(found) > 20 else [])
        raise OSError(
            "packages are made from a commit, but this checkout has changes: commit them, or take "
            "them away; to try something, --allow-dirty packs the tracked files as they are\n"
            + "\n".join(f"  {line}" for line in shown)
        )


def add_allow_dirty(parser):
    """Adds the option --allow-dirty, which sets the variable for all that the program does."""

    class Allow(argparse.Action):
        def __call__(self, parser, namespace, values, option_string=None):
            os.environ[ALLOW_DIRTY] = "1"

    parser.add_argument(
        "--allow-dirty",
        action=Allow,
        nargs=0,
        help="pack the tracked files as they are, not only those of a commit; not for publishing",
    )


def files_of(*folders):
    """Returns the files below folders that git tracks and that are there, relative to ROOT."""
    listed = git("ls-files", "-z", "--cached", "--", *folders)
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


LIBRARY = ("src/common/", "src/kem/")  # of src/, what libcodekem holds


def is_of_library(name):
    """Returns whether a file, relative to ROOT, is one of those that compile to the library."""
    if name == "include/codekem.h":
        return True
    suffixes = (".c", ".h", ".def", ".S")
    return name.startswith(LIBRARY) and name.endswith(suffixes)


def library_files():
    """Returns the files that compile to the library."""
    return [name for name in ["include/codekem.h", *files_of("src")] if is_of_library(name)]


def is_of_mceliece(name):
    """Returns whether a file, relative to ROOT, is one that Classic McEliece adds."""
    if name == "include/codekem_mceliece.h":
        return True
    return name.startswith("src/mceliece/") and name.endswith((".c", ".h", ".def", ".S"))


def mceliece_files():
    """Returns the files that Classic McEliece adds to those of the library."""
    return [name for name in files_of("include", "src/mceliece") if is_of_mceliece(name)]


def copy(names, destination, base=""):
    """Copies files (relative to ROOT) into destination, without the folder base in the names."""
    for name in names:
        target = destination / pathlib.PurePosixPath(name).relative_to(base)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def stage(folder, destination=None, library=None, vectors=None):
    """Makes a fresh staged copy of a package's folder and returns its path.

    folder: the package's folder, relative to ROOT, such as bindings/rust/codekem-sys
    destination: where the copy goes; below build/packages/stage, by its name, if None
    library: the folder in the copy that gets include/ and src/; none if None
    vectors: the file in the copy that gets the known answers (known_answer_text); none if None

    The licences go to the top of the copy. A destination that is there is emptied first.
    """
    destination = (
        pathlib.Path(destination) if destination else STAGE / pathlib.PurePath(folder).name
    )
    if destination.exists():
        shutil.rmtree(destination)
    destination.mkdir(parents=True)
    copy(files_of(folder), destination, folder)
    copy(LICENSES, destination)
    if library is not None:
        copy(library_files(), destination / library)
    if vectors is not None:
        path = destination / vectors
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(known_answer_text(), encoding="ascii")
    return destination


# A run of one value that is not zero.
RUN = re.compile(rb"([^\0])\1*", re.DOTALL)


def combined(one, other):
    """Returns the exclusive or of two values, which may differ in length at the front."""
    both = int.from_bytes(one, "big") ^ int.from_bytes(other, "big")
    return both.to_bytes(max(len(one), len(other)), "big")


def change(records, field, value):
    """Returns value as a change of a record's field: {"of": index or None, "xor": runs}.

    None stands for zeros of the same length; a run is [offset, length, value]. The change is taken
    in which bytes differ least often from the one before.
    """
    bases = {None: bytes(len(value))} | {i: record[field] for i, record in enumerate(records)}
    changes = {index: combined(base, value) for index, base in bases.items()}
    index = min(changes, key=lambda index: -combined(changes[index], changes[index][:-1]).count(0))
    runs = [[run.start(), len(run[0]), run[0][0]] for run in RUN.finditer(changes[index])]
    return {"of": index, "xor": runs}


def known_answers_of(kem):
    """Returns five records of a KEM, with digests in the place of long values, and its rejections.

    Keys and ciphertexts come from the seeds; so the file is small and every length is tested.
    """
    from tools import known_answers  # late: it needs the package cryptography

    records = known_answers.read_records(kem)
    shown = []
    for record in records:
        keypair_seed, encaps_seed = known_answers.record_seeds(kem, record)
        shown.append(
            {
                "keypair_seed": keypair_seed.hex(),
                "encaps_seed": encaps_seed.hex(),
                "public_key_sha256": hashlib.sha256(record["pk"]).hexdigest(),
                "secret_key_sha256": hashlib.sha256(record["sk"]).hexdigest(),
                "ciphertext_sha256": hashlib.sha256(record["ct"]).hexdigest(),
                "shared_secret": record["ss"].hex(),
            }
        )
    rejections = [
        {
            "what": what,
            "ciphertext": change(records, "ct", ciphertext),
            "secret_key": change(records, "sk", secret_key),
            "shared_secret": shared.hex(),
        }
        for what, ciphertext, secret_key, shared, _ in known_answers.rejections(kem)
    ]
    first = records[0]
    return {
        "public_key_bytes": len(first["pk"]),
        "secret_key_bytes": len(first["sk"]),
        "ciphertext_bytes": len(first["ct"]),
        "shared_secret_bytes": len(first["ss"]),
        "records": shown,
        "rejections": rejections,
    }


@functools.cache
def known_answer_text():
    """Returns the known answers of KEMS as JSON.

    Each KEM has its lengths, five records (seeds in, SHA-256 of keys and ciphertext and the shared
    secret out) and altered inputs of decapsulation: ciphertext and secret key are given as
    {"of": number of the record, or null for zeros, "xor": [[offset, length, value], ...]}.
    """
    answers = {kem: known_answers_of(kem) for kem in KEMS}
    return json.dumps({"version": version(), "kems": answers}, separators=(",", ":")) + "\n"


def mceliece_answer_text():
    """Returns the first published record of each set of Classic McEliece as JSON.

    {set: {"keypair_seed", "public_key_sha256", "secret_key_sha256", "ciphertext", "shared_secret"}}
    in hexadecimal. The ciphertext is that of the reference implementation's randomness.
    """
    from tools import known_answers  # late: it needs the package cryptography

    found = {}
    for name, of_set in known_answers.read_json("mceliece", "digests")["sets"].items():
        record = of_set["records"][0]
        seed = known_answers.NistGenerator(bytes.fromhex(record["seed"])).random(32)
        found[name] = {
            "keypair_seed": seed.hex(),
            "public_key_sha256": record["pk_sha256"],
            "secret_key_sha256": record["sk_sha256"],
            "ciphertext": record["ct"],
            "shared_secret": record["ss"],
        }
    return json.dumps(found, separators=(",", ":")) + "\n"
