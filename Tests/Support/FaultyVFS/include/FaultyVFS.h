// A file system for SQLite whose calls fail when a test says so. Beneath, it is SQLite's own.
#ifndef CONTRAIL_FAULTY_VFS_H
#define CONTRAIL_FAULTY_VFS_H

#include <stdbool.h>
#include <stdint.h>

// The calls that are counted and can be made to fail.
enum {
  FAULTY_OPEN = 1 << 0,
  FAULTY_READ = 1 << 1,
  FAULTY_WRITE = 1 << 2,
  FAULTY_TRUNCATE = 1 << 3,
  FAULTY_SYNC = 1 << 4,
  FAULTY_SHM_MAP = 1 << 5,
  FAULTY_DELETE = 1 << 6,
  FAULTY_LOCK = 1 << 7,
  FAULTY_ALL = (1 << 8) - 1,
};

// One file system, with counts and faults of its own; used by one thread at a time.
typedef struct FaultyVFS FaultyVFS;

// Makes a file system that `Connection(_:mode:vfs:)` finds by its name; nil if that fails.
FaultyVFS *faulty_vfs_make(const char *name);

// Removes it. Every connection that uses it has to be closed before.
void faulty_vfs_free(FaultyVFS *faulty);

// Counts from zero, and makes call `number` (from 1; 0 for none) of those in `calls` fail with `code`,
// and all of them from then on if `is_lasting`.
void faulty_vfs_fail(FaultyVFS *faulty, int calls, int64_t number, int code, bool is_lasting);

// How many calls were made that can fail, and how many did.
int64_t faulty_vfs_call_count(const FaultyVFS *faulty);
int64_t faulty_vfs_failure_count(const FaultyVFS *faulty);

#endif
