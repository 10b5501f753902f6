#!/bin/bash
# Files that heddle writes: whole or not at all, never through a foreign link; no temporary file stays.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export HOME=$tmp TMPDIR=$tmp/temporary
mkdir "$TMPDIR"
cp "$ROOT/tests/litmus/wrong/counter.c" .

check() { timeout "$LIMIT" "$HEDDLE" check -q "$@" counter.c >out 2>err </dev/null; }

# every NAME DO: the function for each kind of file.
every() { for kind in json sarif junit html; do "$1" $kind; done; }

whole() {
    echo old >"$1.file"
    check "--$1" "$1.file"
    [ "$(wc -c <"$1.file")" -gt 100 ] && [ "$(find . -maxdepth 1 -name "$1.file*" | wc -l)" = 1 ] && pass "$1: replaced, nothing beside it" ||
        fail "$1: replaced, nothing beside it" "$(ls)"
}
every whole

"$HEDDLE" check --html page.html counter.c >out 2>err </dev/null
grep -qx 'written: page.html' out && [ -s page.html ] && pass 'html: says what it wrote' || fail 'html: says what it wrote' "$(first_lines err)"
"$HEDDLE" check --html - counter.c >out 2>err </dev/null
[ "$(grep -c '^written' out)" = 0 ] && pass 'html: nothing but the page on standard output' || fail 'html: nothing but the page on standard output' "$(first_lines out)"

linked() {
    echo precious >precious
    ln -sf precious "$1.link"
    check "--$1" "$1.link"
    [ "$(cat precious)" = precious ] && pass "$1: not through a link" || fail "$1: not through a link" "$(first_lines precious)"
}
every linked

full() {
    [ -w /dev/full ] || return 0
    expect_error "$1: a full device" 'cannot be written: No space' "$HEDDLE" check -q "--$1" /dev/full counter.c
}
every full

# A limit on the size of files stands for a full disk: the old file stays.
"$HEDDLE" cc -o program counter.c -pthread
echo old >kept
expect_error 'no room: one line' 'kept: cannot be written: File too large' \
    bash -c 'ulimit -f 1; exec "$0" "$@"' "$HEDDLE" slice --html kept ./program counter.c:19
[ "$(cat kept)" = old ] && pass 'no room: the old file stays' || fail 'no room: the old file stays' "$(first_lines kept)"

mkdir locked
echo old >locked/file
nowhere() { expect_error "$1: no such folder" 'nowhere/file: cannot be written' "$HEDDLE" check -q "--$1" nowhere/file counter.c; }
every nowhere
folder() { expect_error "$1: a folder" 'locked: cannot be written' "$HEDDLE" check -q "--$1" locked counter.c; }
every folder

fifo() {
    rm -f pipe
    mkfifo pipe
    timeout "$LIMIT" cat pipe >read &
    check "--$1" pipe
    wait
    [ "$(wc -c <read)" -gt 100 ] && [ -p pipe ] && pass "$1: a FIFO" || fail "$1: a FIFO" "$(first_lines err)"
}
every fifo

# /dev/stdout is the open file, also when that is a file with something in it.
stdout() {
    echo before >both
    timeout "$LIMIT" "$HEDDLE" check -q "--$1" /dev/stdout counter.c >>both 2>err </dev/null
    { [ "$(head -n 1 both)" = before ] && [ "$(wc -c <both)" -gt 300 ] && [ -L /dev/stdout ]; } && pass "$1: /dev/stdout" ||
        fail "$1: /dev/stdout" "$(first_lines both) $(first_lines err)"
    timeout "$LIMIT" "$HEDDLE" check -q "--$1" /dev/stdout counter.c 2>err </dev/null | cat >piped
    [ "$(wc -c <piped)" -gt 300 ] && pass "$1: /dev/stdout into a pipe" || fail "$1: /dev/stdout into a pipe" "$(first_lines err)"
}
every stdout

# A checkpoint goes under a name that nobody can have prepared.
cp "$ROOT/tests/litmus/correct/counter.c" right.c
echo precious >precious
for name in c.part c.tmp; do ln -sf precious $name; done
"$HEDDLE" check -q --strategy brute --executions 1 --checkpoint c right.c >out 2>err </dev/null
if [ "$(cat precious)" = precious ] && [ -s c ]; then pass 'a checkpoint through no link'; else
    fail 'a checkpoint through no link' "$(first_lines precious) $(first_lines err)"; fi

# A trace does not go through a link either.
rm -rf heddle-traces
mkdir heddle-traces
ln -s ../precious heddle-traces/counter-assertion-1.trace
check
[ "$(cat precious)" = precious ] && pass 'a trace through no link' || fail 'a trace through no link' "$(first_lines precious)"

