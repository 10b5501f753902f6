#!/usr/bin/env python3
"""The files that docs and packaging give to others: tests/cli/editors.py HEDDLE ROOT LOST_UPDATE.c.  Prints `ok NAME` or
`not ok NAME: why` per case."""
import json
import re
import subprocess
import sys

heddle, root, source = sys.argv[1:]


def case(name, fine, why=""):
    print(f"ok {name}" if fine else f"not ok {name}: {why}")


# The matcher of docs/editors.md finds the failed assertion, and the accesses of hits in lines 12 and 13.
page = open(root + "/docs/editors.md", encoding="utf-8").read()
task = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])["tasks"][0]
pattern = task["problemMatcher"]["pattern"]
command = [heddle if word == "heddle" else word.replace("${file}", source) for word in [task["command"], *task["args"]]]
lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
found = [m for m in (re.match(pattern["regexp"], line) for line in lines) if m]
errors = [m for m in found if m[pattern["severity"]] == "error"]
case("VS Code: the error", len(errors) == 1 and errors[0][pattern["file"]] == source and errors[0][pattern["line"]] == "24", str(lines[:3]))
steps = [int(m[pattern["line"]]) for m in found if re.match(r"step \d+: T[12]: .*hits", m[pattern["message"]])]
case("VS Code: the steps", sorted(steps) == [12, 12, 13, 13], str(steps))
case("VS Code: columns", all(m[pattern["column"]] for m in found if m[pattern["severity"]] == "note"))
shown = re.search(r"```\n(lost_update.*?)```", page, re.S)[1].splitlines()
case("editors.md shows what is printed", all(line in lines for line in shown), str([w for w in shown if w not in lines]))

# Every line of the Containerfile is an instruction, and what it copies from the build is what make deb writes.
text = open(root + "/packaging/Containerfile", encoding="utf-8").read()
logical = [w for w in re.sub(r"\\\n", " ", text).splitlines() if w.strip() and not w.startswith("#")]
bad = [w for w in logical if not re.match(r"(FROM|RUN|COPY|WORKDIR|ENTRYPOINT|CMD) \S", w)]
case("Containerfile: instructions", not bad and logical[0].startswith("FROM "), str(bad))
case("Containerfile: lists", all(isinstance(json.loads(w.split(" ", 1)[1]), list) for w in logical if re.match("ENTRYPOINT|CMD", w)))
makefile = open(root + "/mk/install.mk", encoding="utf-8").read()
case("Containerfile: the package", "/heddle/build/heddle_*.deb" in text and "$(B)/heddle_$(VERSION)_$(ARCH).deb" in makefile)

# The steps of the action are bash, and its inputs are those that it names.
action = open(root + "/packaging/action/action.yml", encoding="utf-8").read()
inputs = re.search(r"^inputs:\n(.*?)^outputs:", action, re.S | re.M)[1]
names = set(re.findall(r"^  (\w+):$", inputs, re.M))
used = set(re.findall(r"\$\{\{ inputs\.(\w+)", action))
case("action: its inputs are used", names == used, f"{names} {used}")
scripts = [re.sub(r"^        ", "", s, flags=re.M) for s in re.findall(r"run: \|\n((?:        .*\n)+)", action)]
for script in scripts:
    checked = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    case("action: a script of bash", checked.returncode == 0 and "${{" not in script, checked.stderr)
options = re.findall(r"--[a-z-]+", scripts[-1]) + re.findall(r"--[a-z-]+", re.search(r"options:\n.*\n +default: (.*)", action)[1])
offered = subprocess.run([heddle, "check", "--help", "all"], capture_output=True, text=True, check=False).stdout
case("action: heddle has its options", options and all(word + " " in offered or word + "\n" in offered for word in options), str(options))
