#!/bin/bash
# The graph search against GenMC 0.11, on the families of programs that its papers use; on data structures; and its memory:
# bench/models.sh [-o FILE].
#
# Every program is explored three times, start included, compilation not; the least processor time counts.  GenMC's times
# were measured once, on an idle machine of this class.  Instructions are callgrind's for the worker process, of a smaller
# instance, without start and first execution.  A wrong number of graphs ends the script with status 1.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/models.md
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

head='#include <pthread.h>
#include <stdatomic.h>
#define R memory_order_relaxed
#define load(x, o) atomic_load_explicit(&(x), o)
#define store(x, v, o) atomic_store_explicit(&(x), v, o)
static atomic_int x[N + 1], f;'
each='int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}'
both='int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}'
{
    echo "$head"
    echo 'static void *run(void *i) { store(x[(long)i], 1, R); (void)load(x[((long)i + 1) % N], R); return 0; }'
    echo "$each"
} >"$tmp/sb.c"
{
    echo "$head"
    echo 'static void *run(void *i) { store(f, (int)(long)i, R); (void)load(f, R); return 0; }'
    echo "$each"
} >"$tmp/writers.c"
{
    echo "$head"
    echo 'static void *run(void *i) { atomic_fetch_add_explicit(&f, 1, R); return i; }'
    echo "$each"
} >"$tmp/incr.c"
{
    echo "$head"
    echo 'static void *first(void *u) { for (int i = 1; i <= N; i++) { store(x[0], i, R); store(f, i, W); } return u; }'
    echo 'static void *second(void *u) { for (int i = 0; i < N; i++) { (void)load(f, memory_order_acquire); (void)load(x[0], R); } return u; }'
    echo "$both"
} >"$tmp/mp.c"
{
    echo "$head"
    echo 'static void *first(void *u) { for (int i = 0; i < N; i++) store(x[0], load(x[0], R) + load(x[1], R), R); return u; }'
    echo 'static void *second(void *u) { for (int i = 0; i < N; i++) store(x[1], load(x[1], R) + load(x[0], R), R); return u; }'
    echo "$both"
} >"$tmp/fib.c"

# instructions PROGRAM MODEL OPTION...: of the worker, and the numbers of graphs and events.
instructions() {
    rm -f "$tmp"/cg.*
    valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$tmp/cg.%p" \
        "$tmp/bare/bin/heddle" check -q --strategy graph --memory "$2" --json "$tmp/json" "${@:3}" "$1" \
        >"$tmp/valgrind" 2>&1 || return 1
    grep -l "^cmd: *$1" "$tmp"/cg.* | xargs sed -n 's/^\(totals\|summary\): *//p' | sort -n | tail -n 1
    jq '.executions + .blocked, .events' "$tmp/json"
}

# per_graph FILE MODEL FLAG...: instructions per graph and per event.
per_graph() {
    "$HEDDLE" cc -w -O1 "${@:3}" -o "$tmp/small" "$tmp/$1.c" -pthread || return 1
    strip --strip-debug -o "$tmp/small.bare" "$tmp/small"
    { instructions "$tmp/small.bare" "$2" --executions 1 && instructions "$tmp/small.bare" "$2"; } | tr '\n' ' ' |
        awk '{ printf "%.0f | %.0f", ($4 - $1) / ($5 - $2), ($4 - $1) / ($6 - $3) }'
}

# seconds MODEL: processor time of the program, the least of three.
seconds() {
    local TIMEFORMAT='%U %S'
    for _ in 1 2 3; do
        { time "$HEDDLE" check -q --strategy graph --memory "$1" --json "$tmp/json" "$tmp/program" >/dev/null 2>&1; } 2>&1
    done | awk '{ s = $1 + $2; if (!n++ || s < least) least = s } END { printf "%.2f", least }'
}

# expect NAME EXECUTIONS: the program has so many.
expect() {
    [ "$(jq .executions "$tmp/json")" = "$2" ] && return
    echo "bench: $1 has $(jq .executions "$tmp/json") executions instead of $2" >&2
    exit 1
}

# row NAME FILE MODEL GRAPHS GENMC SMALLER FLAG...: SMALLER is N of the instance whose instructions are counted.
row() {
    local name=$1 file=$2 model=$3 graphs=$4 genmc=$5 smaller=$6 best per
    shift 6
    per=$(per_graph "$file" "$model" "$@" -UN -DN="$smaller") || exit 1
    "$HEDDLE" cc -w -O1 "$@" -o "$tmp/program" "$tmp/$file.c" -pthread || exit 1
    best=$(seconds "$model")
    expect "$name" "$graphs"
    awk -v n="$name" -v m="$model" -v g="$graphs" -v s="$best" -v o="$genmc" -v p="$per" \
        'BEGIN { printf "| %s | %s | %d | %s | %s | %.0f | %s |\n", n, m, g, s, o, o / s, p }'
}

# structure NAME FILE EXECUTIONS MACROS CODE: tests/memory/FILE.c with these numbers and orders, and another main.
structure() {
    local flags=() word best per blocked
    for word in $4; do
        case $word in
        *=[0-9]*) flags+=("-D$word") ;;
        *) flags+=("-D${word%=*}=memory_order_${word#*=}") ;;
        esac
    done
    printf '#define main unused\n#include "%s"\n#undef main\n%s\n' "$PWD/tests/memory/$2.c" "$5" >"$tmp/structure.c"
    per=$(per_graph structure rc11 "${flags[@]}") || exit 1
    "$HEDDLE" cc -w -O1 "${flags[@]}" -o "$tmp/program" "$tmp/structure.c" -pthread || exit 1
    best=$(seconds rc11)
    expect "$1" "$3"
    blocked=$(jq .blocked "$tmp/json")
    awk -v n="$1" -v e="$3" -v b="$blocked" -v s="$best" -v p="$per" \
        'BEGIN { printf "| %s | %d | %d | %s | %.0f | %s |\n", n, e, b, s, (e + b) / s, p }'
}

