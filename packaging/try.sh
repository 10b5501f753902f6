#!/bin/bash
# Installs the Debian package, tries it from another directory, removes it: packaging/try.sh PACKAGE.  Needs
# root.  Prints `ok NAME` or `not ok NAME: why` per case.
set -u
package=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
try() {
    local name=$1
    shift
    if "$@" >"$tmp/out" 2>&1; then echo "ok $name"; else
        echo "not ok $name: $(head -c 300 "$tmp/out" | tr '\n' '|')"
        status=1
    fi
}
breaks() { "$@"; [ $? = 1 ]; }

if command -v lintian >/dev/null; then
    try 'lintian has nothing to say' sh -c '! lintian --allow-root "$0" 2>&1 | grep "^[EW]:"' "$package"
fi
try 'installs' dpkg -i "$package"
cd "$tmp" || exit 2
cp "$root/tests/bugs/lost_update.c" "$root/tests/bugs/lost_update-fixed.c" .
try 'is in the path' test "$(command -v heddle)" = /usr/bin/heddle
try 'version, with LLVM'\''s' sh -c '/usr/bin/heddle --version | grep -E "^heddle [0-9.]+ \(LLVM 19"'
try 'finds a bug' breaks /usr/bin/heddle check -q --html report.html lost_update.c
try 'writes the report' grep -q '</html>' report.html
try 'verifies the repair' /usr/bin/heddle check -q --require-verified lost_update-fixed.c
try 'compiles' /usr/bin/heddle cc -o program lost_update.c
try 'checks a program' breaks /usr/bin/heddle check -q program
for page in /usr/share/man/man1/heddle*.1.gz; do
    try "manual $(basename "$page")" gzip -t "$page"
done
try 'bash completion' bash -c '. /usr/share/bash-completion/completions/heddle
    COMP_WORDS=(heddle check --req); COMP_CWORD=2; _heddle; [ "${COMPREPLY[*]}" = --require-verified ]'
try 'bash completion of commands' bash -c '. /usr/share/bash-completion/completions/heddle
    COMP_WORDS=(heddle repl); COMP_CWORD=1; _heddle; [ "${COMPREPLY[*]}" = replay ]'
try 'bash completion of values' bash -c '. /usr/share/bash-completion/completions/heddle
    COMP_WORDS=(heddle check --memory r); COMP_CWORD=3; _heddle; [ "${COMPREPLY[*]}" = rc11 ]'
try 'zsh and fish completions are there' ls /usr/share/zsh/vendor-completions/_heddle \
    /usr/share/fish/vendor_completions.d/heddle.fish
try 'is removed' dpkg -r heddle
try 'leaves nothing behind' test ! -e /usr/bin/heddle -a ! -e /usr/lib/heddle
exit $status
