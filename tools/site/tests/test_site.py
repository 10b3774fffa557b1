# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site of the documents: all are in it, as they stand, and every link leads somewhere."""

import html.parser
import os
import re
import shutil
import subprocess
import sys

import markdown_it
import pytest

from tools.site import build_site, check_pages

STARTS = ["application", "tls", "device", "hardware", "research", "review"]
MOST_WORDS = 420  # of a start page: about what a screen holds
MOST_LINES = 60  # of README.md: a screen


@pytest.fixture(scope="session")
def documents(root):
    """The documents that belong into the site."""
    return [
        *(path for path in root.glob("*.md")),
        *(root / "docs").rglob("*.md"),
        *(path for path in root.glob("[a-z]*/README.md") if path.parent.name != "docs"),
        *root.glob("bindings/*/README.md"),
        *root.glob("bindings/rust/*/README.md"),
    ]


def page_of(site, name):
    """Returns the page that a document becomes."""
    name = re.sub(r"README\.md$", "index.md", str(name))
    return site / re.sub(r"\.md$", ".html", name)


def test_every_document_has_its_page(site, root, documents):
    missing = [
        path.relative_to(root).as_posix()
        for path in documents
        if not page_of(site, path.relative_to(root)).is_file()
    ]
    assert missing == []
    assert len(list(site.rglob("*.html"))) >= len(documents) + 5


def test_pages_have_no_faults(site):
    assert check_pages.faults(site) == []


COUNTED = ("h1", "h2", "h3", "h4", "li", "tr", "pre", "img", "blockquote")


class Parts(html.parser.HTMLParser):
    """Counts what a page is made of: headings, items, rows, code, pictures."""

    def __init__(self, text):
        super().__init__()
        self.counts = dict.fromkeys(COUNTED, 0)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Counts an element."""
        if tag in COUNTED:
            self.counts[tag] += 1


def test_pages_read_as_they_do_on_github(site, root, documents):
    """CommonMark with tables, which GitHub shows, finds the same parts as the site's Markdown."""
    reader = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table")
    different = {}
    for path in documents:
        page = page_of(site, path.relative_to(root)).read_text(encoding="utf-8")
        article = re.search(r"<article.*?</article>", page, re.DOTALL).group()
        # A table without rows gets an empty one here.
        article = re.sub(r"<tr>(\s*<td[^>]*></td>)+\s*</tr>", "", article)
        here = Parts(article).counts
        there = Parts(reader.render(path.read_text(encoding="utf-8"))).counts
        if here != there:
            different[path.relative_to(root).as_posix()] = {
                part: (here[part], there[part]) for part in here if here[part] != there[part]
            }
    assert different == {}


@pytest.mark.parametrize("name", STARTS)
def test_start_page_fits_a_screen_and_leads_on(name, root, site):
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert f"](docs/start/{name}.md)" in readme
    text = (root / "docs" / "start" / f"{name}.md").read_text(encoding="utf-8")
    words = re.sub(r"!?\[|\]\([^)]*\)|```.*?```|[|#*`-]", " ", text, flags=re.DOTALL).split()
    assert len(words) <= MOST_WORDS
    assert text.startswith("# Start: ") and "\nYou " in text
    assert re.search(r"^( {4}\w|```|1\. )", text, re.MULTILINE)  # something to do
    assert len(re.findall(r"\]\(\.\./[^)]+\)", text)) >= 5
    assert page_of(site, f"docs/start/{name}.md").is_file()


def test_readme_is_short(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    code = re.search(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1)
    assert len(code.splitlines()) <= 5
    commands = re.findall(r"^ {4}make (\w+)", text, re.MULTILINE)
    assert commands == ["install", "evaluate", "vendor"]
    assert text.count("![") == 1


def test_made_pages_are_in_the_site(site, stand_in):
    for page, made, source in (
        ("report.html", "report-of-the-evaluation.html", "report"),
        ("try.html", "try-codekem.html", "try-page"),
    ):
        text = (site / page).read_text(encoding="utf-8")
        assert re.search(rf'<a class="md-button[^>]* href="{made}">Open', text)
        assert (site / made).read_bytes() == stand_in(source).read_bytes()


def test_every_page_is_in_the_navigation(site):
    """A reader reaches each page from any other one."""
    text = (site / "docs" / "security.html").read_text(encoding="utf-8")
    (navigation,) = re.findall(r'<nav class="md-nav md-nav--primary.*?</nav>\s*</div>', text, re.S)
    found = {
        (site / "docs" / link).resolve() for link in re.findall(r'href="([^"#]+)"', navigation)
    }
    made = {"404.html", "report-of-the-evaluation.html", "try-codekem.html"}
    pages = {page.resolve() for page in site.rglob("*.html") if page.name not in made}
    assert pages - found <= {(site / "docs" / "security.html").resolve()}


def test_search_knows_the_pages(site):
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    for word in ("x25519_bikel1", "codekem_kem_find", "docs/start/review.html"):
        assert word in index


def test_terminal_is_what_was_recorded(root):
    subprocess.run(
        [sys.executable, root / "tools" / "draw_terminal.py", "--check"], check=True, timeout=60
    )


@pytest.mark.parametrize(
    "planted, said",
    [
        ("[x](docs/none.md)", "docs/none.md"),
        ("[x](docs/tls.md#none)", "#none"),
        ("![](docs/speed/speed.svg)", "has no text"),
    ],
)
def test_a_mistake_in_a_document_ends_the_build(
    planted, said, site, root, tmp_path, stand_in, caplog
):
    copy = tmp_path / "copy"
    for page in (site.parent / "pages").rglob("*"):
        name = page.relative_to(site.parent / "pages").as_posix()
        source = root / (name if (root / name).is_file() else name.removesuffix(".md"))
        if source.is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy / source.relative_to(root))
    with (copy / "README.md").open("a", encoding="utf-8") as readme:
        readme.write(f"\n{planted}\n")
    with pytest.raises(build_site.Wrong) as caught:
        build_site.build(tmp_path / "out", stand_in("report"), stand_in("try-page"), root=copy)
    assert said in f"{caught.value} {caplog.text}"


FAULTS = {
    '<a href="none.html">x</a>': "none.html leads nowhere",
    '<a href="docs/tls.html#none">x</a>': "docs/tls.html#none leads to no heading",
    '<a href="../../etc">x</a>': "../../etc leads nowhere",
    '<script src="https://example.org/x.js"></script>': "load https://example.org/x.js from a net",
    '<link rel="stylesheet" href="//example.org/x.css">': "load //example.org/x.css from a network",
    '<img src="none.png" alt="x">': "none.png is not there",
    '<img src="assets/favicon.svg">': "favicon.svg has no text",
}


def test_faults_of_a_page_are_found(site, tmp_path):
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    page = copy / "index.html"
    text = page.read_text(encoding="utf-8")
    page.unlink()  # it is the same file as the one of the site
    page.write_text(text + "".join(FAULTS), encoding="utf-8")
    (copy / "more.css").write_text('@import url("https://example.org/font.css");')
    found = check_pages.faults(copy)
    for said in FAULTS.values():
        assert len([fault for fault in found if said in fault]) == 1, said
    assert found[-1].startswith("more.css: would load https:")
    assert len(found) == len(FAULTS) + 1


@pytest.mark.parametrize("option", ["--report", "--try"])
def test_a_page_that_is_not_there_is_an_error(option, root, tmp_path):
    done = subprocess.run(
        [sys.executable, root / "tools/site/build_site.py", option, tmp_path / "none.html"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "none.html: no such" in done.stderr and "make" in done.stderr
