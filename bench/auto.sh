#!/bin/bash
# make bench-auto: what `auto` costs beside every single strategy, on the forty bugs, their repairs and some larger
# programs, into bench/auto.md.
#
# Cost is the processor time of heddle and its workers, without compiling and without making a found run small.
# A strategy that cannot decide a program (sampling verifies nothing; a bound that was reached; the time is over) has a
# dash, and counts with the time it took.  Single strategies have LIMIT for a small program, and for a larger one a second more
# than `auto` took: what is slower than that does not matter here.
#
# AUTO_ROWS=DIR keeps the measured rows there, and does not measure again what is there.
set -u
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-build/bin/heddle}
LIMIT=${LIMIT:-10s}
strategies='optimal stateful graph chess:2 random pct:3 pos'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rows=${AUTO_ROWS:-$tmp}
mkdir -p "$rows"
TIMEFORMAT='%U %S'

# one STRATEGY PROGRAM WANTED LIMIT -> milliseconds, and `yes` when it came to that verdict; the best of three.
one() {
    local decided=no bound=()
    case $1 in random | pct* | pos) bound=(--executions 2000) ;; esac
    for _ in 1 2 3; do
        rm -rf "$tmp/traces" # a run that was found before would be tried first
        { time "$HEDDLE" check -q --no-minimise --time "$4" --strategy "$1" "${bound[@]}" \
            --trace-dir "$tmp/traces" --json "$tmp/json" "$2" >/dev/null 2>&1; } 2>"$tmp/time"
        [ "$(jq -r .verdict "$tmp/json")" = "$3" ] && decided=yes
        awk -v d=$decided '{ printf "%d %s\n", 1000 * ($1 + $2), d }' "$tmp/time"
        awk '{ exit $1 + $2 < 0.2 }' "$tmp/time" && break
    done | sort -n | head -n 1
}

# row LIMIT NAME WANTED FILE FLAGS...: a line: name, wanted, then milliseconds and yes or no per strategy.  LIMIT: for single
# strategies; `auto`: a second more than it took.
row() {
    local limit=$1 name=$2 wanted=$3 file=$4 s
    shift 4
    "$HEDDLE" cc "$@" -o "$tmp/program" "$file" -pthread || exit 1
    echo -n "$name $wanted $(one auto "$tmp/program" "$wanted" 100s)"
    [ "$limit" != auto ] || limit=$(jq -r '(.seconds * 1000 + 1000 | floor | tostring) + "ms"' "$tmp/json")
    for s in $strategies; do
        echo -n " $(one "$s" "$tmp/program" "$wanted" "$limit")"
    done
    echo
}

table() { # ROWS -> a table
    echo "| program | verdict | auto | ${strategies// / | } |"
    echo '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|'
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
          if (best) {
              here = ($3 + 1) / best; ratio += here; programs++
              if (here > 1.5) { beyond++; which = which ", " $1 sprintf(" %.1f", here) }
          }
        }
        END { print "| strategy | decided, of " NR " | milliseconds in all |"; print "|---|--:|--:|"
              for (i = 1; i <= n; i++) printf "| %s | %d | %d |\n", name[i], did[i], all[i] - NR
              printf "\nBeside the best strategy for each program `auto` costs %.2f times as much on average.\n", ratio / programs
              printf "More than 1.5 times: %d of %d%s.\n", beyond, programs, which ? " (" substr(which, 3) ")" : "" }' "$1"
}

[ -s "$rows/larger" ] || while read -r name wanted file flags; do
    # shellcheck disable=SC2086 # several flags
    row auto "$name" "$wanted" "$file" $flags
done <bench/auto.txt >"$rows/larger"
[ -s "$rows/bugs" ] || for file in tests/bugs/*.c; do
    name=$(basename "$file" .c)
    case $name in *-fixed) wanted=verified ;; *) wanted=violation ;; esac
    row "$LIMIT" "$name" $wanted "$file"
done >"$rows/bugs"

cat >bench/auto.md <<END
# What \`auto\` costs

\`make bench-auto\` writes this file. Processor time in milliseconds, of heddle and its workers, compilation and making the
failing run small left out; the best of three runs where it is short. A dash: the strategy did not come to that verdict (those that
sample verify nothing and were given 2,000 executions, others $LIMIT; of the larger programs a second more than \`auto\` took).

## Forty bugs and their repairs

$(sums "$rows/bugs")

$(table "$rows/bugs")

## Larger programs

\`corner\` ([source](corner.c)) has a bug that a depth-first search comes to last, after millions of executions. The programs and
their sizes are in [auto.txt](auto.txt).

$(sums "$rows/larger")

$(table "$rows/larger")
END
sed -n '1,25p' bench/auto.md
