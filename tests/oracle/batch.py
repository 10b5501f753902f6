"""What oracles of random programs in Python have in common: many programs in one executable, which takes
the number of one; checks by heddle, or by oracle-serve, which saves starting a process that is linked
with LLVM; several processes.

An oracle gives programs_of(seed, wanted) -> (programs, next seed), each a tuple that begins with its
seed; render(programs) -> C; and judge(check, number, program) -> (failures, counts): the words of each
check that failed, and a Counter, in which "passed" and "failed" are its checks.  `check(options, number)`
gives heddle's JSON, or None, and why."""
import argparse, collections, json, multiprocessing, os, struct, subprocess, tempfile

from loops_machine import fnv

BATCH = 25  # programs in one executable: hybrid analyses all of it for every check
SECONDS = 900
ALWAYS = ["-q", "--no-minimise", "--races", "off"]  # options of every check


class Heddle:
    def __init__(self, heddle, serve, program, tmp):
        self.heddle, self.program, self.tmp = heddle, program, tmp
        self.server = None
        if serve:
            self.server = subprocess.Popen([serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, arguments, out, err):
        if not self.server:
            with open(out, "wb") as o, open(err, "wb") as e:
                return subprocess.run([self.heddle, "check"] + arguments, stdout=o, stderr=e,
                                      timeout=SECONDS).returncode
        request = b"".join(s.encode() + b"\0" for s in [out, err, str(SECONDS), "check"] + arguments)
        open(err, "w").close()
        self.server.stdin.write(struct.pack("=I", len(request)) + request)
        self.server.stdin.flush()
        return struct.unpack("=i", self.server.stdout.read(4))[0]

    def check(self, options, number):
        out, err = os.path.join(self.tmp, "out"), os.path.join(self.tmp, "err")
        status = self.run(ALWAYS + ["--json", "-", "--trace-dir", self.tmp]
                          + options + [self.program, "--", str(number)], out, err)
        with open(out) as o, open(err) as e:
            text, said = o.read(), e.read()
        try:
            j = json.loads(text)
        except ValueError:
            return None, f"no answer, status {status}: {said[:300]}"
        return (j, "") if "violations" in j else (None, f"heddle gave no result: {j}")

    def close(self):
        if self.server:
            self.server.stdin.close()
            self.server.wait()


def run_batch(task):
    heddle, serve, first, programs, render, judge = task
    said, counts = [], collections.Counter()
    with tempfile.TemporaryDirectory() as tmp:
        source, program = os.path.join(tmp, "batch.c"), os.path.join(tmp, "batch")
        with open(source, "w") as f:
            f.write(render(programs))
        subprocess.run([heddle, "cc", "-Wno-unused", "-o", program, source, "-pthread"], check=True)
        checks = Heddle(heddle, serve, program, tmp)
        for n, p in enumerate(programs):
            failures, more = judge(lambda options: checks.check(options, n), first + n, p)
            said += [f"not ok seed {p[0]} {why}" for why in failures]
            counts += more
        checks.close()
    return said, counts


def parser():
    p = argparse.ArgumentParser()
    p.add_argument("--serve")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("heddle")
    p.add_argument("programs", type=int)
    return p


def run(a, programs_of, render, judge):
    """Prints what fails, and after every batch of a long run how far it is.  Returns the programs and the counts."""
    tasks, everything, seed, counts = [], [], a.seed, collections.Counter()
    while len(everything) < a.programs:
        some, seed = programs_of(seed, min(BATCH, a.programs - len(everything)))
        tasks.append((a.heddle, a.serve, len(everything), some, render, judge))
        everything += some
    with multiprocessing.Pool(a.jobs) as pool:
        for n, (said, more) in enumerate(pool.imap(run_batch, tasks)):
            counts += more
            if a.programs > 10 * BATCH:
                said.insert(0, f"# {min(BATCH * (n + 1), a.programs)} programs: {counts['passed']} passed, "
                               f"{counts['failed']} failed")
            print("".join(line + "\n" for line in said), end="", flush=True)
    return everything, counts


def results(first, steps, is_final, result, most):
    """(results, deadlock) of all that a machine can do from its first state, or None if it has more states."""
    seen, todo, finals, dead = {first}, [first], set(), False
    while todo:
        state = todo.pop()
        if len(seen) > most: return None
        new = list(steps(state))
        if is_final(state): finals.add(result(state))
        elif not new: dead = True
        for s in new:
            if s not in seen:
                seen.add(s)
                todo.append(s)
    return finals, dead


MODELS = [["--memory", "rc11"], ["--memory", "tso"], ["--memory", "sc", "--strategy", "graph"], ["--memory", "sc", "--strategy", "optimal"]]


def judge_results(check, threads, cases):
    """cases: (options, (results, deadlock)); heddle must observe these results, and find a deadlock if there is one."""
    failures, counts = [], collections.Counter()
    for options, (finals, dead) in cases:
        want = (len(finals) or None, fnv(finals) if finals else None, dead)
        j, why = check(["--keep-going"] + options)
        got = why or (j.get("observations"), j.get("observations_hash"),
                      any(v["kind"] == "deadlock" for v in j["violations"]))
        good = j is not None and got == want and all(v["kind"] == "deadlock" for v in j["violations"])
        counts["passed" if good else "failed"] += 1
        counts["results"] += len(finals)
        counts["deadlocks"] += dead
        if not good: failures.append(f"{' '.join(options)}: {got} instead of {want}: {threads}")
    return failures, counts


def main_of(bodies):
    """main(), which runs the body whose number is its argument."""
    cases = "\n".join(f"    case {n}: {body} break;" for n, body in enumerate(bodies))
    return "int main(int argc, char **argv)\n{\n    switch (atoi(argv[argc > 1])) {\n" + cases + "\n    }\n    return 0;\n}\n"


def render_threads(head, programs, lines):
    """A program whose threads put what they see into r[0], r[1]...; lines(code): what a thread does.  `run` of the head starts them."""
    out, bodies = [head], []
    for p, (_, threads, _) in enumerate(programs):
        for t, code in enumerate(threads):
            out.append(f"static void *t{p}_{t}(void *arg)\n{{\n    long *r = arg;")
            out += ["    " + line for line in lines(code)] + ["    return r;\n}"]
        out.append(f"static void *(*const code{p}[])(void *) = {{ " + ", ".join(f"t{p}_{t}" for t in range(len(threads))) + " };")
        bodies.append(f"run({len(threads)}, code{p});")
    return "\n".join(out) + "\n" + main_of(bodies)


def run_results(programs_of, render, judge):
    """The whole of a judge that compares results."""
    a = parser().parse_args()
    global ALWAYS
    ALWAYS = ["-q", "--no-minimise"]
    _, counts = run(a, programs_of, render, judge)
    print(f"# {counts['results']} results, {counts['deadlocks']} checks with deadlocks")
    return over(counts)


def over(counts):
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return counts["failed"] != 0


def run_models(set_model, default, programs_of, render, judge):
    """The whole of a judge with --memory rc11 or tso; set_model tells it which."""
    p = parser()
    p.add_argument("--memory", choices=["rc11", "tso"], default=default)
    a = p.parse_args()
    set_model(a.memory)
    global ALWAYS
    ALWAYS = ["-q", "--no-minimise"]
    _, counts = run(a, programs_of, render, judge)
    print(f"# {a.memory}: {counts['graphs']} graphs")
    return over(counts)
