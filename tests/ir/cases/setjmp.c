/* Non-local jumps. */
#include <setjmp.h>
jmp_buf env;
int steps;
static void jump(void) { longjmp(env, 3); }
int main(void)
{
    int came = setjmp(env);
    steps++;
    if (came == 0)
        jump();
    return !(came == 3 && steps == 2);
}
