#!/usr/bin/env python3
"""The HTML report in a real browser: tests/html/run.py [--shots DIR | --bugs DIR].  Drives chromedriver by the
WebDriver protocol; needs the Debian packages chromium and chromium-driver.  Prints `ok NAME` or
`not ok NAME: why` per case."""
import base64
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.environ.get("HEDDLE", ROOT + "/build/bin/heddle")
KEYS = {"right": "\ue014", "left": "\ue012", "home": "\ue011", "end": "\ue010", "enter": "\ue007"}
failed = 0


def case(name, fine, why=""):
    global failed
    failed += not fine
    print(f"ok {name}" if fine else f"not ok {name}: {why}", flush=True)


class Browser:
    """One session of headless Chromium."""

    def __init__(self, size, dark=False):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rstrip().rstrip(".").split()[-1]
                break
        self.url = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-dev-shm-usage", "--force-device-scale-factor=1",
                     f"--window-size={size[0]},{size[1]}"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        wanted = {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.session = "/session/" + self.call("POST", "/session", wanted)["sessionId"]
        self.call("POST", self.session + "/goog/cdp/execute",
                  {"cmd": "Emulation.setDeviceMetricsOverride",
                   "params": {"width": size[0], "height": size[1], "deviceScaleFactor": 1,
                              "mobile": size[0] < 500}})

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method,
                                         data=json.dumps(body or {}).encode() if method == "POST" else None,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:400]) from None

    def open(self, path):
        self.call("POST", self.session + "/url", {"url": "file://" + path})

    def run(self, script):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": []})

    def key(self, text):
        body = [{"type": "keyDown", "value": text}, {"type": "keyUp", "value": text}]
        self.call("POST", self.session + "/actions",
                  {"actions": [{"type": "key", "id": "keyboard", "actions": body}]})

    def type(self, text):
        for letter in text:
            self.key(letter)

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def complaints(self):
        return [e["message"] for e in self.call("POST", self.session + "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()


def report(directory, name, source, *options):
    path = f"{directory}/{name}.html"
    subprocess.run([HEDDLE, "check", "-q", *options, "--html", path, "--trace-dir", directory, source],
                   stdout=subprocess.DEVNULL, check=False, cwd=ROOT)
    return path


def pictures(directory):
    """Each of the forty bugs as a wide and a narrow picture, to be looked at."""
    names = sorted(f[:-2] for f in os.listdir(ROOT + "/tests/bugs") if f.endswith(".c") and not f.endswith("-fixed.c"))
    wide, phone = Browser((1100, 900)), Browser((390, 844), dark=True)
    sideways = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    try:
        for name in names:
            page = report(directory, name, f"tests/bugs/{name}.c")
            for browser, kind in (wide, ""), (phone, "-phone"):
                browser.open(page)
                browser.shot(f"{directory}/{name}{kind}.png")
                over, contrast, said = browser.run(sideways), browser.run(CONTRAST), browser.complaints()
                case(name + kind, over <= 0 and contrast >= 4.5 and not said, f"{over} px, contrast {contrast:.2f}, {said}")
    finally:
        wide.close()
        phone.close()


def stepping(browser, page):
    browser.open(page)
    where = "return document.getElementById('where').textContent"
    rows = browser.run("return document.querySelectorAll('#timeline .row').length")
    case("a row per step", rows > 5, f"{rows} rows")
    case("begins at the violation", browser.run(where).startswith(f"Step {rows} of {rows}"), browser.run(where))
    browser.key(KEYS["home"])
    case("Home: first step", browser.run(where).startswith("Step 1 of"), browser.run(where))
    for _ in range(3):
        browser.key(KEYS["right"])
    case("arrow keys go forwards", browser.run(where).startswith("Step 4 of"), browser.run(where))
    browser.key(KEYS["left"])
    case("… and back", browser.run(where).startswith("Step 3 of"), browser.run(where))
    browser.run("document.getElementById('next').click()")
    case("the button goes forwards", browser.run(where).startswith("Step 4 of"), browser.run(where))
    browser.key("n")
    case("n: the next switch of thread", "T2" in browser.run(where), browser.run(where))
    line = browser.run("return document.querySelector('.source .l.here')?.textContent ?? ''")
    browser.key(KEYS["right"])
    line = browser.run("return document.querySelector('.source .l.here')?.textContent ?? ''")
    case("the source shows the step's line", "hits" in line, line)
    chips = browser.run("return [...document.querySelectorAll('.chip')].map(c => c.textContent).sort()")
    case("… and where every thread is", {"T1", "T2", "main"} <= set(chips), str(chips))
    value = browser.run("return [...document.querySelectorAll('#values tbody td')].map(c => c.textContent).join(' ')")
    case("values at the step", "hits 0" in value, value)
    browser.key(KEYS["end"])
    value = browser.run("return [...document.querySelectorAll('#values tbody td')].map(c => c.textContent).join(' ')")
    case("values at the end", "hits 1" in value, value)
    case("happens-before arrows", browser.run("return document.querySelectorAll('.edge').length") >= 4)
    case("what decides is said", "had come before" in browser.run("return document.getElementById('why').textContent"))


def searching(browser):
    browser.key("/")
    browser.type("write")
    hits = browser.run("return document.querySelectorAll('.row.hit').length")
    case("search finds the writes", hits == 2, f"{hits}")
    browser.key(KEYS["enter"])
    here = browser.run("return document.querySelector('.row.here').classList.contains('hit')")
    case("Enter goes to a hit", here)
    browser.run("document.getElementById('timeline').focus()")


def reading(browser):
    """What a screen reader needs."""
    browser.key(KEYS["home"])
    names = browser.run("return [...document.querySelectorAll('[role=option]')].every(r => /^Step \\d+, \\S+: /.test(r.getAttribute('aria-label')))")
    case("every step has a spoken name", names)
    active = browser.run("return document.getElementById('timeline').getAttribute('aria-activedescendant')")
    case("the current step is the active one", active == "step-0", str(active))
    unnamed = browser.run("""return [...document.querySelectorAll('button, input, select')].filter(e =>
        e.offsetParent && !(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label'))).length""")
    case("every control has a name", unnamed == 0, f"{unnamed} have none")
    contrast = browser.run(CONTRAST)
    case("text stands out from its ground", contrast >= 4.5, f"contrast {contrast:.2f}")


def staleness(browser, directory):
    """A run that needs weak memory: the load of x reads 1, though 2 was stored before y."""
    source = directory + "/stale.c"
    with open(source, "w", encoding="utf-8") as file:
        file.write(STALE)
    browser.open(report(directory, "stale", source, "--memory", "rc11"))
    case("stale: the load is marked", browser.run("return document.querySelectorAll('.stale-mark').length") == 1)
    case("stale: an arrow from the store", browser.run("return document.querySelectorAll('.stale-edge').length") == 1)
    row = browser.run("return document.querySelector('.row.stale').getAttribute('aria-label')")
    case("stale: a screen reader hears why", "T1's x = 1 of step" in row and "need not be visible" in row, row)
    arrow = browser.run("const d = document.querySelector('.stale-edge').getAttribute('d'); return d.match(/-?[\\d.]+/g).map(Number)")
    dots = browser.run("return [...document.querySelectorAll('#timeline svg circle:not(.stale-mark)')].map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])")
    words = browser.run("return [...document.querySelectorAll('#timeline .row .label')].map(l => l.textContent)")
    begin = next((w for (x, y), w in zip(dots, words) if abs(x - arrow[0]) < 1 and abs(y - arrow[1]) < 1), "")
    case("stale: it begins at the store that was read", begin.startswith("write x") and "= 1" in begin, begin)
    why = browser.run("return document.getElementById('why').textContent")
    case("stale: what decides", "were release, not relaxed, this run could not happen" in why, why)
    values = browser.run("return [...document.querySelectorAll('#values tbody tr')].map(r => r.textContent).join('|')")
    case("stale: memory holds the newest value", "x2" in values, values)
    contrast = browser.run(CONTRAST)
    case("stale: text stands out", contrast >= 4.5, f"contrast {contrast:.2f}")


STALE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *write(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
    if (atomic_load_explicit(&y, memory_order_acquire))
        assert(atomic_load_explicit(&x, memory_order_relaxed) != 1);
    pthread_join(thread, 0);
}
"""

CONTRAST = """
const lum = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => { x /= 255;
  return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (!/, 0\\)$/.test(c) && c !== 'transparent') return c; } return 'rgb(255,255,255)'; };
