#!/bin/bash
# The hybrid reduction and what it was compared with, beside the published figures: bench/hybrid.sh [-o FILE]
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
out=bench/hybrid.md
[ "${1:-}" = -o ] && out=$2
command -v jq >/dev/null || { echo "bench: jq is missing: run 'make deps'" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
LIMIT=${LIMIT:-300s}
STRATEGIES='hr hr-fields dpor-stateful hybrid hybrid:hr'

# one STRATEGY OPTIONS...: "choices | seconds", - when the time was not enough; into $tmp/choices the choices
one() {
    local strategy=$1
    shift
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --time "$LIMIT" --strategy "$strategy" \
        --json "$tmp/json" "$@" "$tmp/program" >/dev/null 2>"$tmp/err"
    [ $? -le 1 ] || { cat "$tmp/err" >&2; exit 1; }
    jq -r 'if .verdict != "violation" and any(.downgrades[]; test("time")) then "- | -"
           else "\(.choices)\(if .passes > 1 then " (\(.last_choices))" else "" end) | \(.seconds * 100 | round / 100)" end' \
        "$tmp/json"
}

# row NAME FILE FLAGS PUBLISHED...: four pairs of published figures, then ours
row() {
    local name=$1 file=$2 flags=$3 line p s
    shift 3
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "bench/hybrid/$file.c" || exit 1
    line="| $name |"
    for p in "$@"; do line+=" $p |"; done
    for s in $STRATEGIES; do line+=" $(one "$s" $options) |"; done
    echo "$line"
}

# determinacy NAME FILE FLAGS: pairs of a place that accesses memory and a thread, and those with one address
determinacy() {
    # shellcheck disable=SC2086
    "$HEDDLE" cc $3 -o "$tmp/program" "bench/hybrid/$2.c" || exit 1
    rm -f "$tmp/counts"
    "$HEDDLE" check -q --races off --keep-going --no-minimise --trace-dir "$tmp" --time 5s --json "$tmp/json" --reduce optimal \
        --strategy "$tmp/determinacy.so:$tmp/counts" "$tmp/program" >/dev/null 2>"$tmp/err"
    [ $? -le 1 ] || { cat "$tmp/err" >&2; exit 1; }
    local all=yes
    jq -e 'any(.downgrades[]; test("time"))' "$tmp/json" >/dev/null && all=no
    awk -v name="$1" -v all=$all '{ printf "| %s | %d | %d | %d | %s |\n", name, $1, $2, $2 * 100 / $1, all }' "$tmp/counts"
}

titles() {
    # shellcheck disable=SC2016
    echo '| program | HR | HR + fields | dynamic | hybrid | `hr` | s | `hr-fields` | s | `dpor-stateful` | s | `hybrid` | s | `hybrid:hr` | s |'
    echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
}

{
    cat <<'T'
# Hybrid partial order reduction

`make bench-hybrid` writes this file. Parízek, *Hybrid Partial Order Reduction with Under-Approximate Dynamic Points-To and
Determinacy Information*, FMCAD 2016, Tables I and II. The programs (`bench/hybrid/`) are ours, in C, in the spirit of the Java
programs and smaller; the published figures (thread choices, and seconds) are those of JPF on the originals: which of the four makes
fewer choices compares, the numbers themselves do not.

Ours: choices made in all passes, in parentheses those of the last pass where there were several; then seconds of the exploration.
`hybrid:hr` also leaves out objects that no other thread can reach, as the paper's does; it never says `verified`, nor do `hr` and `hr-fields`.

## Complete traversal (Table I)

T
    titles
    options=--keep-going
    row 'CRE Demo' credemo '' '30942, 50 s' '2476, 9 s' '2015, 11 s' '2086, 9 s'
    row 'CoCoME' cocome '' '81150, 160 s' '23880, 59 s' '72, 3 s' '72, 5 s'
    row 'Daisy' daisy '' '28436002, 15405 s' '6647236, 4574 s' - '6028026, 7787 s'
    row 'Crypt' crypt '-DTHREADS=3' '4993, 3 s' '9, 2 s' '9, 1 s' '9, 2 s'
    row 'Elevator' elevator '' '10167560, 7617 s' '2731316, 1954 s' '429466, 1288 s' '461996, 585 s'
    row 'Cache4j' cache4j '' '11716552, 7336 s' '8615847, 5613 s' - '1970110, 1785 s'
    row 'Simple JBB' simplejbb '' '575519, 1768 s' '277599, 959 s' '602, 31 s' '5648, 81 s'
    LIMIT=20s row 'jPapaBench' jpapabench '' - - - -
    LIMIT=20s row 'jPapaBench, two periods' jpapabench -DPERIODS=2 - - - -
    row 'Alarm Clock' alarmclock '' '531463, 432 s' '141138, 117 s' '109018, 188 s' '48166, 47 s'
    row 'Linked List' linkedlist '' '5919, 3 s' '1969, 5 s' '283, 1 s' '1422, 5 s'
    row 'Prod-Cons' prodcons '' '6410, 4 s' '2532, 6 s' '592, 1 s' '356, 4 s'
    row 'RAX Extended' rax '' '26346, 18 s' '13864, 13 s' '11315, 125 s' '3519, 7 s'
    row 'Rep Workers' repworkers '' '9810966, 6850 s' '1653037, 1264 s' - '739418, 584 s'
    row 'SOR' sor '' '222129, 122 s' '86193, 72 s' '135, 2 s' '135, 4 s'
    row 'TSP' tsp '' '35273, 591 s' '9285, 154 s' '101, 65 s' '86, 37 s'
    row 'TSP without a queue' tsp -DOWN - - - -
    row 'QSort MT' qsortmt '' - - - -
    cat <<'T'

## Search for errors (Table II)

Choices until the first violation.

T
    titles
    options=
    row 'Elevator' elevator -DERROR '27053, 12 s' '9123, 7 s' '119797, 285 s' '1156, 5 s'
    row 'jPapaBench' jpapabench -DERROR '230709, 147 s' '48337, 40 s' - '262, 7 s'
    row 'Alarm Clock' alarmclock -DERROR '428, 1 s' '161, 3 s' '167, 1 s' '65, 3 s'
    row 'Linked List' linkedlist -DERROR '1341, 1 s' '270, 3 s' '80, 1 s' '1290, 6 s'
    row 'RAX Extended' rax -DERROR '1315, 1 s' '22, 2 s' '18, 1 s' '20, 3 s'
    row 'Rep Workers' repworkers -DERROR '6685, 6 s' '1522, 5 s' '4516, 6 s' '1054, 4 s'
    row 'QSort MT' qsortmt -DERROR '3221, 2 s' '959, 3 s' - '274, 2 s'
    cat <<'T'

## Determinacy

The paper's reason for it: in many of its programs over half of the variables through which fields are accessed are determinate, that is, have one
value whenever a thread comes to a place. Ours: pairs of a place in the source that accesses memory, as far as that is a step, and
a thread that comes there, in all executions of `optimal` (`bench/determinacy.c`, five seconds); *determinate*: those with one address. Variables of
C are also accessed without a pointer, which is always determinate; Java's fields are not.

| program | pairs | determinate | % | all executions |
|---|---:|---:|---:|---|
T
    "${CC:-cc}" -O2 -shared -fPIC -Iinclude -o "$tmp/determinacy.so" bench/determinacy.c || exit 1
    determinacy 'CRE Demo' credemo ''
    determinacy 'CoCoME' cocome ''
    determinacy 'Daisy' daisy ''
    determinacy 'Crypt' crypt '-DTHREADS=3'
    determinacy 'Elevator' elevator ''
    determinacy 'Cache4j' cache4j ''
    determinacy 'Simple JBB' simplejbb ''
    determinacy 'jPapaBench' jpapabench ''
    determinacy 'Alarm Clock' alarmclock ''
    determinacy 'Linked List' linkedlist ''
    determinacy 'Prod-Cons' prodcons ''
    determinacy 'RAX Extended' rax ''
    determinacy 'Rep Workers' repworkers ''
    determinacy 'SOR' sor ''
    determinacy 'TSP' tsp ''
    determinacy 'QSort MT' qsortmt ''
    cat bench/hybrid/reasons.md
    echo
    echo "Measured on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sm)."
} >"$tmp/out" || exit 1
cp "$tmp/out" "$out"
