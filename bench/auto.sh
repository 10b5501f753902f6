#!/bin/bash
# make bench-auto: what `auto` costs beside every single strategy, on the forty bugs, their repairs, some larger
# programs (auto.txt), and others that the rules of `auto` were not chosen by (auto_held_out.txt), into bench/auto.md.
#
# Cost is the processor time of heddle and its workers, without compiling and without making a found run small
# (auto_row.py measures it).  A strategy that cannot decide a program (sampling verifies nothing; a bound that was reached; the
# time is over) has a dash, and counts with the time it took.  Single strategies have LIMIT for a small program, and for a larger one
# half as much again as `auto` took: what is slower than that does not matter here.
#
# AUTO_ROWS=DIR keeps the measured rows there, and measures only what is missing, so that it can be interrupted.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-build/bin/heddle}
LIMIT=${LIMIT:-2s}
strategies='optimal stateful graph chess:2 random pct:3 pos'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rows=${AUTO_ROWS:-$tmp}
mkdir -p "$rows"

# row LIMIT NAME WANTED FILE FLAGS...: a line: name, wanted, start, then milliseconds and yes or no for `auto` and each strategy.
row() {
    local limit=$1 name=$2 wanted=$3 file=$4
    shift 4
    "$HEDDLE" cc "$@" -o "$tmp/program" "$file" -pthread || exit 1
    # shellcheck disable=SC2086 # several strategies
    echo "$name $wanted $(bench/auto_row.py "$HEDDLE" "$tmp/program" "$wanted" "$limit" $strategies)"
}

# measure LIMIT ROWS: what ROWS does not have yet of the list on standard input (name, verdict, file, flags).
measure() {
    local name wanted file flags
    touch "$2"
    while read -r name wanted file flags; do
        cut -d ' ' -f 1 "$2" | grep -qxF "$name" && continue
        # shellcheck disable=SC2086 # several flags
        row "$1" "$name" "$wanted" "$file" $flags >>"$2"
    done
}

table() { # ROWS -> a table
    echo "| program | verdict | start | auto | ${strategies// / | } | auto / best | without start |"
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|'
    awk '{ printf "| %s | %s | %s |", $1, $2, $3
           best = 0
           for (i = 4; i < NF; i += 2) {
               printf " %s |", $(i + 1) == "yes" ? $i : "–"
               if (i > 4 && $(i + 1) == "yes" && (!best || $i < best)) best = $i
           }
           printf best ? " %.2f |" : " – |", best ? $4 / best : 0
           print (best > $3 + 2 ? sprintf(" %.2f |", ($4 - $3) / (best - $3)) : " – |") }' "$1"
}

# sums ROWS: totals of every strategy, how often it decided, and what auto costs beside the best for each program.
sums() {
    awk -v names="auto $strategies" '
        BEGIN { n = split(names, name) }
        { best = 0; start += $3
          for (i = 1; i <= n; i++) {
              ms = $(2 + 2 * i); all[i] += ms; yes = $(3 + 2 * i) == "yes"; did[i] += yes
              if (i > 1 && yes && (!best || ms < best)) best = ms
          }
          if (best) {
              here = $4 / best; ratio += here; programs++
              if (here > 1.5) { beyond++; which = which ", " $1 sprintf(" %.2f", here) }
          }
        }
        END { print "| strategy | decided, of " NR " | milliseconds in all |"; print "|---|--:|--:|"
              printf "| (start) | | %d |\n", start
              for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", name[i], did[i], all[i]
              printf "\nBeside the best strategy for each program `auto` costs %.2f times as much on average.\n", ratio / programs
              printf "More than 1.5 times: %d of %d%s.\n", beyond, programs, which ? " (" substr(which, 3) ")" : "" }' "$1"
}

for file in tests/bugs/*.c; do
    case $file in *-fixed.c) wanted=verified ;; *) wanted=violation ;; esac
    echo "$(basename "$file" .c) $wanted $file"
done | measure "$LIMIT" "$rows/bugs"
measure auto "$rows/larger" <bench/auto.txt
measure auto "$rows/held_out" <bench/auto_held_out.txt

cat >bench/auto.md <<END
# What \`auto\` costs

\`make bench-auto\` writes this file. Processor time in milliseconds, of heddle and its workers, compilation and making the
failing run small left out; the least of three runs, of two where one takes long. *start* is a check that ends after one execution: what every check
takes, with the run that confirms a violation if that execution has one. A dash: the strategy did not come to that verdict (those that
sample verify nothing and were given 2,000 executions, others $LIMIT; of the larger programs half as much again as \`auto\` took, and
0.3 s). The last two columns: \`auto\` beside the best strategy for the program, and the same without the start, where the
best takes 2 ms or more beside it.

## Forty bugs and their repairs

$(sums "$rows/bugs")

$(table "$rows/bugs")

## Larger programs

\`corner\` ([source](corner.c)) has a bug that a depth-first search comes to last, after millions of executions. The programs and
their sizes are in [auto.txt](auto.txt).

$(sums "$rows/larger")

$(table "$rows/larger")

## Others

Programs and sizes by which no rule of \`auto\` was chosen ([auto_held_out.txt](auto_held_out.txt)).

$(sums "$rows/held_out")

$(table "$rows/held_out")
END
sed -n '1,25p' bench/auto.md
