/* SOR (Java Grande): red-black over-relaxation, a band of rows for every thread, a barrier between
 * the colours. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define ROWS (2 * THREADS)
#define COLUMNS 3

static double grid[ROWS + 2][COLUMNS + 2];
static pthread_barrier_t barrier;

static void relax(int first, int end, int colour)
{
    for (int r = first; r < end; r++)
        for (int c = 1 + (r + colour) % 2; c <= COLUMNS; c += 2)
            grid[r][c] = (grid[r - 1][c] + grid[r + 1][c] + grid[r][c - 1] + grid[r][c + 1]) / 4;
}

static void *band(void *arg)
{
    int first = *(int *)arg;
    for (int i = 0; i < ROUNDS; i++)
        for (int colour = 0; colour < 2; colour++) {
            relax(first, first + 2, colour);
            pthread_barrier_wait(&barrier);
        }
    return NULL;
}

int main(void)
{
    static int first[THREADS];
    pthread_t t[THREADS];
    for (int c = 0; c < COLUMNS + 2; c++)
        grid[0][c] = 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        first[i] = 1 + 2 * i;
        pthread_create(&t[i], NULL, band, &first[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(grid[1][1] > 0 && grid[1][1] < 1);
    return 0;
}
