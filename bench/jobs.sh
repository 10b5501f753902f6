#!/bin/bash
# make bench-jobs: the same exploration with one worker and with two, into bench/jobs.md.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-build/bin/heddle}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# best JOBS: executions, blocked, wall seconds and processor seconds of the run with the least of the
# latter, of three.
best() {
    for _ in 1 2 3; do
        /usr/bin/time -o "$tmp/time" -f '%U %S' "$HEDDLE" check -q --strategy optimal -j "$1" --json "$tmp/json" \
            "$tmp/program" >"$tmp/out" 2>&1
        jq -r '"\(.executions) \(.blocked) \(.seconds)"' "$tmp/json" | tr '\n' ' '
        awk '{ print $1 + $2 }' "$tmp/time"
    done | sort -n -k 4 | head -n 1
}

{
    cat <<'END'
# Several workers

One exploration with one worker and with two (`-j 2`), `optimal`; of three runs each the one that used
the least processor time. *cpu* is the processor time of all processes together: while the parts are evenly spread,
two idle processors need half of it. *wall* means something on an idle machine only, and is left out while others use it. `make bench-jobs`
writes this file.

| program | executions, -j 1 | -j 2 | blocked | cpu s, -j 1 | -j 2 | wall s, -j 1 | -j 2 |
|---|---:|---:|---:|---:|---:|---:|---:|
END
    for program in dpor/lastzero:-DN=15 dpor/readers:-DN=17 dpor/fib_bench:-DK=5 dpor/fib_bench:-DK=6 \
        'scale/barrier:-DN=3 -DSTEPS=2' scale/threadpool:-DN=4; do
        name=${program%%:*} flag=${program#*:}
        # shellcheck disable=SC2086 # several flags
        "$HEDDLE" cc $flag -o "$tmp/program" "tests/programs/$name.c" -pthread || exit 1
        name=${name##*/}
        read -r n1 b1 w1 c1 < <(best 1)
        read -r n2 b2 w2 c2 < <(best 2)
        if awk -v most="$(nproc)" '{ exit !($1 > most) }' /proc/loadavg; then
            w1=– w2=–
        fi
        echo "| $name $flag | $n1 | $n2 | $((b1 + b2)) | $c1 | $c2 | $w1 | $w2 |"
    done
    echo
    echo "Load of the machine meanwhile: $(cut -d ' ' -f 1 /proc/loadavg), on $(nproc) processors."
} >"$tmp/table" || exit 1
cat "$tmp/table" >bench/jobs.md
cat bench/jobs.md
