#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Brings HQC into a checkout of liboqs, by liboqs's own importer.

usage: liboqs.py upstream FOLDER          what the importer wants of us: sources and metadata
       liboqs.py import LIBOQS FOLDER     runs LIBOQS's importer on it, for HQC alone

FOLDER is a git repository with all of `upstream` committed, or one that `import` makes.

liboqs keeps the reference for compilers and processors that we do not know; on x86-64 and 64-bit
Arm, on Linux and macOS, it then calls us, and we choose the back end. The importer would fetch all
its upstreams: here it gets ours, and as the upstream of the reference the files that are in LIBOQS.
It needs pyyaml, jinja2 and tabulate. docs/start/one-file.md says what a maintainer there must know.
"""

import argparse
import copy
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from tools.packaging import package_stage, vendor

ROOT = package_stage.ROOT
GLUE = "tools/packaging/liboqs"
PREFIX = "hqc_codekem"  # liboqs wants names that begin with those of a list, which has hqc
REVISION = "HQC of 2025-08-22"
LEVELS = (1, 3, 5)
PLATFORMS = {
    # name: architecture in liboqs, flags that all of them have: we ask the processor ourselves
    "x86_64": ("x86_64", ["sse2"]),
    "aarch64": ("arm_8", ["asimd"]),
}
# What liboqs has today, which stays.
REFERENCE = "pqc-hqc"


def options():
    """Returns how the copy is made: no environment or batches, hashing of liboqs."""
    return vendor.Options(
        "hqc",
        PREFIX,
        environment=False,
        batches=False,
        replaced={"keccak/keccak.h": f"{GLUE}/oqs_keccak.h"},
        added=(f"{GLUE}/oqs_keccak.c",),
        processors_left_out=("neon32", "rvv", "zbc", "wasm"),
        configuration="oqs_config.h",
    )


def lengths(level):
    """Returns lengths and the digest of the first known answer, as liboqs counts it."""
    from tools import known_answers  # late: it needs the package cryptography

    record = known_answers.read_records(f"HQC-{level}")[0]
    return {
        "length-public-key": len(record["pk"]),
        "length-ciphertext": len(record["ct"]),
        "length-secret-key": len(record["sk"]),
        "length-shared-secret": len(record["ss"]),
    }


def metadata(level, digest):
    """Returns the metadata of a parameter set. digest: of liboqs's single known answer."""
    return {
        "name": f"HQC-{level}",
        "type": "kem",
        "claimed-nist-level": level,
        "claimed-security": "IND-CCA2",
        **lengths(level),
        "length-keypair-seed": 0,
        "length-encaps-seed": 0,
        "nistkat-sha256": digest,
        "testvectors-sha256": "",
        "principal-submitters": ["Philippe Gaborit"],
        "auxiliary-submitters": [],
        "implementations": [
            {
                "name": name,
                "version": f"codekem {package_stage.version()} ({REVISION})",
                "folder_name": ".",
                "compile_opts": f"-DHQC_LEVEL={level}",
                "common_dep": "core",
                **{
                    f"signature_{operation}": f"{PREFIX}_{level}_{operation}"
                    for operation in ("keypair", "enc", "dec")
                },
                "sources": f"oqs_glue.c {PREFIX}.h",
                "supported_platforms": [
                    {
                        "architecture": architecture,
                        "operating_systems": ["Linux", "Darwin"],
                        "required_flags": list(flags),
                    }
                ],
            }
            for name, (architecture, flags) in PLATFORMS.items()
        ],
    }


COMMON = {
    "commons": [
        {
            "name": "core",
            "folder_name": ".",
            "sources": f"{PREFIX}.c {PREFIX}.h oqs_config.h",
            "compile_opts": vendor.FLAG,
        }
    ]
}


def write_upstream(folder, digests):
    """Writes what the importer copies, and says of it. digests: of known answers, by level."""
    import yaml

    texts = vendor.one_file(options())
    for name in ("oqs_glue.c", "oqs_config.h"):
        text = (ROOT / GLUE / name).read_text(encoding="utf-8")
        texts[name] = vendor.prefixed(text, PREFIX)
    texts |= {
        f"HQC-{level}_META.yml": yaml.safe_dump(metadata(level, digests[level]), sort_keys=False)
        for level in LEVELS
    }
    texts["META_Common.yml"] = yaml.safe_dump(COMMON, sort_keys=False)
    texts |= {name: (ROOT / name).read_text(encoding="utf-8") for name in package_stage.LICENSES}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def stored_digests(liboqs=None):
    """Returns the digests of known answers, by level: liboqs's own, or those in our tests."""
    if liboqs is not None:
        path = liboqs / "tests" / "KATs" / "kem" / "kats.json"
        kats = json.loads(path.read_text(encoding="utf-8"))
        return {level: kats[f"HQC-{level}"]["single"] for level in LEVELS}
    # Of the first record, without the blank lines around it.
    found = {}
    for level in LEVELS:
        path = ROOT / "tests" / "vectors" / "hqc" / f"HQC-{level}.rsp"
        record = path.read_bytes().splitlines(keepends=True)[2:8]
        found[level] = hashlib.sha256(b"".join(record)).hexdigest()
    return found


