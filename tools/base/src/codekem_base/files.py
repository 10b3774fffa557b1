# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that are kept: written as a whole or not at all; JSON with one line for each item."""

import json
import os
import pathlib
import tempfile

from codekem_base.errors import CannotWrite, EvaluationError


def write_text(path, text):
    """Writes a file as a whole or not at all; a full disk or a closed folder is a clear error."""
    write_bytes(path, text.encode())


def write_bytes(path, data):
    """Does what write_text does, with bytes."""
    path = pathlib.Path(path)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "wb", dir=path.parent, delete=False, prefix=f".{path.name}."
        ) as file:
            temporary = file.name
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            pathlib.Path(temporary).unlink(missing_ok=True)
        raise CannotWrite(
            f"cannot write {path}: {error.strerror}; choose another place or make "
            "room, and try again"
        ) from error


def check_writable(folder):
    """Finds out before a long measurement whether its result can be kept."""
    probe = pathlib.Path(folder) / ".writable"
    write_text(probe, "codekem-evaluation\n")
    probe.unlink()


def as_text(run):
    """Returns the run as JSON with one line for each item of its lists."""
    parts = []
    for key, value in run.items():
        items = (
            [json.dumps(item, allow_nan=False) for item in value]
            if isinstance(value, list)
            else None
        )
        text = (
            json.dumps(value, allow_nan=False)
            if not items
            else "[\n  " + ",\n  ".join(items) + "\n ]"
        )
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_json(path):
    """Reads JSON; says what is wrong with a file that cannot be read."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise EvaluationError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, UnicodeDecodeError) as error:
        raise EvaluationError(f"{path} is not JSON: {error}") from error
