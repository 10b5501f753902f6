#!/bin/bash
# Files from strangers: traces and checkpoints choose nothing that runs or writes.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME=$tmp/home
unset XDG_CONFIG_HOME
mkdir "$HOME" "$tmp/work"
cd "$tmp/work" || exit 2
cp "$ROOT/tests/litmus/wrong/counter.c" hits.c

quietly() { timeout "$LIMIT" "$HEDDLE" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

# nothing NAME: neither a file of the stranger's choice nor one that is there has been written.
nothing() {
    if [ -e OVERWRITTEN ] || [ -e PWNED ]; then
        fail "$1 writes nothing" "$(ls)"
        rm -f OVERWRITTEN PWNED
    else
        pass "$1 writes nothing"
    fi
}

quietly check -q --cc-flags '-DUNUSED="a b"' hits.c -- 'an argument'
trace=heddle-traces/hits-assertion-1.trace
if [ "$(stat -c %a "$HOME/.config/heddle/key")" = 600 ] && [ "$(stat -c %s "$HOME/.config/heddle/key")" = 32 ]; then
    pass 'a key of 32 bytes that only the user can read'
else
    fail 'a key of 32 bytes that only the user can read' "$(ls -l "$HOME/.config/heddle" 2>&1)"
fi
quietly replay -q hits.c $trace
status=$?
if [ "$status" = 1 ]; then pass 'a trace of my own has its options'; else
    fail 'a trace of my own has its options' "status $status $(first_lines "$tmp/err")"; fi
quietly report $trace -o own.html
status=$?
if [ "$status" = 0 ] && [ -s own.html ]; then pass 'a report of my own trace'; else
    fail 'a report of my own trace' "status $status $(first_lines "$tmp/err")"; fi

# One byte that means nothing is enough.
sed 's/^end/ end/' $trace >edited.trace
expect_error 'an edited trace' "not made by this user.*replay --cc-flags .*-DUNUSED=a b.* hits.c edited.trace -- 'an argument'" \
    "$HEDDLE" replay hits.c edited.trace
# The command that it names works.
sh -c "$(sed 's/.*type: //' "$tmp/err")" >"$tmp/out" 2>"$tmp/err2"
status=$?
if [ "$status" = 1 ] && grep -q 'counter == 2' "$tmp/out"; then pass 'the command that is named works'; else
    fail 'the command that is named works' "status $status $(first_lines "$tmp/err2")"; fi
expect_error 'options without the arguments' 'not made by this user' "$HEDDLE" replay --cc-flags -DX hits.c edited.trace
expect_error 'arguments without the options' 'not made by this user' "$HEDDLE" replay hits.c edited.trace -- x
quietly replay -q --trust hits.c edited.trace
status=$?
if [ "$status" = 1 ] && grep -q "trusting edited.trace with --cc-flags .*-DUNUSED" "$tmp/err"; then
    pass '--trust shows them and uses them'
else
    fail '--trust shows them and uses them' "status $status $(first_lines "$tmp/err")"
fi
cp "$HOME/.config/heddle/key" "$tmp/key"
head -c 32 /dev/zero >"$HOME/.config/heddle/key"
expect_error 'the key of somebody else' 'not made by this user' "$HEDDLE" replay hits.c $trace
chmod 644 "$HOME/.config/heddle/key"
cp "$tmp/key" "$HOME/.config/heddle/key"
expect_error 'a key that others can read' 'not made by this user' "$HEDDLE" replay hits.c $trace
rm "$HOME/.config/heddle/key"
ln -s "$tmp/key" "$HOME/.config/heddle/key"
expect_error 'a key behind a link' 'not made by this user' "$HEDDLE" replay hits.c $trace
rm "$HOME/.config/heddle/key"
cp -p "$tmp/key" "$HOME/.config/heddle/key"
chmod 600 "$HOME/.config/heddle/key"
HOME=/proc expect_error 'no folder for a key: others' 'not made by this user' "$HEDDLE" replay hits.c $trace
HOME=/proc quietly check -q --cc-flags -DX --trace-dir unsigned hits.c
status=$?
if [ "$status" = 1 ] && [ "$(grep -c 'warning: the traces are not signed' "$tmp/err")" = 1 ]; then
    pass 'no folder for a key: one line'
else
    fail 'no folder for a key: one line' "status $status $(first_lines "$tmp/err")"
fi
quietly check -q --trace-dir plain hits.c
sed 's/^end/ end/' plain/hits-assertion-1.trace >plain.trace
quietly replay -q hits.c plain.trace
status=$?
if [ "$status" = 1 ]; then pass "a stranger's trace without options replays"; else
    fail "a stranger's trace without options replays" "status $status $(first_lines "$tmp/err")"; fi

# What compiler options can do, none of it is done.
cat >plugin.c <<'C'
#include <stdio.h>
__attribute__((constructor)) static void run(void) { fclose(fopen("PWNED", "w")); }
C
cc -shared -fPIC -o plugin.so plugin.c 2>/dev/null || "clang-${LLVM:-19}" -shared -fPIC -o plugin.so plugin.c
mkdir -p headers && echo '#error shadowed' >headers/pthread.h
echo '-MD -MF OVERWRITTEN' >options
build=$(sed -n 's/^build //p' $trace)
hostile() {
    local name=$1 flag
    shift
    { echo 'heddle-trace 1'
      [ "${sign:-}" = '' ] || echo "signature $sign"
      echo 'source hits.c'
      for flag in "$@"; do echo "cc-flag \"$flag\""; done
      printf 'program hits.c\nbuild %s\nthreads main T1 T2\nsteps all\n1 main create T1\nend 1\n' "$build"
    } >hostile.trace
    expect_error "replay: $name" 'not made by this user' "$HEDDLE" replay hits.c hostile.trace
    expect_error "gdb: $name" 'not made by this user' "$HEDDLE" replay --gdb hits.c hostile.trace
    expect_error "report: $name" 'not made by this user' "$HEDDLE" report hostile.trace -o page.html
    nothing "$name"
}
hostile '-MF' -MD -MF OVERWRITTEN -MT 'touch PWNED #'
hostile '-o' -o OVERWRITTEN
hostile '-fplugin' "-fplugin=$PWD/plugin.so"
hostile '-fpass-plugin' "-fpass-plugin=$PWD/plugin.so"
hostile '-Xclang -load' -Xclang -load -Xclang "$PWD/plugin.so"
hostile '@file' @options
hostile '-I' -Iheaders
hostile '-D' '-Dhits=hits,__attribute__((constructor))'
hostile '-include' -include plugin.c
hostile '-B' -B.
hostile '--config' --config=options
hostile '-Wl,' '-Wl,-o,OVERWRITTEN'
hostile 'a terminal' $'-D\\x1b[31mX=\\n'
if grep -q "$(printf '\033')" "$tmp/err"; then fail 'options are shown with escapes' "$(first_lines "$tmp/err" | cat -v)"; else
    pass 'options are shown with escapes'; fi
sign=$(printf '%064d' 0)
hostile 'a wrong signature' -MD -MF OVERWRITTEN
sign=$(sed -n 's/^signature //p' $trace)
hostile 'the signature of another trace' -MD -MF OVERWRITTEN
sign=
sed 's/^signature .*/signature nonsense/' $trace >nonsense.trace
expect_error 'a signature of other letters' ':2: the signature is not 64' "$HEDDLE" replay hits.c nonsense.trace

# A report names no program, arguments or invariants of a stranger's choice.
cat >evil.c <<'C'
#include <stdio.h>
int main(void) { fclose(fopen("PWNED", "w")); return 0; }
C
sed 's/^source .*/source evil.c/; /^cc-flag/d; /^arg/d; /^signature/d' $trace >program.trace
expect_error 'a report compiles nothing unasked' "type: .*report --program evil.c program.trace -o page.html" \
    "$HEDDLE" report program.trace -o page.html
sed '/^source /d; /^cc-flag/d; /^arg/d; /^signature/d; s,^program .*,program /etc/passwd,' $trace >program.trace
expect_error 'a report reads nothing unasked' 'not made by this user' "$HEDDLE" report program.trace -o page.html
nothing 'a report'
[ -e page.html ] && fail 'no report' 'there is one' || pass 'no report'
sed '/^cc-flag/d; /^arg/d; s/^threads/invariant take\n&/' $trace >invariant.trace
expect_error 'an invariant of a stranger' 'asks for --invariant take.*replay --trust hits.c' "$HEDDLE" replay hits.c invariant.trace

# Checkpoints.
cp "$ROOT/tests/litmus/correct/counter.c" right.c
quietly check -q --strategy brute --executions 1 --checkpoint mine right.c
if [ -s mine ]; then pass 'a checkpoint'; else fail 'a checkpoint' "$(first_lines "$tmp/err")"; fi
cp mine theirs
head -c 32 /dev/zero >"$HOME/.config/heddle/key"
expect_error "a stranger's checkpoint" 'not made by this user.*--trust' \
    "$HEDDLE" check -q --strategy brute --resume theirs right.c
quietly check -q --strategy brute --resume theirs --trust right.c
status=$?
if [ "$status" = 0 ]; then pass 'with --trust'; else fail 'with --trust' "status $status $(first_lines "$tmp/err")"; fi
cp "$tmp/key" "$HOME/.config/heddle/key"
quietly check -q --strategy brute --resume mine right.c
status=$?
if [ "$status" = 0 ]; then pass 'my own checkpoint'; else fail 'my own checkpoint' "status $status $(first_lines "$tmp/err")"; fi
expect_error '--trust alone' '--resume' "$HEDDLE" check --trust right.c

# A program names the files that are quoted (#line).  A report quotes sources, and nothing else that the user can read.
mkdir -p "$tmp/quoted" && cd "$tmp/quoted" || exit 2
echo 'a password of mine' >secret
echo 'a rule of the grammar' >grammar.y
ln -s secret link.c
for name in secret link.c grammar.y "$PWD/secret"; do
    cat >program.c <<C
#include <assert.h>
#include <pthread.h>
static int x;
static void *run(void *unused)
{
#line 1 "$name"
    x++; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x++;
    pthread_join(t, 0);
}
C
    "$HEDDLE" check --html report.html program.c >text 2>err
    status=$?
    "$HEDDLE" slice --html slice.html program.c "$name:1" >slice 2>err
    "$HEDDLE" slice --warnings program.c >warnings 2>err
    found=$(cat text report.html slice slice.html warnings 2>/dev/null | grep -c 'a password of mine\|a rule of the grammar')
    case $name in grammar.y) right=$((found > 0)) ;; *) right=$((found == 0)) ;; esac
    if [ "$status" = 1 ] && [ $right = 1 ]; then pass "quoted: ${name#"$PWD"}"; else
        fail "quoted: ${name#"$PWD"}" "status $status, $found lines"; fi
done
