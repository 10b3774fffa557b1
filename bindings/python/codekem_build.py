# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds the package with scikit-build-core: an sdist as it is, a clone from a staged copy.

In a clone the sources of the C library lie two folders above. `pip install ./bindings/python` gives
them to the build in a temporary folder, as they are now, so changes that are not committed are in
what is installed, and nothing is left between the sources. Archives to pass on come from
tools/packaging/pack_python.py.
"""

import contextlib
import os
import pathlib
import shutil
import sys
import tempfile

from scikit_build_core import build as backend

HERE = pathlib.Path(__file__).resolve().parent
NATIVE = "native"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "build", "dist", "*.egg-info")

get_requires_for_build_wheel = backend.get_requires_for_build_wheel
get_requires_for_build_sdist = backend.get_requires_for_build_sdist
get_requires_for_build_editable = backend.get_requires_for_build_editable


def in_a_clone():
    """Returns whether the library has to be staged. Raises OSError if it is nowhere."""
    if (HERE / NATIVE).is_dir():
        return False
    if not (HERE.parents[1] / "tools/packaging/package_stage.py").is_file():
        raise OSError(
            f"the C library is neither in {HERE / NATIVE} nor in the folders above: install from a "
            "clone of the repository (pip 21.3 or later, `pip install ./bindings/python`) or from "
            "an sdist"
        )
    return True


def stage(folder):
    """Copies the package, and the library as it lies beside it, into folder; git is not asked."""
    top = HERE.parents[1]
    sys.path.insert(0, str(top))
    try:
        from tools.packaging import package_stage
    finally:
        sys.path.pop(0)
    shutil.copytree(HERE, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    for name in package_stage.LICENSES:
        shutil.copy(top / name, folder)
    sources = [path for path in (top / "src").rglob("*") if path.is_file()]
    for path in [*(top / "include").iterdir(), *sources]:
        name = path.relative_to(top).as_posix()
        if package_stage.is_of_library(name) or package_stage.is_of_mceliece(name):
            target = folder / NATIVE / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


@contextlib.contextmanager
def ready_to_build():
    """Lets a hook run, as PEP 517 asks, in a folder with everything that the build needs."""
    if not in_a_clone():
        yield
        return
    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory(prefix="codekem-python-") as folder:
        stage(pathlib.Path(folder))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel, from a clone or from an sdist."""
    wheel_directory = os.path.abspath(wheel_directory)
    with ready_to_build():
        return backend.build_wheel(wheel_directory, config_settings, metadata_directory)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes the metadata; the version is that of the library."""
    metadata_directory = os.path.abspath(metadata_directory)
    with ready_to_build():
        return backend.prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def build_sdist(sdist_directory, config_settings=None):
    """Builds an sdist from what is staged; in a clone it lacks known answers, so none is made."""
    if in_a_clone():
        raise OSError(
            "in a clone bindings/pack_python.py makes the sdist: make packages ARGS=python"
        )
    return backend.build_sdist(sdist_directory, config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Installs for editing what is staged; the copy of a clone would be gone."""
    refuse_editing_of_a_clone()
    return backend.build_editable(wheel_directory, config_settings, metadata_directory)


def prepare_metadata_for_build_editable(metadata_directory, config_settings=None):
    """As build_editable."""
    refuse_editing_of_a_clone()
    return backend.prepare_metadata_for_build_editable(metadata_directory, config_settings)


def refuse_editing_of_a_clone():
    """Raises OSError in a clone."""
    if in_a_clone():
        raise OSError("a clone cannot be installed with --editable: pip install ./bindings/python")
