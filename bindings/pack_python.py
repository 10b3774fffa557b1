# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Packs bindings/python: the sdist, and a wheel for this machine and this Python, built from it.

The wheel is for use on this machine. Those for PyPI, which run on every Linux, come from the
workflow (.github/workflows/release.yml).
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tools.packaging import package_stage

# What wheels hold besides the library: package URL and licence.
CONTAINS = [
    ("pkg:pypi/nanobind@3.1.0", "BSD-3-Clause"),
    ("pkg:github/Tessil/robin-map", "MIT"),
]
TOOLS = ("build", "nanobind", "scikit_build_core")


def stage(destination):
    """Makes a staged copy of bindings/python, of which pip builds the package; returns its path."""
    copy = package_stage.stage(
        "bindings/python", destination, library="native", vectors="tests/known_answers.json"
    )
    package_stage.copy(package_stage.mceliece_files(), copy / "native")
    answers = copy / "tests" / "mceliece_answers.json"
    answers.write_text(package_stage.mceliece_answer_text(), encoding="ascii")
    return copy


def pack(output, kinds=("sdist", "wheel")):
    """Makes the archives into output and returns their paths: the same bytes each time.

    kinds: which of them; the wheel is built from the sdist as unpacked, without this checkout.
    Raises OSError if a tool is missing or fails.
    """
    package_stage.require_clean()
    missing = [name for name in TOOLS if importlib.util.find_spec(name) is None]
    if missing:
        raise OSError(f"{', '.join(missing)} missing: run tools/setup.sh packages")
    output = pathlib.Path(output).resolve()
    with tempfile.TemporaryDirectory() as folder:
        copy = stage(pathlib.Path(folder) / "python")
        run_build(copy, output, "--sdist")
        made = [output / f"codekem-{package_stage.version()}.tar.gz"]
        if "wheel" in kinds:
            subprocess.run(["tar", "xzf", made[0], "-C", folder], check=True)
            made.append(pack_wheel(pathlib.Path(folder), output))
    return made if "sdist" in kinds else made[1:]


def pack_wheel(folder, output):
    """Builds the wheel from the unpacked sdist in folder; returns its path in output."""
    run_build(folder / f"codekem-{package_stage.version()}", folder / "wheel", "--wheel")
    (wheel,) = (folder / "wheel").glob("*.whl")
    output.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(shutil.copy(wheel, output))


def run_build(source, output, kind):
    """Runs PyPA's build on source with the packages of this environment, without network."""
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", output, source],
        env=os.environ | {"SOURCE_DATE_EPOCH": str(package_stage.source_date_epoch())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise OSError(f"building python/ failed:\n{done.stdout[-4000:]}")
