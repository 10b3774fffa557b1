# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What all tests share: builds of the project, the library, back ends, summary."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests import constant_time_record, long_runs, room_reports, rooms
from tests.c_library import shared_library
from tests.constant_time_record import checked  # noqa: F401 (a fixture)
from tests.internals import Internals
from tests.library import Library
from tests.running_order import running_order
from tools import interface, made
from tools.source_folders import include_options

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What the processor must offer for each back end, as in /proc/cpuinfo; only to say what it lacks.
PROCESSOR_FLAGS = {
    "avx2": {"avx2", "pclmulqdq", "bmi1", "bmi2", "abm", "popcnt"},
    "avx2-vpclmul": {"avx2", "pclmulqdq", "bmi1", "bmi2", "abm", "popcnt", "vpclmulqdq"},
    "avx2-gfni": {"avx2", "pclmulqdq", "bmi1", "bmi2", "abm", "popcnt", "vpclmulqdq", "gfni"},
    "avx512": {
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vl",
        "avx512vbmi",
        "avx512_vbmi2",
        "avx512_vpopcntdq",
        "vpclmulqdq",
        "gfni",
    },
    "neon": {"pmull"},
    "neon-sha3": {"pmull", "sha3"},
}

# Tests of packages also run while somebody works on them: tracked files are packed as they are.
os.environ.setdefault("CODEKEM_ALLOW_DIRTY", "1")

HIGH_LEVEL = re.compile(r"^(BIKE-L|HQC-)([35]|192|256)")

settings.register_profile(
    "test",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Hypothesis tests also run in `make test-long`, with other examples than in `make test`.
settings.register_profile(
    "long", parent=settings.get_profile("test"), max_examples=200, derandomize=False
)


class Builds:
    """Finds builds of the project, each combination of preset and options in a folder of its own.

    build("gcc") returns the folder build/test-gcc. Options are cache variables of CMake:
    build("clang", CODEKEM_CHECK="valgrind", CMAKE_BUILD_TYPE="RelWithDebInfo"). The command and
    the test programs are in its bin/, the libraries in the folder itself. Without targets it need
    only be configured.

    Nothing is built here: tools/made.py does that before, from what the room's made.cmake says. A
    build that is not there, or older than its sources, is an error.
    """

    def __init__(self):
        self._found = {}

    def __call__(self, preset, targets=("all",), **options):
        rooms.compiler_of(preset, options)
        folder = made.folder_of(preset, options)
        key = (folder, tuple(targets))
        if key not in self._found:
            self._found[key] = why_not_built(folder, targets)
        if self._found[key]:
            raise NotMade(f"{self._found[key]}: {made.how_to_make(folder.name, targets)}")
        return folder

    @staticmethod
    def folder(name):
        """Returns a folder for what other tools than CMake build."""
        return made.BUILDS / f"test-{name}"


class NotMade(Exception):
    """Something is not there, or older than what it is made from."""


def why_not_built(folder, targets):
    """Says why the targets of a build cannot be used; an empty string if they can."""
    what = f"{' '.join(targets)} of {folder}"
    if not (folder / "build.ninja").exists():
        return f"{what} was not built"
    if not targets:
        return ""
    # Ninja would first have CMake look for new files, which it does not in a dry run.
    text = (folder / "build.ninja").read_text(encoding="utf-8")
    text = re.sub(r"^build build\.ninja: RERUN_CMAKE .*\n(?:  .*\n)*", "", text, flags=re.M)
    with tempfile.NamedTemporaryFile("w", suffix=".ninja", encoding="utf-8") as graph:
        graph.write(text)
        graph.flush()
        done = subprocess.run(
            ["ninja", "-C", folder, "-f", graph.name, "-n", *targets],
            capture_output=True,
            text=True,
            check=False,
        )
    if "ninja: no work to do." in done.stdout:
        return ""
    return f"{what} is not up to date"


def run_command(command):
    """Runs a command of a test that makes something of its own, say of a planted mistake."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout[-6000:]}"


@pytest.fixture(scope="session")
def root():
    """The top folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def vectors():
    """The folder of known answers."""
    return ROOT / "tests" / "vectors"


@pytest.fixture(scope="session")
def build(request):
    """See Builds."""
    return builds_of(request.config)


@pytest.fixture(scope="session")
def library(request):
    """The shared library of the preset gcc."""
    return library_of(request.config)


@pytest.fixture(scope="session")
def internals(build):
    """The internals and the legacy KEMs."""
    folder = build("gcc", targets=["codekem_internals"])
    return Internals(folder / "tests" / shared_library("codekem_internals"))


@pytest.fixture
def broken_library(build, tmp_path):
    """broken_library(mistake) returns the library with a mistake of the ledger."""

    def linked(mistake):
        command = [rooms.tool("gcc"), "-O2", "-std=c11", "-fPIC", "-shared", *include_options()]
        # The object comes first, so the linker leaves the one in the archive out.
        names = interface.functions(ROOT)
        command += [mistake.apply(tmp_path), *(f"-Wl,--undefined={name}" for name in names)]
        command += [build("gcc") / "libcodekem.a", "-o", tmp_path / "broken.so"]
        run_command([str(word) for word in command])
        return Library(tmp_path / "broken.so")

    return linked


@pytest.fixture(scope="session")
def command(build):
    """The path of the command codekem, with the legacy KEMs, from the preset gcc."""
    rooms.need_room("apps")
    return build("gcc") / "bin" / "codekem"


@pytest.fixture(scope="session")
def need():
    """need("qemu-arm") returns the tool's path, or ends the test and says how to install it."""
    return rooms.tool


@pytest.fixture(scope="session")
def need_module():
    """need_module("fusesoc") ends the test if the module is missing, and says how to install it."""
    return rooms.module


# --- Back ends ------------------------------------------------------------------------------------
# A test with the argument `backend_name` runs once for each back end in this build; one with
# `fast_backend_name` for each but the reference, which is too slow for many examples; one with
# `kem_name` once for each KEM of the library.


def builds_of(config):
    if not hasattr(config, "_codekem_builds"):
        config._codekem_builds = Builds()
    return config._codekem_builds


def library_of(config):
    """Returns the shared library of the preset gcc."""
    if not hasattr(config, "_codekem_library"):
        config._codekem_library = Library(builds_of(config)("gcc") / shared_library("codekem"))
    return config._codekem_library


def backends_of(config):
    """Returns {name: whether it runs here} of the library that the tests use."""
    return library_of(config).backends()


def pytest_generate_tests(metafunc):
    for argument, left_out in [("backend_name", []), ("fast_backend_name", ["reference"])]:
        if argument in metafunc.fixturenames:
            names = [name for name in backends_of(metafunc.config) if name not in left_out]
            metafunc.parametrize(argument, names, indirect=True)
    if "kem_name" in metafunc.fixturenames:
        metafunc.parametrize("kem_name", [kem.name for kem in library_of(metafunc.config).kems()])


@pytest.fixture
def backend_name(request):
    """The name of a back end; skips, with the reason, what this processor cannot run."""
    return checked_backend(request)


@pytest.fixture
def fast_backend_name(request):
    """The same without the reference."""
    return checked_backend(request)


def checked_backend(request):
    name = request.param
    request.node.user_properties.append(("backend", name))  # for the summary
    if not backends_of(request.config)[name]:
        pytest.skip(f"back end {name} not run: {why_not(name)}")
    return name


def why_not(name):
    """Says why this processor does not run a back end."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "this processor does not support it"
    flags = re.findall(r"(?:flags|Features)\s*:(.*)", text)[:1]
    present = set(re.findall(r"[a-z0-9_]+", "".join(flags)))
    lacking = sorted(PROCESSOR_FLAGS.get(name, set()) - present)
    if lacking:
        return f"this processor lacks {', '.join(lacking)}"
    return "the processor or the operating system does not support it"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Notes what each part of a test used, for the end of the run."""
    report = yield
    report.processor_seconds = item.config._codekem_clock.used()
    return report


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, exitstatus):
    """Says how many tests ran on each back end, why those of another did not, which set-ups were
    left out, what rooms took, and how to repeat what failed."""
    constant_time_record.RECORD.record(terminalreporter)
    long_runs.record(terminalreporter, exitstatus)
    room_reports.say_times(terminalreporter)
    if closed := rooms.summary() + rooms.deleted():
        terminalreporter.section("rooms whose tests were not run")
        for line in closed:
            terminalreporter.write_line(line)
    ran = {}
    for category in ["passed", "failed", "error", "skipped"]:
        for report in terminalreporter.getreports(category):
            for key, name in getattr(report, "user_properties", []):
                if key == "backend":
                    ran[name] = ran.get(name, 0) + (category != "skipped")
    if ran:
        terminalreporter.section("back ends")
        for name, count in ran.items():
            terminalreporter.write_line(
                f"{name}: {count} tests" if count else f"{name}: not tested, {why_not(name)}"
            )
    room_reports.say_failures(terminalreporter)


