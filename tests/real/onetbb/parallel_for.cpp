// tbb::parallel_for with the library's scheduler and its threads.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <cassert>

static int squares[3];

int main()
{
    tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
    tbb::parallel_for(0, 3, [](int i) { squares[i] = i * i; });
    assert(squares[0] == 0 && squares[1] == 1 && squares[2] == 4);
}
