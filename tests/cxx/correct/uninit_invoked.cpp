// expect: verified
// sscanf writes the number.  It may end by cancellation and there is a string to destroy, so it is
// called by an invoke instruction, and the code after the call begins a block.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

static bool is_large(bool has_text)
{
    std::string text = "12";
    int n;
    if (has_text)
        std::sscanf(text.c_str(), "%d", &n);
    else
        n = 0;
    return n > 20;
}

int main()
{
    std::thread other([] {
        if (is_large(true))
            std::abort();
    });
    if (is_large(false))
        std::abort();
    other.join();
}
