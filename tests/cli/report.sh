#!/bin/bash
# heddle report: traces as HTML, as `heddle check --html` writes it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines err)"; fi
}
# violations HTML: the kinds of violations it shows.
violations() { grep -o '"kind":"[a-z-]*"' "$1" | sort | tr '\n' ' '; }

cp "$ROOT/tests/bugs/lost_update.c" "$ROOT/tests/bugs/lock_order.c" "$ROOT/tests/litmus/wrong/several.c" .
"$HEDDLE" check -q --html whole.html --json j lost_update.c >out 2>err
"$HEDDLE" report "$(jq -r '.violations[0].trace' j)" -o again.html >out 2>err
holds 'of C files' [ $? = 0 ]
holds 'the same violation' [ "$(violations again.html)" = "$(violations whole.html)" ]
holds 'what decides is there' grep -q '"orderings":\[{\|deciding' again.html
holds 'about as long' awk -v a="$(wc -c <again.html)" -v b="$(wc -c <whole.html)" \
    'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'

grep -qx 'written: again.html' out && pass 'report: says what it wrote' || fail 'report: says what it wrote' "$(first_lines out)"
"$HEDDLE" report heddle-traces/lost_update-*.trace -o paired.html >out 2>err
holds 'with those that pass, which belong to them' [ $? = 0 ]
holds '… the same violations' [ "$(violations paired.html)" = "$(violations whole.html)" ]
holds '… and the trace that passes' grep -q 'lost_update-assertion-1-passing.trace' paired.html
expect_error 'one that passes, alone' 'ends without a violation' "$HEDDLE" report heddle-traces/lost_update-assertion-1-passing.trace -o x.html
cp heddle-traces/lost_update-assertion-1.trace odd.trace
cp heddle-traces/lost_update-assertion-1.trace odd-passing.trace
expect_error 'one that does not pass' 'does not pass here' "$HEDDLE" report odd.trace odd-passing.trace -o x.html

"$HEDDLE" cc -o several several.c -pthread
"$HEDDLE" check -q --keep-going --html whole.html --json j ./several >out 2>err
mapfile -t traces < <(jq -r '.violations[].trace' j)
"$HEDDLE" report -o - "${traces[@]}" >again.html 2>err
holds 'several, of a program, on standard output' [ $? = 0 ]
holds 'several: all of them' [ "$(violations again.html)" = "$(violations whole.html)" ]

"$HEDDLE" check -q --json j2 lock_order.c >out 2>err
"$HEDDLE" report heddle-traces/*.trace >out 2>err
holds 'of three programs, without a file to write' [ $? = 0 -a "$(cat out)" = 'written: heddle-report.html' ]
cat whole.html paired.html >all
echo '"kind":"deadlock"' >>all
holds '… all of their violations' [ "$(violations heddle-report.html)" = "$(violations all)" ]
holds '… each with its program' [ "$(grep -o '"program":"[a-z_./]*","kind"' heddle-report.html | sort -u | wc -l)" = 3 ]

# A comment does not make a trace useless; the steps are the same ones.
sed -i '1i /* a comment */' lost_update.c
steps=$(grep -c '^[0-9]' heddle-traces/lost_update-assertion-1.trace)
"$HEDDLE" report heddle-traces/lost_update-*.trace -o changed.html >out 2>err
holds 'a changed comment' [ $? = 0 -a "$(violations changed.html)" = "$(violations paired.html)" ]
holds '… is told' grep -q "the program has changed since; followed $steps of $steps steps" changed.html
# With the bug repaired there is nothing left of the trace; other traces are shown.
cp "$ROOT/tests/bugs/lost_update-fixed.c" lost_update.c
"$HEDDLE" report heddle-traces/lost_update-*.trace heddle-traces/lock_order-*.trace -o changed.html >out 2>err
holds 'a repaired program is left out' [ $? = 0 -a "$(violations changed.html)" = '"kind":"deadlock" ' ]
holds '… and that is told' grep -q 'lost_update-assertion-1.trace: .* ends without a violation: left out' err
expect_error 'all of them are repaired' 'no trace breaks its program any more' "$HEDDLE" report heddle-traces/lost_update-*.trace -o x.html
echo 'main T1 main' >bare
expect_error 'a bare schedule' 'does not say of which program' "$HEDDLE" report bare -o x.html
expect_error 'no trace' 'give the traces' "$HEDDLE" report -o x.html
expect_error 'a file that is not there' 'nothing.trace' "$HEDDLE" report nothing.trace -o x.html
expect_error 'a place that cannot be written' '/dev/full|no/such' \
    "$HEDDLE" report "$(jq -r '.violations[0].trace' j2)" -o /no/such/x.html
