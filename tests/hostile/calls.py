#!/usr/bin/env python3
"""Every modelled library function with bad pointers and bad lengths.

calls.py generate LIBC_DEF OUT.c   writes one program with a case for every function of the table, every
                                   pointer argument and every bad pointer, every length and every bad length
calls.py cases LIBC_DEF            lists the cases: NUMBER NAME EXPECTATION

A case is a thread that makes one call.  All arguments but one are right.  The expectation comes from the
row: memory that the call must touch and that is not there is a violation; a pointer that may be NULL, or a
call that can fail before it touches anything, may also end well.  No case may end in an internal error or
go on for ever.
"""
import json
import os
import re
import subprocess
import sys

HEADERS = """aio.h arpa/inet.h ctype.h dirent.h errno.h fcntl.h inttypes.h locale.h malloc.h math.h netdb.h poll.h
pthread.h sched.h semaphore.h setjmp.h signal.h stdio.h stdlib.h string.h strings.h sys/epoll.h sys/eventfd.h
sys/mman.h sys/random.h sys/select.h sys/socket.h sys/stat.h sys/time.h sys/uio.h threads.h time.h unistd.h wchar.h
search.h""".split()

# Bad pointers: expression, and whether a call that only reads is right with it.
POINTERS = {
    "null": ("null", False),
    "low": ("low", False),
    "freed": ("freed_block()", False),
    "high": ("high", False),
    "own": ("own", False),
    "literal": ("constant", True),
}
LENGTHS = {"minus": "minus", "half": "half", "int": "most"}

# Calls that end the process, wait for others, or take no ordinary arguments: other programs try them.
LEFT_OUT = set("""_exit _Exit exit abort quick_exit longjmp _longjmp siglongjmp pthread_exit thrd_exit pause sigsuspend
raise kill fork vfork clone execl execlp execle execv execvp execve execvpe fexecve posix_spawn posix_spawnp system popen
alarm syscall __assert_fail __stack_chk_fail __cxa_atexit on_exit setjmp _setjmp sigsetjmp __sigsetjmp sigwait
sigwaitinfo sigtimedwait __pthread_unwind_next vprintf vfprintf vdprintf vsnprintf vsprintf vasprintf vsscanf vscanf
vfscanf""".split())

# Arguments that may be bad without a violation, with the reason.
HARMLESS = {
    # the pointer is only kept, compared or handed on
    ("atexit", 0), ("at_quick_exit", 0), ("signal", 1), ("pthread_setspecific", 1), ("tss_set", 1),
    ("pthread_create", 2), ("pthread_create", 3), ("thrd_create", 1), ("thrd_create", 2), ("call_once", 1),
    ("pthread_once", 1), ("pthread_key_create", 1), ("tss_create", 1), ("pthread_atfork", 0), ("pthread_atfork", 1),
    ("pthread_atfork", 2), ("pthread_attr_setstackaddr", 1), ("pthread_attr_setstack", 1), ("qsort_r", 4),
    # the text of a known error is the library's own
    ("strerror_r", 1),
    # with a set that other threads may change the call is left to the library and named in the verdict
    ("strtok_r", 0), ("strtok_r", 1), ("strtok_r", 2), ("__strtok_r", 0), ("__strtok_r", 1), ("__strtok_r", 2),
    # a call that finds nothing to write
    ("wcsrtombs", 0), ("pthread_mutexattr_getrobust_np", 0),
}


def rows(path):
    for line in open(path, encoding="utf-8"):
        m = re.match(r'HD_LIBC\("([^"]+)", (\w+), "([^"]*)"\)', line)
        if m:
            yield m.groups()


