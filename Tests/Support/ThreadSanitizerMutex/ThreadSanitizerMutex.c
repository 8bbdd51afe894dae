// `Synchronization.Mutex` locks in the program's own code, which the thread sanitizer watches, while
// nobody waits. Where threads do wait, a function of the library hands the lock over in the kernel
// (FUTEX_LOCK_PI), which it cannot see: it then reports a race between any two owners. These functions
// stand before the library's own of the same names, call them, and say that one owner follows the other.
// The mangled names are those of Swift 6.2 and 6.3; where they change, the reports come back.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ThreadSanitizerMutex.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// https://github.com/llvm/llvm-project/blob/main/compiler-rt/include/sanitizer/tsan_interface.h
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Swift passes the mutex in the register of `self`:
// https://clang.llvm.org/docs/AttributeReference.html#swift-context
#define SWIFT_CALL __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

typedef SWIFT_CALL void lock_function(uint32_t thread, SELF);
typedef SWIFT_CALL bool try_lock_function(SELF);
typedef SWIFT_CALL void unlock_function(SELF);

SWIFT_CALL void contrail_lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT_CALL bool contrail_try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT_CALL void contrail_unlock_slow(SELF) __asm__(UNLOCK_SLOW);

static lock_function *real_lock;
static try_lock_function *real_try_lock;
static unlock_function *real_unlock;

// Before any thread begins.
__attribute__((constructor)) static void find_real_functions(void) {
  real_lock = (lock_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
  real_try_lock = (try_lock_function *)dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  real_unlock = (unlock_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (!real_lock || !real_try_lock || !real_unlock) abort();
}

SWIFT_CALL void contrail_lock_slow(uint32_t thread, SELF) {
  real_lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT_CALL bool contrail_try_lock_slow(SELF) {
  bool is_locked = real_try_lock(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT_CALL void contrail_unlock_slow(SELF) {
  __tsan_release(mutex);
  real_unlock(mutex);
}
