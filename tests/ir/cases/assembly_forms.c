/* Every form of assembly that is understood computes what the processor does; none is left over. */
//! info assembly 0
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#define ASM __asm__ volatile
#define IS(x, value)                                                                             \
    if ((long long)(x) != (long long)(value))                                                    \
    return printf("line %d: %lld\n", __LINE__, (long long)(x)), 1
int x;
long y, bits[4];
short s;
unsigned char c;
int *p;
struct {
    uint64_t low, high;
} __attribute__((aligned(16))) pair;
static int flags(void)
{
    unsigned char set, zero, carry;
    bool b;
    int mask;
    x = 1;
    ASM("lock; decl %0; sete %1" : "+m"(x), "=qm"(set)::"memory");
    IS(set, 1);
    ASM("lock decl %0\n\tsetz %1" : "+m"(x), "=q"(set)::"memory", "cc");
    IS(set, 0);
    IS(x, -1);
    ASM("lock incl %0" : "+m"(x), "=@ccz"(b)::"memory");
    IS(b, 1);
    ASM("lock addl %2,%0; setc %1" : "+m"(x), "=q"(set) : "ir"(-1) : "memory");
    IS(set, 0);
    ASM("lock addl $1,%0" : "+m"(x), "=@ccc"(carry), "=@ccz"(zero)::"memory");
    IS(carry, 1);
    IS(zero, 1);
    ASM("lock subl %2,%0; sets %1" : "+m"(x), "=q"(set) : "r"(5) : "memory");
    IS(set, 1);
    IS(x, -5);
    ASM("lock subl %2,%0" : "+m"(x), "=@ccb"(carry) : "r"(-4) : "memory");
    IS(carry, 1);
    IS(x, -1);
    ASM("lock andl %2,%0; setne %1" : "+m"(x), "=q"(set) : "r"(6) : "memory");
    IS(set, 1);
    IS(x, 6);
    ASM("lock orl $1,%0" : "+m"(x), "=@ccs"(b)::"memory");
    IS(b, 0);
    ASM("lock xorl %2,%0" : "+m"(x), "=@ccnz"(b) : "r"(7) : "memory");
    IS(b, 0);
    IS(x, 0);
    x = 7;
    ASM("cmpl $7,%1; seta %0" : "=q"(set) : "m"(x));
    IS(set, 0);
    ASM("cmpl %2,%1" : "=@ccbe"(b) : "m"(x), "r"(8));
    IS(b, 1);
    ASM("testl $7,%1" : "=@cce"(b) : "m"(x));
    IS(b, 0);
    y = 4;
    ASM("lock; btsq %2,%0; sbbl %1,%1" : "+m"(y), "=r"(mask) : "Ir"(2L) : "memory");
    IS(mask, -1);
    ASM("lock; btrq %2,%0\nsetc %1" : "+m"(y), "=q"(set) : "r"(2L) : "memory");
    IS(set, 1);
    IS(y, 0);
    ASM("lock; btcl $3,%0" : "+m"(y), "=@ccc"(b)::"memory");
    IS(b, 0);
    IS(y, 8);
    ASM("btl $3,%1" : "=@ccnc"(b) : "m"(y));
    IS(b, 0);
    ASM("lock bts %1,%0" : "+m"(bits[1]) : "r"(65L) : "memory"); /* of the next word */
    IS(bits[2], 2);
    ASM("lock btsq %1,%0" : "+m"(bits[1]) : "r"(-64L) : "memory"); /* of the one before */
    IS(bits[0], 1);
    IS(bits[1], 0);
    return 0;
}
static int exchanges(void)
{
    unsigned char set;
    bool b;
    int old = 3, was = 5, other;
    uint64_t low = 1, high = 2;
    x = 5;
    ASM("lock; cmpxchgl %3,%1; sete %0" : "=q"(set), "+m"(x), "+a"(old) : "r"(9) : "memory");
    IS(set, 0);
    IS(old, 5);
    ASM("lock cmpxchgl %3,%1" : "=@ccz"(b), "+m"(x), "=a"(was) : "r"(9), "2"(old) : "memory");
    IS(b, 1);
    IS(was, 5);
    IS(x, 9);
    ASM("lock; cmpxchg %2,(%1); setz %0" : "=q"(set) : "r"(&x), "r"(10), "a"(9) : "memory");
    IS(set, 1);
    IS(x, 10);
    s = 7;
    ASM("lock; cmpxchgw %w2,%1" : "=a"(old), "+m"(s) : "r"(8), "0"(7) : "memory");
    IS((short)old, 7);
    IS(s, 8);
    c = 200;
    set = 100;
    ASM("lock; xaddb %0,%1" : "+q"(set), "+m"(c)::"memory");
    IS(set, 200);
    IS(c, 44);
    other = 1;
    ASM("lock xaddl %0,(%1)" : "+r"(other) : "r"(&x) : "memory");
    IS(other, 10);
    IS(x, 11);
    int *q = &x;
    ASM("xchgq %0,%1" : "+r"(q), "+m"(p)::"memory");
    IS((q == 0) + (p == &x), 2);
    ASM("xchg %1,%0" : "+m"(x), "=r"(old) : "1"(12) : "memory");
    IS(old, 11);
    pair.low = 3, pair.high = 4;
    ASM("lock; cmpxchg16b %1; setz %0" : "=q"(set), "+m"(pair), "+a"(low), "+d"(high) : "b"(5ul),
        "c"(6ul) : "memory");
    IS(set, 0);
    IS(low * 10 + high, 34);
    ASM("lock; cmpxchg16b %1" : "=@ccz"(b), "+m"(pair), "+a"(low), "+d"(high) : "b"(5ul),
        "c"(6ul) : "memory");
    IS(b, 1);
    IS(pair.low * 10 + pair.high, 56);
    return 0;
}
static int moves(void)
{
    int r = 1;
    long l;
    ASM("movl %1,%0" : "=m"(x) : "r"(3) : "memory");
    ASM("movl %1,%0" : "=r"(r) : "m"(x));
    IS(r, 3);
    ASM("movl $4,%1; mfence; mov %1,%0; nop" : "=r"(r), "+m"(x)::"memory");
    IS(r, 4);
    ASM("movq %1,%0" : "=r"(l) : "m"(y));
    IS(l, y);
    ASM("movb $5,%0" : "=m"(c));
    IS(c, 5);
    ASM("incl %0; addl $2,%0" : "+m"(x));
    IS(x, 7);
    ASM("movl $8, 4(%0)  # the upper half" : : "r"(&y) : "memory");
    IS(y >> 32, 8);
    ASM("addl %1,%0" : "+r"(r) : "m"(x));
    IS(r, 11);
    ASM("lock; notl %0" : "+m"(x)::"memory");
    IS(x, ~7);
    ASM("lock; addl $0,0(%%rsp)" :: : "memory");
    return 0;
}
int main(void) { return flags() || exchanges() || moves(); }
