#!/bin/bash
# Ten reports on terminals of 80 and 120 columns: no line is wider, no value is cut, and the step that fails is there.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
cp "$here"/screens/* "$tmp" && cd "$tmp" || exit 2

# screen FILE PATTERN [OPTION]: the pattern is in the report, whose blanks and line ends count as one blank.
screen() {
    local file=$1 pattern=$2 option=${3:---no-earlier} width why
    local driver=cc
    [ "${file##*.}" = cc ] && driver=c++
    "$HEDDLE" $driver -o "${file%.*}" "$file" 2>err || { fail "$file" "$(first_lines err)"; return; }
    COLUMNS=1000 "$HEDDLE" check --no-earlier "$option" -v "${file%.*}" >wide 2>err </dev/null
    [ $? = 1 ] || { fail "$file" "no violation: $(first_lines err)"; return; }
    for width in 80 120; do
        COLUMNS=$width "$HEDDLE" check --no-earlier "$option" "${file%.*}" >narrow 2>err </dev/null
        if ! why=$(python3 "$here/screens.py" narrow wide "$width"); then
            fail "$file: $width columns" "$why"
        elif ! tr -s ' \n' ' ' <narrow | grep -qE -- "$pattern"; then
            fail "$file: $width columns" "no '$pattern' in $(tail -c +200 narrow | first_lines /dev/stdin)"
        else
            pass "$file: $width columns"
        fi
    done
}

screen assertion.c "! assertion .savings.balance == 280.75' failed.* over the 270.5 of T2 .* it had read 250.5 before"
# (which of the two comes first is up to the first execution, which is a random one)
screen race.c '(write|read) statistics.requests .* [0-9]+ (read|write) statistics.requests'
screen deadlock.c 'T1 waits at deadlock.c:30 .transfer. to lock t->lock .account#2., which T2 holds since deadlock.c:29 as f->lock .* ! waits for ever'
screen wakeup.c 'signal the_queue_is_not_empty, nobody waits .* ! waits for ever'
screen memory.c '! use after free: read of 4 bytes at offset 16'
screen double_free.c '! use after free|! double free'
screen livelock.c 'from here on, for ever: .*trylock-fail right .*trylock-fail left .*and again from step'
screen stale.c 'atomic-read message = 0 .stale. reads the initial value; .* ! assertion'
screen queue.cc 'T1 read .*_M_finish .*T2 wrote .*_M_finish'
# how far nine threads are minimised depends on the time that it takes
screen nine.c '! assertion .all == WORKERS. failed' --no-minimise
