# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The manual page and the completions name exactly what the command has."""

import os
import pty
import re
import select
import subprocess
import time

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


@pytest.fixture
def options_of(succeed):
    """options_of("keygen") returns the options in its help; options_of(None) the general ones."""

    def find(name):
        text = succeed(*([name] if name else []), "--help", text=True).stdout
        section = re.search(r"^Options:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S).group(1)
        found = set()
        for line in section.splitlines():
            entry = re.match(r"  (-\S+)", line)
            if entry:
                found.update(entry.group(1).split(","))
        assert {"-h", "--help"} <= found
        return found

    return find


def long_only(options):
    return {option for option in options if option.startswith("--")}


# --- The manual page ------------------------------------------------------------------------------


def manual_sections(root):
    """Returns {title of .Sh or .Ss: its lines}."""
    sections, title = {}, None
    for line in (root / "apps/command/codekem.1").read_text(encoding="ascii").splitlines():
        if line.startswith((".Sh ", ".Ss ")):
            title = line[4:]
            sections[title] = []
        elif title:
            sections[title].append(line)
    return sections


def flags(lines):
    """Returns the options that mdoc lines mark with Fl."""
    text = "\n".join(lines)
    return {"--" + name for name in re.findall(r"\bFl Fl (\w+)", text)} | {
        "-" + name for name in re.findall(r"(?<!Fl )\bFl (\w)\b", text)
    }


def test_manual_page_has_no_faults(root, need):
    page = root / "apps/command/codekem.1"
    done = subprocess.run(
        [need("mandoc"), "-T", "lint", "-W", "warning", page],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_synopsis_has_the_options_of_each_command(root, options_of, name):
    blocks = "\n".join(manual_sections(root)["SYNOPSIS"]).split(".Nm")
    (block,) = [block for block in blocks if re.match(rf"\n\.Cm {name}(?![\w-])", block)]
    assert flags([block]) == options_of(name) - {"-h", "--help"}


@pytest.mark.parametrize("name", COMMANDS)
def test_manual_explains_the_options_of_each_command(root, options_of, name):
    sections = manual_sections(root)
    lines = sections[name]
    if name in ("keygen", "encaps", "decaps"):
        lines = lines + sections["Files of keygen, encaps and decaps"]
    assert flags(line for line in lines if line.startswith(".It")) == options_of(name) - {
        "-h",
        "--help",
    }


def test_manual_explains_the_general_options(root, options_of):
    lines = manual_sections(root)["Without a command"]
    assert flags(line for line in lines if line.startswith(".It")) == options_of(None)


def test_manual_and_help_name_exit_statuses_and_environment(root, succeed):
    sections = manual_sections(root)
    statuses = [line[4:] for line in sections["EXIT STATUS"] if line.startswith(".It ")]
    text = succeed("--help", text=True).stdout
    assert statuses == ["0", "1", "2"]
    assert re.findall(r"\b(\d) (?=success|the operation|wrong)", text) == statuses
    variables = [line[7:] for line in sections["ENVIRONMENT"] if line.startswith(".It Ev ")]
    assert variables == ["CODEKEM_CPU", "CODEKEM_SIMULATED", "NO_COLOR"]
    assert all(variable in text for variable in variables)


def test_commands_here_are_those_of_the_help(succeed):
    text = succeed("--help", text=True).stdout
    section = re.search(r"^Subcommands:\n(.*?)\n\n", text, re.M | re.S).group(1)
    assert re.findall(r"^  (\S+)", section, re.M) == COMMANDS


# --- Completions ----------------------------------------------------------------------------------
# Each shell is asked for the words that may follow a line; the line's last word is to be completed.


@pytest.fixture
def shell_environment(command, tmp_path):
    return {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }


@pytest.fixture
def bash(root, need, shell_environment, tmp_path):
    def complete(*words):
        script = (
            f"source '{root}/apps/command/completions/codekem.bash'\n"
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()\n'
            '_codekem; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            [need("bash"), "-c", script, "bash", "codekem", *words],
            env=shell_environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not done.stderr
        return set(done.stdout.split())

    return complete


@pytest.fixture
def fish(root, need, shell_environment, tmp_path):
    def complete(*words):
        script = f"source '{root}/apps/command/completions/codekem.fish'; complete -C \"$argv\""
        done = subprocess.run(
            [need("fish"), "--no-config", "-c", script, "codekem", *words],
            env=shell_environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not done.stderr
        return {line.split("\t")[0] for line in done.stdout.splitlines()}

    return complete


@pytest.fixture(scope="module")
def zsh_functions(root, tmp_path_factory):
    """A folder with ours, and in `dump` zsh's list of all: reading thousands of files for it takes
    half a second, which the first shell does for the others."""
    folder = tmp_path_factory.mktemp("zsh")
    (folder / "_codekem").symlink_to(root / "apps/command/completions/codekem.zsh")
    return folder


@pytest.fixture
def zsh(zsh_functions, need, shell_environment, tmp_path):
    """zsh completes only in its line editor: a terminal is needed, and a list is made by ^D."""
    (tmp_path / ".zshrc").write_text(
        "PS1='prompt> '; unsetopt prompt_cr prompt_sp zle_bracketed_paste\n"
        "unset zle_bracketed_paste; LISTMAX=10000\n"
        f"fpath=('{zsh_functions}' $fpath); autoload -Uz compinit\n"
        f"compinit -u -d '{zsh_functions}/dump'\n"
        "zstyle ':completion:*' verbose no; bindkey '^D' list-choices\n"
        "setopt list_rows_first\n",
        encoding="ascii",
    )
    shells = []

    def read_until(terminal, mark, seen=b""):
        deadline = time.monotonic() + 600
        while mark not in seen:
            assert time.monotonic() < deadline, f"zsh does not answer: {seen!r}"
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 65536)
        return seen

    def complete(*words):
        terminal, child_end = pty.openpty()
        shells.append(
            (
                terminal,
                subprocess.Popen(
                    [need("zsh"), "-d", "-i"],
                    stdin=child_end,
                    stdout=child_end,
                    stderr=child_end,
                    cwd=tmp_path,
                    env={**shell_environment, "ZDOTDIR": str(tmp_path), "COLUMNS": "100"},
                    start_new_session=True,
                ),
            )
        )
        os.close(child_end)
        read_until(terminal, b"prompt> ")
        line = " ".join(["codekem", *words]).encode()
        os.write(terminal, line)
        read_until(terminal, line)
        os.write(terminal, b"\x04")
        # The list comes first, then the line again for more input.
        shown = read_until(terminal, line)
        return set(
            re.findall(r"[\w.+-]+", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", " ", shown.decode()))
        ) - {"prompt", "codekem"}

    yield complete
    for terminal, process in shells:
        os.close(terminal)
        process.wait(timeout=600)


@pytest.fixture(params=["bash", "fish", "zsh"])
def complete(request):
    return request.getfixturevalue(request.param)


def test_commands_are_completed(complete):
    assert complete("") >= set(COMMANDS)
    assert complete("") & set(COMMANDS) == set(COMMANDS)
    assert complete("se") == {"selftest"} or complete("se") == {"se", "selftest"}


def test_general_options_are_completed(complete, options_of):
    assert long_only(complete("--")) - {"--"} == long_only(options_of(None))


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_completed(complete, options_of, name):
    assert long_only(complete(name, "--")) - {"--"} == long_only(options_of(name))


@pytest.mark.parametrize("name", ["keygen", "encaps", "decaps", "kat", "selftest", "speed"])
def test_kems_are_completed_as_list_names_them(complete, succeed, name):
    names = set(succeed("list", "--names", text=True).stdout.split())
    assert complete(name, "--kem", "") >= names
    assert complete(name, "--kem", "BIKE-L3") - {"BIKE-L3"} - {name, "--kem"} == {
        kem for kem in names if kem.startswith("BIKE-L3-")
    }


@pytest.mark.parametrize("name", ["selftest", "speed"])
def test_back_ends_are_completed(complete, succeed, name):
    names = set(succeed("list", "--backends", text=True).stdout.split())
    assert complete(name, "--backend", "") >= names


@pytest.mark.parametrize("name", ["keygen", "encaps", "decaps"])
def test_formats_are_completed(complete, name):
    assert "raw" in complete(name, "--format", "")


def test_files_are_completed(complete, tmp_path):
    (tmp_path / "somebody.pub").write_bytes(b"")
    (tmp_path / "somebody.key").write_bytes(b"")
    assert complete("encaps", "--public", "some") >= {"somebody.pub", "somebody.key"}
