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
TRIALS=${TRIALS:-100} FEW=${FEW:-5} SECONDS_EACH=${SECONDS_EACH:-2s} ONE=${ONE:-10s}
programs=tests/programs/directed

# place FILE I: "file:line" of the line marked `via I` in the program or in what it includes.
place() {
    local file
    for file in "$1.c" lists.h; do
        local line
        line=$(grep -n "/\* via $2 \*/" "$programs/$file" | head -n 1 | cut -d: -f1)
        [ -z "$line" ] || { echo "$file:$line"; return; }
    done
}
# The first N marked lines of a program.
way() {
    local i list=
    for i in $(seq 1 "$2"); do list+=${list:+,}$(place "$1" "$i"); done
    echo "$list"
}
# build FLAGS FILE
build() {
    # shellcheck disable=SC2086
    "$HEDDLE" cc $1 -o "$tmp/program" "$2" || exit 1
}

# trials N OPTIONS...: "density | min | avg | max"
trials() {
    local n=$1
    shift
    "$HEDDLE" check -q --races off --trials "$n" --json "$tmp/json" --time "$SECONDS_EACH" "$@" "$tmp/program" \
        >/dev/null 2>"$tmp/err"
    [ $? -le 1 ] || { cat "$tmp/err" >&2; exit 1; }
    jq -r 'def r: if . == null then "-" else (. | round | tostring) end;
           "\(.density * 100 | round / 100) | \(.states.min | r) | \(.states.avg | r) | \(.states.max | r)"' "$tmp/json"
}

# one FIELD OPTIONS...: that number of one exploration; "-" when it is not through within its time
one() {
    local field=$1
    shift
    rm -f "$tmp/json"
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --time "$ONE" --json "$tmp/json" "$@" "$tmp/program" \
        >/dev/null 2>"$tmp/err"
    [ $? -le 1 ] || { cat "$tmp/err" >&2; exit 1; }
    jq -r "if (.downgrades | any(startswith(\"stopped after\"))) then \"-\" else \"\(.$field)\" end" "$tmp/json"
}

# meta NAME FILE FLAGS PLACES PREFERRED PUBLISHED: densities of random DFS, distance, random, prefer; average states of the last three
meta() {
    local name=$1 file=$2 via dfs distance random prefer
    via=$(way "$file" "$4")
    build "$3" "$programs/$file.c"
    dfs=$(trials "$FEW" --search dfs:1 --reduce none | cut -d'|' -f1)
    distance=$(trials "$TRIALS" --strategy meta --via "$via")
    random=$(trials "$FEW" --strategy meta --via "$via" --heuristic random | cut -d'|' -f1,3)
    prefer=$(trials "$FEW" --strategy meta --via "$via" --heuristic "prefer:$5" | cut -d'|' -f1,3)
    echo "| $name | $6 | $dfs | $7 | ${10} | $distance | $8 | ${11} | $random | $9 | ${12} | $prefer |"
}

# dice: "states (rounds)" of slice-n-dice, ranked; "states (share that found it)" of five random ones
ranked() {
    local states
    states=$(one states --strategy slice-n-dice)
    echo "$states ($(jq -r '"\(.slice_n_dice.rounds - 1), \(.seconds * 1000 | round) ms"' "$tmp/json"))"
}
randomly() { trials 5 --strategy slice-n-dice:1 --time "$ONE" | awk -F' [|] ' '{ print $3 " (" $1 * 100 " %)" }'; }

# five NAME FILE FLAGS PUBLISHED(5 columns)
five() {
    local hgs
    build "$3" "$programs/$2.c"
    hgs=$(trials 5 --strategy hgs-jpf | awk -F' [|] ' '{ print $3 " (" $1 * 100 " %)" }')
    echo "| $1 | $4 | $(one events --strategy dpor:plain) | $5 | $(one states --strategy jpf:states) | $6 \
| $(one states --strategy chess-states:5) | $7 | $hgs | $8 | $(ranked) | $(randomly) |"
}

# whole NAME FILE FLAGS PUBLISHED(2): the whole program, JPF's reduction against clock vectors
whole() {
    build "$3" "$programs/$2.c"
    echo "| $1 | $4 | $(one states --keep-going --strategy jpf:states) | $5 | $(one events --keep-going --strategy dpor:plain) \
| $(one events --keep-going --strategy inspect) |"
}

# under NAME FILE FLAGS PUBLISHED(2): depth-first search with reduction against slice-n-dice
under() {
    build "$3" "$2"
    local dice
    dice=$(ranked)
    echo "| $1 | $4 | $(one events --strategy inspect) | $5 | $dice | $(one verdict --strategy slice-n-dice) |"
}

