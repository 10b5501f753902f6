/* QSort MT: quicksort by workers that share a stack of ranges.  -DERROR: the number of ranges that are
 * not done is counted down without the lock. */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SIZE
#define SIZE 4
#endif

static int data[SIZE];
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int low[2 * SIZE], high[2 * SIZE], n, left;
} stack = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, { 0 }, { 0 }, 0, 0 };

static void push(int low, int high)
{
    pthread_mutex_lock(&stack.lock);
    stack.low[stack.n] = low;
    stack.high[stack.n++] = high;
    stack.left++;
    pthread_cond_signal(&stack.changed);
    pthread_mutex_unlock(&stack.lock);
}

static int pop(int *low, int *high)
{
    pthread_mutex_lock(&stack.lock);
    while (stack.n == 0 && stack.left)
        pthread_cond_wait(&stack.changed, &stack.lock);
    int some = stack.n > 0;
    if (some) {
        *low = stack.low[--stack.n];
        *high = stack.high[stack.n];
    }
    pthread_mutex_unlock(&stack.lock);
    return some;
}

static void done(void)
{
#ifdef ERROR
    stack.left--;
    pthread_mutex_lock(&stack.lock);
#else
    pthread_mutex_lock(&stack.lock);
    stack.left--;
#endif
    pthread_cond_broadcast(&stack.changed);
    pthread_mutex_unlock(&stack.lock);
}

static int partition(int low, int high)
{
    int pivot = data[high], at = low;
    for (int i = low; i < high; i++)
        if (data[i] < pivot) {
            int moved = data[i];
            data[i] = data[at];
            data[at++] = moved;
        }
    data[high] = data[at];
    data[at] = pivot;
    return at;
}

static void *worker(void *unused)
{
    int low, high;
    while (pop(&low, &high)) {
        int middle = partition(low, high);
        if (middle - 1 > low)
            push(low, middle - 1);
        if (middle + 1 < high)
            push(middle + 1, high);
        done();
    }
    return unused;
}

int main(void)
{
    pthread_t t[WORKERS];
    for (int i = 0; i < SIZE; i++)
        data[i] = i * 5 % SIZE - i;
    push(0, SIZE - 1);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    for (int i = 1; i < SIZE; i++)
        assert(data[i - 1] <= data[i]);
    return 0;
}
