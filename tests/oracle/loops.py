#!/usr/bin/env python3
"""Random programs with loops, against an interpreter that visits every state.

    tests/oracle/loops.py [--all] [--serve PROGRAM] [--jobs N] [--seed N] [--only "OPTIONS"] HEDDLE PROGRAMS

Threads read, write and compare-exchange shared words, take, try and give back locks, jump and assert;
every program can go round at least one loop, most have a spin loop.  The interpreter (loops_machine.py)
shares nothing with heddle.  Its answers: the final states, the assertions that fail, whether all threads
can be stuck, whether there is a fair cycle (every thread that can move in one of its states moves on
it).  Every search that keeps states must come to an end and agree in all of them.

Loops that only read are waits to heddle, which is fairer than the interpreter: such a thread moves
when what it waits for has come, and is not made to look at the wrong moment for ever.  So every
second program changes a word of its own on every turn and must agree exactly; in the others what
heddle reports must be there, and may be of either kind.

Without --keep-going `hybrid` must do what Theorem 1 of its paper says: end either at an error, if there
is one, or having seen everything.

--all tries every configuration with every program; otherwise two of them, and the others in turn."""
import argparse, json, multiprocessing, os, struct, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from loops_machine import Machine, TooLarge, generate, has_loop, hash_of_finals, render

BATCH = 25  # programs in one executable: hybrid analyses all of it for every check
SECONDS = 120

ALWAYS = [["--strategy", "stateful"], ["--strategy", "hybrid"]]
IN_TURN = [["--strategy", "stateful", "--exact-states"], ["--strategy", "dpor-stateful"], ["--strategy", "hr"],
           ["--reduce", "states,super-step"], ["--strategy", "hybrid:hr"], ["--strategy", "hr-fields"],
           ["--strategy", "hybrid", "--exact-states"], ["--reduce", "states"],
           ["--reduce", "states,eager,super-step"], ["--strategy", "dpor-stateful", "--exact-states"]]
CLAIMS_NOTHING = {"hr", "hr-fields", "hybrid:hr"}


