#!/bin/bash
# make bench-auto: what `auto` costs beside every single strategy, on the forty bugs, their repairs and some larger
# programs, into bench/auto.md.
#
# Cost is the processor time of heddle and its workers, without compiling and without making a found run small.
# A strategy that cannot decide a program (sampling verifies nothing; a bound that was reached; LIMIT is over) has a
# dash, and counts with the time it took.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-build/bin/heddle}
LIMIT=${LIMIT:-40s}
strategies='optimal stateful chess:2 random pct:3 pos'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
TIMEFORMAT='%U %S'

# one STRATEGY PROGRAM WANTED -> milliseconds, and `yes` when it came to that verdict; the best of three.
one() {
    local decided=no bound=()
    case $1 in random | pct* | pos) bound=(--executions 2000) ;; esac
    for _ in 1 2 3; do
        { time "$HEDDLE" check -q --no-minimise --time "$LIMIT" --strategy "$1" "${bound[@]}" \
            --trace-dir "$tmp/traces" --json "$tmp/json" "$2" >/dev/null 2>&1; } 2>"$tmp/time"
        [ "$(jq -r .verdict "$tmp/json")" = "$3" ] && decided=yes
        awk -v d=$decided '{ printf "%d %s\n", 1000 * ($1 + $2), d }' "$tmp/time"
        awk '{ exit $1 + $2 < 0.5 }' "$tmp/time" && break
    done | sort -n | head -n 1
}

# row NAME WANTED FILE FLAGS...: a line of $tmp/rows: name, wanted, then milliseconds and yes or no per strategy.
row() {
    local name=$1 wanted=$2 file=$3 s
    shift 3
    "$HEDDLE" cc "$@" -o "$tmp/program" "$file" -pthread || exit 1
    echo -n "$name $wanted"
    for s in auto $strategies; do
        echo -n " $(one "$s" "$tmp/program" "$wanted")"
    done
    echo
}

table() { # ROWS -> a table
    echo "| program | verdict | auto | ${strategies// / | } |"
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|'
    awk '{ printf "| %s | %s |", $1, $2
           for (i = 3; i < NF; i += 2) printf " %s |", $(i + 1) == "yes" ? $i : "–"
           print "" }' "$1"
}

# sums ROWS: totals of every strategy, how often it decided, and what auto costs beside the best for each program.
sums() {
    awk -v names="auto $strategies" '
        BEGIN { n = split(names, name) }
        { best = 0
          for (i = 1; i <= n; i++) {
              ms = $(1 + 2 * i) + 1; all[i] += ms; yes = $(2 + 2 * i) == "yes"; did[i] += yes
              if (i > 1 && yes && (!best || ms < best)) best = ms
          }
          if (best) { ratio += ($3 + 1) / best; programs++ }
        }
        END { print "| strategy | decided, of " NR " | milliseconds in all |"; print "|---|--:|--:|"
              for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", name[i], did[i], all[i] - NR
              printf "\nBeside the best strategy for each program `auto` costs %.2f times as much on average.\n", ratio / programs }' "$1"
}

for file in tests/bugs/*.c; do
    name=$(basename "$file" .c)
    case $name in *-fixed) wanted=verified ;; *) wanted=violation ;; esac
    row "$name" $wanted "$file"
done >"$tmp/bugs"
{
    row 'readers(15)' verified tests/programs/dpor/readers.c -DN=15
    row 'lastzero(14)' verified tests/programs/dpor/lastzero.c -DN=14
    row 'fib_bench(5)' verified tests/programs/dpor/fib_bench.c -DK=5
    row 'counter(8)' verified tests/programs/dpor/counter.c -DN=8
    row 'barrier(3,2)' verified tests/programs/scale/barrier.c -DN=3 -DSTEPS=2
    row 'threadpool(4)' verified tests/programs/scale/threadpool.c -DN=4
    row 'philosophers(9)' violation tests/programs/dpor/philosophers.c -DN=9
    row 'corner' violation bench/corner.c
} >"$tmp/larger"

cat >bench/auto.md <<END
# What \`auto\` costs

\`make bench-auto\` writes this file. Processor time in milliseconds, of heddle and its workers, compilation and making the
failing run small left out; the best of three runs where it is short. A dash: the strategy did not come to that verdict (those that
sample verify nothing and were given 2,000 executions, others $LIMIT).

## Forty bugs and their repairs

$(sums "$tmp/bugs")

$(table "$tmp/bugs")

## Larger programs

\`corner\` ([source](corner.c)) has a bug that a depth-first search comes to last, after millions of executions.
Where \`stateful\` is much cheaper (\`counter\`, \`barrier\`), \`auto\` still lets \`optimal\` come to its end if that takes no more
than some seconds: its counts are what people compare. So the average over the best for each program is not small here.

$(sums "$tmp/larger")

$(table "$tmp/larger")
END
sed -n '1,25p' bench/auto.md
