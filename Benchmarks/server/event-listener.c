/* Holds many event streams open and tells when each change arrived.

   event-listener PORT STREAMS, with the token in BENCH_TOKEN. It prints `ready` once every stream has
   answered and been silent for a moment; from then on, each time every stream has been told of a
   change, one line with the streams' times in nanoseconds of CLOCK_MONOTONIC. It ends with its
   standard input. In C, because reading a thousand sockets from Python takes longer than what is to
   be measured. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_STREAMS = 100000, SILENCE_MS = 500 };

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "event-listener: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int open_stream(int port, const char *token) {
    int stream = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (stream < 0 || connect(stream, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("connect");
    }
    char request[1024];
    int length = snprintf(
        request, sizeof request,
        "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n\r\n", token);
    if (write(stream, request, length) != length) fail("write");
    return stream;
}

int main(int count, char **arguments) {
    const char *token = getenv("BENCH_TOKEN");
    int port = count > 1 ? atoi(arguments[1]) : 0;
    int streams = count > 2 ? atoi(arguments[2]) : 0;
    if (!token || port <= 0 || streams <= 0 || streams > MOST_STREAMS) {
        fprintf(stderr, "usage: BENCH_TOKEN=… event-listener PORT STREAMS\n");
        return 2;
    }
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);

    int poll = epoll_create1(0);
    int *sockets = calloc(streams, sizeof *sockets);
    long long *told = calloc(streams, sizeof *told);
    if (poll < 0 || !sockets || !told) fail("start");
    for (int index = 0; index < streams; index++) {
        sockets[index] = open_stream(port, token);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, sockets[index], &event) != 0) fail("epoll");
    }
    struct epoll_event input = {.events = EPOLLIN | EPOLLHUP, .data.u32 = streams};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) fail("epoll");

    int answered = 0, arrived = 0, is_ready = 0;
    struct epoll_event events[256];
    static char bytes[64 << 10];
    while (1) {
        int silent = !is_ready && answered == streams;
        int happened = epoll_wait(poll, events, 256, silent ? SILENCE_MS : -1);
        if (happened < 0 && errno != EINTR) fail("epoll_wait");
        if (happened == 0) {
            is_ready = 1;
            arrived = 0;
            memset(told, 0, streams * sizeof *told);
            printf("ready\n");
            fflush(stdout);
        }
        for (int next = 0; next < happened; next++) {
            int index = events[next].data.u32;
            if (index == streams) return 0;
            ssize_t size = read(sockets[index], bytes, sizeof bytes);
            if (size <= 0) {
                fprintf(stderr, "event-listener: stream %d ended\n", index);
                return 1;
            }
            if (!is_ready) {
                if (!told[index]) {
                    if (size < 12 || memcmp(bytes + 8, " 200", 4) != 0) {
                        fprintf(stderr, "event-listener: %.60s\n", bytes);
                        return 1;
                    }
                    told[index] = 1;
                    answered++;
                }
            } else if (!told[index] && memmem(bytes, size, "event: change", 13)) {
                told[index] = now();
                arrived++;
            }
        }
        if (is_ready && arrived == streams) {
            for (int index = 0; index < streams; index++) printf("%lld ", told[index]);
            printf("\n");
            fflush(stdout);
            arrived = 0;
            memset(told, 0, streams * sizeof *told);
        }
    }
}
