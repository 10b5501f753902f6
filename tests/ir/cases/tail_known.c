/* A call of the library that must stay last: heddle has something to do after it. */
#include <stdio.h>
int t_known(const char *a, const char *b) { __attribute__((musttail)) return rename(a, b); }
int main(void) { return t_known("", "") != -1; }
