# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of a report in a real browser: light, dark, phone, paper, keyboard, sorting, traces."""

import base64
import itertools
import pathlib
import re

import axe_core_python
import numpy
import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from codekem_evaluation import paths, render_files, reporting

PATIENCE = 60  # seconds, on a busy machine
LEAST_CONTRAST = 4.5  # WCAG 2.1, 1.4.3, for text
CONTRAST = """
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map(
  (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce(
  (sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const behind = (node) => {
  for (; node !== null; node = node.parentElement) {
    const colour = parse(getComputedStyle(node).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3);
  }
  return [255, 255, 255];
};
const texts = "h1, h2, p, li, a, dt, dd, td, th button, caption, figcaption, footer, summary";
return [...document.querySelectorAll(texts)]
  .map((node) => {
    const [a, b] = [light(parse(getComputedStyle(node).color).slice(0, 3)), light(behind(node))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.tagName];
  }).sort((x, y) => x[0] - y[0])[0];
"""


MOST_BYTES = 5_000_000
MOST_PAGES = 12
DRAWN = "return arguments[0].querySelector('.live svg .role-mark path') !== null"


@pytest.fixture(scope="module")
def page(make_run, tmp_path_factory):
    """The page of the made-up run, with the others and its summary beside it."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    report = reporting.make(make_run(), "run.json")
    for name, part in render_files.in_pages(report).items():
        path.with_name(name).write_text(render_files.html(part))
    path.write_text(render_files.html(report))
    path.with_name("summary.html").write_text(render_files.summary(report))
    return path


@pytest.fixture
def open_page(page, need):
    """open_page(width, dark, phone, name) opens the page, or its summary, in a browser."""
    browsers = []

    def start(width=1200, dark=False, phone=False, name="report.html"):
        options = webdriver.ChromeOptions()
        options.binary_location = need("chromium")
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            f"--window-size={width},1000",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if phone:
            options.add_experimental_option(
                "mobileEmulation",
                {"deviceMetrics": {"width": width, "height": 800, "pixelRatio": 2.0}},
            )
        browser = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(need("chromedriver"))
        )
        browsers.append(browser)
        # Selenium gives up after 120 seconds otherwise, whatever the script's own limit is.
        connection = browser.command_executor
        connection.client_config.timeout = 10 * PATIENCE
        connection._conn = connection._get_connection_manager()
        set_theme(browser, dark)
        browser.get(page.with_name(name).as_uri())
        draw_all(browser)
        return browser

    yield start
    for browser in browsers:
        browser.quit()


def set_theme(browser, dark):
    features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def draw_all(browser):
    """Plots are drawn when they come near: goes to each, and waits for it."""
    browser.execute_script(
        "for (const d of document.querySelectorAll('details:has(figure)')) d.open = true"
    )
    for figure in browser.find_elements(By.CSS_SELECTOR, "figure.drawn"):
        browser.execute_script("arguments[0].scrollIntoView()", figure)
        WebDriverWait(browser, PATIENCE, 0.05).until(
            lambda _, figure=figure: browser.execute_script(DRAWN, figure)
        )
    browser.execute_script("scrollTo(0, 0)")


def unfold(browser, wanted=True):
    browser.execute_script(
        "for (const d of document.querySelectorAll('details')) d.open = arguments[0]", wanted
    )


def column(browser, table, index):
    return [
        cell.text
        for cell in browser.find_elements(
            By.CSS_SELECTOR, f"#table-{table} tbody tr > *:nth-child({index})"
        )
    ]


def test_page_in_a_browser(open_page, page):
    browser = open_page()
    assert page.stat().st_size < MOST_BYTES
    assert browser.get_log("browser") == []  # no error, no warning
    loaded = re.findall(
        r'"url":"((?!data:)[^"]+)"', str(browser.get_log("performance")).replace("\\", "")
    )
    assert {url.split(":")[0] for url in loaded} <= {"file", "about"}
    for holder in browser.find_elements(By.CSS_SELECTOR, ".still [role='img']"):
        assert len(holder.get_attribute("aria-label")) > 40
        assert holder.find_elements(By.TAG_NAME, "svg")
    assert meeting(browser, ".live svg") == []
    live = browser.find_elements(By.CSS_SELECTOR, "figure.drawn .live svg")
    assert len(live) >= 8
    for picture in live:
        assert picture.size["width"] > 500
        assert len(picture.get_attribute("aria-label")) > 40
    unfold(browser)
    for table in browser.find_elements(By.CSS_SELECTOR, "table"):
        assert table.find_elements(By.CSS_SELECTOR, "caption, thead th[scope=col]")
    check_sorting(browser)
    check_traces(browser)
    check_theme(browser)


def marks(browser, figure, kind="symbol"):
    return len(
        browser.find_elements(By.CSS_SELECTOR, f"#{figure} .live .mark-{kind}.role-mark path")
    )


@pytest.mark.long
def test_reader_chooses_what_a_plot_shows(open_page):
    browser = open_page()
    unfold(browser)
    whole = marks(browser, "plot-times-bike")
    assert whole == 6  # two KEMs, three implementations
    boxes = {
        label.text: label.find_element(By.TAG_NAME, "input")
        for label in browser.find_elements(By.CSS_SELECTOR, "#plot-times-bike .choose label")
    }
    assert {"BIKE-L1", "BIKE-L3", "portable", "avx2", "liboqs", "logarithmic"} == boxes.keys()

    def press(name):
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", boxes[name])
        boxes[name].click()

    press("BIKE-L3")
    WebDriverWait(browser, PATIENCE).until(lambda _: marks(browser, "plot-times-bike") == 3)
    press("portable")
    WebDriverWait(browser, PATIENCE).until(lambda _: marks(browser, "plot-times-bike") == 2)

    def axis():
        texts = browser.find_elements(
            By.CSS_SELECTOR, "#plot-times-bike .live .role-axis-label text"
        )
        return [text.text for text in texts]

    before = axis()
    press("logarithmic")
    WebDriverWait(browser, PATIENCE).until(lambda _: axis() != before)
    assert "0" in axis()
    check_hint(browser)
    check_saving(browser)


def check_hint(browser):
    """The value and the interval of a dot appear where the pointer is."""
    dot = browser.find_element(
        By.CSS_SELECTOR, "#plot-times-bike .live .mark-symbol.role-mark path"
    )
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", dot)
    ActionChains(browser).move_to_element(dot).perform()
    hint = browser.find_element(By.ID, "vg-tooltip-element")
    WebDriverWait(browser, PATIENCE).until(lambda _: "visible" in hint.get_attribute("class"))
    assert "BIKE-L1" in hint.text and re.search(r"\d \(\d.* to .*\) microseconds", hint.text)


def check_saving(browser):
    """Both kinds of pictures are made, with marks in them."""
    browser.execute_script(
        "window.kept = [];"
        "HTMLAnchorElement.prototype.click = function() {"
        "  window.kept.push([this.download, this.href]); };"
    )
    for kind, start in (("svg", "blob:"), ("png", "data:image/png")):
        button = browser.find_element(
            By.XPATH, f"//figure[@id='plot-times-bike']//button[.='Save as {kind.upper()}']"
        )
        browser.execute_script("arguments[0].dispatchEvent(new Event('click'))", button)

        def kept(kind=kind):
            return dict(browser.execute_script("return window.kept")).get(f"plot-times-bike.{kind}")

        WebDriverWait(browser, PATIENCE).until(lambda _, kept=kept: kept())
        assert kept().startswith(start)
        read = "fetch(arguments[0]).then((r) => r.text()).then(arguments[1])"
        text = browser.execute_async_script(read, kept())
        assert len(text) > 2000
        if kind == "svg":
            assert text.startswith("<svg") and "mark-symbol" in text


def check_sorting(browser):
    header = browser.find_element(By.CSS_SELECTOR, "#table-sizes thead th:nth-child(3)")
    button = header.find_element(By.TAG_NAME, "button")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    before = column(browser, "sizes", 3)
    button.send_keys(Keys.ENTER)
    assert header.get_attribute("aria-sort") == "ascending"
    values = [int(text.replace(",", "")) for text in column(browser, "sizes", 3)]
    assert values == sorted(values)
    button.click()
    assert header.get_attribute("aria-sort") == "descending"
    assert column(browser, "sizes", 3) == [f"{value:,}" for value in reversed(values)] != before
    # Empty cells stay at the end, whichever way.
    last = browser.find_element(By.CSS_SELECTOR, "#table-times thead th:last-child button")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", last)
    for _ in range(2):
        last.click()
        ratios = [text.startswith("–") for text in column(browser, "times", 8)]
        assert any(ratios) and ratios == sorted(ratios)


def check_traces(browser):
    bar = browser.find_element(By.ID, "trace")
    cell = browser.find_element(By.CSS_SELECTOR, "#table-times td[data-trace^='times/']")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    cell.click()
    name = cell.get_attribute("data-trace")
    assert bar.text == f"codekem-evaluation trace run.json '{name}'"
    region = browser.find_element(By.XPATH, "//table[@id='table-stack']/..")
    assert region.get_attribute("tabindex") == "0"
    region.send_keys(Keys.ARROW_DOWN)
    for _ in range(2):
        region.send_keys(Keys.ARROW_RIGHT)
    assert "stack/BIKE-L1/avx2/keygen" in bar.text


def check_theme(browser):
    light = background(browser)
    assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
    browser.execute_script("scrollTo(0, 0)")
    browser.find_element(By.ID, "theme").click()
    assert background(browser) != light
    assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
    # Plots take the colours of the page: text of a drawing is light now.
    first = "getComputedStyle(document.querySelector('figure .live svg text')).fill"
    WebDriverWait(browser, PATIENCE).until(
        lambda _: browser.execute_script(f"return {first}") == "rgb(230, 234, 238)"
    )


@pytest.mark.long
def test_the_first_screen_has_the_answer(open_page):
    """Table and both charts, and nothing of it cut; a table shows the rows that are asked for."""
    browser = open_page(width=1400)
    metrics = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    draw_all(browser)
    for part in ("#table-first", "#plot-overview .live svg", "#plot-wire .live svg"):
        box = browser.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", part
        )
        assert 0 < box["top"] < box["bottom"] <= 900 and box["right"] <= 1400, (part, box)
    unfold(browser)
    assert meeting(browser, ".live svg") == []
    every = column(browser, "times", 1)
    box = browser.find_element(By.CSS_SELECTOR, "details:has(#table-times) input")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.send_keys("HQC-1 avx2")
    left = [name for name in column(browser, "times", 1) if name]
    assert 0 < len(left) < len(every) and set(left) == {"HQC-1"}


@pytest.mark.long
@pytest.mark.parametrize(
    "name, part",
    [("report.html", "#times"), ("tables.html", "#times"), ("laboratory.html", "#dfr")],
)
def test_page_at_three_widths_light_and_dark(open_page, name, part):
    """No overflow, no error, nothing that axe finds: names, roles, contrast, order."""
    browser = open_page(width=390, phone=True, name=name)
    browser.set_script_timeout(10 * PATIENCE)
    browser.execute_script(axe())
    for width, dark in itertools.product((390, 820, 1400), (False, True)):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 800}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        set_theme(browser, dark)
        draw_all(browser)
        for opened in (False, True):
            unfold(browser, opened)
            assert browser.execute_script(
                "return document.documentElement.scrollWidth <= window.innerWidth"
            ), (width, dark, opened)
        colour = "rgb(20, 24, 29)" if dark else "rgb(255, 255, 255)"
        assert background(browser) == colour
        assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
        unfold(browser, False)
        if (width, dark) in ((390, False), (1400, True)):  # takes longest
            assert problems(browser, "body") == []
    unfold(browser)
    assert meeting(browser, ".live svg") == []
    assert problems(browser, part) == []
    assert browser.get_log("browser") == []


def axe():
    """Returns the script that finds what is hard to use."""
    return (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text("utf-8")


def problems(browser, part):
    """Returns what axe finds in a part of the page, with the first place of each."""
    found = browser.execute_async_script(
        # Without the marks of plots, which are hundreds.
        "axe.run({include: [arguments[0]], exclude: ['.live svg']}).then(arguments[1])",
        part,
    )["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]


def background(browser):
    return browser.execute_script("return getComputedStyle(document.body).backgroundColor")


@pytest.mark.long
def test_numbers_are_in_sight_on_a_phone(open_page):
    """Each number of the table of times is within the screen, beside the name of its column."""
    browser = open_page(width=390, phone=True)
    assert meeting(browser, ".live svg") == []
    unfold(browser)
    cells = browser.execute_script(
        "return [...document.querySelectorAll('#table-times tbody td.n')].map((cell) => {"
        "  const box = cell.getBoundingClientRect();"
        "  return [box.left, box.right, getComputedStyle(cell, '::before').content]; });"
    )
    assert len(cells) > 20
    for left, right, name in cells:
        assert 0 <= left < right <= 390
        assert name.strip('"') in ("KeyGen", "Encaps", "Decaps", "Overall", "to our best")
    size = browser.execute_script("return parseFloat(getComputedStyle(document.body).fontSize)")
    assert size >= 16


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@pytest.mark.long
def test_page_on_paper(open_page):
    browser = open_page(dark=True)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    hidden = "return getComputedStyle(document.querySelector(arguments[0])).display"
    for part in ("nav", ".live", ".choose"):
        assert browser.execute_script(hidden, part) == "none"
    assert browser.execute_script(hidden, ".still") == "block"
    assert background(browser) == "rgb(255, 255, 255)"
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert 3 <= pages_of(pdf) <= MOST_PAGES
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    opened = browser.find_elements(By.CSS_SELECTOR, "details[open]")
    assert {part.get_attribute("class") for part in opened} == {"table printed"}
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert not browser.find_elements(By.CSS_SELECTOR, "details[open]")


@pytest.mark.long
def test_questions_lead_to_answers_in_the_first_screen_of_their_section(open_page):
    browser = open_page(width=390, phone=True)
    place = """
      const answer = document.getElementById(arguments[0].hash.slice(1));
      const [box, top] = [answer, answer.closest("section")].map((e) => e.getBoundingClientRect());
      return [box.bottom - top.top, answer.textContent];"""
    for width in (390, 1400):
        metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 800}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        links = browser.find_elements(By.CSS_SELECTOR, ".questions a")
        assert len(links) == 10
        for link in links:
            depth, words = browser.execute_script(place, link)
            assert 0 < depth <= 800 and len(words) > 40, (width, depth, words)


@pytest.mark.long
def test_summary_is_one_page_of_a4(open_page):
    browser = open_page(width=390, phone=True, name="summary.html")
    browser.set_script_timeout(PATIENCE)
    browser.execute_script(axe())
    assert browser.execute_script("return document.body.scrollWidth <= window.innerWidth")
    assert problems(browser, "body") == [] and browser.get_log("browser") == []
    words = browser.find_element(By.TAG_NAME, "main").text
    assert "BIKE-L1" in words and "ML-KEM-512" in words
    made = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
    assert pages_of(base64.b64decode(made)) == 1


def meeting(browser, pictures):
    """Returns the words in pictures that meet others, or that are cut off."""
    return browser.execute_script(
        """
      const boxes = (svg) => [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim()
          && getComputedStyle(t).opacity !== "0" && t.getAttribute("opacity") !== "0"
        ).map((t) => [t.getBoundingClientRect(), t.textContent]);
      const found = [];
      for (const svg of document.querySelectorAll(arguments[0])) {
        const all = boxes(svg), edge = svg.getBoundingClientRect();
        all.forEach(([a, words], i) => {
          if (a.left < edge.left - 1 || a.right > edge.right + 1 || a.top < edge.top - 1
              || a.bottom > edge.bottom + 1) found.push(["cut", words]);
          for (const [b, other] of all.slice(i + 1)) {
            const over = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (over > 1 && high > 4) found.push([words, other]);
          }
        });
      }
      return found;""",
        pictures,
    )


@pytest.mark.long
def test_page_without_scripts(open_page):
    """Drawings, sentences and tables are there to read."""
    browser = open_page()
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.refresh()
    stills = browser.find_elements(By.CSS_SELECTOR, ".still svg")
    assert meeting(browser, ".still svg") == []
    assert len(stills) >= 8 and all(picture.size["width"] > 500 for picture in stills)
    assert not browser.find_elements(By.CSS_SELECTOR, ".live")


def test_neighbours_differ_for_the_colour_blind():
    """Neighbouring series differ in lightness or hue as seen without red or green cones [MOF09]."""
    blind = {
        "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    }
    style = (paths.PACKAGE / "report" / "style.css").read_text()
    palettes = re.findall(r"--series-\d: (#[0-9a-f]{6})", style)
    for start in range(0, len(palettes), 8):
        colours = [
            numpy.array([(int(c[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)])
            for c in palettes[start : start + 8]
        ]
        for kind, matrix in blind.items():
            seen = [numpy.clip(matrix @ colour, 0, 1) ** (1 / 2.2) for colour in colours]
            for a, b in itertools.pairwise(seen):
                assert numpy.linalg.norm(a - b) > 0.12, (kind, palettes[start : start + 8])
