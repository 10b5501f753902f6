#!/usr/bin/env python3
"""Are the sentences about stale steps true?  tests/memory/stale.py JSON COMPILER-FLAGS SOURCE...

JSON is a report of `heddle check`.  What it says of the stale steps of each violation (`stale`) is held against the
steps of the trace and the source after the preprocessor, and nothing else of heddle:

  the modification order of each variable follows from `choice` of the steps, the number of newer stores;
  the store that is read, and the newer one, exist, by that thread, with that value, in that order;
  the newer store does not happen before the stale step, by program order, creations, joins and locks alone;
  each access that is blamed exists: an access of that kind and variable at that line, and in the source its order is as weak.

Prints what is wrong, one line each, and how many sentences were looked at."""
import json, re, subprocess, sys

ORDERS = r"memory_order_(relaxed|consume|acquire|release|acq_rel|seq_cst)"
NOUNS = {"load": {"atomic-read"}, "store": {"atomic-write"}, "read-modify-write": {"rmw"},
         "compare-exchange": {"cas", "cas-fail"}, "fence": {"fence"}, "load of the futex wait": {"futex-read"}}
STORES = {"atomic-write", "rmw", "cas", "write"}
STORE = r"(?P<{0}t>\S+)'s (?P<{0}v>.+?)(?: = (?P<{0}x>.+?))?"
SENTENCE = re.compile(
    r"(?:reads (?:(?P<initial>the initial value)|" + STORE.format("r") + r" of step (?P<rs>\d+))"
    r"(?:; " + STORE.format("n") + r" \(step (?P<ns>\d+)\) need not be visible: (?P<why>.*))?"
    r"|is overwritten by " + STORE.format("o") + r" of step (?P<os>\d+), which is later in the modification order: (?P<owhy>.*))$")
BLAME = re.compile(r"the (load of the futex wait|load|store|read-modify-write|compare-exchange|fence)(?: of (.+?))? at ([^:\s]*):(\d+)"
                   r"(?: (is relaxed|does not release|does not acquire(?: when it fails)?))?")


def steps_of(trace):
    """The steps by number: thread, op, object, place, choice, values."""
    steps = {}
    for line in open(trace):
        line = line.split(" # ")[0].strip()
        m = re.match(r"(\d+) (\S+) (\S+)(.*)$", line)
        if not m:
            continue
        rest = re.split(r"\s(?=[a-z]+=)", m[4])
        s = {"n": int(m[1]), "thread": m[2], "op": m[3], "object": rest[0].strip(), "choice": "0", "read": None, "wrote": None}
        s.update(word.split("=", 1) for word in rest[1:])
        s["file"], s["line"] = (s["at"].split(":")[:2] if "at" in s else (None, "0"))
        steps[s["n"]] = s
    return steps


def follow(steps):
    """For each step of an atomic variable the step whose store it reads (0: the initial value), and all orders of modification."""
    orders, reads = {}, {}
    for n, s in steps.items():
        if s["op"] not in STORES | {"atomic-read", "cas-fail", "futex-read"}:
            continue
        if s["op"] == "write" and s["object"] not in orders:
            continue
        mo = orders.setdefault(s["object"], [0])
        at = len(mo) - 1 - (int(s["choice"]) if s["op"] != "write" else 0)
        if s["op"] != "atomic-write" and s["op"] != "write":
            reads[n] = mo[at]
        if s["op"] in STORES:
            mo.insert(at + 1, n)
    return reads, orders


def happens_before(steps, a, b):
    """Does a happen before b, by program order, creation, join and locks?"""
    reached, threads = {a}, {}
    for n, s in steps.items():
        t = threads.setdefault(s["thread"], [])
        known = any(x in reached for x in t)
        if s["op"] == "start":
            known |= any(m in reached for m, c in steps.items() if c["op"] == "create" and c["object"] == s["thread"] and m < n)
        if s["op"] == "join":
            known |= any(x in reached for x in threads.get(s["object"], []))
        if s["op"] == "lock":
            known |= any(m in reached for m, u in steps.items() if u["op"] == "unlock" and u["object"] == s["object"] and m < n)
        t.append(n)
        if known:
            reached.add(n)
    return b in reached


