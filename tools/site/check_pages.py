# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the pages of a built site: links and anchors, pictures, nothing from a network."""

import html.parser
import re
import urllib.parse

# What a browser loads by itself, without a click.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
LINKS_THAT_LOAD = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload"}


class Page(html.parser.HTMLParser):
    """The names, links and loads of a page."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loads, self.unnamed = set(), [], [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        """Keeps what an element is called and where it leads."""
        values = {name: value or "" for name, value in attributes}
        self.names |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and set(values.get("rel", "").split()) & LINKS_THAT_LOAD:
            self.loads.append(values.get("href", ""))
        elif LOADED.get(tag) in values:
            self.loads.append(values[LOADED[tag]])
        if tag == "img" and len(values.get("alt", "")) == 0:
            self.unnamed.append(values.get("src", ""))


def outside(url):
    """Says whether a URL leaves the site."""
    return bool(re.match(r"[a-z][a-z0-9+.-]*:|//", url))


def place_of(path, url):
    """Returns the file that a URL on a page means, and the anchor."""
    parts = urllib.parse.urlsplit(url)
    name = urllib.parse.unquote(parts.path)
    place = (path.parent / name).resolve() if name else path
    return place / "index.html" if place.is_dir() else place, urllib.parse.unquote(parts.fragment)


def faults_of(path, page, pages, folder):
    """Yields what is wrong with a page."""
    name = path.relative_to(folder)
    for url in page.loads:
        if url.startswith("data:"):
            continue
        if outside(url):
            yield f"{name}: would load {url} from a network"
        elif not place_of(path, url)[0].is_file():
            yield f"{name}: {url} is not there"
    for url in page.links:
        if outside(url):
            continue
        place, anchor = place_of(path, url)
        if not place.is_relative_to(folder) or not place.is_file():
            yield f"{name}: the link {url} leads nowhere"
        elif anchor and place in pages and anchor not in pages[place].names:
            yield f"{name}: the link {url} leads to no heading"
    for url in page.unnamed:
        yield f"{name}: the picture {url} has no text that says what it shows"


def faults(folder):
    """Returns what is wrong with the site in a folder, a line each."""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    # The page that servers show for what is not there refers to the top of a server.
    pages.pop(folder.resolve() / "404.html", None)
    found = [
        fault
        for path, page in pages.items()
        for fault in faults_of(path, page, pages, folder.resolve())
    ]
    for style in sorted(folder.rglob("*.css")):
        for url in re.findall(r"url\(\s*['\"]?(https?:|//)", style.read_text(encoding="utf-8")):
            found.append(f"{style.relative_to(folder)}: would load {url}... from a network")
    return found
