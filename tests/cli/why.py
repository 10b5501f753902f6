"""Check every sentence of "why" in a JSON result against the trace of its run: why.py RESULT

A sentence names a read and the step from which the value comes.  The trace has each step's thread, place, object, size and values, so what the
sentence says is looked up there: the step is the last that writes any of the bytes, and "nobody" is nobody.  A write "before" a thread used
what it had read, or went on after a check of it, is the first of these bytes in between, another thread's, and of another value.  Prints what
is false; the exit status is 1 then, and 3 when there is no sentence."""
import json
import os
import re
import sys

WRITES = {"write", "atomic-write", "rmw", "cas", "copy", "free"}
READS = {"read", "atomic-read", "rmw", "cas", "cas-fail", "futex-read", "await"}
UNSEEN = {"atomic", "choose-inside", "outside", "outside-mapped"}
AT = r"(?: at (?P<{0}file>\S+?):(?P<{0}line>\d+))? \(step (?P<{0}step>\d+)\)"
READ = re.compile(r"(?P<thread>\S+) (?P<verb>read|checked) (?P<name>.+?) = (?P<value>\x22(?:[^\x22\\]|\\.)*\x22…?|\S+)" + AT.format("") + "(?P<rest>[:;] .*)$")
CHANGED = re.compile(r"; (?P<wrote>\S+ wrote .*) before (?P<thread>\S+) (?P<does>used it at|went on to) (?P<file>\S+):(?P<line>\d+)"
                     r"(?: \(step (?P<step>\d+)\))?$")
WROTE = re.compile(r"(?P<thread>\S+) wrote (?P<name>.+?) = (?P<value>\x22(?:[^\x22\\]|\\.)*\x22…?|\S+)" + AT.format("") + "(?P<rest>.*)$")
RANGE = re.compile(r"(?P<thread>\S+) wrote it as part of (?P<bytes>\d+) bytes" + AT.format("") + "$")
PART = re.compile(r"(?P<thread>\S+) wrote (?P<bytes>\d+) bytes? of it" + AT.format("") + "$")
LATER = re.compile(r"nobody had written it yet; then (?P<rest>.*)$")
CALL = re.compile(r"(?P<thread>\S+) called a function that may write it," + AT.format("") + "$")
LOST = re.compile(r" over the (?P<value>\x22(?:[^\x22\\]|\\.)*\x22…?|\S+) of (?P<thread>\S+) \(step (?P<step>\d+)\), which (?P<rest>.*)$")
SEEN = re.compile(r"(?P<thread>\S+) had not seen: it had read (?P<value>\x22(?:[^\x22\\]|\\.)*\x22…?|\S+) before \(step (?P<step>\d+)\)$")


def bytes_of(name, size):
    """(what it lies in, first byte, end)"""
    m = re.match(r"(.*?)([+-]\d+)?$", name)
    begin = int(m[2] or 0)
    return m[1], begin, begin + size


class Step:
    def __init__(self, line):
        words = line.split(" # ")[0].split(" ")
        self.n, self.thread, self.op = int(words[0]), words[1], words[2]
        plain = [w for w in words[3:] if not re.match(r"(size|read|wrote|site|at|in|choice|order)=", w)]
        self.field = dict(w.split("=", 1) for w in words[3:] if re.match(r"(size|read|wrote|site|at|in|choice|order)=", w))
        size = int(self.field.get("size", 0))
        self.ranges = [bytes_of(name, size) for name in plain]
        memory = self.op in WRITES or self.op in READS
        self.writes = self.ranges[:1] if self.op in WRITES else []
        self.reads = self.ranges[1:] if self.op == "copy" else self.ranges if memory and self.op in READS else []
        self.place = self.field.get("at", "").rsplit(":", 2)


def overlap(a, b):
    return any(x[0] == y[0] and x[1] < y[2] and y[1] < x[2] for x in a for y in b)


def steps_of(path):
    with open(path, encoding="utf-8") as file:
        return [Step(line.rstrip("\n")) for line in file if re.match(r"\d+ ", line)]


