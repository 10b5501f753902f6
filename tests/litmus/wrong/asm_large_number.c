// An immediate of 64 bits keeps its highest bit: the low half of the number is cleared, and its highest bit stays.
// expect: violation assertion
#include <assert.h>

static unsigned long n = -1ul;

int main(void)
{
    __asm__ volatile("lock andq $0xffffffff80000000,%0" : "+m"(n) : : "memory", "cc");
    assert(n == 0x7fffffffffffffffUL);
    return 0;
}
