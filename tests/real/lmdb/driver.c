/* LMDB: a reader sees one snapshot while the writer commits.  The database is written anew in every execution, after
 * the thread was created, and without LMDB's own locks, which lie in a mapped file.  With -DBUG the reader
 * writes, too. */
#include <assert.h>
#include <lmdb.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static MDB_env *env;
static MDB_dbi dbi;
static sem_t ready;

static void put(int value)
{
    MDB_txn *txn;
    MDB_val key = { 1, "a" }, data = { sizeof value, &value };
    assert(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    assert(mdb_put(txn, dbi, &key, &data, 0) == 0);
    key.mv_data = "b";
    assert(mdb_put(txn, dbi, &key, &data, 0) == 0);
    assert(mdb_txn_commit(txn) == 0);
}

static int get(MDB_txn *txn, char *name)
{
    MDB_val key = { 1, name }, data;
    int value;
    assert(mdb_get(txn, dbi, &key, &data) == 0 && data.mv_size == sizeof value);
    memcpy(&value, data.mv_data, sizeof value);
    return value;
}

static void *read_both(void *unused)
{
    MDB_txn *txn;
    sem_wait(&ready);
#ifdef BUG
    put(2);
#endif
    assert(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn) == 0);
    int a = get(txn, "a");
    assert(a == get(txn, "b") && (a == 1 || a == 2));
    mdb_txn_abort(txn);
    return unused;
}

int main(void)
{
    pthread_t reader;
    MDB_txn *txn;
    sem_init(&ready, 0, 0);
    assert(pthread_create(&reader, NULL, read_both, NULL) == 0);
    unlink("database/data.mdb");
    mkdir("database", 0700);
    assert(mdb_env_create(&env) == 0);
    assert(mdb_env_set_mapsize(env, 1 << 16) == 0);
    assert(mdb_env_open(env, "database", MDB_NOSYNC | MDB_NOTLS | MDB_NOLOCK, 0600) == 0);
    assert(mdb_txn_begin(env, NULL, 0, &txn) == 0);
    assert(mdb_dbi_open(txn, NULL, 0, &dbi) == 0);
    assert(mdb_txn_commit(txn) == 0);
    put(1);
    sem_post(&ready);
    put(2);
    pthread_join(reader, NULL);
    mdb_env_close(env);
    return 0;
}
