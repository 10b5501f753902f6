// A choice in a program without threads is explored, too.
// expect: violation assertion
#include <assert.h>
#include <heddle.h>

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += heddle_choose(3);
    assert(sum != 8); /* violation */
    return 0;
}