def declarations():
    """name -> (result type, [parameter types], variadic), as the system's headers have them."""
    source = "#define _GNU_SOURCE 1\n" + "".join("#include <%s>\n" % h for h in HEADERS)
    clang = os.environ.get("CLANG", "clang-19")
    dump = subprocess.run([clang, "-x", "c", "-std=gnu17", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-"],
                          input=source, capture_output=True, text=True, check=True).stdout
    found = {}
    for node in json.loads(dump)["inner"]:
        if node["kind"] != "FunctionDecl" or node["name"] in found:
            continue
        types = [p["type"].get("desugaredQualType", p["type"]["qualType"])
                 for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        plain = [p["type"]["qualType"] for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        found[node["name"]] = (types, plain, node.get("variadic", False))
    return found


def is_function(t):
    return "(*" in t or t.startswith("__compar") or t.endswith("_func_t") or "handler" in t or t.startswith("thrd_start") \
        or t.startswith("tss_dtor") or t == "void (void)"


def is_pointer(t):
    return t.rstrip().endswith("*") or t.rstrip().endswith("*restrict") or t.endswith("]") or "*const" in t


def good(name, types, plain, i):
    """A right argument."""
    t, p = types[i], plain[i]
    if is_function(t) or is_function(p):
        return "(void *)callback"
    if "SOCKADDR" in p:
        return "(struct sockaddr *)NULL"
    if "FILE" in t or "_IO_FILE" in t:
        return "stream"
    if name == "getsockopt" and i == 4:
        return "&(socklen_t){ 4 }"  # room for an answer
    if is_pointer(t):
        if "**" in t.replace(" ", ""):
            return "(void *)&pointer"
        if "wchar_t" in p:
            return "(void *)wide"
        if "sigset" in p or "pthread_mutex_t" in p or "sem_t" in p or "pthread_" in p or "mtx_t" in p or "cnd_t" in p:
            return "(void *)object"
        return "(void *)text" if "const" in p else "(void *)buffer"
    if p in ("pthread_t", "thrd_t"):
        return "pthread_self()"
    if p == "size_t":
        # With less room than a name needs, pthread_getname_np fails before it touches anything.
        return "16" if name == "pthread_getname_np" else "4"
    if "double" in t or "float" in t:
        return "1.0"
    if "struct" in t or "union" in t or p in ("va_list", "__gnuc_va_list"):
        return None
    if p == "int" and i == 0 and name in ("recv", "send", "recvfrom", "sendto", "recvmsg", "sendmsg"):
        return "channel"
    if p == "int" and i == 3 and name in ("recv", "send", "recvfrom", "sendto"):
        return "0"
    if p == "clockid_t":
        return "CLOCK_MONOTONIC"
    return "1"


def effect_of(effects, i):
    for e in effects.split():
        if re.match(r"[rwpk]%d(\?|:|$)" % i, e):
            return e
    return None


def cases(path):
    known = declarations()
    names = set()
    for name, kind, effects in rows(path):
        for match in sorted(n for n in known if n == name or (name.endswith("*") and n.startswith(name[:-1]))):
            if match in names or match in LEFT_OUT:
                continue
            names.add(match)
            types, plain, variadic = known[match]
            args = [good(match, types, plain, i) for i in range(len(types))]
            if None in args or variadic and kind != "MODEL":
                continue
            yield from cases_of(match, kind, effects, types, plain, args)


def cases_of(name, kind, effects, types, plain, args):
    def call(i, bad):
        return "%s(%s)" % (name, ", ".join(bad if k == i else a for k, a in enumerate(args)))
    for i, t in enumerate(types):
        if is_pointer(t) and not is_function(t) and not is_function(plain[i]) and "FILE" not in t:
            e = effect_of(effects, i)
            for word, (expression, readable) in POINTERS.items():
                sure = e is not None and (name, i) not in HARMLESS and kind in ("TOUCH", "EXPAND", "STATE", "WORLD", "MODEL")
                if kind == "EXPAND" and (name, i) not in HARMLESS:
                    sure = True
                written = e is None or e[0] == "w"
                if word == "null" and (e is None or "?" in e or e[0] in "pk"):
                    sure = False
                if readable and not (sure and written and e is not None):
                    sure = False
                if e is not None and e[0] in "pk" and word != "null":
                    sure = "maybe" if kind == "MODEL" and ":" not in e else sure
                if word == "literal" and re.match("mk.*temp", name):
                    sure = False  # a name without XXXXXX is refused, and nothing is written
                yield "%s-%d-%s" % (name, i, word), call(i, expression), sure
        elif plain[i] == "size_t" or (plain[i] == "int" and any((":%d" % i) in e for e in effects.split())):
            sure = any(re.search(r":(s?)%d(\*|/|$)|\*%d(/|$)" % (i, i), e) and e[0] in "rw" and ":s" not in e
                       for e in effects.split())
            for word, expression in LENGTHS.items():
                yield "%s-%d-%s" % (name, i, word), call(i, "(%s)%s" % (plain[i], expression)), sure


PROGRAM = """#define _GNU_SOURCE 1
%(includes)s
#include <limits.h>
#include <stdint.h>

static char *buffer, *text, *wide_text, *object, *pointer;
static wchar_t *wide;
static int channel;
static FILE *stream;
static const char literal[] = "abc";
static volatile int chosen;
static void *volatile null, *volatile low = (void *)8, *volatile high = (void *)0x7ffffffff000;
static void *volatile own = (void *)0x010000000000, *volatile constant = (void *)literal;
static volatile size_t minus = SIZE_MAX, half = SIZE_MAX / 2, most = INT_MAX;

static int callback(const void *a, const void *b) { (void)a; (void)b; return 0; }
static void *freed_block(void) { char *p = malloc(64); free(p); return p; }

%(functions)s
static void (*const all[])(void) = {
%(table)s
};

static void *run(void *arg)
{
    all[chosen]();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int ends[2];
    chosen = argc > 1 ? atoi(argv[1]) : 0;
    buffer = calloc(1, 64);
    object = calloc(1, 256);
    text = calloc(1, 64);
    strcpy(text, "abc");
    wide = calloc(16, sizeof *wide);
    wide[0] = L'a';
    pointer = text;
    stream = stdin;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    channel = ends[0];
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""


def generate(path, out):
    functions, table = [], []
    for n, (name, call, _) in enumerate(cases(path)):
        functions.append("static void case_%d(void) { (void)%s; } /* %s */" % (n, call, name))
        table.append("    case_%d," % n)
    includes = "\n".join("#include <%s>" % h for h in HEADERS)
    with open(out, "w", encoding="utf-8") as f:
        f.write(PROGRAM % {"includes": includes, "functions": "\n".join(functions), "table": "\n".join(table)})


def main():
    if len(sys.argv) >= 3 and sys.argv[1] == "cases":
        for n, (name, call, sure) in enumerate(cases(sys.argv[2])):
            print(n, name, "violation" if sure is True else "any")
    elif len(sys.argv) == 4 and sys.argv[1] == "generate":
        generate(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
