#!/bin/bash
# What the analysis costs, and what it leaves out: bench/analysis.sh [-o FILE]
set -u
export HEDDLE_CACHE=off
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/analysis.md
[ "${1:-}" = -o ] && out=$2
command -v jq >/dev/null || { echo "bench: jq is missing: run 'make deps'" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# limited COMMAND...: its output in $tmp/out; processor seconds and kilobytes in $tmp/cost.
limited() {
    /usr/bin/time -f '%U %M' -o "$tmp/cost" timeout 300 "$@" >"$tmp/out" 2>"$tmp/err"
}

sizes() {
    local n lines slice
    for n in 1000 5000 10000 50000; do
        bash bench/generate.sh "$n" >"$tmp/p$n.c"
        lines=$(wc -l <"$tmp/p$n.c")
        "$HEDDLE" cc -o "$tmp/p$n" "$tmp/p$n.c" || exit 1
        limited "$HEDDLE" slice --numbers "$tmp/p$n" || exit 1
        read -r seconds kb <"$tmp/cost"
        read -r instructions nodes < <(jq -r '"\(.instructions) \(.nodes)"' "$tmp/out")
        slice=$(grep -n '_9(it, 4)' "$tmp/p$n.c" | sed -n '2s/:.*//p')
        limited "$HEDDLE" slice --json - "$tmp/p$n" "p$n.c:$slice"
        read -r slice_seconds _ <"$tmp/cost"
        echo "| $lines | $instructions | $nodes | $seconds | $((kb / 1024)) | $slice_seconds |"
    done
}

# One program: accesses of the source that are hooked, and events of an exploration, with and without.
left_out() {
    local name=$1 file=$2 flags=$3 all shared numbers
    # shellcheck disable=SC2086
    HEDDLE_ACCESSES=all "$HEDDLE" cc $flags -o "$tmp/all" "$file" || exit 1
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/some" "$file" || exit 1
    numbers=$("$HEDDLE" slice --numbers "$tmp/all" | jq -r '"\(.accesses) | \(.shared)"')
    all=$("$HEDDLE" check -q --reduce none --races off --executions 1000 --json - "$tmp/all" | jq .events)
    shared=$("$HEDDLE" check -q --reduce none --races off --executions 1000 --json - "$tmp/some" | jq .events)
    echo "| $name | $numbers | $all | $shared |"
}

# The real programs of the tests, which are fetched and built if need be.
real() {
    local name driver seconds kb
    tests/real/run.sh 100 >/dev/null || exit 1
    for name in xz-utils zstd libuv1 ck; do
        driver=build/real/$name/heddle-driver
        [ -e "$driver" ] || continue
        limited "$HEDDLE" slice --numbers "$driver" || exit 1
        read -r seconds kb <"$tmp/cost"
        jq -r --arg name "$name" --arg seconds "$seconds" --arg mb "$((kb / 1024))" \
            '"| \($name) | \(.functions) | \(.instructions) | \(.accesses) | \(.shared) | \($seconds) | \($mb) |"' "$tmp/out"
    done
}

{
    cat <<'T'
# The static analysis: cost and effect

`make bench-analysis` writes this file. The first table: generated programs (`bench/generate.sh`); everything that
`heddle slice --numbers` does (reading the module, points-to, calls, threads, control flow, sharing, locks), and
one slice with the writes of other threads (all of it again, and the slice). Processor time, of whatever machine
ran it.

| lines | instructions | constraint nodes | seconds | MB | seconds for a slice |
|---:|---:|---:|---:|---:|---:|
T
    sizes
    cat <<'T'

The second: memory accesses in the program, those that two threads may make to one object while one of them writes, and the
visible actions of the first 1,000 executions by brute force, with every access visible and as it is.

| program | accesses | shared | events, all | events |
|---|---:|---:|---:|---:|
T
    left_out 'indexer, 2 threads' tests/programs/scale/indexer.c -DN=2
    left_out 'thread pool, 2 threads' tests/programs/scale/threadpool.c -DN=2
    left_out 'barrier, 2 threads' tests/programs/scale/barrier.c '-DN=2 -DSTEPS=1'
    left_out 'producer and consumer' tests/programs/scale/prodcons.c ''
    left_out 'file system' tests/programs/dpor/filesystem.c ''
    cat <<'T'

The third: the real programs of the tests, each with its driver; a program whose parts are taken from an archive
holds what the driver needs of it.

| program | functions | instructions | accesses | shared | seconds | MB |
|---|---:|---:|---:|---:|---:|---:|
T
    real
    cat <<'T'

The fourth: what compiling and linking costs beside `clang -g -O1` (`bench/link.sh`; processor seconds of both steps, user and
system, one job at a time). *Times* is heddle's sum over clang's; MB is the largest process of heddle. sqlite and leveldb have
a small harness of two threads (`bench/link`). The aims are 2 times for sqlite and leveldb, 3 times for the others, and 2,000 MB.
glib's test of GAsyncQueue is measured where the libraries are installed that glib needs.

| program | instructions | clang | compile | link | times | MB |
|---|---:|---:|---:|---:|---:|---:|
T
    bench/link.sh
} >"$tmp/page" || exit 1
mv "$tmp/page" "$out"
cat "$out"
