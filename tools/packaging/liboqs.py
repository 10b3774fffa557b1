#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Brings HQC, BIKE and Classic McEliece into a checkout of liboqs.

usage: liboqs.py upstream FOLDER                    what the importer wants of us
       liboqs.py import LIBOQS FOLDER [SCHEME]...   runs LIBOQS's importer on it

FOLDER is a git repository with all of `upstream` committed, or one that `import` makes. SCHEME:
hqc, bike, mceliece; all of them if none is named.

liboqs keeps what it has for compilers and processors that we do not know; on x86-64 and 64-bit
Arm, on Linux and macOS, it then calls us, and we choose the back end. The importer would fetch all
its upstreams: here it gets ours, and as those of the code that stays the files that are in LIBOQS.
BIKE has no upstream there: its code goes beside theirs, with a few lines of CMake. It needs pyyaml,
jinja2 and tabulate. docs/liboqs.md says what a maintainer there must know.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from tools.packaging import vendor
from tools.packaging.liboqs_families import BIKE, FAMILIES, IMPORTED, write_upstream

SIGNATURE = re.compile(r"return \(OQS_STATUS\) (\w+_(?:keypair|enc|dec))\(")


def git(folder, *words):
    identity = ["-c", "user.name=codekem", "-c", "user.email=codekem@localhost"]
    command = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def commit_all(folder):
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=Sources")


def instructions_of(upstream, reference, families):
    """Returns the importer's instructions: our code, and that which stays as it is."""
    names = {family.reference: reference / family.reference for family in families}
    places = {
        name: {
            "name": name,
            "git_url": folder.resolve().as_uri(),
            "git_branch": git(folder, "branch", "--show-current"),
            "git_commit": git(folder, "rev-parse", "HEAD"),
            "kem_meta_path": "{pretty_name_full}_META.yml",
            "kem_scheme_path": ".",
        }
        for name, folder in ({"codekem": upstream} | names).items()
    }
    places["codekem"]["common_meta_path"] = "META_Common.yml"
    kems = [
        {
            "name": family.name,
            "default_implementation": family.kept,
            "upstream_location": "codekem",
            "arch_specific_implementations": {family.kept: family.kept},
            "arch_specific_upstream_locations": {family.kept: family.reference},
            "schemes": [
                {
                    "scheme": one.scheme,
                    "pqclean_scheme": one.folder,
                    "pretty_name_full": one.method,
                }
                for one in family.sets
            ],
        }
        for family in families
    ]
    return {"upstreams": list(places.values()), "kems": kems, "sigs": []}


def target_options(liboqs, family, one):
    """Returns what liboqs's CMake gives to the code of a set that stays."""
    text = (liboqs / "src/kem" / family.name / "CMakeLists.txt").read_text(encoding="utf-8")
    target = re.escape(f"{family.name}_{one.scheme}_{family.kept}")
    found = re.search(rf"target_compile_options\({target} PUBLIC ([^)]*)\)", text)
    return found[1] if found else ""


def write_reference(liboqs, folder, family):
    """Makes a repository of the code that stays, with metadata as its own upstream has them."""
    import yaml

    family_folder = liboqs / "src/kem" / family.name
    folder.mkdir(parents=True)
    for one in family.sets:
        place = family_folder / f"{family.reference}_{one.folder}_{family.kept}"
        shutil.copytree(place, folder / one.folder)
        text = (family_folder / f"kem_{family.name}_{one.scheme}.c").read_text(encoding="utf-8")
        version = re.search(r'alg_version = "([^"]*)"', text)
        # The last call of each kind is that without conditions.
        functions = {name.rpartition("_")[2]: name for name in SIGNATURE.findall(text)}
        if version is None or set(functions) != {"keypair", "enc", "dec"}:
            raise ValueError(f"{one.method}: liboqs's file for it is not as the importer writes it")
        said = {
            "implementations": [
                {
                    "name": family.kept,
                    "version": version[1],
                    "folder_name": one.folder,
                    "compile_opts": target_options(liboqs, family, one),
                    "sources": " ".join(sorted(path.name for path in place.iterdir())),
                    **{f"signature_{kind}": name for kind, name in functions.items()},
                }
            ]
        }
        (folder / f"{one.method}_META.yml").write_text(yaml.safe_dump(said), encoding="utf-8")
    commit_all(folder)


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


