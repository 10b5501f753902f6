// Conversions and generators on memory of the thread's own.
// expect: verified
// cc-flags: -D_GNU_SOURCE -lm
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static _Thread_local wchar_t wide[4];
static _Thread_local char narrow[4];
static _Thread_local struct random_data generator;
static _Thread_local char state[32];
static _Thread_local double sine;

static void *work(void *unused)
{
    const char *text = "ab";
    const wchar_t *back = L"cd";
    double cosine;
    int32_t drawn;
    mbstate_t begin = { 0 }, end = { 0 };
    assert(mbsrtowcs(wide, &text, 4, &begin) == 2 && !text && wide[0] == L'a' && wide[2] == 0);
    assert(wcsrtombs(narrow, &back, 4, &end) == 2 && !back && strcmp(narrow, "cd") == 0);
    assert(initstate_r(1, state, sizeof state, &generator) == 0);
    assert(srandom_r(7, &generator) == 0 && random_r(&generator, &drawn) == 0);
    sincos(0, &sine, &cosine);
    assert(sine == 0 && cosine == 1);
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
