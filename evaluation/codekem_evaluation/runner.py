# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One run from start to stored file, with progress on the terminal."""

import dataclasses
import pathlib

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from codekem_evaluation import kems as kem_list
from codekem_evaluation import measure, paths, sampler, store


def default_path(run):
    stamp = run["created"].replace("-", "").replace(":", "")
    return paths.RUNS / f"run-{stamp}-{run['mode']}.json"


def run(mode, out, build, core=None, console=None):
    """Measures and stores; returns the path. An interrupt keeps what is finished."""
    console = console or Console(stderr=True)
    settings = dataclasses.replace(measure.FULL if mode == "full" else measure.QUICK, core=core)
    program = sampler.Sampler(build)
    core = measure.core_of(settings)
    document = measure.new_run(settings, build, core)
    path = pathlib.Path(out) if out else default_path(document)
    store.check_writable(path.parent)

    kems, backends, best = kem_list.listed(build)
    document["kems"] = kems
    document["implementations"] = [
        {"name": name, "kind": "codekem", "version": document["build"]["codekem"]}
        for name in backends]
    subjects = measure.subjects_of(program, kems, backends, best)
    interrupted = False
    try:
        with sampler.pinned(core), Progress(
                TextColumn("[progress.description]{task.description:<48}"), BarColumn(),
                MofNCompleteColumn(), TimeElapsedColumn(), console=console) as bar:
            task = bar.add_task("starting", total=None)
            measure.take_times(
                document, subjects, settings, program,
                lambda done, total, text: bar.update(task, completed=done, total=total,
                                                     description=text))
        document["complete"] = True
    except KeyboardInterrupt:
        interrupted = True
    store.write_run(path, document)
    console.print(f"Stored in {path}" + (", as far as it came: interrupted" if interrupted else ""))
    if interrupted:
        raise SystemExit(130)
    return path
