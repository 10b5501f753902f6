#!/bin/bash
# heddle compare as an instrument: columns of every kind, the same numbers as heddle check, folders, documents.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

is() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected $2, got $3 ($(first_lines err))"; fi; }
compare() { rm -f json; timeout "$LIMIT" "$HEDDLE" compare --time "$LIMIT" "$@" >out 2>err </dev/null; }

mkdir -p set empty
cat >set/good.c <<'C'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
int __VERIFIER_nondet_int(void);
static void *up(void *unused)
{
    pthread_mutex_lock(&m);
    n += 2;
    pthread_mutex_unlock(&m);
    return unused;
}
int even(void) { return n % 2 == 0; }
int main(int argc, char **argv)
{
    pthread_t a, b, c;
    (void)argv;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, up, 0);
    pthread_create(&c, 0, up, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(argc == 1 || n < 6);
}
C
sed 's/pthread_mutex_[un]*lock(&m);//' set/good.c >'set/race & <broken>.c'

# ---- a column is a check ----

# The numbers of every kind of column are those of `heddle check` with the same options.
numbers='[.verdict, .executions, .pruned, .blocked, .states, .events] | map(tostring) | join(" ")'
compare --strategy optimal,scale:nsb,auto --reduce sleep --reduce not-seen,depth:7 --column 'mine=--search dfs:3 --reduce source' --json json set/good.c
is 'names of columns' 'optimal|scale:nsb|auto|sleep|not-seen,depth:7|mine' "$(jq -r '[.strategies[].strategy] | join("|")' json)"
column=0
for options in '--strategy optimal' '--strategy scale:nsb' '--strategy auto' '--reduce sleep' '--reduce not-seen,depth:7' '--search dfs:3 --reduce source'; do
    # shellcheck disable=SC2086
    "$HEDDLE" check -q --no-earlier --trace-dir traces --json checked $options set/good.c >/dev/null 2>err
    is "the numbers of $options" "$(jq -r "$numbers" checked)" "$(jq -r ".strategies[$column] | $numbers" json)"
    column=$((column + 1))
done
# Three threads that lock one mutex: 3! orders, in every search that is complete.
is 'as many as there are orders' '6 6' "$(jq -r '[.strategies[0,3].executions | tostring] | join(" ")' json)"
is 'a bound that cuts is no proof' no-violation-found "$(jq -r '.strategies[4].verdict' json)"

compare --strategy optimal,brute --invariant even --json json set/good.c
is 'options of heddle check hold for all columns' '0 verified verified' "$? $(jq -r '[.strategies[].verdict] | join(" ")' json)"
sed 's/n += 2/n++; n++/' set/good.c >odd.c
compare --strategy optimal,brute --invariant even --json json odd.c
is 'and can fail' '1 invariant invariant' "$? $(jq -r '[.strategies[].kind] | join(" ")' json)"
compare --strategy optimal --json json set/good.c -- argument
is 'arguments of the program' '1 assertion' "$? $(jq -r '.strategies[0].kind' json)"

# A column that does not go with the common options says so; the others run.
compare --strategy optimal,hgs:1 --heuristic random --json json set/good.c
is 'a column that is refused' '0 guided null' \
    "$? $(jq -r '.strategies | "\(.[0].error | match("guided").string) \(.[1].error)"' json)"
expect_error 'a chain that is refused, by its name' 'sleep and optimal cannot be combined' "$HEDDLE" compare --reduce sleep,optimal set/good.c
expect_error 'an unknown reduction' 'unknown reduction slep .did you mean sleep' "$HEDDLE" compare --reduce slep set/good.c
expect_error 'a common option that no column takes' '--depth x: expected a number' "$HEDDLE" compare --depth x set/good.c
expect_error 'no report for each column' 'a report is not for a column' "$HEDDLE" compare --column '--json x' set/good.c
expect_error 'no trials' '--trials is not for a column' "$HEDDLE" compare --column '--trials 3 --strategy random' set/good.c
expect_error 'an option without its value' '--strategy needs a value' "$HEDDLE" compare --column '--strategy' set/good.c
expect_error 'a column without options' 'give options of heddle check' "$HEDDLE" compare --column 'a=' set/good.c
expect_error 'an unknown measure' '--measure time: there are executions' "$HEDDLE" compare --measure time set/good.c
expect_error 'one document on standard output' 'only one of --json, --csv, --latex and --svg' "$HEDDLE" compare --json - --svg - set/good.c

# ---- a folder ----

compare --strategy optimal,brute --measure events --json json --csv csv --latex tex --svg svg set
is 'a folder' '1 good.c race & <broken>.c' "$? $(jq -r '[.programs[].program] | join(" ")' json)"
is 'verdicts' 'verified verified violation violation' "$(jq -r '[.programs[].strategies[].verdict] | join(" ")' json)"
"$HEDDLE" check -q --no-earlier --trace-dir traces --strategy optimal --json checked set/good.c >/dev/null 2>err
is 'the summary has the measure' "$(jq .events checked)" "$(awk '/^visible actions/ { seen = 1 } seen && $1 == "good.c" { print $2 }' out)"
is 'a violation is marked' 1 "$(awk '/^visible actions/ { seen = 1 } seen && /^race/ && /[0-9]!/ { n++ } END { print n + 0 }' out)"
is 'a line of CSV for each run' 'program 2 2' "$(python3 -c '
import csv
rows = list(csv.DictReader(open("csv")))
print(list(rows[0])[0], *[sum(r["program"] == p for r in rows) for p in ("good.c", "race & <broken>.c")])')"
is 'LaTeX: a line for each program' 3 "$(grep -c '&.*\\\\$' tex)"
is 'LaTeX: letters that mean something are escaped' 1 "$(grep -c 'race \\& ' tex)"

# The plot is XML; there is a bar for each number, and a longer one for more.
python3 - >plot 2>err <<'P'
import json, xml.etree.ElementTree as tree
svg = tree.parse("svg").getroot()
space = "{http://www.w3.org/2000/svg}"
bars = [float(r.get("width")) for r in svg.iter(space + "rect") if r.get("x") == "170"]
numbers = [s["events"] for p in json.load(open("json"))["programs"] for s in p["strategies"]]
order = lambda v: sorted(range(len(v)), key=lambda i: v[i])
texts = " ".join(t.text or "" for t in svg.iter(space + "text"))
print(len(bars), order(bars) == order(numbers), "race & <broken>.c" in texts, "visible actions" in texts)
P
is 'the plot' '4 True True True' "$(cat plot)"

echo 'int main(' >set/wrong.c
compare --strategy optimal --json json set
is 'a program that does not compile is left out and named' '2 good.c race & <broken>.c 1' \
    "$? $(jq -r '[.programs[].program] | join(" ")' json) $(grep -c '1 of 3 programs were left out' err)"
expect_error 'an empty folder' 'there is no C file in this folder' "$HEDDLE" compare empty
expect_error 'a folder beside a file' 'is a folder.*give it alone' "$HEDDLE" compare set set/good.c
