// A database's file: all is passed on, and the log hears of the lock of whoever writes it.
#include "Files.h"

// The lock of whoever writes the log: https://www.sqlite.org/walformat.html#locking_primitives
enum { WRITE_LOCK = 0 };

static int file_close(sqlite3_file *file) {
  DatabaseFile *database = (DatabaseFile *)file;
  if (database->log) database->log->database = NULL;
  PASS(xClose);
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  PASS(xRead, bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  PASS(xWrite, bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) { PASS(xTruncate, size); }

static int file_sync(sqlite3_file *file, int flags) { PASS(xSync, flags); }

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { PASS(xFileSize, size); }

static int file_lock(sqlite3_file *file, int lock) { PASS(xLock, lock); }

static int file_unlock(sqlite3_file *file, int lock) { PASS(xUnlock, lock); }

static int file_reserved(sqlite3_file *file, int *is_reserved) { PASS(xCheckReservedLock, is_reserved); }

static int file_control(sqlite3_file *file, int operation, void *argument) {
  PASS(xFileControl, operation, argument);
}

static int file_sector(sqlite3_file *file) { PASS(xSectorSize); }

static int file_device(sqlite3_file *file) { PASS(xDeviceCharacteristics); }

static int file_shm_map(
    sqlite3_file *file, int region, int size, int is_extended, void volatile **address) {
  PASS(xShmMap, region, size, is_extended, address);
}

// What was gathered is forgotten before the lock is given back: after that another connection may write in its place.
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  DatabaseFile *database = (DatabaseFile *)file;
  bool is_write_lock = (flags & SQLITE_SHM_EXCLUSIVE) && offset <= WRITE_LOCK && WRITE_LOCK < offset + count;
  sqlite3_file *real = beneath(file);
  if (!is_write_lock) return real->pMethods->xShmLock(real, offset, count, flags);
  database->is_writing = false;
  if (database->log) log_forget(database->log);
  int code = real->pMethods->xShmLock(real, offset, count, flags);
  database->is_writing = (flags & SQLITE_SHM_LOCK) && code == SQLITE_OK;
  return code;
}

static void file_shm_barrier(sqlite3_file *file) {
  sqlite3_file *real = beneath(file);
  real->pMethods->xShmBarrier(real);
}

static int file_shm_unmap(sqlite3_file *file, int is_deleted) {
  DatabaseFile *database = (DatabaseFile *)file;
  database->is_writing = false;
  if (database->log) log_forget(database->log);
  PASS(xShmUnmap, is_deleted);
}

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **address) {
  PASS(xFetch, offset, count, address);
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *address) {
  PASS(xUnfetch, offset, address);
}

// Without the calls for a log, and those of memory mapping, as a database is that nobody changes meanwhile.
#define PLAIN_METHODS                     \
  .xClose = file_close,                   \
  .xRead = file_read,                     \
  .xWrite = file_write,                   \
  .xTruncate = file_truncate,             \
  .xSync = file_sync,                     \
  .xFileSize = file_size,                 \
  .xLock = file_lock,                     \
  .xUnlock = file_unlock,                 \
  .xCheckReservedLock = file_reserved,    \
  .xFileControl = file_control,           \
  .xSectorSize = file_sector,             \
  .xDeviceCharacteristics = file_device

#define LOG_METHODS                       \
  .xShmMap = file_shm_map,                \
  .xShmLock = file_shm_lock,              \
  .xShmBarrier = file_shm_barrier,        \
  .xShmUnmap = file_shm_unmap

static const sqlite3_io_methods plain = {.iVersion = 1, PLAIN_METHODS};

static const sqlite3_io_methods logged = {.iVersion = 2, PLAIN_METHODS, LOG_METHODS};

static const sqlite3_io_methods mapped = {
  .iVersion = 3, PLAIN_METHODS, LOG_METHODS, .xFetch = file_fetch, .xUnfetch = file_unfetch,
};

const sqlite3_io_methods *database_methods(const sqlite3_io_methods *real) {
  if (real->iVersion < 2 || !real->xShmMap) return &plain;
  return real->iVersion >= 3 && real->xFetch ? &mapped : &logged;
}

bool is_database(const sqlite3_file *file) {
  return file->pMethods == &plain || file->pMethods == &logged || file->pMethods == &mapped;
}
