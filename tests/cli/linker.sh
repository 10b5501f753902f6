#!/bin/bash
# The native linker is started without clang, with the words that clang would have given it.  These are kept, and a
# kept command line must not survive what clang's own choice depends on.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export HEDDLE_CACHE=$tmp/store

cat >ok.c <<'EOC'
#include <math.h>
#include <pthread.h>
static void *run(void *p) { return p; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, run, argv);
    pthread_join(t, 0);
    return sqrt((double)argc) != 1.0;
}
EOC
cat >ok.cc <<'EOC'
#include <thread>
int main() { std::thread([] {}).join(); }
EOC

# note NAME: a linker of that name in bin/ that notes its arguments and who has started it, and links.
real=$(command -v ld)
mkdir bin bare
note() {
    { printf '#!/bin/sh\nfor a in "$@"; do echo "$a"; done >%s/arguments\n' "$tmp"
      printf 'cat /proc/$PPID/comm >%s/parent\nexec %s "$@"\n' "$tmp" "$real"; } >"bin/$1"
    chmod +x "bin/$1"
}
sleep 2.1 # a directory that has just changed may change again within the same tick of its clock

# link COMMAND...: with bin/ first on PATH.
link() { rm -f parent arguments prog; PATH=$tmp/bin:$PATH timeout "$LIMIT" "$@" >out 2>err </dev/null; }
# by NAME PROCESS COMMAND...: it works, and that process, if any, has started the linker of bin/.
by() {
    local name=$1 want=$2 got
    shift 2
    link "$@" || { fail "$name" "$(first_lines err)"; return; }
    got=$(cat parent 2>/dev/null)
    case $got in
    "$want"*) pass "$name" ;;
    *) fail "$name" "the linker of bin/ was started by '$got' instead of '$want'" ;;
    esac
}

by 'the usual linker' '' "$HEDDLE" cc -o prog ok.c -lm
by 'the usual linker again' '' "$HEDDLE" cc -o prog ok.c -lm
if [ ! -e parent ]; then pass 'nothing else is in the way'; else fail 'nothing else is in the way' "$(cat parent)"; fi
note ld
by 'a new linker earlier on PATH, though the command line was kept' heddle "$HEDDLE" cc -o prog ok.c -lm
HEDDLE_CACHE=off by 'without a cache' heddle "$HEDDLE" cc -o prog ok.c -lm
by 'C++' heddle "$HEDDLE" c++ -o prog ok.cc
if grep -qx -- -lstdc++ arguments; then pass 'has its library'; else fail 'has its library' "$(tr '\n' ' ' <arguments)"; fi
note ld.bfd
by 'an option that names the linker is for clang' clang "$HEDDLE" cc -fuse-ld=bfd -o prog ok.c -lm
by 'and so is one that heddle does not know to pass on' clang "$HEDDLE" cc -static-libgcc -o prog ok.c -lm

# The words, as clang gives them: the same link by clang, which is asked for it by an option without effect.
same() {
    local name=$1
    shift
    link "$HEDDLE" "$@" -o prog && sed 's,/heddle\.[^/]*/,/,' arguments >own && link "$HEDDLE" "$@" -B. -o prog &&
        sed 's,/heddle\.[^/]*/,/,' arguments >clangs
    if [ -s own ] && cmp -s own clangs; then pass "$name"; else fail "$name" "$(diff own clangs | tr '\n' '|') $(first_lines err)"; fi
}
same 'the same words in C' cc ok.c -lm
same 'in C++' c++ ok.cc
same 'C++ by its extension' cc ok.cc -lstdc++ -lm
same 'with options for the linker' cc ok.c -L. -L"$tmp/bare" -Wl,-rpath,/x,--as-needed -lm -Xlinker --no-undefined -z lazy -pthread
LIBRARY_PATH=$tmp/bare same 'with LIBRARY_PATH' cc ok.c -lm
same 'without it' cc ok.c -lm

rm bin/ld
by 'the linker is gone again' '' "$HEDDLE" cc -o prog ok.c -lm
if [ ! -e parent ]; then pass 'another one is used'; else fail 'another one is used' "$(cat parent)"; fi
ln -s "$(command -v clang-19 || command -v clang)" bare/
expect_error 'no linker at all' 'the linker ld is missing: install the package binutils' env "PATH=$tmp/bare" "$HEDDLE" cc -o prog ok.c -lm
printf 'void nowhere(void);\nint main(void) { nowhere(); }\n' >nowhere.c
expect_error 'a symbol that nobody defines' 'undefined symbol: nowhere' "$HEDDLE" cc -o prog nowhere.c

# clang is asked once, and again if it is another clang.
cat >clang.c <<EOC
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    FILE *file = fopen("$tmp/asked", "a");
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-###") == 0)
            fputs("asked\n", file);
    fclose(file);
    argv[0] = "$(command -v clang-19 || command -v clang)";
    return execv(argv[0], argv);
}
EOC
mkdir -p llvm/bin
"${CC_NATIVE:-cc}" -o llvm/bin/clang clang.c || fail 'the compiler for this test' 'clang.c'
cp llvm/bin/clang clang.new
sleep 2.1
export HEDDLE_CLANG=$tmp/llvm/bin/clang
asked() {
    : >asked
    link "$HEDDLE" cc -o prog ok.c -lm
    if [ -x prog ] && [ "$(wc -l <asked)" = "$2" ]; then pass "$1"; else fail "$1" "asked $(wc -l <asked) times $(first_lines err)"; fi
}
asked 'clang is asked for the words' 1
asked 'once' 0
touch bin/something
asked 'again after a change on PATH' 1
sleep 2.1
asked 'which is too new to be trusted' 1
asked 'at first' 0
mv clang.new llvm/bin/clang
asked 'another clang of the same place' 1
HEDDLE_CACHE=off asked 'without a cache, each time' 1
