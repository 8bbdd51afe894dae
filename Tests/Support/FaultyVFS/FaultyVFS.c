#include "FaultyVFS.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct FaultyVFS {
  sqlite3_vfs vfs; // First: SQLite hands back its address, which is ours too.
  sqlite3_vfs *real;
  char *name;
  int calls;
  int64_t number;
  int code;
  bool is_lasting;
  int64_t call_count;
  int64_t failure_count;
};

typedef struct {
  sqlite3_file file; // First, as above.
  FaultyVFS *faulty;
} FaultyFile;

// The real file lies behind ours, in the room that szOsFile asked for.
static sqlite3_file *real_file(sqlite3_file *file) { return (sqlite3_file *)((FaultyFile *)file + 1); }

// Counts a call; SQLITE_OK lets it through.
static int meet(FaultyVFS *faulty, int call) {
  if (!(faulty->calls & call)) return SQLITE_OK;
  faulty->call_count += 1;
  bool is_due = faulty->call_count == faulty->number;
  bool is_past = faulty->is_lasting && faulty->call_count > faulty->number;
  if (faulty->number == 0 || !(is_due || is_past)) return SQLITE_OK;
  faulty->failure_count += 1;
  return faulty->code;
}

// One call of a file: fails if it is its turn, and is passed on otherwise.
#define PASS(call, method, ...)                              \
  do {                                                       \
    int code = meet(((FaultyFile *)file)->faulty, call);     \
    if (code != SQLITE_OK) return code;                      \
    sqlite3_file *real = real_file(file);                    \
    return real->pMethods->method(real, ##__VA_ARGS__);      \
  } while (0)

static int file_close(sqlite3_file *file) { PASS(0, xClose); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  PASS(FAULTY_READ, xRead, bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  PASS(FAULTY_WRITE, xWrite, bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  PASS(FAULTY_TRUNCATE, xTruncate, size);
}

static int file_sync(sqlite3_file *file, int flags) { PASS(FAULTY_SYNC, xSync, flags); }

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { PASS(0, xFileSize, size); }

static int file_lock(sqlite3_file *file, int lock) { PASS(FAULTY_LOCK, xLock, lock); }

static int file_unlock(sqlite3_file *file, int lock) { PASS(0, xUnlock, lock); }

static int file_reserved(sqlite3_file *file, int *is_reserved) {
  PASS(0, xCheckReservedLock, is_reserved);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  PASS(0, xFileControl, operation, argument);
}

static int file_sector(sqlite3_file *file) { PASS(0, xSectorSize); }

static int file_device(sqlite3_file *file) { PASS(0, xDeviceCharacteristics); }

static int file_shm_map(
    sqlite3_file *file, int region, int size, int is_extended, void volatile **address) {
  PASS(FAULTY_SHM_MAP, xShmMap, region, size, is_extended, address);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  PASS(0, xShmLock, offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  sqlite3_file *real = real_file(file);
  real->pMethods->xShmBarrier(real);
}

static int file_shm_unmap(sqlite3_file *file, int is_deleted) { PASS(0, xShmUnmap, is_deleted); }

// Version 2 has no memory mapping: every read of a page passes here.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector,
  .xDeviceCharacteristics = file_device,
  .xShmMap = file_shm_map,
  .xShmLock = file_shm_lock,
  .xShmBarrier = file_shm_barrier,
  .xShmUnmap = file_shm_unmap,
};

static int vfs_open(
    sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *flags_out) {
  FaultyVFS *faulty = (FaultyVFS *)vfs;
  // Without methods SQLite does not close what was not opened.
  file->pMethods = NULL;
  ((FaultyFile *)file)->faulty = faulty;
  int code = meet(faulty, FAULTY_OPEN);
  if (code != SQLITE_OK) return code;
  sqlite3_file *real = real_file(file);
  code = faulty->real->xOpen(faulty->real, name, real, flags, flags_out);
  if (real->pMethods) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
  FaultyVFS *faulty = (FaultyVFS *)vfs;
  int code = meet(faulty, FAULTY_DELETE);
  return code == SQLITE_OK ? faulty->real->xDelete(faulty->real, name, is_synced) : code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xAccess(real, name, flags, result);
}

static int vfs_full_name(sqlite3_vfs *vfs, const char *name, int count, char *result) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xFullPathname(real, name, count, result);
}

static int vfs_random(sqlite3_vfs *vfs, int count, char *bytes) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xRandomness(real, count, bytes);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xSleep(real, microseconds);
}

static int vfs_time(sqlite3_vfs *vfs, double *time) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xCurrentTime(real, time);
}

static int vfs_time_in_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xCurrentTimeInt64(real, time);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *text) {
  sqlite3_vfs *real = ((FaultyVFS *)vfs)->real;
  return real->xGetLastError(real, count, text);
}

FaultyVFS *faulty_vfs_make(const char *name) {
  sqlite3_vfs *real = sqlite3_vfs_find(NULL);
  FaultyVFS *faulty = calloc(1, sizeof(FaultyVFS));
  char *copy = strdup(name);
  if (!real || real->iVersion < 2 || !faulty || !copy) {
    free(faulty);
    free(copy);
    return NULL;
  }
  faulty->real = real;
  faulty->name = copy;
  faulty->calls = FAULTY_ALL;
  faulty->vfs = (sqlite3_vfs){
    .iVersion = 2,
    .szOsFile = (int)sizeof(FaultyFile) + real->szOsFile,
    .mxPathname = real->mxPathname,
    .zName = copy,
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_name,
    .xRandomness = vfs_random,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_last_error,
    .xCurrentTimeInt64 = vfs_time_in_milliseconds,
  };
  if (sqlite3_vfs_register(&faulty->vfs, 0) != SQLITE_OK) {
    free(copy);
    free(faulty);
    return NULL;
  }
  return faulty;
}

void faulty_vfs_free(FaultyVFS *faulty) {
  sqlite3_vfs_unregister(&faulty->vfs);
  free(faulty->name);
  free(faulty);
}

void faulty_vfs_fail(FaultyVFS *faulty, int calls, int64_t number, int code, bool is_lasting) {
  faulty->calls = calls;
  faulty->number = number;
  faulty->code = code;
  faulty->is_lasting = is_lasting;
  faulty->call_count = 0;
  faulty->failure_count = 0;
}

int64_t faulty_vfs_call_count(const FaultyVFS *faulty) { return faulty->call_count; }

int64_t faulty_vfs_failure_count(const FaultyVFS *faulty) { return faulty->failure_count; }
