# Sourced by run.sh: what the link step takes, and from where.
cd "$tmp" || exit 2
mkdir -p one two
cat >main.c <<'EOF'
int f(void), g(void);
int main(void) { return !(f() == 1 && g() == 2); }
EOF
echo 'int f(void) { return 1; }' >f.c
echo 'int helper(void); int g(void) { return helper() + 1; }' >g.c
echo 'int helper(void) { return 1; }' >helper.c
echo 'int nowhere(void); int unused(void) { return nowhere(); }' >unused.c
for unit in main f g helper unused; do
    "${cc[@]}" -c "$unit.c" || fail "compile $unit" "failed"
done

# ar itself, whatever its plugins may say of bitcode.
archive() { ar "$@" >/dev/null 2>&1; }

# runs NAME ARGUMENTS...: the link succeeds and the program exits with 0.
runs() {
    local name=$1
    shift
    rm -f program
    if ! "${cc[@]}" -o program "$@" >err 2>&1; then
        fail "$name" "$(first_lines err)"
    elif ! ./program >out 2>err; then
        fail "$name" "exit status $?: $(first_lines err)"
    else
        pass "$name"
    fi
}

is_bitcode() {
    if readelf -SW "$2" | grep -q ' \.heddle '; then pass "$1"; else fail "$1" "$2 has no bitcode"; fi
}
is_bitcode 'objects carry bitcode' main.o

runs 'objects' main.o f.o g.o helper.o
archive rcs libfg.a f.o g.o unused.o helper.o
runs 'archive: only what is wanted' main.o libfg.a
runs 'archive before its user' libfg.a main.o
archive rcS libnoindex.a f.o g.o unused.o helper.o
runs 'archive without index' main.o libnoindex.a
archive rcsT libthin.a f.o g.o unused.o helper.o
runs 'thin archive' main.o libthin.a
cp f.o a_very_long_member_name_indeed.o
archive rcs liblong.a a_very_long_member_name_indeed.o g.o helper.o
runs 'long member names' main.o liblong.a
archive rcs one/libone.a f.o g.o
archive rcs two/libtwo.a helper.o
runs '-l and -L' main.o -Lone -lone -Ltwo -ltwo
runs 'archives that need each other' main.o -Lone -Ltwo -ltwo -lone
clang-19 -c -o native_helper.o helper.c
archive rcs libmixed.a f.o g.o native_helper.o
runs 'mixed archive' main.o libmixed.a
clang-19 -c -o native_g.o g.c
runs 'native object that needs bitcode from an archive' main.o native_g.o libfg.a
runs 'sources and objects together' main.c f.o g.c helper.o
"${cc[@]}" -r -o joined.o f.o g.o helper.o && runs '-r' main.o joined.o
"${cc[@]}" -shared -fPIC -o libshared.so f.c g.c helper.c
runs 'shared object of heddle cc: its bitcode is taken' main.o libshared.so
if readelf -d program | grep -q 'libshared'; then
    fail 'shared object is not needed at run time' "it is: $(readelf -d program | grep shared)"
else
    pass 'shared object is not needed at run time'
fi
runs '-l finds a shared object' main.o -L. -lshared
clang-19 -shared -fPIC -o libnative.so f.c g.c helper.c
runs 'native shared object' main.o ./libnative.so
printf '%s\n' "main.o 'f.o'" 'g.o "helper.o"' >arguments
runs 'response file' @arguments
"${cc[@]}" -MMD -o program main.c f.c g.c helper.c && [ -s main.d ] && grep -q '^main.o: main.c' main.d &&
    pass 'dependencies when linking at once' || fail 'dependencies when linking at once' "main.d"
printf 'int x;\n' | "${cc[@]}" -c -x c -o stdin.o - && is_bitcode 'source on stdin' stdin.o
printf '.globl asm_one\nasm_one: movl $1, %%eax\nret\n.section .note.GNU-stack,"",@progbits\n' >one.s
echo 'int asm_one(void); int main(void) { return asm_one() - 1; }' >asm_main.c
runs 'assembly' asm_main.c one.s

