/* The environment: one object for all threads, named by `environ`.  POSIX allows no thread to
 * change it while another thread looks at it.  The library's own storage for it is outside the
 * model. */
#include "runtime/memory.h"

#include <stdlib.h>
#include <unistd.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static char *look(const char *real, const char *name)
{
    uint32_t site = hd_take_site();
    if (hd_ready) {
        __heddle_will_read_string(name, UINT64_MAX, site);
        __heddle_will_read(&environ, sizeof environ, site);
    }
    return REAL(char *(*)(const char *), real)(name);
}

char *getenv(const char *name) { return look("getenv", name); }
char *secure_getenv(const char *name) { return look("secure_getenv", name); }

/* The change is made in the step that announces it. */
static void will_change(uint32_t site)
{
    __heddle_opaque(site);
    __heddle_will_write(&environ, sizeof environ, site);
    __heddle_opaque_end(site);
}

int setenv(const char *name, const char *value, int replace)
{
    uint32_t site = hd_take_site();
    if (hd_ready) {
        __heddle_will_read_string(name, UINT64_MAX, site);
        __heddle_will_read_string(value, UINT64_MAX, site);
        will_change(site);
    }
    return REAL(int (*)(const char *, const char *, int), "setenv")(name, value, replace);
}

int unsetenv(const char *name)
{
    uint32_t site = hd_take_site();
    if (hd_ready) {
        __heddle_will_read_string(name, UINT64_MAX, site);
        will_change(site);
    }
    return REAL(int (*)(const char *), "unsetenv")(name);
}

int putenv(char *text)
{
    uint32_t site = hd_take_site();
    if (hd_ready) {
        __heddle_will_read_string(text, UINT64_MAX, site);
        will_change(site);
    }
    return REAL(int (*)(char *), "putenv")(text);
}

int clearenv(void)
{
    uint32_t site = hd_take_site();
    if (hd_ready)
        will_change(site);
    return REAL(int (*)(void), "clearenv")();
}
