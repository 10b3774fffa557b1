# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One run from start to stored file, with progress on the terminal."""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import tempfile
import time

from rich.console import Console

from codekem_base import claims, ends, files
from codekem_base.errors import CannotWrite, EvaluationError, Unavailable
from codekem_evaluation import (
    footprint,
    live,
    measure,
    paths,
    peers,
    profiling,
    sampler,
    signatures,
    store,
    tls,
)
from codekem_evaluation import kems as kem_list


def names_of(run, kind="run"):
    """Yields file names for a run: others may have begun in the same second."""
    stamp = run["created"].replace("-", "").replace(":", "")
    yield f"{kind}-{stamp}-{run['mode']}.json"
    for number in itertools.count(2):
        yield f"{kind}-{stamp}-{run['mode']}-{number}.json"


@contextlib.contextmanager
def place(out, run, kind="run"):
    """Yields where to store a run, a file that no other process writes: the one that is named, or
    one that is not there yet."""
    if out:
        with claims.held(out):
            yield pathlib.Path(out)
        return
    with contextlib.ExitStack() as stack:
        for name in names_of(run, kind):
            with contextlib.suppress(claims.Taken):
                stack.enter_context(claims.held(paths.RUNS / name))
                if not (paths.RUNS / name).exists():
                    break
                stack.close()
        yield paths.RUNS / name


def prepare(document, program, build, pairs, console, with_peers=False):
    """Fills in KEMs and implementations; returns the subjects to sample, ours and peers', which are
    built if they are wanted, and else measured if they are there."""
    kems, backends, best = kem_list.listed(build)
    document["kems"] = kems
    peers.check_kems(pairs, document)
    document["implementations"] = [
        {"name": name, "kind": "codekem", "version": document["build"]["codekem"]}
        for name in backends
    ]
    subjects = measure.subjects_of(program, kems, backends, best)
    with live.Steps(console) as say:
        others, absent = (peers.build if with_peers else peers.found)(say=say)
    document["unavailable"] += [error.as_json() for error in absent]
    try:
        found = peers.subjects(others, document) if others else []
    except Unavailable as error:
        document["unavailable"].append(error.as_json())
        found = []
    found += peers.shared_libraries(program, document, pairs)
    return subjects + found


def rest(document, program, subjects, build, progress):
    """Returns what fills in the other lists of a run, of codekem's own subjects: {list: function};
    each may be missing. The last runs on several cores."""
    ours = {i["name"] for i in document["implementations"] if i["kind"] == "codekem"}
    pairs = [(s.kem, s.implementation) for s in subjects if s.implementation in ours]
    return {
        "profile": lambda: profiling.take(document, build, progress),
        "code": lambda: document["code"].extend(footprint.code(build, ours)),
        "stack": lambda: document["stack"].extend(footprint.stack(program, pairs)),
        "signatures": lambda: signatures.take(document, build, progress),
        "tls": lambda: tls.take(document, build, progress),
    }


def attempt(document, fill):
    """Does what may not be possible on this machine; if it is not, the run notes it in one line."""
    try:
        fill()
    except Unavailable as error:
        document["unavailable"].append(error.as_json())


def check(out, pairs=(), core=None):
    """Checks what does not need a build, before anything is built or measured."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if core is not None and core not in cores:
        raise EvaluationError(f"core {core} is not one that this process may use: {cores}")
    peers.check_pairs(pairs)
    if out is not None and pathlib.Path(out).is_dir():
        raise EvaluationError(f"--out {out} is a folder; name a file in it")
    files.check_writable(pathlib.Path(out).parent if out else paths.RUNS)


def measured(document, program, settings, build, pairs, console, with_peers, only, keep):
    """Fills in a run; returns whether it was interrupted. only: see run; keep stores it."""
    core = document["machine"]["core"]
    with ends.interruptible():
        subjects = prepare(document, program, build, pairs, console, with_peers)
        if only.kems:
            subjects = chosen(document, subjects, only.kems)
        try:
            with live.Screen(console) as screen:
                fills = rest(document, program, subjects, build, screen.progress)
                fills = {name: fill for name, fill in fills.items() if only.wants(name)}
                with sampler.pinned(core):
                    if only.wants("times"):
                        shown = screen.progress, screen.taken, keep
                        measure.take_times(document, subjects, settings, program, *shown)
                    for name, fill in fills.items():
                        if name != "tls":
                            attempt(document, fill)
                if "tls" in fills:
                    attempt(document, fills["tls"])
            document["complete"] = True
        except KeyboardInterrupt:
            return True
    return False


OF_KEMS = ("times", "profile", "stack")  # what a run of a few KEMs has
KEEP_SECONDS = 5.0  # between two rounds after which a run is stored


@dataclasses.dataclass(frozen=True)
class Only:
    """The list of a run to fill in, without the others (None: all), and the KEMs (none: all)."""

    part: str | None = None
    kems: tuple = ()

    def wants(self, name):
        return name == self.part if self.part else not self.kems or name in OF_KEMS


def chosen(document, subjects, kems):
    """Returns the subjects of a few KEMs, and leaves these alone in the document."""
    known = dict.fromkeys(subject.kem for subject in subjects)
    unknown = [kem for kem in kems if kem not in known]
    if unknown:
        raise EvaluationError(f"no KEM {', '.join(unknown)} here; there are {', '.join(known)}")
    document["kems"] = [kem for kem in document["kems"] if kem["name"] in kems]
    return [subject for subject in subjects if subject.kem in kems]


def keeper(path, document):
    """Returns what stores a run as far as it came, every few seconds: a process that the system
    kills can do nothing at its end. What cannot be written now may be written then."""
    last = time.monotonic()

    def keep():
        nonlocal last
        if time.monotonic() - last >= KEEP_SECONDS:
            with contextlib.suppress(CannotWrite):
                store.write_run(path, document, claims.write_text)
            last = time.monotonic()

    return keep


def store_somewhere(path, document):
    """Stores a run; where there is no room, in the folder for temporary files, with an error."""
    try:
        store.write_run(path, document, claims.write_text)
    except CannotWrite as error:
        aside = pathlib.Path(tempfile.gettempdir()) / path.name
        store.write_run(aside, document)
        raise EvaluationError(f"{error}; this run is in {aside}") from error


def run(mode, out, build, pairs=(), core=None, console=None, with_peers=False, only=None):
    """Measures and stores; returns the path. An interrupt keeps what is finished, and SIGKILL all
    rounds but those of the last seconds. only: a part of a run, which a report is not made of by
    itself, or a few KEMs."""
    only = only or Only()
    console = console or Console(stderr=True)
    check(out, pairs, core)
    settings = dataclasses.replace(measure.FULL if mode == "full" else measure.QUICK, core=core)
    program = sampler.Sampler(build)
    core = measure.core_of(settings)
    document = measure.new_run(settings, build, core)
    with place(out, document, "part" if only.part else "run") as path:
        keep = keeper(path, document)
        interrupted = measured(
            document, program, settings, build, pairs, console, with_peers, only, keep
        )
        store_somewhere(path, document)
    for missing in document["unavailable"]:
        console.print(
            "not measured: {what}: {reason}; {remedy}".format(**missing),
            style="yellow",
            markup=False,
            highlight=False,
        )
    console.print(
        f"Stored in {paths.short(path)}"
        + (", as far as it came: interrupted" if interrupted else ""),
        highlight=False,
        soft_wrap=True,
    )
    if interrupted:
        raise SystemExit(130)
    return path
