// expect: violation memory
// Nothing writes the number where there is no text, and it decides a branch.
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
    return n > 20;
}

int main()
{
    std::thread other([] {
        if (is_large(true))
            std::abort();
    });
    if (is_large(false)) /* violation */
        std::abort();
    other.join();
}
