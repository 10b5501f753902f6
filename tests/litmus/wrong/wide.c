// A wide text is copied while another thread replaces it.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <wchar.h>

static wchar_t text[8] = L"old", copy[8];

static void *work(void *unused)
{
    wmemcpy(text, L"NEW", 3); /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    wcsncpy(copy, text, 8);  /* race */
    assert(copy[0] == L'o'); /* violation */
    pthread_join(t, NULL);
    return 0;
}
