// Conversions and generators write memory that both threads use.
// expect: violation data-race
// cc-flags: -D_GNU_SOURCE -lm
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static wchar_t wide[4];
static char narrow[4];
static struct random_data generator;
static char state[32];
static double sine;

static void *work(void *unused)
{
    const char *text = "ab";
    const wchar_t *back = L"cd";
    double cosine;
    int32_t drawn;
    mbstate_t begin = { 0 }, end = { 0 };
    mbsrtowcs(wide, &text, 4, &begin); /* race */
    wcsrtombs(narrow, &back, 4, &end); /* race */
    sincos(0, &sine, &cosine);         /* race */
    (void)drawn;
    (void)generator;
    (void)state;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
