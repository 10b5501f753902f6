// The thread works on an element that the vector moves away when it grows.
// expect: violation memory
#include <thread>
#include <vector>

static std::vector<int> table(1);

int main()
{
    int &first = table[0];
    std::thread t([&first] {
        first = 1; /* violation */
    });
    table.push_back(2);
    t.join();
}
