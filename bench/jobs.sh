#!/bin/bash
# make bench-jobs: the same exploration with one worker and with two, into bench/jobs.md.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# instructions JOBS SEARCH: callgrind's, of all workers together.
mkdir -p "$tmp/bare/bin"
for part in lib include; do ln -s "$(dirname "$HEDDLE")/../$part" "$tmp/bare/$part"; done
strip --strip-debug -o "$tmp/bare/bin/heddle" "$HEDDLE"
instructions() {
    rm -f "$tmp"/cg.*
    # shellcheck disable=SC2086 # several options
    valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$tmp/cg.%p" "$tmp/bare/bin/heddle" check -q $2 -j "$1" \
        "$tmp/small" >/dev/null 2>&1
    grep -l "^cmd: *$tmp/small" "$tmp"/cg.* | xargs -n 1 sed -n 's/^summary: *//p' |
        awk '{ sum += $1 } END { print sum }'
}

# once JOBS SEARCH: executions (or states), wall seconds, processor seconds of all workers, and of the one that used most.
once() {
    # shellcheck disable=SC2086
    bench/jobs.py "$HEDDLE" check -q $2 -j "$1" --json "$tmp/json" "$tmp/program" >"$tmp/times"
    jq -r 'if .pruned > 0 then .states else .executions end' "$tmp/json" | tr '\n' ' '
    awk '{ for (i = 2; i <= NF; i++) sum += $i; print $1, sum, $2 }' "$tmp/times"
}

# row NAME SEARCH SMALL FLAGS FILE: SMALL are the flags of the instance whose instructions are counted.  (tests/house/figures.py reads
# NAME and FLAGS of programs in tests/programs.)
row() {
    local name n1 w1 c1 n2 w2 c2 m2 i1 i2
    # shellcheck disable=SC2086
    "$HEDDLE" cc -w $4 -o "$tmp/program" "$5" -pthread && "$HEDDLE" cc -w $3 -o "$tmp/whole" "$5" -pthread || exit 1
    strip --strip-debug -o "$tmp/small" "$tmp/whole"
    for _ in 1 2 3 4 5; do # in turn, because what else the machine does changes slowly
        once 1 "$2" >&3
        once 2 "$2" >&4
    done 3>"$tmp/one" 4>"$tmp/two"
    read -r n1 w1 c1 _ < <(sort -n -k 3 "$tmp/one")
    read -r n2 w2 c2 m2 < <(sort -n -k 3 "$tmp/two")
    [ "$n1" = "$n2" ] || { echo "bench/jobs.sh: $1: $n2 instead of $n1" >&2; exit 1; }
    if awk -v most="$(nproc)" '{ exit !($1 > most) }' /proc/loadavg; then
        w1=– w2=–
    fi
    i1=$(instructions 1 "$2")
    i2=$(instructions 2 "$2")
    name=$1
    [ -e "$tmp/queue.c" ] || name="$1 $4"
    awk -v head="| $name | \`${2#--strategy }\` | $n1 |" -v i1="$i1" -v i2="$i2" -v c1="$c1" -v c2="$c2" -v m2="$m2" \
        -v w1="$w1" -v w2="$w2" 'BEGIN {
            printf "%s %.2f | %.2f | %.2f | %.2f | %s | %s |\n", head, i2 / i1, c1, c2, c1 / m2, w1, w2 }'
}

{
    cat <<'END'
# Several workers

One exploration with one worker and with two (`-j 2`). The number is that of executions, of `stateful` that of states; it is the same with both.

- *work*: instructions of both workers over those of one, of a smaller instance, by callgrind.
- *cpu*: processor seconds of all workers, of five runs the least; *split*: those of one worker over those of the busier one of two, 2 being the best there
  is. A worker starts in some hundredths of a second, which only long searches are worth. Other work on the machine lowers it, because it takes caches away.
- *wall*: seconds, on an idle machine only.

`make bench-jobs` writes this file.

| program | search | number | work | cpu -j 1 | -j 2 | split | wall -j 1 | -j 2 |
|---|---|---:|---:|---:|---:|---:|---:|---:|
END
    dpor=tests/programs/dpor optimal='--strategy optimal' graph='--strategy graph' stateful='--strategy stateful'
    row readers "$optimal" -DN=12 -DN=18 $dpor/readers.c
    row readers "$graph" -DN=12 -DN=18 $dpor/readers.c
    row readers "$graph" -DN=12 -DN=20 $dpor/readers.c
    row lastzero "$optimal" -DN=12 -DN=16 $dpor/lastzero.c
    row lastzero "$graph" -DN=12 -DN=16 $dpor/lastzero.c
    row lastzero "$graph" -DN=12 -DN=18 $dpor/lastzero.c
    row fib_bench "$optimal" -DK=4 -DK=6 $dpor/fib_bench.c
    row fib_bench "$graph" -DK=4 -DK=6 $dpor/fib_bench.c
    row barrier "$optimal" '-DN=2 -DSTEPS=3' '-DN=3 -DSTEPS=2' tests/programs/scale/barrier.c
    row threadpool "$optimal" -DN=3 -DN=4 tests/programs/scale/threadpool.c
    row threadpool "$optimal" -DN=3 -DN=5 tests/programs/scale/threadpool.c
    row counter "$optimal" -DN=7 -DN=9 $dpor/counter.c
    row counter "$optimal" -DN=7 -DN=10 $dpor/counter.c
    row counter "$stateful" -DN=11 -DN=18 $dpor/counter.c
    row grid "$stateful" -DK=150 -DK=1000 tests/programs/stateful/grid.c
    row grid "$stateful" -DK=150 -DK=1700 tests/programs/stateful/grid.c
    cat >"$tmp/queue.c" <<END
#define main unused
#include "$PWD/tests/memory/ms_queue.c"
#undef main
#ifdef SMALL
int main(void) { run(produce, produce_and_consume, consume); }
#elif defined LARGE
int main(void) { run(produce, produce_and_consume, consume, consume, consume); }
#else
int main(void) { run(produce, produce_and_consume, consume, consume); }
#endif
END
    queue='-O1 -DK=3 -DN=memory_order_release -DM=memory_order_acquire -DT=memory_order_release -DU=memory_order_acquire'
    queue="$queue -DH=memory_order_release -DI=memory_order_acquire"
    row 'Michael-Scott queue, 4 threads' "$graph --memory rc11" "$queue -DSMALL" "$queue" "$tmp/queue.c"
    row 'Michael-Scott queue, 5 threads' "$graph --memory rc11" "$queue -DSMALL" "$queue -DLARGE" "$tmp/queue.c"
    echo
    echo "Load of the machine meanwhile: $(cut -d ' ' -f 1 /proc/loadavg), on $(nproc) processors."
} >"$tmp/table" || exit 1
cat "$tmp/table" >bench/jobs.md
cat bench/jobs.md
