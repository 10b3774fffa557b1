# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The folders of src/: where headers are included from, and what a file is included as."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A header is named by the folder that it lies in: "gf2x/gf2x.h". Each library takes what lies below
# it; tests take all (CMakeLists.txt has the same list).
INCLUDED = ("src", "src/common", "src/kem", "src/mceliece/goppa", "src/sofia")


def include_options(root=ROOT, *more):
    """Returns the options by which a compiler finds all headers of a tree, the public ones too."""
    return [f"-I{pathlib.Path(root, folder)}" for folder in (*INCLUDED, "include", *more)]


def included_as(name):
    """Returns how a file of src/, named from the top folder, is written in an include."""
    parts = pathlib.PurePosixPath(name).parts[1:]
    if parts[:2] == ("mceliece", "goppa"):
        return "/".join(parts[2:])
    if parts[0] in ("common", "kem") or parts[:2] == ("sofia", "mq4"):
        return "/".join(parts[1:])
    return "/".join(parts)


def folder_of(name, root=ROOT):
    """Returns the folder of src/ with a name that is unique there, such as gf2x."""
    if name in ("kem", "hybrid", "mceliece", "sofia", "legacy", "masked", "common"):
        return pathlib.Path(root, "src", name)
    found = [
        path for top in INCLUDED[1:] for path in [pathlib.Path(root, top, name)] if path.is_dir()
    ]
    if len(found) != 1:
        raise ValueError(f"src/ has {len(found)} folders {name}")
    return found[0]
