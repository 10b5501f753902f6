"""Programs of a few threads with loops: made at random, written as C, and run in all ways."""
import functools, random

WORDS, LOCKS, VALUES, MOST_STATES = 2, 2, 3, 4000


class TooLarge(Exception):
    pass


def plain(rng):
    """One instruction that comes from nowhere."""
    kind = rng.choice(["load", "load", "load", "store", "store", "copy", "cas", "try", "lock", "unlock", "inc",
                       "assert", "yield"])
    if kind == "assert":
        return [("assert", rng.randint(1, VALUES - 1))]
    if kind in ("try", "lock", "unlock"):
        return [(kind, rng.randrange(LOCKS))]
    if kind == "cas":
        return [(kind, rng.randrange(WORDS), rng.randrange(VALUES), rng.randrange(VALUES))]
    if kind == "store":
        return [(kind, rng.randrange(WORDS), rng.randrange(VALUES))]
    return [(kind, rng.randrange(WORDS))] if kind in ("load", "copy") else [(kind,)]


def jump(rng, at, toggles):
    target = rng.randint(0, 7)
    turn = [("toggle",)] if target <= at and toggles else []
    turn += [("load", rng.randrange(WORDS))] if rng.random() < 0.7 else []
    return turn + [("jump", rng.choice(["eq", "eq", "ne"] if target <= at else ["always", "eq", "ne"]), rng.randrange(VALUES), target)]


def spin(rng, at, toggles):
    """Until a word has a value; until a word, or a lock, has been taken; while one has a value, with
    something done in between."""
    turn = [("toggle",)] if toggles else []
    kind = rng.choice(["until", "take", "try", "while"])
    word, value = rng.randrange(WORDS), rng.choice([0, 1, 1, 2])
    if kind == "until":
        return turn + [("load", word), ("jump", "ne", value, at)]
    if kind == "take":
        return turn + [("cas", word, 0, 1), ("jump", "eq", 0, at)] + plain(rng) + [("store", word, 0)]
    if kind == "try":
        lock = rng.randrange(LOCKS)
        return turn + [("try", lock), ("jump", "eq", 0, at)] + plain(rng) + [("unlock", lock)]
    body, value = turn + plain(rng) + plain(rng), rng.choice([0, 0, 1, 2])
    return [("load", word), ("jump", "ne", value, at + len(body) + 3)] + body + [("jump", "always", 0, at)]


def thread(rng, toggles, spins):
    code = []
    for _ in range(rng.randint(2, 4) if spins else rng.randint(3, 6)):
        if spins and rng.random() < 0.35:
            code += spin(rng, len(code), toggles)
        elif rng.random() < 0.2:
            code += jump(rng, len(code), toggles)
        else:
            code += plain(rng)
    return [c[:3] + (min(c[3], len(code)),) if c[0] == "jump" else c for c in code]


def generate(seed):
    rng = random.Random(seed)
    toggles, spins = seed % 2 == 0, rng.random() < 0.7
    return [thread(rng, toggles, spins) for _ in range(rng.choice([2, 2, 3]))], toggles


def has_loop(threads):
    return any(c[0] == "jump" and c[3] <= i for code in threads for i, c in enumerate(code))


CALLS = """
#define CALLED __attribute__((noinline)) static
CALLED int get(int i) { return atomic_load(&w[i]); }
CALLED void put(int i, int to) { atomic_store(&w[i], to); }
CALLED int swap(int i, int from, int to) { return atomic_compare_exchange_strong(&w[i], &from, to); }
CALLED int attempt(int i) { return pthread_mutex_trylock(&m[i]) == 0; }
CALLED void take(int i) { pthread_mutex_lock(&m[i]); }
CALLED void give(int i) { pthread_mutex_unlock(&m[i]); }
"""


def called(c):
    """By a function that does so for any word or lock: of a point of the code nothing follows then."""
    return {"load": "r = get({1});", "store": "put({1}, {2});", "copy": "put({1}, r);",
            "cas": "r = swap({1}, {2}, {3});", "try": "if (!held[{1}]) held[{1}] = r = attempt({1});",
            "lock": "if (!held[{1}]) take({1}), held[{1}] = 1;",
            "unlock": "if (held[{1}]) give({1}), held[{1}] = 0;"}.get(c[0], "").format(*c)


