// A program that cannot do without input: it is empty, which is one of the inputs there are.
// expect: violation abort
#include <cstdlib>
#include <iostream>
#include <thread>

int main()
{
    int n = 0;
    std::thread([] {}).join();
    if (!(std::cin >> n))
        std::abort();
}
