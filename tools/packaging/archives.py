# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Archives that have the same bytes whenever and wherever they are made from the same files."""

import lzma
import pathlib
import tarfile
import time
import zipfile

from tools.packaging import package_stage

PRESET = 6  # of xz


def mode_of(path):
    """Returns the rights of a file in an archive, whatever the umask was."""
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def make_tar(archive, files, top):
    """Writes a .tar.xz: files are {name in the archive: path}, below the folder top."""
    archive = pathlib.Path(archive)
    archive.parent.mkdir(parents=True, exist_ok=True)
    date = package_stage.source_date_epoch()
    with (
        lzma.open(archive, "w", preset=PRESET) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as out,
    ):
        for name, path in sorted(files.items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size = path.stat().st_size
            entry.mode = mode_of(path)
            entry.mtime = date
            with path.open("rb") as content:
                out.addfile(entry, content)
    return archive


def make_zip(archive, files, top=""):
    """Writes a .zip of the same kind; without top, no folder is around all."""
    archive = pathlib.Path(archive)
    archive.parent.mkdir(parents=True, exist_ok=True)
    date = time.gmtime(package_stage.source_date_epoch())[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for name, path in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{top}/{name}" if top else name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode_of(path)) << 16
            out.writestr(entry, path.read_bytes())
    return archive


def files_below(folder):
    """Returns the files of a folder as the others take them."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
