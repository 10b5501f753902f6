#!/bin/bash
# presets.sh HEDDLE PROGRAMS [FIRST_SEED]: every preset of --strategy on generated programs, against the interpreter.  heddle
# itself says which there are: one that nobody judges is a failure.
set -u
B=${B:-build}
heddle=$1 n=$2 first=${3:-0}
here=$(dirname "$0")
list=$("$heddle" check --strategy no-such-preset /dev/null 2>&1 | sed -n 's/.*there are: //p' | tr -d ',[' | sed 's/:[A-Z]*\]*\( \|$\)/ /g')
[ -n "$list" ] || { echo "not ok heddle does not list its presets"; exit 1; }
passed=0 failed=0
for name in $list; do
    # these have judges of their own
    case $name in
    graph) judge=graph.py ;;
    rf) judge=reads_from.py ;;
    slice-n-dice) judge=dice_main.c ;;
    *) judge= ;;
    esac
    if [ -n "$judge" ]; then
        [ -e "$here/$judge" ] || { echo "not ok $name: there is no $judge"; failed=$((failed + 1)); }
        continue
    fi
    out=$("$B/tests/oracle-run" --serve "$B/tests/oracle-serve" --jobs "${JOBS:-2}" --dir "${DIR:-$B/tests/oracle}" --batch 50 --most 1000 \
        --preset "$name" "$heddle" "$n" "$first" 2>&1)
    status=$?
    read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' <<<"$out")
    [ "$status" -le 1 ] || f=$n
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
    [ "$status" = 0 ] || { echo "not ok preset $name"; grep -v '^#\|^[0-9]* passed' <<<"$out" | head -20; }
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
