#!/usr/bin/env python3
"""RC11 a second time: sets of pairs, read-modify-writes as two events, the formulas of the paper.

    tests/oracle/axioms/second.py [--tools DIR] [--seed N] [--size THREADS,EVENTS,LOCATIONS] PROGRAMS

For each random program all orders of accesses and fences are weakened to relaxed: the graphs that the judge then gives
contain those of the program itself.  This script decides which of them RC11 allows with the orders that the program has.
They must be the graphs that the judge gives for the program.  Only the enumeration of the weakest graphs is shared."""
import argparse, os, re, subprocess, sys, tempfile

ACQUIRE, RELEASE = {"acquire", "acq_rel", "seq_cst"}, {"release", "acq_rel", "seq_cst"}
ORDER = r"\b(relaxed|acquire|release|acq_rel|seq_cst)\b"
OBJECT = {"lock": "acquire", "unlock": "release", "trylock": "acquire", "post": "release", "wait": "acquire",
          "trywait": "acquire", "enter": "relaxed", "leave": "relaxed", "signal": "relaxed", "broadcast": "relaxed"}


class Event:
    def __init__(self, thread, kind, place, order, is_object=False):
        self.thread, self.kind, self.place, self.order, self.is_object = thread, kind, place, order, is_object
        self.begins_round = False


def threads_of(text):
    """The statements of each thread as lists of words."""
    found = []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["thread"]:
            found.append([])
        elif words and found and words[0] != "exists":
            found[-1].append(words)
    return found


def skip(code, pc):
    """Behind the else or the end that belongs to the if or the else before pc."""
    depth = 0
    while True:
        word = code[pc][0]
        if depth == 0 and word in ("else", "end"):
            return pc + 1
        depth += (word == "if") - (word == "end")
        pc += 1


def arrival(label, threads):
    """The orders of an arrival at a barrier for so many threads.  It is an update of the number of arrivals that are
    missing.  The last one of a round sets it back and goes on; each other one is followed by a read from the last."""
    if int(label[2]) != threads:
        return ["release", "acquire"]
    return ["acq_rel" if threads > 1 else "release"]


def orders_of(code, labels, value_read, initial):
    """The order of each label of the thread, found by running it: value_read(k) is what its k-th event reads."""
    regs, pc, orders = {}, 0, []
    value = lambda w: regs.get(w, 0) if w[0] == "r" else int(w)
    while pc < len(code) and len(orders) < len(labels):
        words, to = code[pc], None
        pc += 1
        if words[0] == "if":
            if (value(words[1]) == value(words[3])) != (words[2] == "=="):
                pc = skip(code, pc)
            continue
        if words[0] in ("else", "end"):
            pc = skip(code, pc) if words[0] == "else" else pc
            continue
        if words[1:2] == ["="]:
            to, words = words[0], words[2:]
        k, op = len(orders), words[0]
        old, updates = value_read(k), labels[k][0] == "U"
        if op in ("load", "store", "add", "xchg", "fence"):
            orders.append(words[-1])
        elif op in ("cas", "weak"):
            orders.append(words[-2] if updates else words[-1])
            old = old if op == "cas" else int(updates)
        elif op == "cwait":
            orders += [OBJECT[part] for part in ("enter", "unlock", "leave", "lock")]
        elif op == "arrive":
            orders += arrival(labels[k], initial[words[1]])
        elif op in OBJECT:
            orders.append(OBJECT[op] if updates else "relaxed")
            old = int(updates)
        else:
            a, sign, b = (words + ["+", "0"])[:3]
            a, b = value(a), value(b)
            old = {"+": a + b, "-": a - b, "^": a ^ b, "&": a & b}[sign]
        if to:
            regs[to] = old
    return orders[:len(labels)]


def parse(line, codes, initial, objects, barriers):
    """Events and the relations sb, rf, rmw and mo, from the line of a graph."""
    parts = line.split("; ")
    labels = {int(p.split(":")[0]): re.findall(r"([RWUF])\((\w+)\)(?:=(-?\d+))?(?:/\d+)?(?:<(init|[\d.]+))?", p.split(":")[1])
              for p in parts if not p.startswith("mo(")}
    events, sb, rf, rmw, mo = {}, set(), set(), set(), set()
    for place in initial:
        events["init", place] = Event(0, "W", place, "plain", place in objects)
    written = {("init", p): v for p, v in initial.items()}
    for t, ls in labels.items():
        for k, (kind, _, v, _) in enumerate(ls):
            if kind in "WU":
                written[f"{t}.{k}"] = int(v)
    source = lambda label: ("init", label[1]) if label[3] == "init" else label[3]
    for t, ls in labels.items():
        orders = orders_of(codes[t - 1], ls, lambda k: written[source(ls[k])] if ls[k][3] else 0, initial)
        own = []
        for k, label in enumerate(ls):
            kind, place = label[0], label[1]
            for part in "RW" if kind == "U" else kind:
                name = (f"{t}.{k}", part)
                events[name] = Event(t, part, place, orders[k], place in objects)
                own.append(name)
                if part == "R":
                    at = source(label)
                    rf.add((at if at[0] == "init" else (at, "W"), name))
            if kind == "U":
                rmw.add(tuple(own[-2:]))
                events[own[-1]].begins_round = place in barriers and written[source(label)] == initial[place]
        sb |= {(a, b) for i, a in enumerate(own) for b in own[i + 1:]}
    sb |= {(i, e) for i in events if i[0] == "init" for e in events if e[0] != "init"}
    for place in initial:
        chain = [("init", place)]
        for p in parts:
            if p.startswith(f"mo({place})"):
                chain += [(x, "W") for x in p.split()[1:]]
        mo |= {(a, b) for i, a in enumerate(chain) for b in chain[i + 1:]}
    return events, sb, rf, rmw, mo


