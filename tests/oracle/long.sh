#!/bin/bash
# The long run of the oracle, in parts that may be done one day or another: long.sh [LOG [PROGRAMS]].
#
# A part is 1,000 programs through the explorer alone (`direct`) or through all of heddle (`real`), from 0 to
# PROGRAMS (100,000).  Each adds a line `BUILD KIND FIRST PASSED FAILED CHECKS EXECUTIONS` to LOG; a part that LOG
# has of this build is not done again.  (PASSED are checks where they are `direct`, programs where they are `real`.)  At the end, or when interrupted, the sums are told.  KINDS chooses: "direct real".
set -u
B=${B:-build}
HEDDLE=${HEDDLE:-$PWD/$B/bin/heddle}
log=${1:-$B/tests/oracle-long.log} programs=${2:-100000} size=1000
build=$(cat "$HEDDLE" "$B"/lib/heddle/*.a "$B/tests/oracle-direct" | cksum | cut -d ' ' -f 1)
mkdir -p "$(dirname "$log")" && touch "$log"
trap 'tell; exit 130' INT TERM

tell() {
    local kind
    for kind in ${KINDS:-direct real}; do
        awk -v b="$build" -v k="$kind" '$1 == b && $2 == k { n++; p += $4; f += $5; c += $6; e += $7 }
            END { printf "# %s: %d parts, %d passed, %d failed; %d checks, %d executions\n", k, n, p, f, c, e }' "$log"
    done
    awk -v b="$build" '$1 == b { p += $4; f += $5 } END { printf "%d passed, %d failed\n", p, f }' "$log"
}

# part KIND FIRST: what it says of failures goes to standard output.
part() {
    local out status
    if [ "$1" = direct ]; then
        out=$("$B/tests/oracle-direct" $size "$2")
    else
        out=$("$(dirname "$0")/run.sh" --most 3000 "$HEDDLE" $size "$2")
    fi
    status=$?
    [ "$status" -lt 128 ] || exit "$status" # killed: to be done another day
    grep -v '^#\|^[0-9]* passed' <<<"$out"
    read -r passed failed < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' <<<"$out")
    read -r checks executions < <(sed -n 's/^# \([0-9]*\) checks, \([0-9]*\) executions.*/\1 \2/p' <<<"$out")
    [ "$status" -le 1 ] && [ -n "${failed:-}" ] || passed=0 failed=$size
    echo "$build $1 $2 $passed $failed ${checks:-0} ${executions:-0}" >>"$log"
}

for ((first = 0; first < programs; first += size)); do
    for kind in ${KINDS:-direct real}; do
        grep -q "^$build $kind $first " "$log" || part "$kind" "$first"
    done
done
tell
awk -v b="$build" '$1 == b { f += $5 } END { exit f > 0 }' "$log"
