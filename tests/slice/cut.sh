#!/bin/bash
# What a slice leaves out has no influence: tests/slice/cut.sh [FILE.c...].
# Some lines of every program are asked for as targets, in the whole program and in the one from which
# everything outside the slice has been taken away (heddle slice --cut).  Both must give the same
# answer, reached or not; where an exploration does not come to its end there is none to compare.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
LINES_EACH=${LINES_EACH:-3}

# ask PROGRAM FILE LINE [OPTIONS...]: reached, not, or ? when that is not known.  Who breaks the
# program in that line has been there.  Who breaks it elsewhere ends there, and in the slice may go on.
ask() {
    local program=$1 file=$2 line=$3
    shift 3
    timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --races off --keep-going --executions 20000 \
        --time 10s --trace-dir "$tmp" --json "$tmp/json" "$@" "$program" >"$tmp/out" 2>"$tmp/err" </dev/null
    case $? in
    0 | 1 | 3) jq -r --arg f "$file" --argjson l "$line" \
        'if any(.violations[]; .location.line == $l and (.location.file | endswith($f)))
         then "reached" elif .undischarged == ["races"] and .violations == [] then "not" else "?" end' "$tmp/json" ;;
    2) echo refused ;;
    *) echo broken ;;
    esac
}

one() {
    grep -q 'setjmp\|heddle_invariant' "$1" && return # not followed; called by nobody
    local file=$1 name flags line place whole part compared=0
    name=$(basename "$(dirname "$file")")/$(basename "$file" .c)
    tmp=$(mktemp -d)
    flags=$(sed -n 's,^// cc-flags: ,,p' "$file")
    # shellcheck disable=SC2086
    "$HEDDLE" cc -g $flags -o "$tmp/whole" "$file" -pthread -lm 2>"$tmp/err" || {
        fail "$name" "$(first_lines "$tmp/err")"
        rm -rf "$tmp"
        return
    }
    # By a number that the file gives, so that every run asks for the same lines.
    for line in $(grep -nE '[;{]' "$file" | cut -d: -f1 | shuf --random-source=<(yes "$name") | head -n 12); do
        [ "$compared" -lt "$LINES_EACH" ] || break
        place=$(basename "$file"):$line
        whole=$(ask "$tmp/whole" "${place%:*}" "$line" --target "$place")
        case $whole in
        reached | not) ;;
        *) continue ;;
        esac
        # shellcheck disable=SC2086
        if ! "$HEDDLE" slice --cut "$tmp/cut.o" "$tmp/whole" "$place" 2>"$tmp/err" ||
            ! "$HEDDLE" cc $flags -o "$tmp/cut" "$tmp/cut.o" -pthread -lm 2>"$tmp/err"; then
            grep -q 'no thread of' "$tmp/err" && [ "$whole" = not ] && continue
            fail "$name:$line" "$(first_lines "$tmp/err")"
            continue
        fi
        part=$(ask "$tmp/cut" "${place%:*}" "$line")
        [ "$part" != '?' ] || continue
        compared=$((compared + 1))
        if [ "$part" = "$whole" ]; then
            pass "$name:$line $whole"
        else
            fail "$name:$line" "$whole in the program, $part in its slice $(first_lines "$tmp/err")"
        fi
    done
    rm -rf "$tmp"
}

if [ $# = 0 ]; then
    mapfile -t files < <(ls "$here"/../litmus/*/*.c | awk 'NR % 16 == 5')
    set -- "$here"/*.c "${files[@]}"
    # Generated programs: each alone, called by main without being asked for.
    generated=$(mktemp -d)
    trap 'rm -rf "$generated"' EXIT
    for seed in $(seq "${SEEDS:-12}"); do
        "$ROOT/${B:-build}/tests/oracle-gen" -n 1 -s "$seed" --no-misuse -o "$generated/seed$seed.c" >/dev/null &&
            sed -i 's,^int main(.*,int main(void) { prog_0(); return 0; }\nint chosen(int argc\, char **argv),' \
                "$generated/seed$seed.c" && set -- "$@" "$generated/seed$seed.c"
    done
fi
each_of "$@"
