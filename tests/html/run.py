#!/usr/bin/env python3
"""The HTML reports in a real browser: tests/html/run.py [--shots DIR | --bugs DIR] [--axe axe.min.js].  Drives
chromedriver by the WebDriver protocol; needs the Debian packages chromium and chromium-driver.  Prints `ok NAME`
or `not ok NAME: why` per case.  With the file of axe-core (npm install axe-core) each page is given to it as well."""
import base64
import json
import os
import re
import shlex
import shutil
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
    rows = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs[0].steps.length")
    case("a row per step", rows > 5, f"{rows} rows")
    case("begins at the violation", browser.run(where).startswith(f"Step {rows} of {rows}"), browser.run(where))
    lanes = browser.run("return [...document.querySelectorAll('#lanes span')].map(e => [e.textContent, e.title])")
    case("lanes are called by what the threads do", all(title == "main" or " " in title for _, title in lanes) and
         all(text in (title, title.split(" ")[0]) for text, title in lanes) and any(" " in text for text, _ in lanes), str(lanes))
    chips = browser.run("return [...document.querySelectorAll('.source .chip')].map(e => e.textContent)")
    ended = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs[0].steps.filter(s => s[1] === 'exit').length")
    case("threads that have ended are nowhere", chips == ["main"] and ended >= 2, f"{chips}, {ended} have ended")
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
    strong = browser.run(MINE)
    case("arrows: only those of the current step are strong", strong[0] == strong[1] and strong[2] > 0, str(strong))
    case("what decides is said", "had come before" in browser.run("return document.getElementById('why').textContent"))
    why(browser)


def why(browser):
    """The sentences of the text report, in which every step is a link.  Both threads read 0, T2 writes 1 and then T1 does: main
    reads the 1 of T1, which overwrites that of T2."""
    words = browser.run("return [...document.querySelectorAll('#why .cause')].map(p => p.textContent)")
    case("why: who wrote the value, and over what", len(words) == 1 and words[0].startswith("main read hits = 1 at lost_update.c:24 (step 13): T1 wrote hits = 1")
         and "over the 1 of T2" in words[0] and "it had read 0 before" in words[0], str(words))
    links = browser.run("return [...document.querySelectorAll('#why .cause a')].map(a => a.textContent)")
    case("why: every step is a link", sorted(links) == sorted(re.findall(r"step \d+|\w+\.c:\d+", words[0])) and len(links) > 4, str(links))
    for name in [link for link in links if link.startswith("step")]:
        browser.run(f"[...document.querySelectorAll('#why .cause a')].find(a => a.textContent === '{name}')?.click()")
        where = browser.run("return document.getElementById('where').textContent")
        case(f"why: the link to {name}", where.startswith(f"Step {name[5:]} of"), where)
    browser.run("[...document.querySelectorAll('#why .cause a')].find(a => a.textContent.endsWith(':13'))?.click()")
    line = browser.run("return [...document.querySelectorAll('.source .l.here')].pop().textContent")
    case("why: the link to a line", "hits = seen + 1" in line, line)
    browser.key(KEYS["end"])
    here = browser.run("""const l = document.querySelector('.source .l.here').getBoundingClientRect();
        return l.top >= document.getElementById('source').getBoundingClientRect().top && l.bottom <= innerHeight""")
    case("the line of the failing step is on the screen", here)


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
    names = browser.run("return [...document.querySelectorAll('[role=option]')].every(r => /^Step \\d+, \\S+: \\w/.test(r.textContent))")
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
    row = browser.run("return document.querySelector('.row.stale').textContent")
    case("stale: a screen reader hears why", "T1's x = 1 of step" in row and "need not be visible" in row, row)
    arrow = browser.run("const d = document.querySelector('.stale-edge').getAttribute('d'); return d.match(/-?[\\d.]+/g).map(Number)")
    dots = browser.run("return [...document.querySelectorAll('#timeline svg circle.dot')].map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])")
    words = browser.run("return [...document.querySelectorAll('#timeline .row .label')].map(l => l.textContent)")
    begin = next((w for (x, y), w in zip(dots, words) if abs(x - arrow[0]) < 1 and abs(y - arrow[1]) < 1), "")
    case("stale: it begins at the store that was read", begin.startswith("write x") and "= 1" in begin, begin)
    why = browser.run("return document.getElementById('why').textContent")
    case("stale: what decides", "were release, not relaxed, this run could not happen" in why, why)
    values = browser.run("return [...document.querySelectorAll('#values tbody tr')].map(r => r.textContent).join('|')")
    case("stale: memory holds the newest value", "x2" in values, values)
    contrast = browser.run(CONTRAST)
    case("stale: text stands out", contrast >= 4.5, f"contrast {contrast:.2f}")


