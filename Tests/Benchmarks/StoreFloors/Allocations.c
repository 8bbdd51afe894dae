// Counts allocations, which is what tells whether work makes any: `malloc` stands before that of the C
// library, for all libraries of the process.
// https://sourceware.org/glibc/manual/latest/html_node/Replacing-malloc.html
#include "StoreFloors.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void *__libc_malloc(size_t bytes);

static atomic_bool is_counting;
static atomic_llong count;

void *malloc(size_t bytes) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) atomic_fetch_add(&count, 1);
  return __libc_malloc(bytes);
}

void floor_count_allocations(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

int64_t floor_allocations(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}