def seq(*relations):
    result = relations[0]
    for r in relations[1:]:
        after = {}
        for a, b in r:
            after.setdefault(a, set()).add(b)
        result = {(a, c) for a, b in result for c in after.get(b, ())}
    return result


def plus(r):
    while True:
        more = r | seq(r, r)
        if more == r:
            return r
        r = more


def irreflexive(r):
    return all(a != b for a, b in r)


def allows(events, sb, rf, rmw, mo):
    """RC11 with the release sequences of C++20."""
    every = {(e, e) for e in events}
    only = lambda test: {(n, n) for n, e in events.items() if test(e)}
    fence, rel, acq = only(lambda e: e.kind == "F"), only(lambda e: e.order in RELEASE), only(lambda e: e.order in ACQUIRE)
    # A read-modify-write releases by its write and acquires by its read.
    rel, acq = rel & only(lambda e: e.kind != "R"), acq & only(lambda e: e.kind != "W")
    atomic = only(lambda e: e.kind != "F" and e.order != "plain")
    shared = only(lambda e: not e.is_object)
    # What was released to one round of a barrier is not for those who leave the next one.
    goes_on = seq(rf, rmw, only(lambda e: not e.begins_round))
    rs = seq(only(lambda e: e.kind == "W") & atomic, plus(goes_on) | every)
    before, behind = seq(fence, sb, shared), seq(shared, sb, fence)
    sw = seq(rel, before | only(lambda e: e.kind == "W"), rs, rf, atomic, behind | only(lambda e: e.kind == "R"), acq)
    hb = plus(sb | sw)
    rb = {(a, b) for a, b in seq({(b, a) for a, b in rf}, mo) if a != b}
    eco = plus(rf | mo | rb)
    if not irreflexive(hb) or not irreflexive(seq(hb, eco)) or rmw & seq(rb, mo) or not irreflexive(plus(sb | rf)):
        return False
    same = {(a, b) for a in events for b in events if events[a].place == events[b].place and
            "F" not in (events[a].kind, events[b].kind)}
    esc = only(lambda e: e.order == "seq_cst")
    fsc = esc & fence
    scb = sb | seq(sb - same, hb, sb - same) | (hb & same) | seq(shared, mo | rb, shared)
    base = seq(esc | seq(fsc, hb | every), scb, esc | seq(hb | every, fsc))
    psc_f = seq(fsc, hb | seq(hb, shared, eco, hb), fsc)
    return irreflexive(plus(base | psc_f))


def judge(a, text, tmp):
    path = os.path.join(tmp, "program.ax")
    with open(path, "w") as f:
        f.write(text)
    out = subprocess.run([f"{a.tools}/axioms-judge", "--memory", "rc11", "--graphs", "--most", "400", path], check=True,
                         capture_output=True, text=True).stdout
    if "gave up" in out:
        return None
    normal = lambda line: re.sub(r"F\(\w+\)", "F(fence)", line.split(" ", 2)[2])
    return {normal(line) for line in out.splitlines() if re.match("rc11 (graph|deadlock) ", line)}


def differs(a, text, tmp, counts):
    """Why the two disagree about the program; None: they agree, or there are too many graphs."""
    weakest, wanted = judge(a, re.sub(ORDER, "relaxed", text), tmp), judge(a, text, tmp)
    if weakest is None or wanted is None:
        return None
    initial, objects, barriers = {}, set(), set()
    for kind, names in re.findall(r"^(loc|mutex|sem|cond|barrier) (.*)$", text, re.M):
        for name in names.split():
            name, _, v = name.partition("=")
            initial[name] = int(v or (kind == "barrier"))
            objects |= {name} if kind != "loc" else set()
            barriers |= {name} if kind == "barrier" else set()
    codes = threads_of(text)
    allowed = {line for line in weakest if allows(*parse(line, codes, initial, objects, barriers))}
    counts["programs"] += 1
    counts["graphs"] += len(allowed)
    counts["forbidden"] += len(weakest - allowed)
    if allowed != wanted:
        return f"{len(allowed - wanted)} graphs that the judge has not, {len(wanted - allowed)} that it has alone"
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tools", default=os.path.join(os.environ.get("B", "build"), "tests"))
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--size", default="3,3,2")
    p.add_argument("programs", type=int)
    a = p.parse_args()
    threads, events, locations = a.size.split(",")
    counts, failed = {"programs": 0, "graphs": 0, "forbidden": 0}, 0
    features = ["fence,seq_cst,cycle", "rmw,fence,seq_cst,cycle", "all", "rmw,seq_cst,fence,mutex,sem,branch,cycle",
                "fence,seq_cst,barrier"]
    with tempfile.TemporaryDirectory() as tmp:
        for seed in range(a.seed, a.seed + a.programs):
            kind = "random" if seed % 8 < 3 else "cycle"
            text = subprocess.run([f"{a.tools}/axioms-gen", kind, "--seed", str(seed), "--threads", threads, "--events",
                                   events, "--locations", locations, "--with", features[seed % len(features)]], check=True,
                                  capture_output=True, text=True).stdout
            why = differs(a, text, tmp, counts)
            if why:
                failed += 1
                print(f"not ok second opinion, seed {seed}: {why}")
    print(f"# {counts['programs']} programs: {counts['graphs']} graphs allowed, {counts['forbidden']} forbidden by their orders")
    if not failed and counts["forbidden"] > 0:
        print("ok second opinion on RC11")
    elif not failed:
        print("not ok second opinion on RC11: no order forbade anything")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
