# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The campaigns that the project keeps: whole in campaigns.tar.xz, with every run and seed, and a
line for each of their points in estimates.csv. `codekem-lab keep` adds campaigns to both."""

import csv
import functools
import io
import json
import lzma
import math
import pathlib
import tarfile

from codekem_base import files
from codekem_base.errors import EvaluationError
from codekem_lab import dfr_campaign, dfr_report, lab_campaign, lab_estimates, paths
from codekem_lab.lab_points import point_of

COLUMNS = (
    *("campaign", "method", "decoder", "keys", "parameter", "r", "d", "t", "decodings"),
    *("failures", "log2_rate", "log2_low", "log2_high"),
)


@functools.cache
def texts_of(path, _changed):
    """Returns {name: text} of an archive, read once for each state of it."""
    found = {}
    with tarfile.open(path) as archive:
        for member in archive:
            raw = archive.extractfile(member)
            if raw is not None:
                found[pathlib.PurePath(member.name).stem] = raw.read().decode()
    return found


def texts():
    """Returns {name: text} of the campaigns that are kept; none beside an installed package."""
    path = paths.KEPT
    return dict(texts_of(path, path.stat().st_mtime_ns)) if path.exists() else {}


@functools.cache
def is_lab(text):
    """Says whether a text is a campaign of the laboratory; all of them take a while to read."""
    return lab_campaign.is_lab(json.loads(text))


def texts_for(module):
    """Returns {name: text} of those of a module, dfr_campaign or lab_campaign."""
    wanted = module is lab_campaign
    return {name: text for name, text in texts().items() if is_lab(text) == wanted}


def kept(module):
    """Returns {name: campaign} of those of a module, dfr_campaign or lab_campaign."""
    return {name: json.loads(text) for name, text in texts_for(module).items()}


def stored(module, runs, pattern):
    """Yields (name, where, function that reads it) of the campaigns of this machine, whose files
    fit a pattern, and of those that are kept."""
    for path in sorted(runs.glob(pattern)):
        yield path.stem, paths.short(path), functools.partial(module.read, path)
    for name, text in sorted(texts_for(module).items()):
        where = f"{paths.short(paths.KEPT)}, {name}.json"
        yield name, where, functools.partial(read_kept, module, text, where)


def read_kept(module, text, where):
    return module.checked(json.loads(text), where)


def named(found, name):
    """Returns (where, campaign) of what stored() has by that name."""
    known = {known: (where, read) for known, where, read in found}
    if name not in known:
        raise EvaluationError(f"there is no campaign {name}; there are {', '.join(known)}")
    where, read = known[name]
    return where, read()


# --- Adding and unpacking -------------------------------------------------------------------------


def packed(members):
    """Returns the archive of {name: text}: the same bytes for the same campaigns."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(members.items()):
            member = tarfile.TarInfo(f"{name}.json")
            member.size, member.mode = len(text.encode()), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return lzma.compress(raw.getvalue())


def keep(added):
    """Adds files to the archive, in the place of those of the same name, and renews the table."""
    members = texts()
    for path in map(pathlib.Path, added):
        module = lab_campaign if lab_campaign.is_lab(files.read_json(path)) else dfr_campaign
        module.read(path)
        members[path.stem] = path.read_text(encoding="utf-8")
    files.write_bytes(paths.KEPT, packed(members))
    files.write_text(paths.ESTIMATES, estimates())


def unpack(folder):
    """Writes all campaigns that are kept into a folder; an error where another file is."""
    places = {folder / f"{name}.json": text for name, text in texts().items()}
    for path, text in places.items():
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise EvaluationError(f"{path} is another campaign; name another folder")
    for path, text in places.items():
        files.write_text(path, text)


# --- The table ------------------------------------------------------------------------------------


def estimates():
    """Returns the table of what is kept, as CSV: an empty field where there is no such value."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    for name, campaign in sorted(kept(dfr_campaign).items()):
        table.writerows({"campaign": name, **line} for line in counted(campaign))
    for name, campaign in sorted(kept(lab_campaign).items()):
        table.writerows({"campaign": name, **line} for line in estimated(campaign))
    return text.getvalue()


def logarithm(value):
    return "" if value is None or not math.isfinite(value) else f"{value:.3f}"


def counted(campaign):
    """Yields the lines of a count of the library's own decoder."""
    for row in dfr_report.rows(campaign):
        rates = {
            f"log2_{end}": logarithm(dfr_report.log2(row[end])) for end in ("rate", "low", "high")
        }
        yield {
            "method": "count",
            "decoder": campaign["kem"],
            "keys": row["class"],
            "d": campaign["specification"]["d"],
            **{name: row[name] for name in ("parameter", "r", "t", "decodings", "failures")},
            **rates,
        }


def estimated(campaign):
    """Yields the lines of a campaign of the decoders of the laboratory; the low end of splitting is
    its lower bound."""
    for row in filter(lab_estimates.has_results, campaign["points"]):
        point, found = point_of(row), lab_estimates.estimate(row)
        yield {
            "method": campaign["method"],
            "decoder": point.label,
            "keys": point.key_class,
            **{name: getattr(point, name) for name in ("parameter", "r", "d", "t")},
            "decodings": row["decodings"],
            "failures": found.failures,
            "log2_rate": logarithm(found.log2_rate),
            "log2_low": logarithm(found.least if found.low is None else found.low),
            "log2_high": logarithm(found.high),
        }
