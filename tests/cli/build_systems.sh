#!/bin/bash
# Projects as they are: configure and make, CMake and ctest, Meson, pkg-config.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$(cd "$(dirname "$HEDDLE")/.." && pwd)
cd "$tmp" || exit 2

step() {
    local name=$1
    shift
    if timeout "$LIMIT" "$@" >out 2>err </dev/null; then
        pass "$name"
    else
        fail "$name" "$(first_lines err) $(tail -n 3 out | tr '\n' '|')"
    fi
}

# A counter that forgets its lock when SAFE is not defined; in a library, with a test.
mkdir project project/src
cat >project/src/count.h <<'EOF'
void count(void);
int counted(void);
EOF
cat >project/src/count.c <<'EOF'
#include "count.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
void count(void)
{
#ifdef SAFE
    pthread_mutex_lock(&lock);
#endif
    n++;
#ifdef SAFE
    pthread_mutex_unlock(&lock);
#endif
}
int counted(void) { (void)lock; return n; }
EOF
cat >project/src/test.c <<'EOF'
#include "count.h"
#include <pthread.h>
static void *work(void *unused) { count(); return unused; }
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    if (argc == 1)
        count();
    pthread_join(other, 0);
    return counted() != (argc == 1 ? 2 : 1);
}
EOF
cat >project/src/test.cpp <<'EOF'
extern "C" {
#include "count.h"
}
#include <cassert>
#include <thread>
int main()
{
    std::thread other(count);
    count();
    other.join();
    assert(counted() == 2);
}
EOF

# What scripts made by autoconf do: look at what the compiler makes, run it, believe its status.
cat >project/configure <<'EOF'
#!/bin/sh
set -e
: "${CC:=cc}"
probe() { # NAME FLAGS: conftest.c compiles, links, runs
    rm -f conftest
    $CC $CFLAGS -o conftest conftest.c $2 >>config.log 2>&1 && ./conftest >conftest.out ||
        { echo "checking $1... no"; return 1; }
    echo "checking $1... yes"
}
echo 'int main(void) { return 0; }' >conftest.c
$CC conftest.c -o conftest
[ -x conftest ] && ./conftest || { echo 'cannot run what it makes' >&2; exit 1; }
$CC -c conftest.c && [ -s conftest.o ]
echo 'int main(void) { return 3; }' >conftest.c
! probe 'that a program may fail'
printf '#include <stdio.h>\nint main(void) { printf("%%d", (int)sizeof(long)); return 0; }\n' >conftest.c
probe 'size of long' && [ "$(cat conftest.out)" = 8 ]
printf '#include <math.h>\nint main(int n, char **v) { (void)v; return pow(n, 2) != 1; }\n' >conftest.c
probe 'pow in -lm' -lm
printf 'int no_such_function(void);\nint main(void) { return no_such_function(); }\n' >conftest.c
! probe 'a function that is nowhere'
printf '#include <no_such_header.h>\n' >conftest.c
! $CC -E conftest.c >/dev/null 2>&1
printf '#include <pthread.h>\nstatic void *f(void *a) { return a; }\nint main(void) { pthread_t t;\n return pthread_create(&t, 0, f, 0) || pthread_join(t, 0); }\n' >conftest.c
probe 'threads' -pthread
printf '#ifndef __clang__\n#error\n#endif\nint main(void) { return 0; }\n' >conftest.c
probe 'clang'
sed "s|@CC@|$CC|; s|@CFLAGS@|$CFLAGS|" Makefile.in >Makefile
EOF
chmod +x project/configure
cat >project/Makefile.in <<'EOF'
CC = @CC@
CFLAGS = @CFLAGS@
test: src/test.o libcount.a
	$(CC) -o $@ src/test.o -L. -lcount -pthread
libcount.a: src/count.o
	ar rcs $@ src/count.o
EOF
for safe in '' -DSAFE; do
    cp -r project "configured$safe"
    cd "configured$safe" || exit 2
    step "configure $safe" env CC="$HEDDLE cc" CFLAGS="-O2 -g $safe" ./configure
    step "make $safe" make
    step "run by hand $safe" ./test
    expected='violation abort'
    [ "$safe" ] && expected=verified
    check_program "configured $safe" "$expected" '' '' ./test
    cd ..
