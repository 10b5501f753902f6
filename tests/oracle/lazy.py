#!/usr/bin/env python3
"""Lazy happens-before (an order without the edges of locks) as the dependence of a reduction: what is lost?

    tests/oracle/lazy.py [PROGRAMS]

A model of its own, which shares nothing with heddle: threads with locks and stores.  All interleavings; DPOR without sleep sets
(Flanagan and Godefroid); and the hybrid reduction's rule, by which other threads are tried where they may still touch the same.
With locks as conflicts both reductions must find every final state and every deadlock, on the programs of docs/scale.md and on
random ones.  Without them, both must lose something on the programs of the page: that is the claim which is tested."""
import random, sys

# A thread is a list of ("lock" | "unlock" | "store", object).
OPPOSITE = [[("lock", "a"), ("lock", "b"), ("unlock", "b"), ("unlock", "a")],
            [("lock", "b"), ("lock", "a"), ("unlock", "a"), ("unlock", "b")]]
SECTIONS = [[("lock", "m"), ("store", "x"), ("unlock", "m")], [("lock", "m"), ("store", "x"), ("unlock", "m")]]
COARSE = [[("lock", "m"), ("store", "x"), ("unlock", "m")], [("lock", "m"), ("store", "y"), ("unlock", "m")]]


def conflict(a, b, lazy):
    return a[1] == b[1] and not (lazy and (a[0] != "store" or b[0] != "store"))


class Machine:
    """pcs, owners of locks, who stored last."""

    def __init__(self, threads):
        self.threads = threads
        self.first = ((0,) * len(threads), (), ())

    def next(self, state, t):
        pc = state[0][t]
        return self.threads[t][pc] if pc < len(self.threads[t]) else None

    def enabled(self, state):
        held = dict(state[1])
        able = []
        for t in range(len(self.threads)):
            op = self.next(state, t)
            if op and not (op[0] == "lock" and op[1] in held):
                able.append(t)
        return able

    def step(self, state, t):
        pcs, owners, last = list(state[0]), dict(state[1]), dict(state[2])
        kind, x = self.next(state, t)
        pcs[t] += 1
        if kind == "lock": owners[x] = t
        elif kind == "unlock": del owners[x]
        else: last[x] = t
        return tuple(pcs), tuple(sorted(owners.items())), tuple(sorted(last.items()))


def brute(m):
    seen, todo = {m.first}, [m.first]
    ends = set()
    while todo:
        state = todo.pop()
        able = m.enabled(state)
        if not able: ends.add(state)
        for t in able:
            s = m.step(state, t)
            if s not in seen:
                seen.add(s)
                todo.append(s)
    return ends


def dpor(m, lazy):
    """Ends that are found, and complete executions."""
    ends, path, count = set(), [], [0]  # path: [state, thread, action, backtrack]

    def before(i, p):
        """Does step i happen before the next action of thread p?"""
        reach = {i}
        for k in range(i + 1, len(path)):
            if any(path[k][1] == path[j][1] or conflict(path[k][2], path[j][2], lazy) for j in reach):
                reach.add(k)
        return any(path[k][1] == p for k in reach)

    def explore(state):
        for p in range(len(m.threads)):
            op = m.next(state, p)
            for i in reversed(range(len(path) if op else 0)):
                if path[i][1] != p and conflict(path[i][2], op, lazy) and not before(i, p):
                    able = m.enabled(path[i][0])
                    path[i][3].update([p] if p in able else able)
                    break
        able = m.enabled(state)
        if not able:
            ends.add(state)
            count[0] += 1
            return
        todo, done = {able[0]}, set()
        while todo - done:
            t = min(todo - done)
            done.add(t)
            path.append([state, t, m.next(state, t), todo])
            explore(m.step(state, t))
            path.pop()

    explore(m.first)
    return ends, count[0]


def hybrid(m, lazy):
    """Other threads are tried where one of them may still do what conflicts with the thread's next action."""
    seen, todo, ends = {m.first}, [(m.first, None)], set()
    while todo:
        state, last = todo.pop()
        able = m.enabled(state)
        if not able: ends.add(state)
        stay = last if last in able else (able[0] if able else None)
        if stay is not None:
            op = m.next(state, stay)
            if not any(conflict(op, later, lazy) for t in range(len(m.threads)) if t != stay
                       for later in m.threads[t][state[0][t]:]):
                able = [stay]
        for t in able:
            s = m.step(state, t)
            if s not in seen:
                seen.add(s)
                todo.append((s, t))
    return ends


def draw(seed):
    rng = random.Random(seed)
    threads = []
    for _ in range(rng.choice((2, 2, 3))):
        ops, held = [], []
        for _ in range(rng.randint(1, 3)):
            free = [x for x in "ab" if x not in held]
            if free and rng.random() < 0.5:
                held.append(rng.choice(free))
                ops.append(("lock", held[-1]))
            else:
                ops.append(("store", rng.choice("xy")))
        threads.append(ops + [("unlock", x) for x in reversed(held)])
    return threads


def main():
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    passed = failed = 0

    def must(ok, what):
        nonlocal passed, failed
        passed, failed = passed + ok, failed + (not ok)
        if not ok: print(f"not ok {what}")

    opposite, sections = Machine(OPPOSITE), Machine(SECTIONS)
    deadlocked = [s for s in brute(opposite) if s[1]]
    must(len(deadlocked) == 1, "opposite orders have one deadlock")
    must(deadlocked[0] not in dpor(opposite, True)[0], "lazy DPOR loses the deadlock")
    must(deadlocked[0] not in hybrid(opposite, True), "lazy hybrid loses the deadlock")
    must(len(brute(sections)) == 2 and len(dpor(sections, True)[0]) == 1, "lazy DPOR loses an order of critical sections")
    must(dpor(Machine(COARSE), True) == (brute(Machine(COARSE)), 1) and dpor(Machine(COARSE), False)[1] == 2,
         "where nothing is shared under the lock it is right, and explores one execution for two")
    lost = {"DPOR": 0, "hybrid": 0}
    for seed in range(programs):
        m = Machine(draw(seed))
        ends = brute(m)
        must(dpor(m, False)[0] == ends, f"seed {seed}: DPOR")
        must(hybrid(m, False) == ends, f"seed {seed}: hybrid")
        lost["DPOR"] += dpor(m, True)[0] != ends
        lost["hybrid"] += hybrid(m, True) != ends
    print(f"# of {programs} random programs {lost['DPOR']} lose a final state or deadlock by lazy DPOR, {lost['hybrid']} by lazy hybrid")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
