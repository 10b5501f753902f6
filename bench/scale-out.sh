#!/bin/bash
# make bench-scale-out: many ranks of a distributed search, by simulation, into bench/scale-out.md.
# Measured first, in processor time, so that other work on the machine matters little: what an execution, the start of a unit and
# an answer at rank 0 cost, and into which parts units are cut.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=$(realpath "${HEDDLE:-build/bin/heddle}")
simulator=$(realpath "${1:-build/bench/scale_out}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# explored UNIT: the number of its executions.
explored() {
    "$HEDDLE" check -q --json "$tmp/json" --unit "$1" "$tmp/program" >/dev/null 2>&1
    jq .executions "$tmp/json"
}

# cut UNITS: a line with the executions in each.
cut_line() {
    echo "cut $(for unit in "$@"; do explored "$unit"; done | tr '\n' ' ')"
}

measure() { # PROGRAM FLAGS...
    local source=$1 largest
    shift
    "$HEDDLE" cc "$@" -o "$tmp/program" "tests/programs/$source.c" -pthread || exit 1
    rm -rf "$tmp/units"
    "$HEDDLE" split -q -n 1 -o "$tmp/units" "$tmp/program" >/dev/null || exit 1
    cut_line "$tmp"/units/*.unit
    for largest in $(ls -S -r "$tmp"/units/????.unit | head -n 4); do
        [ "$(explored "$largest")" -gt 20 ] || continue
        "$HEDDLE" check -q --executions 1 --unit "$largest" "$tmp/program" >/dev/null 2>&1
        cut_line $(ls -S -r "${largest%.unit}"-*.unit)
    done
}

seconds() { # COMMAND...: of processor time
    /usr/bin/time -o "$tmp/time" -f '%U %S' "$@" >/dev/null 2>&1
    awk 'END { print $1 + $2 }' "$tmp/time"
}

{
    measure dpor/fib_bench -DK=4
    measure dpor/lastzero -DN=8
    measure dpor/counter -DN=6
    measure scale/barrier -DN=3
    measure dpor/readers -DN=8
    "$HEDDLE" cc -DK=5 -o "$tmp/program" tests/programs/dpor/fib_bench.c -pthread
    whole=$(seconds "$HEDDLE" check -q --strategy graph "$tmp/program")
    echo "cost execution $(awk -v s="$whole" 'BEGIN { print s / 218243 }')"
    rm -rf "$tmp/units"
    "$HEDDLE" split -q -n 300 -o "$tmp/units" "$tmp/program" >/dev/null
    last=$(ls -S "$tmp"/units/*.unit | head -n 1)
    echo "cost start $(seconds bash -c "for i in {1..20}; do '$HEDDLE' check -q --unit '$last' '$tmp/program'; done" | awk '{ print $1 / 20 }')"
    # rank 0 reads a unit, writes a result and the units that are left
    file=$(seconds bash -c "mkdir '$tmp/copies'; cp '$tmp'/units/*.unit '$tmp/copies'" |
        awk -v n="$(ls "$tmp"/units/*.unit | wc -l)" '{ s = $1 / n; print (s > 0.0001 ? s : 0.0001) }')
    echo "cost file $file"
    echo "cost answer $(awk -v f="$file" 'BEGIN { print 2 * f + 0.0001 }')"
    echo "cost message 0.0001"
} >"$tmp/measured"
[ -z "${MEASURED:-}" ] || cp "$tmp/measured" "$MEASURED"

{
    cat <<'END'
# Many ranks

How `mpirun heddle check --distributed` scales, by simulation with the code that chooses units and their time and takes units from
other groups (`supervise/leader.c`). Leaders of groups explore nothing, but count as ranks. Measured are what an execution, the start of a unit and a file of the ledger cost (processor time), and into which
parts the graph search of five programs cuts a unit; a message is taken to need 0.1 ms. The network and the file system are not simulated.
`make bench-scale-out` writes this file.

END
    sed -n 's/^cost \([a-z]*\) \(.*\)/\1 \2 s/p' "$tmp/measured" | paste -sd ';' | sed 's/;/, /g; s/^/Measured: /; s/$/./'
    echo "Cuts: $(grep -c '^cut' "$tmp/measured"), into $(awk '/^cut/ { n += NF - 1; c++ } END { printf "%.0f", n / c }' "$tmp/measured") units on average."
    for times in 1 20 1000; do
        echo
        echo "A tree of 10⁹ executions, of $times times the cost:"
        echo
        echo '| ranks | leaders | seconds | speed-up | efficiency | idle | busiest leader | units | messages | most units waiting |'
        echo '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
        awk -v t=$times '/^cost execution/ { $3 *= t } { print }' "$tmp/measured" | "$simulator" 1e9
    done
    cat <<'END'

What bounds it: where the whole tree is a second of work for each rank or less, the time until there are enough units, because each cut takes two starts of the
program. Where it is a minute for each, nothing did up to 10,000 ranks.
END
} >"$tmp/table" || exit 1
cat "$tmp/table" >bench/scale-out.md
cat bench/scale-out.md
