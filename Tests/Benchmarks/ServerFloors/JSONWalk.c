#include "JSONWalk.h"

#include <string.h>

// A place in the bytes, and how deep it is.
typedef struct {
  const uint8_t *at;
  const uint8_t *end;
  int depth;
} walk;

enum { DEPTH_MAX = 64 };

static int value(walk *walk);

static int next(walk *walk) {
  while (walk->at < walk->end &&
         (*walk->at == ' ' || *walk->at == '\n' || *walk->at == '\r' || *walk->at == '\t'))
    walk->at++;
  return walk->at < walk->end ? *walk->at : -1;
}

static int take(walk *walk, int byte) {
  if (next(walk) != byte) return 0;
  walk->at++;
  return 1;
}

static int string(walk *walk) {
  if (!take(walk, '"')) return 0;
  for (; walk->at < walk->end; walk->at++) {
    if (*walk->at == '"') {
      walk->at++;
      return 1;
    }
    if (*walk->at < 0x20) return 0;
    if (*walk->at == '\\') walk->at++;
  }
  return 0;
}

static int members(walk *walk, int close, int has_keys) {
  walk->at++;
  if (take(walk, close)) return 1;
  do {
    if (has_keys && !(string(walk) && take(walk, ':'))) return 0;
    if (!value(walk)) return 0;
  } while (take(walk, ','));
  return take(walk, close);
}

static int container(walk *walk, int close, int has_keys) {
  if (++walk->depth > DEPTH_MAX) return 0;
  const int is_right = members(walk, close, has_keys);
  walk->depth--;
  return is_right;
}

static int word(walk *walk, const char *text) {
  const size_t count = strlen(text);
  if ((size_t)(walk->end - walk->at) < count || memcmp(walk->at, text, count) != 0) return 0;
  walk->at += count;
  return 1;
}

static int number(walk *walk) {
  const uint8_t *start = walk->at;
  while (walk->at < walk->end &&
         ((*walk->at >= '0' && *walk->at <= '9') || *walk->at == '-' || *walk->at == '+' ||
          *walk->at == '.' || *walk->at == 'e' || *walk->at == 'E'))
    walk->at++;
  return walk->at > start;
}

static int value(walk *walk) {
  switch (next(walk)) {
    case '{': return container(walk, '}', 1);
    case '[': return container(walk, ']', 0);
    case '"': return string(walk);
    case 't': return word(walk, "true");
    case 'f': return word(walk, "false");
    case 'n': return word(walk, "null");
    default: return number(walk);
  }
}

int json_walk(const uint8_t *bytes, size_t count) {
  walk start = {bytes, bytes + count, 0};
  return value(&start) && next(&start) == -1;
}
