#!/bin/bash
# Real programs: tests/real/run.sh [EXECUTIONS] [NAME...].  The sources of Debian packages, fetched
# with the package manager and built unmodified by their own build systems with CC="heddle cc"; with
# each a driver of ours, explored for that many executions (2,000).
#
# A folder NAME holds driver.c, which checks the answers; `build`, a script that is run in the
# sources with CC set and makes $OUT; and `options` of heddle check.
#
# Or it holds `cases`: then `build` makes programs in the folder $OUT from what is in the folder $HERE,
# and each line of `cases` is `PROGRAM VERDICT [KIND...] [-- OPTIONS [-- ARGUMENTS]]`: checked without other
# options it has that verdict, and violations of these kinds (KIND... sorted). `package` names the source
# package, or NAME.deb, if it is not called as the folder; `build` runs in the first of several.
#
# Without names: all of them from 10,000 executions on, otherwise those that are built within seconds.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
executions=${1:-2000}
shift
small='xz-utils zstd libuv1 ck boost-lockfree concurrentqueue'
large='pbzip2 liburcu libevent sqlite3 leveldb lmdb mimalloc glib apr dpdk memcached onetbb'
# shellcheck disable=SC2086
[ $# -gt 0 ] || if [ "$executions" -ge 10000 ]; then set -- $small $large; else set -- $small; fi
work=$ROOT/${B:-build}/real
LIMIT=${LIMIT_REAL:-3000}
export HEDDLE CC="$HEDDLE cc" CXX="$HEDDLE c++"

packages_of() { if [ -e "$here/$1/package" ]; then cat "$here/$1/package"; else echo "$1"; fi; }
package_of() { packages_of "$1" | cut -d ' ' -f 1; }

packages=()
for name; do
    [ -d "$here/$name" ] || { fail "$name" "there is no folder tests/real/$name"; exit 1; }
    read -ra more < <(packages_of "$name")
    packages+=("${more[@]}")
done
if ! "$ROOT/tools/source.sh" "$work" "${packages[@]}" 2>"$work.err"; then
    echo "ok not run: $(first_lines "$work.err")"
    exit 0
fi

build() {
    local name=$1
    export OUT=$work/$name/heddle-driver DRIVER=$here/$name/driver.c
    [ "$OUT" -nt "$HEDDLE" ] && [ "$OUT" -nt "$DRIVER" ] && return 0
    (cd "$work/$name" && timeout "$LIMIT" sh -eu "$here/$name/build") >"$work/$name.log" 2>&1
}

# explore NAME EXECUTIONS: leaves the result in $work/NAME.json.
explore() {
    local options
    eval "options=($(cat "$here/$1/options"))"
    timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --json "$work/$1.json" --trace-dir "$work/traces" \
        --executions "$2" "${options[@]}" "$work/$1/heddle-driver" >"$work/$1.out" \
        2>"$work/$1.err" </dev/null
}

# facts NAME: a run by a random schedule up to the program's end, held against the analysis.
facts() {
    local options trace
    eval "options=($(cat "$here/$1/options"))"
    rm -rf "$work/$1.traces"
    timeout "$LIMIT" "$HEDDLE" check -q --search random:5 --reduce none --executions 2 --races off --no-minimise \
        "${options[@]}" --expect-exit 99 --trace-dir "$work/$1.traces" "$work/$1/heddle-driver" >/dev/null 2>&1 </dev/null
    trace=$(ls "$work/$1.traces"/*.trace 2>/dev/null | head -n 1)
    if [ -z "$trace" ]; then
        fail "$1 facts" "no trace of its end"
    elif timeout "$LIMIT" "$HEDDLE" replay -q --facts "$work/$1/heddle-driver" "$trace" >"$work/$1.facts" 2>&1 </dev/null
        grep -q ' 0 contradict' "$work/$1.facts"; then
        pass "$1 facts: $(tail -n 1 "$work/$1.facts")"
    else
        fail "$1 facts" "$(tail -n 4 "$work/$1.facts" | tr '\n' '|')"
    fi
}

# noted NAME: how many events docs/real-programs.md has for that many executions; nothing when it has none, or only about.
noted() {
    awk -F' *[|] *' -v name="\`$1\`" -v want="$executions" '
        /^[|] package [|] verdict / { for (i = 1; i <= NF; i++) if ($i == "events") all = i; else if ($i ~ /^events of the first/) few = i }
        $2 == name && all { n = want == 100000 ? $all : want == 2000 ? $few : ""; gsub(",", "", n); if (n ~ /^[0-9]+$/) print n; exit }' \
        "$ROOT/docs/real-programs.md"
}

one() {
    local name=$1 status few n wanted
    if ! build "$name"; then
        fail "$name" "cannot be built: $(tail -n 3 "$work/$name.log" | tr '\n' '|')"
        return
    fi
    explore "$name" $((executions / 10))
    few=$(jq .peak_rss_kb "$work/$name.json")
    explore "$name" "$executions"
    status=$?
    n=$(jq .executions "$work/$name.json") wanted=$(noted "$name")
    if [ "$status" != 0 ]; then
        fail "$name" "exit status $status: $(first_lines "$work/$name.err")$(
            head -n 2 "$work/$name.out" | tr '\n' '|')"
    elif [ "$n" != "$executions" ] && [ "$(jq -r .verdict "$work/$name.json")" != verified ]; then
        fail "$name" "made $n executions instead of $executions"
    elif [ -n "$wanted" ] && [ "$(jq .events "$work/$name.json")" != "$wanted" ]; then
        fail "$name" "$(jq .events "$work/$name.json") events; docs/real-programs.md has $wanted"
    elif [ "$(jq .peak_rss_kb "$work/$name.json")" -gt $((few * 5 / 4 + 16384)) ]; then
        fail "$name" "memory grows: $few KiB after a tenth of the executions, $(
            jq .peak_rss_kb "$work/$name.json") KiB after all"
    else
        pass "$name: $(jq -r '"\(.verdict), \(.executions) executions, \(.events) events, " +
            "at most \(.max_depth) steps, \(.seconds) s, \(.peak_rss_kb) KiB"' "$work/$name.json")"
    fi
}

# built_cases NAME: leaves the programs in $OUT.
built_cases() {
    export OUT=$work/$1.programs HERE=$here/$1
    [ -e "$OUT/.complete" ] && [ "$OUT/.complete" -nt "$HEDDLE" ] &&
        [ -z "$(find "$HERE" -newer "$OUT/.complete" -type f)" ] && return 0
    rm -rf "$OUT"
    mkdir -p "$OUT"
    (cd "$work/$(package_of "$1" | cut -d' ' -f1)" && timeout "$LIMIT" sh -eu "$HERE/build") >"$work/$1.log" 2>&1 && touch "$OUT/.complete"
}

# one_case NAME PROGRAM VERDICT [KIND...] [-- OPTIONS [-- ARGUMENTS]]
one_case() {
    local name=$1 program=$2 want=$3 got options=()
    shift 3
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        want="$want $1"
        shift
    done
    [ $# -eq 0 ] || shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    rm -f "$work/$name.json"
    (cd "$work/$name.programs" && timeout "$LIMIT" "$HEDDLE" check -q --json "$work/$name.json" \
        --trace-dir "$work/traces" "${options[@]}" "./$program" "$@") >"$work/$name.out" 2>"$work/$name.err" </dev/null
    got=$(jq -r '[.verdict, ([.violations[].kind] | unique | .[])] | join(" ")' "$work/$name.json" 2>/dev/null)
    if [ "$got" = "$want" ]; then
        pass "$name/$program: $got$(jq -r '", \(.executions) executions, \(.events) events, \(.memory_model), " +
            "\(.seconds) s, \(.peak_rss_kb) KiB"' "$work/$name.json")"
    else
        fail "$name/$program" "${got:-no result} instead of $want: $(first_lines "$work/$name.err")"
    fi
}

for name; do
    if [ -e "$here/$name/cases" ]; then
        if ! built_cases "$name"; then
            fail "$name" "cannot be built: $(tail -n 3 "$work/$name.log" | tr '\n' '|')"
            continue
        fi
        while read -r line; do
            eval "one_case $name $line"
        done < <(grep -v '^#' "$here/$name/cases")
        continue
    fi
    one "$name"
    [ -x "$work/$name/heddle-driver" ] && facts "$name"
done
