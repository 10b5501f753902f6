/* qsort: small arrays by way of a copy, large ones in their place, the thread's own untold; the
 * comparison's reads are told wherever they are. */
//! event read 12 three @1
//! event write 12 three @1
#include <stdlib.h>
struct pair {
    char key, place;
};
int three[] = { 3, 1, 2 }, many[10000], empty[1];
struct pair pairs[40];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_key(const void *a, const void *b)
{
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}
void t_sort(void)
{
    int mine[] = { 9, 7, 8 };
    qsort(three, 3, sizeof *three, compare); /*@1*/
    qsort(mine, 3, sizeof *mine, compare);
    qsort(empty, 0, sizeof *empty, compare);
    if (mine[0] != 7 || mine[1] != 8 || mine[2] != 9)
        abort();
}
int main(void)
{
    t_sort();
    if (three[0] != 1 || three[1] != 2 || three[2] != 3)
        return 1;
    for (int i = 0; i < 10000; i++)
        many[i] = i * 7919 % 10007;
    qsort(many, 10000, sizeof *many, compare);
    for (int i = 1; i < 10000; i++)
        if (many[i - 1] > many[i])
            return 2;
    for (int i = 0; i < 40; i++)
        pairs[i] = (struct pair){ (char)(i * 7 % 5), (char)i };
    qsort(pairs, 40, sizeof *pairs, by_key);
    for (int i = 1; i < 40; i++)
        if (pairs[i - 1].key > pairs[i].key ||
            (pairs[i - 1].key == pairs[i].key && pairs[i - 1].place > pairs[i].place))
            return 3;
    return 0;
}
