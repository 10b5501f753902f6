#!/bin/bash
# The cache of objects and programs: what is the same is not made again, and whatever makes a difference is.  A stale
# object would be a wrong verdict, so most cases change one thing and look at what the program then is.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export HEDDLE_CACHE=$tmp/store HEDDLE_CACHE_LOG=$tmp/log
unset HEDDLE_CACHE_SIZE

# Small sources in C are compiled each time.
pad() {
    local f
    for f in *.c; do [ ! -f "$f" ] || [ "$(stat -c %s "$f")" -ge 16384 ] || printf '\n/*%16384s*/\n' '' >>"$f"; done
}

# log_of COMMAND...: runs it; what the cache said is in $tmp/log.
log_of() {
    pad
    : >"$tmp/log"
    timeout "$LIMIT" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
}

# said NAME LINE...: these lines are the log, whatever the program is called.
said() {
    local name=$1 want got
    shift
    want=$(printf '%s\n' "$@")
    got=$(sed 's/^program [^:]*:/program:/' "$tmp/log")
    if [ "$got" = "$want" ]; then pass "$name"; else
        fail "$name" "the log is '${got//$'\n'/|}' instead of '${want//$'\n'/|}' $(first_lines "$tmp/err")"; fi
}

# is NAME STATUS COMMAND...: its exit status.
is() {
    local name=$1 want=$2 status
    shift 2
    log_of "$@"
    status=$?
    if [ "$status" = "$want" ]; then pass "$name"; else
        fail "$name" "exit status $status instead of $want $(first_lines "$tmp/err") $(tr '\n' '|' <"$tmp/log")"; fi
}

# answers NAME TEXT OPTION...: the program that is made with these options prints the text.
answers() {
    local name=$1 want=$2 got
    shift 2
    rm -f prog
    log_of "$HEDDLE" cc -o prog "$@"
    got=$(./prog 2>&1)
    if [ "$got" = "$want" ]; then pass "$name"; else
        fail "$name" "prints '$got' instead of '$want' $(first_lines "$tmp/err") $(tr '\n' '|' <"$tmp/log")"; fi
}

cat >hits.c <<'EOC'
#include "lock.h"
#include <assert.h>
#include <pthread.h>
static int hits;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *visit(void *unused)
{
    if (LOCKED)
        pthread_mutex_lock(&m);
    hits++;
    if (LOCKED)
        pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits == 2);
}
EOC
verdict=("$HEDDLE" check -q --require-verified)

# --- what is the same is found
echo '#define LOCKED 0' >lock.h
is 'a program with a bug' 1 "${verdict[@]}" hits.c
said 'the first check stores' 'object hits.c: stored' 'program: stored'
is 'the same again' 1 "${verdict[@]}" hits.c
said 'the second check finds' 'object hits.c: found' 'program: found'
is 'replay after check' 1 "$HEDDLE" replay -q hits.c heddle-traces/hits-assertion-1.trace
said 'replay finds what check made' 'object hits.c: found' 'program: found'
"$HEDDLE" cc -o with hits.c
HEDDLE_CACHE=off "$HEDDLE" cc -o without hits.c
if cmp -s with without; then pass 'the program is the same without a cache'; else fail 'the program is the same without a cache' differ; fi
HEDDLE_CACHE=off log_of "$HEDDLE" cc -o without hits.c
said 'off' ''

mkdir small
printf '#include "word.h"\nint puts(const char *);\nint main(void) { puts(WORD); }\n' >small/small.c
for word in one two one; do
    echo "#define WORD \"$word\"" >small/word.h
    answers "a small file: $word" $word small/small.c
done
said 'its program is found' 'object small/small.c: small' 'program: found'

# --- what makes a difference
touch -d 2020-01-01 lock.h
cp -p lock.h old.h
echo '#define LOCKED 1' >lock.h
touch -r old.h lock.h
is 'a header of the same size and time' 0 "${verdict[@]}" hits.c
is 'the header as it was' 1 bash -c 'cp -p old.h lock.h && "$@"' - "${verdict[@]}" hits.c
said 'the old object is found' 'object hits.c: found' 'program: found'
: >lock.h
is '-D' 1 "${verdict[@]}" --cc-flags -DLOCKED=0 hits.c
is 'another -D' 0 "${verdict[@]}" --cc-flags -DLOCKED=1 hits.c

