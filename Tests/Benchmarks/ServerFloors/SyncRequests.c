#include "SyncFloors.h"
#include "Answer.h"
#include "JSONWalk.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Bytes that grow.
typedef struct {
  char *bytes;
  size_t count;
  size_t capacity;
} text;

struct sync_requests {
  sqlite3 *source;
  sqlite3_stmt *load;
  const char *record_type;
  const sync_field *fields;
  size_t field_count;
  // The values of what is loaded, each with a zero behind it.
  text values;
  int64_t loaded;
  text body;
};

static int reserve(text *into, size_t more) {
  if (into->capacity - into->count >= more) return SQLITE_OK;
  const size_t capacity = into->capacity + more > 65536 ? 2 * (into->capacity + more) : 65536;
  char *grown = realloc(into->bytes, capacity);
  if (!grown) return ENOMEM;
  into->bytes = grown;
  into->capacity = capacity;
  return SQLITE_OK;
}

static void add(text *into, const char *bytes, size_t count) {
  memcpy(into->bytes + into->count, bytes, count);
  into->count += count;
}

static void add_words(text *into, const char *words) { add(into, words, strlen(words)); }

// Escapes what a string of JSON may not have as it is.
static void add_string(text *into, const char *value, size_t count) {
  static const char digits[] = "0123456789abcdef";
  char *out = into->bytes + into->count;
  *out++ = '"';
  for (size_t index = 0; index < count; index++) {
    const unsigned char byte = (unsigned char)value[index];
    if (byte == '"' || byte == '\\') {
      *out++ = '\\';
      *out++ = (char)byte;
    } else if (byte < 0x20) {
      memcpy(out, "\\u00", 4);
      out[4] = digits[byte >> 4];
      out[5] = digits[byte & 15];
      out += 6;
    } else {
      *out++ = (char)byte;
    }
  }
  *out++ = '"';
  into->count = (size_t)(out - into->bytes);
}

int sync_requests_open(
    const char *source, const char *load, const char *record_type, const sync_field *fields,
    size_t count, sync_requests **requests) {
  sync_requests *made = calloc(1, sizeof *made);
  if (!made) return ENOMEM;
  made->record_type = record_type;
  made->fields = fields;
  made->field_count = count;
  int code = sqlite3_open_v2(
      source, &made->source, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(made->source, load, -1, &made->load, NULL);
  if (code != SQLITE_OK) {
    sync_requests_close(made);
    return code;
  }
  *requests = made;
  return SQLITE_OK;
}

int sync_requests_load(sync_requests *requests, int64_t first, int64_t last) {
  requests->values.count = 0;
  requests->loaded = 0;
  sqlite3_bind_int64(requests->load, 1, first);
  sqlite3_bind_int64(requests->load, 2, last);
  int code = SQLITE_OK;
  while (code == SQLITE_OK && (code = sqlite3_step(requests->load)) == SQLITE_ROW) {
    code = SQLITE_OK;
    for (int column = 0; code == SQLITE_OK && column <= (int)requests->field_count; column++) {
      const char *value = (const char *)sqlite3_column_text(requests->load, column);
      const size_t count = (size_t)sqlite3_column_bytes(requests->load, column);
      code = reserve(&requests->values, count + 1);
      if (code != SQLITE_OK) break;
      if (value) add(&requests->values, value, count);
      add(&requests->values, "", 1);
    }
    requests->loaded++;
  }
  sqlite3_reset(requests->load);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static const char *make_operation(sync_requests *requests, const char *value) {
  text *body = &requests->body;
  add_words(body, "{\"operationType\":\"create\",\"record\":{\"recordName\":");
  size_t count = strlen(value);
  add_string(body, value, count);
  value += count + 1;
  add_words(body, ",\"recordType\":");
  add_string(body, requests->record_type, strlen(requests->record_type));
  add_words(body, ",\"fields\":{");
  for (size_t index = 0; index < requests->field_count; index++) {
    const sync_field *field = &requests->fields[index];
    if (index > 0) add_words(body, ",");
    add_string(body, field->name, strlen(field->name));
    add_words(body, ":{\"value\":");
    count = strlen(value);
    if (field->is_string) add_string(body, value, count);
    else add(body, value, count);
    value += count + 1;
    add_words(body, ",\"type\":");
    add_string(body, field->type, strlen(field->type));
    add_words(body, "}");
  }
  add_words(body, "}}}");
  return value;
}

int sync_requests_make(sync_requests *requests, server_bytes *body) {
  requests->body.count = 0;
  // Six bytes for each that may have to be escaped, and what stands around a value.
  const size_t around = 128 + requests->field_count * 128;
  const int code = reserve(
      &requests->body, 64 + 6 * requests->values.count + (size_t)requests->loaded * around);
  if (code != SQLITE_OK) return code;
  add_words(&requests->body, "{\"operations\":[");
  const char *value = requests->values.bytes;
  for (int64_t row = 0; row < requests->loaded; row++) {
    if (row > 0) add_words(&requests->body, ",");
    value = make_operation(requests, value);
  }
  add_words(&requests->body, "]}");
  *body = (server_bytes){(const uint8_t *)requests->body.bytes, requests->body.count};
  return SQLITE_OK;
}

int sync_requests_close(sync_requests *requests) {
  sqlite3_finalize(requests->load);
  const int code = sqlite3_close(requests->source);
  free(requests->values.bytes);
  free(requests->body.bytes);
  free(requests);
  return code;
}

int sync_parse(server_bytes bytes) { return json_walk(bytes.bytes, bytes.count) ? 0 : EINVAL; }

struct sync_reader {
  channel channel;
  answer answer;
};

int sync_reader_open(uint16_t port, sync_reader **reader) {
  sync_reader *made = calloc(1, sizeof *made);
  if (!made) return ENOMEM;
  const int code = channel_open(&made->channel, port, NULL);
  if (code != 0) {
    free(made);
    return code;
  }
  *reader = made;
  return 0;
}

int sync_reader_ask(sync_reader *reader, server_bytes request, int64_t *body_bytes) {
  const int code = answer_ask(&reader->channel, request, &reader->answer);
  if (code != 0) return code;
  if (reader->answer.status != 200) return EPROTO;
  *body_bytes += (int64_t)reader->answer.body_count;
  return sync_parse((server_bytes){
      (const uint8_t *)reader->answer.bytes + reader->answer.head_count,
      reader->answer.body_count});
}

void sync_reader_close(sync_reader *reader) {
  channel_close(&reader->channel);
  free(reader->answer.bytes);
  free(reader);
}