def git(folder, *words):
    identity = ["-c", "user.name=codekem", "-c", "user.email=codekem@localhost"]
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def instructions_of(upstream, reference):
    """Returns the importer's instructions for HQC: ours, and the reference as it is."""
    places = {
        name: {
            "name": name,
            "git_url": folder.resolve().as_uri(),
            "git_branch": git(folder, "branch", "--show-current"),
            "git_commit": git(folder, "rev-parse", "HEAD"),
            "kem_meta_path": "{pretty_name_full}_META.yml",
            "kem_scheme_path": ".",
        }
        for name, folder in (("codekem", upstream), (REFERENCE, reference))
    }
    places["codekem"]["common_meta_path"] = "META_Common.yml"
    family = {
        "name": "hqc",
        "default_implementation": "ref",
        "upstream_location": "codekem",
        "arch_specific_implementations": {"ref": "ref"},
        "arch_specific_upstream_locations": {"ref": REFERENCE},
        "schemes": [
            {
                "scheme": str(level),
                "pqclean_scheme": f"hqc-{level}",
                "pretty_name_full": f"HQC-{level}",
            }
            for level in LEVELS
        ],
    }
    return {"upstreams": list(places.values()), "kems": [family], "sigs": []}


def write_reference(liboqs, folder):
    """Makes a repository of the reference's files in liboqs, with their metadata."""
    import yaml

    patch = liboqs / "scripts/copy_from_upstream/patches/pqchqc-liboqs-integration.patch"
    added = patch.read_text(encoding="utf-8")
    folder.mkdir(parents=True)
    for level in LEVELS:
        part = added.split(f"+++ b/integrations/HQC-{level}_META.yml\n")[1].split("\ndiff --git")[0]
        lines = [line[1:] for line in part.splitlines() if line.startswith("+")]
        said = yaml.safe_load("\n".join(lines))
        place = liboqs / f"src/kem/hqc/{REFERENCE}_hqc-{level}_ref"
        shutil.copytree(place, folder / f"hqc-{level}")
        (one,) = said["implementations"]
        one["folder_name"] = f"hqc-{level}"
        one["sources"] = " ".join(sorted(path.name for path in place.iterdir()))
        (folder / f"HQC-{level}_META.yml").write_text(yaml.safe_dump(said), encoding="utf-8")
    commit_all(folder)


def commit_all(folder):
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=Sources")


# Runs in the importer's folder with Python of its own, and writes what became of the instructions.
IMPORTER = """
import json, os, sys
file, result = sys.argv[1:]
sys.argv = ["copy_from_upstream.py", "copy", "-k"]
text = open("copy_from_upstream.py", encoding="utf-8").read()
names = {}
# Behind this line it begins with all upstreams at once.
exec(compile(text[: text.index("non_upstream_kems = count_non")], "importer", "exec"), names)
top = os.environ["LIBOQS_DIR"]
for kind in ("kem", "sig"):
    with open(os.path.join(top, "tests", "KATs", kind, "kats.json")) as kats:
        names["kats"][kind] = json.load(kats)
instructions = names["load_instructions"](file)
names["process_families"](instructions, top, True, True)
with open(result, "w") as out:
    json.dump(instructions, out, default=sorted)
"""


def exchange_fragment(liboqs, path, fragment, before, after):
    """Exchanges what a template makes of HQC in a file that has all families."""
    import jinja2

    template = liboqs / "scripts/copy_from_upstream" / path / f"{fragment}.fragment"
    made = [
        jinja2.Template(template.read_text(encoding="utf-8")).render(
            {"instructions": instructions, "non_upstream_kems": 0}
        )
        for instructions in (before, after)
    ]
    old, new = (text.strip("\n") for text in made)
    target = liboqs / path
    text = target.read_text(encoding="utf-8")
    if old.strip():
        if text.count(old) != 1:
            raise ValueError(f"{path} does not have what liboqs's template makes of HQC")
        text = text.replace(old, new)
    else:  # HQC comes first
        start = f"##### OQS_COPY_FROM_UPSTREAM_FRAGMENT_{fragment.upper()}_START\n"
        text = text.replace(start, f"{start}{new.lstrip()}\n")
    target.write_text(text, encoding="utf-8")


def run_import(liboqs, upstream):
    """Does what the importer would do if HQC's instructions were ours."""
    import yaml

    reference = upstream.parent / f"{upstream.name}-reference"
    if not (upstream / ".git").exists():
        write_upstream(upstream, stored_digests(liboqs))
        commit_all(upstream)
    shutil.rmtree(reference, ignore_errors=True)
    write_reference(liboqs, reference)
    folder = liboqs / "scripts" / "copy_from_upstream"
    file, result = folder / "codekem.yml", folder / "codekem.json"
    file.write_text(yaml.safe_dump(instructions_of(upstream, reference)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER, file.name, result.name],
        cwd=folder, env=os.environ | {"LIBOQS_DIR": str(liboqs)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise OSError(f"liboqs's importer failed:\n{done.stdout}{done.stderr}")
    after = json.loads(result.read_text(encoding="utf-8"))
    before = copy.deepcopy(after)
    for scheme in before["kems"][0]["schemes"]:
        said = scheme["metadata"]
        said["implementations"] = [one for one in said["implementations"] if one["name"] == "ref"]
    for path, fragment in (
        (".CMake/alg_support.cmake", "add_enable_by_alg_conditional"),
        ("src/oqsconfig.h.cmake", "add_alg_enable_defines"),
    ):
        exchange_fragment(liboqs, path, fragment, before, after)
    file.unlink()
    result.unlink()
    shutil.rmtree(folder / "repos")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    upstream = commands.add_parser("upstream")
    upstream.add_argument("folder", type=pathlib.Path)
    imported = commands.add_parser("import")
    imported.add_argument("liboqs", type=pathlib.Path)
    imported.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    try:
        if given.command == "upstream":
            write_upstream(given.folder.resolve(), stored_digests())
        else:
            run_import(given.liboqs.resolve(), given.folder.resolve())
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"liboqs: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
