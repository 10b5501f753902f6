#!/bin/bash
# heddle lin on structures of Debian packages, unmodified: tests/real/lin.sh.  The files in tests/real/lin say what it must
# answer, as those in tests/lin do.  glib is built for the long tests, or by tests/real/lin.sh glib, which does nothing else.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
work=$ROOT/${B:-build}/real
mkdir -p "$work"

# glib is built as tests/real/glib does.
glib() {
    local sources=$work/glib2.0
    if ! "$ROOT/tools/source.sh" "$work" glib2.0 libpcre2-dev.deb 2>"$work.lin.err"; then
        echo "ok not run: $(first_lines "$work.lin.err")"
    elif ! (cd "$sources" && HEDDLE=$HEDDLE sh -eu "$here/glib/library") >"$work/lin.log" 2>&1; then
        fail 'glib_queue' "glib is not built: $(tail -n 1 "$work/lin.log")"
    else
        LIN_FILES="$sources/heddle-build/glib/libglib-2.0.a $(echo "$work"/libpcre2-dev.deb/usr/lib/*/libpcre2-8.a)" \
            LIN_FLAGS="-w -I$sources -I$sources/glib -I$sources/heddle-build -I$sources/heddle-build/glib" \
            "$here/../lin/run.sh" "$here/lin/glib_queue.c"
    fi
}
if [ "${1:-}" = glib ]; then
    glib
    exit
fi
if ! "$ROOT/tools/source.sh" "$work" ck libboost1.74-dev.deb libconcurrentqueue-dev.deb 2>"$work.lin.err"; then
    echo "ok not run: $(first_lines "$work.lin.err")"
    exit 0
fi
(cd "$work/ck" && { [ -e build/ck.build ] || ./configure --use-cc-builtins; }) >"$work/lin.log" 2>&1
LIN_FLAGS="-w -I$work/ck/include" "$here/../lin/run.sh" "$here/lin/ck_ring.c" "$here/lin/ck_fifo.c"
mkdir -p "$work/ck-seeded"
sed '/^_ck_ring_enqueue_sp(/,/^}/s/memcpy(buffer, entry, ts);/ck_pr_store_uint(\&ring->p_tail, delta); &/' "$work/ck/include/ck_ring.h" \
    >"$work/ck-seeded/ck_ring.h"
if cmp -s "$work/ck/include/ck_ring.h" "$work/ck-seeded/ck_ring.h"; then
    fail 'ck_ring_seeded' 'ck_ring.h has another text'
else
    LIN_FLAGS="-w -I$work/ck-seeded -I$work/ck/include" "$here/../lin/run.sh" "$here/lin/ck_ring_seeded.c"
fi
LIN_FLAGS="-w -std=c++17 -I$work/libboost1.74-dev.deb/usr/include" "$here/../lin/run.sh" "$here/lin/boost.cpp"
LIN_FLAGS="-w -std=c++17 -I$work/libconcurrentqueue-dev.deb/usr/include" "$here/../lin/run.sh" "$here/lin/moodycamel.cpp"
[ -z "${LONG:-}" ] || glib
