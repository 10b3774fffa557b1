# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A campaign: batches of decodings on many cores or machines, kept as they finish, resumable.

The result of a point is that of its first batches, up to the one with which it has enough failures
or decodings. Which batch that is does not depend on who finished first, so totals are the same on
one core, on many, and after any interruption. Batches beyond it, which other workers had begun, do
not count.
"""

import collections
import concurrent.futures
import contextlib
import datetime
import functools
import itertools
import json
import time

import jsonschema

from codekem_base import checkout, claims, files, kems
from codekem_base.errors import EvaluationError
from codekem_lab import made_by, paths, sources
from codekem_lab.dfr_worker import INNER_CODE, Point, end_running, run_batch, specification_of

SCHEMA_NAME = "codekem-dfr/1"
SCHEMA = paths.PACKAGE / "schema" / "dfr.json"
LISTED_FAILURES = 100  # numbers of failed decodings that are kept for each point
SAVE_SECONDS = 5.0
TRIES = 4  # of a batch whose worker or cluster was lost


@functools.cache
def validator():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    schema["properties"]["kem"]["enum"] = kems.current("BIKE", "HQC")
    return jsonschema.Draft202012Validator(schema)


# --- The document --------------------------------------------------------------------------------


def new_campaign(kem, program, points, settings):
    """Returns a campaign without results. settings: seed, batch, decodings, failures, backend."""
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    return {
        "schema": SCHEMA_NAME,
        "created": now.isoformat().replace("+00:00", "Z"),
        "kem": kem,
        "specification": specification_of(program, kem),
        "settings": settings,
        "source": checkout.source(),
        "made_from": sources.made_from(sources.DFR),
        "complete": False,
        "points": [
            {
                "level": point.level,
                "r": point.r,
                "t": point.t,
                "class": point.key_class,
                "parameter": point.parameter,
                "threshold": None if point.threshold is None else list(point.threshold),
                "backend": point.backend(settings["backend"]),
                "seed": point.stream(settings["seed"]),
                "batches": 0,
                "decodings": 0,
                "failures": 0,
                "failed": [],
                "seconds": 0.0,
                "finished": False,
                "waiting": {},
                **({"histogram": []} if point.key_class == INNER_CODE else {}),
            }
            for point in points
        ],
    }


def point_of(row):
    threshold = None if row["threshold"] is None else tuple(row["threshold"])
    return Point(row["level"], row["r"], row["t"], row["class"], row["parameter"], threshold)


def checked(campaign, path):
    """Returns a campaign; an error if it does not follow the schema. path: where it is from."""
    if not isinstance(campaign, dict) or campaign.get("schema") != SCHEMA_NAME:
        raise EvaluationError(
            f"{path} is not a campaign of this version (schema {SCHEMA_NAME}); "
            "name another file with --out"
        )
    problem = next(validator().iter_errors(campaign), None)
    if problem is not None:
        raise EvaluationError(
            f"{path} does not follow the schema at {problem.json_path}: {problem.message[:200]}"
        )
    refuse_slips(campaign, path)
    return campaign


def refuse_slips(campaign, path):
    """Raises an error where a point has more failures than decodings."""
    for index, row in enumerate(campaign["points"]):
        if row.get("failures", 0) > row["decodings"]:
            raise EvaluationError(
                f"{path}, point {index}: {row['failures']} failures of {row['decodings']} decodings"
            )


def read(path):
    return checked(files.read_json(path), path)


def save(path, campaign):
    problem = next(validator().iter_errors(campaign), None)
    if problem is not None:
        raise AssertionError(
            f"a campaign that breaks its schema at {problem.json_path}: {problem.message}"
        )
    claims.write_text(path, json.dumps(campaign) + "\n")


def resume(path, campaign):
    """Returns the campaign of the file if it is the same one; adds points that are new."""
    found = read(path)
    for name in ("kem", "specification"):
        if found[name] != campaign[name]:
            raise EvaluationError(
                f"{path} holds a campaign with another {name} "
                f"({found[name]}); name another file with --out"
            )
    for name in ("seed", "batch", "backend"):
        if found["settings"][name] != campaign["settings"][name]:
            raise EvaluationError(
                f"{path} holds a campaign with {name} {found['settings'][name]}, not "
                f"{campaign['settings'][name]}; give it as it was, or name another file with --out"
            )
    if found.get("made_from") != campaign["made_from"]:  # batches of both are in it from now on
        earlier = found.get("made_from") or {"hash": None}
        found["made_from"] = {
            **(campaign["made_from"] or {"hash": None}),
            "earlier": [*earlier.get("earlier", []), earlier["hash"]],
        }
    known = {point_of(row) for row in found["points"]}
    found["points"] += [row for row in campaign["points"] if point_of(row) not in known]
    found["settings"] = campaign["settings"]
    for row in found["points"]:
        row["finished"] = is_finished(row, found["settings"])
    return found


# --- Batches -------------------------------------------------------------------------------------


def is_finished(row, settings):
    return row["decodings"] >= settings["decodings"] or (
        settings["failures"] is not None and row["failures"] >= settings["failures"]
    )


def add_batch(row, number, batch, settings):
    """Adds a batch, and counts those that are next in order until the point is finished."""
    row["waiting"][str(number)] = batch
    while not is_finished(row, settings) and str(row["batches"]) in row["waiting"]:
        following = row["waiting"].pop(str(row["batches"]))
        row["batches"] += 1
        for name in ("decodings", "failures"):
            row[name] += following[name]
        row["seconds"] = round(row["seconds"] + following["seconds"], 3)
        if "histogram" in following:
            row["histogram"] = [
                a + b
                for a, b in itertools.zip_longest(
                    row["histogram"], following["histogram"], fillvalue=0
                )
            ]
        room = LISTED_FAILURES - len(row["failed"])
        row["failed"] += following["failed"][:room]
    row["finished"] = is_finished(row, settings)
    if row["finished"]:
        row["waiting"] = {}


def one_batch(program, point, seed, backend, first, count):
    """Runs a batch; returns what is kept of it. seconds: of the processor, not of the clock."""
    result = run_batch(program, point, seed, backend, first, count)
    kept = {
        name: result[name]
        for name in ("decodings", "failures", "failed", "seconds", "histogram")
        if name in result
    }
    kept["failed"] = kept["failed"][:LISTED_FAILURES]
    return made_by.signed(kept, program, "dfr")


def next_batch(campaign, given):
    """Returns (index of a point, number of its next batch), or None if no more batches can count.

    given[i]: how many batches of point i are done or running. The points take turns.
    """
    settings = campaign["settings"]
    for i, row in enumerate(campaign["points"]):
        while str(given[i]) in row["waiting"]:
            given[i] += 1
    wanting = [
        i
        for i, row in enumerate(campaign["points"])
        if not row["finished"] and given[i] * settings["batch"] < settings["decodings"]
    ]
    if not wanting:
        return None
    i = min(wanting, key=lambda i: given[i])
    given[i] += 1
    return i, given[i] - 1


# --- Workers -------------------------------------------------------------------------------------


@contextlib.contextmanager
def local_workers(jobs):
    """Yields (executor, number of workers). Threads, because each waits for a process of its
    own."""
    executor = concurrent.futures.ThreadPoolExecutor(max_workers=jobs)
    try:
        yield executor, jobs
    except KeyboardInterrupt:  # of this process alone, maybe: batches would go on for minutes
        executor.shutdown(wait=False, cancel_futures=True)
        end_running()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def dask_workers(address):
    """Yields (executor, number of workers) of a Dask cluster: tcp://HOST:PORT of its scheduler, or
    local:N for a cluster of N processes here."""
    import distributed  # late: it takes a second

    cluster = None
    if address.startswith("local:"):
        count = address.removeprefix("local:")
        if not count.isdigit() or int(count) < 1:
            raise EvaluationError(f"'{address}': local: is followed by a number of workers")
        cluster = distributed.LocalCluster(
            n_workers=int(count), threads_per_worker=1, processes=True, dashboard_address=None
        )
    try:
        try:
            client = distributed.Client(cluster or address, timeout=20)
        except (OSError, ValueError) as error:
            raise EvaluationError(
                f"there is no Dask scheduler at {address}: {error}; start one by "
                "'dask scheduler', and workers by 'dask worker'"
            ) from error
        with client:
            workers = sum(client.nthreads().values())
            if workers == 0:
                raise EvaluationError(
                    f"the Dask scheduler at {address} has no workers; start some by 'dask worker'"
                )
            yield client.get_executor(pure=False), workers
    finally:
        if cluster is not None:
            cluster.close()


def submit(executor, campaign, program, job):
    """Hands a batch to the workers; returns its future."""
    i, number = job
    settings = campaign["settings"]
    return executor.submit(
        one_batch,
        str(program),
        point_of(campaign["points"][i]),
        settings["seed"],
        settings["backend"],
        number * settings["batch"],
        settings["batch"],
    )


def collect(running, campaign, add):
    """Waits for results and passes them to add(point, number, result); gives up those that can no
    longer count. Where one failed or is not accepted, the others are added before its error.
    Returns [(job, error)] of what was lost with a worker or the cluster."""
    finished, _ = concurrent.futures.wait(
        running, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED
    )
    errors, lost = [], []
    for future in finished:
        i, number = running.pop(future)
        try:
            add(i, number, future.result())
        except EvaluationError as error:
            errors.append(error)
        except Exception as error:  # noqa: BLE001 (what Dask raises then has no common name)
            lost.append(((i, number), error))
    if errors:
        raise errors[0]
    for future in [
        future
        for future, (i, _) in running.items()
        if campaign["points"][i]["finished"] and future.cancel()
    ]:
        del running[future]
    return lost


def hand_out(workers, campaign, following, submit, add, keep):
    """Hands out jobs until following() has no more; calls keep() after each look at the workers. A
    job that is lost is handed out again, a few times."""
    running, again, tries = {}, [], collections.Counter()
    with workers as (executor, count):
        while True:
            while len(running) <= count:  # one more than workers, so that none has to wait
                job = again.pop() if again else following()
                if job is None:
                    break
                running[handed_out(submit, executor, job)] = job
            if not running:
                break
            for job, error in collect(running, campaign, add):
                tries[job] += 1
                if tries[job] == TRIES:
                    raise LostWorkers(error) from error
                again.append(job)
            keep()


def source_of(name, campaign):
    """Returns which campaign a chart shows, its day and version; counts depend on no machine."""
    commit = (campaign["source"] or {}).get("commit")
    version = f", codekem at commit {commit[:8]}" if commit else ""
    return f"campaign {name}, {campaign['created'][:10]}{version}; the same on every machine"


def keeper(save, progress):
    """Returns what shows the progress, and saves every few seconds."""
    saved = time.monotonic()

    def keep():
        nonlocal saved
        progress()
        if time.monotonic() - saved > SAVE_SECONDS:
            save()
            saved = time.monotonic()

    return keep


class LostWorkers(EvaluationError):
    """The cluster does not answer, or its workers end again and again."""

    def __init__(self, error):
        said = (str(error).strip().splitlines() or ["no more is known"])[0]
        super().__init__(
            f"the cluster was lost, or its workers end ({type(error).__name__}: {said}); what is "
            "finished is stored, and the same command goes on"
        )


def handed_out(submit, executor, job):
    try:
        return submit(executor, job)
    except Exception as error:  # a client without its scheduler
        raise LostWorkers(error) from error


def run(campaign, path, program, workers, progress=lambda campaign: None):
    """Runs what is missing; saves every few seconds and at the end, whatever ends it. A
    KeyboardInterrupt passes through."""
    given = [row["batches"] for row in campaign["points"]]
    expected = made_by.of_program(program, "dfr")
    keep = keeper(lambda: save(path, campaign), lambda: progress(campaign))

    def add(i, number, batch):
        accepted = made_by.accepted(batch, program, expected)
        add_batch(campaign["points"][i], number, accepted, campaign["settings"])

    def handed(executor, job):
        return submit(executor, campaign, program, job)

    try:
        hand_out(workers, campaign, lambda: next_batch(campaign, given), handed, add, keep)
        campaign["complete"] = all(row["finished"] for row in campaign["points"])
    finally:
        save(path, campaign)
