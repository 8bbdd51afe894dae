#include "SyncFloors.h"

#include <sqlite3.h>
#include <stdlib.h>

// The values of rows, kept apart from their statement.
typedef struct {
  sqlite3_stmt *load;
  sqlite3_stmt *save;
  sqlite3_value **values;
  int columns;
  int64_t count;
  int64_t capacity;
} rows;

struct sync_copy {
  sqlite3 *source;
  sqlite3 *target;
  rows *tables;
  size_t table_count;
};

static int execute(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, NULL, NULL, NULL);
}

static int copy_schema(sqlite3 *from, sqlite3 *to) {
  sqlite3_stmt *list = NULL;
  int code = sqlite3_prepare_v2(
      from,
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
      " AND type <> 'trigger' ORDER BY rowid",
      -1, &list, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(list)) == SQLITE_ROW)
    code = execute(to, (const char *)sqlite3_column_text(list, 0));
  sqlite3_finalize(list);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int configure(sqlite3 *database, int is_full, int32_t cache_kib) {
  char *sql = sqlite3_mprintf(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; PRAGMA cache_size = -%d",
      is_full ? "FULL" : "NORMAL", (int)cache_kib);
  if (!sql) return SQLITE_NOMEM;
  const int code = execute(database, sql);
  sqlite3_free(sql);
  return code;
}

static int prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

static int open_table(sync_copy *copy, const sync_table *table, rows *into) {
  int code = prepare(copy->source, table->load, &into->load);
  if (code == SQLITE_OK) code = prepare(copy->target, table->save, &into->save);
  if (code == SQLITE_OK) into->columns = sqlite3_column_count(into->load);
  return code;
}

int sync_copy_open(
    const char *path, const char *source, const sync_table *tables, size_t count, int is_full,
    int32_t cache_kib, sync_copy **copy) {
  sync_copy *made = calloc(1, sizeof *made);
  if (!made) return SQLITE_NOMEM;
  made->tables = calloc(count, sizeof *made->tables);
  made->table_count = made->tables ? count : 0;
  int code = made->tables ? SQLITE_OK : SQLITE_NOMEM;
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
  if (code == SQLITE_OK) code = sqlite3_open_v2(source, &made->source, flags, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_open_v2(path, &made->target, flags | SQLITE_OPEN_CREATE, NULL);
  if (code == SQLITE_OK) code = configure(made->target, is_full, cache_kib);
  if (code == SQLITE_OK) code = copy_schema(made->source, made->target);
  for (size_t index = 0; code == SQLITE_OK && index < count; index++)
    code = open_table(made, &tables[index], &made->tables[index]);
  if (code != SQLITE_OK) {
    sync_copy_close(made);
    return code;
  }
  *copy = made;
  return SQLITE_OK;
}

static void forget(rows *table) {
  for (int64_t index = 0; index < table->count * table->columns; index++)
    sqlite3_value_free(table->values[index]);
  table->count = 0;
}

static int keep(rows *table) {
  if (table->count == table->capacity) {
    table->capacity = table->capacity == 0 ? 1024 : 2 * table->capacity;
    const size_t size =
        (size_t)table->capacity * (size_t)table->columns * sizeof(sqlite3_value *);
    void *grown = realloc(table->values, size);
    if (!grown) return SQLITE_NOMEM;
    table->values = grown;
  }
  for (int column = 0; column < table->columns; column++)
    table->values[table->count * table->columns + column] =
        sqlite3_value_dup(sqlite3_column_value(table->load, column));
  table->count++;
  return SQLITE_OK;
}

static int load(rows *table, int64_t first, int64_t last) {
  forget(table);
  sqlite3_bind_int64(table->load, 1, first);
  sqlite3_bind_int64(table->load, 2, last);
  int code = SQLITE_OK;
  while (code == SQLITE_OK && (code = sqlite3_step(table->load)) == SQLITE_ROW) code = keep(table);
  sqlite3_reset(table->load);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int sync_copy_load(sync_copy *copy, int64_t first, int64_t last) {
  int code = SQLITE_OK;
  for (size_t index = 0; code == SQLITE_OK && index < copy->table_count; index++)
    code = load(&copy->tables[index], first, last);
  return code;
}

static int save(rows *table) {
  int code = SQLITE_OK;
  for (int64_t row = 0; code == SQLITE_OK && row < table->count; row++) {
    for (int column = 0; code == SQLITE_OK && column < table->columns; column++)
      code = sqlite3_bind_value(
          table->save, column + 1, table->values[row * table->columns + column]);
    if (code == SQLITE_OK) {
      code = sqlite3_step(table->save);
      const int reset = sqlite3_reset(table->save);
      code = code == SQLITE_DONE ? SQLITE_OK : reset;
    }
  }
  return code;
}

int sync_copy_save(sync_copy *copy, int64_t *saved) {
  int code = execute(copy->target, "BEGIN IMMEDIATE");
  for (size_t index = 0; code == SQLITE_OK && index < copy->table_count; index++)
    code = save(&copy->tables[index]);
  if (code == SQLITE_OK) code = execute(copy->target, "COMMIT");
  if (code == SQLITE_OK && copy->table_count > 0) *saved += copy->tables[0].count;
  return code;
}

int sync_copy_close(sync_copy *copy) {
  for (size_t index = 0; index < copy->table_count; index++) {
    rows *table = &copy->tables[index];
    forget(table);
    free(table->values);
    sqlite3_finalize(table->load);
    sqlite3_finalize(table->save);
  }
  free(copy->tables);
  sqlite3_close(copy->source);
  const int code = sqlite3_close(copy->target);
  free(copy);
  return code;
}
