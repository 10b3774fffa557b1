#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The npm package codekem.

usage: pack_js.py OUTPUT      makes the archive in the folder OUTPUT

It needs Node.js, npm, clang 19, lld 19 and the headers of wasi-libc (tools/setup.sh test).
"""

import argparse
import gzip
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile

from bindings.shared import js_modules, wasm_module
from tools.packaging import notices, package_stage

STAGE = package_stage.STAGE / "js"
TOOLS = package_stage.ROOT / "build" / "packages" / "js-tools"
ANSWERS = "test/known_answers.json"
HELD = notices.WASM


def run(*command, cwd):
    """Runs a tool and returns what it prints; raises OSError with its words if it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise OSError(f"{command[0]} is missing: run tools/setup.sh test")
    done = subprocess.run(
        [program, *map(str, command[1:])], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def stage(destination=STAGE):
    """Makes the staged copy of bindings/js with modules and known answers, and returns its path."""
    folder = package_stage.stage("bindings/js", destination, vectors=ANSWERS)
    js_modules.write(folder)
    # The script is for a clone, and npm 9, which Debian 12 has, runs it even with --ignore-scripts.
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    del package["scripts"]
    text = json.dumps(package, indent=2, ensure_ascii=False) + "\n"
    (folder / "package.json").write_text(text, encoding="utf-8")
    return folder


def same_times(archive):
    """Gives the files of an archive (tar.gz) one time and one owner, in the order of their names.

    npm leaves what the compressor's version and the umask say; here neither is seen.
    """
    epoch = package_stage.source_date_epoch()
    out = io.BytesIO()
    with tarfile.open(archive) as old, tarfile.open(fileobj=out, mode="w") as new:
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.mode = epoch, 0o644
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member))
    archive.write_bytes(gzip.compress(out.getvalue(), 9, mtime=epoch))


def pack_archive(staged, output):
    """Packs a staged copy by npm and returns the path of the archive in output."""
    output = output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    name = run("npm", "pack", "--ignore-scripts", "--pack-destination", output, cwd=staged)
    archive = output / name.splitlines()[-1]
    same_times(archive)
    return archive


def tools():
    """Returns a folder with node_modules as package-lock.json says; installs them at need."""
    names = ["package.json", "package-lock.json"]
    folder = package_stage.ROOT / "bindings/js"
    wanted = "".join((folder / name).read_text(encoding="utf-8") for name in names)
    stamp = TOOLS / "installed"
    with wasm_module.locked(TOOLS):
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
            for name in names:
                shutil.copy(folder / name, TOOLS / name)
            # Without scripts: that of package.json is for a clone, and the tools need none.
            run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=TOOLS)
            stamp.write_text(wanted, encoding="utf-8")
    return TOOLS / "node_modules"


def pack(output):
    """Makes the archive of the npm package in output; returns its path."""
    package_stage.require_clean()
    return [pack_archive(stage(), output)]


def main():
    """Packs into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=pathlib.Path)
    package_stage.add_allow_dirty(parser)
    try:
        for path in pack(parser.parse_args().output):
            print(path)
    except OSError as error:
        sys.exit(f"pack_js: {error}")


if __name__ == "__main__":
    main()