def statement(t, i, c):
    kind = c[0]
    if kind == "load":
        return f"r = atomic_load(&w[{c[1]}]);"
    if kind == "store":
        return f"atomic_store(&w[{c[1]}], {c[2]});"
    if kind == "copy":
        return f"atomic_store(&w[{c[1]}], r);"
    if kind == "cas":
        return f"{{ int e = {c[2]}; r = atomic_compare_exchange_strong(&w[{c[1]}], &e, {c[3]}); }}"
    if kind == "try":
        return f"if (!held[{c[1]}]) held[{c[1]}] = r = pthread_mutex_trylock(&m[{c[1]}]) == 0;"
    if kind == "lock":
        return f"if (!held[{c[1]}]) {{ pthread_mutex_lock(&m[{c[1]}]); held[{c[1]}] = 1; }}"
    if kind == "unlock":
        return f"if (held[{c[1]}]) {{ pthread_mutex_unlock(&m[{c[1]}]); held[{c[1]}] = 0; }}"
    if kind == "toggle":
        return f"k = 1 - k; atomic_store(&own[{t}], k);"
    if kind == "inc":
        return f"r = (r + 1) % {VALUES};"
    if kind == "yield":
        return "sched_yield();"
    if kind == "assert":
        return f"assert(r != {c[1]} && {1000 * t + i} >= 0);"
    return {"always": "", "eq": f"if (r == {c[2]}) ", "ne": f"if (r != {c[2]}) "}[c[1]] + f"goto L{c[3]};"


HEAD = """#include <assert.h>
extern void heddle_observe(const void *, unsigned long);
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int w[2], own[3];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
"""
TAIL = """
int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t[3];
    long seen[5] = { 0 };
    for (int i = 0; i < sizes[number]; i++)
        pthread_create(&t[i], 0, all[number][i], 0);
    for (int i = 0; i < sizes[number]; i++) {
        void *result;
        pthread_join(t[i], &result);
        seen[i] = (long)result;
    }
    seen[3] = w[0];
    seen[4] = w[1];
    heddle_observe(seen, sizeof seen);
    return 0;
}
"""


def render_one(number, threads, out, calls=False):
    for t, code in enumerate(threads):
        out.append(f"static void *p{number}_{t}(void *unused)\n{{")
        out.append("    int r = 0, k = 0, held[2] = { 0, 0 };\n    (void)unused;")
        out += [f"L{i}:\n    {calls and called(c) or statement(t, i, c)}" for i, c in enumerate(code)]
        out.append(f"L{len(code)}:\n    (void)k, (void)held;\n    return (void *)(long)r;\n}}\n")
    names = ", ".join(f"p{number}_{t}" for t in range(len(threads)))
    out.append(f"static void *(*const p{number}[])(void *) = {{ {names} }};\n")


def render(programs, by_calls):
    out = [HEAD, CALLS]
    for number, (threads, calls) in enumerate(zip(programs, by_calls)):
        render_one(number, threads, out, calls)
    out.append("static void *(*const *const all[])(void *) = { "
               + ", ".join(f"p{n}" for n in range(len(programs))) + " };")
    out.append("static const int sizes[] = { " + ", ".join(str(len(p)) for p in programs) + " };")
    return "\n".join(out) + TAIL


def hash_of_finals(machine):
    return fnv([results + (0,) * (3 - len(results)) + words for results, words in machine.finals])


def fnv(observations):
    """As heddle_observe has it: FNV-1a of the bytes, and of all of them the xor."""
    total = 0
    for seen in observations:
        h = 0xcbf29ce484222325
        for byte in b"".join(v.to_bytes(8, "little") for v in seen):
            h = (h ^ byte) * 0x100000001b3 & (1 << 64) - 1
        total ^= h
    return f"{total:016x}"


