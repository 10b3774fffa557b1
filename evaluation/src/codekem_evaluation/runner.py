# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One run from start to stored file, with progress on the terminal."""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import signal

from rich.console import Console

from codekem_base import claims, files
from codekem_base.errors import EvaluationError, Unavailable
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


@contextlib.contextmanager
def interruptible():
    """Makes the end that a system asks for (a shutdown, a closed terminal) an interrupt."""

    def stop(*_):
        raise KeyboardInterrupt

    before = {
        kind: signal.signal(kind, stop)
        for kind in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(kind) != signal.SIG_IGN  # as nohup and batch systems ask for
    }
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def measured(document, program, settings, build, pairs, console, with_peers=False, only=None):
    """Fills in a run; returns whether it was interrupted. only: see run."""
    core = document["machine"]["core"]
    with interruptible():
        subjects = prepare(document, program, build, pairs, console, with_peers)
        if only is not None and only.kems:
            subjects = [subject for subject in subjects if subject.kem in only.kems]
        try:
            with live.Screen(console) as screen:
                fills = rest(document, program, subjects, build, screen.progress)
                if only is not None:
                    fills = {name: fill for name, fill in fills.items() if name == only.part}
                with sampler.pinned(core):
                    if only is None or only.part == "times":
                        measure.take_times(
                            document, subjects, settings, program, screen.progress, screen.taken
                        )
                    for name, fill in fills.items():
                        if name != "tls":
                            attempt(document, fill)
                if "tls" in fills:
                    attempt(document, fills["tls"])
            document["complete"] = True
        except KeyboardInterrupt:
            return True
    return False


@dataclasses.dataclass(frozen=True)
class Only:
    """The list of a run to fill in, without the others, and the KEMs (none: all)."""

    part: str
    kems: tuple = ()


def run(mode, out, build, pairs=(), core=None, console=None, with_peers=False, only=None):
    """Measures and stores; returns the path. An interrupt keeps what is finished. only: a part of a
    run, which a report is not made of by itself."""
    console = console or Console(stderr=True)
    check(out, pairs, core)
    settings = dataclasses.replace(measure.FULL if mode == "full" else measure.QUICK, core=core)
    program = sampler.Sampler(build)
    core = measure.core_of(settings)
    document = measure.new_run(settings, build, core)
    with place(out, document, "run" if only is None else "part") as path:
        interrupted = measured(document, program, settings, build, pairs, console, with_peers, only)
        store.write_run(path, document, claims.write_text)
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
