# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rooms that can be deleted: without one, the rest builds and passes its tests."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("apps", "bindings", "devices", "evaluation", "hardware", "hls", "lab", "proofs")


def room_of(name):
    """Returns the room that a path below the top folder is in, or None: it is always there."""
    top = pathlib.PurePath(name).parts[:1]
    return top[0] if top and top[0] in ROOMS else None


def is_there(name, root=ROOT):
    """Says whether the room of a path below the top folder has not been deleted."""
    room = room_of(name)
    return room is None or (root / room).is_dir()
