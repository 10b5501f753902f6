#!/usr/bin/env python3
"""docs/systems.md names what exists: systems.py [PAGE]

Every file in code marks is a file or folder of the tree; every option is one of a command's help, and a strategy, search,
reduction or heuristic behind one is accepted; every command and make goal is known; every number that was published or is
ours stands in the page of bench that the row names.  Prints `ok ROW` or `not ok ROW: why`."""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.environ.get("HEDDLE", os.path.join(ROOT, "build/bin/heddle"))
COMMANDS = ("check", "compare", "replay", "slice", "confirm", "split", "cc")
CHOSEN = ("--strategy", "--search", "--reduce", "--heuristic")  # options whose value must mean something


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def help_of(command):
    words = [HEDDLE, "help", command] + (["all"] if command == "check" else [])
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def options():
    return {o for c in COMMANDS for o in re.findall(r"--[a-z][a-z-]*", help_of(c))}


def accepted(option, value, program):
    """Does heddle check take the value?  The search itself ends at once."""
    more = {"--heuristic": ["--strategy", "meta"], "--strategy": []}.get(option, ["--strategy", "brute"])
    if option == "--strategy" and value.split(":")[0] in ("meta", "hgs"):
        more = ["--heuristic", "random"]
    command = [HEDDLE, "check", "-q", "--executions", "1", "--trace-dir", os.path.dirname(program), *more, option, value, program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # A program without an assertion has no place to go to; the strategy is known all the same.
    known = done.returncode <= 1 or "unknown" not in done.stderr and "there are" not in done.stderr
    return None if known else done.stderr.strip()[:150]


def wrong_code(text, known, program):
    """What is wrong with a text in code marks; None: nothing."""
    words = text.split()
    if words[0].startswith("--"):
        if words[0] not in known:
            return f"there is no option {words[0]}"
        return accepted(words[0], words[1], program) if len(words) > 1 and words[0] in CHOSEN else None
    if words[0] == "heddle":
        return None if words[1] in COMMANDS else f"the test does not know the command {words[1]}"
    if words[0] == "make":
        goals = "".join(read(os.path.join("mk", f)) for f in os.listdir(os.path.join(ROOT, "mk")))
        return None if re.search(rf"^{words[1]}:", goals, re.M) else f"there is no goal {words[1]}"
    if "/" in text:
        there = os.path.exists(os.path.join(ROOT, text)) or text == "bench/paper.html"
        return None if there else f"there is no file {text}"
    return None


def numbers(cell):
    """Counts of a cell: of three digits or more, so that sizes of programs and years are not taken for any."""
    return re.findall(r"(?<![\d.(:,])\d{3,}(?![\d:)])", re.sub(r"`[^`]*`", "", cell))


def wrong_row(cells, known, program):
    for cell in cells:
        for text in re.findall(r"`([^`]+)`", cell):
            why = wrong_code(text, known, program)
            if why:
                return why
    pages = re.findall(r"`(bench/\w+\.md)`", " ".join(cells))
    if not pages:
        return None
    there = re.findall(r"\d+", read(pages[0]))
    lost = [n for cell in cells[2:4] for n in numbers(cell) if n not in there]
    return f"{', '.join(lost)} not in {pages[0]}" if lost else None


def main():
    page = sys.argv[1] if len(sys.argv) > 1 else "docs/systems.md"
    known, rows, texts = options(), 0, []
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "one.c"), os.path.join(folder, "one")
        with open(source, "w", encoding="utf-8") as f:
            f.write("int main(void) { return 0; }\n")
        subprocess.run([HEDDLE, "cc", "-o", program, source], check=True)
        for line in read(page).split("\n"):
            if not line.startswith("|"):
                texts.append(line)
                continue
            cells = [c.strip() for c in line.strip("|").split(" | ")]
            if cells[0] == "what" or set(line) <= set("|-: "):
                continue
            rows += 1
            why = "it has not five columns" if len(cells) != 5 else wrong_row(cells, known, program)
            print(f"not ok {cells[0]}: {why}" if why else f"ok {cells[0]}")
        why = wrong_row(["\n".join(texts)], known, program)
        print(f"not ok the text: {why}" if why else "ok the text")
    print("ok there are rows" if rows > 60 else f"not ok there are rows: {rows}")


if __name__ == "__main__":
    main()