def exchange_fragment(liboqs, path, fragment, instructions, families):
    """Exchanges what a template makes of some families in a file that has all of them: paragraphs
    that name a family's options."""
    import jinja2

    template = liboqs / "scripts/copy_from_upstream" / path / f"{fragment}.fragment"
    target = liboqs / path
    mark = f"OQS_COPY_FROM_UPSTREAM_FRAGMENT_{fragment.upper()}"
    whole = re.compile(rf"(.*{mark}_START\n)(.*)(\n[^\n]*{mark}_END.*)", re.DOTALL)
    found = whole.fullmatch(target.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{path} does not have the marks of liboqs's importer")
    inner = found[2]
    for family in families:
        only = {"kems": [k for k in instructions["kems"] if k["name"] == family.name], "sigs": []}
        made = jinja2.Template(template.read_text(encoding="utf-8")).render(
            {"instructions": only, "non_upstream_kems": 0}
        )
        own = re.compile(rf"OQS_ENABLE_KEM_{family.name}_\w")
        paragraphs = [p for p in re.finditer(r"(?:[^\n]+\n)+\n*", inner) if own.search(p[0])]
        at = paragraphs[0].start() if paragraphs else 0
        for paragraph in reversed(paragraphs):
            inner = inner[: paragraph.start()] + inner[paragraph.end() :]
        inner = f"{inner[:at]}{made.strip(chr(10))}\n\n{inner[at:]}"
    target.write_text(found[1] + inner + found[3], encoding="utf-8")


def run_importer(liboqs, upstream, reference, families):
    """Does what the importer would do if the instructions for these families were ours."""
    import yaml

    for family in families:
        write_reference(liboqs, reference / family.reference, family)
    folder = liboqs / "scripts" / "copy_from_upstream"
    file, result = folder / "codekem.yml", folder / "codekem.json"
    instructions = instructions_of(upstream, reference, families)
    file.write_text(yaml.safe_dump(instructions), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER, file.name, result.name],
        cwd=folder, env=os.environ | {"LIBOQS_DIR": str(liboqs)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise OSError(f"liboqs's importer failed:\n{done.stdout}{done.stderr}")
    instructions = json.loads(result.read_text(encoding="utf-8"))
    for path, fragment in (
        (".CMake/alg_support.cmake", "add_enable_by_alg_conditional"),
        ("src/oqsconfig.h.cmake", "add_alg_enable_defines"),
    ):
        exchange_fragment(liboqs, path, fragment, instructions, families)
    for family in families:  # what nobody builds any more
        own = liboqs / "src/kem" / family.name
        for place in own.glob(f"{family.reference}_*"):
            if not place.name.endswith(f"_{family.kept}"):
                shutil.rmtree(place)
    file.unlink()
    result.unlink()
    shutil.rmtree(folder / "repos")


def bike_lines():
    """Returns the lines of CMake that take our BIKE, and leave the file."""
    core, glue = f"codekem/{BIKE.prefix}.c", "codekem/oqs_glue.c"
    levels = "".join(
        f"""
        if(OQS_ENABLE_KEM_bike_{one.scheme})
            add_library(bike_{one.scheme} OBJECT {glue})
            target_compile_definitions(bike_{one.scheme} PRIVATE
                OQS_DIRECT OQS_METHOD={one.kem} OQS_PREFIX=OQS_KEM_bike_{one.scheme})
            set(_BIKE_OBJS ${{_BIKE_OBJS}} $<TARGET_OBJECTS:bike_{one.scheme}>)
        endif()"""
        for one in BIKE.sets
    )
    return f"""
    # {BIKE.version} asks the processor itself what it has.
    if((ARCH_X86_64 OR ARCH_ARM64v8) AND CMAKE_SYSTEM_NAME MATCHES "Linux|Darwin")
        add_library(bike_core OBJECT {core})
        target_compile_options(bike_core PRIVATE {vendor.FLAG})
        set(_BIKE_OBJS ${{_BIKE_OBJS}} $<TARGET_OBJECTS:bike_core>){levels}
        set(BIKE_OBJS ${{_BIKE_OBJS}} PARENT_SCOPE)
        return()
    endif()
"""


def add_bike(liboqs, upstream):
    """Puts our BIKE beside liboqs's own, for the platforms that we know."""
    folder = liboqs / "src/kem" / BIKE.name
    lists = folder / "CMakeLists.txt"
    text = lists.read_text(encoding="utf-8")
    place = "    set(_BIKE_OBJS $<TARGET_OBJECTS:kem_bike>)\n"
    if text.count(place) != 1:
        raise ValueError(f"{lists}: not the file that was known")
    shutil.copytree(upstream / BIKE.scheme, folder / "codekem")
    lists.write_text(text.replace(place, place + bike_lines()), encoding="utf-8")


def run_import(liboqs, upstream, families):
    """Brings families into liboqs, from a repository that is made if it is not there."""
    for family in families:
        if any((liboqs / "src/kem" / family.name).glob("codekem*")):
            raise ValueError(f"{liboqs} has our {family.scheme} already")
    reference = upstream.parent / f"{upstream.name}-reference"
    if not (upstream / ".git").exists():
        write_upstream(upstream)
        commit_all(upstream)
    shutil.rmtree(reference, ignore_errors=True)
    if imported := [family for family in families if family in IMPORTED]:
        run_importer(liboqs, upstream, reference, imported)
    if BIKE in families:
        add_bike(liboqs, upstream)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    upstream = commands.add_parser("upstream")
    upstream.add_argument("folder", type=pathlib.Path)
    imported = commands.add_parser("import")
    imported.add_argument("liboqs", type=pathlib.Path)
    imported.add_argument("folder", type=pathlib.Path)
    imported.add_argument("schemes", nargs="*", metavar="SCHEME")
    given = parser.parse_args()
    try:
        if given.command == "upstream":
            write_upstream(given.folder.resolve())
        else:
            if unknown := set(given.schemes) - set(FAMILIES):
                raise ValueError(f"{min(unknown)}: no scheme; there are {', '.join(FAMILIES)}")
            families = [FAMILIES[scheme] for scheme in given.schemes or FAMILIES]
            run_import(given.liboqs.resolve(), given.folder.resolve(), families)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"liboqs: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
