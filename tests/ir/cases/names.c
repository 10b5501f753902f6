/* What the source calls the object. */
//! event write 4 q.head @1
//! event write 4 q.tail @2
//! event write 4 q.in.y @3
//! event write 4 table[] @4
//! event write 4 grid[][].y @5
//! event write 4 p->tail @6
//! event write 4 p->in.y @7
//! event read 8 chain @8
//! event read 8 chain->next @8
//! event write 4 chain->next->head @8
//! event write 4 *i @9
//! event write 4 i[] @10
//! event write 8 u @11
struct in {
    int x, y;
};
struct q {
    int head, tail;
    struct in in;
    struct q *next;
};
union u {
    long a, b;
} u;
struct q q;
int table[4];
struct in grid[2][2];
struct q *chain = &q;
void t_names(int n, struct q *p, int *i)
{
    q.head = 1;            /*@1*/
    q.tail = 2;            /*@2*/
    q.in.y = 3;            /*@3*/
    table[n] = 4;          /*@4*/
    grid[n][1].y = 5;      /*@5*/
    p->tail = 6;           /*@6*/
    p->in.y = 7;           /*@7*/
    chain->next->head = 8; /*@8*/
    *i = 9;                /*@9*/
    i[n] = 10;             /*@10*/
    u.b = 11;              /*@11*/
}
int main(void)
{
    struct q other;
    static int i[2];
    q.next = &q;
    t_names(1, &other, i);
    return !(q.head == 8 && q.tail == 2 && q.in.y == 3 && table[1] == 4 && grid[1][1].y == 5 &&
             other.tail == 6 && other.in.y == 7 && i[0] == 9 && i[1] == 10 && u.a == 11);
}
