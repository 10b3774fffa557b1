# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One file, one writer: what another process has is refused, and never replaced."""

import errno
import fcntl

import pytest

from codekem_base import claims, files
from codekem_base.errors import EvaluationError


def test_a_killed_owner_leaves_the_file_free(taken):
    path, process = taken
    process.kill()
    process.wait()
    assert claims.lock_of(path).exists()  # nobody took it away
    with claims.held(path):
        pass
    assert not claims.lock_of(path).exists()


def test_what_another_wrote_meanwhile_is_not_replaced(tmp_path):
    """As on a file system that does not lock between machines."""
    path = tmp_path / "campaign.json"
    with claims.held(path):
        claims.write_text(path, "mine, first")
        files.write_text(path, "theirs")
        with pytest.raises(EvaluationError, match="was written by another process") as error:
            claims.write_text(path, "mine, all of it")
    (aside,) = tmp_path.glob("campaign-*.json")
    assert str(aside) in str(error.value) and aside.read_text() == "mine, all of it"
    assert path.read_text() == "theirs"


def test_a_file_that_appears_after_the_start_is_not_replaced_either(tmp_path):
    path = tmp_path / "campaign.json"
    with claims.held(path):
        files.write_text(path, "theirs")
        with pytest.raises(EvaluationError, match="is left as it is"):
            claims.write_text(path, "mine")
    assert path.read_text() == "theirs"


def test_a_file_system_without_locks_does_without(tmp_path, monkeypatch):
    def unable(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", unable)
    path = tmp_path / "campaign.json"
    with claims.held(path):
        claims.write_text(path, "mine")
    assert path.read_text() == "mine"
