// What standard input holds decides; here it is empty, and a native run may fail.
// expect: no-violation-found
// cc-flags: -DHOW=0
// (other values of HOW are in tests/cli/verdict.sh)
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

int main()
{
    int n = 0;
    std::string text;
    std::thread([] {}).join();
#if HOW == 0
    std::cin >> n;
#elif HOW == 1
    std::getline(std::cin, text);
#elif HOW == 2
    std::ios::sync_with_stdio(false);
    std::istream &in = std::cin;
    n = in.get();
#elif HOW == 3
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
#elif HOW == 4
    wchar_t letter = 0;
    std::wcin >> letter;
    n = letter == L'x' ? 7 : 0;
#else
    std::istringstream("6") >> n; // is no standard input
#endif
    if (n == 7 || text == "seven")
        std::abort();
}
