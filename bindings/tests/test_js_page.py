# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page to try codekem (bindings/js/page) in a browser: exchanges, measurement, phone, keys."""

import re
import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.ui import WebDriverWait

from bindings import pack_js, pack_page
from bindings.tests import made_packages

PATIENCE = 120  # seconds; a measurement takes ten on an idle machine
STEPS = ["keygen", "encapsulate", "decapsulate"]
KEMS = [
    *["HQC-1", "HQC-3", "HQC-5", "BIKE-L1", "BIKE-L3", "BIKE-L5"],
    *["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"],
]
LEAST_CONTRAST = 4.5  # WCAG 2.1, 1.4.3, for text
CONTRAST = """
const light = (colour) => colour.map((v) => v / 255).map(
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
const texts = "h1, h2, h3, p, label, select, button:enabled, code, th, td, caption, summary, span";
return Math.min(...[...document.querySelectorAll(texts)]
  .filter((node) => node.textContent.trim() !== "")
  .map((node) => {
    const a = light(parse(getComputedStyle(node).color).slice(0, 3)), b = light(behind(node));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
"""
# Counts pictures of the page while the worker is at work.
FRAMES = """
window.frames = 0;
const next = () => { window.frames++; requestAnimationFrame(next); };
requestAnimationFrame(next);
"""


@pytest.fixture(scope="session")
def page():
    for tool in ["node", "npm", "chromium", "chromedriver"]:
        if shutil.which(tool) is None:
            pytest.skip(f"the page to try codekem not tested: install {tool}")
    folder = made_packages.found("js")
    if (folder / "no-page").exists():
        pytest.skip(f"the page to try codekem not tested: {(folder / 'no-page').read_text()}")
    (made,) = folder.glob("codekem-try-*.html")
    return made


@pytest.fixture
def open_page(page):
    """open_page(width, dark) opens the page in a browser."""
    browsers = []

    def start(width=1200, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        browser = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver"))
        )
        browsers.append(browser)
        look(browser, width, dark)
        browser.get(page.as_uri())
        wait(browser, lambda: browser.find_element(By.ID, "keygen").is_enabled())
        return browser

    yield start
    for browser in browsers:
        browser.quit()


def wait(browser, condition):
    WebDriverWait(browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition())


def look(browser, width, dark):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def text(browser, name):
    return browser.find_element(By.ID, name).text


def exchange(browser, press=lambda button: button.click()):
    """Takes the three steps; returns the two secrets, or their first bytes, and the verdict."""
    for step in STEPS:
        button = browser.find_element(By.ID, step)
        wait(browser, button.is_enabled)
        press(button)
        wait(browser, lambda step=step: text(browser, f"shown-{step}") != "")
    codes = browser.find_elements(By.CSS_SELECTOR, ".shown code")
    return codes[2].text, codes[3].text, text(browser, "verdict")


@pytest.mark.parametrize(
    "kems", [("BIKE-L1", "HQC-1"), pytest.param(KEMS, marks=pytest.mark.long)], ids=["two", "all"]
)
def test_kems_exchange_a_secret_without_network(kems, open_page):
    browser = open_page()
    select = Select(browser.find_element(By.ID, "kem"))
    assert [option.get_attribute("value") for option in select.options] == KEMS
    alter = browser.find_element(By.ID, "alter")
    for name in kems:
        select.select_by_value(name)
        assert text(browser, "shown-keygen") == text(browser, "verdict") == ""
        assert not browser.find_element(By.ID, "encapsulate").is_enabled()
        bob, alice, verdict = exchange(browser)
        assert bob == alice
        assert len(bob) > 40
        assert "same secret" in verdict
        alter.click()
        browser.find_element(By.ID, "decapsulate").click()
        wait(browser, lambda: "differ" in text(browser, "verdict"))
        changed = browser.find_elements(By.CSS_SELECTOR, ".shown code")[3].text
        assert changed != bob
        alter.click()
    assert browser.get_log("browser") == []  # no error, nothing that the policy forbids
    events = str(browser.get_log("performance")).replace("\\", "")
    urls = set(re.findall(r'"url":"([^"]+)"', events))
    assert {url.split(":")[0] for url in urls} <= {"file", "about", "data", "blob"}