def structures(browser, directory):
    """A structure that is assigned ends the values of its members."""
    page = report(directory, "structure", written(directory, "structure", STRUCTURE))
    browser.open(page)
    values = "return [...document.querySelectorAll('#values tbody tr')].map(r => r.textContent).join('|')"
    steps = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs[0].steps.map(s => s[2])")
    at = next(i for i, words in enumerate(steps) if words == "write shared")
    browser.key(KEYS["home"])
    for _ in range(at - 1):
        browser.key(KEYS["right"])
    before = browser.run(values)
    browser.key(KEYS["right"])
    case("structure: the member has its value before", "shared.c7" in before, before)
    case("structure: … and no stale one after", "shared" not in browser.run(values), browser.run(values))
    browser.key(KEYS["end"])
    case("structure: … and that which is read", "shared.c9" in browser.run(values), browser.run(values))


def calls(browser, directory, phone=False):
    """heddle lin: the calls are brackets over their steps, and the code around them is not shown.  Two increments of two
    steps each return the same, so one is called before the other returns."""
    source = written(directory, "increment", INCREMENT)
    page = directory + "/increment.html"
    subprocess.run([HEDDLE, "lin", "-q", source, "--html", page, "--trace-dir", directory + "/traces"],
                   stdout=subprocess.DEVNULL, check=False, cwd=ROOT)
    if phone:
        in_sight(browser, "phone, calls", page)
        return
    in_sight(browser, "calls", page)
    browser.open(page)
    words = browser.run("return [...document.querySelectorAll('#timeline .row.call .label')].map(l => l.textContent)")
    case("calls: begin and return with a result", sorted(words[:2]) == ["increment() begins"] * 2
         and words[2:] == ["increment() returns 0"] * 2, str(words))
    case("calls: a bracket for each", browser.run("return document.querySelectorAll('.call-bracket').length") == 2)
    over = browser.run("""const dots = [...document.querySelectorAll('#timeline svg circle.dot')].map(c => +c.getAttribute('cy'));
        return [...document.querySelectorAll('.call-bracket')].map(b => b.getAttribute('d').match(/[\\d.]+/g).map(Number))
          .map(d => dots.includes(d[1]) && dots.includes(d[3]) && d[3] - d[1] >= 2 * 28);""")
    case("calls: from the call to the return", over == [True, True], str(over))
    cells = browser.run("return [...document.querySelectorAll('#scenario tr')].map(r => [...r.cells].map(c => c.firstChild?.textContent ?? ''))")
    case("calls: a table of the scenario", cells == [["", "T1", "T2"], ["together", "increment() = 0", "increment() = 0"]], str(cells))
    case("calls: what is wrong", browser.run("return document.getElementById('headline').textContent") == "the results of the calls do not fit together")
    why = browser.run("return document.getElementById('why').textContent")
    case("calls: why", "gives increment() = 0 in T1 and increment() = 0 in T2" in why, why)
    browser.run("document.querySelectorAll('#scenario a')[1].click()")
    here = browser.run("return document.querySelector('.row.here').textContent")
    now = browser.run("return [...document.querySelectorAll('#scenario td')].map(c => c.classList.contains('now'))")
    case("calls: a call leads to its step", "T2: increment() begins" in here and now[2], f"{here} {now}")
    text = browser.run("return document.getElementById('panel').textContent + document.getElementById('why').textContent"
                       " + document.getElementById('values').textContent + document.getElementById('output').textContent"
                       " + document.getElementById('files').textContent + document.getElementById('place').textContent")
    case("calls: nothing of the code around them", "lin_" not in text and "@ " not in text, text[:300])


def racing_calls(browser, directory):
    """The run of a data race ends in the middle of calls, whose results are compared in the other violation."""
    source = written(directory, "racing", INCREMENT.replace("static atomic_int", "static int"))
    page = directory + "/racing.html"
    subprocess.run([HEDDLE, "lin", "-q", source, "--html", page, "--trace-dir", directory + "/traces"],
                   stdout=subprocess.DEVNULL, check=False, cwd=ROOT)
    browser.open(page)
    browser.run("const p = document.getElementById('pick'); p.value = 1; p.dispatchEvent(new Event('change'))")
    cells = browser.run("return [...document.querySelectorAll('#scenario td a')].map(c => c.textContent)")
    case("a race between calls: the table", cells == ["increment() has not returned"] * 2, str(cells))
    case("a race between calls: the headline", browser.run("return document.getElementById('headline').textContent").startswith("data race: "))