class Heddle:
    """heddle check, by oracle-serve if there is one, which saves starting a process linked with LLVM."""

    def __init__(self, heddle, serve, tmp):
        self.heddle, self.tmp = heddle, tmp
        self.server = None
        if serve:
            self.server = subprocess.Popen([serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def check(self, arguments):
        out, err = os.path.join(self.tmp, "out"), os.path.join(self.tmp, "err")
        if self.server:
            strings = [out, err, str(SECONDS), "check"] + arguments
            request = b"".join(s.encode() + b"\0" for s in strings)
            open(err, "w").close()
            self.server.stdin.write(struct.pack("=I", len(request)) + request)
            self.server.stdin.flush()
            status = struct.unpack("=i", self.server.stdout.read(4))[0]
        else:
            with open(out, "wb") as o, open(err, "wb") as e:
                status = subprocess.run([self.heddle, "check"] + arguments, stdout=o, stderr=e,
                                        timeout=SECONDS).returncode
        with open(out) as o, open(err) as e:
            text, said = o.read(), e.read()
        try:
            return json.loads(text), ""
        except ValueError:
            return None, f"no answer, status {status}: {said[:300]}"

    def close(self):
        if self.server:
            self.server.stdin.close()
            self.server.wait()


def judge(j, toggles, machine, chain):
    """With --keep-going: everything is found."""
    got = {v["kind"] for v in j["violations"]}
    asserts = {int(v["message"].split("&&")[1].split(">=")[0]) for v in j["violations"]
               if v["kind"] == "assertion"}
    wrong = []
    if asserts != machine.failed:
        wrong.append(f"assertions {sorted(asserts)} instead of {sorted(machine.failed)}")
    if j.get("observations", 0) != len(machine.finals):
        wrong.append(f"{j.get('observations', 0)} final states instead of {len(machine.finals)}")
    elif machine.finals and j["observations_hash"] != hash_of_finals(machine):
        wrong.append("other final states")
    if toggles and ("livelock" in got) != machine.endless:
        wrong.append(f"livelock: {'livelock' in got} instead of {machine.endless}")
    if toggles and ("deadlock" in got) != machine.stuck:
        wrong.append(f"deadlock: {'deadlock' in got} instead of {machine.stuck}")
    if got & {"livelock", "deadlock"} and not (machine.endless or machine.stuck):
        wrong.append(f"{sorted(got)} where neither is")
    if machine.stuck and not got & {"livelock", "deadlock"}:
        wrong.append("a deadlock is missing")
    if got - {"assertion", "livelock", "deadlock"}:
        wrong.append(f"{sorted(got)}")
    if not j["violations"] and not j["exhaustive"] and not CLAIMS_NOTHING & set(chain):
        wrong.append(f"not exhaustive: {j['downgrades']}")
    return wrong


def judge_theorem(j, toggles, machine, chain):
    """Without: it ends at an error, or there is none and all has been explored."""
    broken = bool(machine.failed) or machine.stuck or (machine.endless and toggles)
    wrong = []
    if broken and j["verdict"] != "violation":
        wrong.append(f"ended without the error: {j['verdict']}")
    if j["verdict"] == "violation" and not (broken or machine.endless):
        wrong.append("ended at an error that is none")
    if j["verdict"] != "violation":
        if not CLAIMS_NOTHING & set(chain) and j["verdict"] != "verified":
            wrong.append(f"ended as {j['verdict']}: {j['downgrades']}")
        if j.get("observations", 0) != len(machine.finals):
            wrong.append(f"ended with {j.get('observations', 0)} final states of {len(machine.finals)}")
    return wrong


def programs_of(first, wanted):
    """Of those that only go round or only end in one way, a quarter."""
    programs, seed = [], first
    while len(programs) < wanted:
        threads, toggles = generate(seed)
        seed += 1
        if not has_loop(threads):
            continue
        try:
            machine = Machine(threads)
        except TooLarge:
            continue
        if len(machine.finals) > 1 or machine.failed or machine.stuck or seed // 2 % 4 == 0:
            programs.append((seed - 1, threads, toggles, machine))
    return programs, seed


def run_batch(task):
    heddle, serve, chains_of, number, programs = task
    said, passed, failed, again = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        source, program = os.path.join(tmp, "loops.c"), os.path.join(tmp, "loops")
        with open(source, "w") as f:
            f.write(render([p[1] for p in programs]))
        subprocess.run([heddle, "cc", "-Wno-unused-label", "-o", program, source, "-pthread"], check=True)
        checks = Heddle(heddle, serve, tmp)
        for n, (seed, threads, toggles, machine) in enumerate(programs):
            for chain in chains_of(number + n):
                wrong = []
                for keep, ask in ((["--keep-going"], judge), ([], judge_theorem)):
                    if ask is judge_theorem and not {"hybrid", "hybrid:hr"} & set(chain):
                        continue
                    j, error = checks.check(["-q", "--no-minimise", "--races", "off", "--json", "-",
                                             "--trace-dir", tmp] + keep + chain + [program, "--", str(n)])
                    if j and "violations" not in j:
                        j, error = None, f"heddle gave no result: {j}"
                    wrong += [error] if not j else ask(j, toggles, machine, chain)
                    again += bool(j and keep and j["passes"] > 1)
                if wrong:
                    failed += 1
                    said.append(f"not ok seed {seed} {' '.join(chain)}: {'; '.join(wrong)}")
                    said += [f"#   T{t + 1}: {code}" for t, code in enumerate(threads)]
                else:
                    passed += 1
        checks.close()
    return said, passed, failed, again


class Chains:
    def __init__(self, only, every):
        self.only, self.every = only, every

    def __call__(self, n):
        if self.only:
            return [self.only.split()]
        return ALWAYS + (IN_TURN if self.every else [IN_TURN[n % len(IN_TURN)]])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--all", action="store_true")
    p.add_argument("--only")
    p.add_argument("--serve")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("heddle")
    p.add_argument("programs", type=int)
    a = p.parse_args()
    tasks, everything, seed = [], [], a.seed
    while len(everything) < a.programs:
        some, seed = programs_of(seed, min(BATCH, a.programs - len(everything)))
        tasks.append((a.heddle, a.serve, Chains(a.only, a.all), len(everything), some))
        everything += some
    passed = failed = again = 0
    with multiprocessing.Pool(a.jobs) as pool:
        for n, (said, good, bad, more) in enumerate(pool.imap(run_batch, tasks)):
            passed, failed, again = passed + good, failed + bad, again + more
            if a.all:
                print(f"# {min(BATCH * (n + 1), a.programs)} programs: {passed} passed, {failed} failed", flush=True)
            for line in said:
                print(line, flush=True)
    print(f"# {len(everything)} programs, {sum(len(x[3].can) for x in everything)} states, "
          f"{sum(x[3].endless for x in everything)} with a fair cycle, "
          f"{sum(x[3].stuck for x in everything)} that can be stuck, "
          f"{sum(bool(x[3].failed) for x in everything)} with a failing assertion; "
          f"{again} checks needed several passes")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
