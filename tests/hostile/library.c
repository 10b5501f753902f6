// Library functions that are given memory of locals, of globals and of thread-local variables: too little
// of it, without the end of a string, or after the end of its scope; and enough of it.
// cc-flags: -pthread
// case 1 sprintf-local: violation memory
// case 2 sprintf-global: violation memory
// case 3 snprintf-size: violation memory
// case 4 snprintf-member-behind: violation memory
// case 5 vsnprintf-local: violation memory
// case 6 vsnprintf-global: violation memory
// case 7 printf-unterminated: violation memory
// case 8 printf-precision: violation memory
// case 9 printf-star: violation memory
// case 10 fprintf-unterminated: violation memory
// case 11 vprintf-unterminated: violation memory
// case 12 puts-unterminated-constant: violation memory
// case 13 printf-returned: violation memory
// case 14 puts-returned: violation memory
// case 15 write-local: violation memory
// case 16 write-global: violation memory
// case 17 read-pipe-local: violation memory
// case 18 read-pipe-global: violation memory
// case 19 read-pipe-returned: violation memory
// case 20 recv-local: violation memory
// case 21 send-local: violation memory
// case 22 readv-local: violation memory
// case 23 writev-pieces: violation memory
// case 24 fread-local: violation memory
// case 25 fgets-local: violation memory
// case 26 fwrite-local: violation memory
// case 27 qsort-local: violation memory
// case 28 qsort-global: violation memory
// case 29 create-id: violation memory
// case 30 join-result: violation memory
// case 31 strcpy-source: violation memory
// case 32 strcpy-returned: violation memory
// case 33 strncpy-source: violation memory
// case 34 strcat-source: violation memory
// case 35 strncat-local: violation memory
// case 36 memcpy-returned: violation memory
// case 37 bzero-local: violation memory
// case 38 bcopy-local: violation memory
// case 39 strtol-unterminated: violation memory
// case 40 strtok-save: violation memory
// case 41 strdup-unterminated: violation memory
// case 42 sem-getvalue: violation memory
// case 43 clock-gettime: violation memory
// case 44 time: violation memory
// case 45 pipe: violation memory
// case 46 key-create: violation memory
// case 47 getline: violation memory
// case 48 sscanf-local: violation memory
// case 49 sscanf-number: violation memory
// case 50 sigaction-old: violation memory
// case 51 sigprocmask-old: violation memory
// case 52 nanosleep-request: violation memory
// case 53 poll-array: violation memory
// case 54 epoll-events: violation memory
// case 55 getrandom-local: violation memory
// case 56 memccpy-local: violation memory
// case 57 mempcpy-local: violation memory
// case 58 wcscpy-local: violation memory
// case 59 mbstowcs-local: violation memory
// case 60 strerror-r: violation memory
// case 61 getname: violation memory
// case 62 frexp: violation memory
// case 63 block-left: violation memory
// case 64 thread-local: violation memory
// case 65 thread-local-strcpy: violation memory
// case 66 thread-local-puts: violation memory
// case 67 dprintf: violation memory
// case 68 asprintf: violation memory
// case 69 setenv-unterminated: violation memory
// case 70 getenv-unterminated: violation memory
// case 71 memcmp-literal: violation memory
// case 72 stat-local: violation memory
// case 73 strftime-local: violation memory
// case 74 helper-in-loop: violation memory
// case 75 right-sprintf-fits: verified
// case 76 right-snprintf-cut: verified
// case 77 right-snprintf-null: verified
// case 78 right-snprintf-behind: verified
// case 79 right-vsnprintf-fits: verified
// case 80 right-many-arguments: verified
// case 81 right-many-reals: verified
// case 82 right-sums: verified
// case 83 right-long-doubles: verified
// case 84 right-structures: verified
// case 85 right-precision-of-unterminated: verified
// case 86 right-print-null: verified
// case 87 right-static-in-function: verified
// case 88 right-strncat-fits: verified
// case 89 right-strcat-fits: verified
// case 90 right-strncpy-unterminated: verified
// case 91 right-read-part: verified
// case 92 right-loop-of-locals: verified
// case 93 right-recursion: verified
// case 94 right-create-array: verified
// case 95 right-struct-with-array: verified
// case 96 right-whole-struct: verified
// case 97 right-longjmp: verified
// case 98 right-sscanf-fits: verified
// case 99 right-thread-local-fits: verified
// case 100 right-memchr-found: verified
// case 101 right-atomic-local: verified
// case 102 right-sort-strings: verified
// case 103 right-tokens: verified
// case 104 right-numbers: verified
// case 105 right-time-null: verified
// case 106 right-getline-lines: verified
// case 107 right-alloca-copies: verified
#include "library.h"

