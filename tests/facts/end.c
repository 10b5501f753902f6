// The program of the other file, and then an end that counts as a violation: so that every run
// leaves a trace.
#include <stdlib.h>

int program_main();

int main(int argc, char **argv, char **environment)
{
    program_main(argc, argv, environment);
    abort();
}
