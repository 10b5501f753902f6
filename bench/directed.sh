#!/bin/bash
# Getting to a place, beside the published figures: bench/directed.sh [-o FILE]
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/directed.md
[ "${1:-}" = -o ] && out=$2
command -v jq >/dev/null || { echo "bench: jq is missing: run 'make deps'" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
TRIALS=${TRIALS:-100} FEW=${FEW:-5} SECONDS_EACH=${SECONDS_EACH:-2s}

line() { grep -n "/\* via $2 \*/" "bench/directed/$1.c" | head -n 1 | cut -d: -f1; }
# The first N marked lines of a program.
way() {
    local i list=
    for i in $(seq 1 "$2"); do list+=${list:+,}$1.c:$(line "$1" "$i"); done
    echo "$list"
}

# trials N OPTIONS...: "density | min | avg | max"
trials() {
    local n=$1
    shift
    "$HEDDLE" check -q --races off --trials "$n" --time "$SECONDS_EACH" --json "$tmp/json" "$@" "$tmp/program" \
        >/dev/null 2>"$tmp/err"
    [ $? -le 1 ] || { cat "$tmp/err" >&2; exit 1; }
    jq -r 'def r: if . == null then "-" else (. | round | tostring) end;
           "\(.density * 100 | round / 100) | \(.states.min | r) | \(.states.avg | r) | \(.states.max | r)"' "$tmp/json"
}

# meta NAME FILE FLAGS PLACES PREFERRED RANDOM-DFS PUBLISHED-AVERAGE(distance, random, prefer)
meta() {
    local name=$1 file=$2 flags=$3 via
    via=$(way "$file" "$4")
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "bench/directed/$file.c" || exit 1
    local dfs distance random prefer
    dfs=$(trials "$FEW" --search dfs:1 --reduce none | cut -d'|' -f1)
    distance=$(trials "$TRIALS" --strategy meta --via "$via")
    random=$(trials "$FEW" --strategy meta --via "$via" --heuristic random | cut -d'|' -f1,3)
    prefer=$(trials "$FEW" --strategy meta --via "$via" --heuristic "prefer:$5" | cut -d'|' -f1,3)
    echo "| $name | $6 | $dfs | $7 | $distance | $8 | $random | $9 | $prefer |"
}

# five NAME FILE FLAGS PUBLISHED(5 columns): averages of five seeds
five() {
    local name=$1 file=$2 flags=$3 chess hgs events states
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "bench/directed/$file.c" || exit 1
    one() { # PRESET FIELD
        "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --time 10s --strategy "$1" --json "$tmp/json" \
            "$tmp/program" >/dev/null 2>&1
        jq -r "if .verdict == \"no-violation-found\" then \"-\" else \"\(.$2)\" end" "$tmp/json"
    }
    events=$(one optimal events) states=$(one stateful states) chess=$(one chess:5 events)
    hgs=$(trials 5 --strategy hgs | awk -F' [|] ' '{ print $3 " (" $1 * 100 " %)" }')
    echo "| $name | $4 | $5 | $6 | $7 | $8 | $events | $states | $chess | $hgs |"
}

{
    cat <<T
# Getting to a place

\`make bench-directed\` writes this file. The programs (\`bench/directed/\`) are written from the descriptions in the papers;
published figures are for Java programs in JPF, whose transitions are not ours: orders of magnitude compare, units do not.

## The meta heuristic

Rungta and Mercer, *A meta heuristic for effectively detecting concurrency errors*, Tables 1 and 2. Error density, and
states until the error is found. \`--strategy meta --via\` with as many places as in the paper; by distance with
$TRIALS trials, the others with $FEW; each trial has $SECONDS_EACH (in the paper an hour).

| program | random DFS, published | ours | distance: average, published | density | min | average | max | random: average, published | density | average | prefer: average, published | density | average |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
T
    meta 'TwoStage(7,1)' twostage '-DSTAGES=7' 2 8 0.41 213 130839 2206109
    meta 'TwoStage(8,1)' twostage '-DSTAGES=8' 2 9 0.04 250 217637 4436444
    meta 'TwoStage(10,1)' twostage '-DSTAGES=10' 2 11 0.00 333 314590 6690008
    meta 'Wronglock(1,10)' wronglock '-DCLASS=10' 3 1 - 3526 7082 120305
    meta 'Wronglock(1,20)' wronglock '-DCLASS=20' 3 1 0.28 21391 24479 3827020
    meta 'Reorder(5,1)' reorder '-DSETTERS=5' 2 6 - 109 5597 977
    meta 'Reorder(8,1)' reorder '-DSETTERS=8' 2 9 - 197 36332 3110
    meta 'Reorder(9,1)' reorder '-DSETTERS=9' 2 10 0.06 - - -
    meta 'Reorder(10,1)' reorder '-DSETTERS=10' 2 11 0.00 271 67958 5136
    meta 'Deadlock(1,9)' deadlock '-DOTHER=9' 2 1 0.00 - - -
    meta 'Deadlock(1,10)' deadlock '-DOTHER=10' 2 1 0.00 - - -
    cat <<'T'

## Strategies on three benchmarks

Noonan, *Slice-n-dice algorithm implementation in JPF*, Tables 3.2 to 3.5: states until the error is found; - where none
of his runs ended. Ours: `optimal` and `chess:5` keep no states, so visible actions are counted; `stateful` counts the states it stores;
`hgs` those it meets, on average of five seeds, with the share that found it. Error-free programs are explored
completely, or - within 10 s.

| program | clock vectors | JPF's POR | K ≤ 5 | HGS | slice-n-dice | `optimal`, actions | `stateful`, states | `chess:5`, actions | `hgs`, states |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
T
    five 'AccountSubtype(1,1)' account '-DBUSINESS=1' 246 96 272 173 307
    five 'AccountSubtype(4,1)' account '-DBUSINESS=4' 22200 82600 11700 1318 5150
    five 'AccountSubtype(9,1)' account '-DBUSINESS=9' 146000 - 92700 21100 15700
    five 'Airline(1,1)' airline '-DISSUERS=1 -DCUSHION=1' 8.2 3.8 8.6 12 15
    five 'Airline(5,3)' airline '-DISSUERS=5 -DCUSHION=3' 33500 17100 69.2 249 186
    five 'Airline(10,3)' airline '-DISSUERS=10 -DCUSHION=3' - 326000 460 16700 7820
    five 'Reorder(1,1)' reorder '-DSETTERS=1' 62 285 73.4 137 233
    five 'Reorder(5,1)' reorder '-DSETTERS=5' 1140000 1520000 8870 11900 283
    five 'Reorder(10,1)' reorder '-DSETTERS=10' - - 179000 6991 251
    five 'Airline(4,0), no error' airline '-DISSUERS=4 -DCUSHION=0' 29700 183000 16700 - 736
    five 'Reorder(4,0), no error' reorder '-DSETTERS=4 -DCHECKERS=0' 20200 72500 14000 - 65
    five 'AccountSubtype(3,1), no error' account '-DBUSINESS=3 -DCORRECT' - - 243000 - 295000
    cat <<'T'

Not measured yet: slice-n-dice itself, and the two library races (AbsList, AryList) of the first table.
T
} >"$tmp/md" || exit 1
mv "$tmp/md" "$out"
