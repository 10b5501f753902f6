/* Locals whose address goes nowhere are silent, also structs, arrays and parameters by value. */
//! event read 4 shared @1
//! event write 4 shared @2
#include <string.h>
struct big {
    int v[20];
};
int shared = 5;
int t_locals(struct big by_value)
{
    struct big copy = by_value;
    int array[8], *q = &array[2];
    memset(array, 0, sizeof array);
    *q = shared;             /*@1*/
    shared = *q + copy.v[3]; /*@2*/
    array[by_value.v[0]] = 1;
    return array[2] + array[1];
}
int main(void)
{
    struct big big = { { 1, 2, 3, 4 } };
    return !(t_locals(big) == 6 && shared == 9);
}