static void call(void)
{
#if V == 1
    char b[5];
    sprintf(b, "%s", text);
    sink(b[0]);
#elif V == 2
    sprintf(global, "%d", 123456);
#elif V == 3
    char b[5];
    snprintf(b, many, "%s", text);
    sink(b[0]);
#elif V == 4
    char b[8];
    snprintf(b + 4, 8, "%s", text);
    sink(b[0]);
#elif V == 5
    char b[5];
    formatted(b, "%s", text);
    sink(b[0]);
#elif V == 6
    formatted(global, "%s", text);
#elif V == 7
    char b[4] = { 'a', 'b', 'c', 'd' };
    printf("%s", b);
#elif V == 8
    char b[4] = { 'a', 'b', 'c', 'd' };
    printf("%.6s", b);
#elif V == 9
    char b[4] = { 'a', 'b', 'c', 'd' };
    printf("%.*s", 6, b);
#elif V == 10
    fprintf(stderr, "%d %s", 1, unterminated);
#elif V == 11
    char b[4] = { 'a', 'b', 'c', 'd' };
    print("%s", b);
#elif V == 12
    puts(letters);
#elif V == 13
    printf("%s", returned());
#elif V == 14
    puts(returned());
#elif V == 15
    char b[4] = { 0 };
    write(1, b, 8);
#elif V == 16
    write(1, global, many + 16);
#elif V == 17
    char b[4];
    int p[2];
    pipe(p);
    write(p[1], text, 8);
    read(p[0], b, 8);
    sink(b[0]);
#elif V == 18
    int p[2];
    pipe(p);
    write(p[1], text, 12);
    read(p[0], global, 12);
#elif V == 19
    int p[2];
    pipe(p);
    write(p[1], text, 8);
    read(p[0], returned(), 2);
#elif V == 20
    char b[4];
    int p[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    send(p[1], text, 8, 0);
    recv(p[0], b, 8, 0);
    sink(b[0]);
#elif V == 21
    char b[4] = { 0 };
    int p[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    send(p[1], b, 8, 0);
#elif V == 22
    char b[4];
    int p[2];
    pipe(p);
    write(p[1], text, 8);
    struct iovec v = { b, 8 };
    readv(p[0], &v, 1);
    sink(b[0]);
#elif V == 23
    char b[4] = { 0 };
    struct iovec v[1] = { { b, 4 } };
    writev(1, v, 2);
#elif V == 24
    char b[4];
    FILE *f = fopen("/dev/zero", "r");
    fread(b, 1, 8, f);
    fclose(f);
    sink(b[0]);
#elif V == 25
    char b[4];
    FILE *f = fopen("/dev/zero", "r");
    fgets(b, 8, f);
    fclose(f);
    sink(b[0]);
#elif V == 26
    char b[4] = { 0 };
    fwrite(b, 1, 8, stdout);
#elif V == 27
    int b[3] = { 3, 2, 1 };
    qsort(b, 4, sizeof *b, order);
    sink(b[0]);
#elif V == 28
    qsort(numbers, 5, sizeof *numbers, order);
#elif V == 29
    pthread_t t[2];
    pthread_create(&t[many - 4], NULL, nothing, NULL);
    pthread_join(t[0], NULL);
#elif V == 30
    void *r[2];
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, &r[many - 4]);
    sink((long)r);
#elif V == 31
    char b[4] = { 'a', 'b', 'c', 'd' };
    static char to[64];
    strcpy(to, b);
#elif V == 32
    strcpy(returned(), "a");
#elif V == 33
    char b[4] = { 'a', 'b', 'c', 'd' };
    static char to[64];
    strncpy(to, b, 8);
#elif V == 34
    char b[4] = { 'a', 'b', 'c', 'd' };
    static char to[64];
    strcat(to, b);
#elif V == 35
    char b[6] = "abc";
    strncat(b, "def", 3);
    sink(b[0]);
#elif V == 36
    memcpy(returned(), text, 2);
#elif V == 37
    char b[4];
    bzero(b, many);
    sink(b[0]);
#elif V == 38
    char b[4];
    bcopy(text, b, many);
    sink(b[0]);
#elif V == 39
    char b[2] = { '1', '2' };
    sink(strtol(b, NULL, 10));
#elif V == 40
    char b[4] = "a b";
    strtok_r(b, " ", (char **)(void *)small);
#elif V == 41
    char b[2] = { '1', '2' };
    free(strdup(b));
#elif V == 42
    sem_t s;
    sem_init(&s, 0, 0);
    int v[1];
    sem_getvalue(&s, &v[many - 5]);
    sink(v[0]);
#elif V == 43
    struct timespec t[1];
    clock_gettime(CLOCK_REALTIME, &t[many - 5]);
    sink(t[0].tv_sec);
#elif V == 44
    time_t t[1];
    time(&t[many - 5]);
    sink(t[0]);
#elif V == 45
    int p[1];
    pipe(p);
    sink(p[0]);
#elif V == 46
    pthread_key_t k[1];
    pthread_key_create(&k[many - 5], NULL);
    sink(k[0]);
#elif V == 47
    char *l[1] = { 0 };
    size_t n[1] = { 0 };
    FILE *f = fopen("/proc/self/maps", "r");
    getline(&l[many - 5], n, f);
    fclose(f);
    free(l[0]);
#elif V == 48
    char b[4];
    sscanf("abcdefgh", "%s", b);
    sink(b[0]);
#elif V == 49
    int v[1];
    sscanf("1", "%d", &v[many - 5]);
    sink(v[0]);
#elif V == 50
    struct sigaction a[1];
    sigaction(SIGUSR1, NULL, &a[many - 5]);
#elif V == 51
    sigset_t a[1];
    sigprocmask(SIG_BLOCK, NULL, &a[many - 5]);
#elif V == 52
    struct timespec a[1] = { { 0, 1 } };
    nanosleep(&a[many - 5], NULL);
#elif V == 53
    struct pollfd p[1] = { { 0, 0, 0 } };
    poll(p, 2, 0);
#elif V == 54
    struct epoll_event e[1];
    int p[2], q[2], x = epoll_create1(0);
    pipe(p);
    pipe(q);
    struct epoll_event w = { EPOLLOUT, { 0 } };
    epoll_ctl(x, EPOLL_CTL_ADD, p[1], &w);
    epoll_ctl(x, EPOLL_CTL_ADD, q[1], &w);
    sink(epoll_wait(x, e, 2, 0));
#elif V == 55
    char b[4];
    getrandom(b, many + 3, 0);
    sink(b[0]);
#elif V == 56
    char b[4];
    memccpy(b, text, 'x', 8);
    sink(b[0]);
#elif V == 57
    char b[4];
    mempcpy(b, text, many + 1);
    sink(b[0]);
#elif V == 58
    wchar_t b[2];
    wcscpy(b, L"abc");
    sink(b[0]);
#elif V == 59
    wchar_t b[2];
    mbstowcs(b, "abc", 4);
    sink(b[0]);
#elif V == 60
    char b[4];
    strerror_r(12345, b, 64);
    sink(b[0]);
#elif V == 61
    char b[4];
    pthread_getname_np(pthread_self(), b, 16);
    sink(b[0]);
#elif V == 62
    int v[1];
    sink((long)frexp(1.5, &v[many - 5]));
#elif V == 63
    char *p;
    {
        char b[4] = "abc";
        p = b;
        sink(p[0]);
    }
    {
        char c[4] = "xyz";
        sink(c[1]);
        puts(c);
    }
    puts(p);
#elif V == 64
    sprintf(own, "%d", 123456);
#elif V == 65
    strcpy(own, text);
#elif V == 66
    memset(own, 'a', sizeof own);
    puts(own);
#elif V == 67
    char b[4] = { 'a', 'b', 'c', 'd' };
    dprintf(1, "%s", b);
#elif V == 68
    char b[4] = { 'a', 'b', 'c', 'd' };
    char *s;
    if (asprintf(&s, "%s", b) >= 0)
        free(s);
#elif V == 69
    char b[4] = { 'a', 'b', 'c', 'd' };
    setenv(b, "x", 1);
#elif V == 70
    char b[4] = { 'a', 'b', 'c', 'd' };
    sink((long)getenv(b));
#elif V == 71
    sink(memcmp(text, "abc", 8));
#elif V == 72
    struct timespec t[2];
    sink(stat("/", (void *)t));
#elif V == 73
    char b[4];
    struct tm t = { .tm_mday = 1 };
    sink((long)strftime(b, 32, "%Y", &t));
#elif V == 74
    char b[3];
    for (int i = 8; i <= 100; i += 92)
        number(b, i);
    sink(b[0]);
#elif V == 75
    char b[5];
    sprintf(b, "%d", 1234);
    sink(b[3]);
#elif V == 76
    char b[5];
    sink(snprintf(b, sizeof b, "%s", text));
    sink(b[3]);
#elif V == 77
    sink(snprintf(NULL, 0, "%s", text));
#elif V == 78
    char b[8];
    snprintf(b + 4, 4, "%s", text);
    sink(b[5]);
#elif V == 79
    char b[17];
    formatted(b, "%s", text);
    sink(b[0]);
#elif V == 80
    char b[64];
    formatted(b, "%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    puts(b);
#elif V == 81
    char b[64];
    formatted(b, "%g %g %g %g %g %g %g %g %g %g", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
    puts(b);
#elif V == 82
    sink(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    char b[4] = "abc";
    puts(b);
    sink(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    deep(5);
    sink(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
#elif V == 83
    sink((long)reals(2, 1.5L, 2.5L));
    deep(3);
    sink((long)reals(2, 1.5L, 2.5L));
#elif V == 84
    struct big x = { { 1, 2, 3, 4, 5 } };
    deep(3);
    sink(bigs(2, x, x));
#elif V == 85
    char b[4] = { 'a', 'b', 'c', 'd' };
    printf("%.4s|%.*s", b, 4, b);
#elif V == 86
    char *p = NULL;
    print("%s", p);
    printf("%s\n", pointer);
#elif V == 87
    puts(kept(1));
    puts(kept(22));
#elif V == 88
    char b[6] = "abc";
    strncat(b, "de", 10);
    sink(strlen(b));
    strncat(b, "", SIZE_MAX);
    puts(b);
#elif V == 89
    char b[6] = "abc";
    strcat(b, "de");
    puts(b);
#elif V == 90
    char b[4];
    strncpy(b, text, 4);
    sink(b[3]);
    write(1, b, 4);
#elif V == 91
    char b[4];
    int p[2];
    pipe(p);
    write(p[1], text, 2);
    sink(read(p[0], b, 4));
    sink(b[1]);
    close(p[0]);
    close(p[1]);
#elif V == 92
    for (int i = 0; i < 3; i++) {
        char b[8];
        sprintf(b, "%d", i);
        puts(b);
        if (i) {
            char c[4];
            snprintf(c, 4, "%d", i);
            fputs(c, stdout);
        }
    }
#elif V == 93
    deep(6);
#elif V == 94
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, nothing, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
#elif V == 95
    struct named {
        int id;
        char name[8];
    } x;
    snprintf(x.name, sizeof x.name, "t%d", 3);
    x.id = 1;
    printf("%d %s\n", x.id, x.name);
#elif V == 96
    struct pair {
        int a, b;
    } x[2] = { { 1, 2 }, { 3, 4 } }, y[2];
    int p[2];
    pipe(p);
    write(p[1], x, sizeof x);
    sink(read(p[0], y, sizeof y));
    sink(y[1].b);
#elif V == 97
    jmp_buf j;
    char b[8];
    strcpy(b, "abc");
    if (setjmp(j) == 0) {
        deep(3);
        longjmp(j, 1);
    }
    puts(b);
#elif V == 98
    char b[9];
    int v;
    sink(sscanf("abcdefgh 7", "%8s %d", b, &v));
    puts(b);
    sink(v);
#elif V == 99
    sprintf(own, "%d", 123);
    puts(own);
#elif V == 100
    sink((long)memchr(text, '3', 64) != 0);
#elif V == 101
    struct three {
        char c[3];
    };
    _Atomic(struct three) a;
    atomic_init(&a, ((struct three){ { 1, 2, 3 } }));
    struct three b = a;
    sink(b.c[2]);
    a = b;
#elif V == 102
    char *v[3] = { "b", "c", "a" };
    qsort(v, 3, sizeof *v, by_text);
    puts(v[0]);
#elif V == 103
    char b[] = "a b c", *s;
    for (char *t = strtok_r(b, " ", &s); t; t = strtok_r(NULL, " ", &s))
        puts(t);
#elif V == 104
    char b[] = "12x", *e;
    sink(strtol(b, &e, 10));
    puts(e);
    sink(strtol("7", NULL, 10));
#elif V == 105
    sink(time(NULL) != 0);
    struct timespec t = { 0, 1 };
    nanosleep(&t, NULL);
#elif V == 106
    FILE *f = fopen("/proc/self/status", "r");
    char *l = NULL;
    size_t n = 0;
    if (f && getline(&l, &n, f) > 0)
        sink(strlen(l) > 0);
    free(l);
    if (f)
        fclose(f);
#elif V == 107
    printf("%s %s %s\n", global, text, pointer);
    deep(2);
    printf("%s %s\n", text, global);
#endif
}

static void *work(void *arg)
{
    (void)nothing, (void)order, (void)by_text, (void)formatted, (void)print, (void)sum,
        (void)reals;
    (void)bigs, (void)returned, (void)kept, (void)number, (void)deep, (void)numbers, (void)small;
    (void)letters, (void)unterminated, (void)pointer;
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
