// One of two looks into the vector without the lock, and finds it empty.
// expect: violation assertion
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> vector;

int main()
{
    std::thread a([] {
        std::lock_guard<std::mutex> hold(mutex);
        vector.push_back(1);
    });
    int seen = vector[0]; /* violation */
    a.join();
    return seen != 1;
}
