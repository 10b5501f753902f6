"""Programs whose threads run one function without loops, with parts of their own that others can lead to:
made at random, written as C, and run in all ways.

A thread has r, a ticket i, a cell on its stack, a thread-local word and blocks on a common list.  What it
does to cells and to the list is done inside of a lock that is used for nothing else, so it is one step.
main has some instructions of its own between the creations and the joins."""
import random

WORDS, LOCKS, VALUES, PLACES, MOST_STATES = 2, 2, 3, 4, 800


class TooLarge(Exception):
    pass


def plain(rng, whose):
    kinds = ["load", "store", "copy", "cas", "inc"]
    if whose == "thread":
        kinds += ["load", "lock", "lock", "unlock", "ticket", "ticket", "put", "get", "publish", "peek", "poke", "mine",
                  "push", "pop", "tls", "told", "assert", "assert"]
    kind = rng.choice(kinds)
    if kind == "assert":
        return (kind, rng.randint(1, VALUES - 1))
    if kind in ("lock", "unlock"):
        return (kind, rng.randrange(LOCKS))
    if kind == "cas":
        return (kind, rng.randrange(WORDS), rng.randrange(VALUES), rng.randrange(VALUES))
    if kind == "store":
        return (kind, rng.randrange(WORDS), rng.randrange(VALUES))
    return (kind, rng.randrange(WORDS)) if kind in ("load", "copy") else (kind,)


def generate(seed):
    """The code of all threads, how many there are, and main's."""
    rng = random.Random(seed)
    code = [plain(rng, "thread") for _ in range(rng.randint(2, 5))]
    if rng.random() < 0.8:
        code += [("unlock", c[1]) for c in code if c[0] == "lock"]
    return code, rng.choice([2, 3, 3, 4]), [plain(rng, "main") for _ in range(rng.choice([0, 0, 1, 2]))]


HEAD = """#include <assert.h>
extern void heddle_observe(const void *, unsigned long);
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
static atomic_int w[2], ended[3], a[4], next;
static int *shown;
static struct node *list;
static _Thread_local int tl;
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t parts = PTHREAD_MUTEX_INITIALIZER;
#define STEP(...) do { pthread_mutex_lock(&parts); __VA_ARGS__; pthread_mutex_unlock(&parts); } while (0)
"""
TAIL = """
int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t[4];
    long seen[17] = { 0 };
    for (int i = 0; i < sizes[number]; i++)
        pthread_create(&t[i], 0, all[number], 0);
    between[number]();
    for (int i = 0; i < sizes[number]; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < 3; i++)
        seen[i] = ended[i];
    seen[3] = w[0];
    seen[4] = w[1];
    for (int i = 0; i < 4; i++)
        seen[5 + i] = a[i];
    seen[9] = next;
    for (int i = 0; i < 7 && list; i++, list = list->next)
        seen[10 + i] = list->value + 1;
    heddle_observe(seen, sizeof seen);
    return 0;
}
"""
STATEMENTS = {
    "load": "r = atomic_load(&w[{1}]);", "store": "atomic_store(&w[{1}], {2});", "copy": "atomic_store(&w[{1}], r);",
    "cas": "{{ int e = {2}; r = atomic_compare_exchange_strong(&w[{1}], &e, {3}); }}",
    "lock": "if (!held[{1}]) {{ pthread_mutex_lock(&m[{1}]); held[{1}] = 1; }}",
    "unlock": "if (held[{1}]) {{ pthread_mutex_unlock(&m[{1}]); held[{1}] = 0; }}",
    "inc": "r = (r + 1) % 3;", "ticket": "i = atomic_fetch_add(&next, 1) % 4;",
    "put": "if (i >= 0) atomic_store(&a[i], r + 1);", "get": "if (i >= 0) r = atomic_load(&a[i]) % 3;",
    "publish": "STEP(shown = &cell);", "peek": "STEP(r = shown ? 1 + (shown == &cell) : 0);",
    "poke": "STEP(if (shown) *shown = r);", "mine": "STEP(r = cell);",
    "push": "STEP(struct node *n = malloc(sizeof *n); n->value = r; n->next = list; list = n);",
    "pop": "STEP(struct node *n = list; if (n) r = n->value, list = n->next, free(n));",
    "tls": "tl = r;", "told": "r = tl;", "assert": "assert(r != {1} && {0} >= 0);",
}


def statement(at, c):
    return STATEMENTS[c[0]].format(*((at,) + c[1:] if c[0] == "assert" else c))


