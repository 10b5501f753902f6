/* Copies made for a call are gone after it: a loop does not eat the stack. */
#include <string.h>
char a[4096], b[4096];
int main(void)
{
    int equal = 0;
    memset(a, 'a', sizeof a - 1);
    memset(b, 'a', sizeof b - 1);
    for (int i = 0; i < 100000; i++)
        equal += strcmp(a, b) == 0;
    return equal != 100000;
}
