#!/bin/bash
# What heddle does not model is named, never ignored.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# calls FUNCTION HEADER STATEMENT: a program that makes the call in a second thread.
calls() {
    cat >"$tmp/$1.c" <<EOF
#include <pthread.h>
#include <$2>
static void *work(void *unused) { $3; return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
EOF
    expect_error "$1" "$1" "$HEDDLE" check "$tmp/$1.c"
}

calls vfork unistd.h 'vfork()'
calls fork unistd.h 'int ends[2]; pipe(ends); fork()'
calls clone sched.h 'extern int clone(int (*)(void *), void *, int, void *, ...); clone(0, 0, 0, 0)'
calls execv unistd.h 'execv("/bin/true", (char *[]){ "true", 0 })'
calls system stdlib.h 'return system("true") ? unused : unused'
cat >"$tmp/omp.c" <<'EOF'
int main(void)
{
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        n++;
    return n != 4;
}
EOF
expect_error 'OpenMP is not ignored' 'does not model OpenMP.*Wno-source-uses-openmp' "$HEDDLE" check "$tmp/omp.c"
if "$HEDDLE" check -q --cc-flags -Wno-source-uses-openmp "$tmp/omp.c" >"$tmp/out" 2>&1; then pass 'without OpenMP, if asked'
else fail 'without OpenMP, if asked' "$(cat "$tmp/out")"; fi

calls popen stdio.h 'popen("true", "r")'
calls posix_spawn spawn.h 'posix_spawn(0, "/bin/true", 0, 0, (char *[]){ "true", 0 }, 0)'
calls execl unistd.h 'execl("/bin/true", "true", (char *)0)'

# In a plain run the line names the call, too, with all its arguments.
cat >"$tmp/plain.c" <<'EOF'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "test \"$0$1$2$3$4$5$6\" = abcdefg", "a", "b", "c", "d", "e", "f", "g", (char *)0);
        _exit(1);
    }
    return waitpid(child, &status, 0) != child || status != 0;
}
EOF
if "$HEDDLE" cc -o "$tmp/plain" "$tmp/plain.c" 2>"$tmp/err" && "$tmp/plain" 2>>"$tmp/err"; then
    pass 'fork and exec in a plain run'
else
    fail 'fork and exec in a plain run' "$(first_lines "$tmp/err")"
fi

calls TFD_TIMER_CANCEL_ON_SET sys/timerfd.h 'timerfd_settime(timerfd_create(0, 0), 3, &(struct itimerspec){ { 0 } }, 0)'
calls fdopen stdio.h 'extern int pipe(int *); int ends[2]; pipe(ends); fdopen(ends[0], "r+")'
for call in 'scanf:fscanf(f, "x")' 'ftell:ftell(f)' 'fseek:fseek(f, 0, 0)' 'freopen:freopen("/dev/null", "r", f)' \
            'setvbuf:(ungetc(1, f), setvbuf(f, 0, _IONBF, 0))'; do
    calls "${call%%:*}" stdio.h "extern int pipe(int *); int ends[2]; pipe(ends); FILE *f = fdopen(ends[0], \"r\"); ${call#*:}"
done

# Datagrams are not modelled; streams are.
cat >"$tmp/datagram.c" <<'EOF'
#include <sys/socket.h>
int main(void) { return socket(AF_INET, SOCK_DGRAM, 0) < 0; }
EOF
expect_error 'a datagram socket' 'datagram.c:2: socket\(\) of a kind .* is not modelled' "$HEDDLE" check "$tmp/datagram.c"

