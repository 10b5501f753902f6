#!/bin/bash
# heddle replay --gdb: the threads of the program, and both ways along the schedule.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(tail -n 8 out | tr '\n' '|')"; fi
}
debug() { # NAME TRACE, commands on standard input
    timeout "$LIMIT" "$HEDDLE" replay --gdb "./$1" "$2" >out 2>&1
}

cp "$ROOT/tests/bugs/lost_update.c" "$ROOT/tests/bugs/lock_order.c" "$ROOT/tests/bugs/use_before_init.c" \
    "$ROOT/tests/bugs/refcount_two_steps.c" .
for name in lost_update lock_order use_before_init refcount_two_steps; do
    "$HEDDLE" cc -o $name $name.c -pthread
    "$HEDDLE" check -q --json $name.json ./$name >/dev/null
done
trace() { jq -r '.violations[0].trace' "$1.json"; }
line() { grep -n "$2" "$1.c" | head -n 1 | cut -d: -f1; }

debug lost_update "$(trace lost_update)" <<'GDB'
heddle goto 6
print hits
heddle threads
heddle step 1
print hits + 100
heddle back 1
print hits + 200
break visit
heddle goto 2
continue
quit
GDB
holds 'says what is wrong' grep -q 'assertion .hits == 2. failed' out
holds 'goto: the value at that moment' grep -q '^(gdb) $1 = 0' out
holds 'the threads, and where they are' grep -qE '  1 T1 .*visit at .*lost_update.c:[0-9]+' out
holds 'step: forwards' grep -q '$2 = 101' out
holds 'back: the old value' grep -q '$3 = 200' out
holds 'breakpoints work' grep -q 'Breakpoint [0-9.]*, visit' out

debug lost_update "$(trace lost_update)" <<'GDB'
heddle goto 0
watch hits
continue
heddle threads
continue
delete
heddle goto 9
heddle back 100
heddle goto 99999
heddle goto x
heddle back 3
heddle step 3
print hits + 300
quit
GDB
holds 'watchpoints: the first write' grep -qE '^(Old value = 0|New value = 1)' out
holds 'watchpoints: both writes are met' [ "$(grep -c '^New value = 1' out)" -ge 1 -a "$(grep -c 'atchpoint [0-9]*: hits' out)" -ge 2 ]
holds 'goto: only where there is something' grep -q 'no step before the first' out
holds 'goto: past the end is refused' grep -qE "the run has $(sed -n 's/^end //p' "$(trace lost_update)") steps" out
holds 'back and forth: the same value' grep -q '= 301' out

mkdir own
echo 'info threads' | TMPDIR=$tmp/own timeout "$LIMIT" "$HEDDLE" replay --gdb --until 6 lost_update.c \
    "$("$HEDDLE" check -q --json own.json lost_update.c >/dev/null; jq -r '.violations[0].trace' own.json)" >out 2>&1
holds '--until: begins there' grep -q '^after step 6, in T2' out
holds 'nothing is left behind' rmdir own

echo quit | debug lock_order "$(trace lock_order)"
holds 'deadlock: both threads at their lock' \
    [ "$(grep -cE 'T[12] .*transfer at .*lock_order.c' out)" = 2 ]
echo 'bt 1' | debug use_before_init "$(trace use_before_init)"
holds 'crash: at the instruction' grep -q "work .*use_before_init.c:$(line use_before_init 'assert(\*mine')" out

debug refcount_two_steps "$(trace refcount_two_steps)" <<'GDB'
info threads
heddle thread all bt
echo then\n
bt
heddle thread 0 print 40 + 2
heddle thread 9
heddle back 2
heddle step 2
info threads
quit
GDB
at="drop .*refcount_two_steps.c:$(line refcount_two_steps 'left = ')"
holds 'memory error: says what' grep -q 'heddle: use after free' out
holds 'memory error: at the access' grep -qE "^\\*   1 T1 +$at" out
holds 'info threads: the threads of the program' [ "$(grep -cE '^(\(gdb\) )?[ *]   [01] (main|T1) ' out)" = 6 ]
holds 'a command for all threads' grep -qE '^#[0-9]+ .* in main \(\)' out
holds '... leaves the registers as they were' [ "$(sed -n '/^(gdb) then/,$p' out | sed -n 's/^(gdb) #[0-9]* .* in \([a-z]*\) .*/\1/p' | head -n 1)" = drop ]
holds '... of one thread' grep -q '= 42' out
holds '... that there is' grep -q 'there is no thread 9 now' out
holds 'no frames of heddle' [ "$(grep -cE '^#[0-9]+ .* in (hd_|__heddle)' out)" = 0 ]

debug lost_update "$(trace lost_update)" <<'GDB'
continue
heddle thread all info locals
heddle threads
thread 1
quit
GDB
holds "behind the end: said" [ "$(grep -c "the program has ended" out)" = 3 ]
holds "… and no exception of Python" [ "$(grep -c "Python Exception" out)" = 0 ]

