// LevelDB: two threads write to one database in memory; both values are there in the end.
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"

#include <cassert>
#include <pthread.h>
#include <string>

static leveldb::DB *db;

static void *put(void *key)
{
    leveldb::Status status = db->Put(leveldb::WriteOptions(), static_cast<const char *>(key), "v");
    assert(status.ok());
    return nullptr;
}

int main()
{
    leveldb::Options options;
    options.create_if_missing = true;
    options.env = leveldb::NewMemEnv(leveldb::Env::Default());
    leveldb::DB::Open(options, "/d", &db);
    pthread_t a, b;
    pthread_create(&a, nullptr, put, const_cast<char *>("a"));
    pthread_create(&b, nullptr, put, const_cast<char *>("b"));
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    std::string value;
    assert(db->Get(leveldb::ReadOptions(), "a", &value).ok() && value == "v");
    assert(db->Get(leveldb::ReadOptions(), "b", &value).ok() && value == "v");
    delete db;
    delete options.env;
    return 0;
}
