// The block has no room for the terminating NUL of the string.
// expect: violation memory
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *text = malloc(4);
    (void)argv;
    strcpy(text, argc > 5 ? "ab" : "four"); /* violation */
    free(text);
    return 0;
}
