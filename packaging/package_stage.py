# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What every language's package is made from: its own files, the library's sources, known answers.

Packages are never made in the checkout. Each is staged first: a folder below build/packages/stage
with the package's files as git has them and, where the package wants them, the C sources, the
licences and a small file of known answers. The package's own tool then works on that folder, so
what is tested is what is published, and no generated file lies between the sources.

All C files of the library compile alike for every processor, without flags for instruction sets
(src/base/isa.h); a package needs -Iinclude -Isrc -fno-strict-aliasing and, on Windows, bcrypt.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "packages" / "stage"
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]
# The KEMs whose known answers go into the packages; the library there has the older revisions too.
KEMS = ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"]


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
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise OSError(f"git {arguments[0]}: {done.stderr.strip()}; packages are made from a clone")
    return done.stdout


def files_of(*folders):
    """Returns the files below folders that git has or would add: paths relative to ROOT."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders)
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


# What libcodekem does not hold: codekem-legacy, codekem-sofia and codekem-mceliece with their
# mathematics.
OTHER_LIBRARIES = tuple(
    f"src/{folder}/"
    for folder in [
        "legacy",
        "mq4",
        "sofia",
        "mceliece",
        "benes",
        "bitmatrix",
        "gf2m",
        "recurrence",
        "sort",
    ]
)


def is_of_library(name):
    """Returns whether a file, relative to ROOT, is one of those that compile to the library."""
    if name == "include/codekem.h":
        return True
    suffixes = (".c", ".h", ".def", ".S")
    return (
        name.startswith("src/")
        and name.endswith(suffixes)
        and (not name.startswith(OTHER_LIBRARIES))
    )


def library_files():
    """Returns the files that compile to the library: include/codekem.h, and src without the folders
    of other libraries."""
    return [name for name in ["include/codekem.h", *files_of("src")] if is_of_library(name)]


def copy(names, destination, base=""):
    """Copies files (relative to ROOT) into destination, without the folder base in the names."""
    for name in names:
        target = destination / pathlib.PurePosixPath(name).relative_to(base)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)


def stage(folder, destination=None, library=None, vectors=None):
    """Makes a fresh staged copy of a package's folder and returns its path.

    folder: the package's folder, relative to ROOT, such as rust/codekem-sys
    destination: where the copy goes; below build/packages/stage if None
    library: the folder in the copy that gets include/ and src/; none if None
    vectors: the file in the copy that gets the known answers (known_answer_text); none if None

    The licences go to the top of the copy. A destination that is there is emptied first.
    """
    destination = pathlib.Path(destination) if destination else STAGE / folder
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


def runs(data):
    """Returns data as its runs of one value that is not zero: [offset, length, value]."""
    out: list[list[int]] = []
    for offset, value in enumerate(data):
        if value and out and out[-1][2] == value and sum(out[-1][:2]) == offset:
            out[-1][1] += 1
        elif value:
            out.append([offset, 1, value])
    return out


def change(records, field, value):
    """Returns value as a change of a record's field: {"of": index or None, "xor": runs}.

    None stands for zeros of the same length. The shortest of the changes is taken.
    """
    zeros = bytes(len(value))
    bases = [(None, zeros)] + [(i, record[field]) for i, record in enumerate(records)]
    candidates = [
        {"of": index, "xor": runs(bytes(a ^ b for a, b in zip(base, value, strict=True)))}
        for index, base in bases
    ]
    return min(candidates, key=lambda candidate: len(candidate["xor"]))


def known_answers_of(kem):
    """Returns five records of a KEM, with digests in the place of long values, and its rejections.

    Keys and ciphertexts come from the seeds; so the file is small and every length is tested.
    """
    sys.path.insert(0, str(ROOT / "tools"))
    import known_answers  # late: it needs the package cryptography

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
