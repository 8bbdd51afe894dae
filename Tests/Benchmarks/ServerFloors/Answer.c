#include "Answer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Reads until `count` bytes are there.
static int fill(channel *from, answer *into, size_t *have, size_t count) {
  while (*have < count || *have == 0) {
    if (into->capacity < count + 1 || into->capacity - *have < 2) {
      const size_t capacity = count + 65536 > 2 * into->capacity ? count + 65536 : 2 * into->capacity;
      char *grown = realloc(into->bytes, capacity);
      if (!grown) return ENOMEM;
      into->bytes = grown;
      into->capacity = capacity;
    }
    const ssize_t received = channel_read(from, into->bytes + *have, into->capacity - *have - 1);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return received < 0 ? errno : ECONNRESET;
    *have += (size_t)received;
    into->bytes[*have] = 0;
  }
  return 0;
}

// Reads one answer, which has to have a length, for both servers give one where they know it.
static int receive(channel *from, answer *into) {
  size_t have = 0;
  char *end = NULL;
  while (!end) {
    const int code = fill(from, into, &have, have + 1);
    if (code != 0) return code;
    end = strstr(into->bytes, "\r\n\r\n");
  }
  into->head_count = (size_t)(end - into->bytes) + 4;
  into->status = atoi(into->bytes + strlen("HTTP/1.1 "));
  *end = 0;
  const char *length = strcasestr(into->bytes, "\r\nContent-Length:");
  if (!length) return EPROTO;
  into->body_count = strtoul(length + strlen("\r\nContent-Length:"), NULL, 10);
  return fill(from, into, &have, into->head_count + into->body_count);
}

int answer_ask(channel *to, server_bytes request, answer *into) {
  const int code = channel_send(to, request);
  return code != 0 ? code : receive(to, into);
}