def render(programs):
    out = [HEAD]
    for number, (_, (code, _, main), _) in enumerate(programs):
        out.append(f"static void *p{number}(void *unused)\n{{\n    int r = 0, i = -1, cell = 0, held[2] = {{ 0, 0 }};")
        out += [f"    {statement(k, c)}" for k, c in enumerate(code)]
        out.append("    STEP(if (shown == &cell) shown = 0);\n    (void)held, (void)i;")
        out.append("    atomic_fetch_add(&ended[r], 1);\n    return unused;\n}\n")
        out.append(f"static void b{number}(void)\n{{\n    int r = 0;")
        out += [f"    {statement(k, c)}" for k, c in enumerate(main)]
        out.append("    (void)r;\n}\n")
    for kind, name, letter in (("void *", "all", "p"), ("void ", "between", "b")):
        arguments = "void *" if letter == "p" else "void"
        out.append(f"static {kind}(*const {name}[])({arguments}) = {{ "
                   + ", ".join(f"{letter}{n}" for n in range(len(programs))) + " };")
    out.append("static const int sizes[] = { " + ", ".join(str(p[1][1]) for p in programs) + " };")
    return "\n".join(out) + TAIL


class Machine:
    """A state is (threads, words, places, next, shown, list, locks): a thread is (pc, r, i, cell, tl,
    held); main is the last.  Of shown its thread or -1."""

    def __init__(self, program):
        code, n, main = program
        self.codes = [code + [("hide",)]] * n + [main]
        self.failed, self.ends, self.stuck = set(), set(), False
        start = (tuple(self.on((0, 0, -1, 0, 0, (0,) * LOCKS), c) for c in self.codes), (0,) * WORDS, (0,) * PLACES, 0,
                 -1, (), (-1,) * LOCKS)
        if None in start[0]:
            raise TooLarge
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            can = [t for t in range(n + 1) if self.enabled(state, t)]
            if not can:
                self.end(state)
            for t in can:
                to = self.step(state, t)
                if to and to not in seen:
                    if len(seen) > MOST_STATES:
                        raise TooLarge
                    seen.add(to)
                    todo.append(to)

    def end(self, state):
        threads, words, places, count, _, blocks, _ = state
        if any(t[0] < len(c) for t, c in zip(threads, self.codes)):
            self.stuck = True
            return
        results = [t[1] for t in threads[:-1]]
        self.ends.add(tuple(results.count(v) for v in range(VALUES)) + words + places + (count,)
                      + tuple(v + 1 for v in blocks[:7]) + (0,) * (7 - len(blocks[:7])))

    def on(self, thread, code):
        """Up to the next instruction that others can see; None: an assertion fails on the way."""
        pc, r, i, cell, tl, held = thread
        while pc < len(code):
            c = code[pc]
            if c[0] == "inc":
                r = (r + 1) % VALUES
            elif c[0] == "tls":
                tl = r
            elif c[0] == "told":
                r = tl
            elif c[0] == "assert":
                if r == c[1]:
                    self.failed.add(pc)
                    return None
            elif not ((c[0] == "lock" and held[c[1]]) or (c[0] == "unlock" and not held[c[1]])
                      or (c[0] in ("put", "get") and i < 0)):
                break
            pc += 1
        return (pc, r, i, cell, tl, held)

    def enabled(self, state, t):
        pc, code = state[0][t][0], self.codes[t]
        return pc < len(code) and not (code[pc][0] == "lock" and state[6][code[pc][1]] != -1)

    def step(self, state, t):
        threads, words, places, count, shown, blocks, locks = state
        threads, words, places, locks = list(threads), list(words), list(places), list(locks)
        pc, r, i, cell, tl, held = threads[t]
        c = self.codes[t][pc]
        if c[0] == "load":
            r = words[c[1]]
        elif c[0] in ("store", "copy"):
            words[c[1]] = c[2] if c[0] == "store" else r
        elif c[0] == "cas":
            hit = words[c[1]] == c[2]
            words[c[1]], r = c[3] if hit else words[c[1]], int(hit)
        elif c[0] in ("lock", "unlock"):
            locks[c[1]] = t if c[0] == "lock" else -1
            held = held[:c[1]] + (int(c[0] == "lock"),) + held[c[1] + 1:]
        elif c[0] == "ticket":
            i, count = count % PLACES, count + 1
        elif c[0] == "put":
            places[i] = r + 1
        elif c[0] == "get":
            r = places[i] % VALUES
        elif c[0] == "publish":
            shown = t
        elif c[0] == "peek":
            r = 0 if shown < 0 else 1 + (shown == t)
        elif c[0] == "poke" and shown == t:
            cell = r
        elif c[0] == "poke" and shown >= 0:
            threads[shown] = threads[shown][:3] + (r,) + threads[shown][4:]
        elif c[0] == "mine":
            r = cell
        elif c[0] == "push":
            blocks = (r,) + blocks
        elif c[0] == "pop" and blocks:
            r, blocks = blocks[0], blocks[1:]
        elif c[0] == "hide" and shown == t:
            shown = -1
        threads[t] = self.on((pc + 1, r, i, cell, tl, held), self.codes[t])
        if threads[t] is None:
            return None
        return (tuple(threads), tuple(words), tuple(places), count, shown, blocks, tuple(locks))
