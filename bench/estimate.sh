#!/bin/bash
# How good is the estimate of the number of executions?  bench/estimate.sh [STRATEGY] prints a table: programs with a
# known total, and what heddle estimates after 1 %, 10 % and half of it.  STRATEGY is optimal (the default) or graph, which
# explores C11's executions; blocked ones count there, too.
set -u
cd "$(dirname "$0")/.." || exit 2
heddle=${HEDDLE:-build/bin/heddle}
strategy=(--strategy "${1:-optimal}")
[ "${1:-optimal}" = optimal ] || strategy+=(--memory rc11)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

estimate() { # PROGRAM EXECUTIONS -> estimated total
    "$heddle" check -q "${strategy[@]}" --no-minimise --executions "$2" --json "$tmp/json" "$1" >/dev/null
    jq -r 'if .explored then (.executions + .blocked) / .explored else 0 end' "$tmp/json"
}

echo '| program | executions | after 1 % | after 10 % | after 50 % |'
echo '|---|--:|--:|--:|--:|'
while read -r file flags; do
    # shellcheck disable=SC2086
    "$heddle" cc $flags -o "$tmp/program" "tests/programs/$file" -pthread || exit 1
    "$heddle" check -q "${strategy[@]}" --no-minimise --time 20s --json "$tmp/json" "$tmp/program" >/dev/null
    jq -e '.undischarged | index("finished") | not' "$tmp/json" >/dev/null || continue # the total is not known
    total=$(jq .executions "$tmp/json")
    ended=$(jq '.executions + .blocked' "$tmp/json")
    printf '| `%s %s` | %d |' "$(basename "$file" .c)" "$flags" "$ended"
    for percent in 1 10 50; do
        at=$((total * percent / 100))
        got=$(estimate "$tmp/program" $((at > 64 ? at : 64)))
        echo "$percent $got $ended" >>"$tmp/all"
        awk -v got="$got" -v total="$ended" \
            'BEGIN { if (got > 0) printf " %.0f (×%.2f) |", got, got / total; else printf " – |" }'
    done
    echo
done <<'LIST'
dpor/readers.c -DN=16
dpor/lastzero.c -DN=14
dpor/filesystem.c -DN=26
dpor/counter.c -DN=8
dpor/lastwrite.c -DN=8
dpor/casrot.c -DN=9
dpor/fib_bench.c -DK=5
scale/barrier.c -DN=3 -DSTEPS=2
scale/threadpool.c -DN=4
scale/prodcons.c -DN=3 -DNO_FIRST_ASSERT
LIST
for percent in 1 10 50; do
    awk -v p="$percent" '$1 == p && $2 > 0 { r = $2 / $3; print (r < 1 ? 1 / r : r) }' "$tmp/all" | sort -n |
        awk -v p="$percent" '{ v[NR] = $1 } END { printf "median factor after %d %%: %.2f\n", p, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
done
