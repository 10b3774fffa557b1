# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plants the mistakes of hardware/mistakes.toml in modules, to show that the benches find
them.

A model is built once, with all mistakes that its bench must find, and each run of it chooses one by
the argument +mistake=NUMBER; 0, or none, is the module as it is. What they change are expressions,
or whole statements, which end with a semicolon.
"""

import pathlib

from hardware.tests import simulated
from tools import mistakes

GROUPS = ("hardware/benches", "hardware/board", "hardware/open_values")
PACKAGE = """// Which mistake is planted.
package planted;
  function automatic int chosen();
    if ($value$plusargs("mistake=%d", chosen) == 0) chosen = 0;
  endfunction
  int mistake = chosen();
endpackage
"""


def mistakes_of(top):
    """Returns the mistakes that the bench of a module must find; their numbers begin with 1."""
    return [one for group in GROUPS for one in mistakes.of(group).values() if one.by == top]


def number_of(mistake):
    """Returns the number by which a model chooses a mistake."""
    return mistakes_of(mistake.by).index(mistake) + 1


def switched(number, mistake):
    """Returns the code that is the text, or the mistaken one if that mistake is chosen."""
    chosen = f"planted::mistake == {number}"
    if mistake.before.endswith(";"):  # a statement
        return f"if ({chosen}) begin {mistake.after} end else begin {mistake.before} end"
    return f"(({chosen}) ? ({mistake.after}) : ({mistake.before}))"


def sources_with_mistakes(folder, top, files):
    """Returns the files, with the mistakes of a module in copies in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    package = folder / "planted.sv"
    package.write_text(PACKAGE, encoding="utf-8")
    copies = {path.name: path for path in files}
    for number, mistake in enumerate(mistakes_of(top), 1):
        name = pathlib.Path(mistake.file).name
        code = copies[name].read_text(encoding="utf-8")
        copies[name] = folder / name
        copies[name].write_text(mistake.changed(code, switched(number, mistake)), encoding="utf-8")
    return [package, *copies.values()]


def with_mistake(folder, files, mistake):
    """Returns the files, one of them with a mistake, always there, in a copy in the folder."""
    planted = mistake.apply(folder, within=pathlib.Path(mistake.file).parent)
    assert any(path.name == planted.name for path in files)
    return [planted if path.name == planted.name else path for path in files]


def planted_core(folder, mistake, scheme="bike"):
    """Returns the sources of a core with a mistake."""
    build = simulated.build
    files = build.files_for("masked_hqc") if scheme == "masked" else build.rtl_files(scheme)
    return with_mistake(folder, files, mistake)
