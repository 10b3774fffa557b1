# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Building liboqs and RustCrypto: what is missing, what is shown, when it ends."""

import subprocess
import time

import psutil
import pytest
import typer

from codekem_evaluation import cli, peers


@pytest.fixture
def fake_cargo(tmp_path, monkeypatch):
    """fake_cargo(version, build) puts a cargo on the path that does nothing else."""

    def install(version, build="exit 0"):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        script = folder / "cargo"
        script.write_text(
            f'#!/bin/sh\nif [ "$1" = --version ]; then echo "cargo {version}"; exit; fi\n{build}\n'
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    return install


def goes_on(number):
    """Says whether a process is there; fails if it has been at work for ten seconds of its own."""
    try:
        process = psutil.Process(number)
        assert process.cpu_times().user < 10
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def lines(missing):
    return [str(each) for each in missing]


def test_without_cargo_each_peer_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    program, missing = peers.build(tmp_path)
    assert program is None and len(missing) == 2
    assert all(f"there is no cargo; {peers.rust()}" in line for line in lines(missing))
    assert peers.AGAIN in peers.rust()


@pytest.mark.parametrize(
    ("system", "packages"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "apt-get install rustc-web cargo-web"),
        ('ID=debian\nVERSION_ID="13"\n', "apt-get install rustc cargo"),
        ("ID=debian\n", "install rustc and cargo 1.85 or later"),
        ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="12"\n', "install rustc and cargo 1.85"),
        (None, "install rustc and cargo 1.85 or later"),
    ],
)
def test_rust_is_named_as_the_system_calls_it(system, packages, tmp_path):
    file = tmp_path / "os-release"
    if system is not None:
        file.write_text(system)
    assert peers.rust(file).startswith(packages)
    assert peers.rust(file).endswith(f"then {peers.AGAIN}")


def test_the_second_command_that_is_named_builds_peers(root):
    """make evaluate hands --peers on to run, which takes it."""
    command = ["make", "--no-print-directory", "-n", *peers.AGAIN.split()[1:]]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert "codekem-evaluation run --peers" in said.splitlines()[-2]
    names = [
        option
        for parameter in typer.main.get_command(cli.app).commands["run"].params
        for option in parameter.opts
    ]
    assert "--peers" in names


def test_peers_that_are_not_built_are_not_built_unasked(fake_cargo, tmp_path):
    fake_cargo("1.90.0", f"touch {tmp_path}/built; exit 0")
    program, missing = peers.found(tmp_path)
    assert program is None and not (tmp_path / "built").exists()
    assert len(missing) == 2
    assert all(f"not built yet; {peers.AGAIN}" in str(each) for each in missing)
    peers.program_in(tmp_path).parent.mkdir()
    peers.program_in(tmp_path).write_text("")
    assert peers.found(tmp_path)[0] == peers.program_in(tmp_path)
    assert (tmp_path / "built").exists()  # cargo sees whether it is of these sources


def test_building_says_what_is_compiled(fake_cargo, tmp_path):
    """Until it was said, this cargo goes on."""
    objects = tmp_path / "release" / "build" / "oqs-sys-1" / "out" / "build"
    objects.mkdir(parents=True)
    (objects / "kem.c.o").write_text("")
    fake_cargo(
        "1.90.0",
        f"echo '   Compiling oqs-sys v0.11.0'; until [ -e {tmp_path}/said ]; do sleep 0.1; done",
    )
    said = []

    def say(text):
        said.append(text)
        (tmp_path / "said").write_text("")

    program, missing = peers.build(tmp_path, say)
    assert program is not None and not missing
    assert said[0] == "building the peers: oqs-sys, 1 files of C"


def test_old_rust_builds_what_it_can(fake_cargo, tmp_path):
    fake_cargo("1.63.0")
    assert peers.build(tmp_path)[0] is None
    fake_cargo("1.81.0")
    program, missing = peers.build(tmp_path)
    assert program == tmp_path / "release" / "codekem-peers"
    assert lines(missing) == [f"RustCrypto hqc-kem: Rust 1.81 is too old; {peers.rust()}"]


def test_a_peer_that_does_not_build_leaves_the_other(fake_cargo, tmp_path):
    fake_cargo("1.90.0", 'case "$*" in *liboqs*) echo "error: no libclang"; exit 1;; esac')
    program, missing = peers.build(tmp_path)
    assert program is not None
    assert len(missing) == 1
    assert str(missing[0]).startswith(
        "liboqs (BIKE, Classic McEliece, HQC, ML-KEM): error: no libclang; run 'cargo"
    )
    fake_cargo("1.90.0", 'case "$*" in *rustcrypto*) echo "error: no network"; exit 1;; esac')
    program, missing = peers.build(tmp_path)
    assert program is not None
    assert [str(each).split(";")[0] for each in missing] == [
        "RustCrypto hqc-kem: error: no network"
    ]
    fake_cargo("1.90.0", "exit 1")
    program, missing = peers.build(tmp_path)
    assert program is None and len(missing) == 2


def test_building_ends_by_the_time_of_the_processor(fake_cargo, tmp_path, monkeypatch):
    """And what cargo has started ends with it."""
    monkeypatch.setattr(peers, "MINUTES", 0.002)
    fake_cargo("1.90.0", f"sh -c 'echo $$ > {tmp_path}/compiler; while :; do :; done' & wait")
    program, missing = peers.build(tmp_path)
    assert program is None
    assert all("it goes on where it stopped" in str(each) for each in missing)
    compiler = int((tmp_path / "compiler").read_text())
    while goes_on(compiler):  # a killed process ends when the system gets to it
        time.sleep(0.05)


def test_waiting_does_not_count_against_building(fake_cargo, tmp_path, monkeypatch):
    """As on a machine that is busy with something else: longer than the limit by the clock."""
    monkeypatch.setattr(peers, "MINUTES", 0.02)
    fake_cargo("1.90.0", "sleep 2")
    assert peers.build(tmp_path)[0] is not None
