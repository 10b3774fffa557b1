# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The moment at which the outputs get their names: all or none, also on simpler file systems."""

import errno
import subprocess

import pytest

from cli.key_files import KEM, contents, read_file

KEYGEN = ["keygen", "--kem", KEM, "--public", "pk", "--secret", "sk"]


@pytest.fixture(scope="module")
def fault(tmp_path_factory, root):
    """fault(call, error) returns the environment in which that call of renameat2 fails."""
    library = tmp_path_factory.mktemp("fault") / "rename_fault.so"
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-fPIC",
            "-O1",
            "-o",
            library,
            root / "tests" / "cli" / "rename_fault.c",
            "-ldl",
        ],
        check=True,
    )

    def environment(call, error):
        return {"LD_PRELOAD": str(library), "FAULT_CALL": str(call), "FAULT_ERRNO": str(error)}

    return environment


@pytest.mark.parametrize("call, name", [(1, "pk"), (2, "sk")])
@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO])
def test_no_file_appears_if_one_cannot(fail, fault, call, name, error):
    fail(*KEYGEN, env=fault(call, error), says=f"{name}: cannot be written: ")


@pytest.mark.parametrize("call, name", [(1, "pk"), (2, "sk")])
def test_no_file_is_replaced_if_one_cannot(fail, fault, tmp_path, call, name):
    (tmp_path / "pk").write_bytes(b"old public key")
    (tmp_path / "sk").write_bytes(b"old secret key")
    fail(*KEYGEN, "--force", env=fault(call, errno.EACCES), says=f"{name}: cannot be written: ")


def test_file_that_appears_meanwhile_is_kept(fail, fault):
    """The name was free when the command began, and is taken when it ends."""
    fail(*KEYGEN, env=fault(2, errno.EEXIST), says="sk: exists already")


@pytest.mark.parametrize("error", [errno.EINVAL, errno.ENOSYS])
def test_file_systems_without_special_renames(succeed, fault, tmp_path, error):
    succeed(*KEYGEN, env=fault(0, error))
    first = contents(tmp_path)
    assert sorted(first) == ["pk", "sk"]
    succeed(*KEYGEN, "--force", env=fault(0, error))
    second = contents(tmp_path)
    assert sorted(second) == ["pk", "sk"]
    assert read_file(second["pk"])[2] != read_file(first["pk"])[2]