# --- Rooms, order and profile --------------------------------------------------------------------


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are cores: some tests wait, for a signal, a server or another program."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    config._codekem_clock = room_reports.Clock()
    settings.load_profile("long" if config.option.markexpr == "long" else "test")


def pytest_collection_finish():
    """Modules that a test writes and imports are not kept: one of the same length and second as
    that before it would be taken for it."""
    sys.dont_write_bytecode = True


def pytest_ignore_collect(collection_path):
    """Leaves out what belongs to a room that is not set up, or needs one that has been deleted:
    its imports may be missing."""
    if not collection_path.is_relative_to(ROOT):
        return None
    return rooms.is_left_out(collection_path, ROOT) or None


def is_reference_at_a_high_level(item):
    """The reference takes seconds there, and is the same code as at level 1."""
    values = getattr(item, "callspec", None) and item.callspec.params.values()
    names = [value for value in values or () if isinstance(value, str)]
    return "reference" in names and any(HIGH_LEVEL.search(name) for name in names)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Marks before -m selects, orders what was selected."""
    for item in items:
        if is_reference_at_a_high_level(item):
            item.add_marker(pytest.mark.long)
    if config.option.markexpr == "long":
        for item in items:  # the properties again, with many more examples
            if is_hypothesis_test(getattr(item, "obj", None)):
                item.add_marker(pytest.mark.long)
    result = yield

    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = running_order(items, ROOT, workers)
    return result


HOLDER = """
import sys
from codekem_base import claims
with claims.held(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def taken(tmp_path):
    """A file that another process has, and that process; it ends when its input does."""
    path = tmp_path / "taken.json"
    command = [sys.executable, "-c", HOLDER, path]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT / "tools" / "base" / "src")},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield path, process
        process.kill()