def source_orders(flags):
    """By base name of the file and line: the memory orders that the preprocessed line names."""
    text = subprocess.run(["clang-19", "-E"] + flags, capture_output=True, text=True, check=True).stdout
    found, file, line = {}, "", 0
    for row in text.split("\n"):
        m = re.match(r'# (\d+) "([^"]*)"', row)
        if m:
            line, file = int(m[1]), m[2].rsplit("/", 1)[-1]
            continue
        for order in re.findall(ORDERS, row):
            found.setdefault((file, line), set()).add(order)
        line += 1
    return found


def base(variable):
    """A trace has nodes+24 for nodes[1].waiting."""
    return re.split(r"[+.\[-]", variable)[0]


def same(said, is_):
    """Values are compared as numbers; other notations are not looked at."""
    if said is None or is_ is None:
        return True
    try:
        return (int(said, 0) - int(is_, 0)) % 256 == 0
    except ValueError:
        return True


class Sentence:
    def __init__(self, stale, steps, orders_at):
        self.s, self.steps, self.orders_at = stale, steps, orders_at
        self.step = steps[stale["step"]]
        self.wrong = []

    def want(self, holds, what):
        if not holds:
            self.wrong.append(f"step {self.s['step']}: {what}: {self.s['message']}")

    def store(self, number, thread, variable, value):
        t = self.steps.get(number)
        self.want(t and t["op"] in STORES, f"step {number} is no store")
        if not t or t["op"] not in STORES:
            return
        self.want(t["thread"] == thread, f"step {number} is one of {t['thread']}")
        self.want(t["object"] == self.step["object"] and variable == self.s["variable"], f"step {number} is of {t['object']}")
        self.want(same(value, t["wrote"]), f"step {number} has stored {t['wrote']}")

    def blame(self, why):
        blamed = BLAME.findall(why)
        self.want(blamed or why == "nothing orders them", "an unknown reason")
        both = why.endswith(" are relaxed")
        for noun, variable, file, line, fault in blamed:
            file = file or self.step["file"]
            at = [t for t in self.steps.values() if t["op"] in NOUNS[noun] and base(t["object"]) == base(variable) and t["line"] == line and
                  t["file"].rsplit("/", 1)[-1] == file.rsplit("/", 1)[-1]]
            self.want(at, f"there is no {noun} of {variable} at line {line}")
            named = self.orders_at.get((file.rsplit("/", 1)[-1], int(line)))
            weak = {"does not release": {"relaxed", "consume", "acquire"}, "does not acquire": {"relaxed", "release"}}
            if named and fault != "does not acquire when it fails":
                self.want(named & weak.get(fault, {"relaxed"}), f"line {line} has {', '.join(sorted(named))}")
            self.want(fault or both, f"nothing is said of the order at line {line}")

    def check(self, reads, orders):
        m = SENTENCE.match(self.s["message"])
        self.want(m, "cannot be read")
        if not m:
            return self.wrong
        mo, n = orders.get(self.step["object"], [0]), self.s["step"]
        if m["os"]:
            newer, at = int(m["os"]), n
            self.store(newer, m["ot"], m["ov"], m["ox"])
            self.blame(m["owhy"])
        else:
            at = 0 if m["initial"] else int(m["rs"])
            self.want(reads.get(n) == at, f"the trace reads step {reads.get(n)}")
            self.want(self.s["reads_from"] == (at or None), "another store in reads_from")
            if at:
                self.store(at, m["rt"], m["rv"], m["rx"])
                self.want(same(m["rx"], self.step["read"]), f"the step has read {self.step['read']}")
            newer = int(m["ns"]) if m["ns"] else 0
            if newer:
                self.store(newer, m["nt"], m["nv"], m["nx"])
                self.blame(m["why"])
        self.want(newer == self.s.get("newer", 0), "another store in newer")
        if newer and newer in mo and at in mo:
            self.want(mo.index(newer) > mo.index(at), f"step {newer} is not newer than step {at}")
            self.want(not happens_before(self.steps, newer, n), f"step {newer} happens before the step")
        return self.wrong


def main():
    report = json.load(open(sys.argv[1]))
    orders_at, looked = source_orders(sys.argv[2:]), 0
    for violation in report["violations"]:
        if not violation.get("stale"):
            continue
        steps = steps_of(violation["trace"])
        reads, orders = follow(steps)
        for stale in violation["stale"]:
            looked += 1
            for line in Sentence(stale, steps, orders_at).check(reads, orders):
                print(line)
    print(f"{looked} sentences")


main()
