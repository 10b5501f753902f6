// expect: verified
// References to elements of the array, and the address behind its end.
#include <atomic>
#include <thread>

struct buffer {
    int data[4];
    int &at(int i) { return data[i]; }
    int *end() { return &data[4]; }
};

static struct {
    buffer b;
    int after;
} both;

static std::atomic<int> position;

int main()
{
    std::thread t([] { position = 3; });
    both.b.at(position) = 1;
    t.join();
    return both.b.end() == both.b.data;
}