# The build id belongs to the sources, wherever they are compiled.
mkdir -p here there
build_id() { objcopy -O binary --only-section=heddle_info "$1" info && od -An -tx1 -j24 -N16 info; }
cp main.c f.c g.c helper.c here && cp main.c f.c g.c helper.c there
(cd here && "${cc[@]}" -o p main.c f.c g.c helper.c && TMPDIR=$tmp "${cc[@]}" -o p2 main.c f.c g.c helper.c)
(cd there && "${cc[@]}" -O2 -o p main.c f.c g.c helper.c; "${cc[@]}" -o p2 main.c f.c g.c helper.c)
sed -i 's/return 1/return  1 + 0 * 7/' there/helper.c
(cd there && "${cc[@]}" -o p3 main.c f.c g.c helper.c)
a=$(build_id here/p) b=$(build_id here/p2) c=$(build_id there/p2) d=$(build_id there/p3)
if [ -n "$a" ] && [ "$a" = "$b" ] && [ "$a" = "$c" ]; then
    pass 'build id: same sources'
else
    fail 'build id: same sources' "$a, $b, $c"
fi
if [ "$a" != "$d" ]; then pass 'build id: other sources'; else fail 'build id: other sources' "$a"; fi
if cmp -s here/p there/p2; then pass 'same bytes'; else fail 'same bytes' 'executables differ'; fi

expect_error 'two mains' 'main is defined twice: in main.o and in asm_main.c' \
    "${cc[@]}" -o program main.o asm_main.c f.o g.o helper.o
expect_error 'no main' 'no main function: f.o, g.o' "${cc[@]}" -o program f.o g.o helper.o
expect_error 'undefined symbols' 'undefined symbol: nowhere' \
    "${cc[@]}" -o program main.o f.o g.o helper.o unused.o
clang-19 -c -o native_main.o main.c
expect_error 'native main' 'main is in native_main.o, which is native code' \
    "${cc[@]}" -o program native_main.o f.o g.o helper.o
expect_error 'missing file' 'nothere.c: no such file' "${cc[@]}" -c nothere.c
expect_error 'missing library' 'not found by the linker: -lnothere' \
    "${cc[@]}" -o program main.o f.o g.o helper.o -lnothere
expect_error 'static' '-static is not supported' "${cc[@]}" -static -o program main.c
expect_error 'no input' 'no input files' "${cc[@]}" -o program
expect_error 'option without argument' '-o needs an argument' "${cc[@]}" main.c -o
head -c 100 libfg.a >damaged.a
expect_error 'damaged archive' 'damaged.a: not a valid archive' \
    "${cc[@]}" -o program main.o damaged.a

# The compiler underneath.
mkdir -p fake none
printf '#!/bin/sh\necho "Debian clang version 15.0.6"\n' >fake/old-clang
printf '#!/bin/sh\necho "cc (GNU) 19.1.0"\n' >fake/other
chmod +x fake/*
expect_error 'clang: too old' 'fake/old-clang is version 15, but heddle was built with LLVM' \
    env HEDDLE_CLANG=fake/old-clang "${cc[@]}" -c main.c
expect_error 'clang: another compiler' 'fake/other is not a clang' \
    env HEDDLE_CLANG=fake/other "${cc[@]}" -c main.c
expect_error 'clang: no such program' 'HEDDLE_CLANG is fake/nothing, which is no program' \
    env HEDDLE_CLANG=fake/nothing "${cc[@]}" -c main.c
expect_error 'clang: missing' 'clang is missing: install the package clang-' \
    env PATH="$tmp/none" "${cc[@]}" -c main.c
mv root/lib/heddle/libheddle_rt.a kept.a
expect_error 'runtime missing' 'libheddle_rt.a is missing: install heddle again' \
    "${cc[@]}" -o program main.o f.o g.o helper.o
mv kept.a root/lib/heddle/libheddle_rt.a
