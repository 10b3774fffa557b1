# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site in a real browser, from a disk: phone and desk, light and dark, search, access."""

import functools
import http.server
import os
import pathlib
import re
import shutil
import threading

import axe_core_python
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 60  # seconds, on a busy machine
MADE = {"404.html", "report-of-the-evaluation.html", "try-codekem.html"}
GROUNDS = {False: "rgb(255, 255, 255)", True: "rgb(30, 35, 41)"}
LOADED = """
return document.readyState === "complete" &&
  [...document.images].every((picture) => picture.complete && picture.naturalWidth > 0) &&
  document.querySelector(".md-search").hasAttribute("aria-label");
"""
# Colours are looked at when they no longer move.
STILL = """
const style = document.createElement("style");
style.textContent = "* { transition: none !important; animation: none !important }";
document.head.append(style);
"""


@pytest.fixture(scope="module")
def browser(need):
    options = webdriver.ChromeOptions()
    options.binary_location = need("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(need("chromedriver"))
    with webdriver.Chrome(options=options, service=service) as started:
        started.set_script_timeout(10 * PATIENCE)
        yield started


def wait(browser, condition):
    return WebDriverWait(browser, PATIENCE, 0.05).until(lambda _: condition())


def look(browser, width, dark):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def show(browser, address):
    """Opens a page, and waits until all of it is there."""
    browser.get(address)
    wait(browser, lambda: browser.execute_script(LOADED))
    browser.execute_script(STILL)


def ground(browser):
    return browser.execute_script("return getComputedStyle(document.body).backgroundColor")


def nothing_from_a_network(browser, server=None):
    assert browser.get_log("browser") == []
    events = str(browser.get_log("performance")).replace("\\", "")
    urls = set(re.findall(r'"url":"([^"]+)"', events))
    urls = {url for url in urls if server is None or not url.startswith(server)}
    assert {url.split(":")[0] for url in urls} <= {"file", "about", "data", "blob"}


def problems(browser):
    """Returns what axe finds on the page, with the first place of each."""
    axe = pathlib.Path(axe_core_python.__file__).parent / "axe.min.js"
    browser.execute_script(axe.read_text("utf-8"))
    found = browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


def check(browser, page, looks):
    """Looks at a page in each of [(width, dark), ...]."""
    look(browser, *looks[0])
    show(browser, page.as_uri())
    for width, dark in looks:
        look(browser, width, dark)
        wait(browser, lambda dark=dark: ground(browser) == GROUNDS[dark])
        sizes = "return [document.documentElement.scrollWidth, window.innerWidth]"
        whole, seen = browser.execute_script(sizes)
        assert whole <= seen == width, (page.name, width, dark)
        assert problems(browser) == [], (page.name, width, dark)
    nothing_from_a_network(browser)


EVERY_LOOK = [(390, False), (390, True), (1400, False), (1400, True)]


@pytest.mark.parametrize(
    "name, looks",
    [("index.html", EVERY_LOOK), ("docs/start/tls.html", [(390, True), (1400, False)])],
)
def test_page_on_phone_and_desk_light_and_dark(name, looks, browser, site):
    check(browser, site / name, looks)


@pytest.mark.parametrize(
    "planted",
    [
        '<div style="width: 2000px">too wide</div>',
        "<button></button>",
        "<script>throw new Error('planted')</script>",
        "<script>fetch('https://planted.invalid/')</script>",
    ],
)
def test_mistakes_are_seen(planted, browser, site, tmp_path):
    copy = tmp_path / "site"
    shutil.copytree(site, copy, copy_function=os.link)
    page = copy / "docs" / "liboqs.html"
    text = page.read_text(encoding="utf-8")
    page.unlink()  # it is the same file as the one of the site
    page.write_text(text.replace("</article>", f"{planted}</article>"), encoding="utf-8")
    with pytest.raises(AssertionError):
        check(browser, page, [(390, False)])
    browser.get("about:blank")
    for log in ("browser", "performance"):
        browser.get_log(log)


def test_reader_changes_the_colours(browser, site):
    look(browser, 1400, False)
    show(browser, (site / "index.html").as_uri())
    seen = []
    for _ in range(3):
        buttons = browser.find_elements(By.CSS_SELECTOR, "form[data-md-component=palette] label")
        next(button for button in buttons if button.is_displayed()).click()
        wait(browser, lambda: ground(browser) in GROUNDS.values())
        seen.append(ground(browser))
    assert seen == [GROUNDS[False], GROUNDS[True], GROUNDS[False]]  # light, dark, the system's


@pytest.fixture(scope="module")
def server(site):
    """The address of a server that has the site."""
    handler = functools.partial(QuietHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as one:
        threading.Thread(target=one.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{one.server_port}"
        one.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and writes nothing about it."""

    def log_message(self, *_):
        """Says nothing."""


@pytest.mark.parametrize("place", ["disk", "server"])
def test_search(place, browser, site, server):
    start = site.as_uri() if place == "disk" else server
    look(browser, 1400, False)
    show(browser, f"{start}/docs/start/review.html")
    field = browser.find_element(By.CSS_SELECTOR, "input.md-search__input")
    field.click()
    field.send_keys("syndrome")
    results = "a.md-search-result__link"
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, results))
    links = [link.get_attribute("href") for link in browser.find_elements(By.CSS_SELECTOR, results)]
    assert any("docs/dfr.html" in link for link in links)
    for link in links:
        name = link.removeprefix(start + "/").partition("?")[0].partition("#")[0]
        assert (site / name).is_file(), link
    nothing_from_a_network(browser, server)


@pytest.mark.long
def test_every_page(browser, site):
    for page in sorted(site.rglob("*.html")):
        if page.name not in MADE:
            check(browser, page, [(390, True), (1400, False)])