done

cat >project/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.16)
project(count C CXX)
enable_testing()
find_package(heddle 0.1 REQUIRED)
find_package(Threads REQUIRED)
add_library(count STATIC src/count.c)
target_compile_definitions(count PRIVATE $<$<BOOL:${SAFE}>:SAFE>)
target_link_libraries(count PUBLIC Threads::Threads)
add_executable(test_c src/test.c)
target_link_libraries(test_c count)
add_executable(test_cxx src/test.cpp)
target_link_libraries(test_cxx count)
heddle_add_test(NAME c TARGET test_c)
heddle_add_test(NAME alone TARGET test_c ARGS alone OPTIONS --require-verified)
heddle_add_test(NAME cxx TARGET test_cxx)
heddle_add_test(NAME sources SOURCES src/test.c src/count.c OPTIONS --cc-flags -DSAFE)
EOF
passing() { sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([a-z]*\) .* Passed .*/\1/p' | sort | tr '\n' ' '; }
for safe in '' 1; do
    step "cmake SAFE=$safe" cmake -G Ninja -S project -B "cmake$safe" -DSAFE=$safe \
        -DCMAKE_C_COMPILER="$prefix/bin/heddle-cc" -DCMAKE_CXX_COMPILER="$prefix/bin/heddle-c++" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug
    step "cmake --build SAFE=$safe" cmake --build "cmake$safe"
    got=$(cd "cmake$safe" && timeout "$LIMIT" ctest 2>&1 | passing)
    expected='alone sources '
    [ "$safe" ] && expected='alone c cxx sources '
    if [ "$got" = "$expected" ]; then
        pass "ctest SAFE=$safe"
    else
        fail "ctest SAFE=$safe" "passed: '$got' instead of '$expected'"
    fi
done
step 'cmake with CC="heddle cc"' env CC="$prefix/bin/heddle cc" CXX="$prefix/bin/heddle c++" \
    cmake -G Ninja -S project -B cmake-env -DSAFE=-DSAFE -DCMAKE_PREFIX_PATH="$prefix"
step 'cmake --build with CC="heddle cc"' cmake --build cmake-env --target test_c
step 'ctest with CC="heddle cc"' ctest --test-dir cmake-env -R '^c$'
if cmake -S project -B other -DCMAKE_PREFIX_PATH="$prefix" >out 2>err </dev/null; then
    fail 'heddle_add_test with another compiler' 'is accepted'
elif tr '\n' ' ' <err | grep -q 'not compiled for *heddle: *configure with'; then
    pass 'heddle_add_test with another compiler'
else
    fail 'heddle_add_test with another compiler' "$(first_lines err)"
fi

cat >project/meson.build <<'EOF'
project('count', 'c', 'cpp', default_options: ['warning_level=2'])
threads = dependency('threads')
heddle = dependency('heddle', native: true)
count = static_library('count', 'src/count.c')
test_c = executable('test_c', 'src/test.c', link_with: count, dependencies: threads)
executable('test_cxx', 'src/test.cpp', link_with: count, dependencies: threads)
test('c', find_program(heddle.get_variable('heddle')), args: ['check', '-q', test_c])
EOF
export PKG_CONFIG_PATH=$prefix/share/pkgconfig
step 'meson setup' env CC="$prefix/bin/heddle-cc" CXX="$prefix/bin/heddle-c++" \
    meson setup mesonic project -Dc_args=-DSAFE
step 'meson compile' ninja -C mesonic
step 'meson test' meson test -C mesonic
check_program 'meson, C' verified '' '' mesonic/test_c
check_program 'meson, C++' verified '' '' mesonic/test_cxx
step 'pkg-config' test "$(pkg-config --variable=cc heddle)" -ef "$prefix/bin/heddle-cc"
step 'pkg-config: heddle.h' test -e "$(pkg-config --cflags-only-I heddle | sed 's/^-I//; s/ *$//')/heddle.h"
