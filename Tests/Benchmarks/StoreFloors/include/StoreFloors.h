// The least that the work of an object store can cost: the same SQL from C, by hand.
//
// Nothing here formats a value, keeps history that is not asked for or checks what it is given; every
// function returns 0 or SQLite's code. Rows are made from their numbers, so both sides have the same.
#ifndef CONTRAIL_STORE_FLOORS_H
#define CONTRAIL_STORE_FLOORS_H

#include <stdint.h>

// Bytes of a text or a blob in someone else's memory; a text does not end with a zero.
typedef struct {
  const char *bytes;
  int32_t count;
} floor_bytes;

// One row of the table `Item`: 10 fields, and about 650 bytes in the file with key and version.
typedef struct {
  floor_bytes title;
  floor_bytes place;
  floor_bytes remarks;
  floor_bytes tag;
  floor_bytes identifier;
  int64_t count;
  int64_t rank;
  double score;
  double price;
  // Grows with the row's number, as the time of creation does; the one column with an index.
  double created;
} floor_row;

// How long the texts are, in bytes of UTF-8, and the blob.
enum {
  FLOOR_TITLE_BYTES = 24,
  FLOOR_PLACE_BYTES = 60,
  FLOOR_REMARKS_BYTES = 480,
  FLOOR_TAG_BYTES = 12,
  FLOOR_IDENTIFIER_BYTES = 16,
  // How many different tags there are.
  FLOOR_TAGS = 50,
  // `rank` is at least 0 and below this.
  FLOOR_RANKS = 1000,
};

// Rows 1 to `count`, in one block of memory; null when there is not enough. `floor_free` frees it.
floor_row *floor_make_rows(int64_t count);
// `count` keys from 1 to `rows` in an order without pattern; null when there is not enough memory.
int64_t *floor_make_keys(int64_t count, int64_t rows);
void floor_free(void *block);
// Gives memory that is free back to the system, so that a peak is that of what runs next.
void floor_trim(void);

// Counts the allocations of the process from now on, and says how many there were.
void floor_count_allocations(void);
int64_t floor_allocations(void);

// What both sides set alike on their connections. Always WAL with synchronous NORMAL.
typedef struct {
  int32_t cache_kib;
  int32_t checkpoint_pages;
} floor_settings;

// The statements, for those who want to run the same ones.
typedef enum {
  FLOOR_SQL_CREATE,
  FLOOR_SQL_BEGIN,
  FLOOR_SQL_COMMIT,
  FLOOR_SQL_INSERT,
  FLOOR_SQL_INSERT_CHANGE,
  FLOOR_SQL_INSERT_TRANSACTION,
  FLOOR_SQL_FETCH,
  FLOOR_SQL_LOOK_UP,
  FLOOR_SQL_IDENTIFIERS,
  FLOOR_SQL_COUNT,
  FLOOR_SQL_COUNT_INDEXED,
  FLOOR_SQL_COUNT_UNINDEXED,
  FLOOR_SQL_ADD_COLUMN,
} floor_sql_name;
const char *floor_sql(floor_sql_name name);

// A connection, which also makes the file and its tables when they are absent.
typedef struct floor_store floor_store;
int floor_open(const char *path, floor_settings settings, floor_store **store);
int floor_close(floor_store *store);

// Inserts rows with the keys 1 to `count`, in one transaction and without history.
int floor_insert(floor_store *store, const floor_row *rows, int64_t count);
// The same with a transaction for every row, and in it one row for the change and one for the
// transaction.
int floor_single_transactions(floor_store *store, const floor_row *rows, int64_t count);
// Adds a column with a default in one transaction, from opening the file to closing it.
int floor_add_column(const char *path, floor_settings settings);

// Every row as memory of its own, with memory of its own for every text and blob.
typedef struct floor_objects floor_objects;
int floor_fetch(floor_store *store, floor_objects **objects);
// Adds up what was read, so that both sides can show that they read the same.
int64_t floor_checksum(const floor_objects *objects);
void floor_release(floor_objects *objects);

// Reads rows by key in one read transaction, each into an object that is freed before the next.
int floor_lookups_in_one_transaction(
    floor_store *store, const int64_t *keys, int64_t count, int64_t *checksum);
// All keys, in memory that `floor_free` frees.
int floor_identifiers(floor_store *store, int64_t **identifiers, int64_t *count);
// Runs one of the counting statements, with `bound` for the parameter if it takes one.
int floor_count(floor_store *store, floor_sql_name name, double bound, int64_t *count);

#endif
