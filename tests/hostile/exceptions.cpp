// Exceptions that nobody catches, and other ends of C++ programs.
// case 1 out-of-thread: violation abort | violation crash
// case 2 out-of-noexcept: violation abort | violation crash
// case 3 out-of-destructor: violation abort | violation crash
// case 4 rethrow-nothing: violation abort | violation crash
// case 5 out-of-main: violation abort | violation crash
// case 6 caught: verified
// case 7 pure-virtual: violation abort | violation crash
// case 8 thread-not-joined: violation abort | violation crash
// case 9 no-return: violation crash
// case 10 bad-cast: verified | no-violation-found
// case 11 null-object: violation crash
// case 12 vector-beyond: violation memory | violation assertion
// case 13 deleted-twice: violation memory
// case 14 delete-array-wrong: violation memory
// case 15 new-too-large: verified
// case 16 wild-virtual-call: violation crash | violation memory
// case 17 static-of-thread: verified
// case 18 string-from-null: violation abort | violation crash
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

static std::atomic<int> n;

struct bomb {
    ~bomb() noexcept(false) { throw 2; }
};
static void quiet() noexcept { throw 1; }
struct base {
    base() { call(); }
    void call() { run(); }
    virtual void run() = 0;
    virtual ~base() {}
};
struct derived : base {
    void run() override { n++; }
};
struct plain {
    virtual int get() { return 1; }
    virtual ~plain() {}
};
static plain *volatile object;
#if V == 9
static int nothing() { n++; }
#endif

static void work()
{
#if V == 1
    throw std::runtime_error("nobody");
#elif V == 2
    quiet();
#elif V == 3
    try {
        bomb b;
        throw 1;
    } catch (...) {
    }
#elif V == 4
    throw;
#elif V == 6
    try {
        throw std::runtime_error("somebody");
    } catch (const std::exception &) {
        n++;
    }
#elif V == 7
    derived d;
#elif V == 8
    std::thread t([] { n++; });
#elif V == 9
    n += nothing();
#elif V == 10
    plain p;
    try {
        n += (int)typeid(*object).name()[0];
    } catch (const std::bad_typeid &) {
        n++;
    }
#elif V == 11
    n += object->get();
#elif V == 12
    std::vector<int> v(4);
    volatile int i = 4;
    v[i] = 1;
#elif V == 13
    object = new plain;
    plain *again = object;
    delete object;
    delete again;
#elif V == 14
    int *volatile p = new int[4];
    delete p;
#elif V == 15
    volatile size_t bytes = (size_t)-1 / 4;
    try {
        n += ::operator new(bytes) != nullptr;
        abort();
    } catch (const std::bad_alloc &) {
        n++;
    }
#elif V == 16
    object = new plain;
    *(void **)object = (void *)8;
    n += object->get();
#elif V == 17
    static thread_local std::string text = "a";
    text += "b";
    n += (int)text.size();
#elif V == 18
    const char *volatile null = nullptr;
    std::string s(null);
    n += (int)s.size();
#endif
}

int main()
{
    std::thread t(work);
    t.join();
#if V == 5
    throw 5;
#endif
    return 0;
}
