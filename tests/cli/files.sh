#!/bin/bash
# The private view of files: nothing that a program does to files leaves it, and the program sees what it did.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
mkdir here
cd here || exit 2
export TMPDIR=$tmp

# program CODE: done by a thread, line 24.
program() {
    cat >"$tmp/p.c" <<C
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline long raw(long number, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}
void native(void);
static void *thread(void *unused)
{
    $1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
C
}

fresh() {
    rm -rf ./*
    echo 'the input' >input
    mkdir folder
    echo 'inside' >folder/file
    ln -s folder link
    find . -printf '%p %y %m %T@ %s\n' | sort >"$tmp/before"
    cat input folder/file >>"$tmp/before"
}

unchanged() {
    { find . -printf '%p %y %m %T@ %s\n' | sort; cat input folder/file; } >"$tmp/after" 2>&1
    if cmp -s "$tmp/before" "$tmp/after"; then pass "$1: nothing is changed"; else
        fail "$1: nothing is changed" "$(diff "$tmp/before" "$tmp/after" | head -n 4 | tr '\n' '|')"
    fi
}

# inside NAME CODE: verified, and nothing is changed.
inside() {
    fresh
    program "$2"
    timeout "$LIMIT" "$HEDDLE" check -q --trace-dir "$tmp/traces" "$tmp/p.c" >"$tmp/out" 2>"$tmp/err" </dev/null
    if grep -q '^verified' "$tmp/out"; then pass "$1"; else fail "$1" "$(head -c 400 "$tmp/out" "$tmp/err" | tr '\n' '|')"; fi
    unchanged "$1"
}

# refused NAME PATTERN CODE
refused() {
    fresh
    program "$3"
    expect_error "$1" "p.c:24: .*$2|$2.*p.c:24|p.c:1[0-9]: .*$2" "$HEDDLE" check -q --trace-dir "$tmp/traces" "$tmp/p.c"
    unchanged "$1"
}

inside 'a new file' 'int fd = open("new", O_RDWR | O_CREAT | O_EXCL, 0640); struct stat s;
    assert(write(fd, "abc", 3) == 3 && stat("new", &s) == 0 && s.st_size == 3 && (s.st_mode & 0777) == 0640 && s.st_nlink == 1);
    assert(open("new", O_WRONLY | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST); close(fd)'
inside 'a file is changed' 'char b[20] = ""; FILE *f = fopen("input", "r+"); assert(f && fputs("THE", f) >= 0 && fclose(f) == 0);
    f = fopen("input", "r"); assert(fgets(b, 20, f) && strcmp(b, "THE input\n") == 0); fclose(f)'
inside 'a file is cut and added to' 'struct stat s; FILE *f = fopen("input", "w"); fclose(f); assert(stat("input", &s) == 0 && s.st_size == 0);
    f = fopen("link/file", "a"); fputs("more", f); fclose(f); assert(stat("folder/file", &s) == 0 && s.st_size == 11)'
inside 'a file is removed' 'assert(unlink("input") == 0 && access("input", F_OK) < 0 && errno == ENOENT && open("input", O_RDONLY) < 0 && unlink("input") < 0)'
inside 'a file gets another name' 'char b[20] = ""; assert(rename("input", "folder/input") == 0 && access("input", F_OK) < 0);
    int fd = open("./folder/../folder/input", O_RDONLY); assert(read(fd, b, 20) == 10); close(fd)'
inside 'directories' 'assert(mkdir("d", 0755) == 0 && mkdir("d/e", 0755) == 0 && mkdir("d", 0755) < 0); close(open("d/e/f", O_CREAT | O_WRONLY, 0600));
    struct stat s; assert(stat("d/e", &s) == 0 && S_ISDIR(s.st_mode) && rmdir("d/e") < 0 && errno == ENOTEMPTY);
    assert(unlink("d/e/f") == 0 && rmdir("d/e") == 0 && rmdir("d") == 0 && stat("d", &s) < 0)'
inside 'modes and times' 'struct stat s; assert(chmod("input", 0400) == 0 && stat("input", &s) == 0 && (s.st_mode & 0777) == 0400);
    assert(utimensat(AT_FDCWD, "folder/file", 0, 0) == 0 && truncate("input", 3) == 0 && stat("input", &s) == 0 && s.st_size == 3)'
inside 'temporary files' 'char name[] = "tXXXXXX"; int fd = mkstemp(name); assert(fd >= 0 && write(fd, "x", 1) == 1); FILE *f = tmpfile();
    assert(f && fputs("x", f) >= 0); fclose(f); close(fd); fd = shm_open("/heddle-test", O_RDWR | O_CREAT, 0600); assert(fd >= 0 && ftruncate(fd, 10) == 0); close(fd)'
inside 'a shared mapping' 'int fd = open("input", O_RDWR); char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); p[0] = 84;
    char c; assert(pread(fd, &c, 1, 0) == 1 && c == 84); munmap(p, 4096); close(fd)'
inside 'a file that is only read' 'int fd = open("input", O_RDONLY); char b[4]; assert(read(fd, b, 4) == 4 && open("/dev/null", O_WRONLY) >= 0); close(fd)'

refused 'the instruction: openat' 'reaches outside' 'raw(SYS_openat, AT_FDCWD, (long)"raw", O_CREAT | O_WRONLY, 0600)'
refused 'the instruction: unlink' 'reaches outside' 'raw(SYS_unlink, (long)"input", 0, 0, 0)'
refused 'the instruction: truncate' 'reaches outside' 'raw(SYS_truncate, (long)"input", 0, 0, 0)'
refused 'symlink' 'not modelled' 'symlink("input", "other")'
refused 'a list of a changed directory' 'not modelled' 'unlink("input"); opendir(".")'
refused 'a real directory is removed' 'not modelled' 'rmdir("folder")'
refused 'a file that is already read' 'already open' 'open("input", O_RDONLY); open("input", O_WRONLY)'
refused 'a mode through a descriptor' 'not modelled' 'fchmod(open("input", O_RDONLY), 0777)'
refused 'a device' 'not modelled' 'open("/dev/urandom", O_RDWR)'
expect_error 'another word' '--files maybe: there are on, off' "$HEDDLE" check --files maybe "$tmp/p.c"

# Code that heddle has not compiled.
cat >"$tmp/native.c" <<'C'
#include <stdio.h>
void native(void);
void native(void) { FILE *f = fopen("native", "w"); fputs("x", f); fclose(f); }
C
"clang-${LLVM:-19}" -c -o "$tmp/native.o" "$tmp/native.c"
fresh
program 'native(); assert(access("native", F_OK) == 0)'
"$HEDDLE" cc -o "$tmp/native" "$tmp/p.c" "$tmp/native.o" -pthread 2>/dev/null
timeout "$LIMIT" "$HEDDLE" check -q "$tmp/native" >"$tmp/out" 2>&1
if grep -q '^no-violation-found' "$tmp/out"; then pass 'native code'; else fail 'native code' "$(head -c 300 "$tmp/out" | tr '\n' '|')"; fi
unchanged 'native code'

# --files off: the program writes where it says, and so does its replay.
program 'close(open("real", O_CREAT | O_WRONLY, 0600)); abort()'
"$HEDDLE" check -q --files off --trace-dir "$tmp/off" "$tmp/p.c" >/dev/null 2>&1
if [ -e real ]; then pass '--files off'; else fail '--files off' 'the file is not there'; fi
rm -f real
"$HEDDLE" replay -q "$tmp/p.c" "$tmp"/off/*.trace >/dev/null 2>&1
if [ -e real ]; then pass '--files off: the trace says so'; else fail '--files off: the trace says so' 'the file is not there'; fi
fresh
program 'close(open("real", O_CREAT | O_WRONLY, 0600)); abort()'
rm -rf "$tmp/on"
"$HEDDLE" check -q --trace-dir "$tmp/on" "$tmp/p.c" >/dev/null 2>&1
"$HEDDLE" replay -q "$tmp/p.c" "$tmp"/on/*.trace >/dev/null 2>&1
unchanged 'a replay'
