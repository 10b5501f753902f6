/* Thread-local variables whose address goes nowhere are restored, not observed; errno too.  One
 * whose address is handed on is observed. */
//! event keep 4
//! event keep 4
//! event keep 4
//! event write 4 seen @1
#include <errno.h>
static _Thread_local int mine;
_Thread_local int seen;
int *where;
int t_local(int x)
{
    mine = x;
    mine += 1;
    errno = 7;
    seen = 1; /*@1*/
    return mine + errno;
}
int main(void)
{
    where = &seen;
    return t_local(3) != 11 || *where != 1;
}
