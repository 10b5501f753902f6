#!/usr/bin/env python3
"""docs/messages.md: every message with which heddle refuses or gives up, from the source.

  tools/messages.py           write the page
  tools/messages.py --check   is the page up to date?

A message is the format of hd_err_set() and of hd_fatal().  A remedy is a clause of the message itself that tells the
reader to do something, or stands in a table here by the whole message: a wrong remedy is worse than none."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/messages.md"
CALL = re.compile(r"\b(hd_err_set|hd_fatal)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"|(PRI\w+|[A-Z][A-Z_]{3,})')
FORMAT = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
# A clause is a remedy if it begins with one of these verbs: it tells the reader to do something.
DO = ("add", "ask", "begin", "build", "call", "check", "choose", "chmod", "compile", "correct", "define", "explore", "give",
      "if you", "include", "install", "leave", "link", "look", "make", "put", "raise", "remove", "rename", "repair", "replace",
      "replay", "run", "say", "see", "set", "share", "split", "start", "take", "test", "try", "type", "unset", "use", "wait",
      "write")
CLAUSE = re.compile(r"[:;] (?=(?:%s) (?!failed|…))" % "|".join(DO))
# Remedies of messages that carry none, by the whole message.  A message that is not here has none.
REMEDIES = {
    "TMPDIR: the name is too long": "set TMPDIR to a shorter path",
    "neither HOME nor XDG_CONFIG_HOME names a folder": "set one of them",
    "--analysis needs an argument: off, fast, full or all": "give one of the four",
    "…: expected a number from … to …": "give a number in that range",
}
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


def argument(call, number):
    """One argument of a call, by its number from 0 on."""
    depth, inside, begin, i = 0, False, 0, 0
    while i < len(call):
        c = call[i]
        if inside and c == "\\":
            i += 1
        elif c == '"':
            inside = not inside
        elif not inside:
            depth += (c in "([{") - (c in ")]}")
            if c == "," and depth == 0:
                if number == 0:
                    break
                number, begin = number - 1, i + 1
        i += 1
    return call[begin:i] if number == 0 else ""


def formats(text):
    """The string literals of a format, neighbours joined; a choice between two gives two."""
    found, now, end = [], "", 0
    for match in LITERAL.finditer(text):
        if match.group(1) is None:
            if now and not match.group(2).startswith("PRI"):
                now, end = now + "…", match.end()
            continue
        if now and re.search(r"[?:]", text[end:match.start()]):
            found.append(now)
            now = ""
        now += match.group(1)
        end = match.end()
    return [f for f in found + [now] if f]


def shown(text):
    text = FORMAT.sub("…", text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\").replace("%%", "%"))
    return re.sub(r"(… ?)+…", "…", text).replace("|", "\\|").replace("<", "&lt;").strip()


def remedy(text):
    """The message up to its remedy, and the remedy; None if it has none."""
    if text in REMEDIES:
        return text, REMEDIES[text]
    for match in CLAUSE.finditer(text):
        head = text[:match.start()]
        if head.strip("… :") and head.count("(") == head.count(")"):
            return head, text[match.end():]
    return text, None


def order(message):
    return message.lower().lstrip("…: `-'"), message


def messages():
    """Of every folder that has messages: its title and what they say."""
    for folder, title in TITLES.items():
        seen = set()
        for path in sorted((ROOT / "src" / folder).rglob("*.c")):
            text = path.read_text()
            for match in CALL.finditer(text):
                at = 1 if match.group(1) == "hd_err_set" else 0
                seen.update(map(shown, formats(argument(arguments(text, match.end()), at))))
        seen = {m for m in seen if re.search(r"\w", m) and not m.startswith("internal error")}
        if seen:
            yield title, [remedy(m) for m in sorted(seen, key=order)]


def page():
    lines = ["# Messages", "",
             "Every line with which heddle refuses something or gives up, from its source (`tools/messages.py`; `…` stands for what",
             "the message names): first those that come with a remedy, then those that only [say what is wrong](#messages-that-say-what-is-wrong).",
             "One that begins with `internal error` is a defect of heddle: report it with the program and the command.",
             "Reasons why a result is not `verified` have [pages of their own](verdict.md#obligations); what violations mean is in the",
             "[guide](guide.md)."]
    found = list(messages())
    unused = set(REMEDIES) - {head for _, rows in found for head, what in rows if what}
    if unused:
        sys.exit(f"tools/messages.py: no message for the remedy of: {sorted(unused)}")
    for title, rows in found:
        if any(what for _, what in rows):
            lines += ["", f"## {title}", "", "| message | remedy |", "|---|---|"]
            lines += [f"| {head} | {what} |" for head, what in rows if what]
    lines += ["", "## Messages that say what is wrong", ""]
    bare = {head for _, rows in found for head, what in rows if not what}
    lines += [f"- {head}" for head in sorted(bare, key=order)]
    return "\n".join(lines) + "\n"


def main():
    made = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != made:
            sys.exit("docs/messages.md is not up to date: run tools/messages.py")
        return
    PAGE.write_text(made)


main()
