// A bounded queue of C++ whose pop looks before it locks.
#include <cassert>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace warehouse::inventory {

struct item {
    int number;
    double price;
};

template <typename Element> class bounded_blocking_queue {
  public:
    void push(std::shared_ptr<Element> element)
    {
        std::lock_guard<std::mutex> guard(mutex_of_the_elements);
        elements.push_back(std::move(element));
    }
    std::shared_ptr<Element> pop_if_there_is_one()
    {
        if (size() == 0)
            return nullptr;
        std::lock_guard<std::mutex> guard(mutex_of_the_elements);
        assert(!elements.empty() && "somebody else took it");
        auto element = elements.back();
        elements.pop_back();
        return element;
    }
    std::size_t size()
    {
        std::lock_guard<std::mutex> guard(mutex_of_the_elements);
        return elements.size();
    }

  private:
    std::mutex mutex_of_the_elements;
    std::vector<std::shared_ptr<Element>> elements;
};

} // namespace warehouse::inventory

int main()
{
    warehouse::inventory::bounded_blocking_queue<warehouse::inventory::item> queue;
    queue.push(std::make_shared<warehouse::inventory::item>(warehouse::inventory::item{ 7, 1.5 }));
    std::thread first([&] { queue.pop_if_there_is_one(); });
    std::thread second([&] { queue.pop_if_there_is_one(); });
    first.join();
    second.join();
}
