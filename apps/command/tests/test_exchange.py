# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem keygen, encaps, decaps: both sides get the same secret, in every way to pass files."""

import json
import os
import stat
import subprocess

import pytest

from apps.command.tests.key_files import KEM, make_file, read_file


def all_kems(succeed):
    return json.loads(succeed("list", "--json").stdout)["kems"]


@pytest.mark.parametrize("form", ["codekem", "raw"])
def test_every_kem_exchanges_a_secret(succeed, tmp_path, form):
    for kem in all_kems(succeed):
        folder = tmp_path / kem["name"]
        folder.mkdir()
        extra = ["--format", form, "--kem", kem["name"]]
        succeed("keygen", "--public", folder / "pk", "--secret", folder / "sk", *extra)
        succeed(
            "encaps",
            "--public",
            folder / "pk",
            "--ciphertext",
            folder / "ct",
            "--shared",
            folder / "ss1",
            *extra,
        )
        succeed(
            "decaps",
            "--secret",
            folder / "sk",
            "--ciphertext",
            folder / "ct",
            "--shared",
            folder / "ss2",
            *extra,
        )
        data = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert sorted(data) == ["ct", "pk", "sk", "ss1", "ss2"]
        assert data["ss1"] == data["ss2"]
        sizes = {"pk": "public_key", "sk": "secret_key", "ct": "ciphertext", "ss1": "shared_secret"}
        for name, kind in sizes.items():
            payload = data[name]
            if form == "codekem":
                found_kind, found_kem, payload = read_file(data[name])
                assert (found_kind, found_kem) == (kind.replace("_", "-"), kem["name"])
            assert len(payload) == kem[f"{kind}_bytes"]


def test_the_library_agrees_with_the_raw_files(succeed, library, tmp_path):
    succeed("keygen", "--public", "pk", "--secret", "sk", "--format", "raw", "--kem", KEM)
    succeed(
        "encaps",
        "--public",
        "pk",
        "--ciphertext",
        "ct",
        "--shared",
        "ss",
        "--format",
        "raw",
        "--kem",
        KEM,
    )
    read = {name: (tmp_path / name).read_bytes() for name in ("sk", "ct", "ss")}
    assert library.decaps(library.kem(KEM), read["ct"], read["sk"]) == read["ss"]


def test_every_run_gives_other_values(succeed, exchange):
    succeed("keygen", "--kem", KEM, "--public", "pk2", "--secret", "sk2")
    succeed("encaps", "--public", exchange.public, "--ciphertext", "ct2", "--shared", "ss2")
    folder = exchange.public.parent
    for old, new in [
        ("public", "pk2"),
        ("secret", "sk2"),
        ("ciphertext", "ct2"),
        ("shared", "ss2"),
    ]:
        assert getattr(exchange, old).read_bytes() != (folder / new).read_bytes()


def test_kem_may_be_named_where_the_file_names_it(succeed, exchange):
    succeed(
        "decaps",
        "--kem",
        KEM,
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "out",
    )
    assert (exchange.shared.parent / "out").read_bytes() == exchange.shared.read_bytes()


def test_changed_ciphertext_gives_another_secret_and_no_error(succeed, exchange, tmp_path):
    # Two bits: with one the parity is wrong, which the check of the ciphertext notices.
    payload = bytes([exchange.payloads.ciphertext[0] ^ 3]) + exchange.payloads.ciphertext[1:]
    (tmp_path / "changed.ct").write_bytes(make_file("ciphertext", KEM, payload))
    secrets = []
    for name in ("out1", "out2"):
        succeed(
            "decaps", "--secret", exchange.secret, "--ciphertext", "changed.ct", "--shared", name
        )
        secrets.append((tmp_path / name).read_bytes())
    assert secrets[0] == secrets[1] != exchange.shared.read_bytes()


# --- Modes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask, public_mode", [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666)])
def test_secret_files_have_mode_0600(succeed, tmp_path, mask, public_mode):
    succeed("keygen", "--kem", KEM, "--public", "pk", "--secret", "sk", umask=mask)
    succeed("encaps", "--public", "pk", "--ciphertext", "ct", "--shared", "ss", umask=mask)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"pk": public_mode, "sk": 0o600, "ct": public_mode, "ss": 0o600}


