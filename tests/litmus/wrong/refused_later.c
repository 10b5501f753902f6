// One value fails the assertion, the other leads to a call that heddle refuses.  A violation that
// was found before the refusal is reported, and the refusal is a reason why the result is not
// exhaustive.  (With values in ascending order the violation comes first.)
// expect: violation assertion
// options: --keep-going
// also: --keep-going --strategy optimal => violation assertion
// also: --keep-going --strategy stateful => violation assertion
// also: --keep-going -j 2 --strategy optimal => violation assertion
// also: --keep-going --races warn => violation assertion
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int chosen;

static void *work(void *unused)
{
    chosen = heddle_choose(2);
    if (chosen == 1)
        vfork();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(chosen == 1); /* violation */
    return 0;
}