def programs(browser, directory):
    """heddle report with the traces of two programs: each violation shows its own."""
    traces = directory + "/two"
    for name in "lost_update", "lock_order":
        subprocess.run([HEDDLE, "check", "-q", f"tests/bugs/{name}.c", "--trace-dir", traces], stdout=subprocess.DEVNULL, check=False, cwd=ROOT)
    page = directory + "/two.html"
    subprocess.run([HEDDLE, "report", *sorted(f"{traces}/{f}" for f in os.listdir(traces)), "-o", page], check=False, cwd=ROOT)
    browser.open(page)
    for i, (name, place) in enumerate([("lock_order.c", "pthread_mutex_lock"), ("lost_update.c", "assert(hits == 2)")]):
        browser.run(f"const p = document.getElementById('pick'); p.value = {i}; p.dispatchEvent(new Event('change'))")
        shown = browser.run("return [document.getElementById('program').textContent, document.getElementById('pick').selectedOptions[0].textContent,"
                            " document.querySelector('.source .l.fault').textContent]")
        case(f"two programs: {name}", shown[0].endswith(name) and name in shown[1] and place in shown[2], str(shown))


INCREMENT = """#include <heddle/lin.h>
#include <stdatomic.h>
static atomic_int n;
HEDDLE_LIN_SETUP { n = 0; }
HEDDLE_LIN_OP0(increment)
{
    int v = n;
    n = v + 1;
    return v;
}
"""

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

STRUCTURE = """#include <assert.h>
#include <pthread.h>
static struct { int a, b, c, d[7]; } shared, fresh = { .a = 1, .c = 9 };
static void *work(void *unused)
{
    shared.c = 7;
    shared = fresh;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(shared.c == 7);
}
"""

CONTRAST = """
const lum = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => { x /= 255;
  return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
  if (!/, 0\\)$/.test(c) && c !== 'transparent') return c; } return 'rgb(255,255,255)'; };
return Math.min(...[...document.querySelectorAll('h1 span, .program, .place, #why p, #why a, #why h2, #why summary, #scenario a, #scenario th, .panel-head h2, button:enabled, kbd, #where, .check, .row .label b, .row .label .val, .row .n, #output span, .command span, .command code, .source .no, td, th, .chip, footer p, #lanes span')]
  .filter(e => e.offsetParent && e.textContent.trim()).map(e => { const a = lum(getComputedStyle(e).color), b = lum(ground(e));
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); }));
"""


MINE = """
const { edges, steps } = JSON.parse(document.getElementById('data').textContent).violations[0].runs[0];
const seen = {};
for (let i = 0; i < steps.length; i++) {
  document.getElementById(i ? 'next' : 'first').click();
  seen[i] = document.querySelectorAll('.edge.mine').length;
}
return [Object.values(seen), steps.map((_, i) => edges.filter(e => e.includes(i)).length), edges.length];
"""

# When the page had loaded, and how long each of many steps took with its layout.
FIGURES = """
const times = [];
for (const id of [...Array(30).fill('prev'), 'first', ...Array(30).fill('next'), 'last']) {
  const begun = performance.now();
  document.getElementById(id).click();
  document.body.offsetHeight;
  times.push(performance.now() - begun);
}
return [performance.getEntriesByType('navigation')[0].loadEventEnd, times];
"""

# Is the current row, with its words, inside the window, the panel and behind nothing?
SEEN = """
const row = document.querySelector('.row.here'), label = row?.querySelector('.label'), panel = document.getElementById('panel');
if (!label) return 'no current row';
const r = label.getBoundingClientRect(), p = panel.getBoundingClientRect(), head = document.getElementById('lanes').getBoundingClientRect();
if (r.top < Math.max(0, head.bottom) - 1 || r.bottom > Math.min(innerHeight, p.bottom) + 1) return `vertically: ${r.top} ${r.bottom}`;
if (r.left < p.left || r.right > p.right + 1) return `horizontally: ${r.left} ${r.right} of ${p.left} ${p.right}`;
const top = document.elementFromPoint(r.left + 3, (r.top + r.bottom) / 2);
return row.contains(top) ? '' : 'behind ' + (top?.id || top?.className);
"""


