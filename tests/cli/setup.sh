#!/bin/bash
# heddle init and heddle doctor: what they write works, and what they miss is missing.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines out) $(first_lines err)"; fi
}

timeout "$LIMIT" "$HEDDLE" init sub/deep >out 2>err
expect_error 'init: a directory without a parent' 'cannot create sub/deep' "$HEDDLE" init sub/deep
timeout "$LIMIT" "$HEDDLE" init new >out 2>err
holds 'init: three files' [ "$(find new -type f | wc -l)" = 3 ]
"$HEDDLE" check -q --require-verified new/test_counter.c >out 2>err
holds 'init: the test is verified' [ $? = 0 ]
"$HEDDLE" check -q -DBUG --json j new/test_counter.c >out 2>err
holds 'init: … and with -DBUG it fails' [ "$(jq -r '.violations[0].kind' j)" = assertion ]
if command -v cmake >/dev/null; then
    cmake -S new -B build -Dheddle_DIR="$(dirname "$HEDDLE")/../lib/cmake/heddle" >out 2>err && ctest --test-dir build >out 2>err
    holds 'init: ctest passes' [ $? = 0 ]
fi
echo mine >new/CMakeLists.txt
rm new/test_counter.c
"$HEDDLE" init new >out 2>err
holds 'init: what is there stays' [ "$(cat new/CMakeLists.txt)" = mine -a -s new/test_counter.c ]
expect_error 'init: nothing to write' 'all files are there' "$HEDDLE" init new
expect_error 'init: two directories' 'one directory' "$HEDDLE" init a b

timeout "$LIMIT" "$HEDDLE" doctor >out 2>err
holds 'doctor: all is there' [ $? = 0 -a "$(grep -c '^missing' out)" = 0 ]
holds 'doctor: it has checked two programs' [ "$(grep -c '^ok  *a check ' out)" = 2 ]
HEDDLE_CLANG=/no/such/clang timeout "$LIMIT" "$HEDDLE" doctor >out 2>err
holds 'doctor: no compiler' [ $? = 2 -a "$(grep -c '^missing  *compiler .*no/such/clang' out)" = 1 ]
mkdir bin
ln -s "$(command -v clang-19)" "$(command -v ld.lld-19 || command -v ld)" bin/
timeout "$LIMIT" env PATH="$tmp/bin" "$HEDDLE" doctor >out 2>err
grep -q '^optional  *gdb  *.*apt install gdb' out
holds 'doctor: no gdb' [ $? = 0 ]
expect_error 'doctor: arguments' 'no arguments' "$HEDDLE" doctor now

# heddle loads LLVM when it compiles, and only then.  Without it a program that was built runs, and a source is refused.
mkdir -p without/bin
ln -s "$(dirname "$HEDDLE")"/../{lib,include} without/
sed 's/libLLVM\(-*[0-9]*\)\.so/libNONE\1.so/g' "$HEDDLE" >without/bin/heddle
chmod +x without/bin/heddle
"$HEDDLE" cc -o built new/test_counter.c
without/bin/heddle check -q built >out 2>err
holds 'without LLVM: a program that was built' [ $? = 0 ]
expect_error 'without LLVM: a source' 'cannot load LLVM.*install' without/bin/heddle check -q new/test_counter.c
expect_error 'without LLVM: the bitcode of a program' 'cannot load LLVM.*install' without/bin/heddle slice built test_counter.c:1
