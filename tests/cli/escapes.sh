#!/bin/bash
# Names, messages, output and sources of a program cannot act on a terminal or forge a line.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export HOME=$tmp

# Names of a file (#line), a variable and a function (asm labels), a message, output and the source line
# itself hold escapes, a line end, bytes that are no UTF-8 and a character that turns the text around.
cat >evil.cc <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) throw() __attribute__((noreturn));
int hits __asm__("hi\033[31m\nFORGED");
static void *visit(void *unused) __asm__("vi\033[32m\r\nFORGED");
static void *visit(void *unused)
{
    hits++;
    printf("out \033]0;PWNED\007\xc2\x9b\xff\nFORGED?\n");
    return unused;
}
#line 7 "ev\033[31mil\nFORGED \xe2\x80\xae.c"
int main()
{
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (hits != 2)
        __assert_fail("no\033[1m\nFORGED", "fi\033[2mle\nFORGED", 3, "fu\033[3mn\nFORGED");
}
C
# Raw ones in a comment of the source as well: a title, and a C1 control in UTF-8.
sed -i "s,    hits++;,    /* $(printf '\033]0;PWNED\007\302\233') */ hits++;," evil.cc

# clean NAME FILE: no control character but tab and line end, valid UTF-8, no line begins with FORGED, nothing turns round.
clean() {
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$2"; then fail "$1" "$(LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]' "$2" | head -n 2 | cat -v)"
    elif ! iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1; then fail "$1" 'no UTF-8'
    elif grep -q '^FORGED[^?]' "$2"; then fail "$1" 'a forged line'
    elif LC_ALL=C grep -qP '\xe2\x80\xae|\xc2\x9b' "$2"; then fail "$1" 'a character that acts on the text'
    else pass "$1"; fi
}

"$HEDDLE" check -v --html page.html --json json --sarif sarif --junit junit --github evil.cc >text 2>err
status=$?
[ "$status" = 1 ] && pass 'it is broken' || fail 'it is broken' "status $status $(first_lines err)"
clean 'text' text
clean 'stderr' err
clean 'HTML' page.html
clean 'JSON' json
clean 'SARIF' sarif
clean 'JUnit' junit
jq -e . json >/dev/null && jq -e . sarif >/dev/null && pass 'JSON can be read' || fail 'JSON can be read' "$(first_lines json)"
if grep -q 'FORGED' text; then pass 'shown with escapes'; else fail 'shown with escapes' "$(first_lines text)"; fi
trace=$(jq -r '.violations[0].trace' json)
clean 'the trace' "$trace"
"$HEDDLE" replay evil.cc "$trace" >text 2>err
status=$?
[ "$status" = 1 ] && pass 'it replays' || fail 'it replays' "status $status $(first_lines err)"
clean 'replay' text
grep -q '| out \\x1b]0;PWNED' text && pass 'output with escapes' || fail 'output with escapes' "$(grep -a '|' text | head -n 2 | cat -v)"
script -qec "'$HEDDLE' replay evil.cc '$trace'" /dev/null </dev/null 2>/dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >tty
grep -qF 'out \x1b]0;PWNED' tty && clean 'on a terminal' tty || fail 'on a terminal' "$(first_lines tty)"
"$HEDDLE" slice --warnings evil.cc >text 2>err
clean 'warnings' text
"$HEDDLE" slice evil.cc visit >text 2>err
clean 'slice' text
clean 'slice: stderr' err
printf 'evil.cc:9: warning: data race \033[31m here\rFORGED\n' >warnings
"$HEDDLE" confirm --time 5s evil.cc warnings >text 2>err
clean 'confirm' text
grep -q 'data race \\x1b\[31m here' text && pass 'warnings with escapes' || fail 'warnings with escapes' "$(first_lines text)"
cp evil.cc "$(printf 'a\033[31m.cc')"
"$HEDDLE" check "$(printf 'a\033[31m.cc')" >text 2>err
clean 'the name of a file' text
"$HEDDLE" check "$(printf 'none\033[31m\n.c')" >text 2>err
clean 'an error' err
