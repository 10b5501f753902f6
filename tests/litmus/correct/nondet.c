// All values of a type that has few are tried, and what an assumption excludes does not happen: of 256
// values 128 are even.
// expect: verified
// options: --nondet 0..255
// executions: 128
// also: --nondet 0..254 => no-violation-found
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n % 2 == 0);
    assert(n % 2 != 1);
    return 0;
}
