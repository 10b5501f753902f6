#!/bin/bash
# What a stored state costs: bench/stateful.sh [-o FILE], into bench/stateful.md.
#
# Seconds are processor time of the whole check (the machine may be busy), the best of five.
# Instructions are callgrind's for the worker, the difference between two instances of a program over
# the difference in states, so that start and confirmation are not in it.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/stateful.md
[ "${1:-}" = -o ] && out=$2
for tool in valgrind jq; do
    command -v "$tool" >/dev/null || { echo "bench: $tool is missing: run 'make deps'" >&2; exit 2; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
TIMEFORMAT=%U
root=$(dirname "$(dirname "$HEDDLE")")
mkdir -p "$tmp/bare/bin" "$tmp/bare/lib"
cp -r "$root/lib/heddle" "$tmp/bare/lib/"
cp -r "$root/include" "$tmp/bare/"
strip --strip-debug -o "$tmp/bare/bin/heddle" "$HEDDLE"

check() { "$1" check -q --strategy stateful --races off --json "$tmp/json" "$2" >/dev/null 2>&1; }
field() { jq "$1" "$tmp/json"; }

# build FILE FLAGS: into $tmp/program and, without debug information, $tmp/program.bare
build() {
    # shellcheck disable=SC2086
    "$HEDDLE" cc -O2 $2 -o "$tmp/program" "$1" -pthread && strip --strip-debug -o "$tmp/program.bare" "$tmp/program"
}

# instructions: of the worker that explores $tmp/program.bare; $tmp/json is its result
instructions() {
    rm -f "$tmp"/cg.*
    valgrind -q --tool=callgrind --trace-children=yes --callgrind-out-file="$tmp/cg.%p" \
        "$tmp/bare/bin/heddle" check -q --strategy stateful --races off --json "$tmp/json" \
        "$tmp/program.bare" >/dev/null 2>&1
    grep -l "^cmd: *$tmp/program.bare" "$tmp"/cg.* | xargs sed -n 's/^\(totals\|summary\): *//p' | sort -n | tail -n 1
}

per_second() { awk "BEGIN { printf \"%.0f\", $1 / $2 }"; }

# row NAME FILE FLAGS SMALL LARGE: flags of the timed instance and of the two that are counted
row() {
    local name=$1 file=$2 seconds states events i1 i2 s1 s2 e1 e2
    build "$file" "$3" || exit 1
    seconds=$(for _ in 1 2 3 4 5; do { time check "$HEDDLE" "$tmp/program"; } 2>&1; done | sort -n | head -n 1)
    states=$(field .states) events=$(field .events)
    build "$file" "$4" && i1=$(instructions) && s1=$(field .states) && e1=$(field .events)
    build "$file" "$5" && i2=$(instructions) && s2=$(field .states) && e2=$(field .events)
    echo "| $name | $states | $events | $seconds | $(per_second "$states" "$seconds") |" \
        "$(per_second "$events" "$seconds") | $(((i2 - i1) / (s2 - s1))) | $(((i2 - i1) / (e2 - e1))) |" |
        tee -a "$tmp/rows"
}

programs=tests/programs
row 'grid(700)' $programs/stateful/grid.c -DK=700 -DK=40 -DK=80
row 'rounds(4,20)' $programs/stateful/rounds.c '-DN=4 -DK=20' '-DN=4 -DK=4' '-DN=4 -DK=7'
row 'counter(12)' $programs/dpor/counter.c -DN=12 -DN=5 -DN=8
row 'counter(16)' $programs/dpor/counter.c -DN=16 -DN=8 -DN=9
row 'thread pool(6)' $programs/scale/threadpool.c -DN=6 -DN=2 -DN=4
row 'barrier(8,1)' $programs/scale/barrier.c '-DN=8 -DSTEPS=1' '-DN=3 -DSTEPS=1' '-DN=5 -DSTEPS=1'
row 'barrier(4,20)' $programs/scale/barrier.c '-DN=4 -DSTEPS=20' '-DN=4 -DSTEPS=1' '-DN=4 -DSTEPS=4'

{
    cat <<'END'
# Cost of a state

`make bench-stateful` (part of `make bench`) writes this file: whole explorations by `--strategy stateful` on one core. *States* are
those that are stored: states with a choice. Those with one way on are not, which is faster than storing them; there are
many more: N threads that do *lock; x++; unlock* have (3N + 2) · 2^(N−1) states, of which 2^N − N − 1 are stored (`counter`). *Events* are
visible actions, each of which leads to a state, new or not: a state is met as often as ways lead to it, and each way costs its
events, a look into the table and the way back. So states/s depends on how many ways a program has to each of its states (2 in
`grid`, N/2 in `counter`), events/s hardly does. *Seconds* are processor time of the whole check, start and report included (5 to 10
milliseconds). Instructions are callgrind's, of smaller instances, without start and end.

| program | states | events | seconds | states/s | events/s | instructions per state | instructions per event |
|---|---:|---:|---:|---:|---:|---:|---:|
END
    cat "$tmp/rows"
    cat <<'END'

Memory: 16 bytes a state in a table that is filled to nine tenths and doubles in place; from 128 MiB on 14 bytes in one that is filled to 90 % and grows by single buckets:
END
    "${CC:-cc}" -std=c17 -D_GNU_SOURCE -O2 -Isrc -o "$tmp/prints" bench/prints.c src/explore/states/fingerprint_set.c src/explore/states/quotient_set.c src/core/pack.c && "$tmp/prints" 24000000 || exit 1
    echo
    echo "Measured on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sm)."
} >"$out"
