#!/bin/bash
# Library functions that are declared and called with other types than they have, as configure scripts
# do (`char NAME(); int main(void) { return NAME(); }`): the program is built, and such a call is one of
# an unknown function.  With --long also every name in a program of its own.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
cc=("$HEDDLE" cc -w)

# Every whole name in the tables of what the library does, without heddle's own.
sed -nE 's/^HD_(LIBC|SYNC|POINTERS|SURFACE)\("?([A-Za-z0-9_]+)"?,.*/\2/p' "$ROOT"/src/analyse/*.def \
    "$ROOT/src/runtime/surface.def" | grep -v '^__heddle_' | sort -u >names
n=$(wc -l <names)
if [ "$n" -gt 900 ]; then pass "the tables name $n functions"; else fail 'the tables name functions' "only $n"; fi

# batch NAME DECLARATION CALL [BODY]: all of them in one program, each in a function that main may call.  FUNCTION
# stands for the function; its symbol is set apart because the compiler knows some of the names.  Symbols
# that are in no library are none of this test's business.  BODY: the program defines them itself.
batch() {
    {
        echo 'struct large { long a[9]; } large;'
        awk -v declaration="$2" -v call="$3" -v body="${4:-}" '{
            d = declaration; c = call
            gsub("FUNCTION", "x" NR, d); gsub("FUNCTION", "x" NR, c)
            printf "%s __asm__(\"%s\"); int f%d(int i, char **p) { return %s; }\n", d, $0, NR, c
            if (body) printf "%s %s\n", d, body
            cases = cases "case " NR ": return f" NR "(i, p);\n"
        } END { printf "int main(int i, char **p)\n{\nswitch (i - 1) {\n%s}\nreturn 0;\n}\n", cases }' names
    } >all.c
    "${cc[@]}" -c all.c >err 2>&1 &&
        "${cc[@]}" -o all all.o -lm -Wl,--unresolved-symbols=ignore-all >err 2>&1
    local status=$?
    if [ "$status" = 0 ]; then pass "$1"; else fail "$1" "exit status $status: $(grep heddle: err | head -c 300)"; fi
}
batch 'no arguments and a char' 'char FUNCTION()' 'FUNCTION()'
batch 'its own functions' 'static char FUNCTION()' 'FUNCTION()' '{ return 1; }'
batch 'pointers and ints' 'int FUNCTION()' 'FUNCTION(p, p, i, i)'
if [ "${1:-}" = --long ]; then
    batch 'numbers for pointers' 'void FUNCTION()' '(FUNCTION(i, i, i, i, i, i), 0)'
    batch 'pointers for numbers' 'char *FUNCTION()' 'FUNCTION(p, p, p, p, p, p) != 0'
    batch 'one pointer' 'char FUNCTION()' 'FUNCTION(p)'
    batch 'floating point' 'double FUNCTION(double, double, double)' '(int)FUNCTION(1, 2, 3)'
    batch 'structures' 'struct large FUNCTION(struct large, struct large)' '(int)FUNCTION(large, large).a[1]'
    batch 'wide integers' '__int128 FUNCTION(__int128, __int128, __int128)' '(int)FUNCTION(1, 2, 3)'
    batch 'a precision that is no int' 'int FUNCTION(char *, ...)' 'FUNCTION("%.*s %s", 3.0, p)'
    while read -r name; do
        echo "char $name(); int main(void) { return $name(); }" >one.c
        "${cc[@]}" -c one.c >err 2>&1 && "${cc[@]}" -o one one.o -lm >err 2>&1
        status=$?
        if [ "$status" -gt 2 ] || grep -qiE 'signal|internal error|not valid|bug' err; then
            fail "configure looks for $name" "exit status $status: $(first_lines err)"
        else
            pass "configure looks for $name"
        fi
    done <names
fi

# As configure writes it, and the address as well.
cat >memmove.c <<'C'
char memmove();
char (*f)() = memmove;
int main(int argc, char **argv) { return argc > 5 ? memmove() : argc > 4 ? f() : 0; }
C
if "${cc[@]}" -o memmove memmove.c >err 2>&1; then pass 'char memmove()'; else fail 'char memmove()' "$(first_lines err)"; fi

# A precision that is no int, known only when a variable has been followed.
cat >format.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    const char *format = "%.*s\n";
    return argc > 1 ? printf(format, 1.0, argv[0]) : 0;
}
C
if "${cc[@]}" -o format format.c >err 2>&1; then pass 'a double as precision'; else fail 'a double as precision' "$(first_lines err)"; fi

# A call that fits is the library's in spite of the declaration; one that does not is named when it is run.
# Whatever the missing limit is, strnlen stops at the NUL.
cat >named.c <<'C'
unsigned long strnlen();
int main(void) { return CALL > 1; }
C
named() {
    local name=$1 arguments=$2 wanted=$3
    "${cc[@]}" "-DCALL=strnlen($arguments)" -o named named.c
    "$HEDDLE" check -q --json json named >out 2>err </dev/null
    if [ "$(jq -r 'tostring | contains("strnlen")' json)" = "$wanted" ]; then
        pass "$name"
    else
        fail "$name" "$(first_lines out) $(first_lines err) $(head -c 600 json)"
    fi
}
named 'a call that fits' '"x", 5L' false
named 'a call that does not fit is named' '"x"' true