# Every function that pthread.h, semaphore.h and threads.h declare is the runtime's; only what tells
# of attributes is libc's.
{
    printf '#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n'
    printf 'void *all[] = {\n'
    printf '#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n' |
        "${CC:-clang-19}" -D_GNU_SOURCE -E -P - | tr '\n' ' ' | tr ';' '\n' |
        grep -oE '\b((pthread|sem|thrd|mtx|cnd|tss)_[a-z0-9_]+|call_once) ?\(' | tr -d ' (' |
        grep -v 'robust_np\|consistent_np' | sort -u | sed 's/.*/    (void *)&,/'
    printf '};\nint main(void) { return all[0] == 0; }\n'
} >"$tmp/all.c"
n=$(grep -c '(void \*)' "$tmp/all.c")
if ! "$HEDDLE" cc -D_GNU_SOURCE -w -o "$tmp/all" "$tmp/all.c" -pthread 2>"$tmp/err"; then
    fail 'every function links' "$(first_lines "$tmp/err")"
elif [ "$n" -lt 150 ]; then
    fail 'every function of the headers' "only $n found"
else
    left=$(nm -u "$tmp/all" | sed 's/.* //; s/@.*//' | grep -E '^((pthread|sem|thrd|mtx|cnd|tss)_|call_once)' |
        grep -vE '^pthread_(attr|mutexattr|condattr|rwlockattr|barrierattr)_get' | tr '\n' ' ')
    if [ "$left" ]; then fail 'every function is modelled' "not the runtime's: $left"
    else pass "every function is modelled ($n)"; fi
    refused=$(sed -n 's/^HD_UNSUPPORTED(\(.*\))/\1/p' "$ROOT/src/runtime/unsupported.def" |
        grep -E '^((pthread|sem|thrd|mtx|cnd|tss)_|call_once)' | tr '\n' ' ')
    if [ "$refused" ]; then fail 'none is refused' "$refused"; else pass 'none is refused'; fi
fi

# A signal handler that is to run in another thread, which may be cancelled: not in a search over graphs.
cat >"$tmp/kill.c" <<'EOF'
#include <pthread.h>
#include <signal.h>
static void handler(int number) { (void)number; }
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_cancel(t);
    pthread_join(t, NULL);
    return 0;
}
EOF
expect_error 'a handler and cancellation, weak memory' 'kill\.c:3: a signal handler in a program that may cancel threads' "$HEDDLE" check --memory rc11 "$tmp/kill.c"

# An instruction of inline assembly that stores: what it stores is not known to a search over graphs.
cat >"$tmp/assembly.c" <<'EOF'
#include <pthread.h>
static struct { _Alignas(16) char bytes[512]; } area;
static void *work(void *unused) { __asm__ volatile("fxsave %0" : "=m"(area)); return unused; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    area.bytes[3] = 1;
    pthread_join(t, NULL);
    return 0;
}
EOF
for model in rc11 tso; do
    expect_error "inline assembly, $model" 'assembly\.c:3: inline assembly that accesses memory.*: use --memory sc' "$HEDDLE" check --memory $model "$tmp/assembly.c"
done

# An unknown library function that may touch the program's memory: named in the JSON, not verified.
cat >"$tmp/external.c" <<'EOF'
#include <langinfo.h>
#include <pthread.h>
#include <regex.h>
static void *work(void *unused)
{
    regex_t r;
    regcomp(&r, "a*b", 0);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
EOF
check_program 'external function' 'no-violation-found' '' '' "$tmp/external.c"
if jq -e '.downgrades | any(contains("regcomp"))' "$tmp/json" >/dev/null 2>&1; then
    pass 'external function is named'
else
    fail 'external function is named' "$(first_lines "$tmp/json")"
fi

# More threads than heddle has room for.
cat >"$tmp/many.c" <<'EOF'
#include <pthread.h>
static void *work(void *unused) { return unused; }
int main(void)
{
    pthread_t t[300];
    for (int i = 0; i < 300; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 300; i++)
        pthread_join(t[i], NULL);
    return 0;
}
EOF
"$HEDDLE" check -q --executions 1 --json "$tmp/json" "$tmp/many.c" >/dev/null 2>&1
if jq -e '.undischarged | any(. == "threads")' "$tmp/json" >/dev/null 2>&1; then
    pass 'the bound on threads is named'
else
    fail 'the bound on threads is named' "$(first_lines "$tmp/json")"
fi
