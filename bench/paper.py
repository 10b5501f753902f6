#!/usr/bin/env python3
"""Every table and plot of the five documents on one page: bench/paper.py [-o FILE] [--only PART,PART] [--from DIR]

Runs the scripts that make the pages of bench/ (scale, directed, hybrid), puts their pages on one HTML page with the plots
in it, and compares every count with the committed page: a difference is marked on the page, printed, and makes the exit
status 1.  Times are not compared, nor numbers of searches that their time limit has cut; those that are committed are
listed, so that a slow machine does not pass for a comparison.  With --from the pages of that
folder are taken instead of running anything."""

import argparse
import html
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# The parts, the documents that they are about, and the limits with which all of them take less than half an hour on two
# processors.  A search that needs more than the limit is shown as cut and not compared.
PARTS = {
    "scale": ("Florian, SCALE (2010)", {"LIMIT": "25s"}),
    "directed": (
        "Noonan (2014); Rungta and Mercer, Slicing and Dicing (2010) and A Meta Heuristic (2008)",
        {"ONE": "5s", "SECONDS_EACH": "2s"},
    ),
    "hybrid": ("Parízek, Hybrid Partial Order Reduction (2016)", {"LIMIT": "20s"}),
}

STYLE = """body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { border: 1px solid #ccc; padding: 2px 7px; text-align: right } th { background: #f2f2f2 }
th:first-child, td:first-child { text-align: left } td.published { background: #eef4fb } td.uncompared { color: #777 }
td { white-space: nowrap } section { overflow-x: auto } p.item { margin: 0.3em 0 0.3em 1.2em }
td.differs { background: #f6c7c0; font-weight: bold } nav li { margin: 2px 0 } code { background: #f5f5f5 }"""


def pages_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