cat >say.c <<'EOC'
#include "word.h"
#include <stdio.h>
#ifndef WORD
#define WORD "none"
#endif
int main(void) { printf("%s %s\n", (char)-1 < 0 ? "signed" : "unsigned", WORD); }
EOC
mkdir a b c
echo '#define WORD "b"' >b/word.h
answers 'a header' 'signed b' -Ia -Ib say.c
answers 'an option' 'unsigned b' -Ia -Ib -funsigned-char say.c
echo '#define WORD "a"' >a/word.h
answers 'a header that newly hides another one' 'signed a' -Ia -Ib say.c
answers 'the order of directories' 'signed b' -Ib -Ia say.c
rm a/word.h
answers 'the hidden header again' 'signed b' -Ia -Ib say.c
echo '#define WORD "c"' >c/word.h
C_INCLUDE_PATH=c answers 'a directory in the environment' 'signed c' say.c
C_INCLUDE_PATH=b answers 'another one' 'signed b' say.c
(mkdir c/d && cd c && cp ../say.c d && answers 'a directory' 'signed c' -I. d/say.c && cp ../b/word.h d/ && cd d && cp ../../say.c . &&
    answers 'another directory' 'signed b' -I. say.c)
cat >has.c <<'EOC'
int puts(const char *);
#if __has_include("extra.h")
int main(void) { puts("has"); }
#else
int main(void) { puts("has not"); }
#endif
EOC
answers '__has_include' 'has not' has.c
touch extra.h
answers '__has_include of a new file' 'has' has.c
echo 'int puts(const char *); int main(void) { puts(__DATE__ " " __TIME__); }' >date.c
SOURCE_DATE_EPOCH=0 answers 'the date of the environment' 'Jan  1 1970 00:00:00' date.c
SOURCE_DATE_EPOCH=1 answers 'another one' 'Jan  1 1970 00:00:01' date.c
log_of "$HEDDLE" cc -Wno-date-time -o first date.c
sleep 1.1
log_of "$HEDDLE" cc -Wno-date-time -o second date.c
if [ "$(./first)" != "$(./second)" ]; then pass '__TIME__ goes on'; else fail '__TIME__ goes on' "$(./first)"; fi
echo 'int puts(const char *); int main(void) { puts(__TIMESTAMP__); }' >stamp.c
pad
touch -d '2001-02-03 04:05:06' stamp.c
answers '__TIMESTAMP__' "$(date -d '2001-02-03 04:05:06' '+%a %b %e %T %Y')" stamp.c
touch -d '2002-02-03 04:05:06' stamp.c
answers '__TIMESTAMP__ of a file that was touched' "$(date -d '2002-02-03 04:05:06' '+%a %b %e %T %Y')" stamp.c

echo '__attribute__((weak)) const char *word(void) { return "one"; }' >one.c
echo '__attribute__((weak)) const char *word(void) { return "two"; }' >two.c
echo 'const char *word(void); int puts(const char *); int main(void) { puts(word()); }' >order.c
answers 'the first definition counts' one order.c one.c two.c
answers 'the order of files' two order.c two.c one.c
: >"$tmp/log"
echo '__attribute__((weak)) const char *word(void) { return "ten"; }' >one.c
answers 'one file of three is edited' ten order.c one.c two.c
said 'the others are found' 'object order.c: found' 'object one.c: stored' 'object two.c: found' 'program: stored'

# Columns and comments are in no preprocessed text.
printf 'int x; int main(void) { x = 1; return x; }\n' >column.c
log_of "$HEDDLE" cc -g -c -o column.o column.c
printf 'int x; int main(void) { x = 1;   return x; }\n' >column.c
log_of "$HEDDLE" cc -g -c -o column.o column.c
said 'blanks within a line' 'object column.c: stored'

# --- what is linked
"$HEDDLE" cc -c -o one.o one.c
ar rcT libthin.a one.o
answers 'a thin archive' ten order.c libthin.a
"$HEDDLE" cc -c -o one.o two.c
answers 'a member of a thin archive' two order.c libthin.a
for word in one two; do
    mkdir lib$word
    echo "const char *word(void) { return \"$word\"; }" >word.c
    "$HEDDLE" cc -c -o word.o word.c
    ar rc lib$word/libword.a word.o
