"""Compare a report with the same report on a terminal without end: screens.py NARROW WIDE WIDTH

Of the narrow one, no line is wider than WIDTH but for those that name files; every step that it shows has all of its words; of a line of source,
the number of the line is there.  Prints what is wrong; the exit status is 1 then."""
import re
import sys

FILES = re.compile(r"  (trace|replay|passes|found by trace): |\(the traces of |\(traces of an earlier ")
STEP = re.compile(r"( {0,4}\d+ [> ] |    !   )( *)(\S.*)$")
SOURCE = re.compile(r" {8,}\S*:(\d+)(  .*)?$")


def steps(lines):
    """By step number ("!" for what breaks): the words, without blanks."""
    found, last, column = {}, None, 0
    for line in lines:
        m = STEP.match(line)
        if m:
            last = m[1].strip(" >")
            column = len(m[1]) + len(m[2])
            found.setdefault(last, []).append(m[3])
        elif last and line.startswith(" " * (column + 4)) and line[column + 4:column + 5] not in ("", " "):
            found[last][-1] += line.strip()
        else:
            last = None
    return {n: [re.sub(r"\s", "", t) for t in texts] for n, texts in found.items()}


def main():
    narrow, wide = (open(name, encoding="utf-8").read().split("\n") for name in sys.argv[1:3])
    width, wrong = int(sys.argv[3]), []
    for line in narrow:
        if len(line) > width and not FILES.match(line):
            wrong.append(f"{len(line)} wide: {line}")
    full = steps(wide)
    shown = steps(narrow)
    if len(shown) < 3:
        wrong.append("no steps")
    for n, texts in shown.items():
        for text in texts:
            if text not in full.get(n, []):
                wrong.append(f"step {n}: {text} instead of {full.get(n)}")
    if not any(SOURCE.match(line) for line in narrow):
        wrong.append("no lines of source")
    print("; ".join(wrong[:5]))
    sys.exit(bool(wrong))


main()
