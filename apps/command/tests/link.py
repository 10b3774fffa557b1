# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Links the command anew, with functions of the library replaced."""

import subprocess


def link_anew(root, command, output, source, wrapped, definitions=()):
    """Links the objects of command with SOURCE of this folder in place of the wrapped functions.

    SOURCE defines __wrap_NAME for each NAME in wrapped, and may call __real_NAME. Returns output.
    """
    folder = command.parent.parent  # of the build
    key_file = folder / "apps/command/libcodekem_key_file.a"
    in_archive = subprocess.run(
        ["ar", "t", key_file], capture_output=True, text=True, check=True
    ).stdout.split()
    objects = sorted(
        path
        for path in (folder / "apps/command/CMakeFiles/codekem.dir").rglob("*.o")
        if path.name not in in_archive
    )
    archives = [
        key_file,
        folder / "apps/key-encoding/libcodekem_key_encoding.a",
        *(folder / f"libcodekem-{name}.a" for name in ("legacy", "masked", "mceliece", "sofia")),
        folder / "libcodekem.a",
    ]
    replacement = output.with_suffix(".o")
    for step in (
        [
            "gcc",
            *[f"-D{name}" for name in definitions],
            f"-I{root}/include",
            f"-I{root}/apps",
            "-c",
            root / "apps/command/tests" / source,
            "-o",
            replacement,
        ],
        [
            "g++",
            *objects,
            replacement,
            *[f"-Wl,--wrap={name}" for name in wrapped],
            *archives,
            "-ldl",
            "-o",
            output,
        ],
    ):
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
    return output
