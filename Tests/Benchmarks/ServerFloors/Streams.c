#include "Channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// One stream: how many events it has had.
typedef struct {
  channel channel;
  int has_begun;
  int events;
} one_stream;

struct server_streams {
  int count;
  int opened;
  int poll;
  // How many events each stream had when the last wait began.
  int seen;
  SSL_CTX *tls;
  one_stream *all;
};

static const char begun_mark[] = ": open";
static const char event_mark[] = "event: changed";

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Takes what has come. The server writes an event with one call, so none is cut in two here.
static int take(one_stream *stream) {
  char bytes[4097];
  while (1) {
    const ssize_t count = channel_read(&stream->channel, bytes, sizeof bytes - 1);
    if (count == 0) return ECONNRESET;
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : errno;
    bytes[count] = 0;
    if (strstr(bytes, begun_mark)) stream->has_begun = 1;
    for (const char *at = bytes; (at = strstr(at, event_mark)); at++) stream->events++;
  }
}

// Reads all streams until `is_done` holds for each.
static int read_until(server_streams *streams, int (*is_done)(const one_stream *, int), int longest) {
  const int64_t end = milliseconds() + longest;
  int left = 0;
  for (int index = 0; index < streams->opened; index++)
    left += !is_done(&streams->all[index], streams->seen);
  while (left > 0) {
    struct epoll_event ready[512];
    const int64_t wait = end - milliseconds();
    if (wait <= 0) return ETIMEDOUT;
    const int count = epoll_wait(streams->poll, ready, 512, (int)wait);
    for (int index = 0; index < count; index++) {
      one_stream *stream = ready[index].data.ptr;
      const int was_done = is_done(stream, streams->seen);
      const int code = take(stream);
      if (code != 0) return code;
      left -= !was_done && is_done(stream, streams->seen);
    }
  }
  return 0;
}

static int begun(const one_stream *stream, int seen) {
  (void)seen;
  return stream->has_begun;
}

static int woken(const one_stream *stream, int seen) { return stream->events > seen; }

static int open_one(server_streams *streams, uint16_t port, server_bytes request) {
  one_stream *stream = &streams->all[streams->opened];
  int code = channel_open(&stream->channel, port, streams->tls);
  if (code != 0) return code;
  streams->opened++;
  code = channel_send(&stream->channel, request);
  if (code != 0) return code;
  const int socket = stream->channel.socket;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
  const int is_ready = fcntl(socket, F_SETFL, O_NONBLOCK) == 0 &&
                       epoll_ctl(streams->poll, EPOLL_CTL_ADD, socket, &event) == 0;
  return is_ready ? 0 : errno;
}

// Lets the process have as many files as the system gives it.
static void raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

enum { BEGIN_MILLISECONDS_MAX = 60000 };

int server_streams_open(
    uint16_t port, server_bytes request, int count, int is_tls, server_streams **streams) {
  raise_file_limit();
  server_streams *made = calloc(1, sizeof *made);
  if (!made) return ENOMEM;
  made->count = count;
  made->poll = epoll_create1(EPOLL_CLOEXEC);
  made->all = calloc((size_t)count, sizeof *made->all);
  if (is_tls) made->tls = SSL_CTX_new(TLS_client_method());
  int code = made->all && made->poll >= 0 && (!is_tls || made->tls) ? 0 : ENOMEM;
  while (code == 0 && made->opened < count) code = open_one(made, port, request);
  if (code == 0) code = read_until(made, begun, BEGIN_MILLISECONDS_MAX);
  if (code != 0) {
    server_streams_close(made);
    return code;
  }
  *streams = made;
  return 0;
}

int server_streams_wait(server_streams *streams, int longest) {
  const int code = read_until(streams, woken, longest);
  // What comes twice for one change is not taken for the next change.
  streams->seen++;
  for (int index = 0; index < streams->opened; index++)
    streams->all[index].events = streams->seen;
  return code;
}

void server_streams_close(server_streams *streams) {
  for (int index = 0; index < streams->opened; index++)
    channel_close(&streams->all[index].channel);
  if (streams->poll >= 0) close(streams->poll);
  SSL_CTX_free(streams->tls);
  free(streams->all);
  free(streams);
}
