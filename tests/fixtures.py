# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What all tests share: builds of the project, the library through ctypes, back ends, summary."""

import fcntl
import os
import pathlib
import re
import subprocess
import sys
import uuid

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tests import constant_time_record, room_reports, rooms
from tests.codekem_ctypes import FUNCTIONS, Library, shared_library
from tests.constant_time_record import checked  # noqa: F401 (a fixture)
from tests.internals_ctypes import Internals
from tests.running_order import running_order
from tools.source_folders import include_options

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Where the builds go; another folder lets two runs of the tests go side by side.
BUILDS = pathlib.Path(os.environ.get("CODEKEM_TEST_BUILDS", ROOT / "build")).resolve()

# What the processor must offer for each back end, as in /proc/cpuinfo; only to say what it lacks.
PROCESSOR_FLAGS = {
    "avx2": {"avx2", "pclmulqdq", "bmi1", "bmi2", "abm", "popcnt"},
    "avx512": {
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vl",
        "avx512_vbmi",
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
    """Builds the project; each combination of preset and options once in a session.

    build("gcc") returns the folder build/test-gcc. Options are cache variables of CMake:
    build("clang", CODEKEM_CHECK="valgrind", CMAKE_BUILD_TYPE="RelWithDebInfo"). The command and
    the test programs are in its bin/, the libraries in the folder itself.
    """

    def __init__(self, say, session):
        self._say = say
        self._session = session  # the same for all processes of one run of pytest
        self._done = {}

    def __call__(self, preset, targets=("all",), **options):
        rooms.compiler_of(preset, options)
        parts = [preset] + [
            f"{name.removeprefix('CODEKEM_').lower()}={value}"
            for name, value in sorted(options.items())
        ]
        name = re.sub(r"[^A-Za-z0-9=._-]+", "_", "-".join(["test", *parts]))
        folder = BUILDS / name
        key = (name, tuple(targets))
        if key not in self._done:
            try:
                self._make(folder, preset, targets, options)
                self._done[key] = None
            except BuildError as error:
                self._done[key] = error
        if self._done[key] is not None:
            raise self._done[key]
        return folder

    @staticmethod
    def folder(name):
        """Returns a folder for what other tools than CMake build."""
        return BUILDS / f"test-{name}"

    def _make(self, folder, preset, targets, options):
        """Builds, unless another process of this run has done it; one at a time in a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            stamp = folder / f".built-{'-'.join(targets)}"
            if stamp.exists() and stamp.read_text() == self._session:
                return
            self._say(f"building {folder} ({' '.join(targets)})")
            configured = folder / ".configured"
            if not configured.exists() or configured.read_text() != self._session:
                run_build(
                    [
                        "cmake",
                        "--preset",
                        preset,
                        "-B",
                        str(folder),
                        "-S",
                        str(ROOT),
                        *[f"-D{name}={value}" for name, value in options.items()],
                    ]
                )
                configured.write_text(self._session)
            run_build(
                [
                    "cmake",
                    "--build",
                    str(folder),
                    "--parallel",
                    str(os.cpu_count() or 1),
                    "--target",
                    *targets,
                ]
            )
            stamp.write_text(self._session)


class BuildError(Exception):
    """A build failed; the message is what the tools printed."""


def run_build(command):
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)} failed:\n{done.stdout[-6000:]}")


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
    """The shared library of the preset gcc, through ctypes."""
    return library_of(request.config)


@pytest.fixture(scope="session")
def internals(build):
    """The internals and the legacy KEMs, through ctypes."""
    folder = build("gcc", targets=["codekem_internals"])
    return Internals(folder / "tests" / shared_library("codekem_internals"))


@pytest.fixture
def broken_library(build, tmp_path):
    """broken_library(mistake) returns the library with a mistake of the ledger, through ctypes."""

    def made(mistake):
        command = [rooms.tool("gcc"), "-O2", "-std=c11", "-fPIC", "-shared", *include_options()]
        # The object comes first, so the linker leaves the one in the archive out.
        command += [mistake.apply(tmp_path), *(f"-Wl,--undefined={name}" for name in FUNCTIONS)]
        command += [build("gcc") / "libcodekem.a", "-o", tmp_path / "broken.so"]
        run_build([str(word) for word in command])
        return Library(tmp_path / "broken.so")

    return made


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
        capture = config.pluginmanager.get_plugin("capturemanager")

        def say(text):
            with capture.global_and_fixture_disabled():
                print(f"\n{text}", file=sys.stderr, flush=True)

        in_worker = getattr(config, "workerinput", {})
        config._codekem_builds = Builds(say, in_worker.get("testrunuid", str(uuid.uuid4())))
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
def pytest_terminal_summary(terminalreporter):
    """Says how many tests ran on each back end, why those of another did not, which set-ups were
    left out, what rooms took, and how to repeat what failed."""
    constant_time_record.RECORD.record(terminalreporter)
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


def pytest_configure(config):
    config._codekem_clock = room_reports.Clock()
    settings.load_profile("long" if config.option.markexpr == "long" else "test")


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
