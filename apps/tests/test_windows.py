# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The archive for Windows: made twice, linked with and run under Wine."""

import pathlib
import re
import subprocess
import zipfile

import pytest

from apps import pack_windows
from tools.packaging import notices, package_stage


@pytest.mark.long
def test_windows_archive_links_and_runs(tmp_path, need):
    first, second = (pack_windows.pack(tmp_path / str(i))[0] for i in range(2))
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        archive.extractall(tmp_path)
    top = tmp_path / f"codekem-{package_stage.version()}-windows-x86_64"
    names = {path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file()}
    assert {
        "bin/codekem.exe",
        "bin/libcodekem.dll",
        "lib/libcodekem.dll.a",
        "lib/libcodekem.a",
        "include/codekem.h",
        "LICENSE-MIT",
        notices.NAME,
    } <= names
    # What the headers themselves say of their authors, too.
    said = (top / notices.NAME).read_text()
    for header in ["CLI/CLI.hpp", "nlohmann/json.hpp"]:
        text = (pathlib.Path("/usr/include") / header).read_text()
        author = re.search(r"(?:Copyright|©|SPDX-FileCopyrightText:).*?(University|Lohmann)", text)
        assert author[1] in said
    assert "Redistributions in binary form must reproduce" in said
    assert "The above copyright notice and this permission notice shall be" in said
    source = package_stage.ROOT / "tests" / "packaging" / "consumer" / "consumer.c"
    compiler = need("x86_64-w64-mingw32-gcc")
    for kind, options in [
        ("shared", ["-DCODEKEM_SHARED", top / "lib" / "libcodekem.dll.a"]),
        ("static", [top / "lib" / "libcodekem.a", "-lbcrypt"]),
    ]:
        program = top / "bin" / f"{kind}.exe"
        subprocess.run(
            [compiler, f"-I{top / 'include'}", source, *options, "-o", program], check=True
        )
        done = subprocess.run(
            [need("wine"), program],
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.stdout.count(" agrees") >= 15
    done = subprocess.run(
        [need("wine"), top / "bin" / "codekem.exe", "selftest", "--kem", "HQC-1"],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.rstrip().endswith(" 0 failed")
