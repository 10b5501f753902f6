#!/bin/sh
# The demonstration behind `make demo`: check an example with a real bug, replay what was found.
set -u
heddle=$1
traces=$(dirname "$(dirname "$heddle")")/demo
rm -rf "$traces"

say() { printf '\n$ %s\n' "$*"; }

say heddle check examples/bounded_queue.c
"$heddle" check --trace-dir "$traces" examples/bounded_queue.c
status=$?
if [ "$status" != 1 ]; then
    echo "demo: the bug of examples/bounded_queue.c was not found (exit status $status)" >&2
    exit 1
fi
trace=$(ls "$traces"/*.trace | grep -v -- -passing.trace | head -n 1)

say heddle replay examples/bounded_queue.c "$(basename "$trace")"
"$heddle" replay examples/bounded_queue.c "$trace"
status=$?
if [ "$status" != 1 ]; then
    echo "demo: the replay did not show the violation (exit status $status)" >&2
    exit 1
fi

say heddle check --cc-flags -DFIXED examples/bounded_queue.c
"$heddle" check --cc-flags -DFIXED examples/bounded_queue.c
status=$?
if [ "$status" != 0 ]; then
    echo "demo: the repaired example fails (exit status $status)" >&2
    exit 1
fi
