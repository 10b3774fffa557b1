# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of the crates share: the archives, unpacked outside the checkout, and cargo."""

import hashlib
import os
import pathlib
import subprocess
import tarfile
import tempfile

from bindings import pack_rust
from tools import made
from tools.packaging import package_stage

# What the unpacked archives are built as: one workspace, with the crates in place of a registry's.
WORKSPACE = """[workspace]
resolver = "3"
members = [{members}]

[patch.crates-io]
{patches}
"""

BELOW = ["codekem", "codekem-sys"]  # the crates that other crates here need


class Crates:
    """The crates as whoever downloads them has them, in one folder outside the checkout.

    folder: the workspace; its folders are called codekem, codekem-rustls, codekem-sys
    target: where cargo builds; kept between runs, as the folder is where nothing has changed
    archives: the files *.crate
    """

    def __init__(self, folder, target, archives):
        self.folder, self.target, self.archives = folder, target, archives

    def cargo(self, *arguments, cwd=None, check=True, **environment):
        """Runs cargo in the workspace, or elsewhere; returns what it printed."""
        done = subprocess.run(
            ["cargo", *map(str, arguments)],
            cwd=cwd or self.folder,
            env={**pack_rust.environment(self.target), "CARGO_PROFILE_DEV_DEBUG": "0"}
            | {name: str(value) for name, value in environment.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert not check or done.returncode == 0, f"{arguments}:\n{done.stdout[-6000:]}"
        return done.stdout

    def add(self, source, name):
        """Copies a program of the tests beside the crates, as a workspace of its own that has them
        in place of a registry's; returns its folder."""
        files = tree(source)
        patches = [f'{crate} = {{ path = "{self.folder / crate}" }}' for crate in BELOW]
        manifest = files["Cargo.toml"].decode().replace("../rust/", f"{self.folder}/")
        files["Cargo.toml"] = "\n".join([manifest, "[patch.crates-io]", *patches, ""]).encode()
        target = self.folder.with_name(f"{self.folder.name}-{name}")
        write_tree(target, files)
        return target


def tree(folder):
    """Returns {relative path: content} of a folder's files, without what cargo builds."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def write_tree(folder, files):
    """Makes folder hold these files and no others, but for Cargo.lock; those that are the same keep
    their times, so that cargo compiles nothing again."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in files and name != "Cargo.lock":
            path.unlink()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def unpacked(archives):
    """Returns {path: content} of the workspace that the archives make."""
    files = {}
    for crate, archive in zip(pack_rust.CRATES, archives, strict=True):
        with tarfile.open(archive) as packed:
            for member in packed:
                name = member.name.partition("/")[2]
                content = packed.extractfile(member)
                if content is not None and name not in ("Cargo.lock", "Cargo.toml.orig"):
                    files[f"{crate}/{name}"] = content.read()
    patches = "\n".join(f'{crate} = {{ path = "{crate}" }}' for crate in pack_rust.CRATES)
    members = ", ".join(f'"{crate}"' for crate in sorted(pack_rust.CRATES))
    files["Cargo.toml"] = WORKSPACE.format(members=members, patches=patches).encode()
    lock = package_stage.ROOT / "bindings/rust/Cargo.lock"
    files["Cargo.lock"] = lock.read_bytes()
    return files


def workspace():
    """Returns the folder of the workspace, outside the checkout, of which there may be several."""
    mark = hashlib.sha256(str(made.BUILDS).encode()).hexdigest()[:12]
    return pathlib.Path(tempfile.gettempdir()) / f"codekem-{os.getuid()}-rust-{mark}"


def unpack(archives):
    """Unpacks the crates into the workspace."""
    write_tree(workspace(), unpacked(archives))


def example(packed, name, *features):
    """Builds an example of the crate with the library that is installed beside the archives;
    returns the program."""
    crates = crates_in(packed)
    (folder,) = [path.parent for path in (packed / "installed").rglob("codekem.pc")]
    target = crates.target / "system"
    crates.cargo(
        *["build", "-p", "codekem", "--example", name, "--locked", *features],
        CARGO_TARGET_DIR=target,
        CODEKEM_SYSTEM="1",
        PKG_CONFIG_PATH=folder,
        RUSTFLAGS=f"-C link-arg=-Wl,-rpath,{folder.parent}",
    )
    return target / "debug" / "examples" / name


def crates_in(packed):
    """Returns the Crates whose archives are in a folder; cargo locks where it builds."""
    names = [f"{crate}-{package_stage.version()}.crate" for crate in pack_rust.CRATES]
    archives = [packed / "archives" / name for name in names]
    return Crates(workspace(), made.BUILDS / "test-cargo", archives)