@pytest.mark.long
def test_measurement_leaves_the_page_alive(open_page):
    browser = open_page()
    browser.execute_script(FRAMES)
    measure = browser.find_element(By.ID, "measure")
    measure.click()
    assert measure.text == "Stop"
    assert browser.find_element(By.ID, "progress").is_displayed()
    wait(browser, lambda: browser.find_element(By.ID, "progress").get_property("value") > 0.1)
    assert browser.execute_script("return window.frames") > 5
    measure.click()
    assert measure.text == "Measure all"
    assert text(browser, "measured") == "Stopped."
    measure.click()
    wait(browser, lambda: text(browser, "measured").startswith("Measured"))
    # Like with like: each beside ML-KEM of its own category.
    said = re.findall(
        r"(\S+) takes \d+\.\d\d times as long as ([^\s,]+)", text(browser, "measured")
    )
    assert said == [("HQC-1", "ML-KEM-512"), ("HQC-3", "ML-KEM-768"), ("HQC-5", "ML-KEM-1024")]
    rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr:not(.bars)")
    found = {row.find_element(By.TAG_NAME, "th").text: row for row in rows}
    assert sorted(found) == sorted(KEMS)
    for row in rows:
        *times, total, _ = [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]
        assert sum(map(float, times)) == pytest.approx(float(total), rel=0.02)
    bars = browser.find_elements(By.CSS_SELECTOR, ".bar")
    widths = browser.execute_script(
        "return arguments[0].map((bar) => [...bar.children].reduce("
        "(sum, part) => sum + parseFloat(part.style.width), 0))",
        bars,
    )
    assert [max(widths[i : i + 3]) for i in (0, 3, 6)] == [pytest.approx(100)] * 3
    assert min(widths) > 0
    bob, alice, _ = exchange(browser)  # the worker is free again
    assert bob == alice


@pytest.mark.parametrize("dark", [False, True])
def test_page_fits_every_width_and_can_be_read(open_page, dark):
    browser = open_page(390, dark)
    exchange(browser)
    for width in [320, 390, 768, 1280]:
        look(browser, width, dark)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
        assert browser.execute_script(CONTRAST) >= LEAST_CONTRAST
    look(browser, 390, dark)
    for button in browser.find_elements(By.CSS_SELECTOR, "button, select"):
        assert button.size["height"] >= 44  # of a finger
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, re.findall(r"\d+", background)[:3])) < 64) == dark


def test_keyboard_and_screen_reader(open_page):
    browser = open_page()
    bob, alice, _ = exchange(browser, lambda button: button.send_keys(Keys.ENTER))
    assert bob == alice
    browser.execute_script("const h = document.querySelector('h1'); h.tabIndex = -1; h.focus()")
    order = []
    for _ in range(7):
        webdriver.ActionChains(browser).send_keys(Keys.TAB).perform()
        order.append(browser.execute_script("return document.activeElement.id"))
        ring = browser.execute_script(
            "return getComputedStyle(document.activeElement).outlineStyle"
        )
        assert ring != "none"
    assert order[:6] == ["kem", "keygen", "encapsulate", "alter", "decapsulate", "measure"]
    names = {
        element.accessible_name
        for element in browser.find_elements(By.CSS_SELECTOR, "button, select, input, progress")
        if element.is_displayed()
    }
    assert names == {
        *["Key encapsulation mechanism", "Make keys", "Encapsulate", "Decapsulate"],
        *["Change one bit on the way", "Measure all"],
    }
    assert browser.find_element(By.ID, "verdict").aria_role == "status"
    assert browser.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    for table in browser.find_elements(By.TAG_NAME, "table"):
        assert table.find_elements(By.CSS_SELECTOR, "caption, thead th[scope=col]")
        assert len(table.find_elements(By.CSS_SELECTOR, "tbody th[scope=row]")) == 3


def test_page_names_the_licences_of_what_it_has(page):
    html = page.read_text()
    held = re.findall(r"(?:^|`|\n)(@noble/[a-z-]+) ([0-9.]+) \(([A-Z]+)\)", html)
    found = {
        (f"pkg:npm/{name.replace('@', '%40')}@{version}", kind) for name, version, kind in held
    }
    assert found == set(pack_page.CONTAINS)
    assert "Paul Miller" in html
    assert "THE SOFTWARE IS PROVIDED" in html
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=(?!\"data:)", html)


@pytest.mark.long
def test_page_is_the_same_when_made_twice(page, tmp_path):
    again = pack_page.build_page(pack_js.stage(tmp_path / "stage"), tmp_path)
    assert again.read_bytes() == page.read_bytes()
