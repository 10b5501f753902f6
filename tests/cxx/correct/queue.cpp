// A queue of one place: unique_lock, condition variables with predicates, std::deque, std::string.
// expect: verified
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

class queue
{
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> items;

  public:
    void put(std::string item)
    {
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [this] { return items.empty(); });
        items.push_back(std::move(item));
        changed.notify_one();
    }
    std::string take()
    {
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [this] { return !items.empty(); });
        std::string item = std::move(items.front());
        items.pop_front();
        changed.notify_one();
        return item;
    }
};

int main()
{
    queue q;
    std::thread producer([&q] {
        q.put("one");
        q.put("a longer string, which needs memory of its own");
    });
    assert(q.take() == "one");
    assert(q.take().size() == 46);
    producer.join();
}
