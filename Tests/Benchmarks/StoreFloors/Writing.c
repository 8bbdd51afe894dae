// The work that writes.
#include "Store.h"

#include <stddef.h>

static void bind_text(sqlite3_stmt *statement, int index, floor_bytes text) {
  sqlite3_bind_text(statement, index, text.bytes, text.count, SQLITE_STATIC);
}

static int insert_row(sqlite3_stmt *statement, int64_t key, const floor_row *row) {
  sqlite3_bind_int64(statement, 1, key);
  sqlite3_bind_int64(statement, 2, 1);
  bind_text(statement, 3, row->title);
  bind_text(statement, 4, row->place);
  bind_text(statement, 5, row->remarks);
  bind_text(statement, 6, row->tag);
  sqlite3_bind_blob(
      statement, 7, row->identifier.bytes, row->identifier.count, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 8, row->count);
  sqlite3_bind_int64(statement, 9, row->rank);
  sqlite3_bind_double(statement, 10, row->score);
  sqlite3_bind_double(statement, 11, row->price);
  sqlite3_bind_double(statement, 12, row->created);
  return floor_run(statement);
}

int floor_insert(floor_store *store, const floor_row *rows, int64_t count) {
  sqlite3_stmt *insert = NULL;
  int code = floor_prepare(store, FLOOR_SQL_INSERT, &insert);
  if (code == SQLITE_OK) code = floor_execute(store, FLOOR_SQL_BEGIN);
  for (int64_t index = 0; code == SQLITE_OK && index < count; index++) {
    code = insert_row(insert, index + 1, &rows[index]);
  }
  sqlite3_finalize(insert);
  return code == SQLITE_OK ? floor_execute(store, FLOOR_SQL_COMMIT) : code;
}

static int insert_change(sqlite3_stmt *statement, int64_t transaction, int64_t object) {
  sqlite3_bind_int64(statement, 1, transaction);
  sqlite3_bind_int64(statement, 2, 0);
  sqlite3_bind_int64(statement, 3, 1);
  sqlite3_bind_int64(statement, 4, object);
  return floor_run(statement);
}

static int insert_transaction(sqlite3_stmt *statement, int64_t transaction, double time) {
  sqlite3_bind_int64(statement, 1, transaction);
  sqlite3_bind_double(statement, 2, time);
  bind_text(statement, 3, (floor_bytes){"author", 6});
  bind_text(statement, 4, (floor_bytes){"bench", 5});
  return floor_run(statement);
}

int floor_single_transactions(floor_store *store, const floor_row *rows, int64_t count) {
  enum { BEGIN, ITEM, CHANGE, TRANSACTION, COMMIT, STATEMENTS };
  static const floor_sql_name names[STATEMENTS] = {
    [BEGIN] = FLOOR_SQL_BEGIN,
    [ITEM] = FLOOR_SQL_INSERT,
    [CHANGE] = FLOOR_SQL_INSERT_CHANGE,
    [TRANSACTION] = FLOOR_SQL_INSERT_TRANSACTION,
    [COMMIT] = FLOOR_SQL_COMMIT,
  };
  sqlite3_stmt *prepared[STATEMENTS] = {NULL};
  int code = SQLITE_OK;
  for (int name = 0; code == SQLITE_OK && name < STATEMENTS; name++) {
    code = floor_prepare(store, names[name], &prepared[name]);
  }
  for (int64_t number = 1; code == SQLITE_OK && number <= count; number++) {
    const floor_row *row = &rows[number - 1];
    code = floor_run(prepared[BEGIN]);
    if (code == SQLITE_OK) code = insert_row(prepared[ITEM], number, row);
    if (code == SQLITE_OK) code = insert_change(prepared[CHANGE], number, number);
    if (code == SQLITE_OK) code = insert_transaction(prepared[TRANSACTION], number, row->created);
    if (code == SQLITE_OK) code = floor_run(prepared[COMMIT]);
  }
  for (int name = 0; name < STATEMENTS; name++) sqlite3_finalize(prepared[name]);
  return code;
}

int floor_add_column(const char *path, floor_settings settings) {
  floor_store *store = NULL;
  int code = floor_open(path, settings, &store);
  if (code != SQLITE_OK) return code;
  code = floor_execute(store, FLOOR_SQL_BEGIN);
  if (code == SQLITE_OK) code = floor_execute(store, FLOOR_SQL_ADD_COLUMN);
  if (code == SQLITE_OK) code = floor_execute(store, FLOOR_SQL_COMMIT);
  const int closed = floor_close(store);
  return code == SQLITE_OK ? closed : code;
}
