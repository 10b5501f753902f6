// What library functions have written, and what they compare: only the bytes that came have a value, and a
// comparison depends on those up to the first difference.
// cc-flags: -pthread
// case 1 read-short: violation memory
// case 2 read-short-heap: violation memory
// case 3 read-end-of-file: violation memory
// case 4 recv-short: violation memory
// case 5 recvfrom-short: violation memory
// case 6 readv-short: violation memory
// case 7 fread-short: violation memory
// case 8 fgets-failed: violation memory
// case 9 fgets-behind: violation memory
// case 10 pread-short: violation memory
// case 11 stat-failed: violation memory
// case 12 sscanf-unmatched: violation memory
// case 13 sscanf-word-behind: violation memory
// case 14 fscanf-word-behind: violation memory
// case 15 fscanf-end: violation memory
// case 16 vsnprintf-behind: violation memory
// case 17 snprintf-behind: violation memory
// case 18 strftime-behind: violation memory
// case 19 wcscpy-behind: violation memory
// case 20 memcmp-tail: violation memory
// case 21 memcmp-one: violation memory
// case 22 memcmp-padding: violation memory
// case 23 strcmp-unwritten: violation memory
// case 24 strncmp-unwritten: violation memory
// case 25 strcasecmp-unwritten: violation memory
// case 26 printf-star-unwritten: violation memory
// case 27 strlen-after-read: violation memory
// case 28 puts-after-read: violation memory
// case 29 getline-pointer: violation memory
// case 30 right-read-loop: verified
// case 31 right-read-terminated: verified
// case 32 right-read-struct: verified
// case 33 right-write-padding: verified
// case 34 right-fread-whole: verified
// case 35 right-fread-number: verified
// case 36 right-fread-part: verified
// case 37 right-fgets-line: verified
// case 38 right-fgets-heap-line: verified
// case 39 right-pread-number: verified
// case 40 right-stat-size: verified
// case 41 right-sscanf-two: verified
// case 42 right-sscanf-short-word: verified
// case 43 right-sscanf-set: verified
// case 44 right-sscanf-char: verified
// case 45 right-sscanf-count: verified
// case 46 right-sscanf-keeps: verified
// case 47 right-sscanf-allocated: verified
// case 48 right-sscanf-kinds: verified
// case 49 right-fscanf-word: verified
// case 50 right-strftime-text: verified
// case 51 right-time-texts: verified
// case 52 right-memalign: verified
// case 53 right-memcmp-differs-before: verified
// case 54 right-memcmp-cleared: verified
// case 55 right-memcmp-braces: verified
// case 56 right-memcmp-copy: verified
// case 57 right-memcmp-global-copy: verified
// case 58 right-memcmp-arrays: verified
// case 59 right-memcmp-bits: verified
// case 60 right-memcmp-strings: verified
// case 61 right-memcmp-heap-copied: verified
// case 62 right-strcmp-differs-before: verified
// case 63 right-strcmp-heap: verified
// case 64 right-printf-star: verified
// case 65 right-getline-lines: verified
// case 66 right-wide: verified
// case 67 right-random: verified
// case 68 right-epoll: verified
// case 69 right-results: verified
// case 70 right-options: verified
#include "library.h"

