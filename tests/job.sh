#!/bin/bash
# One job of tests/run: job.sh "NAME COMMAND..." (one argument, quoted as for a shell); RESULTS is a folder.
#
# Shows the command's ok/not ok lines under NAME/, as they come.  A command that ends badly without having said what
# failed is itself a failure, with the end of its output as the reason.  A line `N passed, N failed` of its own, where
# it says only what failed, counts as that many cases.  RESULTS/log gets the lines, RESULTS/sums those numbers,
# RESULTS/times a line `NAME BEGIN END MILLISECONDS`, the last being time on processors.
set -u
eval "set -- $1"
name=$1 began=$EPOCHREALTIME
shift
out=$(mktemp)
trap 'rm -f "$out"' EXIT
export DIR=$B/tests/files/${name//\//-} # of oracle/run.sh: its files are not those of another job
mkdir -p "$B/tests/files"

"$@" </dev/null 2>&1 | tee "$out" | sed -un "s,^\(not ok\|ok\) ,\1 $name/,p" | tee -a "$RESULTS/log"
status=${PIPESTATUS[0]}
times >"$out.times"
used=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }' "$out.times")
rm -f "$out.times"

# What goes with a result is printed in one piece.
p=0 f=0
{
    if ! grep -q '^ok \|^not ok ' "$out"; then
        read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out" | tail -n 1)
        p=${p:-0} f=${f:-0}
        echo "$p $f" >>"$RESULTS/sums"
        [ "$p" = 0 ] || echo "ok $name: $p cases"
        [ "$f" = 0 ] || echo "not ok $name: $f cases" | tee -a "$RESULTS/said"
    fi
    if [ "$status" != 0 ] && [ "$f" = 0 ] && ! grep -q '^not ok ' "$out"; then
        tail -n 15 "$out" | sed 's/^/# /'
        echo "not ok $name: '$*' ended with status $status" | tee -a "$RESULTS/log"
    elif [ "$status" = 0 ] && [ "$p" = 0 ] && ! grep -q '^ok \|^not ok ' "$out"; then
        echo "not ok $name: '$*' ran no test" | tee -a "$RESULTS/log"
    else
        # What a failing case had to say for itself.
        grep -v '^ok \|^not ok \|^[0-9]* passed' "$out" | grep . | head -n 60 | sed "s,^,# $name: ,"
    fi
} >"$out.end"
cat "$out.end"
rm -f "$out.end"
echo "$name $began $EPOCHREALTIME $used" >>"$RESULTS/times"
exit 0
