#!/bin/bash
# Places to be reached: heddle check --target.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$ROOT/tests/slice
line() { grep -n "/\* $2 \*/" "$here/$1" | head -n 1 | cut -d: -f1; }

# verdict OPTIONS...: what a check of figure1.c says, and how it ended.
verdict() {
    "$HEDDLE" check -q --races off --no-minimise --trace-dir "$tmp" --json "$tmp/json" \
        "$@" "$here/figure1.c" >"$tmp/out" 2>"$tmp/err"
    echo "$? $(jq -r '[.verdict, (.violations[0].kind // "none"), (.violations[0].location.line // 0)] | join(" ")' "$tmp/json")"
}
same() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

sed 's/heddle_target()/(void)0/' "$here/figure1.c" >"$tmp/figure1.c"
six=$(line figure1.c 't0: 6') three=$(line figure1.c 't0: 3') two=$(line figure1.c 't1: 2')
same 'a line is reached' "1 violation target $six" "$(verdict --target "figure1.c:$six")"
"$HEDDLE" replay -q "$here/figure1.c" "$tmp"/figure1-target-1.trace >"$tmp/out" 2>&1
if [ $? = 1 ] && grep -q "target reached: figure1.c:$six" "$tmp/out"; then
    pass 'its trace replays'
else
    fail 'its trace replays' "$(first_lines "$tmp/out")"
fi
same 'two lines at once' "1 violation target $three" "$(verdict --target "figure1.c:$three,figure1.c:$two")"
# t1 has left line 2 when x is no longer 0
same 'two lines that exclude each other' '0 verified none 0' \
    "$(here=$tmp verdict --strategy scale:nsb --target "figure1.c:$six,figure1.c:$two")"
same 'a function' "1 violation target $(line figure1.c 't2: 1')" "$(verdict --target t2)"
# y begins at 1, is only ever increased by one thread and decreased by another: never 9 in t2.
same 'a line that cannot be reached' '0 verified none 0' \
    "$(here=$tmp verdict --target "figure1.c:$(line figure1.c 't2: 3')")"
same 'several cannot be verified with a reduction' '0 no-violation-found none 0' \
    "$(here=$tmp verdict --target "t1,figure1.c:$(line figure1.c 't2: 3')")"

# refused TEXT OPTIONS...: exit status 2, one line with the text.
refused() {
    local text=$1 status
    shift
    "$HEDDLE" check -q "$@" "$here/figure1.c" >"$tmp/out" 2>"$tmp/err"
    status=$?
    if [ $status = 2 ] && grep -q "$text" "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ]; then
        pass "refused: $text"
    else
        fail "refused: $text" "status $status: $(first_lines "$tmp/err")"
    fi
}
refused 'does nothing that another thread could see' --target "figure1.c:$(line figure1.c 't0: 9')"
refused 'neither FILE:LINE nor a function' --target nowhere
refused 'holds no code' --target figure1.c:1
