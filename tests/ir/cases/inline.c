/* A C99 inline function without an external definition. */
//! event read 4 x @1
int x = 6;
inline int t_twice(void) { return x * 2; /*@1*/ }
int main(void) { return t_twice() != 12; }
