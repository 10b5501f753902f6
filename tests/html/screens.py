#!/usr/bin/env python3
"""Pictures of the HTML reports, to be looked at: tests/html/screens.py DIRECTORY (make screens).  Needs what run.py needs."""
import os
import subprocess
import sys

import run

PAGES = {  # name: (source, options)
    "assertion": ("tests/bugs/lost_update.c", []),
    "deadlock": ("tests/litmus/wrong/philosophers.c", []),
    "race": ("tests/litmus/wrong/race_flag.c", []),
    "memory": (run.MANY, ["--races", "off"]),
    "weak": (run.STALE, ["--memory", "rc11"]),
    "nine": (run.NINE, []),
    "long": (run.LONG, ["--executions", "1"]),
    "several": ("tests/litmus/wrong/several.c", ["--keep-going"]),
    "compare": ("examples/bank.c", []),
    "verified": ("tests/litmus/correct/counter.c", []),
}
QUEUE = """#include <heddle/lin.h>
#include <stdatomic.h>
static atomic_int n;
HEDDLE_LIN_SETUP { n = 0; }
HEDDLE_LIN_OP0(increment)
{
    int v = n;
    n = v + 1;
    return v;
}
HEDDLE_LIN_OP(add, int v, HEDDLE_IN(2, 3))
{
    n += v;
    return n;
}
HEDDLE_LIN_OP0(get) { return n; }
"""


def make(directory):
    """Writes the pages; their paths by name."""
    pages = {}
    for name, (source, options) in PAGES.items():
        path = source if source.endswith(".c") else run.written(directory, name, source)
        pages[name] = run.report(directory, name, path, *options)
    pages["lin"], pages["slice"] = directory + "/lin.html", directory + "/slice.html"
    for line in (["lin", "-q", run.written(directory, "lin", QUEUE), "--trace-dir", directory, "--html", pages["lin"], "--scenario",
                  "add(2) / increment; get | increment; add(3) / get"],
                 ["slice", "examples/bank.c", "bank.c:58", "--html", pages["slice"]]):
        subprocess.run([run.HEDDLE, *line], stdout=subprocess.DEVNULL, check=False, cwd=run.ROOT)
    return pages


def main():
    directory = os.path.abspath(sys.argv[1])
    os.makedirs(directory, exist_ok=True)
    pages = make(directory)
    for kind, size, dark in ("light", (1280, 800), False), ("dark", (1280, 800), True), ("phone", (390, 844), False):
        browser = run.Browser(size, dark)
        try:
            for name, page in pages.items():
                browser.open(page)
                if name == "compare":
                    browser.run("document.getElementById('both').click()")
                browser.shot(f"{directory}/{name}-{kind}.png")
                print(f"{directory}/{name}-{kind}.png")
        finally:
            browser.close()


if __name__ == "__main__":
    main()