# memory N EXECUTIONS: the peak of what fib(N) holds resident, of the worker.
memory() {
    local pid worker
    "$HEDDLE" cc -w -O1 -DN="$1" -o "$tmp/program" "$tmp/fib.c" -pthread || exit 1
    : >"$tmp/peak"
    until [ -s "$tmp/peak" ]; do # a short run may be over before it is looked at
        "$HEDDLE" check -q --strategy graph --memory rc11 --json "$tmp/json" "$tmp/program" >/dev/null 2>&1 &
        pid=$!
        while kill -0 "$pid" 2>/dev/null; do
            for worker in $(pgrep -P "$pid"); do
                [ "$(readlink "/proc/$worker/exe")" = "$tmp/program" ] &&
                    sed -n 's/^VmHWM:[[:space:]]*//p' "/proc/$worker/status"
            done
        done 2>/dev/null | sort -n | tail -n 1 >"$tmp/peak"
        wait "$pid"
    done
    expect "fib($1)" "$2"
    echo "| fib($1) | $2 | $(cat "$tmp/peak") |"
}

{
    echo '# The graph search on families of small programs'
    echo
    # shellcheck disable=SC2016
    echo '`make bench-memory` writes this file. Seconds are processor time, start included, compilation not, the least of three runs;'
    echo 'those of GenMC 0.11 were measured once on an idle machine of this class. Instructions are callgrind'"'"'s for the worker, of a smaller'
    echo 'instance, without start and first execution; joins in a row at the end of an execution count as events.'
    echo
    echo '| program | model | graphs | seconds | GenMC | times as fast | instructions per graph | per event |'
    echo '|---|---|---:|---:|---:|---:|---:|---:|'
    row 'fib(6)' fib rc11 226512 7.3 4 -DN=6
    row 'sb(16)' sb rc11 65536 2.1 10 -DN=16
    row 'writers(6)' writers rc11 518400 5.7 5 -DN=6
    row 'incr(8)' incr rc11 40320 2.3 7 -DN=8
    row 'mp(6)' mp rc11 226512 13.7 4 -DN=6 -DW=memory_order_release
    row 'mp(5), relaxed' mp rc11 63504 3.1 4 -DN=5 -DW=memory_order_relaxed
    row 'fib(6)' fib tso 226512 7.2 4 -DN=6
    echo
    echo '## Data structures'
    echo
    # shellcheck disable=SC2016
    echo 'Programs of `tests/memory` with more threads or items, under rc11. An execution is blocked if a thread waits in it for something'
    echo 'that happens in another one; such executions count in the last three columns.'
    echo
    echo '| program | executions | blocked | seconds | executions per second | instructions per execution | per event |'
    echo '|---|---:|---:|---:|---:|---:|---:|'
    structure 'SPSC ring, 10 items' spsc_ring 19683 'ITEMS=10 W=release R=acquire W2=release R2=acquire' \
        'int main(void) { run(produce, consume); }'
    structure 'Treiber stack, 3 push, 2 pop' treiber 12960 'W=release R=acquire' \
        'static struct node other;
        static void *push_third(void *u) { push(&other, 1); return u; }
        int main(void) { run(push_first, push_second, push_third, pop, pop); }'
    structure 'Michael-Scott queue, 2 enqueue, 3 dequeue' ms_queue 73942 \
        'K=3 N=release M=acquire T=release U=acquire H=release I=acquire' \
        'int main(void) { run(produce, produce_and_consume, consume, consume); }'
    structure 'MPMC queue, 3 enqueue, 3 dequeue' mpmc_queue 11739 'A=acquire B=release C=acquire D=release' \
        'int main(void) { atomic_init(&cells[1].number, 1); run(produce, produce, produce, consume, consume_one); }'
    structure 'Chase-Lev deque, 2 thieves' chase_lev 9656 \
        'P=release F1=seq_cst F2=seq_cst C=seq_cst T=acquire B=acquire' \
        'static void *own(void *u) { push(1); push(2); have(take()); have(take()); return u; }
        int main(void) { run(own, thief, thief); }'
    structure 'seqlock, 3 readers' seqlock 12167 'LOOP=1 F1=release W=release R=acquire F2=acquire' \
        'int main(void) { run(write, read, read, read); }'
    structure 'ticket lock, 5 threads' ticket_lock 120 'N=3 W=release R=acquire' \
        'int main(void) { run(count, count, count, count, count); }'
    structure 'MCS lock, 4 threads' mcs_lock 1080 'X=acq_rel N=release R=acquire S=release L=acquire U=release' \
        'static struct node others[2];
        static void *third(void *u) { take(&others[0]); n++; leave(&others[0]); return u; }
        static void *fourth(void *u) { take(&others[1]); n++; leave(&others[1]); return u; }
        int main(void) { run(first, second, third, fourth); }'
    structure 'CLH lock, 5 threads' clh_lock 120 'N=3 X=acq_rel L=acquire S=release' \
        'static struct node others[2];
        static void *fourth(void *u) { count(&others[0]); return u; }
        static void *fifth(void *u) { count(&others[1]); return u; }
        int main(void) { run(first, second, third, fourth, fifth); }'
    echo
    echo '## Memory'
    echo
    # shellcheck disable=SC2016
    echo 'Peak resident memory of the worker (`VmHWM`), looked at all the time.'
    echo
    echo '| program | executions | peak |'
    echo '|---|---:|---:|'
    memory 5 19404
    memory 6 226512
    memory 7 2760615
} >"$tmp/table" || exit 1
cp "$tmp/table" "$out"
