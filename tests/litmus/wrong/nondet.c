// A value from outside decides; one of those tried is wrong, and others are not tried at all.
// expect: violation assertion
// options: --nondet -1..3
// also: --nondet 1..3 => no-violation-found
// also: --nondet -1..3 --reduce none => violation assertion
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char m = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n < m);
    if (n + m == 1 && n == 0)
        reach_error(); /* violation */
    return 0;
}