def test_replaced_secret_file_loses_its_wide_mode(succeed, tmp_path):
    (tmp_path / "sk").write_bytes(b"old")
    (tmp_path / "sk").chmod(0o666)
    succeed("keygen", "--kem", KEM, "--public", "pk", "--secret", "sk", "--force")
    assert stat.S_IMODE((tmp_path / "sk").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pk", "sk"]


# --- Standard input and output --------------------------------------------------------------------


def test_a_whole_exchange_through_pipes(succeed, tmp_path):
    public = succeed("keygen", "--kem", KEM, "--public", "-", "--secret", "sk").stdout
    assert read_file(public)[:2] == ("public-key", KEM)
    ciphertext = succeed(
        "encaps", "--public", "-", "--ciphertext", "-", "--shared", "ss1", input=public
    ).stdout
    shared = succeed(
        "decaps", "--secret", "sk", "--ciphertext", "-", "--shared", "-", input=ciphertext
    ).stdout
    assert shared == (tmp_path / "ss1").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sk", "ss1"]


def test_secret_key_from_standard_input(succeed, exchange):
    done = succeed(
        "decaps",
        "--secret",
        "-",
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "-",
        input=exchange.secret.read_bytes(),
    )
    assert done.stdout == exchange.shared.read_bytes()


def test_pieces_of_a_slow_pipe_are_put_together(command, exchange):
    process = subprocess.Popen(
        [command, "decaps", "--secret", "-", "--ciphertext", exchange.ciphertext, "--shared", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    data = exchange.secret.read_bytes()
    for i in range(0, len(data), 1000):
        process.stdin.write(data[i : i + 1000])
    assert process.communicate(timeout=600)[0] == exchange.shared.read_bytes()


def test_named_pipes_and_devices_are_written_directly(succeed, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with subprocess.Popen(["cat", tmp_path / "fifo"], stdout=subprocess.PIPE) as reader:
        succeed("keygen", "--kem", KEM, "--public", "fifo", "--secret", "/dev/null")
        assert read_file(reader.communicate(timeout=600)[0])[0] == "public-key"
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_both_outputs_may_go_to_dev_null(succeed):
    succeed("keygen", "--kem", KEM, "--public", "/dev/null", "--secret", "/dev/null")


# --- Replacing files ------------------------------------------------------------------------------


def test_force_replaces_files(succeed, exchange):
    before = exchange.public.read_bytes(), exchange.secret.read_bytes()
    succeed("keygen", "--kem", KEM, "--public", exchange.public, "--secret", exchange.secret, "-f")
    after = exchange.public.read_bytes(), exchange.secret.read_bytes()
    assert before[0] != after[0] and before[1] != after[1]
    names = sorted(path.name for path in exchange.public.parent.iterdir())
    assert names == ["alice.ss", "bob.key", "bob.pub", "to-bob.ct"]


def test_force_follows_a_symbolic_link(succeed, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "pk"
    target.write_bytes(b"old")
    (tmp_path / "link").symlink_to(target)
    succeed("keygen", "--kem", KEM, "--public", "link", "--secret", "sk", "--force")
    assert (tmp_path / "link").is_symlink()
    assert read_file(target.read_bytes())[0] == "public-key"
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["pk"]


def test_an_open_reader_keeps_the_old_file(succeed, exchange):
    with exchange.public.open("rb") as reader:
        before = exchange.public.read_bytes()
        succeed(
            "keygen",
            "--kem",
            KEM,
            "--public",
            exchange.public,
            "--secret",
            exchange.secret,
            "--force",
        )
        assert reader.read() == before


def test_exchange_script_succeeds(root, command):
    done = subprocess.run(
        [root / "tools" / "exchange.sh", command],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    names = subprocess.run(
        [command, "list", "--names"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert done.stdout.splitlines() == [
        f"[{i}/{len(names)}] {name}: both sides hold the same secret"
        for i, name in enumerate(names, 1)
    ]


def test_exchange_script_notices_a_wrong_secret(root, command, tmp_path):
    # A command that spoils the secret of the receiver.
    (tmp_path / "codekem").write_text(
        "#!/bin/sh\n"
        f'"{command}" "$@" || exit\n'
        'if [ "$1" = decaps ]; then\n'
        '  for word; do [ "$previous" = --shared ] && echo >>"$word"; previous=$word; done\n'
        "fi\n",
        encoding="ascii",
    )
    (tmp_path / "codekem").chmod(0o755)
    done = subprocess.run(
        [root / "tools" / "exchange.sh", tmp_path / "codekem"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 1
    assert "BIKE-L1: FAILED" in done.stdout and "exchanges failed" in done.stderr


def test_exchange_script_names_a_missing_command(root, tmp_path):
    done = subprocess.run(
        [root / "tools" / "exchange.sh", tmp_path / "nothing"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 2
    assert "run 'make build' first" in done.stderr
