#!/bin/bash
# What a visible event and an execution cost, with the default reduction and brute force:
# bench/run.sh [-o FILE]; the chart of the former goes to bench/instructions.svg.
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

# whole_instructions PROGRAM SEARCH N: of the worker, at most N executions.
whole_instructions() {
    rm -f "$tmp"/cg.*
    valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$tmp/cg.%p" \
        "$tmp/bare/bin/heddle" check -q --memory sc --strategy "$2" --keep-going --no-minimise --executions "$3" --json "$tmp/json" "$1" \
        >"$tmp/valgrind" 2>&1
    [ -s "$tmp/json" ] || return 1
    grep -l "^cmd: *$1" "$tmp"/cg.* | xargs sed -n 's/^\(totals\|summary\): *//p' | sort -n | tail -n 1
}

# cpu PROGRAM SEARCH N: the least processor time of eleven explorations of at most N executions, of 61 short ones, in seconds.
cpu() {
    python3 - "$HEDDLE" check -q --memory sc --strategy "$2" --keep-going --no-minimise --executions "$3" --json "$tmp/json" "$1" <<'EOF'
import resource, subprocess, sys

def spent():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime

def run():
    before = spent()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return spent() - before

first = run()
print(min([first] + [run() for _ in range(10 if first > 0.02 else 60)]))
EOF
}

# search_cost SEARCH FILE FLAGS SMALL_FLAGS: executions, blocked ones, events, seconds; of the smaller instance, without its first
# execution, instructions per event and per execution.  A violation is confirmed by a run of its own and reported, which takes longer than
# the search of a small program: then the seconds are in proportion to those of the executions before it, if these are half of all, or of
# those after it, if they are an eighth.
search_cost() {
    local program=$tmp/program start all part seconds whole i1 i2 e1 e2 x1 x2 v n
    # shellcheck disable=SC2086
    "$HEDDLE" cc $3 -o "$program" "$2" -pthread || exit 1
    start=$(cpu "$program" "$1" 1) && all=$(cpu "$program" "$1" 1000000000) || exit 1
    whole="$(field .executions) $(field .blocked) $(field .events)"
    seconds="$all - $start"
    v=$(field '.violations | length') x2=$(field .executions) e2=$(field .events)
    for n in $([ "$v" = 0 ] || echo $((x2 / 2)) $((x2 * 3 / 4)) $((x2 * 7 / 8))); do
        part=$(cpu "$program" "$1" "$n") && e1=$(field .events)
        case $(field '.violations | length') in
        0) seconds="($part - $start) * $e2 / $e1"; break ;;
        "$v") seconds="($all - $part) * $e2 / ($e2 - $e1)"; break ;;
        esac
    done
    # shellcheck disable=SC2086
    "$HEDDLE" cc $4 -o "$program" "$2" -pthread || exit 1
    strip --strip-debug -o "$program.bare" "$program"
    i1=$(whole_instructions "$program.bare" "$1" 1) && e1=$(field .events) x1=$(field .executions)
    i2=$(whole_instructions "$program.bare" "$1" 100000) && e2=$(field .events) x2=$(field .executions)
    echo "$whole $(awk "BEGIN { s = $seconds; print (s > 0.0001 ? s : 0.0001) }") \
        $(((i2 - i1) / (e2 - e1))) $(((i2 - i1) / (x2 - x1)))"
}

# whole NAME FILE FLAGS SMALL_FLAGS GENMC NIDHUGG: a whole exploration by `optimal` and by `graph`; - where no figure is known.
whole() {
    local x b e s i r gx gb ge gs gi gr
    read -r x b e s i r < <(search_cost optimal "$2" "$3" "$4")
    read -r gx gb ge gs gi gr < <(search_cost graph "$2" "$3" "$4")
    [ "$x $b" = "$gx $gb" ] || { echo "bench: $1: graph explores $gx executions, optimal $x" >&2; exit 1; }
    echo "$1 $i" | tr ' ' '\t' >>"$tmp/chart"
    awk -v name="$1" -v x="$x" -v b="$b" -v e="$e" -v s="$s" -v i="$i" -v r="$r" -v ge="$ge" -v gs="$gs" -v gi="$gi" -v gr="$gr" \
        -v g="$5" -v n="$6" 'BEGIN {
            best = s < gs ? s : gs
            times = g == "-" ? "-" : sprintf("%.0f", g / best)
            printf "| %s | %d | %d | %d | %.4f | %d | %d | %d | %.4f | %d | %d | %s | %s | %s |\n", name, x, b, e, s, i, r, ge, gs, gi, gr,
                g, times, n }' | tee -a "$tmp/whole"
}