{
    cat <<T
# Getting to a place

\`make bench-directed\` writes this file. The programs (\`$programs\`) are written from the descriptions in the papers;
published figures are for Java programs in JPF, whose transitions are not ours: orders of magnitude compare, units do not.
\`-\`: not published, or not through within the time. One exploration has $ONE, a trial $SECONDS_EACH (in the papers five
minutes and an hour).

## Slicing and dicing

Rungta and Mercer, *Slicing and Dicing Bugs in Concurrent Programs*, Table 1 and Figure 1. States; ours in front of it the
actions of \`inspect\`, after it the rounds and milliseconds of \`slice-n-dice\`.

| program | DFS, published | \`inspect\`, actions | refined, published | \`slice-n-dice\`, states | verdict |
|---|---:|---:|---:|---:|---|
T
    under 'SharedVar-v0, no error' $programs/sharedvar.c -DV=0 18199 387
    under 'SharedVar-v1, one thread' $programs/sharedvar.c -DV=1 18 2
    under 'SharedVar-v2, two threads' $programs/sharedvar.c -DV=2 5880 357
    under 'Figure 1' tests/slice/figure1.c '' - -
    under 'Figure 1, x == 45' tests/slice/figure1.c -DWANTED=45 - -
    cat <<'T'

## Strategies on three benchmarks

Noonan, *Slice-n-dice algorithm implementation in JPF*, Tables 3.2 to 3.5: states until the error is found, or until all is
explored. Ours are the searches as he ran them: `dpor:plain` (clock vectors, no sleep sets; it keeps no states, so visible actions are
counted), `jpf:states` (JPF's reduction with its store of states), `chess-states:5` (bounded preemptions with states), `hgs-jpf`
(JPF's scheduling points; states that it meets) and `slice-n-dice` (states that it stores). `hgs-jpf` and random slice-n-dice
(`slice-n-dice:SEED`, as in the thesis): the average of five seeds, and the share that found the error; `slice-n-dice`: rounds and milliseconds.

| program | clock vectors | `dpor:plain`, actions | JPF's POR | `jpf:states` | K ≤ 5 | `chess-states:5` | HGS | `hgs-jpf` | slice-n-dice (complete) | `slice-n-dice` | `slice-n-dice:SEED` |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
T
    five 'AccountSubtype(1,1)' account '-DBUSINESS=1' 246 96 272 173 '307 (100 %)'
    five 'AccountSubtype(4,1)' account '-DBUSINESS=4' 22200 82600 11700 1318 '5150 (100 %)'
    five 'AccountSubtype(9,1)' account '-DBUSINESS=9' 146000 - 92700 21100 '15700 (60 %)'
    five 'Airline(1,1)' airline '-DISSUERS=1 -DCUSHION=1' 8.2 3.8 8.6 12 '15 (100 %)'
    five 'Airline(5,3)' airline '-DISSUERS=5 -DCUSHION=3' 33500 17100 69.2 249 '186 (100 %)'
    five 'Airline(10,3)' airline '-DISSUERS=10 -DCUSHION=3' - 326000 460 16700 '7820 (100 %)'
    five 'Reorder(1,1)' reorder '-DSETTERS=1' 62 285 73.4 137 '233 (100 %)'
    five 'Reorder(5,1)' reorder '-DSETTERS=5' 1140000 1520000 8870 11900 '283 (100 %)'
    five 'Reorder(10,1)' reorder '-DSETTERS=10' - - 179000 6991 '251 (100 %)'
    five 'Airline(4,0), no error' airline '-DISSUERS=4 -DCUSHION=0' 29700 183000 16700 - '736 (100 %)'
    five 'Reorder(4,0), no error' reorder '-DSETTERS=4 -DCHECKERS=0' 20200 72500 14000 - '65 (100 %)'
    five 'AccountSubtype(3,1), no error' account '-DBUSINESS=3 -DRIGHT' - - 243000 - '295000 (100 %)'
    cat <<'T'

## JPF's reduction against clock vectors

The same thesis, Table 2.1: the whole program, errors or not. States there; ours: states of `jpf:states`, actions of `dpor:plain`, and
of `inspect`, which has sleep sets.

| program | JPF's POR | `jpf:states` | clock vectors | `dpor:plain`, actions | `inspect`, actions |
|---|---:|---:|---:|---:|---:|
T
    whole 'Airline(3,4)' airline '-DISSUERS=3 -DCUSHION=4' 9025 2787
    whole 'Airline(4,2)' airline '-DISSUERS=4 -DCUSHION=2' 307561 107112
    whole 'Airline(4,4)' airline '-DISSUERS=4 -DCUSHION=4' 281105 87214
    whole 'Airline(5,1)' airline '-DISSUERS=5 -DCUSHION=1' 3966210 1050418
    whole 'Reorder(1,1)' reorder '-DSETTERS=1' 285 181
    whole 'Reorder(2,1)' reorder '-DSETTERS=2' 3859 2223
    whole 'Reorder(3,1)' reorder '-DSETTERS=3' 54555 26576
    whole 'Reorder(4,1)' reorder '-DSETTERS=4' 532101 228874
    cat <<T

## The meta heuristic

Rungta and Mercer, *A meta heuristic for effectively detecting concurrency errors*, Tables 1 and 2. Error density, and
states until the error is found. \`--strategy meta --via\` with as many places as in the paper (Deadlock: three); by distance with
$TRIALS trials, the others with $FEW. *p.*: published.

| program | random DFS p. | ours | distance p. | states p. | density | min | average | max | random p. | states p. | density | average | prefer p. | states p. | density | average |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
T
    meta 'TwoStage(7,1)' twostage '-DSTAGES=7' 2 8 0.41 1.00 1.00 1.00 213 130839 2206109
    meta 'TwoStage(8,1)' twostage '-DSTAGES=8' 2 9 0.04 1.00 1.00 1.00 250 217637 4436444
    meta 'TwoStage(10,1)' twostage '-DSTAGES=10' 2 11 0.00 1.00 1.00 1.00 333 314590 6690008
    meta 'Wronglock(1,10)' wronglock '-DWRONG=10' 3 1 - - - - 3526 7082 120305
    meta 'Wronglock(1,20)' wronglock '-DWRONG=20' 3 1 0.28 1.00 1.00 1.00 21391 24479 3827020
    meta 'Reorder(5,1)' reorder '-DSETTERS=5' 2 6 - - - - 109 5597 977
    meta 'Reorder(8,1)' reorder '-DSETTERS=8' 2 9 - - - - 197 36332 3110
    meta 'Reorder(9,1)' reorder '-DSETTERS=9' 2 10 0.06 1.00 1.00 1.00 - - -
    meta 'Reorder(10,1)' reorder '-DSETTERS=10' 2 11 0.00 1.00 1.00 1.00 271 67958 5136
    meta 'AbsList(1,7)' abslist '-DADDERS=7' 6 1 0.01 1.00 0.37 0.00 - - -
    meta 'AbsList(1,8)' abslist '-DADDERS=8' 6 1 0.00 1.00 0.08 0.00 - - -
    meta 'AbsList(1,10)' abslist '-DADDERS=10' 6 1 - - - - 1382 10497302 -
    meta 'Deadlock(1,9)' deadlock '-DSECOND=9' 3 1 0.00 1.00 1.00 1.00 - - -
    meta 'Deadlock(1,10)' deadlock '-DSECOND=10' 3 1 0.00 1.00 1.00 1.00 - - -
    meta 'AryList(1,5)' arylist '-DADDERS=5' 6 1 0.81 1.00 1.00 1.00 - - -
    meta 'AryList(1,8)' arylist '-DADDERS=8' 6 1 0.00 1.00 1.00 0.01 - - -
    meta 'AryList(1,9)' arylist '-DADDERS=9' 6 1 0.00 1.00 1.00 0.00 - - -
    meta 'AryList(1,10)' arylist '-DADDERS=10' 6 1 - - - - 14044 15972 -
    meta 'AryList(1,8), more steps' arylist '-DADDERS=8 -DWORK=2' 6 1 0.00 1.00 1.00 0.01 - - -
    meta 'AryList(1,10), more steps' arylist '-DADDERS=10 -DWORK=2' 6 1 0.00 1.00 1.00 0.00 14044 15972 -
    cat <<'T'

How many places of the sequence are needed: AryList(1,10) (Figure 6, a plot: a sharp drop from one place to two, a smaller
one to three, then flat).

| places | density | min | average | max |
|---:|---:|---:|---:|---:|
T
    build -DADDERS=10 $programs/arylist.c
    for n in 1 2 3 4 5 6; do
        echo "| $n | $(trials "$TRIALS" --strategy meta --via "$(way arylist "$n")") |"
    done
    sed -n '/^<!-- what it shows -->$/,$p' bench/directed.md
} >"$tmp/md" || exit 1
mv "$tmp/md" "$out"