def cells_of(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def tables(lines):
    """The tables of a page by heading and number under it: {(heading, n): (columns, {first cell: row})}."""
    heading, n, found, inside = "", 0, {}, False
    for line in lines:
        if line.startswith("#"):
            heading, n = line.lstrip("# "), 0
        if not line.startswith("|"):
            inside = False
        elif not inside:
            inside, key = True, (heading, n)
            n += 1
            found[key] = (cells_of(line), {})
        elif not set(line) <= set("|-: "):
            cells = cells_of(line)
            found[key][1][cells[0]] = cells
    return found


def is_published(part, column):
    """Is it a column of what was published?  Names of ours are presets, in small letters or code."""
    if column.endswith(("published", " p.")):
        return True
    if part == "hybrid":
        return column in ("HR", "HR + fields", "dynamic", "hybrid")
    if part == "scale":
        return bool(re.match(r"SCALE|Inspect|CHESS", column))
    return column in ("clock vectors", "JPF's POR", "K ≤ 5", "HGS", "slice-n-dice (complete)")


def count_of(part, heading, columns, row, i):
    """What is compared of a cell: a text without times; None if its value depends on the time."""
    cell, column = row[i], columns[i]
    if i == 0 or is_published(part, column):
        return cell
    if cell in ("", "-", "–") or cell.startswith(">") or column in ("s", "seconds"):
        return None
    if part == "scale":
        if heading.startswith("Figures") and row[0] in ("restart", "undo"):  # microseconds
            return None
        if heading.startswith("A cache") and row[-1] != "verified":
            return None
        return re.sub(r" \([\d.]+\)$", "", cell)
    if part == "hybrid":
        return None if heading.startswith("Determinacy") and row[-1] == "no" else cell
    if column in ("`hgs-jpf`", "`slice-n-dice:SEED`"):  # all seeds got through, or it is a matter of time
        return cell if cell.endswith("(100 %)") else None
    if column == "ours":  # random depth-first search: how often it was through in time
        return None
    if column in ("density", "min", "average", "max"):
        at = max(k for k in range(i + 1) if columns[k] == "density")
        return cell if row[at] == "1" else None
    return re.sub(r", \d+ ms\)$", ")", cell)


class Part:
    """A page, and how it differs from the committed one."""

    def __init__(self, name, lines, committed):
        self.name, self.lines = name, lines
        self.wanted, self.compared, self.uncompared, self.wrong = tables(committed), 0, 0, []
        self.unreached = []  # counts that are committed, and that this run did not come to in its time
        self.marks = {}  # (heading, n, first cell, column) -> class of the cell, what was committed
        for key, (columns, rows) in tables(lines).items():
            self.compare(key, columns, rows)
        for key, (_, rows) in self.wanted.items():
            now = tables(lines).get(key, ((), {}))[1]
            for row in rows:
                if row not in now:
                    self.wrong.append(f"{name}: {key[0]}: there is no line {row} any more")

    def compare(self, key, columns, rows):
        old_columns, old_rows = self.wanted.get(key, ((), {}))
        for first, row in rows.items():
            old = old_rows.get(first)
            if old is None or len(old) != len(row) or list(old_columns) != columns:
                self.wrong.append(f"{self.name}: {key[0]}: the line {first} is not in the committed page; write that again")
                continue
            for i in range(1, len(row)):
                got, want = (count_of(self.name, key[0], columns, r, i) for r in (row, old))
                kind = "published" if is_published(self.name, columns[i]) else ""
                if got is None or want is None:
                    self.uncompared += 1
                    if want is not None:
                        self.unreached.append(f"{self.name}: {key[0]}: {first}, {columns[i]}: committed {want}")
                    self.marks[key, first, i] = ("uncompared", None)
                    continue
                self.compared += 1
                if got != want:
                    kind = "differs"
                    self.wrong.append(f"{self.name}: {key[0]}: {first}, {columns[i]}: {got}, committed {want}")
                self.marks[key, first, i] = (kind, want if got != want else None)


def inline(text):
    parts = re.split(r"(`[^`]*`)", text.replace("\\*", "∗"))
    for i, part in enumerate(parts):
        if part.startswith("`"):
            parts[i] = f"<code>{html.escape(part.strip('`'))}</code>"
        else:
            part = html.escape(part, quote=False)
            part = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", part)
            part = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", part)
            parts[i] = re.sub(r"\*([^*]+)\*", r"<i>\1</i>", part)
    return "".join(parts)


def table_html(part, key, lines):
    out, columns = ["<table>"], cells_of(lines[0])
    out.append("<tr>" + "".join(f"<th>{inline(c)}</th>" for c in columns) + "</tr>")
    for line in lines[1:]:
        if set(line) <= set("|-: "):
            continue
        row, cells = cells_of(line), []
        for i, cell in enumerate(row):
            kind, was = part.marks.get((key, row[0], i), ("", None))
            text = inline(cell) + (f" <small>committed: {html.escape(was)}</small>" if was else "")
            cells.append(f'<td class="{kind}">{text}</td>' if kind else f"<td>{text}</td>")
        out.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join(out + ["</table>"])


def image(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return f'<div>{re.sub(r"<[?!].*?>", "", f.read())}</div>'


def figure_6(lines):
    """Figure 6 of the meta heuristic, drawn from its table."""
    key = ("The meta heuristic", 1)
    found = tables(lines)
    if key not in found:
        return ""
    columns, rows = found[key]
    points = [f"states\t{r[0]}\t{r[columns.index('average')]}" for r in rows.values()]
    command = ["awk", "-v", "title=Places of the sequence (meta heuristic, Figure 6)", "-v", "xlabel=places",
               "-v", "ylabel=states until the error", "-f", os.path.join(ROOT, "bench/plot.awk")]
    drawn = subprocess.run(command, input="\n".join(points) + "\n", capture_output=True, text=True, check=True)
    return f"<div>{drawn.stdout}</div>"


def blocks(lines):
    """Headings, tables, images, lists and paragraphs: [(kind, lines)]."""
    found = []
    for line in lines:
        kind = ("heading" if line.startswith("#") else "table" if line.startswith("|") else
                "image" if line.startswith("![") else "blank" if not line.strip() or line.startswith("<!--") else
                "item" if re.match(r"(-|\d+\.) ", line) else "text")
        if kind == "text" and found and found[-1][0] in ("text", "item"):
            found[-1][1].append(line.strip())
        elif kind == "table" and found and found[-1][0] == "table":
            found[-1][1].append(line)
        else:
            found.append((kind, [line]))
    return found


def part_html(part, folder):
    heading, n, out = "", 0, []
    for kind, text in blocks(part.lines):
        if kind == "heading":
            heading, n = text[0].lstrip("# "), 0
            level = min(len(text[0]) - len(text[0].lstrip("#")) + 1, 4)
            out.append(f"<h{level}>{inline(heading)}</h{level}>")
        elif kind == "table":
            out.append(table_html(part, (heading, n), text))
            if part.name == "directed" and (heading, n) == ("The meta heuristic", 1):
                out.append(figure_6(part.lines))
            n += 1
        elif kind == "image":
            out.append(image(folder, re.search(r"\((.*?)\)", text[0])[1]))
        elif kind == "item":
            mark, said = " ".join(text).split(" ", 1)  # rules are referred to by their numbers
            out.append(f'<p class="item">{"•" if mark == "-" else mark} {inline(said)}</p>')
        elif kind == "text":
            out.append(f"<p>{inline(' '.join(text))}</p>")
    return "\n".join(out)


def run_script(name, folder):
    """The page of a part, made again into the folder."""
    environment = {**PARTS[name][1], **os.environ}
    path = os.path.join(folder, name + ".md")
    if subprocess.run([f"bench/{name}.sh", "-o", path], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"bench/{name}.sh failed")


def page(parts, folder, seconds):
    out = ["<!DOCTYPE html><html lang=en><meta charset=utf-8><title>heddle beside the five documents</title>",
           f"<style>{STYLE}</style><h1>heddle beside the five documents</h1>",
           "<p>Blue: published. Grey: depends on the time, not compared. Red: not what the committed page has. "
           "Where each system, option and program is: docs/systems.md.</p><nav><ul>"]
    for part in parts:
        out.append(f'<li><a href="#{part.name}">{html.escape(PARTS[part.name][0])}</a>: {part.compared} cells compared, '
                   f"{len(part.wrong)} differences, {part.uncompared} not compared</li>")
    out.append(f"</ul></nav><p>Made in {seconds / 60:.1f} minutes.</p>" if seconds else "</ul></nav>")
    for part in parts:
        out.append(f'<section id="{part.name}">{part_html(part, folder)}</section>')
    return "\n".join(out) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("-o", default=os.path.join(ROOT, "bench/paper.html"))
    arguments.add_argument("--only", default=",".join(PARTS))
    arguments.add_argument("--from", dest="folder")
    given = arguments.parse_args()
    names = given.only.split(",")
    for name in names:
        if name not in PARTS:
            sys.exit(f"there is no part {name}: {', '.join(PARTS)}")
    begun, parts = time.monotonic(), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or scratch
        for name in names:
            if not given.folder:
                run_script(name, folder)
            committed = pages_of(os.path.join(ROOT, "bench", name + ".md"))
            parts.append(Part(name, pages_of(os.path.join(folder, name + ".md")), committed))
            print(f"{name}: {parts[-1].compared} cells compared, {parts[-1].uncompared} depend on the time, "
                  f"{len(parts[-1].unreached)} of which were committed and not reached", flush=True)
            for line in parts[-1].unreached:
                print(f"not reached in its time: {line}", flush=True)
        with open(given.o, "w", encoding="utf-8") as f:
            f.write(page(parts, folder, 0 if given.folder else time.monotonic() - begun))
    wrong = [w for part in parts for w in part.wrong]
    for line in wrong:
        print(f"differs: {line}")
    return 1 if wrong or any(part.compared == 0 for part in parts) else 0


if __name__ == "__main__":
    sys.exit(main())