class Judge:
    def __init__(self, steps, violation):
        self.steps, self.violation, self.wrong = steps, violation, []

    def must(self, fine, what):
        if not fine:
            self.wrong.append(what)

    def step(self, m, what, field=None):
        """The step that the sentence names, if it is as the sentence says."""
        s = self.steps[int(m["step"]) - 1]
        self.must(s.n == int(m["step"]) and s.thread == m["thread"], f"{what}: it is not the thread's")
        groups = m.groupdict()
        if groups.get("line"):
            self.must(os.path.basename(s.place[0]) == m["file"] and s.place[1] == m["line"], f"{what}: another place")
        if field:
            self.must(field in s.field, f"{what}: the step has no value")
            if re.fullmatch(r"-?\d+|0x[0-9a-f]+", m["value"]) and field in s.field:
                differ = int(m["value"], 0) - int(s.field[field], 0)
                self.must(differ % (1 << 8 * int(s.field["size"])) == 0, f"{what}: another value")
        if groups.get("name") and s.ranges and re.fullmatch(r"\w+", s.ranges[0][0]):
            self.must(re.match(r"\w+", m["name"]) and re.match(r"\w+", m["name"])[0] == s.ranges[0][0], f"{what}: another object")
        return s

    def last_writer(self, before, ranges):
        for s in reversed(self.steps[:before - 1]):
            if s.op in UNSEEN:
                return "unseen"
            if overlap(s.writes, ranges):
                return s
        return None

    def lost(self, text, write):
        m = LOST.match(text)
        self.must(m, "unknown words" + text)
        if not m:
            return
        s = self.step(m, "lost", "wrote")
        self.must(s is self.last_writer(write.n, write.writes), "lost: it is not the last write before")
        self.must(s.writes == write.writes, "lost: of other bytes")
        between = [r for r in self.steps[s.n:write.n] if overlap(r.reads, s.writes)]
        if m["rest"] == "nobody had read":
            self.must(not between, "lost: somebody had read it")
            return
        base = SEEN.match(m["rest"])
        self.must(base and base["thread"] == write.thread, "lost: another thread had not seen it")
        self.must(not [r for r in between if r.thread == write.thread], "lost: it had seen it")
        r = self.step(base, "base", "read")
        self.must(r.n < s.n and r.reads == s.writes, "base: it is no read of it")

    def later(self, rest, read):
        """Whether somebody writes it after the read, and who is the first to write all of it, and only that."""
        m = LATER.match(rest)
        self.must(m or (rest == "nobody had written it in this run" and not self.after(read)), "nobody: somebody has written it since")
        if m:
            self.first_after(m["rest"], read)

    def after(self, read):
        return [s for s in self.steps[read.n:] if s.writes == read.reads and "wrote" in s.field]

    def first_after(self, text, read):
        wrote = WROTE.match(text)
        after = self.after(read)
        self.must(after and wrote and self.step(wrote, "later", "wrote") is after[0], "later: it is not the first")

    def changed(self, m, read, checked):
        """Who changed what was read before it was used: at a step, or where the program fails."""
        wrote = WROTE.match(m["wrote"])
        self.must(wrote and not wrote["rest"], "changed: unknown words")
        self.must(m["thread"] == read.thread, "changed: another thread")
        self.must((m["does"] == "went on to") == checked, "changed: only after a check a thread goes on")
        end = len(self.steps) + 1
        if m["step"]:
            end = self.step(m, "use").n
        else:
            at = self.violation["location"]
            self.must((os.path.basename(at["file"]), str(at["line"])) == (m["file"], m["line"]), "use: it does not fail there")
            self.must(m["thread"] == self.violation["thread"], "use: another thread fails")
        between = [s for s in self.steps[read.n:end - 1] if s.op in UNSEEN or overlap(s.writes, read.reads)]
        s = self.step(wrote, "changed", "wrote")
        # The first of all, or the first of a thread whose order decides, if none of the reader's own is among those before.
        of = {d[side]["thread"] for d in self.violation.get("deciding", []) for side in ("late", "early")}
        first = next((k for k, b in enumerate(between) if b.thread in of and b.field.get("wrote") != read.field["read"]), 0)
        told = between[:first + 1] if all(b.writes == read.reads and b.thread != read.thread for b in between[:first + 1]) else between[:1]
        self.must(told and s is told[-1] and s.writes == read.reads, "changed: it is not the write in between that is to be told")
        self.must(s.thread != read.thread and s.field.get("wrote") != read.field["read"], "changed: by itself, or to the same value")

    def source(self, rest, read):
        last = self.last_writer(read.n, read.reads)
        if rest.startswith("nobody had written it "):
            self.must(last is None, "somebody had written it")
            self.must(":" not in read.reads[0][0], "nobody: it is no global variable")
            self.later(rest, read)
            return
        if rest.startswith("the initial value"):
            self.must(last is not None, "nobody has written it since")
            return
        for pattern, field in ((RANGE, None), (PART, None), (CALL, None), (WROTE, "wrote")):
            m = pattern.match(rest)
            if m:
                break
        self.must(m, "unknown words: " + rest)
        if not m:
            return
        s = self.step(m, "write", field)
        self.must(s is last or "choice" in read.field, "write: it is not the last one")
        if pattern is CALL:
            self.must("wrote" not in s.field, "call: the log has its value")
            return
        w, r = s.writes[0], read.reads[0]
        if pattern is WROTE:
            self.must(w == r and s.field.get("wrote") == read.field["read"], "write: of other bytes, or of another value")
            lost, then, later = m["rest"].partition("; then ")
            if lost:
                self.lost(lost, s)
            if then:
                self.first_after(later, read)
        elif pattern is RANGE:
            self.must(w[1] <= r[1] and r[2] <= w[2] and w != r and int(m["bytes"]) == w[2] - w[1], "range: another one")
        else:
            both = min(w[2], r[2]) - max(w[1], r[1])
            self.must(both < r[2] - r[1] and int(m["bytes"]) == both, "part: another one")

    def sentence(self, text):
        m = READ.match(text)
        self.must(m, "unknown words: " + text)
        if m:
            read = self.step(m, "read", "read")
            self.must(bool(read.reads), "read: it reads nothing")
            rest = m["rest"]
            changed = CHANGED.search(rest)
            if changed:
                self.changed(changed, read, m["verb"] == "checked")
                rest = rest[:changed.start()]
            self.must(rest or changed, "nothing about it")
            if rest:
                self.source(rest[2:], read)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        violations = json.load(file)["violations"]
    n = 0
    wrong = []
    for v in violations:
        for text in v.get("why", []):
            judge = Judge(steps_of(v["trace"]), v)
            judge.sentence(text)
            n += 1
            wrong += [f"{text}: {w}" for w in judge.wrong]
    print("\n".join(wrong))
    return 1 if wrong else 0 if n else 3


sys.exit(main())
