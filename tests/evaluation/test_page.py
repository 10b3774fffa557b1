# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of a report in a real browser: light, dark, phone, paper, keyboard, sorting, traces."""

import re

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from codekem_evaluation import render_files, reporting

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
const texts = "h1, h2, p, li, a, dt, dd, td, th button, caption, figcaption, footer";
return [...document.querySelectorAll(texts)]
  .map((node) => {
    const [a, b] = [light(parse(getComputedStyle(node).color).slice(0, 3)), light(behind(node))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.tagName];
  }).sort((x, y) => x[0] - y[0])[0];
"""


@pytest.fixture
def open_page(make_run, tmp_path, need):
    """open_page(width, dark, phone) opens the page in a browser."""
    browsers = []
    path = tmp_path / "report.html"

    def start(width=1200, dark=False, phone=False):
        if not path.exists():
            path.write_text(render_files.html(reporting.make(make_run(), "run.json")))
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
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]},
        )
        browser.get(path.as_uri())
        return browser

    yield start
    for browser in browsers:
        browser.quit()


def column(browser, table, index):
    return [
        cell.text
        for cell in browser.find_elements(
            By.CSS_SELECTOR, f"#table-{table} tbody tr > *:nth-child({index})"
        )
    ]


def test_page_in_a_browser(open_page):
    browser = open_page()
    assert browser.get_log("browser") == []  # no error, no warning
    loaded = re.findall(
        r'"url":"((?!data:)[^"]+)"', str(browser.get_log("performance")).replace("\\", "")
    )
    assert {url.split(":")[0] for url in loaded} <= {"file", "about"}
    for picture in browser.find_elements(By.CSS_SELECTOR, "svg"):
        holder = picture.find_element(By.XPATH, "./ancestor::*[@role='img']")
        assert len(holder.get_attribute("aria-label")) > 40
        assert picture.size["width"] > 500
    assert len(browser.find_elements(By.CSS_SELECTOR, "figure svg")) >= 5
    for table in browser.find_elements(By.CSS_SELECTOR, "table"):
        assert table.find_elements(By.CSS_SELECTOR, "caption, thead th[scope=col]")
    check_sorting(browser)
    check_traces(browser)
    check_theme(browser)


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
    def background():
        return browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    light = background()
    assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
    browser.execute_script("scrollTo(0, 0)")
    browser.find_element(By.ID, "theme").click()
    assert background() != light
    assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
    # Plots take the colours of the page: text of a drawing is light now.
    assert (
        browser.execute_script(
            "return getComputedStyle(document.querySelector('figure svg text')).fill"
        )
        == "rgb(230, 234, 238)"
    )


def test_page_on_a_phone_in_the_dark_and_on_paper(open_page):
    browser = open_page(width=390, dark=True, phone=True)
    assert browser.execute_script(
        "return document.documentElement.scrollWidth <= window.innerWidth"
    )
    assert (
        browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        == "rgb(20, 24, 29)"
    )
    assert browser.execute_script(CONTRAST)[0] >= LEAST_CONTRAST
    assert (
        float(browser.execute_script("return parseFloat(getComputedStyle(document.body).fontSize)"))
        >= 16
    )
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert (
        browser.execute_script("return getComputedStyle(document.querySelector('nav')).display")
        == "none"
    )
    assert (
        browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert all(part.get_attribute("open") for part in browser.find_elements(By.TAG_NAME, "details"))
    pdf = browser.execute_cdp_cmd("Page.printToPDF", {})
    assert len(pdf["data"]) > 50_000
