// Maps, lists, vectors, hash tables and strings, all under one lock; output is no concern of order.
// expect: verified
#include <cassert>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex mutex;
static std::map<std::string, int> sorted;
static std::unordered_map<std::string, int> hashed;
static std::list<int> list;
static std::vector<int> vector;

static void add(const std::string &name, int n)
{
    std::lock_guard<std::mutex> hold(mutex);
    sorted[name] += n;
    hashed[name] += n;
    list.push_front(n);
    vector.push_back(n);
}

int main()
{
    std::thread a(add, "apples", 2), b(add, "pears", 3);
    a.join();
    b.join();
    assert(sorted.begin()->first == "apples" && sorted["pears"] == 3);
    assert(hashed.size() == 2 && hashed.at("apples") == 2);
    assert(list.front() + list.back() == 5 && vector.size() == 2);
    std::cout << "apples: " << sorted["apples"] << std::endl;
}