done
mkdir libnone
answers 'a library' two order.c -Llibnone -Llibtwo -lword
cp libone/libword.a libnone
answers 'a library that hides another one' one order.c -Llibnone -Llibtwo -lword
cp libtwo/libword.a libnone
answers 'a library that was replaced' two order.c -Llibnone -Llibtwo -lword
clang-19 -shared -o libnative.so -fPIC -xc - <<<'const char *word(void) { return "native"; }' 2>/dev/null &&
    answers 'a native library' native order.c ./libnative.so -Wl,-rpath,.
cat >bytes.c <<'EOC'
extern const char bytes[];
__asm__(".section .rodata\n.globl bytes\nbytes: .incbin \"bytes.bin\"\n.byte 0\n.text");
int puts(const char *);
int main(void) { puts(bytes); }
EOC
printf old >bytes.bin
answers 'a file that assembly reads' old bytes.c
printf new >bytes.bin
answers 'that file was changed' new bytes.c
log_of "$HEDDLE" cc -o prog order.c one.c
HEDDLE_ANALYSIS=off log_of "$HEDDLE" cc -o prog order.c one.c
said 'another analysis' 'object order.c: stored' 'object one.c: stored' 'program: stored'

# --- warnings, dependencies, options that are not known
echo '#warning look
int main(void) { return 0; }' >warn.c
for i in first second; do
    log_of "$HEDDLE" cc -c warn.c
    if grep -q 'warning: look' "$tmp/err"; then pass "the $i warning"; else fail "the $i warning" "$(first_lines "$tmp/err")"; fi
done
log_of "$HEDDLE" cc -MMD -MP -c -o hits.o hits.c -DLOCKED=1
mv hits.d made.d
log_of "$HEDDLE" cc -MMD -MP -c -o hits.o hits.c -DLOCKED=1
said 'an object with dependencies' 'object hits.c: found'
if cmp -s hits.d made.d && grep -q '^hits.o: hits.c lock.h' hits.d; then pass 'its dependencies'; else fail 'its dependencies' "$(cat hits.d)"; fi
log_of "$HEDDLE" cc -MMD -MP -c -o other.o hits.c -DLOCKED=1
if grep -q '^other.o: ' other.d; then pass 'dependencies of another output'; else fail 'dependencies of another output' "$(cat other.d)"; fi
log_of "$HEDDLE" cc -Xclang -Rpass=x -c hits.c -DLOCKED=1
said 'an option that is not known' 'object hits.c: not cached, because of -Xclang'

# --- a source that changes between the preprocessor and the compiler
cat >clang.c <<EOC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-c") == 0 && getenv("EDIT"))
            system(getenv("EDIT"));
    argv[0] = "$(command -v clang-19 || command -v clang)";
    execv(argv[0], argv);
    return 127;
}
EOC
"${CC_NATIVE:-cc}" -o clang clang.c
export HEDDLE_CLANG=$tmp/clang
echo '#define LOCKED 0' >lock.h
EDIT='echo "#define LOCKED 1" >lock.h' log_of "$HEDDLE" cc -o prog hits.c
said 'an edit while clang runs' 'object hits.c: not cached: a file has changed' 'program: stored'
echo '#define LOCKED 0' >lock.h
is 'the source of before' 1 "${verdict[@]}" hits.c
EDIT='echo "#define WORD \"hidden\"" >a/word.h' log_of "$HEDDLE" cc -Ia -Ib -o prog say.c
rm a/word.h
answers 'a header that was there for a while' 'signed b' -Ia -Ib say.c
printf '#!/bin/sh\nexec clang-19 "$@"\n' >clang.sh
chmod +x clang.sh
HEDDLE_CLANG=$tmp/clang.sh log_of "$HEDDLE" cc -o prog hits.c
said 'a script in the place of clang' 'nothing is cached: clang is no program of its own, or the environment makes it write more files'
unset HEDDLE_CLANG