return Math.min(...[...document.querySelectorAll('h1 span, .program, .place, #why p, #why button, .row:not(.later) .what, .row:not(.later) .n, .source .no, td, th, .chip, footer p, #lanes span')]
  .filter(e => e.offsetParent && e.textContent.trim()).map(e => { const a = lum(getComputedStyle(e).color), b = lum(ground(e));
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); }));
"""


def main():
    if "--bugs" in sys.argv:
        pictures(os.path.abspath(sys.argv[sys.argv.index("--bugs") + 1]))
        return 1 if failed else 0
    shots = sys.argv[sys.argv.index("--shots") + 1] if "--shots" in sys.argv else None
    with tempfile.TemporaryDirectory() as directory:
        counter = report(directory, "counter", "tests/bugs/lost_update.c")
        locks = report(directory, "locks", "tests/litmus/wrong/lock_order.c")
        several = report(directory, "several", "tests/litmus/wrong/several.c", "--keep-going")
        fine = report(directory, "fine", "tests/litmus/correct/counter.c")
        browser = Browser((1200, 760))
        try:
            stepping(browser, counter)
            searching(browser)
            reading(browser)
            if shots:
                browser.key(KEYS["end"])
                browser.shot(shots + "/report-light.png")
            browser.key("t")
            case("t: dark", browser.run("return document.documentElement.dataset.theme") == "dark")
            contrast = browser.run(CONTRAST)
            case("dark: text stands out", contrast >= 4.5, f"contrast {contrast:.2f}")
            browser.key("r")
            case("r: the passing run", browser.run("return document.getElementById('passing').getAttribute('aria-pressed')") == "true")
            browser.open(locks)
            case("locks held are bars", browser.run("return document.querySelectorAll('.lock-bar').length") == 2)
            ends = browser.run("return [...document.querySelectorAll('#ends .row')].map(r => r.textContent)")
            case("deadlock: who waits for ever", len(ends) == 3 and all("waits for ever" in e for e in ends), str(ends))
            waiting = browser.run("return [...document.querySelectorAll('.source .l')].filter(l => /T[12]/.test(l.textContent.slice(-4))).map(l => l.textContent)")
            case("… and where", waiting and all("pthread_mutex_lock" in w for w in waiting), str(waiting))
            if shots:
                browser.key("t")
                browser.shot(shots + "/report-dark.png")
            staleness(browser, directory)
            browser.open(several)
            case("several violations: a choice", browser.run("return document.getElementById('pick').options.length") >= 2)
            browser.open(fine)
            case("verified: says so", "verified" in browser.run("return document.getElementById('headline').textContent"))
            complaints = browser.complaints()
            case("nothing on the console", not complaints, str(complaints)[:300])
            outside = browser.run("return performance.getEntriesByType('resource').filter(e => /^https?:/.test(e.name)).length")
            case("nothing from the network", outside == 0)
        finally:
            browser.close()
        phone = Browser((390, 844))
        try:
            phone.open(counter)
            sideways = phone.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            case("phone: the page does not scroll sideways", sideways <= 0, f"{sideways} px")
            small = phone.run("return Math.min(...[...document.querySelectorAll('.controls button')].filter(e => e.offsetParent).map(e => e.offsetHeight))")
            case("phone: buttons for fingers", small >= 40, f"{small} px")
            if shots:
                phone.shot(shots + "/report-phone.png")
            case("phone: nothing on the console", not phone.complaints())
        finally:
            phone.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
