#!/bin/bash
# The graph search against GenMC 0.11, on the families of programs that its papers use: bench/models.sh [-o FILE].
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
    jq '.executions, .events' "$tmp/json"
}

# per_graph FILE MODEL FLAG...: instructions per graph and per event.
per_graph() {
    "$HEDDLE" cc -w -O1 "${@:3}" -o "$tmp/small" "$tmp/$1.c" -pthread || return 1
    strip --strip-debug -o "$tmp/small.bare" "$tmp/small"
    { instructions "$tmp/small.bare" "$2" --executions 1 && instructions "$tmp/small.bare" "$2"; } | tr '\n' ' ' |
        awk '{ printf "%.0f | %.0f", ($4 - $1) / ($5 - $2), ($4 - $1) / ($6 - $3) }'
}

# row NAME FILE MODEL GRAPHS GENMC SMALLER FLAG...: SMALLER is N of the instance whose instructions are counted.
row() {
    local name=$1 file=$2 model=$3 graphs=$4 genmc=$5 smaller=$6 best per
    shift 6
    per=$(per_graph "$file" "$model" "$@" -UN -DN="$smaller") || exit 1
    "$HEDDLE" cc -w -O1 "$@" -o "$tmp/program" "$tmp/$file.c" -pthread || exit 1
    best=$(for _ in 1 2 3; do
        TIMEFORMAT='%U %S'
        { time "$HEDDLE" check -q --strategy graph --memory "$model" --json "$tmp/json" "$tmp/program" >/dev/null 2>&1; } 2>&1
    done | awk '{ s = $1 + $2; if (!n++ || s < least) least = s } END { printf "%.2f", least }')
    if [ "$(jq .executions "$tmp/json")" != "$graphs" ]; then
        echo "bench: $name has $(jq .executions "$tmp/json") graphs instead of $graphs" >&2
        exit 1
    fi
    awk -v n="$name" -v m="$model" -v g="$graphs" -v s="$best" -v o="$genmc" -v p="$per" \
        'BEGIN { printf "| %s | %s | %d | %s | %s | %.0f | %s |\n", n, m, g, s, o, o / s, p }'
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
} >"$tmp/table" || exit 1
cp "$tmp/table" "$out"