def in_sight(browser, name, page):
    """The failing step is on the screen at first and the current one while stepping."""
    browser.open(page)
    first = browser.run(SEEN)
    case(name + ": the failing step is on the screen", first == "", first)
    lost = []
    for key in [KEYS["left"]] * 12 + [KEYS["home"]] + [KEYS["right"]] * 12 + ["n", "n", "n", "p", KEYS["end"]]:
        browser.key(key)
        lost.append(browser.run(SEEN))
    case(name + ": … and the current one while stepping", not any(lost), str([w for w in lost if w][:3]))
    dead = browser.run("""return ['passing', 'both', 'difference', 'first'].filter(id => {
        const b = document.getElementById(id);
        document.getElementById('failing').click();
        document.getElementById('last').click();
        if (!b.offsetParent || b.disabled) return false;
        const before = document.getElementById('timeline').innerHTML;
        b.click();
        return document.getElementById('timeline').innerHTML === before;
      })""")
    case(name + ": no dead buttons", not dead, str(dead))
    over = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    case(name + ": the page does not scroll sideways", over <= 0, f"{over} px")
    for theme in "light", "dark":
        if browser.run("return document.documentElement.dataset.theme") != theme:
            browser.run("document.getElementById('theme').click()")
        contrast = browser.run(CONTRAST)
        case(f"{name}: text stands out, {theme}", contrast >= 4.5, f"contrast {contrast:.2f}")


def races(browser, page):
    browser.open(page)
    rows = browser.run("return [...document.querySelectorAll('.row.racing')].map(r => r.textContent)")
    # which of the two comes first depends on the run
    case("race: both accesses", len(rows) == 2 and sorted("T1: write ready" in r for r in rows) == [False, True] and
         sorted("T2: read ready" in r for r in rows) == [False, True], str(rows))
    case("race: a link between them", browser.run("return document.querySelectorAll('.race-edge').length") == 1)
    browser.run("document.querySelectorAll('#why a')[0].click()")
    here = browser.run("return document.querySelector('.row.here').textContent")
    case("race: the words lead to the access", here in rows, here)
    case("race: there is no passing run, so no button for it", browser.run("return document.getElementById('passing').offsetParent === null"))


def memory(browser, page):
    browser.open(page)
    words = browser.run("return [...document.querySelectorAll('#why a')].map(a => a.textContent)")
    made = [w for w in words if w.startswith("allocated by main at many.c:11")]
    freed = [w for w in words if w.startswith("freed by T1 at many.c:7")]
    case("memory error: who allocated and freed", len(made) == 1 and len(freed) == 1, str(words))
    browser.run("[...document.querySelectorAll('#why a')].find(a => a.textContent.startsWith('freed')).click()")
    here = browser.run("return document.querySelector('.row.here').textContent")
    case("memory error: a link to the step that freed", "T1: free" in here, here)
    browser.run("[...document.querySelectorAll('#why a')].find(a => a.textContent.startsWith('allocated')).click()")
    line = browser.run("return [...document.querySelectorAll('.source .l.here')].map(l => l.textContent).join()")
    case("memory error: … and to the line that allocated", "malloc" in line, line)
    printed = browser.run("return document.getElementById('output').textContent")
    case("what the program printed", "loading" in printed and "reading" in printed, printed)
    browser.key(KEYS["home"])
    later = browser.run("return document.querySelectorAll('#output .later').length")
    case("… and what it has not printed yet", later >= 1, str(later))
    browser.key(KEYS["end"])
    browser.run("[...document.querySelectorAll('button.object')].find(b => b.textContent === 'hits').click()")
    only = browser.run("return [...document.querySelectorAll('#timeline .row .label')].map(l => l.textContent)")
    case("an object: its accesses only", len(only) == 4 and all(" hits" in w for w in only), str(only))
    browser.run("document.getElementById('unfilter').click()")
    again = browser.run("return document.querySelectorAll('#timeline .row').length")
    case("… and all steps again", again > 10, str(again))


def commands(browser, page):
    browser.open(page)
    for words in browser.run("return [...document.querySelectorAll('.command code')].map(c => c.textContent)"):
        if "--gdb" in words:
            continue
        done = subprocess.run(shlex.split(words), cwd=ROOT, capture_output=True, text=True, check=False)
        wanted = 0 if "-passing.trace" in words else 1
        case("the command replays: " + ("passing" if wanted == 0 else "failing"), done.returncode == wanted, f"{words}: {done.stderr[:200]}")
    buttons = browser.run("return [...document.querySelectorAll('.command button')].map(b => { b.click(); return b.id; }).length")
    case("a button for each command", buttons == 3, str(buttons))


