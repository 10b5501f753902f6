// Functions of wide strings read and write the program's memory as in C.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wchar_t text[16], other[16];
static char bytes[16];

static void *work(void *unused)
{
    wchar_t *end, c;
    pthread_mutex_lock(&lock);
    wcscpy(text, L"warp");
    wcscat(text, L"-12");
    assert(wcslen(text) == 7 && wcscmp(text, L"warp-12") == 0 && wcsncmp(text, L"was", 2) == 0);
    assert(wcschr(text, L'-') == text + 4 && wcstol(text + 5, &end, 10) == 12 && end == text + 7);
    wmemset(other, L'x', 16);
    wmemcpy(other, text, 4);
    wcsncpy(other + 4, L"!", 2);
    assert(other[4] == L'!' && other[5] == 0 && other[6] == L'x' && wmemcmp(other, text, 4) == 0);
    wmemmove(other + 1, other, 4);
    assert(other[1] == L'w' && other[0] == L'w');
    assert(wcstombs(bytes, text, sizeof bytes) == 7 && bytes[6] == '2');
    assert(mbstowcs(other, bytes, 16) == 7 && wcscmp(other, text) == 0);
    assert(mbtowc(&c, bytes, 4) == 1 && c == L'w' && wctomb(bytes, L'W') == 1 && bytes[0] == 'W');
    pthread_mutex_unlock(&lock);
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
