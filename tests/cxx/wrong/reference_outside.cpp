// expect: violation memory
// A reference to an element that the array does not have.
#include <atomic>
#include <thread>

struct buffer {
    int data[4];
    int &at(int i) { return data[i]; } // violation
    int *end() { return &data[4]; }
};

static struct {
    buffer b;
    int after;
} both;

static std::atomic<int> position;

int main()
{
    std::thread t([] { position = 4; });
    both.b.at(position) = 1;
    t.join();
    return both.b.end() == both.b.data;
}
