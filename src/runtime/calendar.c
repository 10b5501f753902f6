/* Dates in the library's own memory: localtime and gmtime share one object, asctime and ctime
 * another, and all threads share them.  The library's data about time zones is outside the
 * model. */
#include "runtime/memory.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static struct tm calendar_date; /* the program's: changed by announced writes only */
static char calendar_text[64];

typedef struct tm *convert_fn(const time_t *, struct tm *);

static struct tm *converted(const time_t *at, convert_fn *convert, uint32_t site)
{
    time_t seconds;
    struct tm made;
    __heddle_load_n(at, &seconds, sizeof seconds, site);
    __heddle_will_read(&environ, sizeof environ, site); /* TZ */
    __heddle_opaque(site);
    if (!convert(&seconds, &made))
        return NULL;
    __heddle_store_n(&calendar_date, &made, sizeof made, site);
    return &calendar_date;
}

static char *printed(const struct tm *date, uint32_t site)
{
    struct tm copy;
    char text[sizeof calendar_text];
    __heddle_load_n(date, &copy, sizeof copy, site);
    if (!asctime_r(&copy, text)) /* NOLINT(bugprone-unsafe-functions): this implements it */
        return NULL;
    __heddle_store_n(calendar_text, text, strlen(text) + 1, site);
    return calendar_text;
}

struct tm *localtime(const time_t *at)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return converted(at, localtime_r, site);
}

struct tm *gmtime(const time_t *at)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return converted(at, gmtime_r, site);
}

char *asctime(const struct tm *date)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return printed(date, site);
}

char *ctime(const time_t *at)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    const struct tm *date = converted(at, localtime_r, site);
    return date ? printed(date, site) : NULL;
}
