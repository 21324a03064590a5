"""Opens a report in headless Chromium and uses it: no script error, tables sorted and filtered, figures there.

browser.py REPORT.html [SCREENSHOT.png]    exit 0: all well; 1: something is wrong; 77: chromium is not installed

Speaks the WebDriver protocol to Debian's chromium-driver with nothing but the standard library.
"""

import base64
import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request


class Browser:
    def __init__(self, chromium, driver):
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.base = "http://127.0.0.1:" + line.rstrip(".\n").split()[-1]
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        self.base += "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": chromium, "args": arguments}}}})["sessionId"]

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()


COLUMN = """return [...document.querySelectorAll('#kernels tbody tr')].filter((row) => !row.hidden)
    .map((row) => row.cells[arguments[0]].textContent)"""
CLICK = "document.querySelectorAll('#kernels thead button')[arguments[0]].click()"
TYPE = """const box = document.querySelector(arguments[0]); box.value = arguments[1];
    box.dispatchEvent(new Event('input', {bubbles: true}))"""
SHOWN = "return [...document.querySelectorAll(arguments[0])].filter((row) => !row.hidden).length"
CHECK = "document.querySelector(\"[data-table='properties'] input[type=checkbox]\").click()"
ROWS = "#properties tbody tr"


def problems(browser):
    """Yields a sentence for whatever is not as it should be."""
    names = browser.run(COLUMN, 0)
    browser.run(CLICK, 0)
    ascending = browser.run(COLUMN, 0)
    browser.run(CLICK, 0)
    descending = browser.run(COLUMN, 0)
    if ascending != sorted(names, key=str.lower) or descending != ascending[::-1]:
        yield f"kernels are not sorted: {ascending}, then {descending}"
    if browser.run("return document.querySelector('#kernels thead th').ariaSort") != "descending":
        yield "the sorted column does not say so"

    every = browser.run(SHOWN, ROWS)
    browser.run(TYPE, "[data-table='properties'] input[type=search]", "accuracy")
    some = browser.run(SHOWN, ROWS)
    if not 0 < some < every:
        yield f"the filter shows {some} of {every} properties"
    browser.run(TYPE, "[data-table='properties'] input[type=search]", "")
    browser.run(CHECK)
    failing = browser.run(SHOWN, ROWS)
    marked = browser.run("return document.querySelectorAll('#properties tbody tr[data-fails]').length")
    if failing != marked or not 0 < failing < every:
        yield f"'only what fails' shows {failing} of {every}, {marked} fail"
    browser.run(CHECK)

    figures = browser.run("return [...document.querySelectorAll('figure svg[role=img]')].map((svg) => "
                          "svg.getBoundingClientRect().height > 80 && svg.querySelector('title').textContent !== '')")
    if len(figures) < 3 * len(names) or not all(figures):
        yield f"{len(figures)} figures for {len(names)} kernels, all drawn and titled: {all(figures)}"
    broken = browser.run("return [...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.hash.slice(1))"
                         ".filter((id) => !document.getElementById(id))")
    if broken:
        yield f"links lead nowhere: {broken[:5]}"
    twice = browser.run("const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);"
                        "return ids.filter((id, i) => ids.indexOf(id) !== i)")
    if twice:
        yield f"ids are used twice: {twice[:5]}"
    bare = browser.run("return [...document.querySelectorAll('th')].filter((th) => !th.scope).length")
    if bare:
        yield f"{bare} table headers have no scope"
    wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        yield f"the page is {wide} pixels wider than the window"
    requests = browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)"
                           ".filter((name) => !name.startsWith('data:'))")
    if requests:
        yield f"the page asks for {requests}"
    for entry in browser.ask("POST", "/se/log", {"type": "browser"}):
        if entry["level"] in ("SEVERE", "WARNING"):
            yield "script: " + entry["message"]


def main():
    report = pathlib.Path(sys.argv[1]).resolve()
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        print("chromium: not installed")
        return 77
    browser = Browser(chromium, driver)
    try:
        found = []
        for width in (1280, 390):
            browser.ask("POST", "/window/rect", {"width": width, "height": 900})
            browser.ask("POST", "/url", {"url": report.as_uri()})
            found += [f"at {width} pixels: {problem}" for problem in problems(browser)]
        if len(sys.argv) > 2:
            pathlib.Path(sys.argv[2]).write_bytes(base64.b64decode(browser.ask("GET", "/screenshot")))
    finally:
        browser.close()
    print("\n".join(found) or "all well")
    return 1 if found else 0


sys.exit(main())
