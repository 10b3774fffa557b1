# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs what Windows on x86-64 gets: command, DLL, import library, static library, header."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from tools.packaging import archives, notices, package_stage

HELD = notices.WINDOWS_COMMAND
TOOLS = {
    "cmake": "cmake",
    "ninja": "ninja-build",
    "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64",
    "x86_64-w64-mingw32-g++-posix": "g++-mingw-w64-x86-64-posix",
}


def run(*command):
    """Runs a command; raises OSError with what it printed if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | {"SOURCE_DATE_EPOCH": str(package_stage.source_date_epoch())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def pack(output):
    """Makes codekem-VERSION-windows-x86_64.zip in output; returns its path.

    Raises OSError if a tool is missing or fails. Always the same bytes with the same compiler.
    """
    package_stage.require_clean()
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        raise OSError(f"install {' '.join(missing)} (Debian's names)")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        root = work / "source"  # what git tracks: CMake compiles whatever lies in src
        package_stage.copy(package_stage.files_of("."), root)
        run(
            *["cmake", "-G", "Ninja", "-S", root, "-B", work / "build"],
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_TOOLCHAIN_FILE={root}/cmake/toolchains/x86_64-windows.cmake",
            # messages name sources
            *(f"-DCMAKE_{language}_FLAGS=-ffile-prefix-map={root}=." for language in ("C", "CXX")),
            "-DCMAKE_EXE_LINKER_FLAGS=-s -Wl,--no-insert-timestamp",
            "-DCMAKE_SHARED_LINKER_FLAGS=-s -Wl,--no-insert-timestamp",
        )
        run("cmake", "--build", work / "build")
        run("cmake", "--install", work / "build", "--prefix", work / "installed")
        files = archives.files_below(work / "installed")
        for name in [*package_stage.LICENSES, "README.md", "CHANGELOG.md"]:
            files[name] = root / name
        files[notices.NAME] = work / notices.NAME
        files[notices.NAME].write_text(notices.text_of("codekem.exe", HELD), encoding="utf-8")
        top = f"codekem-{package_stage.version()}-windows-x86_64"
        return [archives.make_zip(pathlib.Path(output) / f"{top}.zip", files, top)]
