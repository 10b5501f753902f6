#!/bin/bash
# A threaded C program of about N lines, on standard output: bench/generate.sh N
#
# Modules of some 280 lines, each with a queue under a lock, a worker thread, a chain of functions over a
# table and a linked list, and functions called through pointers; every second worker uses the queue
# of its neighbour.
set -u
awk -v n="${1:?lines}" 'BEGIN {
    print "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    print "struct item {\n    struct item *next;\n    int key;\n    void (*act)(struct item *);\n    char name[16];\n};"
    print "struct queue {\n    pthread_mutex_t lock;\n    struct item *head;\n    int n;\n};"
    m = int(n / 278); if (m < 1) m = 1
    for (k = 0; k < m; k++) {
        printf "static struct queue q%d = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };\n", k
        printf "static int total%d, private%d, table%d[64];\n", k, k, k
        for (i = 0; i < 10; i++) {
            printf "static int f%d_%d(struct item *it, int n)\n{\n    int sum = 0;\n    struct item *at = it;\n", k, i
            printf "    for (int i = 0; i < n; i++) {\n        table%d[i & 63] += at ? at->key : i;\n", k
            print "        if (at && at->next)\n            at = at->next;\n        else if (n > 3)"
            printf "            sum += table%d[(i * 7) & 63];\n        switch (i & 3) {\n        case 0:\n", k
            printf "            private%d += i;\n            break;\n        case 1:\n            sum ^= n;\n", k
            printf "            break;\n        default:\n            sum -= total%d;\n        }\n    }\n", k
            if (i) printf "    if (sum > 100 && f%d_%d(at, n - 1))\n", k, i - 1
            else print "    if (sum > 100)"
            print "        sum = 0;\n    return sum;\n}"
        }
        printf "static void act%d(struct item *it)\n{\n    pthread_mutex_lock(&q%d.lock);\n", k, k
        printf "    total%d += f%d_9(it, 4);\n    pthread_mutex_unlock(&q%d.lock);\n}\n", k, k, k
        printf "static void *worker%d(void *arg)\n{\n    struct queue *q = arg;\n", k
        print "    for (int i = 0; i < 3; i++) {\n        struct item *it = calloc(1, sizeof *it);"
        printf "        if (!it)\n            return NULL;\n        it->act = act%d;\n        it->key = i;\n", k
        print "        pthread_mutex_lock(&q->lock);\n        it->next = q->head;\n        q->head = it;"
        print "        q->n++;\n        pthread_mutex_unlock(&q->lock);\n        if (q->head->act)"
        print "            q->head->act(it);\n    }\n    return NULL;\n}"
    }
    printf "int main(void)\n{\n    pthread_t t[%d];\n", m
    for (k = 0; k < m; k++)
        printf "    pthread_create(&t[%d], NULL, worker%d, &q%d);\n", k, k, k % 2 ? k - 1 : k
    printf "    for (int i = 0; i < %d; i++)\n        pthread_join(t[i], NULL);\n", m
    for (k = 0; k < m; k++)
        printf "    printf(\"%%d\\n\", total%d + private%d);\n", k, k
    print "    return 0;\n}"
}'
