#!/bin/bash
# No run contradicts the analysis: tests/facts/run.sh [FILE...].  Every program is run by a random
# schedule, with every access visible, and its trace is held against the facts (heddle replay --facts).
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
export HEDDLE_ACCESSES=all

one() {
    local file=$1 name flags trace
    name=$(basename "$(dirname "$file")")/$(basename "$file" .c)
    tmp=$(mktemp -d)
    flags=$(sed -n 's,^// cc-flags: ,,p' "$file")
    # shellcheck disable=SC2086
    if ! "$HEDDLE" cc $flags -c -Dmain=program_main -o "$tmp/a.o" "$file" 2>"$tmp/err" ||
        ! "$HEDDLE" cc -o "$tmp/program" "$tmp/a.o" "$here/end.c" -pthread -lm 2>>"$tmp/err"; then
        fail "$name" "$(first_lines "$tmp/err")"
        rm -rf "$tmp"
        return
    fi
    timeout "$LIMIT" "$HEDDLE" check -q --search "random:$(cksum <"$file" | cut -d' ' -f1)" --reduce none \
        --executions 20 --time 5s --depth 20000 --keep-going --races warn --trace-dir "$tmp" "$tmp/program" >"$tmp/out" 2>&1 </dev/null
    for trace in "$tmp"/*.trace; do
        [ -e "$trace" ] || { echo "# $name: no trace"; continue; }
        timeout "$LIMIT" "$HEDDLE" replay -q --facts "$tmp/program" "$trace" >"$tmp/out" 2>"$tmp/err" </dev/null
        case $? in
        0 | 1) grep -q ' 0 contradict' "$tmp/out" && pass "$name" || fail "$name" "$(first_lines "$tmp/out")" ;;
        *) fail "$name" "$(first_lines "$tmp/err")$(grep -v '^ ' "$tmp/out" | tail -n 4 | tr '\n' '|')" ;;
        esac
        break
    done
    rm -rf "$tmp"
}

if [ $# = 0 ]; then
    # A sixth of the programs: to compile them takes most of the time.
    mapfile -t files < <(ls "$here"/../litmus/*/*.c "$here"/../programs/*/*.c "$here"/../slice/*.c | awk 'NR % 6 == 0')
    set -- "${files[@]}" "$here/stack.c" "$here/../litmus/correct/polling_fd.c"
fi
each_of "$@"
