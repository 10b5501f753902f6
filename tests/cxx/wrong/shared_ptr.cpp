// The object may be gone when the weak pointer is asked.
// expect: violation crash
#include <memory>
#include <thread>

int main()
{
    auto mine = std::make_shared<int>(7);
    std::weak_ptr<int> weak = mine;
    int seen = 0;
    std::thread a([&] { seen = *weak.lock().get(); });
    mine.reset();
    a.join();
    return seen != 7;
}
