// The line stays in the buffer of the stream while its writer waits for the answer: nobody can go on.
// expect: violation deadlock
// also: --memory rc11 => violation deadlock
// also: --strategy brute => violation deadlock
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int question[2], answer[2];

static void *server(void *unused)
{
    FILE *in = fdopen(question[0], "r");
    char line[16];
    fgets(line, sizeof line, in);
    write(answer[1], "!", 1);
    return unused;
}

int main(void)
{
    pthread_t a;
    char byte;
    pipe(question);
    pipe(answer);
    FILE *out = fdopen(question[1], "w");
    pthread_create(&a, NULL, server, NULL);
    fprintf(out, "%d\n", 1); /* without fflush() */
    read(answer[0], &byte, 1);
    pthread_join(a, NULL);
    return 0;
}
