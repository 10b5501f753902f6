// tbb::concurrent_hash_map: two threads insert, one of them looks for what the other inserts.
#include <tbb/concurrent_hash_map.h>

#include <cassert>
#include <thread>

using map = tbb::concurrent_hash_map<int, int>;
static map m;

int main()
{
    std::thread other([] { m.insert({ 1, 10 }); });
    m.insert({ 2, 20 });
    {
        map::const_accessor found;
        assert(!m.find(found, 1) || found->second == 10);
    }
    other.join();
    assert(m.size() == 2);
}
