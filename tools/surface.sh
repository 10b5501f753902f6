#!/bin/bash
# The table of the functions that are modelled: src/runtime/surface.def -> docs/surface.md.
#
#   tools/surface.sh           write the page
#   tools/surface.sh --check   is the page up to date, does every row have its pair of programs that
#                              call the function, is every function of the headers in the table?
set -u
cd "$(dirname "$0")/.." || exit 2
def=src/runtime/surface.def page=docs/surface.md
CC=${CC:-clang-19}

# function TAB how TAB litmus; a part is a line with its title alone
rows() {
    sed -n -e 's/^HD_SURFACE_PART("\(.*\)")$/\1/p' \
        -e 's/^HD_SURFACE(\([^,]*\), "\(.*\)", \([a-z0-9_]*\))$/\1\t\2\t\3/p' "$def"
}

write_page() {
    cat <<'END'
# What is modelled

Every function of POSIX threads, POSIX semaphores and C11 threads, futexes, and input and output between
threads: how heddle models it, and the pair of programs in `tests/litmus/correct` and `tests/litmus/wrong` that proves it. Made by `tools/surface.sh` from
`src/runtime/surface.def`.

`vfork`, `clone`, the `exec` family, `posix_spawn`, `system` and `popen` are refused with an error; so are `alarm` and its like,
`timer_create`, the `aio` and message queue functions, System V semaphores and messages, and `setuid` and its like where they would change something. A program that is started
without heddle has them all.

A function or variable of the program that has the name of a library function (`sleep`, `read`, `index`, …) counts for the program's own calls.
Only the heap (`malloc`, `operator new`) and the functions of threads and locks must be the library's: a program that
defines one of these is refused.
END
    rows | awk -F '\t' '
        NF == 1 { printf "\n## %s\n\n| function | how | litmus |\n|---|---|---|\n", toupper(substr($1, 1, 1)) substr($1, 2); next }
        { printf "| `%s` | %s | `%s` |\n", $1, $2, $3 }'
}

bad=0
complain() {
    echo "$def: $*" >&2
    bad=1
}

check_rows() {
    local function how litmus pattern side
    while IFS=$'\t' read -r function how litmus; do
        [ -n "$litmus" ] || continue
        for side in correct wrong; do
            [ -f "tests/litmus/$side/$litmus.c" ] ||
                complain "$function: there is no tests/litmus/$side/$litmus.c"
        done
        pattern="\\b${function%\*}\\b"
        [ "$function" = "${function%\*}" ] || pattern="\\b${function%\*}"
        grep -qsE "$pattern" "tests/litmus/correct/$litmus.c" "tests/litmus/wrong/$litmus.c" ||
            complain "$function: the programs $litmus.c do not call it"
    done < <(rows)
}

# Names that the headers themselves turn into others are none of their own.
declared() {
    local text
    text=$(printf '#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n' |
        "$CC" -D_GNU_SOURCE -E -P - | tr '\n' ' ' | tr ';' '\n')
    names() { grep -oE '\b((pthread|sem|thrd|mtx|cnd|tss)_[a-z0-9_]+|call_once) ?\(' | tr -d ' ('; }
    comm -23 <(names <<<"$text" | sort -u) <(grep '__asm__' <<<"$text" | names | sort -u)
}

check_headers() {
    local function listed row
    listed=$(rows | awk -F '\t' 'NF > 1 { print $1 }')
    while read -r function; do
        for row in $listed; do
            # shellcheck disable=SC2053
            [[ $function == $row ]] && continue 2
        done
        complain "$function is in the headers and not in the table"
    done < <(declared)
}

if [ "${1:-}" != --check ]; then
    write_page >"$page"
    exit
fi
check_rows
check_headers
write_page | cmp -s - "$page" || complain "$page is not up to date: run tools/surface.sh"
exit $bad