def links(browser, page):
    where = "return document.getElementById('where').textContent"
    browser.open(page + "#v1-step3")
    case("a link opens a step", browser.run(where).startswith("Step 3 of"), browser.run(where))
    browser.open(page + "#v1-passing-step4")
    case("… of the passing run", browser.run("return document.getElementById('passing').getAttribute('aria-pressed')") == "true"
         and browser.run(where).startswith("Step 4 of"), browser.run(where))
    browser.run("document.getElementById('failing').click(); document.getElementById('first').click(); document.getElementById('link').click()")
    case("the address names the step", browser.run("return location.hash") == "#v1-step1", browser.run("return location.hash"))
    browser.open(page + "#v99-step3")
    case("a link to nothing opens the violation", browser.run("return document.querySelectorAll('.row.here').length") == 1)


def comparison(browser, page):
    """Two runs beside each other: what a differs in from b, as the steps themselves say."""
    browser.open(page)
    runs = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs.map(r => r.steps.map(s => [s[0], s[1], s[3], s[7]].join()))")
    first = next(i for i, (a, b) in enumerate(zip(*runs)) if a != b)
    browser.key("d")
    where = browser.run("return document.getElementById('where').textContent")
    case("d: the first difference", where.startswith(f"Step {first + 1} of"), where)
    case("… is marked", browser.run("return document.querySelectorAll('.row.difference').length") == 1)
    browser.run("document.getElementById('both').click()")
    marks = browser.run("return [...document.querySelectorAll('#timeline .row')].map(r => [r.classList.contains('only'), r.classList.contains('plus')])")
    only = [sum(o and not p for o, p in marks), sum(p for _, p in marks)]
    case("both runs: every step of each", len(marks) - only[1] == len(runs[0]) and len(marks) - only[0] == len(runs[1]) and sum(only) > 0,
         f"{len(marks)} rows, {only}")
    case("both runs: begins where they differ", browser.run("return document.querySelector('.row.here').classList.contains('difference')"))


