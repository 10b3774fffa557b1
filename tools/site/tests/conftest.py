# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of the site share: the site, built once, with small stand-ins for made pages."""

import pytest

from tools.site import build_site

# In place of the report and the page to try codekem, which have tests of their own.
STAND_IN = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{0}</title>
<link rel="icon" href="data:,"></head><body><main><h1>{0}</h1></main></body></html>"""


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory):
    """stand_in("report") returns the path of a page of that name."""
    folder = tmp_path_factory.mktemp("made")

    def make(name):
        path = folder / f"{name}.html"
        path.write_text(STAND_IN.format(name), encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def site(tmp_path_factory, stand_in):
    """The folder with the pages of the site."""
    return build_site.build(
        tmp_path_factory.mktemp("site"), stand_in("report"), stand_in("try-page")
    )
