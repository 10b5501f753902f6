/* The texts of errors and signals.  Known ones are constants; others are formatted in memory of
 * the thread, as in glibc from 2.32 on. */
#include "runtime/format.h"
#include "runtime/memory.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { TEXT_BYTES = 40 };

/* the program's, each thread's own: changed by logged writes only */
static char message_text[HD_MAX_THREADS][TEXT_BYTES];

__attribute__((format(printf, 2, 3))) static void print(char *text, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    hd_vsnprintf(text, TEXT_BYTES, fmt, args);
    va_end(args);
}

static char *own_text(const char *text)
{
    hd_rt_prepare();
    char *own = message_text[rt->cur];
    hd_log_range(own, TEXT_BYTES);
    return strcpy(own, text);
}

char *strerror(int error)
{
    char text[TEXT_BYTES];
    const char *known = strerrordesc_np(error);
    if (known)
        return (char *)(uintptr_t)known;
    print(text, "Unknown error %d", error);
    return own_text(text);
}

char *strsignal(int sig)
{
    char text[TEXT_BYTES];
    const char *known = sigdescr_np(sig);
    if (known)
        return (char *)(uintptr_t)known;
    if (sig >= SIGRTMIN && sig <= SIGRTMAX)
        print(text, "Real-time signal %d", sig - SIGRTMIN);
    else
        print(text, "Unknown signal %d", sig);
    return own_text(text);
}

/* Store as much of the text as there is room for, and a NUL. */
static void store_text(char *into, const char *text, size_t room, uint32_t site)
{
    char nul = 0;
    size_t n = strlen(text);
    if (room == 0)
        return;
    n = n < room ? n : room - 1;
    __heddle_store_n(into, text, n, site);
    __heddle_store_n(into + n, &nul, 1, site);
}

/* GNU's variant: the memory is written only for an error that has no text. */
char *strerror_r(int error, char *into, size_t room)
{
    uint32_t site = hd_take_site();
    char text[TEXT_BYTES];
    const char *known = strerrordesc_np(error);
    hd_rt_prepare();
    if (known)
        return (char *)(uintptr_t)known;
    print(text, "Unknown error %d", error);
    store_text(into, text, room, site);
    return into;
}

/* POSIX's variant. */
int __xpg_strerror_r(int error, char *into, size_t room);
int __xpg_strerror_r(int error, char *into, size_t room)
{
    uint32_t site = hd_take_site();
    char text[TEXT_BYTES];
    const char *known = strerrordesc_np(error);
    hd_rt_prepare();
    if (!known)
        print(text, "Unknown error %d", error);
    store_text(into, known ? known : text, room, site);
    if (!known)
        return EINVAL;
    return strlen(known) < room ? 0 : ERANGE;
}