# The user's frame and line after every move; threads of the program; the last write; the way back.
debug lost_update "$(trace lost_update)" <<'GDB'
heddle goto 6
thread 1
up 0
echo now\n
bt 1
heddle step
heddle back
thread 0
heddle last-write hits
heddle goto 8
heddle last-write hits
heddle last-write 1+1
heddle goto 0
watch hits
continue
heddle goto 13
reverse-continue
reverse-continue
reverse-continue
delete
tbreak visit
continue
step
next
quit
GDB
hit() { line lost_update "$1"; }
holds 'goto: frame and line' grep -A3 '^(gdb) after step 6, in T2' out
grep -A3 '^(gdb) after step 6, in T2' out >part
holds '… of the program' grep -q "^visit at .*lost_update.c:$(hit 'hits = seen + 1')" part
holds '… and the source' grep -qP "^$(hit 'hits = seen + 1')\thits = seen|^$(hit 'hits = seen + 1')\t *hits = seen" part
holds 'thread N: the thread of the program' grep -q '^(gdb) thread 1, T1' out
holds 'thread N: its stack' [ "$(sed -n '/^(gdb) now/,$p' out | grep -m1 -c 'in visit ')" = 1 ]
holds 'thread N: the run goes on as before' grep -q '^(gdb) after step 7, in T2' out
holds 'thread 0' grep -q '^(gdb) thread 0, main' out
holds 'last-write: nothing yet' grep -q 'no step up to here has written hits' out
holds 'last-write: the step' grep -q 'step 7 of T2 wrote hits; .heddle goto 6. stands before it' out
holds 'last-write: no memory' grep -q '1+1 is not in memory' out
holds 'watchpoint: in the frame of the program' [ "$(sed -n '/^New value = 1/,/^(gdb)/p' out | grep -c '^visit at .*lost_update.c')" -ge 1 ]
holds 'reverse-continue: the last write' grep -q '^(gdb) in step 7, in T2' out
holds 'reverse-continue: then the beginning' grep -q '^(gdb) after step 0, in main' out
holds 'reverse-continue: no further' grep -q 'no step before the first' out
holds 'step: the next line of the program' grep -qP "^\(gdb\) $(hit 'hits = seen + 1')\t" out
holds 'next: the line after it' grep -qP "^\(gdb\) $(hit 'return unused')\t" out

expect_error 'without gdb' 'needs gdb' env PATH=/nowhere "$HEDDLE" replay --gdb ./lost_update "$(trace lost_update)"

# A local in a register that the call of a hook changes: no value is better than another one.
cp "$ROOT/tests/bugs/seqlock_no_recheck.c" . && "$HEDDLE" cc -g -o seqlock_no_recheck seqlock_no_recheck.c -pthread
"$HEDDLE" check -q --json seqlock_no_recheck.json ./seqlock_no_recheck >/dev/null
debug seqlock_no_recheck "$(trace seqlock_no_recheck)" <<'GDB'
info threads
print x == y
print x != y
info locals
heddle goto
quit
GDB
if grep -qE '^\(gdb\) \$[0-9]+ = 1$' out && ! grep -q '^(gdb) $1 = 0$' out; then
    fail 'locals: not those of another call' "$(tr '\n' '|' <out)"
else
    pass 'locals: not those of another call'
fi
holds 'info threads keeps the frame of the program' grep -q '^(gdb) t = ' out
holds 'goto without a number' grep -q 'goto N' out

# The loader writes the address of a text into the variable: reverse-continue does not stop there, and goto at no breakpoint on the way.
cat >relocated.c <<'C'
#include <assert.h>
#include <pthread.h>
static const char *name = "none";
static void *set(void *text)
{
    int local = 7;
    const char *mine = text;
    name = mine;
    return (void *)(long)(local + 1);
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, "alice");
    pthread_join(t, 0);
    assert(name[0] == 'b');
}
C
"$HEDDLE" check -q --json relocated.json relocated.c >/dev/null
timeout "$LIMIT" "$HEDDLE" replay --gdb relocated.c "$(trace relocated)" >out 2>&1 <<'GDB'
watch name
reverse-continue
info locals
reverse-continue
print name
break set
heddle goto 3
quit
GDB
holds 'reverse-continue: to the write of the program' grep -qE '^set at .*relocated.c:8$' out
holds 'locals of sources are there' grep -qE '^(\(gdb\) )?local = 7$' out
holds 'reverse-continue: not into the loader' grep -q '^(gdb) after step 0, in main' out
holds 'reverse-continue: after the loader' grep -q '= 0x[0-9a-f]* "none"$' out
holds 'goto: past breakpoints' grep -qE '^\(gdb\) after step 3, in T1' out
