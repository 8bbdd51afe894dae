#include "Answer.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int ask_once(uint16_t port, SSL_CTX *context, server_bytes request, answer *into) {
  channel made;
  int code = channel_open(&made, port, context);
  if (code != 0) return code;
  code = answer_ask(&made, request, into);
  channel_close(&made);
  return code;
}

int server_ask(
    uint16_t port, int is_tls, server_bytes request, int *status, uint8_t **body, size_t *count) {
  SSL_CTX *context = is_tls ? SSL_CTX_new(TLS_client_method()) : NULL;
  if (is_tls && !context) return ENOMEM;
  answer got = {0};
  const int code = ask_once(port, context, request, &got);
  SSL_CTX_free(context);
  if (code != 0) {
    free(got.bytes);
    return code;
  }
  *status = got.status;
  *count = got.body_count;
  memmove(got.bytes, got.bytes + got.head_count, got.body_count);
  *body = (uint8_t *)got.bytes;
  return 0;
}

void server_free(void *block) { free(block); }

// What the threads of one play share.
typedef struct {
  uint16_t port;
  const server_bytes *requests;
  size_t count;
  atomic_size_t next;
  atomic_llong body_bytes;
  atomic_llong failures;
  atomic_int code;
} play;

static void note(play *shared, const answer *got) {
  atomic_fetch_add(&shared->body_bytes, (long long)got->body_count);
  if (got->status != 200 || strstr(got->bytes + got->head_count, "serverErrorCode"))
    atomic_fetch_add(&shared->failures, 1);
}

static void *play_connection(void *argument) {
  play *shared = argument;
  answer got = {0};
  channel made;
  int code = channel_open(&made, shared->port, NULL);
  if (code == 0) {
    size_t index;
    while (code == 0 && (index = atomic_fetch_add(&shared->next, 1)) < shared->count) {
      code = answer_ask(&made, shared->requests[index], &got);
      if (code == 0) note(shared, &got);
    }
    channel_close(&made);
  }
  free(got.bytes);
  if (code != 0) atomic_store(&shared->code, code);
  return NULL;
}

enum { CONNECTIONS_MAX = 64 };

int server_play(
    uint16_t port, const server_bytes *requests, size_t count, int connections,
    server_totals *totals) {
  play shared = {.port = port, .requests = requests, .count = count};
  pthread_t threads[CONNECTIONS_MAX];
  if (connections < 1 || connections > CONNECTIONS_MAX) return EINVAL;
  int started = 0;
  while (started < connections) {
    const int code = pthread_create(&threads[started], NULL, play_connection, &shared);
    if (code != 0) {
      atomic_store(&shared.code, code);
      break;
    }
    started++;
  }
  for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
  totals->body_bytes = atomic_load(&shared.body_bytes);
  totals->failures = atomic_load(&shared.failures);
  return atomic_load(&shared.code);
}