LONG = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[64];
static void *work(void *unused)
{
    for (int i = 0; i < 6700; i++)
        atomic_fetch_add(&x[i % 64], 1);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x[0] == 1);
}
"""

NINE = """#include <assert.h>
#include <pthread.h>
static int hits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *visit(void *unused)
{
    int seen = __atomic_load_n(&hits, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    __atomic_store_n(&hits, seen + 1, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void)
{
    pthread_t t[9];
    for (int i = 0; i < 9; i++)
        pthread_create(&t[i], 0, visit, 0);
    for (int i = 0; i < 9; i++)
        pthread_join(t[i], 0);
    assert(hits == 9);
}
"""

WAITING = """#include <assert.h>
#include <pthread.h>
#include <time.h>
static int ready, waits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    while (!ready) {
        waits++;
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    struct timespec soon = { 1, 0 };
    pthread_cond_timedwait(&c, &m, &soon);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(!waits);
}
"""

MANY = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct cfg { int a, b; };
static struct cfg *cfg;
static int hits;
static void *loader(void *arg) { puts("loading"); fflush(stdout); hits++; free(cfg); return arg; }
static void *reader(void *arg) { hits++; fprintf(stderr, "reading\\n"); cfg->a = 3; return arg; }
int main(void)
{
    cfg = malloc(sizeof *cfg);
    cfg->a = 1;
    pthread_t a, b;
    pthread_create(&a, 0, loader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
"""


def written(directory, name, text):
    with open(f"{directory}/{name}.c", "w", encoding="utf-8") as file:
        file.write(text)
    return f"{directory}/{name}.c"


def waits(browser, page):
    """A wait and a wait with a time release the mutex: each thread holds it before and after."""
    browser.open(page)
    bars = browser.run("return document.querySelectorAll('.lock-bar').length")
    case("a condition wait ends a bar", bars == 4, f"{bars} bars instead of 4")


def long_run(browser, page):
    """A page of 20,000 steps has only those in its document that are in sight."""
    browser.open(page)
    steps = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs[0].steps.length")
    edges = browser.run("return JSON.parse(document.getElementById('data').textContent).violations[0].runs[0].edges.length")
    case("20,000 steps: arrows", edges > 50, str(edges))
    for moment in "at first", "at the beginning":
        rows = browser.run("return document.querySelectorAll('#timeline .row').length")
        case(f"20,000 steps: few rows {moment}", steps > 20000 and 0 < rows < 100, f"{rows} of {steps}")
        browser.key(KEYS["home"])
    browser.run("document.getElementById('panel').scrollTop = 280000")
    browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shown = browser.run("return Math.max(...[...document.querySelectorAll('#timeline .row .n')].map(n => parseInt(n.textContent.slice(5))))")
    case("20,000 steps: scrolling shows the rest", shown > 9000, str(shown))
    value = browser.run("document.getElementById('last').click(); return [...document.querySelectorAll('#values tbody tr')].map(r => r.textContent)[0]")
    case("20,000 steps: values at the end", value.startswith("x[0]315"), value)
    browser.open(page)
    load, steps = browser.run(FIGURES)
    print(f"# 20,000 steps: the page loads in {load:.0f} ms, a step takes {sum(steps) / len(steps):.0f} ms (at most {max(steps):.0f})", flush=True)


def axe(browser, pages):
    """No serious finding of axe-core, if its file is given."""
    with open(sys.argv[sys.argv.index("--axe") + 1], encoding="utf-8") as file:
        script = json.dumps(file.read())
    for name, page in pages.items():
        browser.open(page)
        browser.run("const s = document.createElement('script'); s.textContent = " + script + "; document.head.append(s);")
        for button in None, "prev", "passing", "both", "theme":
            found = browser.run((f"document.getElementById('{button}')?.click();" if button else "") +
                                "return axe.run().then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id))")
            case(f"axe: {name}, {button or 'at first'}", not found, str(found))


def further(browser, directory, phone=False):
    many = report(directory, "many", written(directory, "many", MANY), "--races", "off")
    pages = {"assertion": report(directory, "counter", "tests/bugs/lost_update.c"),
             "deadlock": report(directory, "locks", "tests/litmus/wrong/philosophers.c"),
             "race": report(directory, "race", "tests/litmus/wrong/race_flag.c"),
             "memory error": many,
             "nine threads": report(directory, "nine", written(directory, "nine", NINE)),
             "several": report(directory, "several", "tests/litmus/wrong/several.c", "--keep-going")}
    kind = "phone, " if phone else ""
    for name, page in pages.items():
        in_sight(browser, kind + name, page)
    browser.open(pages["several"])
    for i in range(browser.run("return document.getElementById('pick').options.length")):
        browser.run(f"const p = document.getElementById('pick'); p.value = {i}; p.dispatchEvent(new Event('change'))")
        seen = browser.run(SEEN)
        case(f"{kind}several: violation {i + 1} is on the screen", seen == "", seen)
    subprocess.run([HEDDLE, "slice", "examples/bank.c", "bank.c:58", "--html", directory + "/slice.html"], stdout=subprocess.DEVNULL,
                   check=False, cwd=ROOT)
    pages["slice"] = directory + "/slice.html"
    browser.open(pages["slice"])
    contrast = browser.run(CONTRAST.replace("'h1 span,", "'h1, h2, h3, .l code, .key, li,"))
    case(kind + "slice: text stands out", contrast >= 4.5, f"contrast {contrast:.2f}")
    dead = browser.run("return [...document.querySelectorAll('main li a')].filter(a => !document.querySelector(a.hash)).length")
    lines = browser.run("return [...document.querySelectorAll('main li a')].map(a => document.querySelector(a.hash)?.textContent ?? '')")
    case(kind + "slice: links lead to lines", dead == 0 and any("balance" in text for text in lines), str(lines[:4]))
    case(kind + "slice: the target", "assert" in browser.run("return document.querySelector('.l.target').textContent"))
    if "--axe" in sys.argv:
        axe(browser, pages)
    if phone:
        return
    races(browser, pages["race"])
    waits(browser, report(directory, "waiting", written(directory, "waiting", WAITING)))
    memory(browser, many)
    commands(browser, pages["assertion"])
    links(browser, pages["assertion"])
    comparison(browser, report(directory, "bank", "examples/bank.c"))
    long_run(browser, report(directory, "long", written(directory, "long", LONG), "--executions", "1"))


def main():
    missing = [tool for tool in ("chromium", "chromedriver") if not shutil.which(tool)]
    if missing:
        print(f"skipped: the HTML reports in a browser: no {' and no '.join(missing)} (tools/deps.sh html installs it)")
        return 0
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
            structures(browser, directory)
            calls(browser, directory)
            racing_calls(browser, directory)
            programs(browser, directory)
            further(browser, directory)
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
            further(phone, directory, phone=True)
            calls(phone, directory, phone=True)
            case("phone: nothing on the console", not phone.complaints())
        finally:
            phone.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
