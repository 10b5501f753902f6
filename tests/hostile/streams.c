// Streams and directories that are used after they have been closed; and right uses.
// cc-flags: -pthread
// case 1 fgets: violation memory
// case 2 fgetc: violation memory
// case 3 getc: violation memory
// case 4 ungetc: violation memory
// case 5 fread: violation memory
// case 6 fscanf: violation memory
// case 7 getline: violation memory
// case 8 feof: violation memory
// case 9 ferror: violation memory
// case 10 fileno: violation memory
// case 11 fseek: violation memory
// case 12 ftell: violation memory
// case 13 rewind: violation memory
// case 14 fprintf: violation memory
// case 15 vfprintf: violation memory
// case 16 fputs: violation memory
// case 17 fputc: violation memory
// case 18 putc: violation memory
// case 19 fwrite: violation memory
// case 20 fflush: violation memory
// case 21 fclose: violation memory
// case 22 setvbuf: violation memory
// case 23 flockfile: violation memory
// case 24 freopen: violation memory
// case 25 other-thread: violation memory
// case 26 conditional: violation memory
// case 27 fdopen: violation memory
// case 28 readdir: violation memory
// case 29 closedir: violation memory
// case 30 rewinddir: violation memory
// case 31 dirfd: violation memory
// case 32 entry: violation memory
// case 33 free: violation memory
// case 34 right-joined: verified
// case 35 right-locked: verified
// case 36 right-again: verified
// case 37 right-two: verified
// case 38 right-reopened: verified
// case 39 right-standard: verified
// case 40 right-directory: verified
// case 41 right-failed: verified
// case 42 right-closed-pipe: verified
// case 43 right-closed-file: verified
#define _GNU_SOURCE 1
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *shared;
static volatile long sunk;

static void sink(long value) { sunk = value; }

static void print(FILE *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
}

static void *logs(void *unused)
{
    fprintf(shared, "a\n");
    fputs("b\n", shared);
    return unused;
}

static void *logs_locked(void *unused)
{
    pthread_mutex_lock(&lock);
    if (shared)
        fputs("b\n", shared);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void call(void)
{
#if V == 1
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    char b[4];
    if (fgets(b, 4, f))
        puts(b);
#elif V == 2
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(fgetc(f));
#elif V == 3
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(getc(f));
#elif V == 4
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(ungetc('a', f));
#elif V == 5
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    char b[4];
    sink((long)fread(b, 1, 4, f));
#elif V == 6
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    int v;
    sink(fscanf(f, "%d", &v));
#elif V == 7
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    char *l = NULL;
    size_t n = 0;
    sink(getline(&l, &n, f));
#elif V == 8
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(feof(f));
#elif V == 9
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(ferror(f));
#elif V == 10
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(fileno(f));
#elif V == 11
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(fseek(f, 0, SEEK_SET));
#elif V == 12
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    sink(ftell(f));
#elif V == 13
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    rewind(f);
#elif V == 14
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fprintf(f, "x");
#elif V == 15
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    print(f, "%d", 1);
#elif V == 16
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fputs("x", f);
#elif V == 17
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fputc('x', f);
#elif V == 18
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    putc('x', f);
#elif V == 19
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fwrite("x", 1, 1, f);
#elif V == 20
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fflush(f);
#elif V == 21
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    fclose(f);
#elif V == 22
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    setvbuf(f, NULL, _IONBF, 0);
#elif V == 23
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    flockfile(f);
#elif V == 24
    FILE *f = fopen("/dev/null", "w");
    fclose(f);
    f = freopen("/dev/null", "w", f);
#elif V == 25
    pthread_t t;
    shared = fopen("/dev/null", "w");
    pthread_create(&t, NULL, logs, NULL);
    fclose(shared);
    pthread_join(t, NULL);
#elif V == 26
    FILE *f = fopen("/dev/zero", "r");
    if (fgetc(f) == 0)
        fclose(f);
    sink(fgetc(f));
#elif V == 27
    FILE *f = fdopen(open("/dev/null", O_RDONLY), "r");
    fclose(f);
    sink(fgetc(f));
#elif V == 28
    DIR *d = opendir("/");
    closedir(d);
    sink((long)readdir(d));
#elif V == 29
    DIR *d = opendir("/");
    closedir(d);
    closedir(d);
#elif V == 30
    DIR *d = opendir("/");
    closedir(d);
    rewinddir(d);
#elif V == 31
    DIR *d = opendir("/");
    closedir(d);
    sink(dirfd(d));
#elif V == 32
    DIR *d = opendir("/");
    struct dirent *e = readdir(d);
    closedir(d);
    puts(e->d_name);
#elif V == 33
    FILE *f = fopen("/dev/zero", "r");
    fclose(f);
    free(f);
#elif V == 34
    pthread_t t;
    shared = fopen("/dev/null", "w");
    pthread_create(&t, NULL, logs, NULL);
    pthread_join(t, NULL);
    fclose(shared);
#elif V == 35
    pthread_t t;
    shared = fopen("/dev/null", "w");
    pthread_create(&t, NULL, logs_locked, NULL);
    pthread_mutex_lock(&lock);
    fclose(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
#elif V == 36
    for (int i = 0; i < 40; i++) {
        FILE *f = fopen("/dev/zero", "r");
        sink(fgetc(f));
        fclose(f);
    }
#elif V == 37
    FILE *f = fopen("/dev/zero", "r"), *g = fopen("/dev/zero", "r");
    fclose(f);
    sink(fgetc(g));
    fclose(g);
#elif V == 38
    FILE *f = fopen("/dev/zero", "r");
    f = freopen("/proc/sys/kernel/ostype", "r", f);
    sink(fgetc(f));
    fclose(f);
#elif V == 39
    printf("a");
    fputs("b", stderr);
    fflush(stdout);
    fflush(NULL);
    sink(fileno(stdout));
#elif V == 40
    DIR *d = opendir("/proc/sys");
    struct dirent *e;
    while ((e = readdir(d)))
        sink(e->d_name[0]);
    rewinddir(d);
    closedir(d);
#elif V == 41
    FILE *f = fopen("/nowhere/at/all", "r");
    if (f)
        fclose(f);
    DIR *d = opendir("/nowhere");
    if (d)
        closedir(d);
#elif V == 42
    int p[2];
    pipe(p);
    close(p[0]);
    sink(read(p[0], (char[1]){ 0 }, 1));
    close(p[1]);
    sink(close(p[1]));
#elif V == 43
    int f = open("/dev/null", O_RDONLY);
    close(f);
    sink(close(f));
#endif
}

static void *work(void *arg)
{
    (void)print, (void)logs, (void)logs_locked;
    call();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
