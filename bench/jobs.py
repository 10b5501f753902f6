#!/usr/bin/env python3
"""bench/jobs.py COMMAND...: run a check; print its wall time, and the processor time of its workers, the most first.

Which processes are workers, and what they have used, is read from /proc while they run."""
import subprocess
import sys
import time


def read(path):
    try:
        with open(path, encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def main():
    check = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began, used = time.monotonic(), {}
    while check.poll() is None:
        for pid in read(f"/proc/{check.pid}/task/{check.pid}/children"):
            spent = read(f"/proc/{pid}/schedstat")
            if spent:
                used[pid] = int(spent[0]) / 1e9
        time.sleep(0.002)
    print(f"{time.monotonic() - began:.3f}", *(f"{s:.3f}" for s in sorted(used.values(), reverse=True)))


main()
