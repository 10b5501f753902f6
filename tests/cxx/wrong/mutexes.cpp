// A reader that wants to become the writer waits for itself: undefined, says the standard.
// expect: violation misuse
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int value;

static void upgrade()
{
    std::shared_lock<std::shared_mutex> read(mutex);
    if (value == 0) {
        std::unique_lock<std::shared_mutex> write(mutex); /* violation */
        value++;
    }
}

static void set()
{
    std::unique_lock<std::shared_mutex> write(mutex);
    value = 1;
}

int main()
{
    std::thread a(set), b(upgrade);
    a.join();
    b.join();
}
