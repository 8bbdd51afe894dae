// The work that reads.
#include "Store.h"

#include <stdlib.h>
#include <string.h>

// A row in memory of its own.
typedef struct {
  int64_t key;
  int64_t version;
  floor_row fields;
} object;

struct floor_objects {
  object **all;
  int64_t count;
};

// How many elements an array begins with.
enum { FIRST_CAPACITY = 64 };

// Makes room for one more element in `*array`, which doubles when it is full.
static int make_room(void **array, size_t size, int64_t count, int64_t *capacity) {
  if (count < *capacity) return SQLITE_OK;
  const int64_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
  void *moved = realloc(*array, (size_t)wanted * size);
  if (!moved) return SQLITE_NOMEM;
  *array = moved;
  *capacity = wanted;
  return SQLITE_OK;
}

static floor_bytes copied(const void *bytes, int32_t count) {
  char *copy = malloc((size_t)count + 1);
  if (!copy || !bytes) return (floor_bytes){copy, 0};
  memcpy(copy, bytes, (size_t)count);
  return (floor_bytes){copy, count};
}

static floor_bytes text(sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_text(statement, column);
  return copied(bytes, sqlite3_column_bytes(statement, column));
}

static floor_bytes blob(sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_blob(statement, column);
  return copied(bytes, sqlite3_column_bytes(statement, column));
}

static object *decoded(sqlite3_stmt *statement) {
  object *made = malloc(sizeof *made);
  if (!made) return NULL;
  made->key = sqlite3_column_int64(statement, 0);
  made->version = sqlite3_column_int64(statement, 1);
  made->fields.title = text(statement, 2);
  made->fields.place = text(statement, 3);
  made->fields.remarks = text(statement, 4);
  made->fields.tag = text(statement, 5);
  made->fields.identifier = blob(statement, 6);
  made->fields.count = sqlite3_column_int64(statement, 7);
  made->fields.rank = sqlite3_column_int64(statement, 8);
  made->fields.score = sqlite3_column_double(statement, 9);
  made->fields.price = sqlite3_column_double(statement, 10);
  made->fields.created = sqlite3_column_double(statement, 11);
  return made;
}

static void release(object *object) {
  free((void *)object->fields.title.bytes);
  free((void *)object->fields.place.bytes);
  free((void *)object->fields.remarks.bytes);
  free((void *)object->fields.tag.bytes);
  free((void *)object->fields.identifier.bytes);
  free(object);
}

static int64_t checksum(const object *object) {
  const floor_row *row = &object->fields;
  return object->key + object->version + row->title.count + row->place.count + row->remarks.count
      + row->tag.count + row->identifier.count + row->count + row->rank + (int64_t)row->created;
}

int floor_fetch(floor_store *store, floor_objects **objects) {
  floor_objects *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  sqlite3_stmt *fetch = NULL;
  int64_t capacity = 0;
  int code = floor_prepare(store, FLOOR_SQL_FETCH, &fetch);
  while (code == SQLITE_OK && (code = sqlite3_step(fetch)) == SQLITE_ROW) {
    code = make_room((void **)&made->all, sizeof *made->all, made->count, &capacity);
    object *object = code == SQLITE_OK ? decoded(fetch) : NULL;
    if (object) made->all[made->count++] = object;
    else code = SQLITE_NOMEM;
  }
  sqlite3_finalize(fetch);
  *objects = made;
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int64_t floor_checksum(const floor_objects *objects) {
  int64_t sum = 0;
  for (int64_t index = 0; index < objects->count; index++) sum += checksum(objects->all[index]);
  return sum;
}

void floor_release(floor_objects *objects) {
  for (int64_t index = 0; index < objects->count; index++) release(objects->all[index]);
  free(objects->all);
  free(objects);
}

static int look_up(sqlite3_stmt *statement, int64_t key, int64_t *sum) {
  sqlite3_bind_int64(statement, 1, key);
  if (sqlite3_step(statement) == SQLITE_ROW) {
    object *found = decoded(statement);
    if (!found) return SQLITE_NOMEM;
    *sum += checksum(found);
    release(found);
  }
  return sqlite3_reset(statement);
}

int floor_lookups_in_one_transaction(
    floor_store *store, const int64_t *keys, int64_t count, int64_t *sum) {
  sqlite3_stmt *statement = NULL;
  *sum = 0;
  int code = floor_prepare(store, FLOOR_SQL_LOOK_UP, &statement);
  if (code == SQLITE_OK) code = sqlite3_exec(store->database, "BEGIN", NULL, NULL, NULL);
  for (int64_t index = 0; code == SQLITE_OK && index < count; index++) {
    code = look_up(statement, keys[index], sum);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_OK ? floor_execute(store, FLOOR_SQL_COMMIT) : code;
}

int floor_identifiers(floor_store *store, int64_t **identifiers, int64_t *count) {
  sqlite3_stmt *statement = NULL;
  int64_t capacity = 0;
  *identifiers = NULL;
  *count = 0;
  int code = floor_prepare(store, FLOOR_SQL_IDENTIFIERS, &statement);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    code = make_room((void **)identifiers, sizeof **identifiers, *count, &capacity);
    if (code == SQLITE_OK) (*identifiers)[(*count)++] = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int floor_count(floor_store *store, floor_sql_name name, double bound, int64_t *count) {
  sqlite3_stmt *statement = NULL;
  int code = floor_prepare(store, name, &statement);
  if (code != SQLITE_OK) return code;
  if (sqlite3_bind_parameter_count(statement) > 0) sqlite3_bind_double(statement, 1, bound);
  if (sqlite3_step(statement) == SQLITE_ROW) *count = sqlite3_column_int64(statement, 0);
  return sqlite3_finalize(statement);
}