class Machine:
    """A state is (threads, words, locks): a thread is (pc, r, k, held) before a visible
    instruction or at its end, a lock its owner or -1."""

    def __init__(self, threads):
        self.threads = threads
        self.failed, self.finals = set(), set()
        self.stuck = False
        self.explore()

    @functools.cached_property
    def endless(self):
        return self.fair()

    def fair(self):
        return self.fair_in(set(self.can), self.edges)

    def local(self, t, pc, r, k, held):
        """Goes on to the next visible instruction; None: an assertion fails on the way."""
        code, turns = self.threads[t], 0
        while pc < len(code):
            c, turns = code[pc], turns + 1
            if turns > 50:
                raise TooLarge  # a loop without a visible instruction
            if c[0] == "jump":
                goes = c[1] == "always" or (r == c[2]) == (c[1] == "eq")
                pc = c[3] if goes else pc + 1
            elif c[0] == "inc":
                r, pc = (r + 1) % VALUES, pc + 1
            elif c[0] == "assert":
                if r == c[1]:
                    self.failed.add(1000 * t + pc)
                    return None
                pc += 1
            elif (c[0] in ("lock", "try") and held[c[1]]) or (c[0] == "unlock" and not held[c[1]]):
                pc += 1
            else:
                break
        return (pc, r, k, held)

    def enabled(self, state):
        ts, _, locks = state
        for t, (pc, _, _, _) in enumerate(ts):
            if pc < len(self.threads[t]):
                c = self.threads[t][pc]
                if c[0] != "lock" or locks[c[1]] == -1:
                    yield t

    def step(self, state, t):
        ts, words, locks = state
        pc, r, k, held = ts[t]
        c = self.threads[t][pc]
        words, locks, held = list(words), list(locks), list(held)
        if c[0] == "load":
            r = words[c[1]]
        elif c[0] == "store":
            words[c[1]] = c[2]
        elif c[0] == "copy":
            words[c[1]] = r
        elif c[0] == "cas":
            hit = words[c[1]] == c[2]
            if hit:
                words[c[1]] = c[3]
            r = int(hit)
        elif c[0] in ("try", "lock"):
            free = locks[c[1]] == -1
            if free:
                locks[c[1]], held[c[1]] = t, 1
            if c[0] == "try":
                r = int(free)
        elif c[0] == "unlock":
            locks[c[1]], held[c[1]] = -1, 0
        elif c[0] == "toggle":
            k = 1 - k
        after = self.local(t, pc + 1, r, k, tuple(held))
        if after is None:
            return None
        return (ts[:t] + (after,) + ts[t + 1:], tuple(words), tuple(locks))

    def explore(self):
        first = tuple(self.local(t, 0, 0, 0, (0,) * LOCKS) for t in range(len(self.threads)))
        self.can, self.edges = {}, []
        if None in first:
            raise TooLarge  # broken at once
        todo = [(first, (0,) * WORDS, (-1,) * LOCKS)]
        self.can[todo[0]] = None
        while todo:
            s = todo.pop()
            can = self.can[s] = set(self.enabled(s))
            if not can:
                if all(th[0] >= len(self.threads[t]) for t, th in enumerate(s[0])):
                    self.finals.add((tuple(th[1] for th in s[0]), s[1]))
                else:
                    self.stuck = True
            for t in can:
                to = self.step(s, t)
                if to is None:
                    continue
                self.edges.append((s, t, to))
                if to not in self.can:
                    if len(self.can) > MOST_STATES:
                        raise TooLarge
                    self.can[to] = None
                    todo.append(to)

    def fair_in(self, states, edges):
        """Is there a fair cycle within these states?  Components by reaching forth and back; from one
        that some thread could leave and never does, the states where it could are taken out."""
        out, back = {}, {}
        edges = [e for e in edges if e[0] in states and e[2] in states]
        for a, _, b in edges:
            out.setdefault(a, []).append(b)
            back.setdefault(b, []).append(a)

        def reach(start, graph, within):
            seen, todo = {start}, [start]
            while todo:
                for n in graph.get(todo.pop(), ()):
                    if n in within and n not in seen:
                        seen.add(n)
                        todo.append(n)
            return seen

        left = {s for s in states if s in out and s in back}
        while left:
            pivot = next(iter(left))
            part = reach(pivot, out, left) & reach(pivot, back, left)
            left -= part
            inner = [e for e in edges if e[0] in part and e[2] in part]
            if not inner:
                continue
            could = set().union(*(self.can[s] for s in part))
            never = could - {t for _, t, _ in inner}
            if not never:
                return True
            rest = {s for s in part if not self.can[s] & never}
            if rest and self.fair_in(rest, inner):
                return True
        return False
