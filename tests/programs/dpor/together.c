/* Threads that do what the first argument says: one word for each thread, separated by commas, of pairs of
 * letters.  wx: x is written (x, y, z).  rx: x is read.  lm, um: mutex m (m, n) is locked, unlocked.  sx: x is read until it
 * is not 0.  What was read, and what is left in the variables, is observed.  tests/cli/together.sh has words that
 * show why reductions cannot be combined. */
#include <heddle.h>
#include <pthread.h>
#include <string.h>

static _Atomic int variable[3];
static pthread_mutex_t mutex[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static struct thread {
    const char *word;
    int number;
    int seen[8];
} threads[4];

/* The turns alternate between two states, so that this is no loop that heddle takes for a wait. */
static void spin(int v)
{
    for (volatile int turn = 0; variable[v] == 0; turn ^= 1)
        ;
}

static void *run(void *of)
{
    struct thread *t = of;
    const char *word = t->word;
    int n = 0;
    for (int i = 0; word[i] && word[i] != ','; i += 2) {
        int v = word[i + 1] - 'x', m = word[i + 1] - 'm';
        if (word[i] == 'w')
            variable[v] = 10 * t->number + i / 2 + 1;
        else if (word[i] == 'r')
            t->seen[n++] = variable[v];
        else if (word[i] == 'l')
            pthread_mutex_lock(&mutex[m]);
        else if (word[i] == 'u')
            pthread_mutex_unlock(&mutex[m]);
        else
            spin(v);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t id[4];
    int n = 0;
    for (const char *word = argc > 1 ? argv[1] : ""; *word; n++) {
        threads[n].word = word;
        threads[n].number = n + 1;
        word += strcspn(word, ",");
        word += *word == ',';
    }
    for (int i = 0; i < n; i++)
        pthread_create(&id[i], NULL, run, &threads[i]);
    for (int i = 0; i < n; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < n; i++)
        heddle_observe(threads[i].seen, sizeof threads[i].seen);
    int last[3] = { variable[0], variable[1], variable[2] };
    heddle_observe(last, sizeof last);
}
