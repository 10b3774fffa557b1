# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line: help, version, exit status, and help with mistyped words."""

import os
import shutil
import subprocess

import pytest

COMMANDS = [
    "list",
    "keygen",
    "encaps",
    "decaps",
    "kat",
    "acvp",
    "selftest",
    "speed",
    "sign-keygen",
    "sign",
    "verify",
]


def test_help_names_every_command(succeed):
    text = succeed("--help", text=True).stdout
    for name in COMMANDS:
        assert f"\n  {name} " in text
    assert "Exit status: 0 success; 1 " in text


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(succeed, name, flag):
    text = succeed(name, flag, text=True).stdout
    assert f"Usage: codekem {name} [OPTIONS]" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version_is_the_librarys(succeed, root, flag):
    text = succeed(flag, text=True).stdout
    name, version = text.split()
    assert name == "codekem"
    header = (root / "include" / "codekem.h").read_text(encoding="utf-8")
    assert f'#define CODEKEM_VERSION_STRING "{version}"\n' in header


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "no command is given; see 'codekem --help'"),
        (["keygn"], "no command 'keygn'; did you mean 'keygen'?"),
        (["speedd"], "did you mean 'speed'?"),
        (["frobnicate"], "no command 'frobnicate'; see 'codekem --help'"),
        (["--vershion"], "no option '--vershion'; did you mean '--version'?"),
        (["list", "--jsno"], "no option '--jsno'; did you mean '--json'?"),
        (["list", "--nothing-like-it"], "no option '--nothing-like-it'; see 'codekem list --help'"),
        (["list", "extra"], "one argument too many, 'extra'"),
        (["list", "--json", "--names"], "exclude each other"),
        (["keygen", "--kem", "BIKE-L1", "--public", "a"], "--secret is required"),
        (["keygen", "--kem"], "--kem"),
        (
            ["keygen", "--kem", "bike-l1", "--public", "a", "--secret", "b"],
            "did you mean 'BIKE-L1'?",
        ),
        (
            ["keygen", "--kem", "BIKEL3", "--public", "a", "--secret", "b"],
            "did you mean 'BIKE-L3'?",
        ),
        (["keygen", "--kem", "RSA", "--public", "a", "--secret", "b"], "'codekem list' shows"),
        (["keygen", "--kem", "x" * 5000, "--public", "a", "--secret", "b"], "'codekem list' shows"),
        (
            ["keygen", "--kem", "BIKE-L1", "--public", "a", "--secret", "b", "--format", "row"],
            "no format 'row'; did you mean 'raw'?",
        ),
        (
            ["encaps", "--format", "raw", "--public", "a", "--ciphertext", "b", "--shared", "c"],
            "--format raw needs --kem",
        ),
        (["kat", "--kem", "BIKE-L1", "--count", "0"], "--count is out of range"),
        (["kat", "--kem", "BIKE-L1", "--count", "1000001"], "--count is out of range"),
        (["kat", "--kem", "BIKE-L1", "--count", "-1"], "--count"),
        (["kat", "--kem", "BIKE-L1", "--count", "ten"], "not a number in range: --count = ten"),
        (["kat", "--kem", "BIKE-L1", "--seed", ""], "expected 96 hexadecimal digits"),
        (
            ["kat", "--kem", "BIKE-L1", "--seed", "00"],
            "expected 96 hexadecimal digits (48 bytes), got 2",
        ),
        (["kat", "--kem", "BIKE-L1", "--seed", "0g" * 48], "not hexadecimal near digit 1"),
        (["speed", "--seconds", "-1"], "--seconds is out of range"),
        (["speed", "--seconds", "nan"], "--seconds is out of range"),
        (["speed", "--seconds", "soon"], "not a number in range: --seconds = soon"),
        (["speed", "--kem", "BIKE-L2"], "did you mean 'BIKE-L1'?"),
        (["speed", "--backend", "portble"], "no back end 'portble'; did you mean 'portable'?"),
        (["selftest", "--backend", "quantum"], "no back end 'quantum'; choose one of reference, "),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(fail, arguments, says):
    fail(*arguments, says=says, status=2)


@pytest.mark.parametrize(
    "value, says",
    [
        (
            "abacus",
            "CODEKEM_CPU asks for the back end 'abacus', which this processor or this build",
        ),
        (
            "reference",
            "'reference', which is not constant time and can be chosen by --backend only",
        ),
        ("a\x1b[31m\n", r"CODEKEM_CPU asks for the back end 'a\x1b[31m\n', which"),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["list", "--json"],
        ["list", "--names"],
        ["list", "--backends"],
        ["keygen", "--kem", "BIKE-L1", "--public", "a", "--secret", "b"],
        ["encaps", "--public", "a", "--ciphertext", "b", "--shared", "c"],
        ["decaps", "--secret", "a", "--ciphertext", "b", "--shared", "c"],
        ["kat", "--kem", "BIKE-L1"],
        ["kat", "--kem", "BIKE-L1", "--backend", "portable"],
        ["selftest"],
        ["speed"],
    ],
)
def test_bad_back_end_in_the_environment_is_named_by_every_command(fail, arguments, value, says):
    done = fail(
        *arguments,
        env={"CODEKEM_CPU": value},
        status=2,
        says=[says, "unset it or choose one of portable"],
    )
    assert not done.stdout


def test_help_needs_no_back_end(succeed):
    for arguments in (["--help"], ["--version"], ["list", "--help"]):
        succeed(*arguments, env={"CODEKEM_CPU": "abacus"})


def test_back_end_of_the_environment_is_used(succeed):
    text = succeed("list", env={"CODEKEM_CPU": "portable"}, text=True).stdout
    assert "portable (in use)" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["list"],
        ["list", "--json"],
        ["kat", "--kem", "BIKE-L1"],
        ["selftest", "--kem", "BIKE-L1"],
        ["speed", "--kem", "BIKE-L1", "--seconds", "0.001"],
    ],
)
def test_full_disk_under_standard_output_is_named(fail, arguments):
    with open("/dev/full", "wb") as full:
        fail(
            *arguments,
            stdout=full,
            says="standard output: cannot be written: No space left on device",
        )


def test_set_user_id_command_loads_no_library_of_its_caller(command, tmp_path):
    """The environment must not choose code that runs with the rights of another user."""
    copy = tmp_path / "codekem"
    shutil.copy(command, copy)
    if os.geteuid() != 0:
        pytest.skip("set-user-ID command not tried: only root can make one of another user")
    os.chown(copy, 65534, -1)
    copy.chmod(0o4755)

    def ask(path):
        return subprocess.run(
            [path, "speed", "--backend", "simulated"],
            capture_output=True,
            text=True,
            check=False,
            env={"CODEKEM_SIMULATED": "./missing.so"},
        )

    assert "cannot be loaded: ./missing.so" in ask(command).stderr
    if os.statvfs(tmp_path).f_flag & os.ST_NOSUID:
        pytest.skip(f"set-user-ID command not tried: {tmp_path} is mounted without set-user-ID")
    assert "CODEKEM_SIMULATED does not name a simulated core" in ask(copy).stderr
