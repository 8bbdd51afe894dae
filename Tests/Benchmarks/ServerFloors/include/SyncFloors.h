// The least that exchanging records can cost: writing the rows that both sides keep, making requests out
// of values that are text already, and reading pages.
//
// Rows and values are loaded before they are used, some at a time, so that a caller measures the work
// alone and needs little memory. Every function returns 0, or an `errno` or SQLite's code.
#ifndef CONTRAIL_SYNC_FLOORS_H
#define CONTRAIL_SYNC_FLOORS_H

#include "ServerFloors.h"

// Rows out of one file, to be written into another.
typedef struct {
  // Takes the first and the last number of what is loaded.
  const char *load;
  // Takes the columns that `load` gives.
  const char *save;
} sync_table;

typedef struct sync_copy sync_copy;
// Makes a file with the tables and indexes of another one; WAL, with synchronous FULL or NORMAL. The
// texts of `tables` have to last.
int sync_copy_open(
    const char *path, const char *source, const sync_table *tables, size_t count, int is_full,
    int32_t cache_kib, sync_copy **copy);
// Loads rows, in place of those that were loaded before.
int sync_copy_load(sync_copy *copy, int64_t first, int64_t last);
// Writes what is loaded in one transaction; adds to `saved` how many rows of the first table these are.
int sync_copy_save(sync_copy *copy, int64_t *saved);
int sync_copy_close(sync_copy *copy);

// Makes requests for `records/modify` out of values.
typedef struct sync_requests sync_requests;
// `load` takes the first and the last number, and gives a name and the fields' values as text; `types`
// has the type of each field, and whether its value is a string in JSON.
typedef struct {
  const char *name;
  const char *type;
  int is_string;
} sync_field;
int sync_requests_open(
    const char *source, const char *load, const char *record_type, const sync_field *fields,
    size_t count, sync_requests **requests);
int sync_requests_load(sync_requests *requests, int64_t first, int64_t last);
// Makes one request of what is loaded, and gives its bytes, good until the next one is made.
int sync_requests_make(sync_requests *requests, server_bytes *body);
int sync_requests_close(sync_requests *requests);

// Whether the bytes are JSON; nothing is kept of it.
int sync_parse(server_bytes bytes);

// One connection that asks for one thing after the other and reads the answers as JSON.
typedef struct sync_reader sync_reader;
int sync_reader_open(uint16_t port, sync_reader **reader);
int sync_reader_ask(sync_reader *reader, server_bytes request, int64_t *body_bytes);
void sync_reader_close(sync_reader *reader);

#endif
