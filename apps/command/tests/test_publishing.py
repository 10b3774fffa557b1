# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The moment at which the outputs get their names: all or none, also on simpler file systems, and
whenever the command is killed."""

import errno
import os
import signal

import pytest

from apps.command.tests.key_files import KEM, contents, read_file

KEYGEN = ["keygen", "--kem", KEM, "--public", "pk", "--secret", "sk"]
OLD = {"pk": b"old public key", "sk": b"old secret key"}
# With files that have no name until they are whole, and without.
KINDS = [pytest.param(True, id="unnamed"), pytest.param(False, id="named")]
# Signals that end a process by default and that a handler can catch.
ENDING = sorted(
    set(signal.valid_signals())
    - {signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
    - {signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
    - {signal.SIGPIPE, signal.SIGXFSZ}
)


@pytest.fixture(scope="module")
def fault(build):
    """fault("linkat", 2, unnamed, error=EIO) returns the environment in which that call fails, or
    comes with a signal; unnamed: whether there are files without a name."""
    library = build("gcc", targets=["file_faults"]) / "tests" / "libfile_faults.so"

    def environment(function, call, unnamed, error=None, signal=None):
        chosen = {"FAULT_ERRNO": str(error)} if error else {"FAULT_SIGNAL": str(int(signal))}
        if not unnamed:
            chosen["FAULT_NO_UNNAMED"] = "1"
        return chosen | {
            "LD_PRELOAD": str(library),
            "FAULT_IN": function,
            "FAULT_CALL": str(call),
        }

    return environment


def put_old_files(folder):
    for name, data in OLD.items():
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("call, name", [(1, "pk"), (2, "sk")])
@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO])
def test_no_file_appears_if_one_cannot(fail, fault, call, name, error):
    env = fault("renameat2", call, False, error)
    fail(*KEYGEN, env=env, says=f"{name}: cannot be written: ")


@pytest.mark.parametrize("unnamed", KINDS)
@pytest.mark.parametrize("function, name", [("renameat2", "pk"), ("rename", "sk")])
def test_no_file_is_replaced_if_one_cannot(fail, fault, tmp_path, unnamed, function, name):
    put_old_files(tmp_path)
    env = fault(function, 1, unnamed, errno.EACCES)
    fail(*KEYGEN, "--force", env=env, says=f"{name}: cannot be written: ")


@pytest.mark.parametrize("function, unnamed", [("linkat", True), ("renameat2", False)])
def test_file_that_appears_meanwhile_is_kept(fail, fault, function, unnamed):
    """The name was free when the command began, and is taken when it ends."""
    env = fault(function, 2, unnamed, errno.EEXIST)
    fail(*KEYGEN, env=env, says="sk: exists already")


@pytest.mark.parametrize(
    "function, unnamed, errors",
    [
        ("renameat2", False, [errno.EINVAL, errno.ENOSYS]),
        ("renameat2", True, [errno.EINVAL, errno.ENOSYS]),
        ("linkat", True, [errno.EPERM, errno.EXDEV, errno.ENOENT]),
        ("none", False, [errno.EIO]),
    ],
)
def test_file_systems_and_systems_that_can_do_less(
    succeed, fault, tmp_path, function, unnamed, errors
):
    for error in errors:
        env = fault(function, 0, unnamed, error)
        succeed(*KEYGEN, env=env)
        first = contents(tmp_path)
        assert sorted(first) == ["pk", "sk"]
        assert (tmp_path / "sk").stat().st_mode & 0o777 == 0o600
        succeed(*KEYGEN, "--force", env=env)
        second = contents(tmp_path)
        assert sorted(second) == ["pk", "sk"]
        assert read_file(second["pk"])[2] != read_file(first["pk"])[2]
        for name in second:
            (tmp_path / name).unlink()


def test_files_have_the_modes_of_the_umask(succeed, fault, tmp_path):
    for unnamed in (True, False):
        for mask, public in [(0o022, 0o644), (0o077, 0o600), (0, 0o666)]:
            env = fault("none", 0, unnamed, errno.EIO)
            succeed(*KEYGEN, "--force", env=env, preexec_fn=lambda mask=mask: os.umask(mask))
            modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("pk", "sk")}
            assert modes == {"pk": public, "sk": 0o600}
            (tmp_path / "pk").unlink()
            (tmp_path / "sk").unlink()


# --- Killed at any moment -------------------------------------------------------------------------


def killed_everywhere(run, fault, folder, unnamed, number, force):
    """Kills key generation before each call that has to do with files; yields what is there then,
    until the command comes to its end."""
    for call in range(1, 1000):
        if force:
            put_old_files(folder)
        env = fault("any", call, unnamed, signal=number)
        options = ["--force"] if force else []
        done = run(*KEYGEN, *options, env=env, preexec_fn=set_all(signal.SIG_DFL))
        found = contents(folder)
        for name in found:
            (folder / name).unlink()
        if done.returncode == 0:
            assert call > 8, "the calls were not counted"
            return
        assert done.returncode == -number
        yield found
    raise AssertionError("the command does not end")


def is_pair(found):
    """Says whether the two files are whole and belong to the command."""
    return [read_file(found[name])[0] for name in ("pk", "sk")] == ["public-key", "secret-key"]


def test_sigkill_leaves_no_part_of_a_new_file(run, fault, tmp_path):
    """A public key may have got its name, as a whole; a secret one has its name or is gone."""
    for found in killed_everywhere(run, fault, tmp_path, True, signal.SIGKILL, False):
        assert sorted(found) in ([], ["pk"], ["pk", "sk"])
        for data in found.values():
            read_file(data)


def test_sigkill_while_files_are_replaced(run, fault, tmp_path):
    """What has a temporary name is the public key, old or new, but for one moment, in which the
    new secret key takes the place of the old one. No file is lost."""
    secret = 0
    for found in killed_everywhere(run, fault, tmp_path, True, signal.SIGKILL, True):
        left = [data for name, data in found.items() if name not in OLD]
        assert len(left) <= 2
        assert OLD["sk"] not in left
        kinds = [read_file(data)[0] for data in left if data not in OLD.values()]
        secret += "secret-key" in kinds
        for name in ("pk", "sk"):
            assert found[name] == OLD[name] or read_file(found[name])
    assert secret <= 1


@pytest.mark.parametrize("force", [False, True], ids=["new", "replaced"])
@pytest.mark.parametrize("unnamed", KINDS)
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGQUIT, marks=pytest.mark.long), signal.SIGTERM]
)
def test_other_signals_leave_all_or_nothing(run, fault, tmp_path, unnamed, force, number):
    before = OLD if force else {}
    for found in killed_everywhere(run, fault, tmp_path, unnamed, number, force):
        assert found == before or (sorted(found) == ["pk", "sk"] and is_pair(found))


def set_all(action):
    """Returns what sets all these signals in the child, whatever those who started the tests did
    with theirs."""

    def act():
        for number in ENDING:
            signal.signal(number, action)

    return act


@pytest.mark.parametrize("unnamed", KINDS)
def test_every_signal_that_ends_leaves_nothing(run, fault, tmp_path, unnamed):
    """When both files have been written and neither has its name."""
    assert len(ENDING) > 40
    for number in ENDING:
        env = fault("fsync", 2, unnamed, signal=number)
        done = run(*KEYGEN, env=env, preexec_fn=set_all(signal.SIG_DFL))
        assert done.returncode == -number, number
        assert not contents(tmp_path), number


@pytest.mark.parametrize("unnamed", KINDS)
def test_ignored_signals_stay_ignored(succeed, fault, tmp_path, unnamed):
    """As under nohup."""
    env = fault("fsync", 2, unnamed, signal=signal.SIGHUP)
    succeed(*KEYGEN, env=env, preexec_fn=set_all(signal.SIG_IGN))
    assert is_pair(contents(tmp_path))
