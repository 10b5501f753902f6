#!/bin/bash
# Chapter 6 of SCALE's thesis, beside heddle: bench/scale.sh [-o FILE]
#
# Writes bench/scale.md and the plots bench/scale-6.*.svg, and prints every row with what was published,
# what came out, and the reason where they differ (bench/scale_reasons.txt).  LIMIT is the time that one
# exploration may take; a number after `>` was reached when it was over.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
LIMIT=${LIMIT:-60s}
ROWS=${ROWS:-bench/scale_rows.txt}
out=bench/scale.md
[ "${1:-}" = -o ] && out=$2
command -v jq >/dev/null || { echo "bench: jq is missing: run 'make deps'" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# check PROGRAM FLAGS OPTIONS...: leaves the result in $tmp/json.
check() {
    local file=tests/programs/scale/$1.c flags=$2
    shift 2
    rm -f "$tmp/json"
    # SCALE makes every access a step.
    "$HEDDLE" check -q --analysis all --no-minimise --trace-dir "$tmp/traces" --time "$LIMIT" --cc-flags "$flags" --json "$tmp/json" \
        "$@" "$file" >/dev/null 2>"$tmp/err"
    [ -s "$tmp/json" ] || { cat "$tmp/err" >&2; exit 2; }
}

# runs: of the last check, complete and cut ones together, and seconds.
runs() {
    jq -r '(if any(.downgrades[]?; test("stopped|time")) then "> " else "" end) +
        "\(.executions + .pruned + .blocked)|\(.seconds * 1000 | round / 1000)"' "$tmp/json"
}

# CHESS' way: states are happens-before graphs, threads are switched at synchronisation only.
chess='--reduce not-seen,sync-only,preemptions'

# windows FILE: the program that CHESS was run on.
windows() {
    if [ -e "tests/programs/scale/$1_sem.c" ]; then echo "$1_sem"; else echo "$1"; fi
}

# tables: a line per row of scale_rows.txt, ours after the published figures.
tables() {
    local table size file flags rest
    while IFS='|' read -r table size file flags rest; do
        case $table in '#'*) continue ;; esac
        printf '%s|%s|%s' "$table" "$size" "$rest"
        for how in '--strategy scale --count-like-scale' '--strategy scale:nsb --count-like-scale' \
            '--strategy scale' '--strategy inspect' "$chess:2" '--strategy chess:2' "$chess:5" '--strategy chess:5' \
            '--strategy source' '--strategy optimal'; do
            if { [ "$table" = 6.1 ] && [ "${size%,*}" -gt 7 ] && [[ $how =~ scale|chess|sync ]]; } ||
                { [ "$table" != 6.3 ] && [ "$how" = "$chess:5" ]; }; then
                printf '|-|-'
                continue
            fi
            # shellcheck disable=SC2086
            case $how in
            "$chess"*) check "$(windows "$file")" "$flags" $how ;;
            *) check "$file" "$flags" $how ;;
            esac
            printf '|%s' "$(runs)"
        done
        echo
    done <"$ROWS"
}

# first_bug: runs up to the first counterexample of the queue; none where the time was over before.
first_bug() {
    for order in dfs dfs:54 dfs:29; do
        for n in 2 3 4 5 6 7 8 9 10; do
            check nbqueue "-DN=$n" --strategy scale --search $order
            printf '%s\t%s\t%s\n' "$order" "$n" \
                "$(jq -r 'if .verdict == "violation" then .executions + .pruned else "-" end' "$tmp/json")"
        done
    done
}

# replay_cost: microseconds per execution that is cut at a depth, by restarting and by undoing.
replay_cost() {
    for way in restart undo; do
        for depth in 20 40 60 80 120 160; do
            # shellcheck disable=SC2046
            LIMIT=2s check nbqueue -DN=10 --reduce none --depth $depth $([ $way = restart ] && echo --no-undo)
            printf '%s\t%s\t%s\n' "$way" "$depth" \
                "$(jq '.seconds * 1e6 / (.executions + .bounded + 1)' "$tmp/json")"
        done
    done
}

# states: distinct ones of the queue, without its assertion.
states() {
    local chain
    for chain in not-seen,depth:60 not-seen,depth:100 not-seen,local-cycle \
        not-seen,local-cycle,super-step; do
        for n in 2 3 4; do
            check nbqueue "-DN=$n -DNO_ASSERT" --reduce "$chain"
            jq -r --arg chain "$chain" --arg n "$n" \
                'if any(.downgrades[]?; test("stopped|time")) then empty
                 else "\($chain)\t\($n)\t\(.states)" end' "$tmp/json"
        done
    done
}

# missed: the two programs that Inspect and CHESS pass.
missed() {
    for how in scale scale:nsb inspect source optimal chess:2 chess:5 brute; do
        printf '| %s' "$how"
        for program in prodcons twosteps; do
            check $program '' --strategy "$how"
            printf ' | %s' "$(jq -r '"\(.verdict) after \(.executions) executions"' "$tmp/json")"
        done
        echo ' |'
    done
}

