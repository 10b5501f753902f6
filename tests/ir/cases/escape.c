/* A local whose address is handed on is shared. */
//! event write 4 local @1
//! event write 8 where @2
//! event read 4 local @3
int *where;
void t_give(int *p) { where = p; /*@2*/ }
int t_escape(void)
{
    int local = 4; /*@1*/
    t_give(&local);
    return local; /*@3*/
}
int main(void) { return t_escape() != 4; }
