#!/bin/bash
# What a visible event and an execution cost, brute force: bench/run.sh [-o FILE]
#
# Every program is explored twice, up to N1 and up to N2 executions; the difference between the two
# runs is steady state (no compilation, start or confirmation in it).  Instructions are callgrind's,
# of the worker process alone; they do not vary from run to run.  Times are the best of five.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/README.md
[ "${1:-}" = -o ] && out=$2
for tool in valgrind jq; do
    command -v "$tool" >/dev/null || { echo "bench: $tool is missing: run 'make deps'" >&2; exit 2; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Valgrind does not read the debug information of a current clang: a copy of heddle without it.
root=$(dirname "$(dirname "$HEDDLE")")
mkdir -p "$tmp/bare/bin" "$tmp/bare/lib"
cp -r "$root/lib/heddle" "$tmp/bare/lib/"
cp -r "$root/include" "$tmp/bare/"
strip --strip-debug -o "$tmp/bare/bin/heddle" "$HEDDLE"

# check N PROGRAM: the JSON of an exploration of N executions.
search=dfs
check() {
    "$HEDDLE" check -q --search $search --reduce none --executions "$1" --json "$tmp/json" "$2" \
        >/dev/null
}
field() { jq "$1 // 0" "$tmp/json"; }

# instructions N PROGRAM: of the worker.
instructions() {
    rm -f "$tmp"/cg.*
    strip --strip-debug -o "$2.bare" "$2"
    valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$tmp/cg.%p" \
        "$tmp/bare/bin/heddle" check -q --search $search --reduce none --executions "$1" \
        --json "$tmp/json" "$2.bare" >"$tmp/valgrind" 2>&1 || return 1
    grep -l "^cmd: *$2.bare" "$tmp"/cg.* | xargs sed -n 's/^\(totals\|summary\): *//p' | sort -n | tail -n 1
}

# best N PROGRAM: the least exploration time of five runs, in nanoseconds.
best() {
    for _ in 1 2 3 4 5; do
        check "$1" "$2" || return 1
        field '.seconds * 1e9 | floor'
    done | sort -n | head -n 1
}

# measure NAME FILE FLAGS T1 T2 I1 I2: T for times, I for instructions (callgrind is slow).
measure() {
    local name=$1 file=$2 flags=$3 program=$tmp/program t1 t2 e1 e2 x1 x2 i1 i2 restarts
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$program" "$file" -pthread || exit 1
    t1=$(best "$4" "$program") && check "$4" "$program" && e1=$(field .events) && x1=$(field .executions)
    t2=$(best "$5" "$program") && check "$5" "$program" && e2=$(field .events) && x2=$(field .executions)
    restarts=$(field .restarts)
    if [ "${x2:-0}" -le "${x1:-0}" ]; then
        echo "bench: $name has too few executions (${x2:-none})" >&2
        exit 1
    fi
    local ns_event=$(((t2 - t1) / (e2 - e1))) ns_run=$(((t2 - t1) / (x2 - x1)))
    local per_run
    per_run=$(awk "BEGIN { printf \"%.1f\", ($e2 - $e1) / ($x2 - $x1) }")
    i1=$(instructions "$6" "$program") && e1=$(field .events) && x1=$(field .executions)
    i2=$(instructions "$7" "$program") && e2=$(field .events) && x2=$(field .executions)
    local in_event='-' in_run='-'
    if [ -n "${i1:-}" ] && [ -n "${i2:-}" ] && [ "$e2" -gt "$e1" ]; then
        in_event=$(((i2 - i1) / (e2 - e1)))
        in_run=$(((i2 - i1) / (x2 - x1)))
    fi
    echo "| $name | $per_run | $ns_event | $ns_run | $in_event | $in_run | $restarts |" |
        tee -a "$tmp/rows"
}

measure 'counter, 2 threads x 10 locked increments' bench/counter.c -DK=10 2000 202000 200 1200
measure 'indexer, N=2, MAX=2, SIZE=16' tests/programs/scale/indexer.c '-DN=2 -DMAX=2 -DSIZE=16' \
    2000 202000 200 1200
measure 'barrier, N=3, STEPS=1' tests/programs/scale/barrier.c '-DN=3 -DSTEPS=1' \
    2000 202000 200 1200
search=random:1
measure 'counter, 2 threads x 500, random walk' bench/counter.c -DK=500 20 1020 20 120
measure 'counter, 2 threads x 1, random walk' bench/counter.c -DK=1 2000 102000 200 1200

{
    cat <<'EOF'
# Cost of an event and of an execution

Brute force (`--reduce none`), steady state: the difference between a short and a long exploration of
the same program, divided by the difference in events or executions.  `make bench` writes this file.

- *events per execution*: visible actions performed per execution; a prefix shared with the previous
  execution is not performed again.
- *ns*: wall time, the best of five runs, of whatever machine ran it.
- *instructions*: callgrind's count for the worker process; the same on every run.
- The random walks start every execution at the root: the long one shows what an event costs when nothing
  else happens, the short one what a restart costs.
- *restarts*: rewinds that had to go back to the root, of all in the long run.

| program | events per execution | ns per event | ns per execution | instructions per event | instructions per execution | restarts |
|---|---:|---:|---:|---:|---:|---:|
EOF
    cat "$tmp/rows"
    echo
    echo "Measured on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sm)."
} >"$out"
