#!/bin/bash
# What compiling and linking costs beside clang -O1: bench/link.sh.  Prints the rows of a table.
#
# Sources of Debian packages are fetched as for tests/real.  A package that cannot be had or
# configured here has a row that says so.
set -u
export HEDDLE_CACHE=off
cd "$(dirname "$0")/.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
clang=${HEDDLE_CLANG:-clang-19}
here=$PWD/bench/link work=$PWD/${B:-build}/real
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# measured COMMAND...: processor seconds (user and system) and the largest process's megabytes.
measured() {
    /usr/bin/time -f '%U %S %M' -o "$tmp/cost" "$@" >"$tmp/log" 2>&1 || return 1
    tail -n 1 "$tmp/cost" | awk '{ printf "%.2f %d\n", $1 + $2, $3 / 1024 }'
}

# row NAME PROGRAM CLANG_COMPILE CLANG_LINK COMPILE LINK: each of the last four is "SECONDS MB".
row() {
    local numbers
    numbers=$("$HEDDLE" slice --numbers "$2" | jq -r .instructions)
    echo "$3 $4 $5 $6" | awk -v name="$1" -v n="$numbers" '{
        most = $6 > $8 ? $6 : $8
        printf "| %s | %d | %.1f | %.1f | %.1f | %.1f | %d |\n", name, n, $1 + $3, $5, $7, ($5 + $7) / ($1 + $3), most }'
}

failed() { echo "| $1 | not measured: $(head -c 200 "$tmp/log" | tr '\n|' '  ') | | | | | |"; }

# one NAME LANGUAGE "FLAGS" FILE...: compiled and linked by both.
one() {
    local name=$1 mode=$2 flags=$3 own=cc theirs=$clang a b c d
    shift 3
    if [ "$mode" = c++ ]; then own=c++ theirs="$clang --driver-mode=g++"; fi
    rm -rf "$tmp/n" "$tmp/h"
    mkdir "$tmp/n" "$tmp/h"
    # shellcheck disable=SC2086
    a=$(cd "$tmp/n" && measured $theirs -g -O1 -w $flags -c "$@") &&
        b=$(measured $theirs -o "$tmp/n/program" "$tmp"/n/*.o -lpthread -ldl -lm) &&
        c=$(cd "$tmp/h" && measured "$HEDDLE" $own -g -O1 -w $flags -c "$@") &&
        d=$(measured "$HEDDLE" $own -o "$tmp/h/program" "$tmp"/h/*.o -lpthread -ldl -lm) ||
        { failed "$name"; return; }
    row "$name" "$tmp/h/program" "$a" "$b" "$c" "$d"
}

# fetched PACKAGE
fetched() { tools/source.sh "$work" "$1" 2>"$tmp/log"; }

sqlite() {
    local source=$work/sqlite3
    fetched sqlite3 || { failed sqlite; return; }
    [ -e "$source/sqlite3.c" ] || (cd "$source" && ./configure && make sqlite3.c) >"$tmp/log" 2>&1 || { failed sqlite; return; }
    one 'sqlite, two threads' c "-I$source" "$source/sqlite3.c" "$here/sqlite.c"
    one 'lemon' c '' "$source/tool/lemon.c"
}

leveldb() {
    local source=$work/leveldb files
    fetched leveldb || { failed leveldb; return; }
    mkdir -p "$tmp/generated/port"
    sed 's/#cmakedefine01 \(.*\)/#define \1 0/' "$source/port/port_config.h.in" >"$tmp/generated/port/port_config.h"
    files=$(ls "$source"/{db,util,table}/*.cc "$source/helpers/memenv/memenv.cc" |
        grep -v '_test\|testutil\|leveldbutil\|windows\|benchmark\|dumpfile')
    # shellcheck disable=SC2086
    one 'leveldb with memenv, two threads' c++ \
        "-std=c++11 -I$source -I$source/include -I$tmp/generated -DLEVELDB_PLATFORM_POSIX=1" $files "$here/leveldb.cc"
}

# glib_with COMPILER DIRECTORY: configure; ninja's commands are run one after the other.
glib_with() {
    CC=$1 meson setup "$2" "$work/glib2.0" -Ddefault_library=static -Doptimization=1 -Dselinux=disabled \
        -Dlibmount=disabled -Dxattr=false -Dnls=disabled -Dtests=true >"$tmp/log" 2>&1 ||
        { echo 'meson or a library that glib needs (libpcre2-dev, libffi-dev, zlib1g-dev) is missing' >"$tmp/log"; return 1; }
}

glib() {
    local test=glib/tests/asyncqueue a b c d
    fetched glib2.0 && glib_with "$clang" "$tmp/gn" && glib_with "$(dirname "$HEDDLE")/heddle-cc" "$tmp/gh" ||
        { failed "glib's test of GAsyncQueue"; return; }
    for side in gn gh; do
        (cd "$tmp/$side" && ninja -t commands $test | tail -n 1 >link.sh &&
            ninja -t inputs $test 2>/dev/null | grep '^glib/.*\.[oa]$' | sort -u >inputs)
    done
    # shellcheck disable=SC2046
    a=$(cd "$tmp/gn" && measured ninja -j1 $(cat inputs)) && b=$(cd "$tmp/gn" && measured sh link.sh) &&
        c=$(cd "$tmp/gh" && measured ninja -j1 $(cat inputs)) && d=$(cd "$tmp/gh" && measured sh link.sh) ||
        { failed "glib's test of GAsyncQueue"; return; }
    row "glib's test of GAsyncQueue" "$tmp/gh/$test" "$a" "$b" "$c" "$d"
}

[ "${1:-all}" != all ] && { "$@"; exit; }
sqlite
leveldb
glib
for file in future containers packaged_task shared_ptr; do
    one "tests/cxx/correct/$file.cpp" c++ -std=c++17 "$PWD/tests/cxx/correct/$file.cpp"
done