dpor=tests/programs/dpor
whole 'readers(13)' $dpor/readers.c -DN=13 -DN=9 0.35 2.1
whole 'readers(17)' $dpor/readers.c -DN=17 -DN=9 5.94 -
whole 'lastzero(14)' $dpor/lastzero.c -DN=14 -DN=10 6.75 -
whole 'lastzero(15)' $dpor/lastzero.c -DN=15 -DN=10 11.0 56.8
whole 'fib_bench(5)' $dpor/fib_bench.c -DK=5 -DK=3 3.28 25.1
whole 'lastwrite(8)' $dpor/lastwrite.c -DN=8 -DN=6 0.47 -
whole 'counter(8)' $dpor/counter.c -DN=8 -DN=6 3.01 -
whole 'ring(10)' $dpor/ring.c -DN=10 -DN=8 0.05 -
whole 'philosophers(8)' $dpor/philosophers.c -DN=8 -DN=7 0.05 -
whole 'indexer(15)' tests/programs/scale/indexer.c -DN=15 -DN=13 15.0 9.4
whole 'barrier(3, 2)' tests/programs/scale/barrier.c '-DN=3 -DSTEPS=2' '-DN=2 -DSTEPS=3' - -
whole 'threadpool(4)' tests/programs/scale/threadpool.c -DN=4 -DN=3 - -
whole 'filesystem(26)' $dpor/filesystem.c -DN=26 -DN=20 - -
whole 'casrot(8)' $dpor/casrot.c -DN=8 -DN=6 - -
whole 'latch(7)' $dpor/latch.c -DN=7 -DN=5 - -
whole 'buffer(3)' $dpor/buffer.c -DN=3 -DN=2 - -
whole 'monitor(4)' $dpor/monitor.c -DN=4 -DN=3 - -
awk -F '\t' -f bench/bars.awk "$tmp/chart" >bench/instructions.svg

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

`make bench` writes this file.

## Whole explorations

By `optimal` and by `graph`, under sequential consistency, by one worker; *seconds* of processor time, the least of eleven runs, 61 of short ones, without
compilation, start and first execution (the load of the machine matters less to it than to the time on the wall), and without the run that
confirms a violation (the deadlock of `philosophers`).
*Instructions per event* and *per execution* are
callgrind's for the worker process, of a smaller instance of the program, without start and first
execution; events are visible actions performed, a prefix shared with the previous execution not counted
again.  Ends and joins of threads are events, though they cost less than others when nothing follows them
(docs/design/002-races.md), so instructions per execution are what is felt.  Then the seconds of GenMC 0.11 (`-sc`) for the same
executions, measured once on a machine of this class (of `ring` and `philosophers` with its start), how many times as fast the faster of the two searches is, which
`auto` goes on with, and the seconds of Nidhugg 0.4 (`--optimal`).

EOF
    echo '| program | executions | blocked | events | `optimal` s | instructions per event | per execution | events of `graph` | `graph` s | instructions per event | per execution | GenMC | times | Nidhugg |'
    echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
    cat "$tmp/whole"
    cat <<'EOF'

![instructions per event](instructions.svg)

EOF
    [ -s bench/memory.md ] && cat bench/memory.md
    cat <<'EOF'

## Brute force

`--reduce none`, steady state: the difference between a short and a long exploration of
the same program, divided by the difference in events or executions.

- *events per execution*: visible actions performed per execution; a prefix shared with the previous
  execution is not performed again.
- *ns*: wall time, the best of five runs, of whatever machine ran it.
- *instructions*: callgrind's count for the worker process; the same on every run.
- The random walks start every execution at the root: the long one shows what an event costs when nothing
  else happens, the short one what a restart costs.
- *restarts*: rewinds that had to go back to the root, of all in the long run.
- Against version 0.1 an execution takes 4 to 10 % fewer instructions by brute force, and a random walk 6 to 16 % fewer,
  though it compares all pairs of accesses with happens-before: 0.1 missed races between accesses that are not adjacent.

| program | events per execution | ns per event | ns per execution | instructions per event | instructions per execution | restarts |
|---|---:|---:|---:|---:|---:|---:|
EOF
    cat "$tmp/rows"
    echo
    echo "Load of the machine meanwhile: $(cut -d ' ' -f 2 /proc/loadavg), on $(nproc) processors."
    echo "Measured on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sm)."
} >"$out"
