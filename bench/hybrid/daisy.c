/* Daisy: a small file system.  Inodes and blocks with a lock each, a bitmap of blocks, a directory;
 * threads create files, write, read and remove them. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#define INODES 3
#define BLOCKS 3
#define NONE (-1)

static struct inode {
    pthread_mutex_t lock;
    int used, block, size;
} inodes[INODES];
static struct block {
    pthread_mutex_t lock;
    int data;
} blocks[BLOCKS];
static struct {
    pthread_mutex_t lock;
    int used[BLOCKS];
} bitmap = { PTHREAD_MUTEX_INITIALIZER, { 0 } };
static struct {
    pthread_mutex_t lock;
    int inode[THREADS];
} directory = { PTHREAD_MUTEX_INITIALIZER, { 0 } };

static int allocate(void)
{
    int found = NONE;
    pthread_mutex_lock(&bitmap.lock);
    for (int i = 0; i < BLOCKS && found == NONE; i++)
        if (!bitmap.used[i])
            found = i;
    if (found != NONE)
        bitmap.used[found] = 1;
    pthread_mutex_unlock(&bitmap.lock);
    return found;
}

static void release(int block)
{
    pthread_mutex_lock(&bitmap.lock);
    bitmap.used[block] = 0;
    pthread_mutex_unlock(&bitmap.lock);
}

static int create(int name)
{
    for (int i = 0; i < INODES; i++) {
        pthread_mutex_lock(&inodes[i].lock);
        int mine = !inodes[i].used;
        if (mine) {
            inodes[i].used = 1;
            inodes[i].block = NONE;
            inodes[i].size = 0;
        }
        pthread_mutex_unlock(&inodes[i].lock);
        if (mine) {
            pthread_mutex_lock(&directory.lock);
            directory.inode[name] = i;
            pthread_mutex_unlock(&directory.lock);
            return i;
        }
    }
    return NONE;
}

static void write_file(int i, int value)
{
    pthread_mutex_lock(&inodes[i].lock);
    if (inodes[i].block == NONE)
        inodes[i].block = allocate();
    struct block *b = &blocks[inodes[i].block];
    pthread_mutex_lock(&b->lock);
    b->data = value;
    pthread_mutex_unlock(&b->lock);
    inodes[i].size++;
    pthread_mutex_unlock(&inodes[i].lock);
}

static int read_file(int i)
{
    pthread_mutex_lock(&inodes[i].lock);
    struct block *b = &blocks[inodes[i].block];
    pthread_mutex_lock(&b->lock);
    int value = b->data;
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&inodes[i].lock);
    return value;
}

static void remove_file(int name, int i)
{
    pthread_mutex_lock(&directory.lock);
    directory.inode[name] = NONE;
    pthread_mutex_unlock(&directory.lock);
    pthread_mutex_lock(&inodes[i].lock);
    int block = inodes[i].block;
    inodes[i].used = 0;
    pthread_mutex_unlock(&inodes[i].lock);
    release(block);
}

static void *user(void *arg)
{
    int name = *(int *)arg, i = create(name);
    write_file(i, name + 10);
    assert(read_file(i) == name + 10);
    if (name % 2)
        remove_file(name, i);
    return NULL;
}

int main(void)
{
    static int name[THREADS];
    pthread_t t[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inodes[i].lock, NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&blocks[i].lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        name[i] = i;
        pthread_create(&t[i], NULL, user, &name[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
