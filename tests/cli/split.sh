#!/bin/bash
# heddle split, check --unit, merge: a search that is cut into files, explored by one process after another in any order,
# and added up has the counts of one process.  What is missing, damaged or of another search is never added up silently.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

dir=$ROOT/tests/programs
"$HEDDLE" cc -DN=4 -o counter "$dir/dpor/counter.c" -pthread
"$HEDDLE" cc -o fib "$dir/dpor/fib_bench.c" -pthread
cat >seen.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *add(void *p)
{
    int old = atomic_load(&x);
    atomic_store(&x, old + 1);
    atomic_fetch_add(&x, (int)(long)p);
    return p;
}
int main(void)
{
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    heddle_observe(&x, sizeof x);
#ifdef BREAKS
    heddle_assert(atomic_load(&x) != 7);
#endif
}
C
"$HEDDLE" cc -o seen seen.c -pthread
"$HEDDLE" cc -DBREAKS -o breaks seen.c -pthread

# The search over graphs runs events again after a revisit: how many depends on the units.
same='[.verdict, .executions, .blocked, .pruned, .bounded, (if .memory_model == "sequential consistency" then .events else 0 end),
    .max_depth, .observations, ([.violations[]?.message] | sort), .downgrades]'

# whole PROGRAM OPTIONS...: what one process counts.
whole() {
    local program=$1
    shift
    [ $# = 0 ] && set -- --strategy graph
    "$HEDDLE" check -q --no-minimise --keep-going --json whole "$@" "./$program" >out 2>err
    jq -c "$same" whole
}

# explore PROGRAM OPTIONS... -- FILE...: each of these units, four at a time.
explore() {
    local program=$1 options=()
    shift
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    printf '%s\0' "$@" | xargs -0 -P 4 -I '{}' "$HEDDLE" check -q --no-minimise --keep-going --trace-dir traces "${options[@]}" \
        --unit '{}' "./$program" >out 2>err
    grep '^heddle' err
}

# in_units NAME N PROGRAM OPTIONS...: the units in a random order, some of them twice.
in_units() {
    local name=$1 n=$2 program=$3 want got units
    shift 3
    rm -rf units
    want=$(whole "$program" "$@")
    "$HEDDLE" split -q --keep-going "$@" -n "$n" -o units "./$program" >out 2>err
    units=$(find units -name '*.unit' | wc -l)
    explore "$program" "$@" -- $(find units -name '*.unit' | shuf) >errors
    # a second machine has explored some of them, too
    for f in $(find units -name '*.result' | sort | head -n 5); do cp "$f" "${f%.result}-again.result"; done
    "$HEDDLE" merge --no-minimise --keep-going "$@" --json merged units "./$program" >out 2>>errors
    got=$(jq -c "$same" merged)
    if [ "$units" -lt "$n" ]; then
        fail "$name" "$units units instead of $n"
    elif [ "$got" != "$want" ]; then
        fail "$name" "$got instead of $want: $(first_lines errors)"
    elif ! grep -q "^$units work units, $((units + 5)) results; 5 of a unit that has another one\$" out; then
        fail "$name" "results of units that were explored twice are not recognised: $(first_lines out)"
    else
        pass "$name"
    fi
}

many=30
if [ "${1:-}" = --long ]; then
    many=1000
    "$HEDDLE" cc -DK=5 -o fib "$dir/dpor/fib_bench.c" -pthread
fi
in_units "graph search" $many fib
in_units "graph search, observations" 10 seen
in_units "graph search, a violation" 10 breaks
in_units "sleep sets" 10 counter --reduce sleep
in_units "sleep sets, a violation" 10 breaks --reduce sleep
in_units "brute force" 10 seen --reduce none --memory sc
in_units "preemption bound" 10 counter --reduce none --preemptions 1
in_units "delay bound" 10 counter --reduce delays:2

# A violation without --keep-going: merge replays it, whatever is missing.
rm -rf units
"$HEDDLE" split -q -n 5 -o units ./breaks >out 2>err
status=$?
if [ "$status" = 1 ]; then
    pass "split finds a violation at once"
else
    for f in units/*.unit; do "$HEDDLE" check -q --no-minimise --trace-dir traces --unit "$f" ./breaks >out 2>err; [ $? = 1 ] && break; done
    "$HEDDLE" merge -q --no-minimise --trace-dir traces units ./breaks >out 2>err
    if [ $? = 1 ] && grep -q '^violation' out; then
        pass "a violation in a unit is one of the merge"
    else
        fail "a violation in a unit is one of the merge" "$(first_lines out) $(first_lines err)"
    fi
fi

# Never verified unless all is covered.
rm -rf units
"$HEDDLE" split -q --keep-going -n 10 -o units ./fib >out 2>err
explore fib -- units/*.unit
rm units/0003.result
"$HEDDLE" merge --keep-going --json merged units ./fib >out 2>err
if [ "$(jq -r .verdict merged)" = no-violation-found ] && grep -q '1 of [0-9]* work units have no result: 0003.unit' out; then
    pass "a missing result is named"
else
    fail "a missing result is named" "$(first_lines out)"
fi
"$HEDDLE" merge --keep-going --require-verified -q units ./fib >out 2>err
[ $? = 3 ] && pass "a missing result: --require-verified" || fail "a missing result: --require-verified" "$(first_lines out)"

# A unit whose time is over becomes smaller units.
for f in units/0003.unit $(ls -S units/*.unit); do
    "$HEDDLE" check -q --keep-going --executions 1 --unit "$f" ./fib >out 2>err
    left=$(find units -name "$(basename "${f%.unit}")-*.unit" | wc -l)
    [ "$left" -gt 0 ] && break
done
"$HEDDLE" merge --keep-going --json merged units ./fib >out 2>err
missing=$(sed -n 's/.* \([0-9]*\) of [0-9]* work units have no result.*/\1/p' out)
explore fib -- units/0*-*.unit
"$HEDDLE" merge --keep-going --json merged units ./fib >out 2>err
if [ "$left" -gt 0 ] && [ "$missing" = "$left" ] && [ "$(jq -c "$same" merged)" = "$(whole fib)" ]; then
    pass "a unit in two parts"
else
    fail "a unit in two parts" "$left left, $missing missing: $(jq -c "$same" merged) instead of $(whole fib)"
fi
# Several workers explore one unit together.
rm -f units/0003.result
"$HEDDLE" check -q --keep-going -j 3 --unit units/0003.unit ./fib >out 2>err
"$HEDDLE" merge --keep-going --json merged units ./fib >out 2>err
[ "$(jq .executions merged)" = "$(jq .executions whole)" ] && pass "a unit with -j 3" ||
    fail "a unit with -j 3" "$(jq .executions merged) instead of $(jq .executions whole)"

# What does not belong together, and hostile files.
unit=units/0001.unit
damage() { # FILE OFFSET: one bit of another value
    python3 -c "import sys
b = bytearray(open(sys.argv[1], 'rb').read())
b[int(sys.argv[2]) % len(b)] ^= 1
open(sys.argv[1], 'wb').write(b)" "$1" "$2"
}
expect_error "a unit of another program" 'is of another program' "$HEDDLE" check --keep-going --unit $unit ./seen
expect_error "a unit with other options" 'other options' "$HEDDLE" check --keep-going --spurious 1 --unit $unit ./fib
expect_error "a result is no unit" 'is no work unit' "$HEDDLE" check --keep-going --unit units/0001.result ./fib
expect_error "no unit" 'No such file' "$HEDDLE" check --keep-going --unit units/none.unit ./fib
expect_error "split twice into one directory" 'units of another split' "$HEDDLE" split -o units ./fib
touch file
expect_error "a file for the units" 'is no directory' "$HEDDLE" split -o file ./fib
expect_error "no folder for the units" 'cannot create the directory' "$HEDDLE" split -o no/folder ./fib
if [ "$(id -u)" != 0 ]; then # root may write everywhere
    mkdir -p shut && chmod 500 shut
    expect_error "a directory that cannot be written" 'cannot write units' "$HEDDLE" split -o shut ./fib
fi
expect_error "no units wanted" 'expected a number from 1' "$HEDDLE" split -n 0 -o u ./fib
expect_error "split on ranks" 'heddle check' "$HEDDLE" split --distributed -o u ./fib
expect_error "split with a bound on executions" 'executions is for one unit' "$HEDDLE" split --executions 5 -o u ./fib
expect_error "no directory" 'Give -o DIR' "$HEDDLE" split ./fib
expect_error "no number" 'needs a value' "$HEDDLE" split -o u -n
expect_error "merge of nothing" 'nothing to check' "$HEDDLE" merge units
expect_error "merge without a manifest" 'manifest' "$HEDDLE" merge . ./fib
expect_error "merge of no directory" 'heddle split -o' "$HEDDLE" merge none ./fib
# A damaged byte is told as that wherever it is, in the head, which says of what the file is, and in the signature, too.
cp units/0002.result keep
for at in 3 24 48 52 60 92 96 100 104 110 200 -1 -20 -33 -40; do
    cp keep units/0002.result
    damage units/0002.result $at
    expect_error "a damaged result (byte $at)" '0002.result is damaged: .*remove it, and explore its unit again' \
        "$HEDDLE" merge --keep-going units ./fib
    cp $unit bad.unit
    damage bad.unit $at
    expect_error "a damaged unit (byte $at)" 'bad.unit is damaged: .*(copy it again|remove)' "$HEDDLE" check --keep-going --unit bad.unit ./fib
done
head -c 150 keep >units/0002.result
expect_error "half a result" 'damaged: .*remove it, and explore its unit again' "$HEDDLE" merge --keep-going units ./fib
cp keep units/0002.result
cp units/manifest manifest
damage units/manifest 60
expect_error "a damaged manifest" 'manifest is damaged' "$HEDDLE" merge --keep-going units ./fib
cp manifest units/manifest
cp $unit old.unit
damage old.unit 24
damage old.unit 52 # the version that is told, and the one that decides
expect_error "a unit of another version" 'another version of heddle' "$HEDDLE" check --keep-going --unit old.unit ./fib
echo 'no unit' >text
expect_error "a text is no unit" 'is no work unit' "$HEDDLE" check --keep-going --unit text ./fib
expect_error "no key" 'there is no key' env HOME=/proc/none XDG_CONFIG_HOME=/proc/none "$HEDDLE" check --keep-going --unit $unit ./fib
mkdir -p other/heddle && head -c 32 /dev/urandom >other/heddle/key && chmod 700 other/heddle && chmod 600 other/heddle/key
expect_error "a unit of another user" 'not made by this user' env XDG_CONFIG_HOME="$tmp/other" "$HEDDLE" check --keep-going --unit $unit ./fib
expect_error "a result of another user" 'not made by this user' env XDG_CONFIG_HOME="$tmp/other" "$HEDDLE" merge --keep-going units ./fib
XDG_CONFIG_HOME="$tmp/other" "$HEDDLE" merge --keep-going -q --trust units ./fib >out 2>err && grep -q '^verified' out &&
    pass "--trust" || fail "--trust" "$(first_lines out) $(first_lines err)"

# More units than there are executions: everything is explored by the split.
echo 'int main(void) { return 0; }' >tiny.c
"$HEDDLE" cc -o tiny tiny.c
rm -rf u
"$HEDDLE" split -n 100000 -o u ./tiny >out 2>err && grep -q 'there are no work units' out && "$HEDDLE" merge -q u ./tiny >out 2>err && grep -q '^verified' out &&
    pass "nothing left to explore" || fail "nothing left to explore" "$(first_lines out) $(first_lines err)"
# The scripts for clusters come to the verdict of such a search, too.
cluster=$ROOT/examples/cluster
PATH=$(dirname "$HEDDLE"):$PATH
for program in tiny seen; do
    rm -rf units-$program
    if ! command -v parallel >out && [ $program != tiny ]; then
        echo "skipped: parallel.sh: there is no GNU parallel"
        continue
    fi
    UNITS=units-$program N=100000 timeout 120 "$cluster/parallel.sh" $program >out 2>err
    status=$?
    [ $status = 0 ] && grep -q '^verified' out && pass "parallel.sh: $program" ||
        fail "parallel.sh: $program" "status $status: $(first_lines out) $(first_lines err)"
    UNITS=units-$program SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_ID=1 "$cluster/slurm.sh" $program >out 2>err
    status=$?
    [ $status = 0 ] && [ ! -s err ] && pass "slurm.sh: $program" || fail "slurm.sh: $program" "status $status: $(first_lines err)"
done

# The time of a split is that of all its executions, of which one takes no hundredth of a second.
rm -rf u
"$HEDDLE" split -q --keep-going --time 1s -n 500000 --json all -o u ./fib >out 2>err
jq -e '.seconds > 0.1' all >out && pass "the time of a split" || fail "the time of a split" "$(jq .seconds all) $(first_lines err)"

# A time limit ends the split, not the search.
rm -rf u
"$HEDDLE" split -q --keep-going --time 1ms -n 500000 -o u ./fib >out 2>err
n=$(find u -name '*.unit' | wc -l)
explore fib -- $(find u -name '*.unit')
"$HEDDLE" merge --keep-going --json merged u ./fib >out 2>err
if [ "$n" -gt 0 ] && [ "$(jq -c "$same" merged)" = "$(whole fib)" ]; then pass "a split with --time"; else
    fail "a split with --time" "$n units: $(jq -c "$same" merged) instead of $(whole fib)"
fi

# Searches whose parts depend on each other.
for strategy in optimal source inspect stateful scale chess:2 random auto hgs; do
    expect_error "$strategy is not split" 'split' "$HEDDLE" split --strategy $strategy -o u ./fib
done
expect_error "a checkpoint of a unit" 'no checkpoint' "$HEDDLE" check --checkpoint c --unit $unit ./fib
