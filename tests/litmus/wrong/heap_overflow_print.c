// The program formats a string that has no terminating NUL.
// expect: violation memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(3);
    memset(text, 'x', 3);
    char line[100];
    snprintf(line, sizeof line, "%s", text); /* violation */
    free(text);
    return 0;
}