# --- another heddle
mkdir -p own/bin own/lib
cp "$HEDDLE" own/bin/heddle
cp -r "$(dirname "$HEDDLE")/../lib/heddle" own/lib/heddle
cp -r "$ROOT/include" own/include
log_of own/bin/heddle cc -o prog hits.c
log_of own/bin/heddle cc -o prog hits.c
said 'a copy of heddle' 'object hits.c: found' 'program: found'
cp "$HEDDLE" own/bin/heddle.new
mv own/bin/heddle.new own/bin/heddle
log_of own/bin/heddle cc -o prog hits.c
said 'heddle was replaced' 'object hits.c: stored' 'program: stored'
touch own/lib/heddle/libheddle_rt.a
log_of own/bin/heddle cc -o prog hits.c
said 'its runtime was replaced' 'object hits.c: stored' 'program: stored'

# --- entries that are damaged
damage() {
    log_of "$HEDDLE" cc -o prog hits.c
    for f in store/*; do "$@" "$f"; done
    log_of "$HEDDLE" cc -o again hits.c
    said "damaged: $1" 'object hits.c: stored' 'program: stored'
    if cmp -s prog again; then pass "damaged: $1: the program"; else fail "damaged: $1: the program" differs; fi
}
flip() { python3 -c 'import sys
with open(sys.argv[1], "r+b") as f:
    middle = f.seek(0, 2) // 2
    f.seek(middle)
    byte = f.read(1)[0]
    f.seek(middle)
    f.write(bytes([byte ^ 255]))' "$1"; }
cut_off() { truncate -s -1 "$1"; }
empty() { : >"$1"; }
lengthen() { echo >>"$1"; }
link_away() { mv "$1" "$tmp/away" && ln -s "$tmp/away" "$1"; }
rm -rf store
for how in flip cut_off empty lengthen link_away; do damage $how; done
log_of "$HEDDLE" cc -o prog hits.c
for f in store/*; do cp "$f" "$tmp/one" && break; done
for f in store/*; do cp "$tmp/one" "$f"; done
log_of "$HEDDLE" cc -o again hits.c
if cmp -s prog again && grep -q stored "$tmp/log"; then pass 'an entry under the name of another one'; else fail 'an entry under the name of another one' "$(cat "$tmp/log")"; fi

# --- several at a time; killed
rm -rf store
for i in 1 2 3 4; do "$HEDDLE" cc -o with$i hits.c & done
wait
for i in 1 2 3 4; do
    if cmp -s prog with$i; then pass "four at a time, $i"; else fail "four at a time, $i" 'another program'; fi
done
for i in 1 2 3 4 5 6; do
    rm -rf store
    "$HEDDLE" cc -o killed hits.c 2>/dev/null &
    while kill -0 $! 2>/dev/null && [ "$(ls store 2>/dev/null | wc -l)" -lt $((i % 3)) ]; do :; done
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    log_of "$HEDDLE" cc -o again hits.c
    if cmp -s prog again; then pass "killed, $i"; else fail "killed, $i" 'another program'; fi
done
touch -d '2 hours ago' store/new-1-2
touch store/new-3-4 store/unrelated
log_of "$HEDDLE" cc -o prog say.c -Ib
if [ ! -e store/new-1-2 ] && [ -e store/new-3-4 ] && [ -e store/unrelated ]; then pass 'what a killed one left is removed'; else
    fail 'what a killed one left is removed' "$(ls store)"; fi

# --- disk full, read-only
cat >shim.c <<'EOC'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int inside(int fd)
{
    char link[40], path[400];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return strstr(path, getenv("HEDDLE_CACHE")) == path;
}
ssize_t write(int fd, const void *bytes, size_t n)
{
    ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (strcmp(getenv("SHIM"), "full") == 0 && inside(fd)) {
        if (n > 1000)
            return next(fd, bytes, n / 2);
        errno = ENOSPC;
        return -1;
    }
    return next(fd, bytes, n);
}
int openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    int (*next)(int, const char *, int, int) = dlsym(RTLD_NEXT, "openat");
    if (strcmp(getenv("SHIM"), "read-only") == 0 && flags & O_CREAT && inside(dir)) {
        errno = EROFS;
        return -1;
    }
    return next(dir, path, flags, mode);
}
EOC
"${CC_NATIVE:-cc}" -shared -fPIC -o shim.so shim.c -ldl
for how in full read-only; do
    rm -rf store
    for i in 1 2; do
        SHIM=$how LD_PRELOAD=$tmp/shim.so log_of "$HEDDLE" cc -o again hits.c
        said "$how, $i" 'object hits.c: not stored' 'program: not stored'
    done
    if cmp -s prog again || "$HEDDLE" cc -o prog hits.c && cmp -s prog again; then pass "$how: the program"; else fail "$how: the program" differs; fi
    if [ -z "$(find store -name 'new-*')" ]; then pass "$how: nothing is left"; else fail "$how: nothing is left" "$(ls store)"; fi
done

# --- bounded
: >lock.h
rm -rf store
export HEDDLE_CACHE_SIZE=100K
"$HEDDLE" cc -c -DLOCKED=1 -o first.o hits.c
for i in 1 2 3 4 5 6 7 8; do
    "$HEDDLE" cc -c -DLOCKED=1 -o first.o hits.c # used again and again
    "$HEDDLE" cc -c -DLOCKED=1 -DN=$i -o other.o hits.c
done
size=$(du -b --exclude=. -c store/* | tail -n 1 | cut -f 1)
if [ "$size" -le 102400 ] && [ "$size" -gt 50000 ]; then pass 'the size is bounded'; else fail 'the size is bounded' "$size bytes"; fi
log_of "$HEDDLE" cc -c -DLOCKED=1 -o first.o hits.c
said 'what is used stays' 'object hits.c: found'
log_of "$HEDDLE" cc -c -DLOCKED=1 -DN=1 -o other.o hits.c
said 'what is not used goes' 'object hits.c: stored'
unset HEDDLE_CACHE_SIZE

# --- the folder
if [ "$(stat -c %a store)" = 700 ]; then pass 'the folder is private'; else fail 'the folder is private' "$(stat -c %a store)"; fi
chmod 750 store
expect_error 'a folder that others can enter' "HEDDLE_CACHE: $tmp/store is open to others: chmod 700" "$HEDDLE" cc -c -DLOCKED=1 hits.c
chmod 700 store
if chown 1 store 2>/dev/null; then
    expect_error 'a folder of another user' "$tmp/store belongs to another user" "$HEDDLE" cc -c -DLOCKED=1 hits.c
    chown "$(id -u)" store
fi
HEDDLE_CACHE=store expect_error 'a relative folder' "HEDDLE_CACHE is .store': give the whole path" "$HEDDLE" cc -c hits.c
HEDDLE_CACHE=$tmp/hits.c expect_error 'a file' 'HEDDLE_CACHE: .*hits.c cannot be opened' "$HEDDLE" cc -c hits.c
for size in 0 -1 1.5G many 10X 99999999999999999999 99999999999G 1KB; do
    HEDDLE_CACHE_SIZE=$size expect_error "a size of $size" "HEDDLE_CACHE_SIZE is .$size': give a number" "$HEDDLE" cc -c hits.c
done
HEDDLE_CACHE_LOG=$tmp/none/log expect_error 'a log that cannot be written' 'HEDDLE_CACHE_LOG: ' "$HEDDLE" cc -c hits.c
unset HEDDLE_CACHE XDG_CACHE_HOME
mkdir -p home/.cache
chmod 755 home/.cache
HOME=$tmp/home log_of "$HEDDLE" cc -c -DLOCKED=1 hits.c
if [ "$(stat -c %a home/.cache/heddle)" = 700 ] && grep -q 'hits.c: stored' log; then pass '~/.cache/heddle'; else fail '~/.cache/heddle' "$(cat log)"; fi
chmod 777 home/.cache/heddle
HOME=$tmp/home is 'the usual folder is open to others' 0 "$HEDDLE" cc -c -DLOCKED=1 hits.c
if [ "$(cat err)" = "heddle: the cache is not used: $tmp/home/.cache/heddle is open to others: chmod 700 it (HEDDLE_CACHE names another folder, or off)" ] &&
    [ ! -s log ]; then pass 'that is noted'; else fail 'that is noted' "$(cat err log)"; fi
HOME=/nonexistent is 'no place for a cache' 0 "$HEDDLE" cc -c -DLOCKED=1 hits.c
if [ ! -s err ]; then pass 'which is no news'; else fail 'which is no news' "$(cat err)"; fi
XDG_CACHE_HOME=$tmp/xdg log_of "$HEDDLE" cc -c -DLOCKED=1 hits.c
if [ -d xdg/heddle ]; then pass 'XDG_CACHE_HOME'; else fail 'XDG_CACHE_HOME' "$(ls)"; fi