static void call(void)
{
#if V == 1
    char b[16];
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    read(p[0], b, 16);
    if (b[8])
        puts("x");
#elif V == 2
    char *b = malloc(16);
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    read(p[0], b, 16);
    if (b[8])
        puts("x");
    free(b);
#elif V == 3
    char b[4];
    int f = open("/dev/null", O_RDONLY);
    read(f, b, 4);
    close(f);
    if (b[0])
        puts("x");
#elif V == 4
    char b[16];
    int p[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, p);
    send(p[1], text, 4, 0);
    recv(p[0], b, 16, 0);
    if (b[8])
        puts("x");
#elif V == 5
    char b[16];
    int p[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, p);
    send(p[1], text, 4, 0);
    recvfrom(p[0], b, 16, 0, NULL, NULL);
    if (b[8])
        puts("x");
#elif V == 6
    char b[4], c[4];
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    struct iovec v[2] = { { b, 4 }, { c, 4 } };
    readv(p[0], v, 2);
    if (c[0])
        puts("x");
#elif V == 7
    char b[16];
    FILE *f = fopen("/dev/null", "r");
    fread(b, 1, 16, f);
    fclose(f);
    if (b[8])
        puts("x");
#elif V == 8
    char b[16];
    FILE *f = fopen("/dev/null", "r");
    fgets(b, 16, f);
    fclose(f);
    if (b[0])
        puts("x");
#elif V == 9
    char *b = malloc(64);
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    fgets(b, 64, f);
    fclose(f);
    if (b[60])
        puts("x");
    free(b);
#elif V == 10
    char b[16];
    int f = open("/dev/null", O_RDONLY);
    pread(f, b, 16, 0);
    close(f);
    if (b[8])
        puts("x");
#elif V == 11
    struct stat s;
    stat("/nowhere/at/all", &s);
    if (s.st_size)
        puts("x");
#elif V == 12
    int a, b;
    sscanf("1 x", "%d %d", &a, &b);
    if (b)
        puts("x");
#elif V == 13
    char b[16];
    sscanf("ab", "%15s", b);
    if (b[8])
        puts("x");
#elif V == 14
    char b[16];
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    fscanf(f, "%15s", b);
    fclose(f);
    if (b[12])
        puts("x");
#elif V == 15
    int a;
    FILE *f = fopen("/dev/null", "r");
    fscanf(f, "%d", &a);
    fclose(f);
    if (a)
        puts("x");
#elif V == 16
    char b[64];
    formatted(b, "%d", 1);
    if (b[8])
        puts("x");
#elif V == 17
    char b[64];
    snprintf(b, 64, "%d", 1);
    if (b[8])
        puts("x");
#elif V == 18
    char b[64];
    struct tm t = { .tm_mday = 1 };
    strftime(b, 64, "%d", &t);
    if (b[8])
        puts("x");
#elif V == 19
    wchar_t b[8];
    wcscpy(b, L"a");
    if (b[4])
        puts("x");
#elif V == 20
    char *a = malloc(8), *b = malloc(8);
    memset(a, 1, 4);
    memset(b, 1, 4);
    if (memcmp(a, b, 8))
        puts("x");
    free(a);
    free(b);
#elif V == 21
    char a[4] = "abc", b[4];
    b[0] = 'a';
    b[1] = 'b';
    b[2] = 'c';
    if (memcmp(a, b, 4))
        puts("x");
#elif V == 22
    struct s {
        char c;
        int i;
    } *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->c = b->c = 1;
    a->i = b->i = 2;
    if (memcmp(a, b, sizeof *a))
        puts("x");
    free(a);
    free(b);
#elif V == 23
    char b[4];
    b[0] = 'a';
    if (strcmp(b, "abc"))
        puts("x");
#elif V == 24
    char b[4];
    b[0] = 'a';
    if (strncmp(b, "abc", 2))
        puts("x");
#elif V == 25
    char b[4];
    b[0] = 'A';
    if (strcasecmp(b, "abc"))
        puts("x");
#elif V == 26
    char b[8];
    memset(b, 'a', 2);
    printf("%.*s", 4, b);
#elif V == 27
    char b[16];
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    read(p[0], b, 16);
    if (strlen(b))
        puts("x");
#elif V == 28
    char b[16];
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    read(p[0], b, 15);
    puts(b);
#elif V == 29
    char *l;
    size_t n;
    FILE *f = fopen("/dev/null", "r");
    if (getline(&l, &n, f) > 0)
        puts(l);
    fclose(f);
#elif V == 30
    char b[16];
    int p[2], n = 0;
    pipe(p);
    write(p[1], text, 4);
    write(p[1], text, 4);
    while (n < 8)
        n += read(p[0], b + n, 16 - n);
    if (b[7])
        puts("x");
#elif V == 31
    char b[16];
    int p[2];
    pipe(p);
    write(p[1], text, 4);
    long n = read(p[0], b, 15);
    b[n] = 0;
    if (strlen(b) == 4)
        puts(b);
    if (strcmp(b, "0123"))
        puts("x");
#elif V == 32
    struct m {
        char k;
        long v;
    } m = { 1, 2 }, r;
    int p[2];
    pipe(p);
    write(p[1], &m, sizeof m);
    if (read(p[0], &r, sizeof r) == sizeof r && r.v == 2)
        puts("x");
#elif V == 33
    struct m {
        char k;
        long v;
    } *m = malloc(sizeof *m);
    m->k = 1;
    m->v = 2;
    int p[2];
    pipe(p);
    write(p[1], m, sizeof *m);
    struct m r;
    if (read(p[0], &r, sizeof r) == sizeof r && r.v == 2)
        puts("x");
    free(m);
#elif V == 34
    char b[4];
    FILE *f = fopen("/dev/zero", "r");
    if (fread(b, 2, 2, f) == 2 && b[3])
        puts("x");
    fclose(f);
#elif V == 35
    int v;
    FILE *f = fopen("/dev/zero", "r");
    if (fread(&v, sizeof v, 1, f) == 1 && v)
        puts("x");
    fclose(f);
#elif V == 36
    char b[64];
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    size_t n = fread(b, 1, sizeof b, f);
    fclose(f);
    for (size_t i = 0; i < n; i++)
        if (b[i] == '!')
            puts("x");
#elif V == 37
    char b[64];
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    while (fgets(b, sizeof b, f)) {
        b[strcspn(b, "\n")] = 0;
        puts(b);
    }
    fclose(f);
#elif V == 38
    char *b = malloc(64);
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    if (fgets(b, 64, f) && strcmp(b, "x"))
        puts(b);
    fclose(f);
    free(b);
#elif V == 39
    int v;
    int f = open("/dev/zero", O_RDONLY);
    if (pread(f, &v, sizeof v, 0) == sizeof v && v)
        puts("x");
    close(f);
#elif V == 40
    struct stat s;
    if (stat("/", &s) == 0 && s.st_size)
        puts("x");
    if (fstat(1, &s) == 0 && S_ISDIR(s.st_mode))
        puts("y");
#elif V == 41
    int a = 0;
    char w[8];
    if (sscanf("7 abc", "%d %7s", &a, w) == 2 && a == 7 && !strcmp(w, "abc"))
        puts(w);
#elif V == 42
    char w[4];
    int v;
    if (sscanf("abc 123456789", "%s %d", w, &v) == 2 && v)
        puts(w);
#elif V == 43
    char w[4];
    if (sscanf("abc=1", "%[a-z]", w) == 1)
        puts(w);
#elif V == 44
    char c[2];
    if (sscanf("xy", "%2c", c) == 1 && c[1] == 'y')
        puts("x");
#elif V == 45
    int n = 0, v;
    if (sscanf("12 ab", "%d%n", &v, &n) == 1 && n == 2)
        puts("x");
#elif V == 46
    int a = 5, b = 6;
    sscanf("1", "%d %d", &a, &b);
    if (a == 1 && b == 6)
        puts("x");
#elif V == 47
    char *w = NULL;
    if (sscanf("abc d", "%ms", &w) == 1)
        puts(w);
    free(w);
#elif V == 48
    long l;
    short h;
    double d;
    float f;
    char c;
    void *q;
    if (sscanf("1 2 3.5 4.5 x 0x10", "%ld %hd %lf %f %c %p", &l, &h, &d, &f, &c, &q) == 6 &&
        l + h > 0 && d > f - 9 && c == 'x' && q)
        puts("x");
#elif V == 49
    char b[16];
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    if (fscanf(f, "%15s", b) == 1)
        puts(b);
    fclose(f);
#elif V == 50
    char b[32];
    struct tm t = { .tm_mday = 1 };
    if (strftime(b, 32, "%d", &t))
        puts(b);
#elif V == 51
    char b[64];
    time_t t = 0;
    struct tm r;
    if (gmtime_r(&t, &r) && r.tm_year == 70 && asctime_r(&r, b) && b[0] == 'T')
        puts(b);
    if (ctime_r(&t, b))
        puts(b);
#elif V == 52
    void *q;
    if (posix_memalign(&q, 64, 64) == 0) {
        memset(q, 1, 64);
        if (((char *)q)[3] != 1)
            puts("x");
        free(q);
    }
#elif V == 53
    char *a = malloc(8), *b = malloc(8);
    a[0] = 1;
    b[0] = 2;
    if (memcmp(a, b, 8) < 0)
        puts("x");
    free(a);
    free(b);
#elif V == 54
    struct s {
        char c;
        int i;
    } a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 1;
    a.i = b.i = 2;
    if (memcmp(&a, &b, sizeof a))
        puts("x");
#elif V == 55
    struct s {
        int j;
        int i;
    } a = { 1, 2 }, b = { .i = 2, .j = 1 };
    if (memcmp(&a, &b, sizeof a))
        puts("x");
#elif V == 56
    struct s {
        char c;
        int i;
    } a = { 0 }, b;
    a.c = 1;
    a.i = 2;
    b = a;
    if (memcmp(&a, &b, sizeof a))
        puts("x");
#elif V == 57
    static struct s {
        char c;
        int i;
    } g;
    struct s a = g;
    if (memcmp(&a, &g, sizeof a))
        puts("x");
#elif V == 58
    int a[3], b[3];
    for (int i = 0; i < 3; i++)
        a[i] = b[i] = i;
    if (memcmp(a, b, sizeof a))
        puts("x");
#elif V == 59
    struct s {
        unsigned a : 4, b : 28;
    } x = { 1, 2 }, y = { 1, 2 };
    if (memcmp(&x, &y, sizeof x))
        puts("x");
#elif V == 60
    char a[8], b[8];
    strcpy(a, "abc");
    strcpy(b, "abd");
    if (memcmp(a, b, 4))
        puts("x");
#elif V == 61
    char *a = malloc(16);
    memcpy(a, text, 16);
    if (memcmp(a, text, 16))
        puts("x");
    free(a);
#elif V == 62
    char b[4];
    b[0] = 'x';
    if (strncmp(b, "abc", 3))
        puts("x");
#elif V == 63
    char *b = malloc(32);
    snprintf(b, 32, "k%d", 3);
    if (strcmp(b, "k3") == 0 && strcasecmp(b, "K3") == 0)
        puts(b);
    free(b);
#elif V == 64
    char b[8];
    memset(b, 'a', 4);
    printf("%.*s|%.3s", 4, b, b);
#elif V == 65
    char *l = NULL;
    size_t n = 0;
    FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    while (getline(&l, &n, f) > 0)
        if (strcmp(l, "x"))
            puts(l);
    free(l);
    fclose(f);
#elif V == 66
    wchar_t b[8];
    wcscpy(b, L"ab");
    wcscat(b, L"c");
    if (wcscmp(b, L"abc") == 0 && b[2])
        puts("x");
    if (wmemcmp(b, L"ab", 2))
        puts("y");
#elif V == 67
    unsigned v;
    if (getrandom(&v, sizeof v, 0) == sizeof v && v == 0)
        puts("x");
#elif V == 68
    struct epoll_event e[2];
    int p[2], x = epoll_create1(0);
    pipe(p);
    struct epoll_event w = { EPOLLOUT, { .fd = 7 } };
    epoll_ctl(x, EPOLL_CTL_ADD, p[1], &w);
    if (epoll_wait(x, e, 2, 0) == 1 && e[0].data.fd == 7)
        puts("x");
#elif V == 69
    int v;
    sem_t s;
    sem_init(&s, 0, 3);
    sem_getvalue(&s, &v);
    if (v != 3)
        puts("x");
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (t.tv_sec < 0)
        puts("y");
    time_t u;
    time(&u);
    if (u < 0)
        puts("z");
    sigset_t z;
    sigprocmask(SIG_BLOCK, NULL, &z);
    if (sigismember(&z, SIGUSR1))
        puts("q");
#elif V == 70
    int on = 1, v;
    socklen_t n = sizeof v;
    int p[2];
    pipe(p);
    int k;
    if (ioctl(p[0], FIONREAD, &k) == 0 && k)
        puts("x");
    (void)on, (void)v, (void)n;
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
