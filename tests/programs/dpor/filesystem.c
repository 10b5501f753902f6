/* filesystem(N) (Flanagan & Godefroid 2005): threads take free blocks for their inodes; up to 13 of
 * them never meet: 2^(N - 13) traces for N >= 14. */
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 14
#endif
#define BLOCKS 26
#define INODES 32

static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *work(void *arg)
{
    int i = (int)(intptr_t)arg % INODES;
    pthread_mutex_lock(&lock_inode[i]);
    if (inode[i] == 0) {
        for (int b = i * 2 % BLOCKS;; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&lock_block[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lock_block[b]);
                break;
            }
            pthread_mutex_unlock(&lock_block[b]);
        }
    }
    pthread_mutex_unlock(&lock_inode[i]);
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&lock_inode[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&lock_block[i], 0);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
