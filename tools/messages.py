#!/usr/bin/env python3
"""docs/messages.md: every message with which heddle refuses or gives up, from the source.

  tools/messages.py           write the page
  tools/messages.py --check   is the page up to date?

A message is the format of hd_err_set() and of hd_fatal().  What stands behind its last colon, semicolon or in
parentheses is the remedy, if it tells somebody to do something."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/messages.md"
CALL = re.compile(r"\b(?:hd_err_set|hd_fatal)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|(PRI\w+|[A-Z][A-Z_]{3,})')
FORMAT = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
DO = ("give", "leave", "use", "raise", "see", "start", "test", "keep", "put", "replay", "remove", "type", "check", "compile",
      "write", "make", "run", "look", "let", "take", "name", "set", "install", "link", "build", "try", "repair", "replace",
      "say", "share", "allocate", "the same", "there are", "there is", "did you mean", "one ", "only ", "needs", "Debian", "or ",
      "with ", "`heddle", "--", "a larger", "not ", "choose", "split", "merge", "move", "free", "call", "read", "copy")
# What to do where the message itself does not say it: the first pattern that fits.
REMEDIES = [
    (r"internal error|heddle's own code|did not replay|unknown atomic|no worker can have", "A defect of heddle: report it with the program and the command."),
    (r"give --trust", "Look where the file is from; `--trust` if you know."),
    (r"before its main|come to its main", "Look at constructors and libraries: run the program by itself."),
    (r"cannot be (written|made|created)|cannot write|cannot create", "Make room there, or give another place; the system's reason is at the end."),
    (r"cannot be (read|opened|run|tried)|cannot (open|start|read|be watched)|wait failed|failed: …$",
     "Look at the path and its permissions; the system's reason is at the end."),
    (r"^interrupted", "Nothing: somebody interrupted it."),
    (r"expected a number|no number|is no number|from … to …", "Give a number in that range."),
    (r"belongs to another user|is open to others|not a regular file|no regular file|symbolic link",
     "Remove it, or give it back to its owner: others could change what heddle trusts."),
    (r"no JSON|no SARIF|is no (trace|unit|checkpoint|result)|damaged|of another version|checksum|too short|ends too early",
     "Make the file again: it was cut, changed, or is of another version."),
    (r"step …|the trace|schedule|choice=|thread '", "Check again, so that there is a trace of the program as it is."),
    (r"work unit|units?\\b|ledger|rank", "Split the search again, and keep the folder of its units as it is."),
    (r"checkpoint", "Begin the search anew, without `--resume`."),
    (r"fork|exec|is not supported|not modelled|is refused|cannot be (explored|modelled|undone|restored|put back)|no other process",
     "Leave the call out of the test, or put a function of your own in its place."),
    (r"too (large|many|much|long|deep|big)|more than|no room|out of memory|at most", "Make the test smaller."),
    (r"(option|argument|value|operand|names?|word)s?\\b|needs|^--|there are|contradict", "Look at `heddle COMMAND --help all`."),
    (r"link|undefined|defined twice|symbol|bitcode|module|code generation|compil|assembl|archive|object",
     "Compile and link all of the program with `heddle cc`, with one version of LLVM; `heddle doctor` looks at it."),
    (r"memory|mmap|map|descriptor|pipe|signal|sandbox|seccomp|process|thread", "Look at the limits of the system (`ulimit -a`); `heddle doctor` helps."),
]
TITLES = {"base": "Files and numbers", "core": "Tables", "compile": "Compiling and linking", "analyse": "Analysis",
          "instrument": "Instrumentation", "runtime": "While the program runs", "explore": "Exploration",
          "supervise": "Workers, checkpoints, replays", "strategy": "Strategies", "report": "Traces and warnings that are read",
          "cli": "Command line", "mpi": "Several machines"}


def arguments(text, at):
    """The text of a call from behind its parenthesis on, up to the one that closes it."""
    depth, inside, i = 1, False, at
    while depth:
        c = text[i]
        if inside and c == "\\":
            i += 1
        elif c == '"':
            inside = not inside
        elif not inside:
            depth += (c == "(") - (c == ")")
        i += 1
    return text[at:i - 1]


def formats(call):
    """The string literals of a call, neighbours joined; a choice between two gives two."""
    found, now, end = [], "", 0
    for match in LITERAL.finditer(call):
        if match.group(1) is None:
            continue
        if now and call[end:match.start()].strip(" \n\t"):
            found.append(now)
            now = ""
        now += match.group(1)
        end = match.end()
    return [f for f in found + [now] if len(f) > 12 and " " in f and f[0] not in "( "]


def shown(text):
    text = FORMAT.sub("…", text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\").replace("%%", "%"))
    return re.sub(r"(… ?)+…", "…", text).replace("|", "\\|").replace("<", "&lt;").strip()


def remedy(text):
    for mark in ("; ", ": ", ", or ", " ("):
        head, found, tail = text.rpartition(mark)
        if found and tail.lower().lstrip("`").startswith(tuple(d.lower().lstrip("`") for d in DO)):
            return head, tail.rstrip(")") if mark == " (" else tail
    head, found, tail = text.partition(": ")
    if found and tail.lower().startswith(tuple(d.lower() for d in DO)):
        return head, tail
    for pattern, words in REMEDIES:
        if re.search(pattern, text):
            return text, words
    return text, "The message names what is wrong."


def page():
    lines = ["# Messages", "",
             "Every line with which heddle refuses something or gives up, from its source (`tools/messages.py`; `…` stands for what",
             "the message names). Most say what to do themselves; of the others the tool knows what helps. Reasons why a result is not",
             "`verified` have [pages of their own](verdict.md#obligations); what violations mean is in the [guide](guide.md).", ""]
    for folder, title in TITLES.items():
        seen = {}
        for path in sorted((ROOT / "src" / folder).rglob("*.c")):
            text = path.read_text()
            for match in CALL.finditer(text):
                for literal in formats(arguments(text, match.end())):
                    seen.setdefault(shown(literal), path.name)
        if not seen:
            continue
        lines += [f"## {title}", "", "| message | remedy |", "|---|---|"]
        for message in sorted(seen, key=lambda m: m.lower().lstrip("…: `-")):
            head, what = remedy(message)
            lines.append(f"| {head} | {what} |")
        lines.append("")
    return "\n".join(lines)


def main():
    made = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != made:
            sys.exit("docs/messages.md is not up to date: run tools/messages.py")
        return
    PAGE.write_text(made)


main()