# cache: the trade of memory for work.
cache() {
    for size in 1000 2000 4000 6000 8000 0; do
        # shellcheck disable=SC2046
        check indexer -DN=3 --strategy scale:nsb $([ $size != 0 ] && echo --state-cache $size)
        printf '| %s | %s |\n' "$([ $size = 0 ] && echo 'no bound' || echo $size)" \
            "$(jq -r '"\(.executions + .pruned) | \(.events) | \(.seconds) | \(.verdict)"' "$tmp/json")"
    done
}

# table NUMBER CAPTION
table() {
    printf '\n## Table %s: %s\n\n' "$1" "$2"
    printf '| size | SCALE | ours, its way | SCALE\\* | ours, its way | scale | Inspect | inspect | CHESS(2) | ours, its way | chess:2 | CHESS(5) | ours, its way | chess:5 | source | optimal |\n'
    printf '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n'
    awk -F'|' -v t="$1" 'function c(i) { return $i == "-" ? "" : $i ($(i + 1) == "X" ? "" : " (" $(i + 1) ")") }
        $1 == t { printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $2,
            c(3), c(13), c(5), c(15), c(17), c(7), c(19), c(9), c(21), c(23), c(11), c(25), c(27), c(29), c(31) }' "$tmp/rows"
}

# row_by_row: what was published, what came out, and why they differ.
row_by_row() {
    printf '| table | size | system | published | ours | reason |\n|---|---|---|---:|---:|---|\n'
    awk -F'|' '
        function why(t, s, w, i, keys, n) {
            n = split(t SUBSEP s SUBSEP w "|" t SUBSEP "*" SUBSEP w "|" "*" SUBSEP "*" SUBSEP w, keys, "|")
            for (i = 1; i <= n; i++)
                if (keys[i] in reason) return reason[keys[i]]
            return "not explained"
        }
        function row(w, there, ours) {
            if (there == "-" || ours == "-") return
            printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, w, there, ours,
                there == ours ? "agrees" : why($1, $2, w)
        }
        FNR == NR { if ($0 !~ /^#/) reason[$1 SUBSEP $2 SUBSEP $3] = $4; next }
        { row("SCALE", $3, $13); row("SCALE*", $5, $15); row("Inspect", $7, $19)
          row("CHESS(2)", $9, $21); row("CHESS(5)", $11, $25) }' bench/scale_reasons.txt "$tmp/rows"
}

# by_size FILE: series by row, sizes by column.
by_size() {
    awk -F'\t' '{ if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 }
            if (!($2 in col)) { col[$2] = ++m; x[m] = $2 }
            v[$1, $2] = $3 == "-" ? $3 : $3 > 100 || $3 == int($3) ? sprintf("%d", $3) : sprintf("%.2f", $3) }
        END { printf "| |"; for (i = 1; i <= m; i++) printf " %s |", x[i]; printf "\n|---|"
            for (i = 1; i <= m; i++) printf "---:|"; print ""
            for (k = 1; k <= n; k++) { printf "| %s |", order[k]
                for (i = 1; i <= m; i++) printf " %s |", v[order[k], x[i]]; print "" } }' "$1"
}

tables >"$tmp/rows"
row_by_row
first_bug >"$tmp/6.1"
replay_cost >"$tmp/6.2"
states >"$tmp/6.3"
dir=$(dirname "$out")
plot() { awk -v title="$2" -v xlabel="$3" -v ylabel="$4" -f bench/plot.awk "$tmp/$1" >"$dir/scale-$1.svg"; }
plot 6.1 'Queue: runs to the first counterexample (Fig. 6.1)' N runs
plot 6.2 'Queue: cost of an execution by its depth (Fig. 6.2)' 'depth bound' microseconds
plot 6.3 'Queue: distinct states (Fig. 6.3)' N states
{
    printf '# Chapter 6 of SCALE, and heddle beside it\n\n'
    sed -n '/^## How/,$p' bench/scale.txt | sed '/^## Figures/,$d'
    table 6.1 'indexer, by threads'
    table 6.2 'thread pool, by size'
    table 6.3 'reusable barrier, by threads and steps'
    printf '\n## Row by row\n\n'
    row_by_row
    echo
    sed -n '/^## Figures/,/^@6.1/p' bench/scale.txt | sed '$d'
    by_size "$tmp/6.1"
    sed -n '/^@6.1/,/^@6.2/p' bench/scale.txt | sed '1d;$d'
    by_size "$tmp/6.2"
    sed -n '/^@6.2/,/^@6.3/p' bench/scale.txt | sed '1d;$d'
    by_size "$tmp/6.3"
    sed -n '/^@6.3/,/^@missed/p' bench/scale.txt | sed '1d;$d'
    missed
    sed -n '/^@missed/,/^@cache/p' bench/scale.txt | sed '1d;$d'
    cache
    printf '\nLimit of one exploration: %s. Load of the machine meanwhile: %s, on %s processors. Written by bench/scale.sh.\n' \
        "$LIMIT" "$(cut -d ' ' -f 2 /proc/loadavg)" "$(nproc)"
} >"$out"
