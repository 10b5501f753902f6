// A function of unknown effect is called through a pointer.
// expect: no-violation-found
#include <pthread.h>
#include <wchar.h>

static size_t (*transform)(wchar_t *, const wchar_t *, size_t) = wcsxfrm;

static void *run(void *arg) { return transform(NULL, L"a", 0) ? NULL : arg; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
