/* The same functions on memory of the thread's own: nothing to say, but that atoi may set
 * errno. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int t_private(int x)
{
    char text[32], copy[32];
    snprintf(text, sizeof text, "<%d %s>", x, "two");
    strcpy(copy, text);
    strcat(copy, "!");
    return (int)strlen(copy) * 100 + strcmp(copy, "<5 two>!") + atoi("3");
}
int main(void) { return t_private(5) != 803; }
//! info weak 0
//! event keep 4