# Temporary folders and workers do not stay behind, whatever ends heddle, and however often.
cat >slow.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *unused)
{
    for (int i = 0; i < 50; i++)
        x++;
    return unused;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
C
behind() {
    local tries=0
    while [ -n "$(ls "$TMPDIR")$(pgrep -f "$TMPDIR/heddle")" ] && [ $tries -lt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ $tries -lt 200 ] && pass "$1: nothing stays behind" || fail "$1: nothing stays behind" "$(ls "$TMPDIR") $(pgrep -af "$TMPDIR/heddle")"
}
# A signal during the compilation ends heddle, and not only the compiler.
cat >compiler <<C
#!/bin/bash
[ "\$1" = --version ] && exec echo "clang version 16.0.0"
touch "$tmp/compiling"
exec sleep 600
C
chmod +x compiler
for signal in TERM HUP; do
    rm -f compiling
    HEDDLE_CLANG=$tmp/compiler setsid "$HEDDLE" check -q slow.c >out 2>err </dev/null &
    pid=$!
    while ! [ -e compiling ] && kill -0 $pid 2>/dev/null; do sleep 0.05; done
    kill -$signal $pid
    { wait $pid; } 2>/dev/null
    code=$?
    [ $code -gt 128 ] && [ $code -lt 160 ] && [ -e compiling ] && pass "SIG$signal ends the compilation" ||
        fail "SIG$signal ends the compilation" "$code $(first_lines err)"
    behind "SIG$signal during the compilation"
done

for signal in TERM HUP INT KILL; do
    for moment in 0.03 0.2 1; do
        # setsid: a script's background jobs ignore SIGINT otherwise
        setsid timeout "$LIMIT" "$HEDDLE" check -q --strategy brute -j 2 slow.c >out 2>err </dev/null &
        sleep $moment
        pkill -$signal -s $! -f "$HEDDLE check" 2>/dev/null
        pkill -$signal -s $! -f "$HEDDLE check" 2>/dev/null
        { wait $!; } 2>/dev/null
        behind "SIG$signal after $moment s"
    done
done
timeout "$LIMIT" "$HEDDLE" check -v --keep-going slow.c --executions 2000 2>err | head -c 1 >/dev/null
behind 'a reader that goes away'

# The standard descriptors may be closed.
timeout "$LIMIT" "$HEDDLE" check -q counter.c <&- >out 2>err
[ $? = 1 ] && pass 'standard input is closed' || fail 'standard input is closed' "$(first_lines err)"
timeout "$LIMIT" "$HEDDLE" check -q counter.c 2>&- >out </dev/null
[ $? = 1 ] && pass 'standard error is closed' || fail 'standard error is closed' "$(first_lines out)"
expect_error 'standard output is closed' 'cannot write to standard output' sh -c "exec '$HEDDLE' check -q counter.c >&-"

# Who waits for what, in the formats of CI servers and editors.
cp "$ROOT/tests/bugs/lock_order.c" .
"$HEDDLE" check -q --sarif s --github lock_order.c >out 2>err
waits='T[0-9] waits at lock_order.c:[0-9]* .*to lock accounts.*which T[0-9] holds since lock_order.c:[0-9]*'
[ "$(jq -r '.runs[0].results[0].relatedLocations[].message.text' s | grep -cE "$waits")" = 2 ] && pass 'SARIF: who waits for what' ||
    fail 'SARIF: who waits for what' "$(jq -c '.runs[0].results[0].relatedLocations' s | head -c 300)"
jq -r '.runs[0].results[0].message.text' s | grep -qE "$waits" && pass 'SARIF: in the message' || fail 'SARIF: in the message' "$(first_lines s)"
grep '^::error' out | grep -qE "%0A$waits" && pass 'annotations: who waits for what' || fail 'annotations: who waits for what' "$(first_lines out)"
"$HEDDLE" check --vim lock_order.c >out 2>err
[ "$(grep -cE "^lock_order.c:[0-9:]* note: $waits" out)" = 2 ] && pass 'places: who waits for what' || fail 'places: who waits for what' "$(first_lines out)"
# T1 and T2 read 0, and main reads what the last of them wrote over the other's.
cp "$ROOT/tests/bugs/lost_update.c" .
why='main read hits = 1 at .*: T[12] wrote hits = 1 at lost_update.c:13 .*had not seen'
"$HEDDLE" check -q --sarif s --github lost_update.c >out 2>err
jq -e --arg why "$why" '.runs[0].results[0] | (.message.text | test($why)) and
    (.relatedLocations[0] | (.message.text | test($why)) and .physicalLocation.region.startLine == 24)' s >/dev/null &&
    pass 'SARIF: why' || fail 'SARIF: why' "$(first_lines s)"
grep '^::error' out | grep -qE "%0A$why" && pass 'annotations: why' || fail 'annotations: why' "$(first_lines out)"
"$HEDDLE" check --vim lost_update.c >out 2>err
grep -qE '^lost_update.c:24:[0-9:]* note: '"$why" out &&
    pass 'places: why' || fail 'places: why' "$(first_lines out)"

# A pipe that nobody reads, and one that somebody reads.
mkfifo read_by
expect_error 'a pipe without a reader' 'nobody reads this pipe' "$HEDDLE" check -q --json read_by lock_order.c
exec 9<>read_by # a reader that is there before
"$HEDDLE" check -q --json read_by lock_order.c >out 2>err
[ "$(jq -rn 'input | .verdict' <&9)" = violation ] && pass 'a pipe with a reader' || fail 'a pipe with a reader' "$(first_lines err)"
exec 9>&-

# No room for what the compiler writes: one line.
(ulimit -f 0; "$HEDDLE" check lock_order.c 2>&1 >/dev/null; echo "status $?") </dev/null | cat >err
[ "$(grep -c . err)" = 2 ] && grep -q '^heddle: files may have at most 0 bytes (ulimit -f)' err && grep -q 'status 2' err &&
    pass 'ulimit -f 0' || fail 'ulimit -f 0' "$(first_lines err)"
