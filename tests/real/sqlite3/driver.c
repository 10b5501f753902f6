/* SQLite, serialized: two threads write to one database in memory.  With -DBUG it is opened without
 * its mutex. */
#include "sqlite3.h"

#include <assert.h>
#include <pthread.h>

static sqlite3 *db;

static void *insert(void *statement)
{
    assert(sqlite3_exec(db, statement, 0, 0, 0) == SQLITE_OK);
    return 0;
}

int main(void)
{
    pthread_t a, b;
#ifdef BUG
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
#else
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
#endif
    assert(sqlite3_open_v2(":memory:", &db, flags, 0) == SQLITE_OK);
    sqlite3_exec(db, "create table t(a)", 0, 0, 0);
    pthread_create(&a, 0, insert, "insert into t values(1)");
    pthread_create(&b, 0, insert, "insert into t values(2)");
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sqlite3_total_changes(db) == 2);
    sqlite3_close(db);
    return 0;
}
