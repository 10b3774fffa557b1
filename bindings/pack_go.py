# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Go modules as archives, in the layout of a module proxy (GOPROXY=file://FOLDER).

usage: python3 -m bindings.pack_go    brings the C sources into bindings/go of a clone: generate
"""

import base64
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time
import zipfile

from bindings.shared import wasm_module
from tools.packaging import notices, package_stage

NATIVE = "internal/native"
HELD = notices.WASM
# Go keeps folders without a package of its own out of `vendor`, and with them C sources.
KEEP = """// SPDX-License-Identifier: Apache-2.0 OR MIT

//go:build codekem_vendored

// Package {name} is here so that `go mod vendor` copies the C sources beside it.
package {name}
"""


# Modules of their own in folders of the first one, which they need.
NESTED = ("age-plugin-codekem", "circl")


def modules(stage):
    """Returns {folder: (path, files)} of the modules in a staged copy, the first one first."""
    nested = [stage / name for name in NESTED]
    found = {}
    for folder in [stage, *nested]:
        (path,) = re.findall(r"^module (\S+)$", (folder / "go.mod").read_text(), re.MULTILINE)
        files = sorted(
            file
            for file in folder.rglob("*")
            if file.is_file() and (folder in nested or not {*nested} & {*file.parents})
        )
        found[folder] = (path, files)
    return found


def write_sources_for_cgo(native):
    """Writes a short .c file for each source below the folder native, because cgo compiles one
    folder."""
    for source in sorted((native / "src").rglob("*.c")):
        if not source.stem.endswith("_m4"):
            inner = source.relative_to(native)
            name = "_".join(["library", *inner.parts[1:]])
            line = f'/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n#include "{inner}"\n'
            (native / name).write_text(line)


def generate():
    """Makes bindings/go of a clone a module that `go build` takes: git ignores what is written.

    The module for WebAssembly, for builds without cgo, is left out, with a word, where its tools
    are missing.
    """
    native = package_stage.ROOT / "bindings/go" / NATIVE
    for name in ["src", "include"]:
        shutil.rmtree(native / name, ignore_errors=True)
    for path in native.glob("library_*.c"):
        path.unlink()
    package_stage.copy(package_stage.library_files(), native)
    write_sources_for_cgo(native)
    try:
        wasm_module.build(native.parent / "wasm" / "codekem.wasm", simd=True)
    except OSError as error:
        print(f"pack_go: no WebAssembly, so builds need cgo: {error}", file=sys.stderr)


def stage(destination=None):
    """Makes a staged copy of bindings/go that `go build` takes, and returns its path.

    It has the C sources, what cgo compiles of them, the module for WebAssembly, and known answers.
    Raises OSError if a tool is missing.
    """
    copy = package_stage.stage(
        "bindings/go", destination, library=NATIVE, vectors="testdata/answers.json"
    )
    wasm_module.build(copy / "internal" / "wasm" / "codekem.wasm", simd=True)
    (copy / "internal" / "wasm" / notices.NAME).write_text(
        notices.text_of("codekem.wasm", HELD), encoding="utf-8"
    )
    for name in NESTED:
        package_stage.copy(package_stage.LICENSES, copy / name)
    native = copy / NATIVE
    write_sources_for_cgo(native)
    root = modules(copy)[copy][0]
    imports = ""
    holders = {path.parent for path in native.rglob("*") if path.suffix in {".c", ".h"}} - {native}
    for folder in sorted(holders):
        (folder / "keep.go").write_text(KEEP.format(name=folder.name))
        imports += f'import _ "{root}/{folder.relative_to(copy)}"\n'
    header = KEEP.partition("// Package")[0]
    (native / "keep.go").write_text(f"{header}package native\n\n{imports}")
    return copy


def line_of_sum(path, version, files):
    """Returns a line of go.sum: for files {name in the archive: content}, as Go hashes them."""
    lines = [
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())
    ]
    digest = hashlib.sha256("".join(lines).encode()).digest()
    return f"{path} {version} h1:{base64.b64encode(digest).decode()}\n"


def write_module(output, path, version, files):
    """Writes one module, files {name: content}, as a proxy has it; returns what it wrote."""
    moment = package_stage.source_date_epoch()
    folder = output / path / "@v"
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"{version}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(f"{path}@{version}/{name}", time.gmtime(moment)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            out.writestr(info, data)
    when = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    about = {"Version": version, "Time": when.strftime("%Y-%m-%dT%H:%M:%SZ")}
    texts = {".info": json.dumps(about), ".mod": files["go.mod"].decode()}
    for suffix, text in texts.items():
        (folder / f"{version}{suffix}").write_text(text)
    (folder / "list").write_text(f"{version}\n")
    return [archive, *[folder / f"{version}{suffix}" for suffix in texts], folder / "list"]


def pack(output: pathlib.Path) -> list[pathlib.Path]:
    """Makes the modules below output/go; returns the files. The same commit gives the same bytes.

    Raises OSError if a tool that makes the module for WebAssembly is missing.
    """
    package_stage.require_clean()
    version = f"v{package_stage.version()}"
    made = []
    sums: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        staged = stage(pathlib.Path(temporary) / "go")
        for folder, (path, names) in modules(staged).items():
            files = {name.relative_to(folder).as_posix(): name.read_bytes() for name in names}
            if sums:  # the others need the first one, whose hash nobody could know before
                lines = [*files["go.sum"].decode().splitlines(keepends=True), *sums]
                files["go.sum"] = "".join(sorted(lines)).encode()
            made += write_module(output / "go", path, version, files)
            if not sums:
                archived = {f"{path}@{version}/{name}": data for name, data in files.items()}
                sums.append(line_of_sum(path, version, archived))
                about = {"go.mod": files["go.mod"]}
                sums.append(line_of_sum(path, f"{version}/go.mod", about))
    return made


if __name__ == "__main__":
    try:
        generate()
    except OSError as error:
        sys.exit(f"pack_go: {error}")
